"""Reports: figures of graded solutions, with their counts and intervals, as tables and files."""

from eduflow.report.files import print_report, write_report
from eduflow.report.grids import Grid
from eduflow.report.metrics import Figure, Metrics, metrics
from eduflow.report.records import Record, Source, config_hash, open_source, source_of
from eduflow.report.tables import published_grid

__all__ = [
    "Figure",
    "Grid",
    "Metrics",
    "Record",
    "Source",
    "config_hash",
    "metrics",
    "open_source",
    "print_report",
    "published_grid",
    "source_of",
    "write_report",
]
