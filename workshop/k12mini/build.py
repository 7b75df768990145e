"""Builds K12-Mini into the package: `python -m workshop.k12mini.build [--check] [--sheet FILE] [--only TEXT]`.

Without options it writes `problems.jsonl` and the figures. `--check` writes nothing and says what differs from the
package; `--sheet` writes a picture with all the figures; `--only` draws just the problems whose id holds TEXT, into
the folder that `--into` names.
"""

from __future__ import annotations

import argparse
import importlib
import io
import pkgutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFont
from workshop.k12mini.item import ENTRIES, Entry
from workshop.k12mini.style import FONT, render

from eduflow.formats import write_jsonl
from eduflow.problem import LANGUAGES, STAGES, SUBJECTS, TYPES, Language, Problem

PARTS = {"build", "item", "style"}  # every other file of this folder holds problems
for _file in pkgutil.iter_modules([str(Path(__file__).parent)]):
    if _file.name not in PARTS:
        importlib.import_module(f"workshop.k12mini.{_file.name}")
PACKAGE = Path(__file__).resolve().parents[2] / "src" / "eduflow" / "benchmarks" / "k12mini"


def entries() -> list[Entry]:
    """All problems, in the order of the cells and types."""
    return sorted(
        ENTRIES.values(),
        key=lambda e: (SUBJECTS.index(e.subject), STAGES.index(e.stage), TYPES.index(e.type), e.serial),
    )


def figures(entry: Entry) -> dict[str, bytes]:
    """The figures of an entry by file name: one for both languages where they come out the same, else one each."""
    drawn = {language: render(entry.item.draw, language) for language in LANGUAGES}
    if drawn["zh"] == drawn["en"]:
        return {f"{entry.group}.png": drawn["zh"]}
    return {f"{entry.group}-{language}.png": content for language, content in drawn.items()}


def file_name(entry: Entry, language: Language, names: Iterable[str]) -> str:
    """The file name of the figure that a language uses."""
    own = f"{entry.group}-{language}.png"
    return own if own in names else f"{entry.group}.png"


def rows(folder: Path, drawn: dict[str, bytes]) -> list[Problem]:
    """The problems with the paths of their figures in `folder`."""
    return [
        entry.problem(language, str(folder / "figures" / file_name(entry, language, drawn)))
        for entry in entries()
        for language in LANGUAGES
    ]


def difference(one: bytes, other: bytes) -> float:
    """How far two figures are apart, 0 to 1: the largest difference of any spot of 8 × 8 pixels; 1 for other sizes.

    Another version of matplotlib or of the font's rasteriser shifts edges by less than a pixel, which stays under 0.2;
    a number or a line at another place does not.
    """
    a, b = (Image.open(io.BytesIO(content)).convert("L") for content in (one, other))
    if a.size != b.size:
        return 1.0
    spots = (max(1, a.width // 8), max(1, a.height // 8))
    gap = ImageChops.difference(a.resize(spots, Image.Resampling.BOX), b.resize(spots, Image.Resampling.BOX))
    return float(gap.getextrema()[1]) / 255  # type: ignore[arg-type]


def check(folder: Path, drawn: dict[str, bytes]) -> list[str]:
    """What in the package differs from what the workshop makes now."""
    from eduflow.formats import open_problems

    found = []
    there = {path.name for path in (folder / "figures").glob("*.png")}
    found += [f"figures/{name} is missing" for name in sorted(drawn.keys() - there)]
    found += [f"figures/{name} belongs to no problem" for name in sorted(there - drawn.keys())]
    for name in sorted(there & drawn.keys()):
        if difference((folder / "figures" / name).read_bytes(), drawn[name]) > 0.2:
            found.append(f"figures/{name} differs")
    kept = {problem.id: problem for problem in open_problems(folder / "problems.jsonl")}
    made = {problem.id: problem for problem in rows(folder, drawn)}
    found += [f"problem {id} differs" for id in made.keys() | kept.keys() if made.get(id) != kept.get(id)]
    return found


def sheet(drawn: dict[str, bytes], columns: int = 6, cell: tuple[int, int] = (400, 320)) -> Image.Image:
    """All figures in a grid, each with its name."""
    from matplotlib import font_manager

    font = ImageFont.truetype(font_manager.findfont(FONT), 15)
    lines = -(-len(drawn) // columns)
    page = Image.new("RGB", (columns * cell[0], lines * cell[1]), "white")
    pen = ImageDraw.Draw(page)
    for i, (name, content) in enumerate(drawn.items()):
        left, top = i % columns * cell[0], i // columns * cell[1]
        image = Image.open(io.BytesIO(content)).convert("RGB")
        image.thumbnail((cell[0] - 24, cell[1] - 44), Image.Resampling.LANCZOS)
        page.paste(
            image, (left + (cell[0] - image.width) // 2, top + 30 + (cell[1] - 44 - image.height) // 2)
        )
        pen.rectangle((left, top, left + cell[0] - 1, top + cell[1] - 1), outline="#C9CED3")
        pen.text((left + 10, top + 6), name.removesuffix(".png"), fill="#1A1A1A", font=font)
    return page


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m workshop.k12mini.build", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with the package, write nothing")
    parser.add_argument(
        "--sheet", type=Path, metavar="FILE", help="write a picture with all the Chinese figures"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="just the problems whose id holds TEXT")
    parser.add_argument(
        "--into", type=Path, default=PACKAGE, metavar="FOLDER", help="where to write (default: the package)"
    )
    options = parser.parse_args(arguments)
    chosen = [entry for entry in entries() if options.only in entry.group]
    faults = [f"{entry.group}: {fault}" for entry in chosen for fault in entry.faults()]
    drawn = {name: content for entry in chosen for name, content in figures(entry).items()}
    if options.check:
        faults += check(options.into, drawn)
    if faults:
        print("\n".join(faults), file=sys.stderr)
        return 1
    if options.sheet:
        zh = {name: content for name, content in drawn.items() if not name.endswith("-en.png")}
        packed = sheet(zh).quantize(colors=256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        packed.save(options.sheet, optimize=True)
    elif not options.check:
        write(options.into, drawn, whole=not options.only)
    return 0


def write(folder: Path, drawn: dict[str, bytes], whole: bool) -> None:
    """Writes the figures, and with `whole` the problems too, and takes away figures that belong to no problem."""
    place = folder / "figures"
    place.mkdir(parents=True, exist_ok=True)
    for name, content in drawn.items():
        (place / name).write_bytes(content)
    if whole:
        for path in place.glob("*.png"):
            if path.name not in drawn:
                path.unlink()
        write_jsonl(folder / "problems.jsonl", rows(folder, drawn))


if __name__ == "__main__":
    raise SystemExit(main())
