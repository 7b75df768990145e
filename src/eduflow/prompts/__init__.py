"""Prompt templates: text files in `zh/` and `en/`, which a folder of the user's can replace one by one.

A template holds `{{name}}` where a value goes. Values are put in once and never read again, so that a problem's or
a student's text that looks like a template stays text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from eduflow.errors import ConfigError

_SLOT = re.compile(r"\{\{(\w+)\}\}")


class Prompts:
    """The templates of the package, with those of `folder` before them.

    Args:
        folder: a folder laid out like the package's (`zh/solve_choice_cot.txt`, ...); None for the package's alone.

    Raises:
        ConfigError: the folder does not exist.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None and not self.folder.is_dir():
            raise ConfigError(f"the prompt folder {self.folder} does not exist")

    def template(self, name: str, language: str) -> str:
        """The text of template `name` in `language` ("zh" or "en"), without its last line break."""
        return self.text(f"{name}.txt", language)

    def text(self, file: str, language: str) -> str:
        """The content of a prompt file, the user's before the package's, without its last line break."""
        if self.folder is not None:
            path = self.folder / language / file
            if path.is_file():
                try:
                    return path.read_text(encoding="utf-8").rstrip("\n")
                except UnicodeDecodeError:
                    raise ConfigError(f"{path}: the template is not UTF-8") from None
                except OSError as error:
                    raise ConfigError(f"{path}: the template cannot be read: {error.strerror}") from None
        return _packaged(file, language)

    def slots(self, name: str, language: str) -> frozenset[str]:
        """The names of the values that the template asks for."""
        return frozenset(_SLOT.findall(self.template(name, language)))

    def render(self, name: str, language: str, values: Mapping[str, str]) -> str:
        """The template with its slots filled.

        Raises:
            ConfigError: the template names a value that is not among `values`.
        """

        def fill(match: re.Match[str]) -> str:
            slot = match.group(1)
            if slot not in values:
                known = ", ".join(sorted(values))
                raise ConfigError(f"template {language}/{name}.txt names '{slot}'; it can use: {known}")
            return values[slot]

        return _SLOT.sub(fill, self.template(name, language))


@cache
def _packaged(file: str, language: str) -> str:
    path = resources.files(__name__) / language / file
    if not path.is_file():
        raise ConfigError(f"there is no prompt template {language}/{file}")
    return path.read_text(encoding="utf-8").rstrip("\n")
