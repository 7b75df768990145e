"""Keys and bodies: what makes two calls the same one, and what goes over the wire."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from eduflow.engine import Endpoint, Image, Message, Request
from eduflow.engine.keys import body, canonical, journal_key, sent_seed
from eduflow.errors import ConfigError

ENDPOINT = Endpoint("name", "model", ("http://one/v1",))
PICTURE = Image(b"\x89PNG picture", "image/png")


def request(*content: str | Image, **changes: Any) -> Request:
    made = Request(ENDPOINT, (Message.user(*content),), {"temperature": 0, "max_tokens": 5})
    return replace(made, **changes)


def key(made: Request, sample: int = 0, seed: int = 0) -> bytes:
    return journal_key(canonical(made), made.endpoint.identity, sample, seed)


def test_the_canonical_form_holds_hashes_for_images_and_no_seed() -> None:
    data = json.loads(canonical(request(PICTURE, "what is this?")))
    assert data == {
        "max_tokens": 5,
        "messages": [
            {
                "content": [{"sha256": PICTURE.sha256}, {"text": "what is this?", "type": "text"}],
                "role": "user",
            }
        ],
        "model": "model",
        "temperature": 0,
    }
    assert list(data) == sorted(data)


def test_the_body_is_what_the_api_documents() -> None:
    data = json.loads(body(request(PICTURE, "what 是 this?"), seed=7, n=3))
    assert data == {
        "model": "model",
        "temperature": 0,
        "max_tokens": 5,
        "seed": 7,
        "n": 3,
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": json.loads(PICTURE.url_json)}},
                    {"type": "text", "text": "what 是 this?"},
                ],
            }
        ],
    }
    assert "n" not in json.loads(body(request("x"), seed=None))
    assert "seed" not in json.loads(body(request("x"), seed=None))


def test_text_alone_is_sent_as_a_string() -> None:
    system = Request(ENDPOINT, (Message.system("be brief"), Message.user("a", "b"), Message.assistant("c")))
    contents = [message["content"] for message in json.loads(body(system, seed=None))["messages"]]
    assert contents == ["be brief", "ab", "c"]


def test_an_image_is_encoded_once() -> None:
    picture = Image(b"x" * 1000, "image/jpeg")
    first = body(request(picture, "a"), seed=1)
    assert picture.url_json in first
    assert picture.__dict__["url_json"] is picture.url_json


@pytest.mark.parametrize(
    "other",
    [
        request("other"),
        request("text", params={"temperature": 0.0001, "max_tokens": 5}),
        request("text", params={"temperature": 0}),
        request("text", endpoint=replace(ENDPOINT, model="m2")),
        request("text", endpoint=replace(ENDPOINT, revision="r2")),
        request("text", endpoint=replace(ENDPOINT, extra_body={"top_k": 1})),
        request("text", messages=(Message.system("text"),)),
        request("text", messages=(Message.user("text"), Message.assistant(""))),
        request("text", PICTURE),
        request(PICTURE, "text"),
    ],
)
def test_whatever_changes_the_question_changes_the_key(other: Request) -> None:
    assert key(other) != key(request("text"))


def test_sample_and_run_seed_are_part_of_the_key() -> None:
    keys = {key(request("text"), sample, seed) for sample in range(5) for seed in range(5)}
    assert len(keys) == 25
    assert all(len(each) == 32 for each in keys)


@pytest.mark.parametrize(
    "same",
    [
        request("te", "xt"),
        request("text", params={"max_tokens": 5, "temperature": 0}),
        request("text", affinity="problem 1", tag="judge"),
        request(
            "text", endpoint=replace(ENDPOINT, name="n2", base_urls=("http://two/v1", "http://three/v1"))
        ),
        request("text", endpoint=replace(ENDPOINT, key_env="KEY", price_prompt=1.0)),
    ],
)
def test_what_does_not_change_the_question_does_not_change_the_key(same: Request) -> None:
    assert key(same) == key(request("text"))


def test_the_key_is_the_same_in_every_process_and_version() -> None:
    # A changed key orphans every journal there is: this number may only change with a migration.
    made = request(PICTURE, "题 \u2028 x")
    assert key(made, 3, 11).hex() == "8d0531c3bc6c08987c32ccff0130d784f9cd666d4cc1f832a0299829e6d9aebf"


def test_lone_surrogates_in_a_prompt_are_sent_as_replacement_characters() -> None:
    broken = request("a \ud83d b")
    assert "a \ufffd b" in json.loads(body(broken, seed=None))["messages"][0]["content"]
    assert key(broken) == key(request("a \ufffd b"))
    whole = request("a \U0001f600 b")
    assert json.loads(body(whole, seed=None))["messages"][0]["content"] == "a \U0001f600 b"


def test_the_endpoints_extra_body_wins_over_parameters() -> None:
    fixed = request("x", endpoint=replace(ENDPOINT, extra_body={"temperature": 1, "top_k": 3}))
    data = json.loads(body(fixed, seed=None))
    assert (data["temperature"], data["top_k"], data["max_tokens"]) == (1, 3, 5)


@pytest.mark.parametrize("name", ["seed", "n", "model", "messages", "stream"])
def test_fields_of_the_engine_cannot_be_parameters(name: str) -> None:
    with pytest.raises(ConfigError, match=f"'{name}'"):
        canonical(request("x", params={name: 1}))


@pytest.mark.parametrize("value", [float("nan"), object(), {1, 2}])
def test_a_parameter_that_json_cannot_carry_is_one_sentence(value: object) -> None:
    with pytest.raises(ConfigError, match="JSON"):
        canonical(request("x", params={"top_p": value}))


def test_sent_seeds_are_31_bits_and_differ() -> None:
    seeds = {sent_seed(run, sample) for run in range(30) for sample in range(30)}
    assert len(seeds) == 900
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert sent_seed(3, 4) == sent_seed(3, 4)
