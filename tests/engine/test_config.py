"""Endpoints from a file, a URL, a name or a model file; and one sentence for every mistake."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from eduflow.engine import Config, Endpoint, Limits, load_config, resolve
from eduflow.errors import ConfigError

WHOLE = """
[endpoints.qwen]
base_url = ["http://gpu1:8000/v1/", "https://gpu2/v1/chat/completions"]
model = "Qwen2.5-VL-7B-Instruct"
revision = "r1"
key_env = "QWEN_KEY"
vision = true
context = 32768
limits = { concurrency = 16, timeout = 60, attempts = 3, requests_per_minute = 90.5 }
prices = { prompt = 0.2, completion = 1, currency = "CNY" }
extra_body = { chat_template_kwargs = { enable_thinking = false }, top_k = 20 }

[endpoints.judge]
base_url = "http://localhost:8000/v1"
model = "J"
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A current folder, a home and a model folder of the test's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("EDUFLOW_MODELS", str(tmp_path / "models"))


def write(text: str, path: str = "eduflow.toml") -> Path:
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    return target


def test_a_whole_file() -> None:
    write(WHOLE)
    config = load_config()
    assert config.path == Path("eduflow.toml")
    assert resolve("qwen", config) == Endpoint(
        name="qwen",
        model="Qwen2.5-VL-7B-Instruct",
        base_urls=("http://gpu1:8000/v1", "https://gpu2/v1"),
        revision="r1",
        key_env="QWEN_KEY",
        limits=Limits(16, 60.0, 3, 90.5),
        price_prompt=0.2,
        price_completion=1.0,
        currency="CNY",
        extra_body={"chat_template_kwargs": {"enable_thinking": False}, "top_k": 20},
        vision=True,
        context=32768,
    )
    assert resolve("judge", config) == Endpoint("judge", "J", ("http://localhost:8000/v1",))
    assert resolve("qwen", config).identity == "Qwen2.5-VL-7B-Instruct@r1"


def test_where_the_file_is_looked_for(tmp_path: Path) -> None:
    assert load_config() == Config()
    write(WHOLE.replace("judge", "home"), "home/eduflow/eduflow.toml")
    assert set(load_config().endpoints) == {"qwen", "home"}
    write(WHOLE)
    assert set(load_config().endpoints) == {"qwen", "judge"}
    given = write(WHOLE.replace("judge", "given"), "other/my.toml")
    assert set(load_config(given).endpoints) == {"qwen", "given"}


ONE = '[endpoints.a]\nbase_url = "http://x/v1"\nmodel = "m"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[endpoints.a", "not TOML"),
        ("\xff", None),
        ("[endpoint.a]\nmodel='m'", "unknown field 'endpoint'; known there: endpoints"),
        ("endpoints = 3", "field 'endpoints'"),
        (ONE + "modle = 'x'", "unknown field 'endpoints.a.modle'; known there: base_url, model"),
        (
            ONE + "limits = {concurency = 3}",
            "unknown field 'endpoints.a.limits.concurency'; known there: concurrency",
        ),
        (ONE + "prices = {prompt = 1}", "field 'endpoints.a.prices.completion'"),
        (ONE + "prices = {prompt = -1, completion = 1}", "field 'endpoints.a.prices.prompt'"),
        (ONE + "limits = {concurrency = 0}", "field 'endpoints.a.limits.concurrency'"),
        (ONE + "limits = {timeout = 'long'}", "field 'endpoints.a.limits.timeout'"),
        (ONE + "limits = {timeout = inf}", "field 'endpoints.a.limits.timeout'"),
        (ONE + "limits = {requests_per_minute = 0}", "field 'endpoints.a.limits.requests_per_minute'"),
        (ONE + "vision = 'yes'", "field 'endpoints.a.vision'"),
        (ONE + "extra_body = {seed = 3}", "'seed' is set by the engine"),
        (ONE + "extra_body = {top_p = nan}", "field 'endpoints.a.extra_body'"),
        (ONE + "path = 'x.gguf'", "either local or remote"),
        ("[endpoints.a]\nmodel = 'm'", "needs base_url and model, or path"),
        ("[endpoints.a]\nbase_url = 'http://x'", "needs base_url and model, or path"),
        ("[endpoints.a]\npath = 'x.gguf'\nrevision = '1'", "revision is its sha256"),
        ("[endpoints.a]\nbase_url = []\nmodel = 'm'", "is an empty list"),
        ("[endpoints.a]\nbase_url = 'localhost:8000'\nmodel = 'm'", "is not an http or https URL"),
        (
            "[endpoints.a]\nbase_url = ['http://x', 'ftp://y']\nmodel = 'm'",
            "'ftp://y' is not an http or https URL",
        ),
        ("[endpoints.a]\nbase_url = 'http://x:99999'\nmodel = 'm'", "is not an http or https URL"),
    ],
)
def test_mistakes_name_file_and_field(text: str, said: str | None) -> None:
    if said is None:
        Path("eduflow.toml").write_bytes(b"\xff\xfe")
        said = "not TOML"
    else:
        write(text)
    with pytest.raises(ConfigError) as caught:
        load_config()
    assert said in str(caught.value)
    assert str(caught.value).startswith("eduflow.toml: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        "key_env = 'sk-1234567890'",
        "key = 'sk-1234567890'",
        "api_key = 'sk-1234567890'",
        "key_env = ['sk-1234567890']",
        "revision = ['sk-1234567890']",
    ],
)
def test_a_key_in_the_wrong_place_is_not_repeated(line: str) -> None:
    write(ONE + line)
    with pytest.raises(ConfigError) as caught:
        load_config()
    assert "sk-1234567890" not in str(caught.value)
    write("[endpoints.a]\nbase_url = 'http://me:sk-1234567890@x/v1'\nmodel = 'm'\n")
    with pytest.raises(ConfigError, match="must not hold a user or password") as caught:
        load_config()
    assert "sk-1234567890" not in str(caught.value)


