"""Reports: figures of graded solutions, with their counts and intervals, as tables and files."""

from eduflow.report.metrics import Figure, Metrics, metrics
from eduflow.report.records import Record, Source, config_hash, open_source, source_of

__all__ = ["Figure", "Metrics", "Record", "Source", "config_hash", "metrics", "open_source", "source_of"]
