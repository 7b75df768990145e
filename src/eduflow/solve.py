"""Solving: from a problem to a model call and back to a solution, directly or step by step.

The problem stands first in every prompt, its images where its `<image>` marks are, so that the calls of one problem
share a server's prefix cache. Text of problems is put into templates as data and never read as a template.
"""

from __future__ import annotations

import hashlib
import io
import json
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

from PIL import Image as Pillow

from eduflow.engine import Endpoint, Image, Message, Reply, Request
from eduflow.errors import ConfigError, InputError
from eduflow.formats import options_in_question
from eduflow.problem import IMAGE_MARK, LANGUAGES, MODES, TYPES, ImageRef, Language, Mode, Problem, Solution
from eduflow.prompts import Prompts

# What a model is shown in place of an image: the image, its caption, a note that it is missing, or nothing to show.
ImageInput = Literal["images", "captions", "dropped", "text"]

# Formats that endpoints take as they are; everything else is sent as PNG.
_SENT_AS_IS = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
# An image side under 28 pixels makes some servers fail for good; smaller images get a white margin.
MIN_SIDE = 28
MAX_PIXELS = 4096 * 4096
# What a template of solving can ask for: the problem's text, and how many answers it wants.
SLOTS = frozenset({"problem", "n"})


class BrokenImage(InputError):
    """An image that cannot be read or decoded. The problem is a `rejected_input`, not the end of a run."""


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """How problems are put to a solver.

    Args:
        temperature: 0 for single answers.
        max_tokens: most new tokens of a reply; less where the endpoint's context asks for it.
        few_shot: worked examples before the problem, from `examples.jsonl` of the prompts; 0 to 2.
        prompts: the templates.

    Raises:
        ConfigError: a template leaves the problem out or asks for a value that there is not, or `few_shot` is negative.
    """

    temperature: float = 0.0
    max_tokens: int = 4096
    few_shot: int = 0
    prompts: Prompts = field(default_factory=Prompts)

    def __post_init__(self) -> None:
        # Told before anything is asked: a template without the problem would still get answers, and grades.
        if self.few_shot < 0:
            raise ConfigError(f"--few-shot must be at least 0, not {self.few_shot}")
        for name in (f"solve_{mode}_{kind}" for mode in MODES for kind in TYPES):
            for language in LANGUAGES:
                slots = self.prompts.slots(name, language)
                if "problem" not in slots:
                    raise ConfigError(
                        f"template {language}/{name}.txt leaves the problem out: write {{{{problem}}}}"
                    )
                if unknown := sorted(slots - SLOTS):
                    raise ConfigError(
                        f"template {language}/{name}.txt names '{unknown[0]}'; it can use: {', '.join(sorted(SLOTS))}"
                    )

    def config(self) -> dict[str, Any]:
        """What a reply depends on, for a run's configuration: the settings and the templates' sha256."""
        names = [f"solve_{mode}_{kind}.txt" for mode in MODES for kind in TYPES] + ["caption.txt"]
        names += ["examples.jsonl"] if self.few_shot else []
        texts = [self.prompts.text(name, language) for language in LANGUAGES for name in names]
        return {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "few_shot": self.few_shot,
            "prompts": hashlib.sha256("\0".join(texts).encode()).hexdigest(),
        }


def load_image(ref: ImageRef) -> Image:
    """The image as it is sent: decoded in full to be sure, transparency laid on white, small sides padded.

    Raises:
        BrokenImage: unreadable, no image, cut off, or over `MAX_PIXELS`.
    """
    try:
        content = ref.read()
    except InputError as error:
        raise BrokenImage(error.message, path=error.path) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Pillow.DecompressionBombWarning)
            picture = Pillow.open(io.BytesIO(content))
            if picture.width * picture.height > MAX_PIXELS:
                raise BrokenImage(
                    f"the image has {picture.width} × {picture.height} pixels, too many", path=ref.name
                )
            picture.load()
    except BrokenImage:
        raise
    except Exception as error:  # noqa: BLE001  (Pillow's decoders raise many types on broken bytes)
        raise BrokenImage(f"not a readable image ({type(error).__name__})", path=ref.name) from None
    plain = picture.mode in ("RGB", "L", "1", "P") and "transparency" not in picture.info
    if plain and picture.format in _SENT_AS_IS and min(picture.size) >= MIN_SIDE:
        return Image(content, _SENT_AS_IS[picture.format])
    return Image(_as_png(picture), "image/png")


def _as_png(picture: Pillow.Image) -> bytes:
    layer = picture.convert("RGBA")
    size = (max(layer.width, MIN_SIDE), max(layer.height, MIN_SIDE))
    canvas = Pillow.new("RGBA", size, "white")
    canvas.alpha_composite(layer)
    out = io.BytesIO()
    canvas.convert("RGB").save(out, "PNG")
    return out.getvalue()


def problem_text(problem: Problem, shown: ImageInput, captions: Sequence[str] = ()) -> str:
    """The problem as text: question, options where the question doesn't hold them, images as marks or words.

    With `shown="images"` the text keeps one `<image>` mark per image; marks that the question lacks stand first.
    """
    text = problem.question
    missing = len(problem.images) - text.count(IMAGE_MARK)
    text = IMAGE_MARK * max(0, missing) + text
    if problem.options and not options_in_question(problem):
        text += "".join(f"\n{option.key}. {option.text}" for option in problem.options)
    if shown == "images":
        return text
    parts = text.split(IMAGE_MARK)
    words = [_image_words(problem.language, number, shown, captions) for number in range(1, len(parts))]
    return "".join(part + word for part, word in zip(parts, [*words, ""], strict=True)).strip()


