# make help lists the targets. Everything Python is installed into .venv; nothing else on the machine is touched,
# except by test-tools.

PYTHON ?= python3.13 python3.12 python3.11 python3
PYTEST_ARGS ?=
BENCH_ARGS ?=
FUZZ_SECONDS ?= 60
COMPARE_SECONDS ?= 60
# Printed by each run; given again it plays the same games.
COMPARE_SEED ?=
SOAK_SECONDS ?= 300
SOAK_DATABASES ?= sqlite,postgresql
# Printed by each run; given again it makes the same trouble.
SOAK_SEED ?=
SCREENSHOTS ?= build/screenshots
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN)
# Tests of the whole system wait for mails and for clocks a third of their time, so more of them run at once.
WAITING_WORKERS ?= $(shell expr $(WORKERS) + 2)
# The tests with a database of which they do not say what kind it is.
STORING := $(addprefix tests/, cli conversations reliability usecases web workers test_adding_a_game.py test_readme.py)
# Debian packages; each brings a program of the same name. That of dovecot is called dovecot-imapd.
TEST_TOOLS ?= swaks postfix rspamd dovecot pgbouncer chromium mutt neomutt w3m lynx

VENV := .venv
PIP_INSTALL := $(VENV)/bin/python -m pip install -qq --disable-pip-version-check

.PHONY: help run demo test test-system test-hall test-of-hall test-all verify prove compare matches matches-hall matches-of-hall lint format bench soak docs messages screenshots fuzz test-tools clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: $(VENV)/.run ## start the server
	@$(VENV)/bin/pbem serve

demo: $(VENV)/.run ## play a whole game by mail between two scripted players, and show the mails
	@$(VENV)/bin/pbem demo

test: $(VENV)/.dev ## run the tests that need Python and SQLite alone (PYTEST_ARGS=... for more arguments)
	@$(VENV)/bin/python -m pytest -n $(WORKERS) --dist worksteal -q $(PYTEST_ARGS)

test-system: $(VENV)/.dev ## run the tests with a browser, PostgreSQL, an MTA or processes of their own
	@$(VENV)/bin/python -m pytest -n $(WAITING_WORKERS) --dist worksteal -q -m "system and not slow and not verify" $(PYTEST_ARGS)

# Its libraries stay out of the environment of the other tests, which show that the server needs none of them.
test-hall: ## run the tests of the games that OpenSpiel brings
	@$(MAKE) --no-print-directory VENV=$(VENV)-hall test-of-hall

test-of-hall: $(VENV)/.hall
	@$(VENV)/bin/python -m pytest -n $(WORKERS) -q -m "not verify" tests/hall $(PYTEST_ARGS)

# Slow tests stand side by side: with --dist worksteal they do not all wait for the worker to which they fell.
test-all: $(VENV)/.dev ## run all tests but those of verify, the slow ones too, on SQLite and on PostgreSQL
	@$(VENV)/bin/python -m pytest -n $(WAITING_WORKERS) --dist worksteal -q -m "not verify" $(PYTEST_ARGS)
	@PBEM_TEST_DATABASE=postgresql $(VENV)/bin/python -m pytest -n $(WAITING_WORKERS) --dist worksteal -q -m "not verify" $(STORING) $(PYTEST_ARGS)

verify: $(VENV)/.robots ## hold compiled games against the rules, and those of the hall against OpenSpiel, thousands of games
	@$(VENV)/bin/python -m pytest -n $(WORKERS) -q -m "" --dist worksteal tests/bots tests/proofs tests/storage/test_openings.py tests/cli/test_import_openings.py $(PYTEST_ARGS)
	@$(MAKE) --no-print-directory VENV=$(VENV)-hall PYTEST_ARGS='-m verify $(PYTEST_ARGS)' test-of-hall

prove: $(VENV)/.dev ## check the proofs of docs/palago.md by the rules, turn by turn
	@$(VENV)/bin/python -m tests.proofs.check

compare: $(VENV)/.dev ## play games of tiles by the rules and by an independent model for a while (COMPARE_SECONDS=60 COMPARE_SEED=...)
	@$(VENV)/bin/python -m tests.games.hextile.differential --seconds $(COMPARE_SECONDS) $(if $(COMPARE_SEED),--seed $(COMPARE_SEED))

matches: $(VENV)/.robots ## play all matches of docs/robots.md, which takes a night
	@$(VENV)/bin/python -m tests.matches.all

matches-hall: ## play the matches of docs/robots.md in games of the hall, as far as they are missing
	@$(MAKE) --no-print-directory VENV=$(VENV)-hall matches-of-hall

