"""Step labels: two published profiles, their union of ten, and explicit, lossy maps between them.

Sources: K12Vista (arXiv 2506.01676) names nine labels in Chinese; EduFlow's process reward model names nine in
English. Eight meanings are shared, each profile has one of its own, and together they make ten.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Profile = Literal["k12vista", "eduflow"]


class Label(StrEnum):
    """What is right or wrong with one step. The value is the code used in files."""

    CORRECT = "CS"
    VISUAL = "ICE"
    QUESTION = "QM"
    KNOWLEDGE_LACK = "LRK"
    KNOWLEDGE_USE = "KAE"
    REASONING = "LRE"
    HALLUCINATION = "HE"
    CALCULATION = "CE"
    INCOMPLETE = "IAE"
    OFF_TOPIC = "OTI"


@dataclass(frozen=True, slots=True)
class LabelText:
    """The names of a label and the definition that prompts and people go by.

    `k12vista` is the published Chinese name and `eduflow` the published English one; None where the profile
    lacks the label. `zh` and `en` are what EduFlow shows, also where a profile has no name for it.
    """

    k12vista: str | None
    eduflow: str | None
    zh: str
    en: str
    definition_en: str
    definition_zh: str


TEXTS: dict[Label, LabelText] = {
    Label.CORRECT: LabelText(
        "步骤正确", "Correct Step", "步骤正确", "Correct Step",
        "none of the errors below",
        "没有下列任何一种错误",
    ),
    Label.VISUAL: LabelText(
        "图像认知错误", "Visual Misunderstanding", "图像认知错误", "Visual Misunderstanding",
        "it reads the figure wrongly: axis, value, shape, position or relation",
        "读错了图：坐标轴、数值、形状、位置或关系",
    ),
    Label.QUESTION: LabelText(
        "题意理解错误", "Problem Misunderstanding", "题意理解错误", "Problem Misunderstanding",
        "it answers another question: a condition, limit or demand of the text is missed or misread",
        "答非所问：漏看或误读了题目中的条件、范围或要求",
    ),
    Label.KNOWLEDGE_LACK: LabelText(
        "缺乏相关知识", "Lack of Domain Knowledge", "缺乏相关知识", "Lack of Domain Knowledge",
        "the concept, fact or method needed is not known at all, or a wrong method is chosen",
        "根本不了解所需的概念、事实或方法，或选错了方法",
    ),
    Label.KNOWLEDGE_USE: LabelText(
        "知识应用错误", "Misapplication of Knowledge", "知识应用错误", "Misapplication of Knowledge",
        "the right concept, formula or theorem is known but used wrongly",
        "知道正确的概念、公式或定理，但用错了",
    ),
    Label.REASONING: LabelText(
        "逻辑过程错误", "Logical Reasoning Error", "逻辑过程错误", "Logical Reasoning Error",
        "the conclusion does not follow: a gap, a circle, an unsupported or contradictory inference",
        "结论推不出来：跳步、循环论证、缺乏依据或自相矛盾",
    ),
    Label.HALLUCINATION: LabelText(
        "幻觉错误", "Hallucination", "幻觉错误", "Hallucination",
        "it states or uses what neither the problem nor fact supports",
        "陈述或使用了题目和事实都不支持的内容",
    ),
    Label.CALCULATION: LabelText(
        "运算处理错误", "Computational Error", "运算处理错误", "Computational Error",
        "arithmetic or algebra is carried out wrongly",
        "算术或代数运算出错",
    ),
    Label.INCOMPLETE: LabelText(
        "回答不完整错误", None, "回答不完整错误", "Incomplete Answer",
        "the final answer, or a part of it, is missing; carried by the last step",
        "缺少最终答案或其中一部分；由最后一步承担",
    ),
    Label.OFF_TOPIC: LabelText(
        None, "Off-topic or Incongruent", "偏离步骤功能", "Off-topic or Incongruent",
        "the text does not do what its kind of step is for",
        "文字没有完成这一类步骤应做的事",
    ),
}  # fmt: skip

PROFILES: dict[Profile, tuple[Label, ...]] = {
    "k12vista": tuple(label for label, text in TEXTS.items() if text.k12vista is not None),
    "eduflow": tuple(label for label, text in TEXTS.items() if text.eduflow is not None),
}

# What a label becomes in a profile that lacks it. Lossy: the way back does not exist, so a conversion is made
# only when a user asks for it.
LOSSY: dict[Profile, dict[Label, Label]] = {
    "eduflow": {Label.INCOMPLETE: Label.REASONING},
    "k12vista": {Label.OFF_TOPIC: Label.QUESTION},
}


def is_correct(label: Label) -> bool:
    """Whether the label says that the step is right."""
    return label is Label.CORRECT


def convert(label: Label, profile: Profile) -> Label:
    """The label in `profile`: itself where the profile has it, else its lossy image (see `LOSSY`)."""
    return LOSSY[profile].get(label, label)


def from_name(name: str) -> Label:
    """The label that a code or a published name stands for, exactly (white space at the ends is ignored).

    Raises:
        ValueError: the name belongs to no profile. Near misses are the business of the critique parser.
    """
    stripped = name.strip()
    for label, text in TEXTS.items():
        if stripped in (label.value, text.zh, text.en):
            return label
    raise ValueError(f"unknown step label {name!r}; known: {', '.join(label.value for label in Label)}")
