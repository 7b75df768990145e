"""What a run will take, told before it is paid for: calls, tokens, money and time, from ten problems evenly drawn.

Tokens are estimated from the text, since the tokenizers of remote models are not at hand: 0.75 for a Chinese character and 0.28
for any other, within about 20% of the usual tokenizers on school problems. An image is taken for the tokens of its 28 × 28 patches.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from PIL import Image as Pillow

from eduflow.engine import Endpoint
from eduflow.errors import InputError
from eduflow.evaluation.figures import caption_calls
from eduflow.problem import ImageRef, Mode, Problem
from eduflow.solve import ImageInput, SolveOptions, few_shot, max_tokens, problem_text

PATCH = 28
TOKENS_OF_AN_UNSEEN_IMAGE = 1300
TEMPLATE_TOKENS = 90
# New tokens of a usual reply; the bound of a run is its max_tokens.
USUAL_REPLY: dict[str, int] = {"direct": 40, "cot": 500}
TOKENS_PER_SECOND = 40.0


def text_tokens(text: str) -> int:
    """About how many tokens a text has."""
    wide = sum("\u2e80" <= char <= "\uffef" for char in text)
    return round(0.75 * wide + 0.28 * (len(text) - wide))


def prompt_tokens(problem: Problem, shown: ImageInput) -> int:
    """About how many tokens the problem's prompt has, without opening its images."""
    tokens = (
        text_tokens(problem_text(problem, shown if problem.images else "text", problem.captions))
        + TEMPLATE_TOKENS
    )
    return tokens + (TOKENS_OF_AN_UNSEEN_IMAGE * len(problem.images) if shown == "images" else 0)


def image_tokens(ref: ImageRef) -> int:
    """About how many tokens the image takes; that of an unseen one where it can't be opened."""
    try:
        with Pillow.open(io.BytesIO(ref.read())) as picture:
            return -(-picture.width // PATCH) * -(-picture.height // PATCH)
    except (InputError, OSError, ValueError, SyntaxError, Pillow.DecompressionBombError):
        return TOKENS_OF_AN_UNSEEN_IMAGE


@dataclass(frozen=True, slots=True)
class Estimate:
    """A dry run's figures.

    `calls` are the solver's and the captioner's; `judge_calls` the most that the judge can be asked. `new_tokens` are those of usual
    replies, `most_new_tokens` the bound. `cost` and `most_cost` are None without prices. `minutes` assumes
    `TOKENS_PER_SECOND` in each of the endpoint's slots.
    """

    problems: int
    calls: int
    judge_calls: int
    prompt_tokens: int
    new_tokens: int
    most_new_tokens: int
    cost: float | None
    most_cost: float | None
    currency: str
    minutes: float
    drawn: int

    def to_json(self) -> dict[str, Any]:
        return {"schema_version": 1, **asdict(self)}


def estimate(
    drawn: Sequence[Problem],
    problems: int,
    solver: Endpoint,
    *,
    modes: Sequence[Mode],
    samples: int,
    shown: ImageInput,
    options: SolveOptions,
    judge_calls_each: int = 0,
) -> Estimate:
    """Scale what the drawn problems take up to the whole set.

    Args:
        drawn: problems evenly drawn from the set, at least one.
        judge_calls_each: most calls of the judge for one answer.
    """
    records = problems * len(modes) * samples
    each_prompt = sum(_tokens(problem, mode, shown, options) for problem in drawn for mode in modes)
    prompt = round(each_prompt / len(drawn) * problems * samples)
    bound = max_tokens(solver, options)
    usual = problems * samples * sum(min(bound, USUAL_REPLY[mode]) for mode in modes)
    most = records * bound
    captions = round(sum(caption_calls(problem, shown) for problem in drawn) / len(drawn) * problems)
    seconds = usual / TOKENS_PER_SECOND / max(1, solver.limits.concurrency)
    return Estimate(
        problems=problems,
        calls=records + captions,
        judge_calls=records * judge_calls_each,
        prompt_tokens=prompt,
        new_tokens=usual,
        most_new_tokens=most,
        cost=_money(solver, prompt, usual),
        most_cost=_money(solver, prompt, most),
        currency=solver.currency,
        minutes=seconds / 60,
        drawn=len(drawn),
    )


def _tokens(problem: Problem, mode: Mode, shown: ImageInput, options: SolveOptions) -> int:
    tokens = prompt_tokens(problem, "text" if shown == "images" else shown)
    if shown == "images":
        tokens += sum(image_tokens(ref) for ref in problem.images)
    for message in few_shot(options.prompts, problem, mode, options.few_shot):
        tokens += sum(text_tokens(part) for part in message.content if isinstance(part, str))
    return tokens


def _money(solver: Endpoint, prompt: int, new: int) -> float | None:
    if solver.price_prompt is None and solver.price_completion is None:
        return None
    return (prompt * (solver.price_prompt or 0.0) + new * (solver.price_completion or 0.0)) / 1e6
