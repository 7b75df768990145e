"""Procedural problems: valid, true, balanced, reproducible."""

from __future__ import annotations

import hashlib
import io
import itertools
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

import pytest
from PIL import Image

from eduflow.benchmarks.procedural import TEMPLATES, fingerprint, generate, known, make, split
from eduflow.benchmarks.procedural.core import KEYS
from eduflow.benchmarks.procedural.numbers import Num
from eduflow.errors import ConfigError
from eduflow.grade import Grader
from eduflow.problem import Language, Problem, Solution
from tests.support.equalities import NotAnExpression, equalities, value

SERIALS = range(200)
LANGUAGES: tuple[Language, ...] = ("zh", "en")
F = Fraction
P = dict[str, Any]


# ---- the answers, worked out once more from the parameters alone ------------------------------------------------


def _reading(p: P) -> list[Fraction]:
    done = p["pages"] * p["days"]
    return [F(done), F(p["new_pages"] * p["new_days"]), F(p["new_days"])]


def _fraction_rest(p: P) -> list[Fraction]:
    whole = p["below"] * p["unit"]
    return [whole * (1 - F(p["above"], p["below"]))]


def _conversion(p: P) -> list[Fraction]:
    factor = {"km m": 1000, "m cm": 100, "dm cm": 10, "kg g": 1000, "t kg": 1000, "L mL": 1000, "m² dm²": 100,
              "m² cm²": 10000, "ha m²": 10000, "m³ dm³": 1000}[p["unit"]]  # fmt: skip
    return [F(p["value"]) * (factor if p["up"] else 1)]


def _sequence(p: P) -> list[Fraction]:
    terms = [p["first"] + p["step"] * k for k in range(p["n"])]
    return [F(terms[-1]), F(sum(terms))]


def _triangle(p: P) -> list[Fraction]:
    a, b, c = (side * F(p["triangle"][3]) for side in p["triangle"][:3])
    if p["swap"]:
        a, b = b, a
    square = a * a + b * b if p["find"] == "hypotenuse" else c * c - b * b
    root = F(isqrt(square.numerator), isqrt(square.denominator))
    assert root * root == square
    return [root]


def _composite(p: P) -> list[Fraction]:
    w, h, a, b = p["width"], p["height"], p["notch_width"], p["notch_height"]
    outline = [w, h - b, a, b, w - a, h]
    return [F((w - a) * h + a * (h - b)), F(sum(outline))]


_DENSITY = {"aluminium": "2.7", "iron": "7.9", "copper": "8.9", "ice": "0.9", "glass": "2.5", "marble": "2.6",
            "silver": "10.5", "lead": "11.3"}  # fmt: skip
_MOLAR = {"NaOH": 40, "KOH": 56, "KNO₃": 101, "CuSO₄": 160, "C₆H₁₂O₆": 180}
# Masses of the fuel, the oxygen and the product by rounded atomic masses.
_REACTION = {
    "2Mg + O₂ → 2MgO": (2 * 24, 2 * 16, 2 * (24 + 16)),
    "C + O₂ → CO₂": (12, 2 * 16, 12 + 2 * 16),
    "2H₂ + O₂ → 2H₂O": (4, 2 * 16, 2 * 18),
    "CH₄ + 2O₂ → CO₂ + 2H₂O": (12 + 4, 4 * 16, 12 + 32),
    "S + O₂ → SO₂": (32, 32, 64),
    "4Al + 3O₂ → 2Al₂O₃": (4 * 27, 6 * 16, 2 * (2 * 27 + 3 * 16)),
}


def _motion(p: P) -> list[Fraction]:
    a, v0, t = F(p["acceleration"]), p["initial"], p["time"]
    return [v0 + a * t, v0 * t + a * t * t / 2]


def _altitude(p: P) -> list[Fraction]:
    fall = F(p["rise"] * 6, 1000)
    return [F(p["rise"]), fall, p["temperature"] - fall]


def _line(p: P) -> list[Fraction]:
    values, (i, j) = p["values"], p["asked"]
    return [F(max(values) - min(values)), F(abs(values[j] - values[i]))]


def _grid(p: P) -> list[Fraction]:
    lean = {"triangle": p["shift"] - p["base"], "parallelogram": p["shift"] or 1, "rectangle": 0}[p["shape"]]
    area = F(p["base"] * p["height"]) / (2 if p["shape"] == "triangle" else 1)
    return [F(p["x"] + p["base"] + lean), F(p["y"] + p["height"]), area]


