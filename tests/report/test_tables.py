"""What a reader sees: terminal, Markdown, JSON, CSV and the leaderboard."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from eduflow.engine import Run
from eduflow.errors import InputError
from eduflow.report import published_grid, write_report
from eduflow.report.boards import leaderboard, leaderboard_markdown, print_leaderboard, tall_grid, wide_grid
from eduflow.report.columns import collect
from eduflow.report.compare import compare
from eduflow.report.grids import Grid
from eduflow.report.metrics import metrics
from eduflow.report.pairs import LISTED, comparison_markdown, print_comparison
from eduflow.report.records import Record, Source, config_hash
from eduflow.report.tables import markdown, print_metrics, title
from tests.support.records import make_record, random_records

CONFIG = {
    "algorithm": "eval-1",
    "problems": {"name": "toys", "fingerprint": "ab" * 32},
    "solver": {"name": "toy", "identity": "toy-7b@1"},
    "grader": {"judge": None},
}


def source(records: Iterable[Record], name: str = "mine", **known: Any) -> Source:
    held = list(records)
    return Source(name=name, path=Path("runs") / name, read=lambda: held, **known)


def printed(records: Iterable[Record], *, width: int = 80, **known: Any) -> str:
    found = source(records, **known)
    console = Console(file=io.StringIO(), width=width)
    print_metrics(found, metrics(found.records()), console)
    return console.file.getvalue()  # type: ignore[attr-defined, no-any-return]


def test_a_terminal_of_80_columns_holds_everything() -> None:
    text = printed(random_records(900, samples=2), config=CONFIG, config_hash="c" * 64)
    assert max(cell_len(line) for line in text.split("\n")) <= 80
    for word in (
        "Primary",
        "Middle",
        "High",
        "Overall",
        "Macro",
        "Solved",
        "Choice",
        "Blank",
        "Free",
        "geography",
    ):
        assert word in text
    assert "…" not in text
    line = " ".join(text.split())
    for fact in ("configuration cccccccccccc", "problem set abababababab", "solver toy-7b@1", "judge none"):
        assert fact in line


def test_small_groups_print_their_count_and_no_percentage() -> None:
    records = [make_record(f"p{i}", (i % 2,)) for i in range(40)] + [make_record("h", (1, 0), stage="high")]
    row = next(line for line in printed(records).split("\n") if line.strip().startswith("direct"))
    # Primary: none; Middle: 20 of 40; High: half of one; then Overall, macro and solved.
    assert row.split() == ["direct", "–", "50.0", "0.5", "of", "1", "50.0", "50.0", "48.8"]


def test_failures_are_said_with_the_lower_bound() -> None:
    records = [make_record(f"p{i}", (1,)) for i in range(30)]
    records += [make_record(f"f{i}", None, not_scored="judge_unparsed") for i in range(10)]
    text = printed(records)
    assert "n 30/40" in text
    assert "not scored: the judge was not understood" in text
    assert next(line for line in text.split("\n") if "lower bound of Overall" in line).split()[-1] == "75.0"
    assert "lower bound" not in printed(records[:30])


def test_zeros_that_nobody_decided_are_said_to_be_a_lower_bound() -> None:
    undecided = [make_record(f"p{i}", (0,)) for i in range(3)]
    assert "3 blanks count 0 because no comparator accepted them" in " ".join(printed(undecided).split())
    settled = [make_record(f"p{i}", (0,), decided_by="settled") for i in range(3)]
    assert "no comparator accepted" not in printed(settled)


@pytest.mark.parametrize(
    ("inputs", "note"),
    [
        (("images", "text"), ""),
        (("captions", "text"), "; captions in place of images (1 of 2 problems)"),
        (("dropped", "dropped"), "; images dropped (2 of 2 problems)"),
    ],
)
def test_the_title_says_what_stood_for_the_images(inputs: tuple[str, str], note: str) -> None:
    records = [
        make_record(f"p{i}", input=each, mode=mode)
        for i, each in enumerate(inputs)
        for mode in ("direct", "cot")
    ]
    assert title(source(records, config=CONFIG), metrics(records)) == f"toy on toys (zh){note}"


def test_an_unfinished_and_a_stopped_run_say_so() -> None:
    text = printed([make_record()], about={"planned": 66}, stopped={"cost": 2})
    assert "1 of 66 planned solutions" in text
    assert "limit on cost" in text


def test_chinese_names_keep_the_columns_straight() -> None:
    console = Console(file=io.StringIO(), width=60)
    Grid("表", ("模型", "分"), (("通义千问七十二亿", "1.0"), ("toy", "22.0"))).print(console)
    rows = [line for line in console.file.getvalue().split("\n") if line.rstrip().endswith(".0")]  # type: ignore[attr-defined]
    assert len({cell_len(line.rstrip()) for line in rows}) == 1


def test_names_are_never_read_as_markup() -> None:
    records = [make_record(solver="[red]x[/red] <b> a|b `c` *d*")]
    assert "[red]x[/red] <b> a|b" in printed(records)
    text = markdown(source(records), metrics(records))
    assert text.startswith("# \\[red\\]x\\[/red\\] &lt;b&gt; a\\|b \\`c\\` \\*d\\*")


def test_markdown_tables_have_as_many_cells_in_every_row() -> None:
    records = list(random_records(100, samples=2))
    text = markdown(
        source(records, config=CONFIG | {"note": "````"}, about={"versions": {"eduflow": "1"}}),
        metrics(records),
    )
    tables = [block for block in text.split("\n\n") if block.startswith("|")]
    assert len(tables) >= 5
    for table in tables:
        assert len({line.count("|") for line in table.split("\n")}) == 1
    assert '"identity": "toy-7b@1"' in text
    assert "`````json" in text


def run_with(folder: Path, records: Iterable[Record]) -> Run:
    run = Run.open(folder)
    run.write_config(CONFIG, {"versions": {"eduflow": "0"}})
    for record in records:
        item = f"{record.problem_id}/{record.mode}/{record.sample}"
        run.put_result(item, config_hash(CONFIG), "eval-1", record.to_bytes())
    return run


def test_a_run_gets_its_three_files(tmp_path: Path) -> None:
    records = list(random_records(60))
    with run_with(tmp_path / "mine", records) as run:
        found = write_report(run)
    content = json.loads((tmp_path / "mine" / "metrics.json").read_bytes())
    assert content["schema_version"] == 1
    assert content["metrics"] == json.loads(json.dumps(found.to_json()))
    assert content["run"]["config"] == CONFIG
    assert content["run"]["config_hash"] == config_hash(CONFIG)
    assert content["report"]["resamples"] == 2000
    assert (tmp_path / "mine" / "report.md").read_text(encoding="utf-8").startswith("# toy on toys (zh)")
    assert not list((tmp_path / "mine").glob("*.tmp"))


def test_equal_records_give_equal_files_whatever_their_order(tmp_path: Path) -> None:
    records = list(random_records(60))
    for folder, order in (("a", records), ("b", records[::-1])):
        with run_with(tmp_path / folder / "run", order) as run:
            write_report(run, tmp_path / folder / "out")
    for name in ("metrics.json", "metrics.csv"):
        assert (tmp_path / "a" / "out" / name).read_bytes() == (tmp_path / "b" / "out" / name).read_bytes()


def test_the_csv_opens_in_a_spreadsheet(tmp_path: Path) -> None:
    records = [make_record(f"p{i}", (i % 2,), solver='=HYPERLINK("x")') for i in range(40)]
    write_report(source(records, "运行"), tmp_path)
    content = (tmp_path / "metrics.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert {row["run"] for row in rows} == {"运行"}
    assert {row["solver"] for row in rows} == {'\'=HYPERLINK("x")'}
    overall = next(row for row in rows if row["group_by"] == "all" and row["measure"] == "score")
    assert float(overall["value"]) == 0.5
    assert overall["problems"] == "40"
    for row in rows:
        unscored = sum(int(number) for name, number in row.items() if name.startswith("not_scored_"))
        assert int(row["solutions"]) == int(row["scored"]) + unscored


def test_published_figures_stand_beside_ours() -> None:
    records = [
        make_record(f"p{i}", (int(i % 4 > 0),), extra={"part": "algebra" if i < 40 else "own"})
        for i in range(80)
    ]
    found = metrics(records, group=lambda record: str(record.extra["part"]))
    grid = published_grid(
        found.modes["direct"].score.groups,
        {"algebra": 0.7, "topology": 0.2},
        title="Published, 2024",
        ours="EduFlow",
    )
    assert grid.head == ("", "EduFlow", "95%", "published", "difference", "n")
    assert [row[0] for row in grid.rows] == ["algebra", "topology", "own"]
    assert grid.rows[0][1] == "75.0"
    assert grid.rows[0][3:] == ("70.0", "+5.0", "40/40")
    assert grid.rows[1] == ("topology", "–", "", "20.0", "", "")
    assert grid.rows[2][3:] == ("–", "", "40/40")


def board_sources() -> Iterator[Source]:
    yield source(random_records(120, seed=1, solver="模型甲", input="images"), "a", config=CONFIG)
    yield source(
        random_records(120, seed=1, solver="better", input="images", ability=0.9), "b", config=CONFIG
    )
    yield source(
        random_records(110, seed=1, solver="blind", input="captions", ability=0.2), "c", config=CONFIG
    )


def test_a_leaderboard_groups_by_input_and_ranks_by_average() -> None:
    board = leaderboard(list(board_sources()), baseline="a")
    assert {group: [row.name for row in rows] for group, rows in board.groups.items()} == {
        "text + image": ["b", "a"],
        "text + captions": ["c"],
    }
    gains = {row.name: row.gain for row in board.rows}
    assert gains["a"] is None
    assert gains["b"] is not None
    assert gains["b"].average is not None
    assert gains["b"].average.interval is not None
    assert gains["b"].average.interval[0] > 0
    assert gains["c"] is not None
    assert (gains["c"].modes["cot"].overall.value or 0) < 0
    assert gains["c"].modes["cot"].only_first == 10
    assert board.notes == (
        "The runs have different numbers of problems: compare them by their gains, which are paired.",
    )
    json.dumps(board.to_json(), allow_nan=False)


def test_a_leaderboard_is_laid_out_as_the_papers() -> None:
    board = leaderboard(list(board_sources()), baseline="a")
    head = wide_grid(board).head
    assert head[1:6] == ("direct Primary", "direct Middle", "direct High", "direct Overall", "direct gain")
    assert head[-2:] == ("Avg.", "Avg. gain")
    assert wide_grid(leaderboard(list(board_sources()))).head[-1] == "Avg."
    text = leaderboard_markdown(board)
    assert "| **text + captions** |" in text
    assert "captions in place of images (110 of 110 problems)" in text
    for width in (80, 300):
        console = Console(file=io.StringIO(), width=width)
        print_leaderboard(board, console)
        shown = console.file.getvalue()  # type: ignore[attr-defined]
        assert max(cell_len(line) for line in shown.split("\n")) <= width
        assert ("direct Overall" in shown) is (width == 300)
    assert all(len(row) in (1, len(tall_grid(board).head)) for row in tall_grid(board).rows)


def test_a_leaderboard_refuses_an_unknown_baseline_and_mixed_sets() -> None:
    with pytest.raises(InputError, match="the baseline 'z' is none of the runs: a, b, c"):
        leaderboard(list(board_sources()), baseline="z")
    other = source([make_record("p1")], "other", config=CONFIG | {"problems": {"fingerprint": "cd" * 32}})
    with pytest.raises(InputError, match="different problem sets"):
        leaderboard([*board_sources(), other])


def test_two_languages_stand_in_groups_of_their_own() -> None:
    sources = [source([make_record("p1", language=lang)], lang) for lang in ("zh", "en")]
    assert list(leaderboard(sources).groups) == ["text (en)", "text (zh)"]


def test_the_terminal_lists_some_flips_and_markdown_all() -> None:
    old = source([make_record(f"p{i}", (0,)) for i in range(LISTED + 30)], "old")
    new = source([make_record(f"p{i}", (1,)) for i in range(LISTED + 30)], "new")
    found = compare((old, collect(old.records())), (new, collect(new.records())))
    console = Console(file=io.StringIO(), width=80)
    print_comparison(found, console)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert shown.count("wrong → right") == LISTED + 1  # and the row that counts them
    assert f"{LISTED} of {LISTED + 30}" in shown
    assert "--flips FILE writes all of them" in shown
    assert comparison_markdown(found).count("| direct | math, middle, blank | wrong → right |") == LISTED + 30


def test_what_the_run_has_to_say_stands_in_its_report() -> None:
    about = {"notes": ["2 problems have no prediction (the first: p1, p2)", "a second."]}
    text = " ".join(printed([make_record()], about=about).split())
    assert "2 problems have no prediction (the first: p1, p2). A second." in text


def test_a_narrow_terminal_never_cuts_a_number() -> None:
    records = list(random_records(400))
    narrow, wide = printed(records, width=40), printed(records, width=120)
    numbers = set(re.findall(r"\d+\.\d–\d+\.\d|\d+/\d+", wide))
    assert len(numbers) > 20
    assert numbers == set(re.findall(r"\d+\.\d–\d+\.\d|\d+/\d+", narrow))
