# The front door. Every target sets up what it needs, once.
# On a machine without make, the same steps stand in the README as venv and pip lines.

OUT ?= report
NAME ?= reef
DEV := .venv-dev/bin

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow check format bench wheel clean setup setup-dev

help:  ## what can be made
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1	/p' $(MAKEFILE_LIST) | expand -t 12

setup:
	@scripts/setup .venv

setup-dev:
	@scripts/setup .venv-dev dev

demo: setup  ## the main job, end to end, offline → report/index.html; NAME=… grows another reef
	@.venv/bin/pixelreef demo --out $(OUT) --name "$(NAME)"

test: setup-dev  ## the test suite, a few minutes
	@$(DEV)/python -m pytest -n 2 --dist loadfile -m "not slow and not browser" $(ARGS)
	@$(DEV)/python -m pytest -m "browser and not slow"

test-slow: setup-dev  ## the whole test suite, the long tests too
	@$(DEV)/python -m pytest $(ARGS)

check: setup-dev  ## format, lint, types, layers
	@$(DEV)/ruff format --check --quiet . && $(DEV)/ruff check --quiet . && $(DEV)/mypy && $(DEV)/lint-imports --no-logo

format: setup-dev  ## format the code, mend what lint can mend
	@$(DEV)/ruff format . && $(DEV)/ruff check --fix .

bench: setup-dev  ## ours against the references, as ratios of one run
	@for file in benchmarks/*.py; do $(DEV)/python $$file || exit 1; done

wheel: setup-dev  ## dist/*.whl
	@$(DEV)/python -m build --wheel --no-isolation .

clean:  ## remove what the targets above made
	rm -rf .venv .venv-dev build dist report .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
