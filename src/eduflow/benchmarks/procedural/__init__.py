"""Procedural K-12 problems at any number, in Chinese and English, with reference steps and pictures.

The order of the modules is the order in which the templates are dealt.
"""

from eduflow.benchmarks.procedural import arithmetic as arithmetic

from eduflow.benchmarks.procedural import algebra as algebra  # isort: skip
from eduflow.benchmarks.procedural import geometry as geometry  # isort: skip
from eduflow.benchmarks.procedural import science as science  # isort: skip
from eduflow.benchmarks.procedural import charts as charts  # isort: skip
from eduflow.benchmarks.procedural.core import (
    TEMPLATES,
    Split,
    Template,
    fingerprint,
    generate,
    known,
    make,
    split,
)

__all__ = ["TEMPLATES", "Split", "Template", "fingerprint", "generate", "known", "make", "split"]
