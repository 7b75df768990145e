"""Answers: extract, normalise, one comparator per answer type, and a judge on a miss."""

from eduflow.grade.grader import REVISION, Grader
from eduflow.grade.judge import Caller, Judge
from eduflow.grade.opinion import SecondOpinion
from eduflow.grade.rescues import rescues, write_rescues

__all__ = ["REVISION", "Caller", "Grader", "Judge", "SecondOpinion", "rescues", "write_rescues"]
