# Two commands do everything on a fresh machine: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCKS := requirements.txt requirements-dev.txt

.PHONY: demo test lint format lock bench clean
.DELETE_ON_ERROR:

demo: $(READY)
	$(BIN)/regomender demo

test: $(READY)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m bench

# uv where it is, pip otherwise: both take the same hashed files.
$(READY): pyproject.toml $(LOCKS)
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv -q --clear --python $(PYTHON) $(VENV) && \
	  uv pip install -q --python $(BIN)/python --require-hashes -r requirements-dev.txt && \
	  uv pip install -q --python $(BIN)/python --no-deps -e .; \
	else \
	  $(PYTHON) -m venv --clear $(VENV) && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --require-hashes -r requirements-dev.txt && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .; \
	fi
	@touch $@

# The files hold hashes and no index address, so that any mirror will do.
lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml -o requirements.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header pyproject.toml --group dev -o requirements-dev.txt

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
