"""What stands for images: sent, captioned or dropped, never silently lost."""

from __future__ import annotations

import pytest

from eduflow.engine import Endpoint, Engine
from eduflow.errors import ConfigError
from eduflow.evaluation.figures import CaptionFailed, ImagePolicy, settle_input, show
from eduflow.evaluation.survey import Survey
from eduflow.solve import ImageInput, SolveOptions
from tests.support.fake_endpoint import FakeEndpoint, Fault
from tests.support.problems import figure, make_problem

NONE = Survey(problems=4)
CAPTIONED = Survey(problems=4, with_images=3)
BARE = Survey(problems=4, with_images=3, without_captions=2, first_without_captions="p7")


@pytest.mark.parametrize(
    ("policy", "survey", "sees", "captioner", "shown"),
    [
        ("auto", NONE, None, False, "text"),
        ("send", NONE, None, False, "text"),
        ("auto", BARE, True, False, "images"),
        ("auto", CAPTIONED, False, False, "captions"),
        ("auto", BARE, False, True, "captions"),
        ("send", BARE, True, False, "images"),
        ("caption", CAPTIONED, None, False, "captions"),
        ("drop", BARE, None, False, "dropped"),
    ],
)
def test_the_policy_settles_what_is_shown(
    policy: ImagePolicy, survey: Survey, sees: bool | None, captioner: bool, shown: ImageInput
) -> None:
    assert settle_input(policy, survey, sees=sees, captioner=captioner) == shown


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("send", "does not see images, and 3 of 4 problems have them"),
        ("auto", "does not see images, and 2 problems have images without captions .*'p7'"),
        ("caption", "--images caption: 2 problems have images without captions"),
    ],
)
def test_where_there_is_no_way_to_show_them_it_is_said(policy: ImagePolicy, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        settle_input(policy, BARE, sees=False, captioner=False)


async def test_a_captioner_is_asked_only_where_captions_are_missing() -> None:
    with FakeEndpoint("A red\nsquare.") as fake:
        captioner = Endpoint("c", "m", (fake.base_url,))
        async with Engine() as engine:
            given = make_problem(images=[figure()], captions=["given"])
            bare = make_problem(images=[figure("red"), figure("blue")])
            assert (await show(given, "captions", engine, SolveOptions(), captioner)).captions == ("given",)
            assert fake.count == 0
            made = await show(bare, "captions", engine, SolveOptions(), captioner)
    assert made.captions == ("A red square.", "A red square.")
    assert len(set(made.calls)) == fake.count == 2


async def test_a_failed_caption_is_never_a_caption() -> None:
    with FakeEndpoint(faults=lambda _: Fault.filtered()) as fake:
        captioner = Endpoint("c", "m", (fake.base_url,))
        async with Engine() as engine:
            with pytest.raises(CaptionFailed, match="captioning ended as filtered"):
                await show(make_problem(images=[figure()]), "captions", engine, SolveOptions(), captioner)
