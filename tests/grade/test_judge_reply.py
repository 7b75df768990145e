"""Reading a judge's reply: exact about verdicts, and never an exception whatever a model writes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eduflow.grade.judge_reply import Verdict, parse_evaluation, read_evaluation, read_json

RIGHT = '{"verdicts": [{"blank": 1, "verdict": "right"}]}'
WRONG = '{"verdicts": [{"blank": 1, "verdict": "wrong"}]}'


def rights(found: dict[int, Verdict] | None) -> dict[int, bool] | None:
    return None if found is None else {number: verdict.right for number, verdict in found.items()}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RIGHT, True),
        (WRONG, False),
        ("The values agree.\n" + RIGHT, True),
        ("```json\n" + RIGHT + "\n```", True),
        (RIGHT + "\nI hope that helps {with} your $\\frac{1}{2}$.", True),
        ('{"verdicts": [{"blank": "1", "verdict": " Right "}]}', True),
        (
            '{"verdicts": [{"blank": 1, "reason": "0.5 = \\frac{1}{2} \\neq \\sqrt{2}", "verdict": "right"}]}',
            True,
        ),
        ('{"verdicts": [{"blank": 1, "reason": "two\nlines", "verdict": "wrong"}]}', False),
        # The last whole object counts.
        (RIGHT + WRONG, False),
        (WRONG + "\nOn reflection:\n" + RIGHT, True),
    ],
)
def test_one_verdict_is_read(text: str, expected: bool) -> None:
    assert rights(read_json(text, [1])) == {1: expected}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "right",
        "1",
        "The answer contains a 1.",
        "CORRECT",
        "INCORRECT",
        '{"verdict": "right"}',
        '{"verdicts": "right"}',
        '{"verdicts": []}',
        '{"verdicts": [1]}',
        '{"verdicts": [{"blank": 1, "verdict": 1}]}',
        '{"verdicts": [{"blank": 1, "verdict": true}]}',
        '{"verdicts": [{"blank": 1, "verdict": "INCORRECT"}]}',
        '{"verdicts": [{"blank": 1, "verdict": "not right"}]}',
        '{"verdicts": [{"blank": 1, "verdict": "right or wrong"}]}',
        '{"verdicts": [{"blank": 1, "verdict": "..."}]}',
        '{"verdicts": [{"blank": 1}]}',
        '{"verdicts": [{"blank": true, "verdict": "right"}]}',
        '{"verdicts": [{"blank": 1.0, "verdict": "right"}]}',
        '{"verdicts": [{"blank": 2, "verdict": "right"}]}',
        '{"verdicts": [{"verdict": "right"}]}',
        # One blank named twice, with the same word or not; one too many; one key twice.
        '{"verdicts": [{"blank": 1, "verdict": "right"}, {"blank": 1, "verdict": "right"}]}',
        '{"verdicts": [{"blank": 1, "verdict": "right"}, {"blank": 2, "verdict": "right"}]}',
        '{"verdicts": [{"blank": 1, "verdict": "wrong", "verdict": "right"}]}',
        # A whole object after it takes its place.
        RIGHT + " {}",
        RIGHT + ' {"score": 90}',
        RIGHT[:-1],
        "[[90]]",
    ],
)
def test_anything_else_is_unparsed(text: str) -> None:
    assert read_json(text, [1]) is None


def test_a_contradiction_hides_what_stood_before_and_inside_it() -> None:
    assert read_json(RIGHT + '{"a": 1, "a": 2, "b": ' + RIGHT + "}", [1]) is None


def test_the_asked_numbers_must_be_complete_in_any_order() -> None:
    text = (
        '{"verdicts": [{"blank": 4, "verdict": "wrong"}, {"blank": 2, "verdict": "right", "answer": "5 cm"}]}'
    )
    found = read_json(text, [2, 4])
    assert found is not None
    assert (found[2].right, found[2].answer, found[4].right) == (True, "5 cm", False)
    assert read_json(text, [2]) is None
    assert read_json(text, [2, 3]) is None
    assert read_json(text, [2, 4, 5]) is None


def test_the_answer_that_a_judge_names_can_be_kept_in_a_file() -> None:
    long = "x" * 5_000
    for said in ("\\ud800", long):
        found = read_json('{"verdicts": [{"blank": 1, "answer": "' + said + '", "verdict": "wrong"}]}', [1])
        assert found is not None
        assert found[1].answer is not None
        found[1].answer.encode()
        assert len(found[1].answer) < 1_100


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<evaluation>[["3", "5"], ["3", "6"], [1, 0]]</evaluation>', [True, False]),
        ("<evaluation>[['3', '5'], ['3', '6'], ['1', '0']]</evaluation>", [True, False]),
        ("核对如下。<evaluation>[[“3”，“5”]，[“3”，“6”]，[1，0]]</evaluation>", [True, False]),
        ("<evaluation>\n```python\n[[3, 5], [3, 6], [1, 0]]\n```\n</evaluation>", [True, False]),
        # Broken in the ways that models break it.
        ("<evaluation>[['f'(x)=2x', 'x≥1'], ['f'(x)=2x', ''], [1, 0]]", [True, False]),
        (
            r"<evaluation>[['\frac{1}{2}', 'it\'s'], [\frac{1}{2}, (1, 2)], [1, 0],]</evaluation>",
            [True, False],
        ),
        (
            "<evaluation>[[1],[1],[1]]</evaluation> again: <evaluation>[['a','b'],['a','b'],[0,0]]</evaluation>",
            [False, False],
        ),
    ],
)
def test_three_lists_are_read(text: str, expected: list[bool]) -> None:
    found = read_evaluation(text, 2)
    assert found is not None
    assert [found[1].right, found[2].right] == expected


@pytest.mark.parametrize(
    "lists",
    [
        "",
        "1, 0",
        "[1, 0]",
        "[[1, 0]]",
        "[['a', 'b'], [1, 0]]",
        "[['a', 'b'], ['a', 'b'], [1]]",
        "[['a', 'b'], ['a', 'b'], [1, 0, 1]]",
        "[['a'], ['a', 'b'], [1, 0]]",
        "[['a', 'b'], ['a'], [1, 0]]",
        "[['a', 'b'], ['a', 'b'], [1, 90]]",
        "[['a', 'b'], ['a', 'b'], [1, 0.5]]",
        "[['a', 'b'], ['a', 'b'], [1, True]]",
        "[['a', 'b'], ['a', 'b'], [1, [0]]]",
        "[['a', 'b'], ['a', 'b'], [1, 0]] or [['a', 'b'], ['a', 'b'], [1, 1]]",
        "[['a', 'b'], ['a', 'b'], [1, 0]",
        "__import__('os').system('true')",
    ],
)
def test_lists_that_do_not_close_are_unparsed(lists: str) -> None:
    assert read_evaluation(f"<evaluation>{lists}</evaluation>", 2) is None


def test_lists_without_their_tag_are_unparsed() -> None:
    assert read_evaluation("[['a'], ['a'], [1]]", 1) is None


# Texts made of the very pieces that the readers look for.
PIECES = st.sampled_from(
    ['{"verdicts": ', "[", "]", "{", "}", '"blank"', ": 1", ": 2", ", ", '"verdict"', ': "right"', ': "wrong"', '"', "'", "\\",
     "<evaluation>", "</evaluation>", "0", "1", "“", "，", "［", "\\u12", "\ud800", "\n", RIGHT, WRONG, "[['a'],['b'],[1]]",
     '{"blank": 1, "verdict": "right"}', '{"blank": 2, "verdict": "wrong"}']
)  # fmt: skip
BROKEN = st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join))


@given(BROKEN, st.sets(st.integers(1, 5), min_size=1, max_size=4))
def test_no_text_breaks_the_json_reader_or_gives_a_wrong_count(text: str, asked: set[int]) -> None:
    found = read_json(text, sorted(asked))
    assert found is None or set(found) == asked


@given(BROKEN, st.integers(1, 4))
def test_no_text_breaks_the_list_reader_or_gives_a_wrong_count(text: str, blanks: int) -> None:
    found = read_evaluation("<evaluation>" + text, blanks)
    assert found is None or sorted(found) == list(range(1, blanks + 1))


WORDS = st.lists(st.booleans(), min_size=1, max_size=6)
PROSE = st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs"]), max_size=60)


@given(WORDS, PROSE, PROSE, st.data())
def test_a_well_formed_reply_is_read_as_it_stands(
    words: list[bool], before: str, after: str, data: st.DataObject
) -> None:
    rows = [{"blank": i, "verdict": "right" if word else "wrong"} for i, word in enumerate(words, start=1)]
    shuffled = data.draw(st.permutations(rows))
    text = before + json.dumps({"verdicts": shuffled}) + after
    assert rights(read_json(text, range(1, len(words) + 1))) == dict(enumerate(words, start=1))
    # One entry fewer is no longer a verdict about these blanks.
    assert read_json(json.dumps({"verdicts": shuffled[1:]}), range(1, len(words) + 1)) is None


ENTRY = st.text(st.characters(exclude_characters='"\\<>', exclude_categories=["Cs", "Cc"]), max_size=12)


@given(st.lists(st.tuples(ENTRY, ENTRY, st.booleans()), min_size=1, max_size=5))
def test_well_formed_lists_are_read_as_they_stand(rows: list[tuple[str, str, bool]]) -> None:
    lists = [[row[0] for row in rows], [row[1] for row in rows], [int(row[2]) for row in rows]]
    found = parse_evaluation(f"<evaluation>{json.dumps(lists, ensure_ascii=False)}</evaluation>")
    assert found is not None
    assert (list(found.references), list(found.answers), [int(v) for v in found.verdicts]) == tuple(lists)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 100_000,
        '{"a":' * 50_000,
        '{"' * 50_000,
        "<evaluation>[" + "[" * 90_000,
        "<evaluation>[" + "'a," * 30_000,
    ],
)
def test_a_huge_broken_reply_is_answered(text: str) -> None:
    assert read_json(text, [1]) is None
    assert read_evaluation(text, 1) is None
