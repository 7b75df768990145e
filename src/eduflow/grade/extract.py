r"""The final answer in a model's output, found by what the model marked as such; never a number picked out of prose.

In this order: what follows the last closed thinking; in it the last `<answer>` tag; else the brace-matched `\boxed{}`; else the
last explicit cue ("the answer is", 答案, 故选, 【答案】 …); else the whole text where it is one short line and therefore the answer itself.
An answer that is taken back afterwards, boxes that compete for one blank, a box that never closes or that is part of a larger
formula (`-\boxed{3}`) are no answer yet. Every pattern here is searched in linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from eduflow.grade.normalise import clean, tokens
from eduflow.grade.numbers import read_quantity
from eduflow.grade.units import unit_at_start

# An answer is shorter than this; what is longer is a text about it.
MAX_ANSWER = 1_500
MAX_OUTPUT = 2_000_000


@dataclass(frozen=True, slots=True)
class Extraction:
    """The final answers of one output.

    `answers` holds one string per box, tag or cue, () where there is none and `reason` says why. `source` says what marked them:
    "final" is the whole text of a short output. `rivals` keeps the boxes that competed for one blank, for a gold that turns out to hold
    several values.
    """

    answers: tuple[str, ...]
    source: str
    reason: str = ""
    rivals: tuple[str, ...] = ()


_THINKING = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>|◁(/?)think▷|\[(/?)THINK\]", re.IGNORECASE)


def strip_thinking(output: str) -> str | None:
    """What the output says after its thinking; None where the thinking never ends, which is a truncated output."""
    end = 0
    is_open = False
    for match in _THINKING.finditer(output):
        if any(match.groups()):
            end, is_open = match.end(), False
        else:
            is_open = True
    return None if is_open else output[end:]


def extract(output: str, *, blanks: int = 1) -> Extraction:
    """The final answers in `output`, a whole model output, for a problem with `blanks` blanks."""
    if len(output) > MAX_OUTPUT:
        return _none("no_cue")
    text = strip_thinking(output)
    if text is None:
        return _none("unclosed_thinking")
    if not text.strip():
        return _none("empty")
    # Bold and code marks hide cues and boundaries; blanked out one for one, they keep every offset.
    scan = fold_one(text)
    found = _from_tag(text, scan, blanks) or _from_boxes(text, scan, blanks) or _from_cue(text, scan, blanks)
    if found is None:
        # Longer texts may complain and answer all the same.
        if len(scan) <= 300 and _REFUSAL.search(scan):
            return _none("refusal")
        found = _whole(text, blanks)
    return found


def _none(reason: str, rivals: tuple[str, ...] = ()) -> Extraction:
    return Extraction((), "none", reason, rivals)


_BLANKED = str.maketrans({"*": " ", "`": " ", "#": " ", "：": ":", "（": "(", "）": ")", "’": "'", "．": ".", "，": ",",
                          "\u00a0": " ", "\u3000": " ", "\t": " ", "\r": " ", "＜": "<", "＞": ">", "；": ";"})  # fmt: skip


def fold_one(text: str) -> str:
    """`text` for searching, of the same length: markdown marks blanked, the punctuation around cues in one form."""
    return text.translate(_BLANKED)


# --- boxes

_BOX = re.compile(r"\\(?:boxed|fbox)(?![A-Za-z])")
# Words by which a later box or cue replaces an earlier one, whatever else stands between …
_REVISED = re.compile(
    r"final|on reflection|correct(?:ed|ion|ing)?(?![A-Za-z])|actually|wait|(?<![A-Za-z])instead(?! of)|最终|更正|修正|应该是|应为|等等|不对",
    re.IGNORECASE,
)
# … and those that do where a line or a sentence stands between.
_CONCLUDED = re.compile(
    r"thus|therefore|hence|so the answer|in conclusion|(?<![A-Za-z])step|综上|因此|所以|故|步骤|第[一二三四五六七八九十\d]+步",
    re.IGNORECASE,
)
_HEDGE = re.compile(r"(?<![A-Za-z])(?:or|either)(?![A-Za-z])|或|\\lor|\\vee", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Box:
    start: int
    end: int
    content: str


def _boxes(text: str) -> tuple[list[_Box], bool]:
    """The outermost boxes, and whether the last one is left open."""
    found: list[_Box] = []
    at = 0
    while (match := _BOX.search(text, at)) is not None:
        i = match.end()
        while i < len(text) and text[i] in " \n":
            i += 1
        if i >= len(text) or text[i] != "{":
            return found, True
        depth, j = 0, i
        while j < len(text):
            character = text[j]
            if character == "\\":
                j += 2
                continue
            if character == "{":
                depth += 1
            elif character == "}":
                depth -= 1
                if depth == 0:
                    break
            j += 1
        if j >= len(text):
            return found, True
        found.append(_Box(match.start(), j + 1, text[i + 1 : j]))
        at = j + 1
    return found, False


# What makes a box a part of a larger formula: an operator before it, or an operator or another factor behind it.
_BEFORE = re.compile(
    r"(?:[-+−±×÷*/^_<>≤≥≠√∠]|\\(?:pm|mp|times|cdot|div|lt|gt|leq?|geq?|leqslant|geqslant|neq?|sqrt|[dt]?frac|angle|not|pi"
    r"|sin|cos|tan|cot|sec|csc|ln|lg|log|exp|arcsin|arccos|arctan)|\\[dt]?frac\{[^{}]{0,30}\})\s*[{(]?\s*$"
)
# Touching the box, a digit or a closing bracket is a factor; with a space between it may be a label.
_TOUCHING = re.compile(r"[\d)}|]$|\d $|(?<![A-Za-z\\])[A-Za-z]$")
_AFTER = re.compile(
    r"\s*(?:[-+−±×÷*/^_!<>≤≥≠√π:]|\\(?:pm|mp|times|cdot|div|lt|gt|leq?|geq?|leqslant|geqslant|neq?|sqrt|frac|dfrac|pi|sqrt|[dt]?frac|sin|cos|tan|ln|lg|log|vec|overline|%)|%)"
    r"|[\d(|]|[A-Za-zα-ωΩ](?![A-Za-z])|e\d|[万亿千百十倍]"
    r"|(?:\s|\\[,;: ]|\$|\\(?:text|mathrm)\{)*(?:thousand|million|billion|dozen|percent|times (?:as|the))(?![A-Za-z])"
)
# What goes on behind the box as a list: `\boxed{5}, 6`.
_GOES_ON = re.compile(r"[ $]{0,3}[,;、] ?[-+]?\$?\d+(?:\.\d+)?\s{0,3}[$.。]{0,2}\s{0,3}$")


_SIGNS = ("-", "+", "−", "±", "<", ">", "≤", "≥", "≠")


def _from_boxes(text: str, scan: str, blanks: int) -> Extraction | None:
    boxes, is_open = _boxes(text)
    if is_open:
        return _none("unclosed_box")
    if not boxes:
        return None
    ends = [0, *(box.end for box in boxes)]
    contents = [_with_unit(text, scan, box, end) for box, end in zip(boxes, ends, strict=False)]
    tail = scan[boxes[-1].end :]
    if _taken_back(tail):
        return _none("taken_back")
    keys = [None if content is None else _key(content) for content in contents]
    if blanks > 1 and len(boxes) > 1:
        return _boxes_for_blanks(text, boxes, contents, keys, blanks)
    last = contents[-1]
    if last is None:
        return _none("embedded_box")
    if any(key != keys[-1] for key in keys[:-1]):
        between = scan[boxes[-2].end : boxes[-1].start]
        whole = tuple(content for content in contents if content is not None)
        if _HEDGE.search(between) is not None:
            return _none("rival_boxes", (" or ".join(whole),) if len(whole) == len(boxes) else ())
        apart = "\n" in between or len(between) > 40
        if _REVISED.search(between) is None and not (apart and _CONCLUDED.search(between)):
            return _none("rival_boxes", _in_order(text, boxes, contents))
    before = scan[max(0, boxes[-1].start - 60) : boxes[-1].start]
    if _NEGATED.search(before):
        return _none("taken_back")
    if _HEDGE.match(tail.lstrip(" $\\)]}.,;")):
        return _none("rival_boxes")
    later = _last_cue(text, scan, boxes[-1].end, blanks)
    if later is not None and not _agrees(later.answers, last):
        return _none("taken_back")
    return Extraction((last,), "boxed") if last.strip() else _none("empty")


def _boxes_for_blanks(
    text: str, boxes: list[_Box], contents: list[str | None], keys: list[str | None], blanks: int
) -> Extraction:
    """Several boxes for several blanks: one each, in order or by the labels before them."""
    if len(boxes) > blanks:
        # A repeated box is one box; a summary box that repeats the others is the answer.
        distinct = list(dict.fromkeys(keys))
        if len(distinct) == blanks and all(key is not None for key in distinct):
            order = [keys.index(key) for key in distinct]
            return Extraction(tuple(contents[i] or "" for i in order), "boxed")
        return _none("rival_boxes", tuple(c for c in contents if c is not None))
    for first, second in pairwise(boxes):
        if _HEDGE.search(text[first.end : second.start]):
            return _none("rival_boxes", tuple(c for c in contents if c is not None))
    found = _in_order(text, boxes, contents)
    return Extraction(found, "boxed") if found else _none("embedded_box")


def _in_order(text: str, boxes: list[_Box], contents: list[str | None]) -> tuple[str, ...]:
    """The contents of several boxes, as one labelled text where each has a label before it; () where one is no answer."""
    whole = tuple(content for content in contents if content is not None)
    if len(whole) != len(boxes):
        return ()
    labels = [_label_before(text, box.start) for box in boxes]
    if all(label is not None for label in labels) and len(set(labels)) == len(labels):
        return (" ".join(f"({label}) {content}" for label, content in zip(labels, whole, strict=True)),)
    return whole


_LABEL_BEFORE = re.compile(r"(?:[(（]\s*(\d{1,2})\s*[)）]|([①-⑳]))[^\n(（①-⑳]{0,60}$")


def _label_before(text: str, at: int) -> int | None:
    match = _LABEL_BEFORE.search(text[max(0, at - 80) : at])
    if match is None:
        return None
    return int(match[1]) if match[1] else ord(match[2]) - ord("①") + 1


def _with_unit(text: str, scan: str, box: _Box, after_last: int) -> str | None:
    r"""The content of a box with the unit that stands right behind it; None where it is part of a larger formula.

    Only what stands behind the box before it, from `after_last` on, can make it one.
    """
    line = scan[max(after_last, box.start - 40) : box.start].rpartition("\n")[2]
    raw, bullet = line, line.strip() == "-" and line.endswith(" ")
    line = line.rstrip()
    opened = line.rstrip("$").removesuffix("\\(").removesuffix("\\[")
    if opened != line:
        # The box has its formula to itself; only a sign that touches the formula belongs to it.
        if opened.endswith(_SIGNS):
            return None
    elif not bullet and (_BEFORE.search(line) or _TOUCHING.search(raw)):
        return None
    after = scan[box.end : box.end + 60].partition("\n")[0]
    content = box.content
    closing = after.lstrip(" ")
    for mark in ("$$", "$", "\\)", "\\]"):
        if closing.startswith(mark):
            closing = closing[len(mark) :]
            break
    unit = unit_at_start(closing)
    if unit:
        inside = read_quantity(tokens(clean(content)) or ())
        return content if inside is not None and inside.unit is not None else f"{content} {unit}"
    if _AFTER.match(after) or _GOES_ON.match(after):
        return None
    return content


# --- tags

_TAG = re.compile(r"<(/?)answer>", re.IGNORECASE)


def _from_tag(text: str, scan: str, blanks: int) -> Extraction | None:
    opened = None
    content: tuple[int, int] | None = None
    for match in _TAG.finditer(scan):
        if not match[1]:
            opened = match.end()
        elif opened is not None:
            content = (opened, match.start())
            opened = None
    if opened is not None:
        return _none("unclosed_box")
    if content is None:
        return None
    inside = text[content[0] : content[1]]
    tail = scan[content[1] :]
    if _taken_back(tail):
        return _none("taken_back")
    boxes, is_open = _boxes(inside)
    if is_open:
        return _none("unclosed_box")
    if boxes:
        found = _from_boxes(inside, fold_one(inside), blanks)
        return found if found is None or found.source == "none" else Extraction(found.answers, "tag")
    cue = _last_cue(inside, fold_one(inside), 0, blanks)
    if cue is not None and cue.answers:
        return Extraction(cue.answers, "tag")
    outside, _ = _boxes(text[content[1] :])
    if outside and not _agrees((outside[-1].content,), inside):
        return _none("taken_back")
    if not inside.strip():
        return _none("empty")
    return Extraction((inside.strip(),), "tag")


# --- cues

_LETTER = r"(?=[\s:]*\(?[A-HＡ-Ｈ](?![A-Za-z]))"
_CUE = re.compile(
    r"(?P<en>(?<![A-Za-z])(?:final\s+answer|answer|correct\s+(?:option|choice))s?"
    r"(?:\s+(?:to|for)\s+(?:the|this)\s+(?:question|problem))?"
    r"(?:\s+(?:is|are|should\s+be|would\s+be|must\s+be|will\s+be)(?![A-Za-z']))?(?:\s+(?:therefore|thus|simply))?"
    r"(?P<colon>[ ]*[:=])?)"
    r"|(?P<pick>(?<![A-Za-z])(?:I\s+(?:choose|select|pick)|choose|select)(?:\s+option)?)" + _LETTER +
    r"|(?P<zh>答案(?P<link>[ ]*(?:应该是|应该为|应为|应是|就是|是|为|选择|选|】|\])?[ ]*:?))"
    r"|(?P<zhpick>(?<![不别没勿未可])选(?:择)?(?:是|为)?)" + _LETTER +
    r"|(?P<zhright>正确(?:的)?(?:选项|结论|命题|说法)?(?:是|为|:):?)" + _LETTER +
    r"|(?P<zhfill>(?:故填|应填|填写)[ ]*:?)",
    re.IGNORECASE,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Cue:
    start: int
    end: int
    answers: tuple[str, ...]


# Where the answer behind a cue ends within its line: a full stop, a reason, the end mark of GAOKAO-Bench.
_CUT = re.compile(
    r"<eoa>|</?[a-z]+>|。|\.(?=\s+[A-Z\\$])|\.\s*$|\s(?:because|since|where|which|as\s+shown)(?![A-Za-z])"
    r"|,\s*(?:so|because|since|which|therefore|所以|因此|因为|故|即|其中|理由)|因为|理由是|理由:"
)


def _from_cue(text: str, scan: str, blanks: int) -> Extraction | None:
    cue = _last_cue(text, scan, 0, blanks)
    if cue is None:
        return None
    if not cue.answers:
        return _none("no_cue")
    if _taken_back(scan[cue.end :]):
        return _none("taken_back")
    return Extraction(cue.answers, "cue")


# So many cues, from the last one back, are looked at, each with so much of the text behind it.
_CUES_TRIED = 60
_WINDOW = 2 * MAX_ANSWER


def _last_cue(text: str, scan: str, start: int, blanks: int) -> _Cue | None:
    """The last explicit cue from `start` on that is followed by something; with as many cues as blanks, all of them."""
    cues: list[_Cue] = []
    for match in reversed(list(_CUE.finditer(scan, start))[-_CUES_TRIED:]):
        if _is_cue(match, scan):
            content, end = _behind(text, scan, match.end())
            if content:
                cues.insert(0, _Cue(match.start(), end, (content,)))
        if len(cues) > max(2, blanks):
            break
    if not cues:
        return None
    last = cues[-1]
    if blanks > 1:
        if len(cues) == blanks:
            return _Cue(cues[0].start, last.end, tuple(cue.answers[0] for cue in cues))
        last = _with_lines(text, scan, last, blanks)
    elif len(cues) > 1 and not _FORMAL.match(scan, last.start):
        before = cues[-2]
        between = scan[before.end : last.start]
        if not _same_or_part(before.answers, last.answers) and _REVISED.search(between) is None:
            return _Cue(last.start, last.end, ())  # two answers, and no word which of them stands
    if _NEGATED.search(scan[max(0, last.start - 30) : last.start]):
        return _Cue(last.start, last.end, ())
    return last


def _is_cue(match: re.Match[str], scan: str) -> bool:
    """Whether a found phrase marks an answer, and is not the word 答案 or "answer" within a sentence."""
    if match["en"] is not None and match["colon"] is None:
        verb = match["en"].rstrip().lower().endswith(("is", "are", "be", "therefore", "thus", "simply"))
        return verb or _own_line(scan, match.start(), match.end())
    if match["zh"] is not None and not match["link"].strip():
        return (
            _own_line(scan, match.start(), match.end()) or _LETTER_NEXT.match(scan, match.end()) is not None
        )
    return True


_LETTER_NEXT = re.compile(r"[ ]{0,3}[A-H](?![A-Za-z])")


def _with_lines(text: str, scan: str, cue: _Cue, blanks: int) -> _Cue:
    """For several blanks: the cue's answer with the short lines behind it, where these end the output."""
    rest = scan[cue.end : cue.end + _WINDOW]
    lines = [line for line in rest.replace("<eoa>", " ").split("\n") if line.strip()]
    if len(rest) > 400 or len(lines) >= blanks:
        return cue
    content = cue.answers[0] + text[cue.end :].replace("<eoa>", " ")
    return _Cue(cue.start, len(scan), (content.strip(" :\n"),))


