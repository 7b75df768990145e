"""A dry run's figures follow from the drawn problems, and say which are bounds."""

from __future__ import annotations

import pytest

from eduflow.engine import Endpoint, Limits
from eduflow.evaluation.estimate import estimate, image_tokens, prompt_tokens, text_tokens
from eduflow.problem import ImageRef
from eduflow.solve import SolveOptions
from tests.support.problems import make_problem, png


def test_chinese_takes_more_tokens_a_character_than_english() -> None:
    assert text_tokens("一二三四") == 3
    assert text_tokens("abcd" * 100) == 112
    assert text_tokens("") == 0


def test_an_images_tokens_are_its_patches() -> None:
    assert image_tokens(ImageRef(data=png(size=(280, 57)))) == 10 * 3
    assert image_tokens(ImageRef(data=b"broken")) == image_tokens(ImageRef(path="nowhere.png")) > 0
    problem = make_problem(images=[ImageRef(data=png())])
    assert prompt_tokens(problem, "images") > prompt_tokens(problem, "dropped") + 1000


def test_the_drawn_problems_are_scaled_up() -> None:
    solver = Endpoint("e", "m", price_prompt=1.0, price_completion=2.0, limits=Limits(concurrency=10))
    drawn = [make_problem(id=f"p{number}") for number in range(10)]
    options = SolveOptions(temperature=0.8, max_tokens=300)
    found = estimate(
        drawn,
        1000,
        solver,
        modes=("direct", "cot"),
        samples=2,
        shown="text",
        options=options,
        judge_calls_each=2,
    )
    each = prompt_tokens(drawn[0], "text")
    assert found.calls == 4000
    assert found.judge_calls == 8000
    assert found.prompt_tokens == 4000 * each
    assert found.new_tokens == 2000 * (40 + 300)
    assert found.most_new_tokens == 4000 * 300
    assert found.cost == pytest.approx((found.prompt_tokens + 2 * found.new_tokens) / 1e6)
    assert found.cost is not None
    assert found.most_cost is not None
    assert found.cost < found.most_cost
    assert found.minutes == pytest.approx(found.new_tokens / 40 / 10 / 60)


def test_without_prices_there_is_no_cost() -> None:
    found = estimate(
        [make_problem()],
        1,
        Endpoint("e", "m"),
        modes=("cot",),
        samples=1,
        shown="text",
        options=SolveOptions(),
    )
    assert found.cost is None
    assert found.to_json()["cost"] is None
