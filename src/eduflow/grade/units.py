"""Units: a table of exact factors, a reader of unit expressions, and the units that a question asks for.

A unit is an exact rational factor and a vector of dimensions, so 5 m = 500 cm and 1 kW·h = 3.6×10⁶ J hold exactly, and 50 Hz is no 50 s.
℃ alone is a dimension of its own (25 ℃ is a point of a scale, not a multiple of a kelvin); inside a compound, J/(kg·℃), it is a kelvin.
Units that no exact factor relates (years and days, eV and J as school books round it) are dimensions of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from eduflow.grade.normalise import Token, canonical, clean, tokens

Dimensions = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its factor to the base units of its dimensions."""

    factor: Fraction
    dimensions: Dimensions

    def times(self, other: Unit, sign: int = 1) -> Unit:
        """The product, or the quotient where `sign` is -1."""
        powers = dict(self.dimensions)
        for name, power in other.dimensions:
            powers[name] = powers.get(name, 0) + sign * power
        factor = self.factor * other.factor if sign == 1 else self.factor / other.factor
        return Unit(factor, tuple(sorted((n, p) for n, p in powers.items() if p)))

    def power(self, exponent: int) -> Unit:
        """The unit to an integer power."""
        return Unit(self.factor**exponent, tuple((n, p * exponent) for n, p in self.dimensions if exponent))


DEGREE = Unit(Fraction(1), (("degree", 1),))
CELSIUS = Unit(Fraction(1), (("celsius", 1),))
_KELVIN = Unit(Fraction(1), (("K", 1),))


def _unit(factor: Fraction | int | str, **powers: int) -> Unit:
    return Unit(Fraction(factor), tuple(sorted(powers.items())))


def _symbols() -> dict[str, Unit]:
    prefixes = {"p": -12, "n": -9, "μ": -6, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9}
    bases = {
        "m": _unit(1, m=1), "g": _unit("1/1000", kg=1), "s": _unit(1, s=1), "A": _unit(1, A=1), "K": _KELVIN,
        "mol": _unit(1, mol=1), "cd": _unit(1, cd=1), "N": _unit(1, kg=1, m=1, s=-2), "J": _unit(1, kg=1, m=2, s=-2),
        "W": _unit(1, kg=1, m=2, s=-3), "Pa": _unit(1, kg=1, m=-1, s=-2), "Hz": _unit(1, s=-1), "C": _unit(1, A=1, s=1),
        "V": _unit(1, kg=1, m=2, s=-3, A=-1), "Ω": _unit(1, kg=1, m=2, s=-3, A=-2), "F": _unit(1, kg=-1, m=-2, s=4, A=2),
        "T": _unit(1, kg=1, s=-2, A=-1), "Wb": _unit(1, kg=1, m=2, s=-2, A=-1), "H": _unit(1, kg=1, m=2, s=-2, A=-2),
        "L": _unit("1/1000", m=3), "l": _unit("1/1000", m=3), "eV": _unit(1, eV=1), "B": _unit(1, byte=1), "bit": _unit(1, bit=1),
    }  # fmt: skip
    table = {
        prefix + name: Unit(unit.factor * Fraction(10) ** power, unit.dimensions)
        for name, unit in bases.items()
        for prefix, power in prefixes.items()
        # no kK, no "ml" of "l" twice; the kilogram is k·g
        if not (prefix and name in ("K", "cd")) and not (name == "l" and prefix not in ("m", "μ"))
    }
    hour, minute, day = 3600, 60, 86400
    table |= {
        "cm": _unit("1/100", m=1), "dm": _unit("1/10", m=1), "t": _unit(1000, kg=1), "min": _unit(minute, s=1),
        "h": _unit(hour, s=1), "hr": _unit(hour, s=1), "d": _unit(day, s=1), "hPa": _unit(100, kg=1, m=-1, s=-2), "ha": _unit(10000, m=2),
        "cc": _unit("1/1000000", m=3), "cL": _unit("1/100000", m=3), "dL": _unit("1/10000", m=3), "atm": _unit(1, atm=1),
        "mmHg": _unit(1, mmHg=1), "kWh": _unit(3_600_000, kg=1, m=2, s=-2), "rad": _unit(1, radian=1), "dB": _unit(1, dB=1),
        "lx": _unit(1, lx=1), "lm": _unit(1, lm=1), "cal": _unit(1, cal=1), "kcal": _unit(1000, cal=1), "rpm": _unit(1, rpm=1),
        "°": DEGREE, "′": _unit("1/60", degree=1), "″": _unit("1/3600", degree=1), "℃": CELSIUS, "℉": _unit(1, fahrenheit=1),
        "ft": _unit("3048/10000", m=1), "yd": _unit("9144/10000", m=1), "kph": _unit("5/18", m=1, s=-1),
        "mph": _unit("44704/100000", m=1, s=-1), "lb": _unit("45359237/100000000", kg=1), "sq": _unit(1, square=1),
    }  # fmt: skip
    return table