# Marks of a form that was asked for: what stands there is the answer, whatever the reasoning before it said.
_FORMAL = re.compile(r"final\s|最终|答案[ ]*[】\]:]|answer[ ]*:", re.IGNORECASE)


def _same_or_part(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether one of two cues repeats the other, or a part of it."""
    return _key(one[0]) == _key(two[0]) or _agrees(one, two[0]) or _agrees(two, one[0])


def _own_line(scan: str, start: int, end: int) -> bool:
    """Whether a phrase has its line to itself."""
    begin = scan.rfind("\n", max(0, start - 80), start) + 1
    stop = scan.find("\n", end, end + 80)
    if begin == 0 and start > 80:
        return False
    before, after = scan[begin:start], scan[end : stop if stop >= 0 else end + 80]
    return not before.strip(" .\\d)(") and not after.strip(" :")


def _behind(text: str, scan: str, at: int) -> tuple[str, int]:
    """What stands behind a cue, and where it ends: the rest of the line, or the next line where that is empty."""
    limit = min(len(scan), at + _WINDOW)
    line_end = _line_end(scan, at, limit)
    if scan[at:line_end].strip(" :.") in ("", "$$", "\\["):
        while at < limit and scan[at] in " :\n":
            at += 1
        if scan.startswith(("$$", "\\["), at):
            close = scan.find("$$" if scan[at] == "$" else "\\]", at + 2, limit)
            line_end = limit if close < 0 else close + 2
        else:
            line_end = _line_end(scan, at, limit)
    cut = _CUT.search(scan, at, line_end)
    while cut is not None and not scan[at : cut.start()].strip(" :。."):
        cut = _CUT.search(scan, cut.end(), line_end)
    end = line_end if cut is None else cut.start()
    content = text[at:end].strip(" :：")
    if content.count("**") % 2:  # the other half of a bold mark stands around the cue
        content = content.removeprefix("**").removesuffix("**").strip()
    return (content if len(content) <= MAX_ANSWER else ""), end


def _line_end(scan: str, at: int, limit: int) -> int:
    end = scan.find("\n", at, limit)
    return limit if end < 0 else end


# --- what makes it no answer

_TAKEN_BACK = re.compile(
    r"(?<![A-Za-z])(?:wait|hold on|oops|scratch that|on second thought|on reflection|correction|actually|mistake|mistaken"
    r"|(?:that|this|it)(?:'s| is| was) (?:wrong|incorrect|not (?:right|correct))|let me (?:re|correct|fix|try again)"
    r"|should (?:be|have been)|i was wrong|not sure|but no|hmm+|sorry|recomput(?:e|ing)|recalculat(?:e|ing)|(?:seems?|looks?) (?:off|wrong)"
    r"|(?:an?|my|arithmetic|sign|calculation) error)(?![A-Za-z])"
    r"|\A[\s$)\]}]{0,5}(?:is|was|are) (?:not|wrong|incorrect|false)(?![A-Za-z])|\A[\s$)\]}]{0,5}(?:isn't|wasn't|不是|并非|错)"
    r"|抱歉|对不起|搞错|弄错|等等|等一下|不对|错了|更正|修正|应该是|应为|应是|有误|重新(?:计算|考虑|分析|检查)|我错|算错|看错|或者",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?<![A-Za-z])(?:not|isn't|cannot be|never|n't|if (?:we|you|one|i)|(?:might|may|could|would) (?:have )?)\s*(?:\$|\\\(|the|:)?\s*$|(?:不能|不会|不应|不应该|不可|不要|若|如果|假如|假设|即使|容易误|错)\s*$|(?:instead of|rather than)\s*\$*$|不是\s*\$*$|并非\s*\$*$|而非\s*\$*$",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"(?<![A-Za-z])(?:sorry|unable to|can(?:not|'t| not))[ ,]{1,3}(?:but|I|see|view|access|provide|help|assist|answer"
    r"|solve|open|display|determine the answer)|as an AI|无法(?:回答|看到|查看|识别|显示|作答|提供)|不能回答|抱歉|对不起|没有(?:提供)?图片",
    re.IGNORECASE,
)


def _taken_back(tail: str) -> bool:
    return bool(_TAKEN_BACK.search(tail[:20_000]))


def _key(content: str) -> str:
    return "".join(clean(content).split())


def _agrees(answers: tuple[str, ...], boxed: str) -> bool:
    """Whether a later cue repeats the box: its tokens stand in the cue's, in a row."""
    if not answers:
        return False
    inner = tokens(clean(boxed))
    outer = tokens(clean(answers[-1]))
    if inner is None or outer is None:
        return False
    small, large = [t.text for t in inner], [t.text for t in outer]
    width = len(small)
    return width > 0 and any(large[i : i + width] == small for i in range(len(large) - width + 1))


# --- the whole text


def _whole(text: str, blanks: int) -> Extraction:
    """A short output without cue or box is the answer itself: one line, or one for each blank."""
    lines = [line for line in text.strip().split("\n") if line.strip()]
    if len(text.strip()) > 200 or len(lines) > max(1, blanks):
        return _none("no_cue")
    return Extraction((text.strip(),), "final")
