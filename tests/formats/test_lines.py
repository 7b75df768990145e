from __future__ import annotations

import gzip
import json
import secrets
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eduflow.errors import InputError
from eduflow.formats.lines import (
    OVER_LONG,
    WholeFile,
    decode,
    decode_output,
    encode,
    read_document,
    read_lines,
)
from tests.support.refusal import refusal


def test_a_line_ends_at_the_newline_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    text = '{"q": "one\u2028two\u2029three\x85four\x0bfive\rsix"}'.encode()
    path.write_bytes(text + b"\r\n\n  \n" + text)
    assert [number for number, _ in read_lines(path)] == [1, 4]
    assert [line for _, line in read_lines(path)] == [text, text]


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf{}\n")
    assert list(read_lines(path)) == [(1, b"{}")]


def test_gzip_is_told_by_content(tmp_path: Path) -> None:
    path = tmp_path / "plain-name.jsonl"
    path.write_bytes(gzip.compress(b'{"a": 1}\n{"b": 2}\n'))
    assert len(list(read_lines(path))) == 2


def test_a_torn_gzip_stream_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    packed = gzip.compress(b"".join(b'{"a": %d}\n' % i for i in range(2000)))
    for broken in (packed[: len(packed) // 2], packed[:200] + b"\0" * 50 + packed[250:]):
        path.write_bytes(broken)
        with pytest.raises(InputError, match=r"a\.jsonl\.gz: the gzip stream is broken"):
            list(read_lines(path))


def test_utf16_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes('{"a": 1}\n'.encode("utf-16"))
    with pytest.raises(InputError, match="UTF-16; save it as UTF-8"):
        list(read_lines(path))


@pytest.mark.parametrize("ending", [b"\n", b""])
def test_an_over_long_line_is_passed_over_and_the_next_one_read(tmp_path: Path, ending: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"1\n" + b"x" * 3_000_000 + b"\n2\n" + b"y" * 50 + ending)
    assert list(read_lines(path, max_line=20)) == [(1, b"1"), (2, OVER_LONG), (3, b"2"), (4, OVER_LONG)]


def test_a_line_of_exactly_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"x" * 20 + b"\n" + b"y" * 21 + b"\n")
    assert list(read_lines(path, max_line=20)) == [(1, b"x" * 20), (2, OVER_LONG)]


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing here: cannot be read: No such file"):
        list(read_lines(tmp_path / "nothing here"))
    with pytest.raises(InputError, match="is a folder"):
        list(read_lines(tmp_path))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"a": NaN}', "NaN or Infinity"),
        (b'{"a": [-Infinity]}', "NaN or Infinity"),
        (b'{"a": "\\ud800"}', "half of a surrogate pair"),
        (b'{"a": "\\udc00x"}', "half of a surrogate pair"),
        (b'{"a": "\xff"}', r"not UTF-8 \(byte 8"),
        (b'{"a": 1', "is not JSON: EOF"),
        (b"{'a': 1}", r"is not JSON: .*column 2"),
        (b"[" * 5000, "recursion limit"),
        (b"1" * 10_000, "number out of range"),
        (b'{"a": 1} {"b": 2}', "trailing"),
    ],
)
def test_what_is_not_json_is_said_in_one_sentence(line: bytes, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        decode(line)
    assert "\n" not in str(caught.value)


def test_half_a_pair_in_an_output_becomes_a_replacement_character() -> None:
    assert decode_output(b'{"o": "a\\ud800b \\ud83d\\ude00", "l": ["\\udfff"]}') == {
        "o": "a\ufffdb \U0001f600",
        "l": ["\ufffd"],
    }
    with pytest.raises(InputError):
        decode_output(b'{"o": "\\ud800", "x": NaN}')
    with pytest.raises(InputError):
        decode_output(b'{"o": "\\ud800"' + b"[" * 5000)


def test_an_error_in_a_document_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[\n  {"a": 1},\n  {"a": }\n]', "utf-8")
    with pytest.raises(InputError, match=r"a\.json:3: is not JSON"):
        read_document(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", {1, 2}, object()])
def test_what_has_no_json_form_is_not_written(value: object) -> None:
    with pytest.raises(InputError, match="no JSON form"):
        encode({"a": value})


def test_separators_that_other_tools_split_on_are_escaped() -> None:
    line = encode({"a": "1\u20282\u20293\x854\n5"})
    assert len(line.decode().splitlines()) == 1
    assert decode(line) == {"a": "1\u20282\u20293\x854\n5"}


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.jsonl"
    with WholeFile(path) as stream:
        stream.write(b"first")
        assert not path.exists()
    assert path.read_bytes() == b"first"

    def fail() -> None:
        with WholeFile(path) as stream:
            stream.write(b"second")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_bytes() == b"first"
    assert [entry.name for entry in path.parent.iterdir()] == ["a.jsonl"]


def test_equal_content_packs_to_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        with WholeFile(tmp_path / name) as stream:
            stream.write(b"x" * 1000)
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == b"x" * 1000


def test_a_folder_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"), WholeFile(tmp_path / "file" / "a.jsonl"):
        pass


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_json_or_an_input_error(line: bytes) -> None:
    assert "\n" not in (refusal(lambda: decode(line)) or "")
    assert "\n" not in (refusal(lambda: decode_output(line)) or "")


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@settings(deadline=None)
@given(_json)
def test_what_is_written_is_read_back(value: object) -> None:
    assert decode(encode(value)) == value
    assert decode(json.dumps(value).encode()) == value


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_full_disk_is_one_sentence(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = WholeFile(tmp_path / name)
    monkeypatch.setattr(whole, "_temporary", Path("/dev/full"))
    monkeypatch.setattr(Path, "unlink", lambda self, missing_ok=False: None)
    opened = Path.open
    monkeypatch.setattr(Path, "open", lambda self, mode="r": opened(self, mode.replace("x", "w")))

    def fill() -> None:
        with whole as stream:
            for _ in range(100):
                stream.write(secrets.token_bytes(100_000))

    with pytest.raises(InputError, match=r"a\.jsonl.*: cannot be written: No space left on device"):
        fill()
    assert not (tmp_path / name).exists()


@pytest.mark.skipif(
    sys.platform != "linux", reason="needs a file that opens and can't be read: Linux's /proc"
)
def test_a_file_that_opens_and_fails_when_it_is_read_is_an_input_error() -> None:
    with pytest.raises(InputError, match="/proc/self/mem: cannot be read: "):
        list(read_lines("/proc/self/mem"))
