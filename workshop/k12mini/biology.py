"""K12-Mini."""
