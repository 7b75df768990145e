"""Tree search for verified solutions: actors propose the next node, critics score it, and only what passes the filters is kept."""

from eduflow.search.filters import Filters, Selected, select
from eduflow.search.rules import ask, status, stop, tell
from eduflow.search.schedule import Schedule, load_schedule
from eduflow.search.tree import Rules, Tree

__all__ = [
    "Filters",
    "Rules",
    "Schedule",
    "Selected",
    "Tree",
    "ask",
    "load_schedule",
    "select",
    "status",
    "stop",
    "tell",
]
