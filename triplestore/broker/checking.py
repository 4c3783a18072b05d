"""The check of a folder's tables: each index is read whole and counted against the others.

The engine keeps a quad in several orders, and a query reads the one that suits it. What is read of
a damaged block is an error; but many queries gather errors without end instead of giving the first,
so that they seem to want for memory or time. So damage is looked for where each row is taken by
itself: ``python -m triplestore.broker.checking COPY`` reads a copy that the broker has made (of
links, which takes no room), and says in lines of JSON how far it is and what is wrong.

What it does not read are the texts of terms, which are read when all quads are (`Store.dump`).
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from triplestore.broker import launch
from triplestore.errors import RecordError, ResourceError, TimeLimitError
from triplestore.machine import spare_memory

if TYPE_CHECKING:
    from collections.abc import Generator

_PREFIX = ".check-"
_LEFT = 3600.0
"""Seconds after which a copy is one of a process that was killed."""
_TOLD = 0.5

_ALONE = "{ ?s ?p ?o }"
_GRAPHS = "{ GRAPH ?g { ?s ?p ?o } }"


def _by(variables: str, within: str, inner: str) -> str:
    """Return a query that reads an index: of each value by itself, so that an error ends it."""
    return f"SELECT (1 AS ?one) {{ {{ SELECT DISTINCT {variables} {within} }} LATERAL {inner} }}"


UNNAMED = {
    "subjects": f"SELECT (1 AS ?one) {_ALONE}",
    "properties": _by("?p", _ALONE, "{ ?a ?p ?b }"),
    "objects": _by("?o", _ALONE, "{ ?a ?b ?o }"),
}
NAMED = {
    "graphs and subjects": f"SELECT (1 AS ?one) {_GRAPHS}",
    "graphs and properties": _by("?g ?p", _GRAPHS, "{ GRAPH ?g { ?a ?p ?b } }"),
    "graphs and objects": _by("?g ?o", _GRAPHS, "{ GRAPH ?g { ?a ?b ?o } }"),
    "subjects in graphs": _by("?s", _GRAPHS, "{ GRAPH ?h { ?s ?a ?b } }"),
    "properties in graphs": _by("?p", _GRAPHS, "{ GRAPH ?h { ?a ?p ?b } }"),
    "objects in graphs": _by("?o", _GRAPHS, "{ GRAPH ?h { ?a ?b ?o } }"),
}
"""What reads each index whole, of quads without and with a graph's name."""


def check(quads: ox.Store, tell: Callable[[str], None]) -> list[str]:
    """Return what is wrong with the indices of an open store.

    Args:
        quads: it.
        tell: is told how far it is.
    """
    wrong: dict[str, list[str]] = {}  # what was read where the same was wrong
    differ: list[str] = []
    for indices in (UNNAMED, NAMED):
        counts: dict[str, int] = {}
        for name, query in indices.items():
            words = f"the index of {name}"
            try:
                counts[words] = _rows(quads, query, lambda text, words=words: tell(words + text))
            except (OSError, RuntimeError) as error:
                wrong.setdefault(_brief(error), []).append(words)
        if len(set(counts.values())) > 1:
            said = ", ".join(f"{count:,} in {words}" for words, count in counts.items())
            differ.append(f"the quads are not the same: {said}")
    try:
        known = {str(name) for name in quads.named_graphs()}
        used = quads.query(f"SELECT DISTINCT ?g {_GRAPHS}")
        assert isinstance(used, ox.QuerySolutions)
        if lacking := {str(row[0]) for row in used} - known:
            differ.append(f"the list of graphs lacks {len(lacking):,}")
    except (OSError, RuntimeError) as error:
        wrong.setdefault(_brief(error), []).append("the list of graphs")
    return [f"{', '.join(names)}: {text}" for text, names in wrong.items()] + differ


def _rows(quads: ox.Store, query: str, tell: Callable[[str], None]) -> int:
    found = quads.query(query)
    assert isinstance(found, ox.QuerySolutions)
    number, told = 0, time.monotonic()
    for number, _ in enumerate(found, 1):
        if not number % 1000 and time.monotonic() - told > _TOLD:
            told = time.monotonic()
            tell(f": {number:,} quads")
    return number


def _brief(error: Exception) -> str:
    """Return what the engine says, without where its copy lies."""
    return str(error).split(" in /")[0].split("  ")[0].strip()[:200]


# --- the side of the one who asks ----------------------------------------------------------


@contextmanager
def room_for_copy(folder: Path) -> Generator[Path]:
    """Return where a copy may be made, inside the store's folder; what lies there goes in the end.

    What a process that was killed has left goes, too.
    """
    for old in folder.glob(_PREFIX + "*"):
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > _LEFT:
                shutil.rmtree(old, ignore_errors=True)
    copy = folder / f"{_PREFIX}{uuid.uuid4().hex}"
    try:
        yield copy
    finally:
        shutil.rmtree(copy, ignore_errors=True)


def check_copy(copy: Path, tell: Callable[[str], None], patience: float | None) -> list[str]:
    """Check a copy in a process of its own, with bounded memory.

    Args:
        copy: the folder of the copy.
        tell: is told how far it is.
        patience: seconds that it may take.

    Raises:
        TimeLimitError: it took longer.
        ResourceError: its process ended, most likely for want of memory.
    """
    asked = "check the tables of the store"
    until = None if patience is None else time.monotonic() + patience
    command = [sys.executable, "-P", "-m", "triplestore.broker.checking", str(copy)]
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=launch.environment(),
    ) as child:
        assert child.stdout is not None
        try:
            at = "its start"
            for line in child.stdout:
                message = json.loads(line)
                if "wrong" in message:
                    return [str(one) for one in message["wrong"]]
                tell(at := str(message["at"]))
                if until is not None and time.monotonic() > until:
                    raise TimeLimitError(asked, f"it took longer than {patience:g} s at {at}", "")
        finally:
            child.kill()
    raise ResourceError(
        asked, f"its process ended at {at}, most likely for want of memory", "free some, ask again"
    )


def damaged(asked: str, wrong: list[str]) -> RecordError:
    """Return the error for damage that was found."""
    return RecordError(
        asked,
        f"the store is damaged: {'; '.join(wrong)}",
        "save it while all quads can still be read, and restore that, or an earlier backup, into a"
        " new folder",
    )


def main(copy: str) -> int:
    """Check a copy and say what was found."""

    def say(message: dict[str, object]) -> None:
        os.write(1, json.dumps(message).encode() + b"\n")

    limit = spare_memory()
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    try:
        quads = ox.Store.read_only(copy)
    except (OSError, RuntimeError) as error:
        say({"wrong": [_brief(error)]})
        return 0
    say({"wrong": check(quads, lambda at: say({"at": at}))})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
