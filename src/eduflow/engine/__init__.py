"""Model calls: endpoints, requests, outcomes, the journal and the run. Knows no education."""

from eduflow.engine.calls import OUTCOMES, Image, Message, Outcome, Reply, Request, TokenLogprob, Usage
from eduflow.engine.config import Config, load_config, resolve
from eduflow.engine.endpoints import Endpoint, Limits
from eduflow.engine.engine import EndpointDown, Engine, Persistence, Stats, unpack
from eduflow.engine.files import atomic_write
from eduflow.engine.journal import Journal, StoredCall
from eduflow.engine.probe import probe_vision
from eduflow.engine.progress import Progress
from eduflow.engine.run import Run
from eduflow.engine.store import StorageError

__all__ = [
    "OUTCOMES",
    "Config",
    "Endpoint",
    "EndpointDown",
    "Engine",
    "Image",
    "Journal",
    "Limits",
    "Message",
    "Outcome",
    "Persistence",
    "Progress",
    "Reply",
    "Request",
    "Run",
    "Stats",
    "StorageError",
    "StoredCall",
    "TokenLogprob",
    "Usage",
    "atomic_write",
    "load_config",
    "probe_vision",
    "resolve",
    "unpack",
]
