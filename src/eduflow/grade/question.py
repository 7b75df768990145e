"""What a question asks of the form of its answer: a unit, an order, a simplest form, an equation.

Only a few words are looked for, and each can only make the comparators stricter or tell them that an order does not matter; none makes a wrong
value right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from eduflow.grade.normalise import canonical, clean, tokens
from eduflow.grade.units import Unit, asked_units, blanks_in


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks for.

    `units`: the units that it prints for its answer. `unit_itself`: the answer must carry its unit. `percent`: a % is printed behind
    the blank. `order`: the answer is an order, of steps or sizes. `any_order`: all of several values, in whatever order. `factored`, `simplest`,
    `expanded`: a form. `equation`: an equation, not a value. `curve`: an equation of a line or curve, whose multiples are the same; `form`: in a
    named form, whose multiples are not. `ratio`: a ratio. `angle`: the measure of an angle. `blanks`: how many blanks are printed. `name`: what stands before "= ___".
    """

    text: str = ""
    units: tuple[Unit, ...] = ()
    unit_itself: bool = False
    percent: bool = False
    order: bool = False
    any_order: bool = False
    factored: bool = False
    simplest: bool = False
    expanded: bool = False
    equation: bool = False
    curve: bool = True
    form: bool = False
    ratio: bool = False
    angle: bool = False
    factorial: bool = False
    blanks: int = 0
    name: str = ""


def _search(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_UNIT_ITSELF = _search(
    r"(?:with|include|including|write|state|give)\s(?:the\s|its\s|a\s|proper\s|correct\s|appropriate\s)*units?|what is the unit"
    r"|(?:带|注明|写出|写明|填写?|包括|写上|标明)(?:上|出)?单位|单位是(?:什么|_|（|\()"
)
# From the first mark of a blank on alone: a blank of thousands is tried once.
_PERCENT = _search(r"(?:(?<!_)_{2,}|(?<!＿)＿+|□|（\s*）|\(\s*\))\s?\$?\\?%")
_ORDER = _search(
    r"顺序|排序|排列|先后|由[大小高低早快慢]到|从[大小高低早快慢左上前]|依次|过程|步骤|in (?:the )?(?:correct |right |proper |ascending |descending )?order"
    r"|(?:correct|right|proper) (?:order|sequence)|order of|arrange|sort|rank|from (?:small|large|big|great|low|high|least|left|early|earli)|sequence of (?:events|steps)|order the"
)
_ANY_ORDER = _search(
    r"(?:all|both) (?:possible |of |the |its |real |integer |such |rational |complex |positive |negative )*(?:values? of|solutions|roots|zeros|n\b|x\b)"
    r"|(?:find|list) all (?:possible |the |such |real )*(?:values|numbers|integers|primes|factors|n\b|x\b)"
    r"|(?:所有|全部)(?:可能|满足|符合|的|实|整|正|负)*(?:[根解值]|实数|整数|取值)|两根|两个(?:实数)?根|各个?根|方程[^。组]{0,60}的解[为是]"
)
# What names its values one by one wants them in that order.
_ONE_BY_ONE = _search(r"respectively|分别|依次|方程组|system of|the (?:first|second|former|latter)(?![a-z])")
_FACTORED = _search(r"factor|因式分解|分解因式|分解质因数")
_EXPANDED = _search(r"expand|展开")
_SIMPLEST = _search(
    r"simplif|simplest|lowest terms|reduced|irreducible|化简|最简|约分|化为最简|rationali[sz]e|分母有理化"
)
_EQUATION = _search(
    r"equation|formula|relation|expression|function|trajectory|locus|asymptote|axis of symmetry|directrix|inequality"
    r"|列式|算式|number sentence|方程|解析式|表达式|关系式|轨迹|渐近线|对称轴|准线|公式|等式|函数"
)
_CURVE = _search(
    r"line|curve|circle|ellipse|hyperbola|parabola|trajectory|locus|plane|tangent|asymptote|conic|function"
    r"|直线|曲线|圆|轨迹|抛物线|切线|平面|渐近线|函数|方程为|方程是"
)
_FORM = _search(
    r"standard (?:equation|form)|general form|slope|intercept|point-slope|vertex form|in the form|normal form|set up|can be (?:formed|listed|set)"
    r"|标准方程|标准式|一般式|一般形式|斜截式|点斜式|截距式|顶点式|列方程|列出|可列|形式|regression|回归"
)
_ANGLE = _search(
    r"(?:measure|degree|size)s? of [^.?]{0,40}(?:∠|angle)|(?:∠|\\angle)[^=.?]{0,20}=[\s$_＿\\^{}circ°.?]{0,20}$|(?:∠|角)[^。？=]{0,20}(?:的度数|的大小|等于多少度)"
)
_OF_AN_ANGLE = _search(r"sin|cos|tan|cot|radian|弧度|正弦|余弦|正切|ratio|比|number of|how many")
_RATIO = _search(r"ratio|比值|比例|之比|的比|比是|比为")
_NAME = re.compile(
    r"([A-Za-zα-ωΑ-Ω∠△\\][A-Za-z0-9α-ω_{}'′\\ ()|]{0,30}?)\s{0,3}=\s{0,3}(?:\$|\\\)|\s){0,4}(?:_{2,}|＿+|□|\\_|[.。?？]?\s{0,3}$)"
)


@lru_cache(maxsize=1024)
def asked(question: str) -> Asked:
    """What `question` asks for; an empty question asks for nothing in particular."""
    if not question or len(question) > 20_000:
        return Asked()
    named = None
    for match in _NAME.finditer(question[-600:]):
        named = match
    return Asked(
        text=question_text(question),
        units=asked_units(question),
        unit_itself=_UNIT_ITSELF.search(question) is not None,
        percent=_PERCENT.search(question) is not None,
        order=_ORDER.search(question) is not None,
        any_order=_ANY_ORDER.search(question) is not None and _ONE_BY_ONE.search(question) is None,
        factored=_FACTORED.search(question) is not None,
        simplest=_SIMPLEST.search(question) is not None,
        expanded=_EXPANDED.search(question) is not None,
        equation=_EQUATION.search(question) is not None,
        curve=_CURVE.search(question) is not None,
        form=_FORM.search(question) is not None,
        ratio=_RATIO.search(question) is not None,
        angle=_ANGLE.search(question[-300:]) is not None and _OF_AN_ANGLE.search(question[-300:]) is None,
        factorial="!" in question,
        blanks=len(blanks_in(question)),
        name="" if named is None else _spelled(named[1]),
    )


def question_text(question: str) -> str:
    """The question in the spelling of `canonical`, to see whether an answer only repeats it."""
    parts = []
    for piece in question[:4_000].split("\n"):
        text = clean(piece)
        parts.append(canonical(tokens(text), text))
    return " ".join(parts)


def _spelled(name: str) -> str:
    text = clean(name.strip(" $\\("))
    return canonical(tokens(text), text)
