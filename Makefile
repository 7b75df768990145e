# make demo      a new machine with Python 3.11: installs, fetches the small local model, evaluates it on K12-Mini
# make test      installs and runs the tests of the base and the local model
# make test-all  everything that needs no GPU
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test test-all lint types format clean

demo: $(VENV)/.demo
	$(BIN)/eduflow models fetch smollm2
	$(BIN)/eduflow eval k12mini --solver local --language en --mode direct,cot --per-cell 1 --max-tokens 128 --run runs/demo

test: $(VENV)/.test
	$(BIN)/eduflow models fetch smollm2
	$(BIN)/pytest -m 'not browser and not node and not environments'

test-all: $(VENV)/.test
	$(BIN)/eduflow models fetch smollm2
	$(BIN)/pytest

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.test
	$(BIN)/mypy

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "EduFlow needs Python 3.11 or newer; say which with: make PYTHON=python3.11" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[local]'
	@touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[local,workshop,dev]'
	@touch $@ $(VENV)/.demo

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
