"""Critics: what is right and wrong with each step of a solution, by a model, by one-token questions, or by proof."""

from eduflow.critique.base import Critic, StepScorer

__all__ = ["Critic", "StepScorer"]
