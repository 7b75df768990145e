"""From a problem to a call: what the model is shown, and images that can't be shown."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image as Pillow

from eduflow.engine import Endpoint, Image, Reply, Usage
from eduflow.errors import ConfigError, InputError
from eduflow.problem import ImageRef
from eduflow.prompts import Prompts
from eduflow.solve import (
    MIN_SIDE,
    BrokenImage,
    SolveOptions,
    caption_request,
    interleave,
    load_image,
    problem_text,
    solution_of,
    solve_request,
)
from tests.support.problems import figure, make_problem, png

ENDPOINT = Endpoint("e", "m", ("http://127.0.0.1:9/v1",))


def texts(content: tuple[str | Image, ...]) -> str:
    return "".join(part if isinstance(part, str) else "▣" for part in content)


def test_images_stand_where_their_marks_are() -> None:
    problem = make_problem(question="Left <image> right <image> end", images=[figure("red"), figure("blue")])
    images = [load_image(ref) for ref in problem.images]
    request = solve_request(problem, "direct", ENDPOINT, SolveOptions(), shown="images", images=images)
    content = request.messages[-1].content
    assert texts(content).startswith("Left ▣ right ▣ end\n")
    assert [part for part in content if isinstance(part, Image)] == images


def test_an_image_without_a_mark_stands_first() -> None:
    problem = make_problem(images=[figure()])
    request = solve_request(
        problem, "cot", ENDPOINT, SolveOptions(), shown="images", images=[load_image(problem.images[0])]
    )
    assert texts(request.messages[-1].content).startswith("▣2 + 3 = ____")


def test_a_mark_in_the_text_beyond_the_images_stays_text() -> None:
    image = load_image(figure())
    assert texts(interleave("a <image> b <image> c", [image])) == "a ▣ b <image> c"


@pytest.mark.parametrize(
    ("language", "shown", "said"),
    [
        ("en", "captions", "[Figure 1: a ruler from 0 to 9]"),
        ("zh", "captions", "[图1：a ruler from 0 to 9]"),
        ("en", "dropped", "[figure not shown]"),
        ("zh", "dropped", "[图未给出]"),
    ],
)
def test_captions_or_a_note_stand_for_images(language: str, shown: str, said: str) -> None:
    problem = make_problem(question="See <image>: how long?", images=[figure()], language=language)
    captions = ["a ruler from 0 to 9"]
    text = problem_text(problem, shown, captions)  # type: ignore[arg-type]
    assert said in text
    assert "<image>" not in text


def test_options_are_shown_once() -> None:
    options = {"A": "4", "B": "5", "C": "6", "D": "7"}
    apart = make_problem(type="choice", question="2 + 3 = ?", options=options, answers=["B"])
    inside = make_problem(
        type="choice", question="2 + 3 = ?\nA. 4 B. 5 C. 6 D. 7", options=options, answers=["B"]
    )
    assert problem_text(apart, "text") == "2 + 3 = ?\nA. 4\nB. 5\nC. 6\nD. 7"
    assert problem_text(inside, "text") == "2 + 3 = ?\nA. 4 B. 5 C. 6 D. 7"


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("mode", ["direct", "cot"])
@pytest.mark.parametrize("kind", ["choice", "blank", "free"])
def test_every_prompt_asks_for_a_box_and_starts_with_the_problem(language: str, mode: str, kind: str) -> None:
    problem = make_problem(type=kind, language=language, answers=["A"] if kind == "choice" else ["1", "2"])
    request = solve_request(problem, mode, ENDPOINT, SolveOptions(few_shot=2), shown="text")  # type: ignore[arg-type]
    text = texts(request.messages[-1].content)
    assert text.startswith(problem.question)
    assert "\\boxed{" in text
    assert [message.role for message in request.messages] == ["user", "assistant"] * 2 + ["user"]
    if kind != "choice":
        assert "2" in text.removeprefix(problem.question)


def test_a_known_context_bounds_the_new_tokens() -> None:
    small = Endpoint("e", "m", context=1000)
    request = solve_request(make_problem(), "direct", small, SolveOptions(max_tokens=4096), shown="text")
    assert request.params["max_tokens"] == 500


def test_too_many_examples_and_broken_ones_get_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="few-shot 5"):
        solve_request(make_problem(), "direct", ENDPOINT, SolveOptions(few_shot=5), shown="text")
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "examples.jsonl").write_text('{"type": "blank"}\n')
    options = SolveOptions(few_shot=1, prompts=Prompts(tmp_path))
    with pytest.raises(InputError, match=r"en/examples\.jsonl:1: an example needs"):
        solve_request(make_problem(), "direct", ENDPOINT, options, shown="text")


def test_a_plain_image_is_sent_as_it_is() -> None:
    content = png()
    assert load_image(ImageRef(data=content)).data == content
    jpeg = png(file_format="JPEG")
    assert load_image(ImageRef(data=jpeg)).media_type == "image/jpeg"


def test_transparency_is_laid_on_white_and_small_sides_are_padded() -> None:
    out = io.BytesIO()
    Pillow.new("RGBA", (40, 8), (0, 0, 0, 0)).save(out, "PNG")
    image = load_image(ImageRef(data=out.getvalue()))
    with Pillow.open(io.BytesIO(image.data)) as picture:
        assert picture.size == (40, MIN_SIDE)
        assert picture.mode == "RGB"
        assert picture.getpixel((5, 5)) == (255, 255, 255)


@pytest.mark.parametrize("content", [b"", b"no image", png()[:60], b"\x89PNG\r\n\x1a\n" + b"\0" * 50])
def test_a_broken_image_is_named(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.png"
    path.write_bytes(content)
    with pytest.raises(BrokenImage, match=r"broken\.png"):
        load_image(ImageRef(path=str(path)))


def test_an_image_of_absurd_size_is_refused() -> None:
    with pytest.raises(BrokenImage, match="5000 × 5000"):
        load_image(ImageRef(data=png(size=(5000, 5000), mode="1", color="white")))


def test_a_caption_request_shows_the_image() -> None:
    image = load_image(figure())
    request = caption_request(image, "zh", ENDPOINT, SolveOptions())
    assert request.tag == "caption"
    assert request.messages[0].content[0] is image


def test_a_failed_call_never_becomes_text() -> None:
    reply = Reply("failed", error="HTTP 500", usage=Usage(10, None))
    solution = solution_of(make_problem(), "cot", "e", 0, reply)
    assert (solution.text, solution.outcome) == ("", "failed")
    assert solution.extra["error"] == "HTTP 500"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Answer in a box.", "leaves the problem out"),
        ("{problem} {{n}}", "leaves the problem out"),
        ("{{problem}} {{answer}}", "names 'answer'; it can use: n, problem"),
    ],
)
@pytest.mark.parametrize("file", ["zh/solve_cot_choice.txt", "en/solve_direct_free.txt"])
def test_a_template_that_would_not_show_the_problem_is_refused_before_anything_is_asked(
    tmp_path: Path, file: str, text: str, message: str
) -> None:
    (tmp_path / file).parent.mkdir()
    (tmp_path / file).write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        SolveOptions(prompts=Prompts(tmp_path))


def test_a_negative_number_of_examples_is_refused() -> None:
    with pytest.raises(ConfigError, match="--few-shot must be at least 0"):
        SolveOptions(few_shot=-1)
