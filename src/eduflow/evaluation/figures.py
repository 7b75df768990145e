"""What a solver is shown in place of a problem's images: the images, captions, or a note that they are missing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from eduflow.engine import Endpoint, Engine, Image
from eduflow.errors import ConfigError
from eduflow.evaluation.survey import Survey
from eduflow.problem import Problem
from eduflow.solve import ImageInput, SolveOptions, caption_request, load_image

ImagePolicy = Literal["auto", "send", "caption", "drop"]


@dataclass(frozen=True, slots=True)
class Shown:
    """What stands for the images of one problem; `calls` are the journal keys of captions made for it."""

    input: ImageInput
    images: tuple[Image, ...] = ()
    captions: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


class CaptionFailed(Exception):
    """The captioning endpoint brought no caption; the problem can't be put to the solver as it was meant to be."""


def settle_input(policy: ImagePolicy, survey: Survey, *, sees: bool | None, captioner: bool) -> ImageInput:
    """What the solver is shown over the whole run.

    Args:
        policy: what the user asked for.
        sees: whether the solver sees images; may be None where the policy doesn't need to know.
        captioner: whether there is an endpoint that makes captions.

    Raises:
        ConfigError: the problems need their images and there is no way to show them.
    """
    if survey.with_images == 0:
        return "text"
    if policy == "drop":
        return "dropped"
    if policy == "send" or (policy == "auto" and sees):
        if not sees:
            raise ConfigError(
                f"the solver does not see images, and {survey.with_images} of {survey.problems} problems have them; "
                "use --images caption or --images drop"
            )
        return "images"
    if survey.without_captions == 0 or captioner:
        return "captions"
    why = "the solver does not see images, and" if policy == "auto" else "--images caption:"
    raise ConfigError(
        f"{why} {survey.without_captions} problems have images without captions (the first is "
        f"'{survey.first_without_captions}'); name a --captioner, or use --images drop"
    )


async def show(
    problem: Problem, shown: ImageInput, engine: Engine, options: SolveOptions, captioner: Endpoint | None
) -> Shown:
    """The images of one problem as `shown` asks for them.

    Raises:
        BrokenImage: an image can't be read or decoded.
        CaptionFailed: the captioner brought none.
    """
    if not problem.images or shown == "text":
        return Shown("text")
    if shown == "dropped":
        return Shown("dropped")
    if shown == "captions" and problem.captions:
        return Shown("captions", captions=problem.captions)
    images = await asyncio.to_thread(_load, problem)
    if shown == "images":
        return Shown("images", images=images)
    assert captioner is not None  # settle_input saw to it
    captions, calls = [], []
    for image in images:
        reply = await engine.call(caption_request(image, problem.language, captioner, options))
        calls.append(reply.key)
        if reply.outcome != "ok" or not reply.text.strip():
            raise CaptionFailed(
                f"captioning ended as {reply.outcome}{': ' + reply.error if reply.error else ''}"
            )
        captions.append(" ".join(reply.text.split()))
    return Shown("captions", captions=tuple(captions), calls=tuple(calls))


def _load(problem: Problem) -> tuple[Image, ...]:
    return tuple(load_image(ref) for ref in problem.images)


def caption_calls(problem: Problem, shown: ImageInput) -> int:
    """How many calls it takes to caption the problem's images."""
    return len(problem.images) if shown == "captions" and not problem.captions else 0