_ZH_NOUNS = (
    "个 人 名 只 本 条 次 种 套 张 棵 支 枝 件 台 辆 位 头 页 层 步 道 根 颗 粒 朵 箱 袋 瓶 杯 盒 组 对 双 间 面 场 户 艘 架 "
    "题 段 把 枚 株 班 列 排 行 桶 包 筐 项 副 盘"
)
_EN_NOUNS = (
    "set person student book piece time apple tree boy girl child page box bag bottle cup car bird fish cow chicken rabbit "
    "duck sheep household ticket egg pencil pen ball coin card stick cube worker team class seat room floor step game match "
    "word digit strawberry bus train flower vote player man woman customer toy block tile row column lap"
)
_PLURALS = {
    "box": "boxes", "match": "matches", "class": "classes", "bus": "buses", "person": "people", "child": "children",
    "man": "men", "woman": "women", "strawberry": "strawberries", "fish": "fish", "sheep": "sheep",
}  # fmt: skip


def _words() -> dict[str, Unit]:
    table: dict[str, Unit] = {}

    def add(names: str, unit: Unit) -> None:
        for name in names.split():
            table[name] = unit

    metre, gram, litre = _unit(1, m=1), _unit("1/1000", kg=1), _unit("1/1000", m=3)
    for prefix, zh, power in (("kilo", "千", 3), ("deci", "分", -1), ("centi", "厘", -2), ("milli", "毫", -3),
                              ("micro", "微", -6), ("nano", "纳", -9), ("", "", 0)):  # fmt: skip
        scale = Fraction(10) ** power
        add(
            f"{prefix}meter {prefix}meters {prefix}metre {prefix}metres {zh}米",
            Unit(metre.factor * scale, metre.dimensions),
        )
        add(f"{prefix}gram {prefix}grams {zh}克", Unit(gram.factor * scale, gram.dimensions))
        add(
            f"{prefix}liter {prefix}liters {prefix}litre {prefix}litres {zh}升",
            Unit(litre.factor * scale, litre.dimensions),
        )
        for en, cn, dims in (("watt", "瓦", _unit(1, kg=1, m=2, s=-3)), ("volt", "伏", _unit(1, kg=1, m=2, s=-3, A=-1)),
                             ("ampere", "安", _unit(1, A=1)), ("amp", "安培", _unit(1, A=1)), ("ohm", "欧", _unit(1, kg=1, m=2, s=-3, A=-2)),
                             ("newton", "牛", _unit(1, kg=1, m=1, s=-2)), ("joule", "焦", _unit(1, kg=1, m=2, s=-2)),
                             ("pascal", "帕", _unit(1, kg=1, m=-1, s=-2)), ("second", "秒", _unit(1, s=1)), ("mole", "摩", _unit(1, mol=1)),
                             ("hertz", "赫", _unit(1, s=-1)), ("coulomb", "库", _unit(1, A=1, s=1))):  # fmt: skip
            if power in (3, 0, -3, -6, -9) and not (en == "second" and power == 3):
                add(f"{prefix}{en} {prefix}{en}s {zh}{cn}", Unit(dims.factor * scale, dims.dimensions))
    add("hertz", _unit(1, s=-1))
    add("公里", _unit(1000, m=1))
    add("里", _unit(500, m=1))
    add("光年 light-year", _unit(1, lightyear=1))
    add("inch inches 英寸", _unit("254/10000", m=1))
    add("foot feet 英尺", _unit("3048/10000", m=1))
    add("mile miles 英里", _unit("1609344/1000", m=1))
    add("yard yards", _unit("9144/10000", m=1))
    add("公斤", _unit(1, kg=1))
    add("斤", _unit("1/2", kg=1))
    add("两", _unit("1/20", kg=1))
    add("吨 tonne tonnes", _unit(1000, kg=1))
    add("ton tons", _unit(1, ton=1))
    add("pound pounds", _unit(1, pound=1))
    add("公顷 hectare hectares", _unit(10000, m=2))
    add("亩", _unit("20000/30", m=2))
    add("小时 hour hours 时 个小时", _unit(3600, s=1))
    add("分钟 minute minutes mins", _unit(60, s=1))
    add("秒钟 sec secs", _unit(1, s=1))
    add("天 日 day days", _unit(86400, s=1))
    add("周 星期 week weeks", _unit(604800, s=1))
    add("月 个月 month months", _unit(1, month=1))
    add("年 year years", _unit(12, month=1))
    add("岁", _unit(1, age=1))
    add("度 degree degrees 摄氏度 degC", DEGREE)
    table["摄氏度"] = CELSIUS
    table["degC"] = CELSIUS
    add("分", _unit(1, point=1))  # minutes, cents or marks: only a compound says which
    add("元 yuan 块 RMB", _unit(1, yuan=1))
    add("角 毛", _unit("1/10", yuan=1))
    add("dollar dollars 美元", _unit(1, dollar=1))
    add("cent cents", _unit("1/100", dollar=1))
    add("牛顿", _unit(1, kg=1, m=1, s=-2))
    add("焦耳", _unit(1, kg=1, m=2, s=-2))
    add("瓦特", _unit(1, kg=1, m=2, s=-3))
    add("伏特", _unit(1, kg=1, m=2, s=-3, A=-1))
    add("欧姆", _unit(1, kg=1, m=2, s=-3, A=-2))
    add("帕斯卡", _unit(1, kg=1, m=-1, s=-2))
    add("赫兹", _unit(1, s=-1))
    add("摩尔", _unit(1, mol=1))
    add("radian radians 弧度", _unit(1, radian=1))
    add("百帕", _unit(100, kg=1, m=-1, s=-2))
    add("兆帕", _unit(1_000_000, kg=1, m=-1, s=-2))
    add("千瓦时", _unit(3_600_000, kg=1, m=2, s=-2))
    # Nouns that are counted: each is a dimension of its own, so 360 sets are no 360 boxes.
    for noun in _ZH_NOUNS.split():
        table.setdefault(noun, Unit(Fraction(1), ((noun, 1),)))
    for noun in _EN_NOUNS.split():
        one = Unit(Fraction(1), ((noun, 1),))
        table.setdefault(noun, one)
        table.setdefault(_PLURALS.get(noun, noun + "s"), one)
    return table


