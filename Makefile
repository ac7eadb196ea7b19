PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --quiet --disable-pip-version-check
# Tests wait for servers and browsers: three at a time keep two cores busy.
JOBS ?= 3
COMPILE := $(BIN)/uv pip compile pyproject.toml --quiet --universal --generate-hashes --python-version 3.11 \
	--fork-strategy fewest --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

.DEFAULT_GOAL := help
.PHONY: help setup docs docs-serve web warmup play test test-all test-web gallery lint lint-page lint-python postgres chromium dist peers boardgame lock types format goldens clean

# The page is built by Node: the machine's own if it is new enough, else the one that comes as a Python package.
STATIC := src/quadriga/server/static
WEB := $(shell find web/src web/text web/public docs/rules -type f 2>/dev/null) web/index.html web/vite.config.ts web/art-plugin.ts web/rules-plugin.ts web/rules/pictures.toml web/package.json $(wildcard src/quadriga/games/*/geometry.json src/quadriga/pictures/art/*)
NODE_OK := node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)'
NODE_PATH := PATH="$(CURDIR)/$(BIN):$$PATH"

help:
	@echo "make play      set up, then open the page and race"
	@echo "make test      set up, then lint, type check and test"
	@echo "make test-all  make test, then the long runs"
	@echo "make setup     the set-up alone; leaves $(BIN)/quadriga"
	@echo "make web       build the page into $(STATIC)"
	@echo "make docs      build the documentation site into build/site"
	@echo "make docs-serve  show it while pages are edited"
	@echo "make gallery   render pictures of every screen into build/gallery"
	@echo "make dist      build a wheel into dist/"
	@echo "make peers     install the games that quadriga bench measures beside ours"
	@echo "make boardgame install the server that bench/boardgame/measure.py measures beside ours"
	@echo "make lock      rebuild the lock files (LOCKFLAGS=--upgrade for newer versions)"
	@echo "make types     write the page's types of the HTTP interface anew"
	@echo "make format    format all code, and fix what ruff can fix"
	@echo "make goldens   write the recorded games and playthroughs of the tests anew"
	@echo "make clean     remove everything that is not source"

setup: $(VENV)/.installed web
	@:

web: $(STATIC)/build.json
	@:

$(VENV)/.node: $(VENV)/.locked requirements-node.lock
	@$(NODE_OK) 2>/dev/null || { echo "Installing Node into $(VENV) ..."; $(PIP) install --require-hashes --requirement requirements-node.lock; }
	@touch $@

web/node_modules/.installed: web/package-lock.json | $(VENV)/.node
	@echo "Installing what the page is built with ..."
	@cd web && $(NODE_PATH) npm install --no-save --no-audit --no-fund --loglevel=error
	@touch $@

$(STATIC)/build.json: $(WEB) web/node_modules/.installed
	@echo "Building the page ..."
	@cd web && $(NODE_PATH) npm run --silent build -- --logLevel error

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

# Nothing is compiled before: the page opens first, and says how far its games are.
play: setup
	@$(BIN)/quadriga play

# The page and Python are checked side by side.
lint: setup
	@$(MAKE) --no-print-directory --jobs 2 lint-page lint-python

lint-page: setup
	@cd web && $(NODE_PATH) npm run --silent check -- --output machine >../$(VENV)/svelte.txt 2>&1 || { cat ../$(VENV)/svelte.txt >&2; exit 1; }
	@cd web && $(NODE_PATH) npm run --silent lint
	@$(SCHEMA)
	@cd web && $(NODE_PATH) npm run --silent types:check >../$(VENV)/types.txt 2>&1 || { echo "The page's types of the HTTP interface are out of date: run make types." >&2; exit 1; }
	@cd web && $(NODE_PATH) npm run --silent format:check || { echo "Some files of the page are not formatted: run make format." >&2; exit 1; }

lint-python: setup
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo "Some files are not formatted: run make format." >&2; exit 1; }
	@$(BIN)/mypy --no-error-summary

# The tests run a real PostgreSQL and a real Chromium, found on the machine or installed from its packages.
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
INSTALL = { echo "Installing $(1) for the tests ..."; \
	if command -v apt-get >/dev/null; then $(SUDO) apt-get -qq update && $(SUDO) apt-get -qq install -y $(2); \
	elif command -v dnf >/dev/null; then $(SUDO) dnf -q install -y $(3); \
	elif command -v brew >/dev/null; then brew install --quiet $(4); \
	else echo "$(1) is missing: install it and run make again." >&2; exit 1; fi; }

postgres:
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb /usr/pgsql*/bin/initdb /opt/homebrew/opt/postgresql*/bin/initdb /usr/local/opt/postgresql*/bin/initdb 2>/dev/null | grep -q . || $(call INSTALL,PostgreSQL,postgresql,postgresql-server,postgresql@16)

chromium:
	@[ -n "$(CHROMIUM)" ] || ls /usr/bin/chromium /usr/bin/chromium-browser /usr/bin/google-chrome /usr/bin/google-chrome-stable "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" 2>/dev/null | grep -q . || $(call INSTALL,Chromium,chromium,chromium,--cask google-chrome)

test: warmup lint postgres chromium
	@$(BIN)/pytest --quiet --numprocesses $(JOBS)
	@$(NODE_PATH) node --test --test-concurrency=1 tests/web/qr.test.mjs tests/web/core.test.mjs tests/web/other_package.test.mjs

test-all: test
	@$(BIN)/pytest --quiet --numprocesses $(JOBS) -m long
	@$(NODE_PATH) node --test --test-concurrency=1 tests/web/stage.test.mjs tests/web/lessons.test.mjs tests/web/puzzles.test.mjs tests/web/long.test.mjs tests/web/choosing.test.mjs tests/web/story.test.mjs tests/web/together.test.mjs tests/web/after.test.mjs tests/web/analysis.test.mjs tests/web/budgets.test.mjs tests/web/first_start.test.mjs

# Browsers one after the other: they measure time.
test-web: warmup chromium
	@$(NODE_PATH) node --test --test-concurrency=1 tests/web/*.test.mjs

gallery: warmup chromium
	@$(NODE_PATH) node tests/web/gallery.mjs build/gallery

# The variable silences a note on the theme's next version.
docs: setup
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict 2>$(VENV)/docs.txt || { cat $(VENV)/docs.txt >&2; exit 1; }
	@echo build/site/index.html

docs-serve: setup
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs serve --dev-addr 127.0.0.1:8001

dist: setup
	@rm -rf dist
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist . >$(VENV)/build.txt 2>&1 || { cat $(VENV)/build.txt >&2; exit 1; }
	@ls dist/*.whl

peers: setup
	@echo "Installing OpenSpiel, Pgx, PettingZoo, RLCard and Catanatron into $(VENV) ..."
	@$(PIP) install --require-hashes --requirement requirements-bench.lock

boardgame: $(VENV)/.node
	@echo "Installing boardgame.io into build/boardgame ..."
	@mkdir -p build/boardgame && cp bench/boardgame/package.json build/boardgame/
	@cd build/boardgame && $(NODE_PATH) npm install --no-audit --no-fund --loglevel=error

# Not after setup, which refuses a lock that does not fit.
lock: $(VENV)/.locked
	@$(COMPILE) --extra dev $(LOCKFLAGS) --output-file requirements.lock
	@$(COMPILE) --extra bench --constraint requirements.lock $(LOCKFLAGS) --output-file requirements-bench.lock
	@$(COMPILE) --extra node --constraint requirements.lock $(LOCKFLAGS) --output-file requirements-node.lock

# The page's types of the HTTP interface, from the schema that the server publishes.
SCHEMA = mkdir -p build && $(BIN)/python web/schema.py >build/openapi.json

types: setup
	@$(SCHEMA)
	@cd web && $(NODE_PATH) npm run --silent types >../$(VENV)/types.txt 2>&1 || { cat ../$(VENV)/types.txt >&2; exit 1; }

format: setup
	@$(BIN)/ruff check --fix --quiet || true
	@$(BIN)/ruff format
	@cd web && $(NODE_PATH) npm run --silent format

# The difference is for review: it shows what a change of rules does.
goldens: warmup
	@$(BIN)/python -m tests.make

clean:
	@rm -rf $(VENV) build dist web/node_modules $(STATIC) .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +
