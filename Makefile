# `make run` serves the site, `make test` tests it. Both need only Python 3.11 or later.
.DEFAULT_GOAL := run
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PY := .venv/bin/python
MANAGE := $(PY) manage.py
# Write bytecode even if the environment forbids it: otherwise each server that a test starts compiles everything again.
PYTEST := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX="$(CURDIR)/.pytest_cache/bytecode" $(PY) -m pytest -q -p tests.cpu_time
WORKERS ?= 2
# Tests with servers and browsers often wait: a third process keeps two cores busy.
WAITING_WORKERS ?= 3
# Compiled by polib from the .po files beside them, at the first `make` and after each change; not in git.
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))
SOURCES := $(wildcard accounts api bench boneyard core dominoes_site events games live lobbies nights notifications operators study tests manage.py) bin/messages bin/language bin/with-services

.PHONY: run test chromium read lint types imports checks test-unit test-engine test-games test-accounts test-lobbies test-live \
        test-study test-events test-nights test-notifications test-api test-browser test-under-fire test-services demo bench load soak strength pictures messages language catalogues lock clean

run: .venv/.runs
	@$(MANAGE) setup
	@exec $(MANAGE) serve

# Tests. Browser and asyncio tests cannot share a process.

# It ends with the CPU seconds of all, and the dearest tests.
test: chromium
	@$(PY) -m tests.cpu_report $(MAKE) read test-unit test-browser

# Before the other tests, so that a newcomer learns at once what is missing.
chromium: .venv/.tests
	@bin/chromium > /dev/null

# What reads the code instead of running it; two at a time.
read: .venv/.tests
	@$(MAKE) -j2 lint types imports checks

lint: .venv/.tests
	@.venv/bin/ruff check $(SOURCES)
	@.venv/bin/ruff format --check --quiet $(SOURCES)
	@.venv/bin/djlint --quiet --lint templates
	@.venv/bin/djlint --quiet --check templates
	@.venv/bin/biome check --log-level=error static

types: .venv/.tests
	@.venv/bin/mypy

imports: .venv/.tests
	@.venv/bin/lint-imports --no-logo

checks: .venv/.tests
	@$(MANAGE) check
	@DATABASE_URL=sqlite://:memory: $(MANAGE) makemigrations --check --dry-run

test-unit: .venv/.tests
	@$(PYTEST) -n $(WORKERS) --dist worksteal tests --ignore=tests/browser --ignore=tests/under_fire --ignore=tests/services

test-engine test-games test-accounts test-lobbies test-live test-study test-events test-nights test-notifications test-api: test-%: .venv/.tests
	@$(PYTEST) tests/$*

test-browser: chromium
	@$(PYTEST) -n $(WAITING_WORKERS) --dist worksteal tests/under_fire tests/browser

# Tests that use the database only to have a person or a match: what they test is written by the engine, a form or a
# template, or refused before a row is asked for.
ALIKE := $(addprefix --ignore=tests/,accounts/test_account_pages.py events/test_secrecy.py live/test_fragments.py \
         $(addprefix games/test_,board.py branching.py frames.py hidden.py replay.py table_page.py wording.py) \
         $(addprefix lobbies/test_,form.py home_rules_form.py rated_rules.py rules_pages.py variants.py) \
         $(addprefix site/test_,cards.py embeds.py found.py own_cases.py) \
         $(addprefix study/test_,grading.py lessons.py shipped_puzzles.py))

test-services: .venv/.tests
	@$(PY) bin/with-services $(PYTEST) -m services -n $(WAITING_WORKERS) --dist worksteal tests/games tests/lobbies tests/live tests/accounts \
	    tests/study tests/events tests/nights tests/notifications tests/api tests/site tests/services $(ALIKE)

# Measurements and pictures, not part of the tests.

# `make demo SIZE=10000` adds copies, to see lists with so many matches.
demo: .venv/.runs
	@$(MANAGE) setup
	@$(MANAGE) demo $(if $(SIZE),--size $(SIZE))

# `make bench ABLATE=1` measures what each hand-made part saves.
bench: .venv/.tests
	@$(PY) -m bench.$(if $(ABLATE),ablate,bench)

soak strength load: .venv/.tests
	@$(PY) -m bench.$@

pictures: chromium
	@$(PY) -m bench.pictures

# For developers.

messages: .venv/.tests
	@$(PY) bin/messages

language: .venv/.tests
	@$(PY) bin/language $(CODE)

catalogues: $(CATALOGUES)

lock: .venv/.tests
	@for what in requirements requirements-dev; do \
	    .venv/bin/pip-compile --quiet --allow-unsafe --generate-hashes --strip-extras --no-emit-index-url --no-emit-find-links \
	        $(UPGRADE) --output-file=$$what.txt $$what.in || exit 1; \
	done

clean:
	rm -rf .venv static-built

.venv/.runs: .venv/.installed $(CATALOGUES)
	@touch $@

.venv/.installed: requirements.txt bin/venv
	@bin/venv requirements.txt
	@touch $@

%.mo: %.po | .venv/.installed
	@$(PY) -c 'import sys, polib; polib.pofile(sys.argv[1]).save_as_mofile(sys.argv[2])' $< $@

.venv/.tests: .venv/.installed requirements-dev.txt | .venv/.runs
	@bin/venv requirements.txt requirements-dev.txt
	@touch $@
