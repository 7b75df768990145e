"""EduFlow: step-by-step reasoning on K-12 problems."""

__version__ = "0.1.0"
