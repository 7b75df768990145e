"""Model calls: endpoints, requests, outcomes, the journal and the run. Knows no education."""

from eduflow.engine.calls import OUTCOMES, Image, Message, Outcome, Reply, Request, TokenLogprob, Usage
from eduflow.engine.endpoints import Endpoint, Limits
from eduflow.engine.files import atomic_write
from eduflow.engine.journal import Journal, StoredCall
from eduflow.engine.run import Run
from eduflow.engine.store import StorageError

__all__ = [
    "OUTCOMES",
    "Endpoint",
    "Image",
    "Journal",
    "Limits",
    "Message",
    "Outcome",
    "Reply",
    "Request",
    "Run",
    "StorageError",
    "StoredCall",
    "TokenLogprob",
    "Usage",
    "atomic_write",
]
