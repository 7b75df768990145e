"""Best-of-N: choosing among candidate solutions, stopping early, and what a critic's score is worth."""

from eduflow.select.adaptive import Stopping
from eduflow.select.calibration import Calibration
from eduflow.select.strategies import STRATEGIES, Candidate, Choice, Strategy, choose

__all__ = ["STRATEGIES", "Calibration", "Candidate", "Choice", "Stopping", "Strategy", "choose"]
