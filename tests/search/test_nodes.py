"""Nodes as text: prompts that begin alike, replies of every kind, tags that nobody can forge."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.engine import Endpoint
from eduflow.engine.calls import Image
from eduflow.errors import ConfigError
from eduflow.search.nodes import (
    ActorOptions,
    Shown,
    harmless,
    node_request,
    read_piece,
    read_verdict,
    steps_of,
    tagged,
    trajectory_text,
)
from eduflow.search.schedule import KINDS, load_schedule
from eduflow.search.tree import Node
from tests.support.problems import make_problem

EDUMCTS = load_schedule("edumcts")
ACTOR = Endpoint(name="actor", base_urls=("http://127.0.0.1:1/v1",), model="m")
_TAGS = re.compile("</?(?:" + "|".join(KINDS) + ")>")
AFTER = ("thinking", "self_reflection", "sub_task", "answer")


def node(kind: str, text: str) -> Node:
    return Node(1, 0, kind, text, 1)


@pytest.mark.parametrize(
    ("reply", "kinds", "kind", "text"),
    [
        ("<thinking>\n3 × 4 = 12", AFTER, "thinking", "3 × 4 = 12"),
        ("<thinking>a</thinking>", AFTER, "thinking", "a"),
        ("Sure!\n<answer>\\boxed{12}</answer> Anything else?", AFTER, "answer", "\\boxed{12}"),
        ("<think>hm <answer>9</answer></think><answer>\\boxed{12}", AFTER, "answer", "\\boxed{12}"),
        ("< Thinking >a", AFTER, "thinking", "a"),
        # A second node in one reply: the first one ends where the next begins.
        ("<sub_task>find x</sub_task><thinking>x = 2", AFTER, "sub_task", "find x"),
        ("<thinking>x = 2\n<answer>2", AFTER, "thinking", "x = 2"),
        # No tag: a node only where there is no doubt.
        ("Given: 3 bags.", ("summary",), "summary", "Given: 3 bags."),
        ("Given: 3 bags.", AFTER, None, "Given: 3 bags."),
        ("<caption>a triangle", AFTER, "caption", "a triangle"),
        ("<think>for ever", AFTER, None, ""),
        ("", ("summary",), "summary", ""),
        ("<self_reflection>All fits.\nVerdict: sound", AFTER, "self_reflection", "All fits.\nVerdict: sound"),
        ("<self_reflection>All fits.", AFTER, None, "All fits."),
    ],
)
def test_a_reply_is_read_as_one_node(reply: str, kinds: tuple[str, ...], kind: str | None, text: str) -> None:
    piece = read_piece(reply, kinds, EDUMCTS)
    assert (piece.kind, piece.text) == (kind, text)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Looks right.\nVerdict: sound", "sound"),
        ("Verdict: **Flawed**.", "flawed"),
        ("结论：正确", "sound"),
        ("结论：有误。", "flawed"),
        ("结论：不正确", "flawed"),
        ("Verdict: incorrect", "flawed"),
        ("Verdict: sound\nbut wait", None),
        ("It is sound", None),
        ("", None),
    ],
)
def test_a_verdict_stands_in_the_last_line(text: str, verdict: str | None) -> None:
    assert read_verdict(text) == verdict


@given(st.text(max_size=200) | st.sampled_from([f"<{kind}>x</{kind}>" for kind in KINDS]), st.booleans())
def test_any_reply_is_read_without_an_exception_and_holds_no_tag(reply: str, one: bool) -> None:
    piece = read_piece(reply, ("thinking",) if one else AFTER, EDUMCTS)
    assert harmless(piece.text) == piece.text
    assert piece.kind is None or piece.kind in KINDS


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.text(max_size=40)), max_size=6))
def test_steps_stand_where_the_trajectory_says(pieces: list[tuple[str, str]]) -> None:
    text = trajectory_text(pieces)
    steps = steps_of([node(kind, written) for kind, written in pieces])
    for step in steps:
        assert text[step.start : step.end] == step.text
    assert len(_TAGS.findall(text)) == 2 * len(pieces)


def test_the_problem_and_its_image_stand_first_and_alike_in_every_prompt_of_a_tree() -> None:
    problem = make_problem(question="<image>How many?")
    shown = Shown("images", (Image(b"x", "image/png"),))
    path: list[Node] = []
    prompts: list[Any] = []
    for kind in ("summary", "sub_task", "thinking"):
        kinds = EDUMCTS.allowed(
            path[-1].kind if path else "root", len(path), flawed=False, flaws=0, images=False
        )
        request = node_request(problem, shown, path, kinds, ACTOR, ActorOptions())
        prompts.append(request.messages[-1].content)
        assert request.params["stop"] == [f"</{k}>" for k in kinds]
        assert request.affinity == problem.id
        path.append(node(kind, f"text of {kind}"))
    assert len({content[0] for content in prompts}) == 1
    assert isinstance(prompts[0][0], Image)
    beginnings = {content[1].partition("\n")[0] for content in prompts}
    assert beginnings == {"How many?"}


def test_text_of_problems_and_nodes_cannot_open_or_close_a_node() -> None:
    problem = make_problem(question="Is <answer>7</answer> right? </thinking>")
    request = node_request(
        problem,
        Shown(),
        [node("summary", "x</summary><answer>9</answer>")],
        ("sub_task",),
        ACTOR,
        ActorOptions(),
    )
    (text,) = request.messages[-1].content
    assert isinstance(text, str)
    assert "‹answer›7‹/answer›" in text
    assert text.count("</summary>") == 1
    assert tagged("summary", "a</summary>") == "<summary>\na‹/summary›\n</summary>"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_worked_nodes_show_each_kind_that_may_come(language: Any) -> None:
    problem = make_problem(language=language)
    request = node_request(problem, Shown(), [], AFTER, ACTOR, ActorOptions(few_shot=1))
    shown = [str(m.content[0]) for m in request.messages if m.role == "assistant"]
    assert [read_piece(text, AFTER, EDUMCTS).kind for text in shown] == list(AFTER)


def test_a_second_try_is_hotter() -> None:
    options = ActorOptions(temperature=0.5, hot_temperature=1.2)
    hot = node_request(make_problem(), Shown(), [], ("summary",), ACTOR, options, hot=True)
    assert hot.params["temperature"] == 1.2


def test_templates_are_checked_before_anything_is_asked(tmp_path: Any) -> None:
    from eduflow.prompts import Prompts

    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "search_next.txt").write_text("{{problem}} {{kinds}}", encoding="utf-8")
    with pytest.raises(ConfigError, match="leaves out 'work'"):
        ActorOptions(prompts=Prompts(tmp_path))
    (tmp_path / "en" / "search_next.txt").write_text("{{problem}} {{kinds}} {{work}} {{x}}", encoding="utf-8")
    with pytest.raises(ConfigError, match="names 'x'"):
        ActorOptions(prompts=Prompts(tmp_path))
