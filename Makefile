PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check
JOBS ?= 2
COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --generate-hashes --python-version 3.11 \
	--fork-strategy fewest --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help setup warmup play test test-all lint postgres dist peers lock format goldens clean

help:
	@echo "make play      set up, then race in the terminal"
	@echo "make test      set up, then lint, type check and test"
	@echo "make test-all  make test, then the long runs"
	@echo "make setup     the set-up alone; leaves $(BIN)/quadriga"
	@echo "make dist      build a wheel into dist/"
	@echo "make postgres  install PostgreSQL for the tests, if there is none"
	@echo "make peers     install the games that quadriga bench measures beside ours"
	@echo "make lock      rebuild both lock files (LOCKFLAGS=--upgrade for newer versions)"
	@echo "make format    format, and fix what ruff can fix"
	@echo "make goldens   write the recorded games and playthroughs of the tests anew"
	@echo "make clean     remove everything that is not source"

setup: $(VENV)/.installed
	@:

# A new lock gets a new environment, so that nothing the lock no longer names stays behind.
$(VENV)/.locked: requirements.lock
	@command -v $(PYTHON) >/dev/null || { echo "Quadriga needs Python 3.11 or newer: no $(PYTHON) found." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit("Quadriga needs Python 3.11 or newer; $(PYTHON) is %d.%d: name another with make PYTHON=..." % v[:2])'
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(PYTHON) cannot make virtual environments: install its venv package (python3-venv on Debian and Ubuntu) and run make again." >&2; exit 1; }
	@echo "Installing the locked dependencies into $(VENV) ..."
	@$(PYTHON) -m venv --clear $(VENV)
	@$(PIP) install --require-hashes --requirement requirements.lock
	@touch $@

$(VENV)/.installed: $(VENV)/.locked pyproject.toml src/quadriga/__init__.py
	@echo "Installing quadriga ..."
	@$(PIP) install --no-deps --no-build-isolation --editable .
	@$(BIN)/python -m pip check >$(VENV)/check.txt || { cat $(VENV)/check.txt >&2; echo "The lock does not fit pyproject.toml: run make lock." >&2; exit 1; }
	@touch $@

warmup: setup
	@$(BIN)/quadriga warmup

play: warmup
	@$(BIN)/quadriga race chariots

lint: setup
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo "Some files are not formatted: run make format." >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary

# The server's tests run on a real PostgreSQL, which is found or installed from the system's packages.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb /usr/pgsql*/bin/initdb /opt/homebrew/opt/postgresql*/bin/initdb /usr/local/opt/postgresql*/bin/initdb 2>/dev/null | grep -q . || { \
		echo "Installing PostgreSQL for the tests ..."; \
		if command -v apt-get >/dev/null; then $(SUDO) apt-get -qq update && $(SUDO) apt-get -qq install -y postgresql; \
		elif command -v dnf >/dev/null; then $(SUDO) dnf -q install -y postgresql-server; \
		elif command -v brew >/dev/null; then brew install --quiet postgresql@16; \
		else echo "PostgreSQL is missing: install it, so that initdb is found, and run make again." >&2; exit 1; fi; }

test: warmup lint postgres
	@$(BIN)/pytest --quiet --numprocesses $(JOBS)

test-all: test
	@$(BIN)/pytest --quiet --numprocesses $(JOBS) -m long

dist: setup
	@rm -rf dist
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist . >$(VENV)/build.txt 2>&1 || { cat $(VENV)/build.txt >&2; exit 1; }
	@ls dist/*.whl

peers: setup
	@echo "Installing OpenSpiel, Pgx and JAX into $(VENV) ..."
	@$(PIP) install --require-hashes --requirement requirements-bench.lock

# Not after setup, which refuses a lock that does not fit.
lock: $(VENV)/.locked
	@$(COMPILE) --extra dev $(LOCKFLAGS) --output-file requirements.lock
	@$(COMPILE) --extra bench --constraint requirements.lock $(LOCKFLAGS) --output-file requirements-bench.lock

format: setup
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format

# The difference is for review: it shows what a change of rules does.
goldens: warmup
	@$(BIN)/python -m tests.make

clean:
	@rm -rf $(VENV) build dist .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
