# Everything starts here. On a bare machine `make run` and `make test` install what is missing and go on;
# the stamps below .venv/ make every later start quick. `make help` lists the goals.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory
export PYTHON ?= python3
export BASE
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

PY := .venv/bin/python
PIP_INSTALL := $(PY) -m pip install -qq --require-hashes --no-deps
CONSOLE_BY = $(if $(wildcard $(PY)),$(PY),"$(PYTHON)") -m tools.console
WORKERS ?= 2

.DEFAULT_GOAL := help
.PHONY: help run test check pytest explore diagrams structure matrix crashes bench console build-identity lock dist image clean

help: ## list the goals
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

# What a person asks for ------------------------------------------------------------------------------------------

run: machine-run ready ## start a demo site with a real small EMS; prints one URL
	@exec .venv/bin/ems-admin demo

test: machine-test ready-dev ## check, then all tests
	@$(MAKE) check pytest

check: machine-draw ready-dev ## style, types, generated pages, console
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/ems-admin diagrams --check
	$(PY) -m tools.structure --check
	$(PY) -m tools.console check

pytest: ready-dev # the tests alone
	.venv/bin/pytest -n $(WORKERS) --dist worksteal

explore: ready-dev ## explore further than the tests do: PREEMPTIONS=3 FAULTS=2 lift the bounds
	EXPLORE_PREEMPTIONS=$(or $(PREEMPTIONS),3) EXPLORE_FAULTS=$(or $(FAULTS),2) \
		.venv/bin/pytest -n $(WORKERS) --dist worksteal tests/exploration

diagrams: machine-draw ready ## draw the machines, write their pages and the console's types
	.venv/bin/ems-admin diagrams

structure: machine-draw ready ## draw the imports of src/ as rooms and files, and the pictures of the architecture
	$(PY) -m tools.structure
	for picture in architecture replacement; do dot -Tsvg docs/$$picture.dot -o docs/$$picture.svg; done

matrix: machine-run ready-dev ## execute the rows of the matrix, and write its page with their marks
	$(PY) -m tests.matrix

crashes: machine-run ready-dev ## kill every workflow at each of its durable writes, and write the page of what is found
	$(PY) -m tests.crashes

bench: machine-run ready-dev ## measure; every figure is a ratio from one run
	$(PY) -m tests.bench

console: ready ## build the browser console

lock: machine-run ready-dev ## remake the lock files; UPGRADE=1 takes the newest versions
	$(PY) -m tools.lock $(if $(UPGRADE),--upgrade)

dist: machine-run ready-dev ## pack the source distribution and the wheel into dist/
	$(PY) -m build --no-isolation

image: machine-run ready ## build the images of Admin and EMS; REGISTRY=HOST/PATH pushes them, BASE=IMAGE is another base
	@$(PY) -m tools.image $(if $(REGISTRY),--registry $(REGISTRY))

clean: ## forget everything that was built
	rm -rf .venv dist test-output .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf src/ems_admin/http/console/{dist,node_modules} src/ems_admin/build.json
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

# What that stands on ---------------------------------------------------------------------------------------------

.PHONY: machine-run machine-draw machine-test ready ready-dev

machine-run machine-draw machine-test: machine-%:
	@tools/machine.sh $*

# Python's packages and the console do not wait for one another, unless Node is one of the packages.
ready:
	@$(CONSOLE_BY) is-built || $(CONSOLE_BY) has-node || $(MAKE) -s .venv/.installed-node
	@$(MAKE) -s -j2 .venv/.installed console-dist build-identity

ready-dev:
	@$(CONSOLE_BY) has-node || $(MAKE) -s .venv/.installed-node
	@$(MAKE) -s -j2 .venv/.installed-dev console-dist build-identity

.venv/.created:
	@.venv/bin/python -c 'import pip' 2>/dev/null || { echo "creating .venv"; rm -rf .venv; "$(PYTHON)" -m venv .venv; }
	@touch $@

.venv/.installed: .venv/.created requirements.lock requirements-build.lock pyproject.toml
	@echo "installing the pinned packages"
	@$(PIP_INSTALL) -r requirements.lock -r requirements-build.lock
	@$(PY) -m pip install -qq --no-deps --no-build-isolation --editable . && touch $@

.venv/.installed-dev: .venv/.installed requirements-dev.lock
	@echo "installing the pinned tools of the tests"
	@$(PIP_INSTALL) -r requirements-dev.lock && touch $@

.venv/.installed-node: .venv/.installed requirements-node.lock
	@echo "installing Node: the machine has none that is new enough"
	@$(PIP_INSTALL) -r requirements-node.lock && touch $@

.PHONY: console-dist
console-dist:
	@$(CONSOLE_BY) build

build-identity:
	@"$(PYTHON)" -m tools.build_identity
