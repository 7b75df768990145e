"""The house rules that a machine can check: which room imports which, and no cycles."""

from __future__ import annotations

import ast
from pathlib import Path

import eduflow

ROOT = Path(eduflow.__file__).parent

# Each room imports only from rooms on lines above its own; rooms of one line don't know each other.
FLOORS: list[set[str]] = [
    {"errors"},
    {"engine", "labels"},
    {"problem"},
    {"formats", "prompts"},
    {"solve"},
    {"grade"},
    {"critique"},
    {"search", "select"},
    {"benchmarks"},
    {"report"},
    {"evaluation"},
    {"cli"},
    {"__init__", "__main__"},
]
# Two roots that never know each other, whatever the floors allow.
APART = [("engine", {"problem", "labels"}), ("problem", {"engine"}), ("labels", {"engine"})]


def room_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """The rooms of this package that a file imports, those inside functions included."""
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: relative import"
            names = (
                [node.module]
                if node.module != "eduflow"
                else [f"eduflow.{alias.name}" for alias in node.names]
            )
        else:
            continue
        rooms |= {name.split(".")[1] for name in names if name.startswith("eduflow.")}
    return {room for room in rooms if not room.startswith("__")}


def test_rooms_import_downwards_only() -> None:
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    faults = []
    for path in sorted(ROOT.rglob("*.py")):
        room = room_of(path)
        assert room in floor, f"{room} stands on no floor: give it one"
        for other in imports(path) - {room}:
            if floor[other] >= floor[room]:
                faults.append(f"{path.relative_to(ROOT)} imports {other}")
            faults += [
                f"{path.relative_to(ROOT)} imports {other}" for a, b in APART if room == a and other in b
            ]
    assert not faults, "\n".join(faults)


def test_no_file_is_a_room_of_its_own_by_accident() -> None:
    rooms = {room_of(path) for path in ROOT.rglob("*.py")}
    assert rooms == set().union(*FLOORS)
