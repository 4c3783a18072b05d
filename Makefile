# Needs Python 3.11 or newer and make; everything else goes into .venv beside this file.

SHELL := /bin/sh
PY := .venv/bin/python
ARGS ?=
WORKERS ?= auto

# By a path, not by setuptools' import hook: a clone called `grafico` would hide the package from
# Python started in the folder above it, and type checkers would not find it.
EDITABLE := editable_mode=compat

# PySCF brings its own threads; several test processes would get in each other's way.
TEST := OMP_NUM_THREADS=1 $(PY) -m pytest

.DEFAULT_GOAL := help
.PHONY: help setup demo web page test test-wheel test-gpu lint check docs gallery bench evals blazegraph validate clean

help:  ## show this list
	@echo "make TARGET, with TARGET one of"
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{printf "%-13s %s\n", $$1, $$2}'

# The stamp holds what was installed (a checksum of both files, the folder and the way) and is written last:
# a second call only compares it. An install that was cut short leaves the file `installing` behind
# and is done again from nothing. An environment without either file is completed as it stands.
setup:  ## install into .venv (once; again when the requirements change)
	@want="$$( { pwd; echo $(EDITABLE); cat pyproject.toml constraints.txt; } | cksum)"; \
	current() { [ -x $(PY) ] && [ ! -e .venv/installing ] && [ "$$(cat .venv/stamp 2>/dev/null)" = "$$want" ]; }; \
	current && exit 0; \
	while other="$$(cat .venv/installing 2>/dev/null)" && [ -n "$$other" ] && kill -0 "$$other" 2>/dev/null; do \
	  [ -n "$$told" ] || echo "another make (process $$other) is installing, waiting (if it is not: rm .venv/installing)…"; told=yes; sleep 1; \
	done; \
	current && exit 0; \
	for python in $(PYTHON) python3.13 python3.12 python3.11 python3.14 python3 python; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	  lacking="$$python"; \
	  "$$python" -c 'import ensurepip, venv' 2>/dev/null || continue; \
	  found="$$python"; break; \
	done; \
	if [ -z "$$found" ] && [ -n "$$lacking" ]; then \
	  version="$$("$$lacking" -c 'import sys; print("%d.%d" % sys.version_info[:2])')"; \
	  echo "Python $$version is here ($$lacking), but without its modules venv and ensurepip, which Debian and Ubuntu" >&2; \
	  echo "keep in a package of their own. Install it: sudo apt-get install python$$version-venv" >&2; exit 1; \
	elif [ -z "$$found" ]; then \
	  echo "Grafico needs Python 3.11 or newer; python3 here is $$(python3 --version 2>&1 || echo missing)." >&2; \
	  echo "Install a newer one, or name it: make setup PYTHON=/path/to/python3.12" >&2; exit 1; \
	fi; \
	if [ -e .venv/installing ] || ! $(PY) -m pip --version >/dev/null 2>&1; then \
	  echo "creating .venv with $$("$$found" --version)…"; \
	  rm -rf .venv && mkdir .venv && echo $$$$ > .venv/installing && "$$found" -m venv .venv || exit 1; \
	fi; \
	echo $$$$ > .venv/installing; rm -f .venv/stamp; \
	echo "installing the packages (about two minutes the first time)…"; \
	PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
	  $(PY) -m pip install --quiet --no-input -c constraints.txt --config-settings $(EDITABLE) -e '.[dev]' || { \
	  echo "The installation failed (see above). When the cause is mended, the same command starts it again." >&2; exit 1; }; \
	echo "$$want" > .venv/stamp && rm .venv/installing && echo "installed: $$($(PY) --version) in .venv"

demo: setup  ## a first calculation, from a molecule to a linked result
	@$(PY) examples/demo.py $(ARGS)

web: setup  ## open the page: conversation, live structures, runs
	@.venv/bin/grafico web $(ARGS)

page: setup  ## build the page anew from its sources (grafico/web/page)
	@$(PY) .ci/page.py

test: setup  ## run the tests (ARGS="tests/ogm -k units", WORKERS=0 for one process)
	@$(TEST) -n $(WORKERS) --dist loadgroup --durations=25 --durations-min=1 --junitxml=build/tests.xml $(ARGS)

test-wheel: setup  ## build the package and use it as people do who install it (ARGS="mcp")
	@$(PY) .ci/try_wheel.py $(ARGS)

test-gpu: setup  ## compare results of a graphics card with those of the processor (extra gpu or gpu13)
	@$(PY) -c 'import sys; from importlib.util import find_spec; sys.exit("GPU4PySCF is not installed: .venv/bin/pip install -c constraints.txt \".[gpu]\" (CUDA 12) or \".[gpu13]\" (CUDA 13)" if find_spec("gpu4pyscf") is None else 0)'
	@$(TEST) -n0 -rs tests/dft/test_gpu.py $(ARGS)

lint: setup  ## style, formatting and types
	@echo "ruff check…" && $(PY) -m ruff check .
	@echo "ruff format…" && $(PY) -m ruff format --check .
	@echo "pyright…" && $(PY) -m pyright

check: lint  ## lint, and every example in the docs
	@echo "examples in the docs…" && $(TEST) tests/docs -q

docs: setup  ## the documentation as a site with search, in build/site
	@$(PY) .ci/site.py

gallery: setup  ## make the pictures of docs/gallery.md anew
	@$(PY) .ci/gallery.py

bench: setup  ## measure what Grafico costs, beside its peers (ARGS="--only mapper peers")
	@$(PY) -m evals.bench $(ARGS)

validate: setup  ## does it do the science right: docs/validation.md (ARGS="--only excitations")
	@$(PY) -m evals --cases validation --store validation-store $(ARGS)

evals: setup  ## does the agent answer right: docs/evals.md (ARGS="--model openai-chat:gpt-5 --repeat 3")
	@$(PY) -m evals $(ARGS)

blazegraph: setup  ## start a Blazegraph on this machine (DATA=folder, PORT=9999)
	@$(PY) -m triplestore.remote.blazegraph --data "$(or $(DATA),blazegraph-data)" --port $(or $(PORT),9999)

clean:  ## remove caches and build products (not .venv, not your data)
	@rm -rf build dist .pytest_cache .ruff_cache .hypothesis *.egg-info
	@find . -name '.venv*' -prune -o -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
