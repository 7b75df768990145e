"""Nothing that a model can write hangs, freezes or bloats the process; threads and processes don't change a verdict."""

from __future__ import annotations

import asyncio
import json
import resource
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from eduflow.grade.blanks import check_answers
from eduflow.grade.compare import compare
from eduflow.grade.extract import extract
from eduflow.grade.normalise import clean, tokens
from eduflow.grade.parse import parse
from eduflow.grade.value import Limit, exact

BOMBS = {
    "tower": "10^{10^{10}}",
    "higher tower": "9^{9^{9^9}}",
    "tower in a fraction": "\\frac{5^{5^{5^{5^5}}-4}-5}{16}",
    "negative tower": "10^{-10^{10}}",
    "tower of names": "x^{x^{x^{x^x}}}",
    "times zero": "3+0\\cdot 10^{10^{10}}",
    "greatest common divisor": "\\gcd(7^{10^9},2)",
    "factorial": "(10^9)!",
    "factorial of a factorial": "((100!)!)!",
    "long sum": "+".join(["1"] * 3_000),
    "long sum of roots": "+".join(f"\\sqrt{{{n}}}" for n in range(2, 90)),
    "long product": "\\cdot".join(["x"] * 900),
    "long chain": "<".join(["x"] * 900),
    "long fraction": "\\frac{1}{" * 200 + "1" + "}" * 200,
    "brackets": "(" * 60 + "1" + ")" * 60,
    "braces": "{" * 900 + "1" + "}" * 900,
    "open brackets": "(" * 1_900,
    "set in a set": "\\{" * 60 + "1" + "\\}" * 60,
    "roots in roots": "\\sqrt{" * 100 + "2" + "}" * 100,
    "bars": "|" * 1_000,
    "many alternatives": " or ".join(str(n) for n in range(400)),
    "many signs": "±1" * 300,
    "many blanks": "; ".join("1" for _ in range(600)),
    "many digits": "9" * 1_900,
    "digits beyond int": "9" * 20_000,
    "small exponent": "1e-2000",
    "exponent": "1e99999999",
    "huge argument": "\\sin(10^{300})",
    "logarithm of a tower": "\\ln(10^{10^{10}})",
    "root of a tower": "\\sqrt{2^{2^{40}}}",
    "many thousands": "1" + ",000" * 450,
    "many raised": "x" + "^" * 900,
    "many labels": "(1)" * 600,
    "ratio": ":".join(["1"] * 900),
    "words": "a" * 19_000,
    "characters": "1 " * 50_000,
    "spaces": "1" + " " * 100_000 + "2",
    "dollars": "$" * 19_000,
    "matrix": "\\begin{pmatrix}" + "1&" * 500 + "1\\end{pmatrix}",
    "chemistry": "H_2" * 600 + "=" + "O_2" * 300,
    "units": "1 m" + "·m" * 500,
    "compound": "1小时" * 500,
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS.keys())
def test_a_bomb_is_a_miss(text: str) -> None:
    assert not compare("3", text).right
    assert not compare(text, "3").right
    assert extract(f"So it is \\boxed{{{text}}}.").answers in ((text,), ())


def test_all_bombs_against_each_other_stay_within_a_small_memory() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    texts = list(BOMBS.values())
    for one in texts:
        for two in texts[::4]:
            compare(one, two)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 200 * 1024  # kilobytes


@pytest.mark.parametrize("mark", ["_", "＿", "\\_", "( ", "1", "方程", "所有的"])
def test_a_question_of_nothing_but_blanks_is_read(mark: str) -> None:
    assert compare("3", "3", question=mark * (19_000 // len(mark))).right


def test_limits_are_deterministic() -> None:
    node = parse(tokens(clean("2^{3000}")) or ())
    assert node is not None
    assert exact(node) == 2**3000
    larger = parse(tokens(clean("2^{30000}")) or ())
    assert larger is not None
    with pytest.raises(Limit):
        exact(larger)
    assert compare("2^{30000}", "2^{30001}").detail == "resource"


def test_other_threads_go_on_while_bombs_are_compared() -> None:
    turns, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            turns[0] += 1
            done.wait(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    seen = []
    try:
        for text in BOMBS.values():
            compare("3", text)
            seen.append(turns[0])
    finally:
        done.set()
        thread.join()
    assert turns[0] > 1


PAIRS = [
    ("\\frac{\\sqrt{2}}{2}", "\\frac{1}{\\sqrt{2}}"), ("\\tan^2 y+1", "\\sec^2 y"), ("2\\sin x\\cos x", "\\sin 2x"), ("\\sqrt{x^2}", "x"), ("4\\pi", "12.56"), ("\\ln(xy)", "\\ln(yx)"),
    ("\\sqrt{3+2\\sqrt{2}}", "1+\\sqrt{2}"), ("2^{n+1}", "2\\times 2^n"), ("5 m", "500 cm"), ("2H_2+O_2=2H_2O", "O_2+2H_2=2H_2O"), ("x^2+y^2=4", "2x^2+2y^2=8"), ("10^{10^{10}}", "3"),
]  # fmt: skip


def verdicts() -> list[str]:
    return [compare(gold, answer).verdict for gold, answer in PAIRS]


def test_threads_get_the_same_verdicts() -> None:
    alone = verdicts()
    assert set(alone) == {"right", "miss"}
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: verdicts(), range(40)):
            assert found == alone


async def test_asyncio_gets_the_same_verdicts() -> None:
    async def one() -> list[str]:
        await asyncio.sleep(0)
        return verdicts()

    alone = verdicts()
    assert all(found == alone for found in await asyncio.gather(*(one() for _ in range(20))))
    assert await asyncio.to_thread(verdicts) == alone


SCRIPT = "import json,sys; from tests.grade.test_bounds import verdicts; print(json.dumps(verdicts()))"


def test_many_processes_get_the_same_verdicts() -> None:
    root = Path(__file__).resolve().parents[2]
    # Different hash seeds: nothing may depend on the order of a set.
    children = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
            cwd=root,
            stdout=subprocess.PIPE,
            env={"PYTHONHASHSEED": str(seed), "PATH": ""},
        )
        for seed in range(4)
    ]
    for child in children:
        out, _ = child.communicate(timeout=100)
        assert json.loads(out) == verdicts()


def test_the_first_evaluation_may_come_from_many_threads_at_once() -> None:
    script = (
        "import sys; from concurrent.futures import ThreadPoolExecutor\n"
        "sys.setswitchinterval(1e-5)\n"
        "from tests.grade.test_bounds import verdicts\n"
        "with ThreadPoolExecutor(8) as pool:\n"
        "    found = list(pool.map(lambda _: verdicts(), range(16)))\n"
        "assert all(one == found[0] for one in found)\n"
        "assert 'right' in found[0]\n"
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-c", script], cwd=root, check=True, timeout=100)


def test_a_whole_output_of_megabytes_is_read() -> None:
    output = "Let us see. " * 100_000 + "\\boxed{12}"
    assert check_answers(["12"], extract(output))[0].right
