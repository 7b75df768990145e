"""Model calls: endpoints, requests, outcomes, the journal and the run. Knows no education."""

from eduflow.engine.calls import OUTCOMES, Image, Message, Outcome, Reply, Request, TokenLogprob, Usage
from eduflow.engine.endpoints import Endpoint, Limits

__all__ = [
    "OUTCOMES",
    "Endpoint",
    "Image",
    "Limits",
    "Message",
    "Outcome",
    "Reply",
    "Request",
    "TokenLogprob",
    "Usage",
]
