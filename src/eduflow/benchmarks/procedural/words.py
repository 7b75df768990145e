"""Names and things in both languages, at the same places in both."""

from __future__ import annotations

from eduflow.benchmarks.procedural.core import Draw, Pair

NAMES: tuple[Pair, ...] = (
    ("小明", "Tom"),
    ("小红", "Anna"),
    ("小刚", "Ben"),
    ("丽丽", "Lily"),
    ("小华", "Omar"),
    ("芳芳", "Mia"),
    ("李强", "Jack"),
    ("王芳", "Sara"),
    ("张磊", "Leo"),
    ("陈静", "Nina"),
    ("赵阳", "Ravi"),
    ("周敏", "Grace"),
)

# Chinese name, Chinese classifier, English plural. Amounts are always 2 or more.
THINGS: tuple[tuple[str, str, str], ...] = (
    ("苹果", "个", "apples"),
    ("铅笔", "支", "pencils"),
    ("邮票", "枚", "stamps"),
    ("贝壳", "枚", "shells"),
    ("气球", "个", "balloons"),
    ("卡片", "张", "cards"),
    ("弹珠", "颗", "marbles"),
    ("贴纸", "张", "stickers"),
    ("橘子", "个", "oranges"),
    ("饼干", "块", "biscuits"),
)

# Things that are sold: Chinese name, classifier, English singular, English plural.
GOODS: tuple[tuple[str, str, str, str], ...] = (
    ("笔记本", "本", "notebook", "notebooks"),
    ("故事书", "本", "storybook", "storybooks"),
    ("文具盒", "个", "pencil case", "pencil cases"),
    ("水杯", "个", "cup", "cups"),
    ("玩具车", "辆", "toy car", "toy cars"),
    ("跳绳", "根", "skipping rope", "skipping ropes"),
    ("毛巾", "条", "towel", "towels"),
    ("雨伞", "把", "umbrella", "umbrellas"),
)


def names(draw: Draw, count: int) -> list[str]:
    """`count` different first names."""
    return draw.sample(NAMES, count)


def thing(draw: Draw) -> tuple[str, str]:
    """A thing that is counted, as (name, classifier): in English the plural, and no classifier."""
    zh, classifier, en = draw.rng.choice(THINGS)
    return (en, "") if draw.language == "en" else (zh, classifier)


def goods(draw: Draw) -> tuple[str, str, str]:
    """Something for sale, as (singular, plural, classifier): in Chinese singular and plural are the same."""
    zh, classifier, one, many = draw.rng.choice(GOODS)
    return (one, many, "") if draw.language == "en" else (zh, zh, classifier)