matches-of-hall: $(VENV)/.hall
	@$(VENV)/bin/python -m tests.matches.all --hall

lint: $(VENV)/.dev ## check style, types and layers
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	@$(VENV)/bin/lint-imports
	@$(VENV)/bin/python -m tests.structure --check

format: $(VENV)/.dev ## lay the code out and repair what can be repaired
	@$(VENV)/bin/ruff check --fix-only .
	@$(VENV)/bin/ruff format .

bench: $(VENV)/.dev ## measure the figures of docs/performance.md (BENCH_ARGS=... for some, or in a hurry)
	@$(VENV)/bin/python -m tests.bench --json build/bench.json $(BENCH_ARGS)

soak: $(VENV)/.dev ## write, kill, restart and break things for a while, then audit (SOAK_SECONDS=300 SOAK_SEED=...)
	@$(VENV)/bin/python -m pytest -q -m slow tests/reliability/test_mailbox.py
	@$(VENV)/bin/python -m tests.soak --seconds $(SOAK_SECONDS) --databases $(SOAK_DATABASES) $(if $(SOAK_SEED),--seed $(SOAK_SEED))

messages: $(VENV)/.run ## bring the catalogues in templates/locale up to date, and tell what is left to translate
	@$(VENV)/bin/python -m pbem.wording.messages

docs: $(VENV)/.run ## make docs/commands.md and docs/tutorial.txt anew, from the templates of mails and help
	@$(VENV)/bin/pbem commands >docs/commands.md
	@$(VENV)/bin/pbem help tutorial >docs/tutorial.txt

screenshots: $(VENV)/.dev ## take pictures of all pages (SCREENSHOTS=build/screenshots), and those of docs/screenshots anew
	@$(VENV)/bin/python -m tests.support.screenshots $(SCREENSHOTS)

fuzz: $(VENV)/.dev ## throw made-up letters at reader and server for a while (FUZZ_SECONDS=60)
	@$(VENV)/bin/python -m tests.fuzz.letters $(FUZZ_SECONDS)

# A Postfix without configuration is not started by its package.
test-tools: $(VENV)/.dev ## fetch the letters some tests read, and install with apt, as root, programs they need
	@$(VENV)/bin/python -m tests.support.corpora
	@PATH="$$PATH:/usr/sbin:/sbin"; missing=; \
	for tool in $(TEST_TOOLS); do command -v "$$tool" >/dev/null || missing="$$missing $$tool"; done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	missing=$$(echo "$$missing" | sed 's/ dovecot/&-imapd/'); \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then \
	  echo "Some tests need programs that are missing; please run: sudo apt-get install$$missing" >&2; exit 1; \
	fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	case "$$missing" in *postfix*) \
	  echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections;; \
	esac; \
	apt-get update -qq && apt-get install -qq -y --no-install-recommends $$missing </dev/null

clean: ## remove what was made here (.venv, caches, builds), but neither games nor mail
	@rm -rf $(VENV) $(VENV)-hall .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The two stamps are apart so that who only plays need not install what tests need.
$(VENV)/.run: pyproject.toml | $(VENV)/.made
	@echo "Installing pbem into $(VENV)"
	@$(PIP_INSTALL) -e .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.made
	@echo "Installing pbem and its test libraries into $(VENV)"
	@$(PIP_INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/.run

$(VENV)/.robots: $(VENV)/.dev
	@echo "Installing the compiler that the extra robots brings"
	@$(PIP_INSTALL) -e '.[dev,robots]'
	@touch $@

$(VENV)/.hall: $(VENV)/.dev
	@echo "Installing OpenSpiel, which the extra hall brings"
	@$(PIP_INSTALL) -e '.[dev,hall]'
	@touch $@

# Names on the PATH prove nothing: shims of version managers answer to names of Pythons that are not there.
# Debian's python3 has venv but not ensurepip, which venv needs, until python3-venv is installed.
$(VENV)/.made:
	@if $(VENV)/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then touch $@; exit; fi; \
	found=; \
	for python in $(PYTHON); do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  found=$$python; \
	  if "$$python" -c 'import ensurepip, venv' 2>/dev/null; then \
	    "$$python" -m venv --clear $(VENV) && touch $@; exit; \
	  fi; \
	done; \
	if [ -n "$$found" ]; then \
	  echo "$$found lacks the module venv: install the package python3-venv (sudo apt-get install python3-venv)." >&2; \
	else \
	  echo "pbem needs Python 3.11 or later: install the packages python3 and python3-venv, or name one by make PYTHON=..." >&2; \
	fi; \
	exit 1
