"""The judge: a language model asked about the blanks that the comparators could not accept.

It is asked in one of two ways. `verify` shows the question, the golds and the extracted answers. `extract` shows the
question, the golds, the reference solution and the whole reply, and the judge first takes the answer out of the reply. The preset
`k12vista` asks in the second way and reads K12Vista's own reply format (arXiv 2506.01676, its direct judge), with our wording.

What a model wrote is capped, neutralised and fenced (see `fence.py`); what the judge wrote is read by `judge_reply.py`. The
judge never says a score: it says right or wrong for each blank, and the code averages.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from eduflow.engine.calls import Message, Reply, Request
from eduflow.engine.endpoints import Endpoint
from eduflow.errors import ConfigError
from eduflow.grade.extract import strip_thinking
from eduflow.grade.fence import Fence, cap, neutralise
from eduflow.grade.judge_reply import Verdict, read_evaluation, read_json
from eduflow.problem import Language, Problem
from eduflow.prompts import Prompts

Preset = Literal["eduflow", "k12vista"]

# Most characters of each part that a judge is shown.
ANSWER_LIMIT = 1_000
REPLY_LIMIT = 8_000
QUESTION_LIMIT = 8_000
GOLD_LIMIT = 2_000
SOLUTION_LIMIT = 4_000
# Of its own unreadable reply, when it is reminded of the format.
ECHO_LIMIT = 2_000


class Caller(Protocol):
    """Who makes the calls: the engine, or anything else with its `call`."""

    async def call(self, request: Request) -> Reply:
        """The reply to one request; failures are outcomes of the reply, never exceptions."""
        ...


@dataclass(frozen=True, slots=True)
class Case:
    """What a judge is asked about one solution.

    Args:
        problem: the question, its golds and its reference solution.
        asked: the numbers of the blanks to judge, from 1, in order.
        answers: for `verify`, the extracted answer of each of the problem's blanks; None where there is none.
        reply: for `extract`, the reply without its thinking; None asks in the way of `verify`.
    """

    problem: Problem
    asked: tuple[int, ...]
    answers: tuple[str | None, ...] = ()
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """What came of asking.

    `verdicts` has every asked number where `status` is "ruled" and is empty otherwise. `calls` are the journal keys, in
    order. `note` says what went wrong, or that the two orders disagreed.
    """

    status: Literal["ruled", "failed", "unparsed"]
    verdicts: Mapping[int, Verdict] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    note: str = ""
    disagreed: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Judge:
    """A judge and how it is asked.

    Args:
        endpoint: the model.
        preset: "eduflow", or "k12vista" for its way of asking and its reply format.
        swap: ask about every rescue a second time with the two sides in the other order, and rescue only where both say so.
        json_schema: send `response_format` with a JSON schema, for endpoints that support it. Not with "k12vista".
        language: of the prompt; None for the problem's.
        retries: how often an unreadable or cut-off reply is answered with a reminder.
        seed: the run's seed, which the fences depend on.
        max_tokens: of a reply.
        params: further fields of the request body; they win over the temperature of 0.
        prompts: the templates `judge_*`.

    Raises:
        ConfigError: `json_schema` with the preset "k12vista", or negative `retries`.
    """

    endpoint: Endpoint
    preset: Preset = "eduflow"
    swap: bool = False
    json_schema: bool = False
    language: Language | None = None
    retries: int = 1
    seed: int = 0
    max_tokens: int = 2048
    params: Mapping[str, Any] = field(default_factory=dict)
    prompts: Prompts = field(default_factory=Prompts)

    def __post_init__(self) -> None:
        if self.preset not in ("eduflow", "k12vista"):
            raise ConfigError(f"unknown judge preset {self.preset!r}; known: eduflow, k12vista")
        if self.json_schema and self.preset == "k12vista":
            raise ConfigError(
                "the judge preset 'k12vista' has a reply format of its own; leave out json_schema"
            )
        if self.retries < 0:
            raise ConfigError(f"a judge cannot be asked again {self.retries} times")

    def config(self) -> dict[str, Any]:
        """Everything that a verdict depends on, for the run's configuration: settings and the templates' sha256."""
        languages = ("zh", "en") if self.language is None else (self.language,)
        names = sorted({*_TEMPLATES[self.preset], *_SIDES})
        texts = "\0".join(self.prompts.template(name, language) for language in languages for name in names)
        return {
            "judge": self.endpoint.identity,
            "preset": self.preset,
            "swap": self.swap,
            "json_schema": self.json_schema,
            "language": self.language,
            "retries": self.retries,
            "max_tokens": self.max_tokens,
            "params": dict(self.params),
            "prompts": hashlib.sha256(texts.encode()).hexdigest(),
        }

    async def rule(self, caller: Caller, case: Case) -> Ruling:
        """Ask about the blanks of `case`.

        A failed, filtered or rejected call is "failed"; a reply that stays unreadable or cut off after its reminders is "unparsed".
        """
        first = await self._ask(caller, case, swapped=False)
        rescued = tuple(number for number in case.asked if first.verdicts and first.verdicts[number].right)
        if not self.swap or not rescued:
            return first
        second = await self._ask(caller, replace(case, asked=rescued), swapped=True)
        calls = first.calls + second.calls
        if second.status != "ruled":
            return replace(second, calls=calls)
        disagreed = frozenset(number for number in rescued if not second.verdicts[number].right)
        verdicts = {
            number: replace(verdict, right=verdict.right and number not in disagreed)
            for number, verdict in first.verdicts.items()
        }
        note = "the two orders disagreed" if disagreed else ""
        return Ruling("ruled", verdicts, calls, note, disagreed)

    async def _ask(self, caller: Caller, case: Case, *, swapped: bool) -> Ruling:
        language = self.language or case.problem.language
        messages: tuple[Message, ...] = (Message.user(self._prompt(case, language, swapped=swapped)),)
        params = {"temperature": 0, "max_tokens": self.max_tokens, **self._format(case), **self.params}
        calls: list[str] = []
        for _ in range(1 + self.retries):
            reply = await caller.call(Request(self.endpoint, messages, params, tag="judge"))
            calls.append(reply.key)
            if reply.outcome == "ok":
                verdicts = self._read(reply.text, case)
                if verdicts is not None:
                    return Ruling("ruled", verdicts, tuple(calls))
            elif reply.outcome != "truncated":
                return Ruling("failed", {}, tuple(calls), f"judge {reply.outcome}")
            said = cap(strip_thinking(reply.text) or "", ECHO_LIMIT).strip() or "(empty)"
            reminder = self.prompts.render(
                "judge_remind_k12vista" if self.preset == "k12vista" else "judge_remind",
                language,
                self._form(case, language),
            )
            messages = (*messages, Message.assistant(said), Message.user(reminder))
        return Ruling("unparsed", {}, tuple(calls), f"judge unreadable after {1 + self.retries} replies")

    def _read(self, text: str, case: Case) -> dict[int, Verdict] | None:
        spoken = strip_thinking(text)
        if spoken is None:
            return None
        if self.preset == "k12vista":
            # Its lists always hold every blank; only the asked ones are used.
            verdicts = read_evaluation(spoken, len(case.problem.answers))
            return None if verdicts is None else {number: verdicts[number] for number in case.asked}
        return read_json(spoken, case.asked)

    def _format(self, case: Case) -> dict[str, Any]:
        if not self.json_schema:
            return {}
        return {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "verdicts", "strict": True, "schema": schema(case)},
            }
        }

    def _form(self, case: Case, language: Language) -> dict[str, str]:
        """What the templates say about the form of the reply. The example can never be read as a verdict."""
        blanks = range(1, len(case.problem.answers) + 1)
        if self.preset == "k12vista":
            words = ("参考答案", "学生答案") if language == "zh" else ("reference ", "answer ")
            lists = [", ".join(f'"{word}{number}"' for number in blanks) for word in words]
            marks = ", ".join("0/1" for _ in blanks)
            example = f"<evaluation>[[{lists[0]}], [{lists[1]}], [{marks}]]</evaluation>"
        else:
            answer = "" if case.reply is None else ' "answer": "...",'
            rows = [f'{{"blank": {number},{answer} "verdict": "..."}}' for number in case.asked]
            example = '{"verdicts": [' + ", ".join(rows) + "]}"
        return {
            "example": example,
            "asked": ", ".join(str(number) for number in case.asked),
            "count": str(len(case.asked)),
            "blanks": str(len(blanks)),
        }

    def _prompt(self, case: Case, language: Language, *, swapped: bool) -> str:
        problem = case.problem
        question = cap(asked_question(problem), QUESTION_LIMIT)
        golds = [cap(gold, GOLD_LIMIT) for gold in problem.answers]
        solution = cap("\n".join(problem.solution), SOLUTION_LIMIT)
        given = [
            "" if answer is None else neutralise(cap(answer.strip(), ANSWER_LIMIT)) for answer in case.answers
        ]
        # Answers stand at the end of a reply more often than at its start.
        reply = "" if case.reply is None else neutralise(cap(case.reply.strip(), REPLY_LIMIT, tail=0.75))
        fence = Fence(self.seed, [question, *golds, solution, *given, reply])

        def part(name: str, text: str, number: int = 0) -> str:
            values = {"number": str(number), "text": fence.around(text)}
            return self.prompts.render(f"judge_{name}", language, values)

        shown = range(1, len(golds) + 1) if self.preset == "k12vista" else case.asked
        if case.reply is None and self.preset != "k12vista":
            sides = []
            for number in shown:
                pair = [part("gold", golds[number - 1], number), part("answer", given[number - 1], number)]
                sides.append("\n".join(reversed(pair) if swapped else pair))
        else:
            references = [part("gold", golds[number - 1], number) for number in shown]
            if solution:
                references.append(part("solution", solution))
            sides = ["\n".join(references), part("reply", reply)]
            if swapped:
                sides.reverse()
        values = {
            "question": fence.around(question),
            "sides": "\n\n".join(sides),
            "mark": fence.mark,
            **self._form(case, language),
        }
        if self.preset == "k12vista":
            name = "judge_k12vista"
        else:
            name = "judge_verify" if case.reply is None else "judge_extract"
        return self.prompts.render(name, language, values)


_SIDES = ("judge_gold", "judge_answer", "judge_solution", "judge_reply")
_TEMPLATES: Mapping[Preset, tuple[str, ...]] = {
    "eduflow": ("judge_verify", "judge_extract", "judge_remind"),
    "k12vista": ("judge_k12vista", "judge_remind_k12vista"),
}


def asked_question(problem: Problem) -> str:
    """The question with its options, where they stand in a field of their own."""
    options = "\n".join(f"{option.key}. {option.text}" for option in problem.options)
    return f"{problem.question}\n{options}" if options else problem.question


def schema(case: Case) -> dict[str, Any]:
    """The JSON schema of the reply to `case`: one entry for each asked blank."""
    properties: dict[str, Any] = {
        "blank": {"type": "integer", "enum": list(case.asked)},
        "verdict": {"type": "string", "enum": ["right", "wrong"]},
    }
    if case.reply is not None:
        properties = {
            "blank": properties["blank"],
            "answer": {"type": "string"},
            "verdict": properties["verdict"],
        }
    row = {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
    count = len(case.asked)
    return {
        "type": "object",
        "properties": {"verdicts": {"type": "array", "items": row, "minItems": count, "maxItems": count}},
        "required": ["verdicts"],
        "additionalProperties": False,
    }
