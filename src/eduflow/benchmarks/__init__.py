"""Benchmarks that come with EduFlow: K12-Mini (`eduflow.benchmarks.k12mini`) and procedural problems."""