SYMBOLS = _symbols()
WORDS = _words()
# One letter could as well be a variable; these two-letter runs could be a product of two.
_WEAK = frozenset(name for name in SYMBOLS if len(name) == 1 and name.isalpha() and name.isascii()) | {
    "km",
    "ms",
    "ml",
    "mm",
    "mg",
    "cd",
}
_USUAL_NAMES = "kg mA mV kV kW kJ kN mL nm MW MJ GW GB MB kB mH mT nF pF mW mJ GJ kA"
_USUAL = frozenset(_USUAL_NAMES.split())
_WEAK |= {
    name
    for name in SYMBOLS
    if len(name) == 2 and name[0] in "pnkmMG" and name[1] in "ACFVTHNLWJBg" and name not in _USUAL
}
_NOT_IN_A_SENTENCE = frozenset(
    ("A", "C", "K", "in", "d", "B", "F", "H", "T", "V", "sq", "point", "points", "number", "way", "ways")
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A unit as found: where it ends, and whether the letters could as well be variables."""

    unit: Unit
    end: int
    weak: bool


def read_unit(found: Sequence[Token], start: int) -> Reading | None:
    """The longest unit expression that begins at token `start`; None where there is none."""
    first = _factor(found, start, 0)
    if first is None:
        return None
    unit, i, weak, count = first.unit, first.end, first.weak, 1
    divided = False
    while i < len(found) and count < 8:
        token = found[i]
        sign = 1
        at = i + 1
        if token.text == "/" or token.text in ("per", "每"):
            if divided:
                break
            sign = -1
        elif token.text in ("·", "*", "×"):
            if divided:
                break
        elif token.space and token.kind == "run" and not divided and token.text in _SPACED:
            at = i
        else:
            break
        second = _factor(found, at, 0)
        if second is None:
            break
        divided = divided or sign == -1
        unit = _kelvin(unit).times(_kelvin(second.unit), sign)
        i, weak, count = second.end, False, count + 1
    return Reading(unit, i, weak and count == 1)


_SPACED = frozenset(("m", "s", "h", "mol", "K", "kg", "L"))


def _kelvin(unit: Unit) -> Unit:
    return Unit(unit.factor, tuple(("K", p) if n == "celsius" else (n, p) for n, p in unit.dimensions))


def _factor(found: Sequence[Token], start: int, depth: int) -> Reading | None:
    if start >= len(found) or depth > 2:
        return None
    token = found[start]
    if token.text in ("(", "{"):
        inner = read_unit(found, start + 1) if depth < 2 else None
        if inner is None or inner.end >= len(found) or found[inner.end].text not in (")", "}"):
            return None
        reading = Reading(inner.unit, inner.end + 1, False)
    elif token.text in ("square", "cubic", "sq"):
        inner = _factor(found, start + 1, depth + 1)
        if inner is None:
            return None
        return Reading(inner.unit.power(3 if token.text == "cubic" else 2), inner.end, False)
    elif token.kind == "cjk":
        unit = _cjk(token.text)
        if unit is None:
            return None
        return Reading(unit, start + 1, False)
    else:
        name, end = token.text, start + 1
        following = found[end] if end < len(found) else None
        if (
            following is not None
            and not following.space
            and following.text == "Ω"
            and name in ("k", "M", "m")
        ):
            name, end = name + "Ω", end + 1
        elif following is not None and not following.space and name == "μ" and following.kind == "run":
            name, end = name + following.text, end + 1
        unit = SYMBOLS.get(name) or WORDS.get(name)
        if unit is None or name == "sq":
            return None
        if name in ("degree", "degrees") and end < len(found) and found[end].text.lower() in ("celsius", "c"):
            unit, end = CELSIUS, end + 1
        weak = name in _WEAK and not token.roman
        if end < len(found) and found[end].text in ("squared", "cubed"):
            return Reading(unit.power(2 if found[end].text == "squared" else 3), end + 1, False)
        reading = Reading(unit, end, weak)
    exponent, end = _exponent(found, reading.end)
    if exponent is None:
        return None
    if end == reading.end:
        return reading
    return Reading(_kelvin(reading.unit).power(exponent), end, reading.weak)


def _exponent(found: Sequence[Token], i: int) -> tuple[int | None, int]:
    if i >= len(found):
        return 1, i
    token = found[i]
    if token.text == "^":
        texts = [t.text for t in found[i + 1 : i + 5]]
        if texts and texts[0] in ("1", "2", "3", "4"):
            return int(texts[0]), i + 2
        if (
            len(texts) == 4
            and texts[0] == "{"
            and texts[1] == "-"
            and texts[2] in ("1", "2", "3", "4")
            and texts[3] == "}"
        ):
            return -int(texts[2]), i + 5
        if len(texts) >= 2 and texts[0] == "-" and texts[1] in ("1", "2", "3", "4"):
            return -int(texts[1]), i + 3
        return None, i
    if token.kind == "num" and not token.space and token.text in ("2", "3") and found[i - 1].kind == "run":
        return int(token.text), i + 1
    return 1, i


@lru_cache(maxsize=1024)
def _cjk(text: str) -> Unit | None:
    if text in WORDS:
        return WORDS[text]
    for prefix, power in (("平方", 2), ("立方", 3)):
        if text.startswith(prefix):
            inner = WORDS.get(text[2:])
            return None if inner is None else inner.power(power)
    if "每" in text:
        top, _, bottom = text.partition("每")
        above, below = WORDS.get(top), WORDS.get(bottom)
        return None if above is None or below is None else above.times(below, -1)
    return None


def unit_at_start(text: str) -> str | None:
    """The unit that a text begins with, as text; None where it begins with something else.

    For what stands behind a box or a blank, so words that also mean something else ("in", "A") count only where they touch it or end the
    sentence.
    """
    # "cm$^{2}$": the exponent is often the only thing between dollar signs.
    piece = text[:48].replace("$", "").lstrip(" ")
    for opening in ("\\(", "\\["):
        piece = piece.removeprefix(opening).lstrip(" ")
    found = tokens(piece)
    if not found:
        return None
    if found[0].text in _NOT_IN_A_SENTENCE and not found[0].roman:
        ends = len(found) == 1 or found[1].kind == "sep" or found[1].text in (".", "/", "·")
        if not ends or (text[:1] == " " and found[0].text == "in"):
            return None
    if found[0].text == "%":
        return "%"
    reading = read_unit(found, 0)
    if reading is None:
        return None
    after = found[reading.end] if reading.end < len(found) else None
    if after is not None and after.text in ("^", "_", "}", "/", "·"):
        return None  # a part of a longer unit
    if (
        after is not None
        and not after.space
        and after.kind in ("run", "num", "cjk", "sym")
        and found[0].kind != "cjk"
    ):
        return None
    return canonical(found[: reading.end], "")


# --- what a question asks for

_BLANK = re.compile(r"_{2,}|(?:\\_){2,}|□|\(\s{0,6}\)|（\s{0,6}）|＿+|▲")
_STATED = re.compile(r"(?:unit|单位)\s{0,2}[:：]?\s{0,2}")
_IN = re.compile(r"(?<![A-Za-z])(?:in|how many|how much)\s|(?:多少|几)(?=[\u4e00-\u9fff])")
_ONE_LETTER = re.compile(r"[$ ]{0,3}[A-Za-z](?![A-Za-z])[$ ]{0,3}(?![.,;?)。，；？]|$)")
_END = re.compile(r"(?:\bis|=|\bare|为|是|to|about|of|approximately|约)\s{0,3}$")


@lru_cache(maxsize=1024)
def blanks_in(question: str) -> tuple[Unit | None, ...]:
    """For each printed blank of a question, the unit that stands behind it."""
    if len(question) > 20_000:
        return ()
    return tuple(_unit_of(question[match.end() :]) for match in _BLANK.finditer(question))


@lru_cache(maxsize=1024)
def asked_units(question: str) -> tuple[Unit, ...]:
    """The units that a question asks its answer in: behind blanks, "in cm", "(unit: cm)", 多少米, or at its very end ("is cm.")."""
    if not question or len(question) > 20_000:
        return ()
    found: list[Unit | None] = list(blanks_in(question))
    for match in _STATED.finditer(question):
        found.append(_unit_of(question[match.end() :]))
    for match in _IN.finditer(question):
        behind = question[match.end() : match.end() + 48]
        # "in m." and "in $N$ trials": one letter is a unit only where the sentence ends with it.
        if not _ONE_LETTER.match(behind):
            found.append(_unit_of(behind))
    # A question whose blank got lost ends in "… is cm."
    tail = question.rstrip(" .。?？\n$}")
    for width in range(1, 13):
        head = tail[:-width]
        if _END.search(head.rstrip(" $\\{")):
            last = tokens(clean(question[len(head) :].replace("$", "")))
            reading = read_unit(last, 0) if last else None
            if reading is not None and last is not None and reading.end == len(last):
                found.append(reading.unit)
                break
    return tuple(dict.fromkeys(unit for unit in found if unit is not None))


def _unit_of(text: str) -> Unit | None:
    written = unit_at_start(text)
    if written is None or written == "%":
        return None
    found = tokens(clean(written))
    reading = None if found is None else read_unit(found, 0)
    return None if reading is None else reading.unit


@lru_cache(maxsize=1024)
def has_variable(question: str, letter: str) -> bool:
    """Whether a question uses a letter as a variable: alone between dollar signs, beside a sign of operation, or "in terms of m"."""
    if not question or len(letter) != 1 or not letter.isalpha():
        return False
    pattern = (
        rf"[$(=+\-*/^,<>|]\s?{letter}\s?[$)=+\-*/^,<>|_]|(?:用|含|关于|常数|实数|整数)\s?\$?\s?{letter}(?![A-Za-z])"
        rf"|[\u4e00-\u9fff](?<![每位])\s?{letter}(?![A-Za-z/²³^(（])"
        rf"|(?:mass|speed|velocity|acceleration|radius|length|time|charge|force|current|voltage|amplitude|height|period)\s(?:is\s|of\s)?{letter}(?![A-Za-z])"
        rf"|(?:terms of|value of|variable|integer|number|constant|parameter)\s\$*{letter}(?![A-Za-z])"
    )
    return re.search(pattern, question[:20_000]) is not None
