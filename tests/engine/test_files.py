"""A file is whole, or the old one, or not there."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from eduflow.engine.files import atomic_write, write_jsonl
from eduflow.errors import InputError


def test_text_and_bytes_arrive_as_they_are(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "new" / "a.txt") as text:
        text.write("一\r\n二\n")
        assert not (tmp_path / "new" / "a.txt").exists()
    assert (tmp_path / "new" / "a.txt").read_bytes() == "一\r\n二\n".encode()
    with atomic_write(tmp_path / "new" / "a.txt", "wb") as binary:
        binary.write(b"\0\n")
    assert (tmp_path / "new" / "a.txt").read_bytes() == b"\0\n"
    assert os.listdir(tmp_path / "new") == ["a.txt"]


@pytest.mark.parametrize("error", [KeyError("mine"), KeyboardInterrupt(), OSError(errno.ENOENT, "mine")])
def test_an_error_leaves_the_old_file_and_no_other(tmp_path: Path, error: BaseException) -> None:
    (tmp_path / "a.txt").write_text("old")

    def write() -> None:
        with atomic_write(tmp_path / "a.txt") as file:
            file.write("half of the n")
            raise error

    with pytest.raises(type(error)):
        write()
    assert (tmp_path / "a.txt").read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    def write() -> None:
        with atomic_write(tmp_path / "a.txt"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(InputError, match=r"a\.txt: cannot be written: No space left"):
        write()
    assert os.listdir(tmp_path) == []


def test_places_that_cannot_be_written_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path, tmp_path / "file" / "a.txt", Path("/proc/nothing/a.txt")):
        with pytest.raises(InputError, match="cannot be written"), atomic_write(path):
            pass


def test_a_link_is_followed_and_a_device_is_written_directly(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    with atomic_write(tmp_path / "link.txt") as file:
        file.write("new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"
    with atomic_write("/dev/null") as file:
        file.write("nothing")
    assert Path("/dev/null").is_char_device()


def test_an_export_is_as_readable_as_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    with atomic_write(tmp_path / "export"):
        pass
    assert (tmp_path / "export").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_json_lines_are_split_on_newlines_alone(tmp_path: Path) -> None:
    rows = [{"text": "圆 \u2028 \x85 \r\n"}, {"text": "\ud800 lone"}, {"n": 1.5}]
    assert write_jsonl(tmp_path / "rows.jsonl", iter(rows)) == 3
    lines = (tmp_path / "rows.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert [json.loads(line) for line in lines] == rows
    assert "圆".encode() in lines[0]


def test_an_export_whose_rows_fail_is_not_there(tmp_path: Path) -> None:
    def rows() -> Iterator[object]:
        yield {"n": 1}
        yield {"n": float("nan")}

    with pytest.raises(ValueError):
        write_jsonl(tmp_path / "rows.jsonl", rows())
    assert os.listdir(tmp_path) == []