def _meters(p: P) -> list[Fraction]:
    amp, amp_range, volt, volt_range = p["dials"]
    i, u = F(amp_range) * amp / 30, F(volt_range) * volt / 30
    return [i, u, u / i, u * i * p["seconds"]]


def _cart(p: P) -> list[Fraction]:
    end = p["t1"] + p["rest"] + p["t3"]
    far = (p["level"] + p["level2"]) * p["minor"]
    mean = F(far, end)
    return [mean if (mean * 20).denominator == 1 else F(p["level2"] * p["minor"])]


def _solubility(p: P) -> list[Fraction]:
    cold, hot = (p["curve"][t // 10] for t in p["asked"])
    return [F(hot * p["water"], 100), F((hot - cold) * p["water"], 100)]


def _rain(p: P) -> list[Fraction]:
    three = [p["values"][month - 1] for month in p["months"]]
    return [F(sum(three)), F(sum(three), 3), F(max(p["values"]) - min(p["values"]))]


ORACLE: dict[str, Callable[[P], list[Fraction]]] = {
    "gain_and_give": lambda p: [F(p["start"] + p["gain"] - p["give"])],
    "groups_and_rest": lambda p: [F(p["boxes"] * p["each"] + p["rest"])],
    "change": lambda p: [F(p["paid"] - p["price"] * p["count"])],
    "share_equally": lambda p: [F(p["each"] + p["had"])],
    "reading_plan": _reading,
    "order_of_operations": lambda p: [F(p["a"] + p["b"] * p["c"] - p["d"])],
    "round_up": lambda p: [F(-(-(p["full"] * p["seats"] + p["over"]) // p["seats"]))],
    "fraction_of": _fraction_rest,
    "unit_conversion": _conversion,
    "elapsed_time": lambda p: [F(p["minutes"])],
    "discount": lambda p: [p["price"] * (1 - F(p["off"], 100)) - p["coupon"]],
    "ratio_share": lambda p: [F(part * p["unit"]) for part in p["ratio"]],
    "average_missing": lambda p: [F(4 * p["mean"] - sum(p["known"]))],
    "percent_change": lambda p: [F(p["percent"])],
    "equation_one_unknown": lambda p: [F(p["x"])],
    "equation_brackets": lambda p: [F(p["x"])],
    "equations_two_unknowns": lambda p: [F(p["y"] + p["gap"]), F(p["y"])],
    "tickets": lambda p: [F(p["adults"]), F(p["children"])],
    "times_as_many": lambda p: [F(p["small"])],
    "sequence_term": _sequence,
    "rectangle": lambda p: [F(2 * p["length"] + 2 * p["width"]), F(p["length"] * p["width"])],
    "triangle_angles": lambda p: [F(180 - sum(p["angles"]))],
    "circle": lambda p: [F("3.14") * F(p["diameter"], 2) ** 2 * p["price"]],
    "box": lambda p: [
        F(p["edges"][0] * p["edges"][1] * p["edges"][2]),
        F(sum(2 * a * b for a, b in itertools.combinations(p["edges"], 2))),
    ],
    "right_triangle": _triangle,
    "trapezium": lambda p: [F((2 * p["top"] + p["more"]) * p["height"], 2)],
    "composite_area": _composite,
    "speed": lambda p: [F(p["speed"])],
    "density": lambda p: [F(_DENSITY[p["substance"]]), F(_DENSITY[p["substance"]]) * p["volumes"][1]],
    "ohms_law": lambda p: [F(p["current"]) * p["resistances"][0]],
    "newton_second_law": lambda p: [F(p["acceleration"])],
    "uniform_acceleration": _motion,
    "work_and_power": lambda p: [F(p["weight"] * p["height"]), F(p["weight"] * p["height"], p["time"])],
    "moles": lambda p: [F(p["amount"]), F(p["amount"]) * F("6.02")],
    "mass_fraction": lambda p: [F(p["percent"])],
    "reaction_masses": lambda p: [F(p["multiple"]) * mass for mass in _REACTION[p["reaction"]][1:]],
    "molarity": lambda p: [F(p["concentration"]) * p["volume"] / 1000 * _MOLAR[p["solute"]]],
    "dna_bases": lambda p: [p["pairs"] * (1 - F(2 * p["percent"], 100))],
    "energy_flow": lambda p: [p["energy"] * F(p["rate"], 100), p["energy"] * F(p["rate"], 100) ** 2],
    "heart_output": lambda p: [
        F(p["rate"] * p["stroke"]),
        F(p["sport_rate"] * p["sport_stroke"]),
        F(p["sport_rate"] * p["sport_stroke"] - p["rate"] * p["stroke"]),
    ],
    "map_scale": lambda p: [F(p["length"]) * p["scale"] / 100 / 1000],
    "altitude_temperature": _altitude,
    "population": lambda p: [F(p["density"])],
    "bar_chart": lambda p: [F(sum(p["values"])), F(max(p["values"]) - min(p["values"]))],
    "line_graph": _line,
    "pie_chart": lambda p: [p["people"] * (1 - F(sum(p["percents"]), 100))],
    "price_table": lambda p: [
        F(sum(p["prices"][k] * count for k, count in zip(p["bought"], p["counts"], strict=True)))
    ],
    "two_clocks": lambda p: [F(p["minutes"]), F(p["minutes"] + p["later"])],
    "grid_area": _grid,
    "thermometers": lambda p: [
        F(p["readings"][0]),
        F(p["readings"][1]),
        F(abs(p["readings"][0] - p["readings"][1])),
    ],
    "ruler": lambda p: [F(p["end"] - p["start"], 10), F(p["end"] - p["start"])],
    "stone_density": lambda p: [F(p["water"]), F(p["volume"]), F(p["density"])],
    "meters": _meters,
    "balance": lambda p: [(sum(p["weights"]) + F(p["rider"], 5)) * p["count"]],
    "distance_time": _cart,
    "solubility": _solubility,
    "rain_chart": _rain,
    "leaf_chart": lambda p: [F(p["sprouted"][p["group"]] * 100, p["seeds"])],
}


def right_option(problem: Problem) -> str:
    return next(option.text for option in problem.options if option.key == problem.answers[0])


def given_values(problem: Problem) -> list[Fraction]:
    """The problem's answers as numbers; for a choice the number in the right option."""
    if problem.type == "choice":
        return [F(right_option(problem).rstrip("%°").split(" ")[0])]
    return [F(answer) for answer in problem.answers]


@pytest.fixture(scope="module", params=list(TEMPLATES))
def batch(request: pytest.FixtureRequest) -> list[tuple[Problem, Problem]]:
    """200 pairs of twins of one template. The picture is not drawn here; the tests of pictures do that."""
    name: str = request.param
    return [
        (make(name, s, language="zh", picture=b"-"), make(name, s, language="en", picture=b"-"))
        for s in SERIALS
    ]


Batch = list[tuple[Problem, Problem]]


def test_answers_are_what_the_parameters_say(batch: Batch) -> None:
    name = batch[0][0].extra["template"]
    if name not in ORACLE:
        return  # times of day have a test of their own
    for problem, _ in batch:
        assert given_values(problem) == ORACLE[name](problem.extra["parameters"]), problem.id


def test_every_template_has_an_oracle() -> None:
    assert set(TEMPLATES) - set(ORACLE) == {"time_zones"}


def test_every_equality_in_the_steps_is_true(batch: Batch) -> None:
    for problem in itertools.chain.from_iterable(batch):
        found = [equality for step in problem.solution for equality in equalities(step)]
        assert found, problem.id
        assert all(holds for _, _, holds in found), (problem.id, found)


def test_every_answer_is_reached_in_the_steps(batch: Batch) -> None:
    for problem in itertools.chain.from_iterable(batch):
        text = " ".join(problem.solution)
        wanted = [right_option(problem).split(" ")[0]] if problem.type == "choice" else problem.answers
        if problem.extra["template"] == "time_zones":
            wanted = [right_option(problem).split(",")[0]]
        for answer in wanted:
            assert answer.rstrip("%°") in text, problem.id


def test_twins_are_one_problem_in_two_languages(batch: Batch) -> None:
    for zh, en in batch:
        assert zh.id != en.id
        assert zh.group == en.group
        assert (zh.answers, zh.type, zh.subject, zh.grade) == (en.answers, en.type, en.subject, en.grade)
        assert zh.extra == en.extra
        assert [o.key for o in zh.options] == [o.key for o in en.options] == list(KEYS[: len(zh.options)])
        assert (len(zh.solution), len(zh.images), len(zh.captions)) == (
            len(en.solution),
            len(en.images),
            len(en.captions),
        )
        assert any("\u4e00" <= char <= "\u9fff" for char in zh.question)
        everything = [
            en.question,
            *en.solution,
            *en.captions,
            *en.knowledge_points,
            *(o.text for o in en.options),
        ]
        assert not any(
            "\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef" for char in "".join(everything)
        )


def test_form_fits_the_type(batch: Batch) -> None:
    for problem in itertools.chain.from_iterable(batch):
        assert Problem.parse(problem.model_dump()) == problem
        assert problem.knowledge_points
        assert "{" not in problem.question
        if problem.type == "blank":
            assert problem.question.count("____") == len(problem.answers)
        elif problem.type == "free":
            left = "（" if problem.language == "zh" else "("
            assert all(f"\n{left}{k}" in problem.question for k in range(1, len(problem.answers) + 1))
        else:
            assert len(problem.options) == 4
            assert len({option.text for option in problem.options}) == 4
            assert problem.answers[0] in KEYS
        assert (
            ("<image>" in problem.question)
            == bool(problem.images)
            == TEMPLATES[problem.extra["template"]].image
        )


def test_answers_are_sensible_numbers(batch: Batch) -> None:
    for problem, _ in batch:
        if problem.extra["template"] == "time_zones":
            continue
        signed = problem.extra["template"] in ("thermometers", "altitude_temperature")
        for answer in given_values(problem):
            assert answer > 0 or signed, problem.id
            assert (answer * 1000).denominator == 1, problem.id


def test_numbers_rarely_repeat_within_a_template(batch: Batch) -> None:
    different = {fingerprint(problem) for problem, _ in batch}
    assert len(different) >= 0.93 * len(batch)


def test_time_zones_go_by_the_clock() -> None:
    for serial in SERIALS:
        problem = make("time_zones", serial, language="en")
        p = problem.extra["parameters"]
        minutes = p["hour"] * 60 + p["minute"] - 60 * (p["east"] + p["west"])
        when = "the day before" if minutes < 0 else "the same day"
        minutes %= 24 * 60
        assert right_option(problem) == f"{minutes // 60:02d}:{minutes % 60:02d}, {when}"


def test_the_grader_takes_the_reference_and_refuses_a_slip() -> None:
    grader = Grader()
    try:
        for name, language in itertools.product(TEMPLATES, LANGUAGES):
            problem = make(name, 3, seed=11, language=language, picture=b"-")
            slips = [
                KEYS[KEYS.index(answer) - 1] if problem.type == "choice" else str(Num(F(answer)) + 1)
                for answer in problem.answers
            ]
            for answers, score in ((problem.answers, 1), (slips, 0)):
                boxes = " ".join(f"\\boxed{{{answer}}}" for answer in answers)
                text = "\n".join([*problem.solution, boxes])
                solution = Solution(problem_id=problem.id, solver="reference", mode="cot", text=text)
                assert grader.check(problem, solution).score == score, (problem.id, answers)
    finally:
        grader.close()


def test_right_keys_are_balanced() -> None:
    keys: Counter[str] = Counter()
    for name, kind in TEMPLATES.items():
        if kind.type == "choice":
            own = Counter(make(name, serial, picture=b"-").answers[0] for serial in SERIALS)
            assert set(own) == set(KEYS)
            assert max(own.values()) <= 75  # mean 50; five standard deviations are 31
            keys += own
    mean = keys.total() / len(KEYS)
    assert all(abs(count - mean) < 0.1 * mean for count in keys.values())


def test_the_collection_is_broad() -> None:
    kinds = TEMPLATES.values()
    assert len(TEMPLATES) >= 32
    assert Counter(kind.type for kind in kinds).keys() == {"blank", "choice", "free"}
    assert min(Counter(kind.type for kind in kinds).values()) >= 10
    assert {kind.subject for kind in kinds} == {"math", "physics", "chemistry", "biology", "geography"}
    assert sum(kind.image for kind in kinds) >= 12


def test_the_same_seed_and_index_give_the_same_problem() -> None:
    first = list(generate(118, seed=7, language="both"))
    assert first == list(generate(118, seed=7, language="both"))
    assert first != list(generate(118, seed=8, language="both"))
    assert [p.extra for p in first] == [p.extra for p in generate(118, seed=7, language="both")]


def test_a_larger_n_only_adds_and_any_index_can_be_the_first() -> None:
    names = ["change", "box", "moles"]
    long = list(generate(50, 3, "en", names))
    assert list(generate(20, 3, "en", names)) == long[:20]
    assert list(generate(10, 3, "en", names, start=17)) == long[17:27]
    assert [p.extra["template"] for p in long[:4]] == ["change", "box", "moles", "change"]


def test_a_template_gives_the_same_problems_whatever_stands_beside_it() -> None:
    alone = list(generate(5, 1, "zh", ["box"]))
    among = [p for p in generate(10, 1, "zh", ["box", "moles"]) if p.extra["template"] == "box"]
    assert alone == among


def test_problems_stream() -> None:
    stream = generate(10**12, templates=["change"])
    assert next(stream).extra["template"] == "change"
    assert list(generate(0)) == []


@pytest.mark.parametrize("name", [name for name, kind in TEMPLATES.items() if kind.image])
def test_pictures_decode_and_differ_with_the_numbers(name: str) -> None:
    seen: dict[str, str] = {}
    for serial in range(12):
        problem = make(name, serial, language="en")
        (image,) = problem.images
        picture = Image.open(io.BytesIO(image.read()))
        picture.load()
        assert picture.format == "PNG"
        assert min(picture.size) >= 100
        # Not an empty sheet, and nothing drawn over the edge.
        grey = picture.convert("L")
        assert sum(grey.histogram()[:80]) > 50
        width, height = picture.size
        edge = [grey.crop(box) for box in ((0, 0, width, 2), (0, height - 2, width, height), (0, 0, 2, height), (width - 2, 0, width, height))]  # fmt: skip
        assert all(side.getextrema() == (255, 255) for side in edge), (name, serial)
        assert image.sha256 is not None
        seen[problem.captions[0]] = image.sha256
    assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize("name", [name for name, kind in TEMPLATES.items() if kind.image])
def test_both_languages_share_the_picture(name: str) -> None:
    zh, en = (make(name, 4, language=language) for language in LANGUAGES)
    assert zh.images == en.images
    data = zh.images[0].data
    assert data is not None
    assert hashlib.sha256(data).hexdigest() == zh.images[0].sha256


def test_splits_keep_numbers_and_templates_apart() -> None:
    problems = list(generate(1500, seed=0, language="both", templates=["change", "box", "moles", "tickets"]))
    parts = {p.id: split(p, held_out=["tickets"], share=0.2) for p in problems}
    assert {p.extra["template"] for p in problems if parts[p.id] == "unseen_template"} == {"tickets"}
    train = {fingerprint(p) for p in problems if parts[p.id] == "train"}
    unseen = {fingerprint(p) for p in problems if parts[p.id] == "unseen_numbers"}
    assert train
    assert unseen
    assert not train & unseen
    assert 0.15 < len(unseen) / (len(unseen) + len(train)) < 0.25
    for zh, en in zip(problems[::2], problems[1::2], strict=True):
        assert parts[zh.id] == parts[en.id]


def test_wrong_requests_are_named() -> None:
    with pytest.raises(ConfigError, match="unknown template 'nothing'"):
        generate(5, templates=["nothing"])
    with pytest.raises(ConfigError, match="list of templates is empty"):
        generate(5, templates=[])
    with pytest.raises(ConfigError, match="0 or more, not -1"):
        generate(-1)
    with pytest.raises(ConfigError, match="unknown language 'fr'"):
        generate(1, language="fr")  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="unknown template"):
        known(["change", "nothing"])
    with pytest.raises(ConfigError, match="share"):
        split(make("change", 0), share=2)
    foreign = make("change", 0).model_copy(update={"extra": {}})
    with pytest.raises(ConfigError, match="not a procedural one"):
        split(foreign)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("37 + 20 = 57", [True]),
        ("37 + 20 = 58", [False]),
        ("2 × (3 + 4) = 14, 14 - 20 = -6.", [True, True]),
        ("-8 + (-3) = -11", [True]),
        ("7 ÷ 4 = 1.75; 7 ÷ 4 = 1.7", [True, False]),
        ("v = 36 ÷ 2 = 18 m/s", [True]),
        ("cost 31 × 5 = 155 (yuan)", [True]),
        ("cost 31 × 5 = 154 (yuan).", [False]),
        ("总价：31 × 5 = 150（元）。", [False]),
        ("3x + 5 = 20", []),
        ("20 = 3x", []),
        ("12 = 3 + x", []),
        ("nothing to see", []),
    ],
)
def test_the_checker_of_equalities_can_say_no(text: str, expected: list[bool]) -> None:
    assert [holds for _, _, holds in equalities(text)] == expected


def test_the_checker_refuses_what_it_cannot_read() -> None:
    for text in ("3 +", "(3", "3 4", "abc"):
        with pytest.raises(NotAnExpression):
            value(text)
