"""From status and raw bytes to an outcome: nothing that goes wrong becomes text."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from eduflow.engine.calls import TokenLogprob, Usage
from eduflow.engine.classify import Answer, Choice, Trouble, TroubleKind, classify, retry_after
from tests.support.fake_endpoint import completion


def answer(raw: bytes) -> Answer:
    result = classify(200, raw)
    assert isinstance(result, Answer), result
    return result


def choice(raw: bytes) -> Choice:
    (only,) = answer(raw).choices
    return only


def trouble(status: int, raw: bytes) -> Trouble:
    result = classify(status, raw)
    assert isinstance(result, Trouble), result
    return result


# --- replies ----------------------------------------------------------------------------------------------------------


def test_a_plain_reply() -> None:
    result = answer(completion("42", usage={"prompt_tokens": 7, "completion_tokens": 2}))
    assert result == Answer((Choice("ok", "42", "", "stop"),), Usage(7, 2), 1)


@pytest.mark.parametrize(
    ("reason", "outcome"),
    [
        ("stop", "ok"),
        ("eos", "ok"),
        ("tool_calls", "ok"),
        (None, "ok"),
        ("length", "truncated"),
        ("max_tokens", "truncated"),
        ("content_filter", "filtered"),
        ("SAFETY", "filtered"),
        ("sensitive", "filtered"),
    ],
)
def test_finish_reasons(reason: str | None, outcome: str) -> None:
    found = choice(completion("some text", finish_reason=reason))
    assert (found.outcome, found.text) == (outcome, "some text")


@pytest.mark.parametrize("reason", ["error", "abort", "insufficient_system_resource"])
def test_a_reply_that_the_server_broke_off_is_asked_for_again(reason: str) -> None:
    assert trouble(200, completion("some te", finish_reason=reason)).kind == "retry"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning"])
def test_reasoning_in_a_field_of_its_own(name: str) -> None:
    found = choice(completion("4", message={name: "2 and 2"}))
    assert (found.text, found.reasoning) == ("4", "2 and 2")


def test_null_content_with_reasoning_is_an_empty_reply_that_keeps_the_reasoning() -> None:
    found = choice(completion(None, message={"reasoning_content": "hm"}))
    assert (found.outcome, found.text, found.reasoning, found.empty) == ("ok", "", "hm", True)


def test_null_content_that_ran_into_the_limit_is_truncated() -> None:
    found = choice(completion(None, finish_reason="length"))
    assert (found.outcome, found.text, found.empty) == ("truncated", "", False)


def test_null_content_with_nothing_else_is_no_reply() -> None:
    assert trouble(200, completion(None)).kind == "retry"


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_reply_is_marked(text: str) -> None:
    assert choice(completion(text)).empty
    assert not choice(completion(text, finish_reason="length")).empty
    assert trouble(200, completion(text, finish_reason=None)).kind == "retry"


def test_a_refusal_is_filtered_and_not_text() -> None:
    found = choice(completion(None, message={"refusal": "I can't help with that."}))
    assert (found.outcome, found.text) == ("filtered", "")
    assert "I can't help" in found.error


def test_content_in_parts() -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "audio", "text": "no"}, {"type": "text", "text": "b"}]
    assert choice(completion("x", message={"content": parts})).text == "ab"


def test_unclosed_thinking_stays_in_the_text() -> None:
    found = choice(completion("<think>so far", finish_reason="length"))
    assert (found.outcome, found.text) == ("truncated", "<think>so far")


def test_lone_surrogates_become_replacement_characters() -> None:
    found = choice(completion("a \ud83d b", message={"reasoning": "\udc00"}))
    assert (found.text, found.reasoning) == ("a \ufffd b", "\ufffd")
    json.dumps(found.text, ensure_ascii=False).encode()


def test_pairs_and_line_separators_are_kept() -> None:
    text = "\U0001f600 one\u2028two\u2029three\x85four\x00"
    assert choice(completion(text)).text == text


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": math.nan, "completion_tokens": math.inf}, Usage()),
        ({"prompt_tokens": -1, "completion_tokens": "12"}, Usage()),
        ({"prompt_tokens": True, "completion_tokens": 1.5}, Usage()),
        ({"prompt_tokens": 3.0, "completion_tokens": 0}, Usage(3, 0)),
        ({"prompt_tokens": 1e300}, Usage()),
        ({}, Usage()),
        (None, Usage()),
        ("many", Usage()),
        ([1], Usage()),
    ],
)
def test_token_counts_that_are_nonsense_are_unknown(usage: Any, expected: Usage) -> None:
    assert answer(completion("x", usage=usage)).usage == expected


def test_choices_are_put_in_order_and_broken_ones_left_out() -> None:
    data = json.loads(completion(["a", None, "c"]))
    data["choices"].reverse()
    result = answer(json.dumps(data).encode())
    assert [found.text for found in result.choices] == ["a", "c"]
    assert result.given == 3


def test_choices_with_the_same_index_stay_as_they_came() -> None:
    data = json.loads(completion(["a", "b"]))
    for each in data["choices"]:
        each["index"] = 0
    assert [found.text for found in answer(json.dumps(data).encode()).choices] == ["a", "b"]


LOGPROBS = {
    "content": [
        {
            "token": "Yes",
            "logprob": -0.1,
            "top_logprobs": [
                {"token": "Yes", "logprob": -0.1},
                {"token": "No", "logprob": -2.5},
                {"token": "Maybe", "logprob": None},
                {"token": "\ud800", "logprob": -9999.0},
            ],
        },
        {"token": ".", "logprob": 1e-9, "top_logprobs": []},
    ]
}


def test_log_probabilities() -> None:
    assert choice(completion("Yes.", logprobs=LOGPROBS)).logprobs == (
        TokenLogprob("Yes", -0.1, (("Yes", -0.1), ("No", -2.5), ("\ufffd", -9999.0))),
        TokenLogprob(".", 0.0, ()),
    )


@pytest.mark.parametrize(
    "logprobs",
    [
        None,
        {},
        {"content": None},
        {"content": []},
        {"content": ["Yes"]},
        {"content": [{"token": "Yes"}]},
        {"content": [{"token": "Yes", "logprob": math.nan}]},
        {"content": [{"token": "Yes", "logprob": "-0.1"}]},
        {"content": [{"token": None, "logprob": -0.1}]},
        {"content": [{"token": "Yes", "logprob": 0.5}]},
        {"content": [{"token": "a", "logprob": -1.0}, {"token": "b", "logprob": -math.inf}]},
    ],
)
def test_log_probabilities_that_cannot_be_read_are_absent_never_a_number(logprobs: Any) -> None:
    assert choice(completion("Yes", logprobs=logprobs)).logprobs == ()


# --- bodies that are no reply -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"   ",
        b"null",
        b"[]",
        b'"text"',
        b"{}",
        b'{"choices": []}',
        b'{"choices": null}',
        b'{"choices": {"0": {}}}',
        b'{"choices": [null]}',
        b'{"choices": [{}]}',
        b'{"choices": [{"message": "42"}]}',
        b'{"choices": [{"message": {"content": 42}, "finish_reason": "stop"}]}',
        b'{"error": {"message": "boom"}}',
        b'{"error": "boom", "choices": [{"message": {"content": "42"}}]}',
        b'{"choices": [{"error": {"code": 502}, "message": {"content": "42"}, "finish_reason": "stop"}]}',
        completion("an answer")[:-20],
        b"\xff\xfe\x00",
        b"data: {}\n\n",
        b"[" * 100_000,
        b"9" * 10_000,
        b"<html><body>42</body></html>",
    ],
)
def test_a_200_without_a_reply_is_asked_for_again(raw: bytes) -> None:
    assert trouble(200, raw).kind == "retry"


def test_an_html_page_is_named_by_its_title() -> None:
    message = trouble(200, b"<!DOCTYPE html><html><title>Bad\n gateway</title>").message
    assert message == "an HTML page titled 'Bad gateway' instead of JSON"


def test_a_null_error_beside_choices_is_no_error() -> None:
    data = {**json.loads(completion("42")), "error": None}
    assert choice(json.dumps(data).encode()).text == "42"


# --- error statuses ---------------------------------------------------------------------------------------------------


def error(message: str, **fields: Any) -> bytes:
    return json.dumps({"error": {"message": message, **fields}}).encode()


@pytest.mark.parametrize(
    ("status", "raw", "kind"),
    [
        (500, b"", "retry"),
        (500, error("CUDA out of memory"), "retry"),
        (502, b"<html>Bad gateway</html>", "retry"),
        (504, b"upstream timed out", "retry"),
        (408, b"", "retry"),
        (409, error("conflict"), "retry"),
        (429, error("Rate limit reached"), "overload"),
        (503, error("loading model"), "overload"),
        (529, error("overloaded"), "overload"),
        (429, error("You exceeded your current quota", code="insufficient_quota"), "fatal"),
        (402, error("Insufficient balance"), "fatal"),
        (401, error("bad key"), "fatal"),
        (403, error("forbidden"), "fatal"),
        (404, error("The model `x` does not exist"), "fatal"),
        (405, b"", "fatal"),
        (308, b"", "fatal"),
        (413, b"<html>too large</html>", "input"),
        (400, error("This model's maximum context length is 4096 tokens"), "input"),
        (
            400,
            error("the request exceeds the available context size", type="exceed_context_size_error"),
            "input",
        ),
        (400, error("Prompt is too long"), "input"),
        (400, error("x", code="string_above_max_length"), "input"),
        (400, error("Range of input length should be [1, 30720]"), "input"),
        (400, error("Failed to decode the image"), "input"),
        (400, error("The image length and width do not meet the model restrictions. [height:20]"), "input"),
        (422, b'{"detail": [{"msg": "Invalid base64-encoded data"}]}', "input"),
        (400, error("absolute aspect ratio must be smaller than 200"), "input"),
        (500, error("height:20 or width:20 must be larger than factor:28"), "input"),
        (500, error("image input is not supported - hint: mmproj"), "input"),
        (400, error("triggering Azure's content management policy", code="content_filter"), "filtered"),
        (
            400,
            error("Input data may contain inappropriate content.", code="data_inspection_failed"),
            "filtered",
        ),
        (403, error("Your input was flagged by moderation"), "filtered"),
        (400, error("'temperature' must be 1 with this model"), "refused"),
        (400, error("Unrecognized request argument supplied: top_k"), "refused"),
        (422, b'{"detail": "unknown field"}', "refused"),
        (418, b"", "refused"),
    ],
)
def test_error_statuses(status: int, raw: bytes, kind: TroubleKind) -> None:
    assert trouble(status, raw).kind == kind


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"code": 429}, "overload"),
        ({"code": "503"}, "overload"),
        ({"status": 401}, "fatal"),
        ({"code": "context_length_exceeded", "message": "context length exceeded"}, "input"),
        ({"type": "invalid_request_error", "message": "maximum context length is 10"}, "input"),
        ({"code": "internal_error"}, "retry"),
        ({"code": 7}, "retry"),
    ],
)
def test_an_error_object_in_a_200_means_what_it_says(fields: dict[str, Any], kind: TroubleKind) -> None:
    raw = json.dumps({"error": {"message": "boom", **fields}}).encode()
    assert trouble(200, raw).kind == kind


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ("Unsupported parameter: 'seed'", "seed"),
        ("Only n=1 is supported", "n"),
        ("body.n: must be 1", "n"),
        ("n must be 1", "n"),
        ("Unsupported parameter: 'min_p'", None),
        ("no such option", None),
    ],
)
def test_a_400_about_n_or_seed_names_the_field(message: str, field: str | None) -> None:
    assert trouble(400, error(message)).field == field


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b'{"error": {"message": "a\\n  b"}}', "a b"),
        (b'{"error": "text"}', "text"),
        (b'{"message": "vllm"}', "vllm"),
        (b'{"detail": "fastapi"}', "fastapi"),
        (b"plain words", "a body that is not whole JSON: plain words"),
        (b"", "an empty body"),
    ],
)
def test_the_servers_words_are_found(raw: bytes, said: str) -> None:
    assert trouble(500, raw).message == f"HTTP 500: {said}"


def test_long_messages_are_cut() -> None:
    assert len(trouble(500, error("x" * 100_000)).message) < 400
    assert len(trouble(500, b"y" * 100_000).message) < 400


# --- Retry-After ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("2", 2.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, now=100.0) == seconds
