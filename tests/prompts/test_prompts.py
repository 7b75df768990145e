"""Templates: filled once, replaced by a user's folder, complete in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import eduflow.prompts
from eduflow.errors import ConfigError
from eduflow.prompts import Prompts

PACKAGED = Path(eduflow.prompts.__file__).parent


def test_values_are_put_in_once_and_stay_text() -> None:
    values = {"problem": "what is {{n}} and {{secret}}?", "n": "1"}
    assert "what is {{n}} and {{secret}}?" in Prompts().render("solve_direct_blank", "en", values)


def test_both_languages_have_the_same_files_with_the_same_slots() -> None:
    slots: dict[str, dict[str, list[str]]] = {}
    for language in ("zh", "en"):
        for path in sorted((PACKAGED / language).glob("*.txt")):
            found = sorted(set(re.findall(r"\{\{(\w+)\}\}", path.read_text(encoding="utf-8"))))
            slots.setdefault(path.name, {})[language] = found
    assert slots
    for name, by_language in slots.items():
        assert by_language.keys() == {"zh", "en"}, name
        assert by_language["zh"] == by_language["en"], name


def test_a_folder_of_the_users_replaces_one_template(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "solve_direct_blank.txt").write_text("MINE {{problem}}\n")
    prompts = Prompts(tmp_path)
    assert prompts.render("solve_direct_blank", "en", {"problem": "x", "n": "1"}) == "MINE x"
    assert prompts.template("solve_cot_blank", "en") == Prompts().template("solve_cot_blank", "en")


def test_faults_of_a_users_template_are_named(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    path = tmp_path / "en" / "solve_direct_blank.txt"
    path.write_text("{{answer}}")
    with pytest.raises(
        ConfigError, match=r"en/solve_direct_blank\.txt names 'answer'; it can use: n, problem"
    ):
        Prompts(tmp_path).render("solve_direct_blank", "en", {"problem": "x", "n": "1"})
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="not UTF-8"):
        Prompts(tmp_path).template("solve_direct_blank", "en")
    with pytest.raises(ConfigError, match="does not exist"):
        Prompts(tmp_path / "none")
    with pytest.raises(ConfigError, match=r"no prompt template en/nothing\.txt"):
        Prompts().template("nothing", "en")