def test_a_missing_file_is_one_sentence() -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: cannot read the configuration"):
        load_config("nowhere.toml")


def test_a_url_with_a_model() -> None:
    found = resolve("http://localhost:8000/v1#org/Model-7B", Config())
    assert found == Endpoint("org/Model-7B", "org/Model-7B", ("http://localhost:8000/v1",))
    assert found.identity == "org/Model-7B"
    with pytest.raises(ConfigError, match="names no model"):
        resolve("http://localhost:8000/v1", Config())
    with pytest.raises(ConfigError, match="not an http or https URL"):
        resolve("http://#m", Config())


def test_an_unknown_name_lists_the_known_ones() -> None:
    write(WHOLE)
    with pytest.raises(ConfigError, match="unknown endpoint 'quen'; known: qwen, judge, local"):
        resolve("quen", load_config())
    with pytest.raises(ConfigError, match=r"there is no eduflow.toml"):
        resolve("quen", Config())


def test_a_model_file_is_identified_by_its_content() -> None:
    write("GGUF one", "m/tuned.gguf")
    first = resolve("m/tuned.gguf", Config())
    assert first.model == "tuned.gguf"
    assert first.revision == hashlib.sha256(b"GGUF one").hexdigest()
    assert first.local_path == str(Path("m/tuned.gguf").resolve())
    assert first.vision is False
    write("GGUF two, retrained", "m/tuned.gguf")
    second = resolve("m/tuned.gguf", Config())
    assert second.identity != first.identity
    with pytest.raises(ConfigError, match=r"nothing\.gguf: cannot read the model file"):
        resolve("nothing.gguf", Config())


def test_the_hash_of_a_model_file_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    path = write("GGUF", "m/tuned.gguf")
    first = resolve(str(path), Config())

    def refuse(path: Path) -> str:
        raise AssertionError("the file is read again")

    monkeypatch.setattr("eduflow.engine.models.sha256_of", refuse)
    assert resolve(str(path), Config()) == first
    write("GGUF and more", "m/tuned.gguf")
    with pytest.raises(AssertionError, match="read again"):
        resolve(str(path), Config())


@pytest.mark.parametrize("cache", ["", "[]", "{", '{"x": 3}', "null"])
def test_a_broken_memory_of_hashes_is_no_trouble(cache: str) -> None:
    write(cache, "models/sha256.json")
    path = write("GGUF", "m/tuned.gguf")
    assert resolve(str(path), Config()).revision == hashlib.sha256(b"GGUF").hexdigest()


def test_a_model_file_in_the_configuration_is_read_when_it_is_used() -> None:
    write(
        "[endpoints.tuned]\npath = 'm/tuned.gguf'\ncontext = 2048\nlimits = {concurrency = 2}\n",
        "conf/eduflow.toml",
    )
    config = load_config("conf/eduflow.toml")
    with pytest.raises(ConfigError, match=r"tuned.gguf: cannot read the model file"):
        resolve("tuned", config)
    write("GGUF", "conf/m/tuned.gguf")
    found = resolve("tuned", config)
    assert found.revision == hashlib.sha256(b"GGUF").hexdigest()
    assert (found.name, found.context, found.limits.concurrency) == ("tuned", 2048, 2)


def test_the_local_model_says_how_to_get_it() -> None:
    with pytest.raises(ConfigError, match="eduflow models fetch smollm2"):
        resolve("local", Config())