def _image_words(language: Language, number: int, shown: ImageInput, captions: Sequence[str]) -> str:
    if shown == "captions" and number <= len(captions):
        caption = captions[number - 1]
        return f"[图{number}：{caption}]\n" if language == "zh" else f"[Figure {number}: {caption}]\n"
    return "[图未给出]" if language == "zh" else "[figure not shown]"


def interleave(text: str, images: Sequence[Image]) -> tuple[str | Image, ...]:
    """The text cut at its first `len(images)` marks, with the images in their places."""
    parts = text.split(IMAGE_MARK, len(images))
    content: list[str | Image] = []
    for index, part in enumerate(parts):
        if part:
            content.append(part)
        if index < len(parts) - 1:
            content.append(images[index])
    return tuple(content)


def solve_request(
    problem: Problem,
    mode: Mode,
    endpoint: Endpoint,
    options: SolveOptions,
    *,
    shown: ImageInput,
    images: Sequence[Image] = (),
    captions: Sequence[str] = (),
    sample: int = 0,
) -> Request:
    """The call that asks `endpoint` to solve `problem`.

    Args:
        shown: what stands for the images; `images` and `captions` hold what it needs.
        sample: which sample of this prompt, from 0.
    """
    values = {"problem": problem_text(problem, shown, captions), "n": str(len(problem.answers))}
    text = options.prompts.render(f"solve_{mode}_{problem.type}", problem.language, values)
    content = interleave(text, images) if shown == "images" else (text,)
    shots = few_shot(options.prompts, problem, mode, options.few_shot)
    params: dict[str, Any] = {"temperature": options.temperature, "max_tokens": max_tokens(endpoint, options)}
    messages = (*shots, Message("user", content))
    return Request(endpoint, messages, params, sample=sample, affinity=problem.id, tag="solve")


def max_tokens(endpoint: Endpoint, options: SolveOptions) -> int:
    """The bound on new tokens: the option, but at most half of a known context, so that the prompt fits."""
    return options.max_tokens if endpoint.context is None else min(options.max_tokens, endpoint.context // 2)


def few_shot(prompts: Prompts, problem: Problem, mode: Mode, count: int) -> tuple[Message, ...]:
    """`count` worked examples of the problem's type and language, as turns before it."""
    if count == 0:
        return ()
    examples = [row for row in _examples(prompts, problem.language) if row["type"] == problem.type]
    if count > len(examples):
        raise ConfigError(f"few-shot {count}: examples.jsonl has {len(examples)} of type '{problem.type}'")
    turns: list[Message] = []
    for row in examples[:count]:
        values = {"problem": row["question"], "n": str(len(row["answers"]))}
        turns.append(Message.user(prompts.render(f"solve_{mode}_{problem.type}", problem.language, values)))
        turns.append(Message.assistant(_worked(row, mode, problem.language)))
    return tuple(turns)


def _worked(row: dict[str, Any], mode: Mode, language: Language) -> str:
    boxes = " ".join(f"\\boxed{{{answer}}}" for answer in row["answers"])
    if mode == "direct":
        return boxes
    word = "步骤{}：" if language == "zh" else "Step {}: "
    steps = [word.format(number) + step for number, step in enumerate(row["solution"], 1)]
    return "\n".join([*steps, boxes])


@lru_cache(maxsize=16)
def _examples(prompts: Prompts, language: Language) -> list[dict[str, Any]]:
    rows = []
    for number, line in enumerate(prompts.text("examples.jsonl", language).split("\n"), 1):
        try:
            row = json.loads(line)
            rows.append(
                {"type": row["type"], "question": row["question"]} | _texts(row, "solution", "answers")
            )
        except (ValueError, KeyError, TypeError):
            message = "an example needs 'type', 'question', 'solution' (list) and 'answers' (list)"
            raise InputError(message, path=f"{language}/examples.jsonl", line=number) from None
    return rows


def _texts(row: dict[str, Any], *names: str) -> dict[str, list[str]]:
    return {name: [str(text) for text in row[name]] for name in names}


def caption_request(image: Image, language: Language, endpoint: Endpoint, options: SolveOptions) -> Request:
    """The call that asks `endpoint` to say what a figure shows."""
    text = options.prompts.template("caption", language)
    params = {"temperature": 0.0, "max_tokens": max_tokens(endpoint, options)}
    return Request(endpoint, (Message("user", interleave(text, (image,))),), params, tag="caption")


def solution_of(problem: Problem, mode: Mode, solver: str, sample: int, reply: Reply) -> Solution:
    """The solution that a reply is. Its text is what the model said as its answer, never an error message."""
    extra: dict[str, Any] = {"prompt_tokens": reply.usage.prompt, "completion_tokens": reply.usage.completion}
    if reply.reasoning:
        extra["reasoning"] = reply.reasoning
    if reply.error:
        extra["error"] = reply.error
    return Solution(
        problem_id=problem.id,
        solver=solver,
        mode=mode,
        sample=sample,
        text=reply.text,
        outcome=reply.outcome,
        call=reply.key or None,
        extra=extra,
    )
