# Needs make, and Python 3.11 to 3.13 with its venv module. Everything else is installed into .venv.
#   PYTHON=python3.12   the interpreter .venv is made with (first use only)
#   PORT=8000           where `make run` listens; without it, the first free port from 8000 on
#   ARGS=...            handed on by run, test, bench, demo and lock

SHELL  := /bin/sh
PYTHON ?=
VENV   := .venv
PY     := $(VENV)/bin/python
HASH    = $(shell cat requirements/bootstrap.txt requirements/$(1).txt | cksum | tr ' ' -)
# dev.txt holds all of run.txt at the same versions, so installing dev marks both as done and `make run` after it is a no-op.
RUN    := $(VENV)/.run-$(call HASH,run)
DEV    := $(VENV)/.dev-$(call HASH,dev)
# For mypy, whose Django plugin loads the settings; it asks nothing of these.
NOWHERE := DATABASE_URL=postgresql://127.0.0.1:1/none REDIS_URL=redis://127.0.0.1:1/0 DJANGO_SECRET_KEY=unused

.PHONY: help run test setup check bench demo lock reset clean
help: ## say what there is (the default)
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

run: $(RUN) ## set up and run everything: database, Valkey, web, worker, beat
	@$(PY) -m config.embedded up $(if $(PORT),--port $(PORT)) $(ARGS)

test: $(DEV) ## set up and run the whole test suite
	@$(PY) -m pytest -n auto --maxprocesses 4 --durations 20 $(ARGS)

setup: $(DEV) ## only the environment
	@echo "$(VENV) is ready"

check: $(DEV) ## format, lint, types, import rules, migrations, settings, OpenAPI, containers
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(NOWHERE) $(PY) -m mypy .
	$(PY) -c 'from importlinter.cli import lint_imports_command as main; main()'
	$(VENV)/bin/hadolint Dockerfile
	$(PY) -m check_jsonschema --builtin-schema vendor.compose-spec docker-compose.yml
	$(PY) manage.py check --fail-level WARNING
	$(PY) manage.py makemigrations --check --dry-run
	$(PY) manage.py spectacular --validate --fail-on-warn --file $(VENV)/openapi.yaml

bench: $(DEV) ## each figure as a ratio to a limit measured in the same run
	@$(PY) -m bench $(ARGS)

demo: $(RUN) ## fill the running system with a demo population
	@$(PY) manage.py demo $(ARGS)

lock: $(DEV) ## write requirements/*.txt anew (newer versions: make lock ARGS=--upgrade)
	cd requirements && for name in bootstrap run dev; do ../$(PY) -m uv pip compile -q $$name.in -o $$name.txt $(ARGS) \
	  --universal --python-version 3.11 --fork-strategy fewest --generate-hashes --no-emit-index-url \
	  --custom-compile-command "make lock" || exit 1; done

reset: $(RUN) ## delete the embedded database and all its data (asks first)
	@$(PY) -m config.embedded reset

clean: ## delete .venv and caches; data stays
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage htmlcov .static
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# python3 is not always the right one (macOS: too old; Homebrew: too new for the Valkey wheel), so the others get a look too.
$(VENV)/.made:
	@for python in $(or $(PYTHON),python3 python3.13 python3.12 python3.11); do \
	  $$python -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && break; python=; done; \
	if [ -z "$$python" ]; then echo "Python 3.11 to 3.13 is needed: install one, or say which: make PYTHON=/path/to/python3.12" >&2; exit 1; fi; \
	if ! $$python -c 'import venv, ensurepip' 2>/dev/null; then \
	  echo "$$python has no venv module (Debian and Ubuntu: apt-get install python3-venv)" >&2; exit 1; fi; \
	echo "making $(VENV) with `$$python --version`" && $$python -m venv $(VENV) && touch $@

# uv installs ten times faster; where it cannot be had or cannot reach the mirror that pip is set up for, pip does it.
define install
@$(PY) -m pip install -q --disable-pip-version-check --require-hashes -r requirements/bootstrap.txt \
  && $(PY) -m uv pip install -q --python $(PY) --require-hashes -r requirements/$(1).txt \
  || { echo "uv did not do it; installing with pip, which takes longer"; \
       $(PY) -m pip install -q --disable-pip-version-check --require-hashes -r requirements/$(1).txt; }
endef

# One rule makes both stamps' folder entries; a changed lock makes new names, and the old ones go.
$(RUN): $(VENV)/.made
	$(call install,run)
	@rm -f $(VENV)/.run-* && touch $@

$(DEV): $(VENV)/.made
	$(call install,dev)
	@rm -f $(VENV)/.run-* $(VENV)/.dev-* && touch $(RUN) $@
