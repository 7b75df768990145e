"""Why a grade is what it is: what was extracted, how both sides are read, who compared them and what came out."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from eduflow.grade.chemistry import read_chemistry
from eduflow.grade.choice import pick, printed_options
from eduflow.grade.compare import several_values
from eduflow.grade.extract import Extraction, strip_thinking
from eduflow.grade.normalise import canonical, clean, tokens
from eduflow.grade.pairs import Pair, check_pair, given_answer, parse_pair
from eduflow.grade.question import asked
from eduflow.grade.settled import settled_by
from eduflow.grade.structure import Context, equal
from eduflow.grade.value import Limit, Undefined

# How `Extraction.source` and `Extraction.reason` read in a sentence; a word that is not here is shown as it is.
_SOURCES = {
    "boxed": "the last box",
    "tag": "the <answer> tag",
    "cue": "the last explicit cue",
    "final": "the text as a whole",
    "none": "nothing",
}


@dataclass(frozen=True, slots=True)
class BlankExplanation:
    """One blank: both sides as given and as read, and what came of comparing them.

    `gold_read` and `answer_read` are the normalised forms, `gold_kind` and `answer_kind` what each is read as, by the comparators' names. `verdict` is "right" or "miss"; `settled` says of a miss that no judge would
    be asked about it.
    """

    gold: str
    gold_read: str
    gold_kind: str
    answer: str | None
    answer_read: str | None
    answer_kind: str | None
    comparator: str
    verdict: str
    detail: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """A grade with its reasons.

    `form` is "final" or "output", `thinking` whether the output had any, `extracted` the final answers with their `source` and the
    `reason` where there is none. `score` is the share of right blanks, 0 to 1.
    """

    question: str
    type: str
    form: str
    thinking: bool
    source: str
    reason: str
    extracted: tuple[str, ...]
    blanks: tuple[BlankExplanation, ...]
    score: float

    def to_json(self) -> dict[str, Any]:
        """The explanation as JSON values."""
        return {"schema_version": 1, **asdict(self)}


def explain(
    gold: str | list[str],
    answer: str,
    question: str = "",
    type: str = "blank",
    form: str | None = None,
    subject: str | None = None,
) -> Explanation:
    """Explain the grade of one answer; no judge is asked.

    Args:
        gold: the gold, or one per blank; a string that is a JSON list of strings is read as such.
        answer: the answer, or a whole output.
        question: the question, where it matters.
        type: "choice", "blank", "free" or a common name of these.
        form: "final", "output", or None to tell them apart as `eduflow grade pairs` does.
        subject: the subject, where known.

    Raises:
        InputError: a value cannot be used, named by its field.
    """
    row = {
        "gold": _golds(gold),
        "answer": answer,
        "question": question,
        "type": type,
        "form": form,
        "subject": subject,
    }
    pair = parse_pair(row)
    return explain_pair(pair)


def explain_pair(pair: Pair) -> Explanation:
    """The same for a pair that is already parsed."""
    given = given_answer(pair)
    extraction = given if isinstance(given, Extraction) else Extraction(given, "final")
    matches = check_pair(pair)
    spoken = pair.answer if isinstance(pair.answer, str) else ""
    spoken = strip_thinking(spoken) or ""
    blanks = tuple(
        BlankExplanation(
            gold=gold,
            gold_read=_read(gold),
            gold_kind=kind_of(gold, pair),
            answer=match.extracted,
            answer_read=None if match.extracted is None else _read(match.extracted),
            answer_kind=None if match.extracted is None else kind_of(match.extracted, pair),
            comparator=match.comparator,
            verdict=match.verdict,
            detail=match.detail,
            settled=match.verdict == "miss" and settled_by(match, spoken) is not None,
        )
        for gold, match in zip(pair.golds, matches, strict=True)
    )
    output = isinstance(given, Extraction)
    return Explanation(
        question=pair.question,
        type=pair.type,
        form="output" if output else "final",
        thinking=output and isinstance(pair.answer, str) and strip_thinking(pair.answer) != pair.answer,
        source=extraction.source,
        reason=extraction.reason,
        extracted=extraction.answers,
        blanks=blanks,
        score=sum(match.verdict == "right" for match in matches) / len(matches),
    )


def _golds(gold: str | list[str]) -> str | list[str]:
    if isinstance(gold, str) and gold.lstrip().startswith("["):
        try:
            listed = json.loads(gold)
        except (ValueError, RecursionError):
            return gold
        if isinstance(listed, list) and listed and all(isinstance(entry, str) for entry in listed):
            return listed
    return gold


def _read(text: str) -> str:
    cleaned = clean(text)
    return canonical(tokens(cleaned), cleaned)


def kind_of(text: str, pair: Pair) -> str:
    """What one side alone is read as: the name of the comparator for its kind."""
    if pair.type == "choice" and pick(text, pair.options or printed_options(pair.question)) is not None:
        return "choice"
    cleaned = clean(text)
    found = tokens(cleaned)
    if not found:
        return "text"
    if read_chemistry(found, pair.subject) is not None:
        return "chemistry"
    wanted = asked(pair.question)
    if several_values(cleaned, wanted) is not None:
        return "list"
    try:
        # A text is what it is compared with itself as.
        return equal(found, found, Context(wanted, pair.question)).comparator
    except (Limit, Undefined):
        return "expression"


def rows_of(explanation: Explanation) -> list[tuple[str, str]]:
    """The explanation as rows of a name and a text, in the order in which grading goes."""
    rows = [("form", "a whole output" if explanation.form == "output" else "a final answer")]
    if explanation.form == "output":
        if explanation.thinking:
            rows.append(
                ("thinking", "left out" if explanation.reason != "unclosed_thinking" else "never ends")
            )
        rows.append(("taken from", _SOURCES.get(explanation.source, explanation.source)))
        if explanation.reason:
            rows.append(("because", explanation.reason.replace("_", " ")))
        rows += [("extracted", answer) for answer in explanation.extracted]
    for number, blank in enumerate(explanation.blanks, start=1):
        if len(explanation.blanks) > 1:
            rows.append(("", f"blank {number} of {len(explanation.blanks)}"))
        rows.append(("gold", blank.gold))
        rows.append(("  read as", f"{blank.gold_kind}: {blank.gold_read}"))
        rows.append(("answer", "(none)" if blank.answer is None else blank.answer))
        if blank.answer_read is not None:
            rows.append(("  read as", f"{blank.answer_kind}: {blank.answer_read}"))
        rows.append(("comparator", blank.comparator))
        verdict = blank.verdict
        if verdict == "miss":
            verdict += ", settled: no judge would be asked" if blank.settled else ": a judge would be asked"
        rows.append(("verdict", verdict))
        if blank.detail:
            rows.append(("  detail", blank.detail))
    if len(explanation.blanks) > 1:
        rows.append(("score", f"{explanation.score:.3f}"))
    return rows


def render(explanation: Explanation) -> None:
    """Print the explanation as a table on standard output."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in rows_of(explanation):
        # Text, because an answer such as [1, 2] is no markup.
        table.add_row(Text(name), Text(text))
    Console().print(table)
