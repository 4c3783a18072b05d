"""Memory while 100,000 objects stream through push and through pull.

``python -m evals.bench.memory push|pull FOLDER OBJECTS`` prints JSON: the resident set in MB
after a tenth, a half and all of the objects, and the seconds that it took.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

import psutil

from ogm import KnowledgeGraph
from triplestore import open_store

from .figures import Figure, say, shown
from .programs import run
from .sample import Sample, star

OBJECTS = 100_000
LIMIT = 20.0  # MB


def measure(folder: Path) -> Iterator[Figure]:
    """Stream the objects in child processes: in, and out again."""
    for what in ("push", "pull"):
        say(f"memory: {OBJECTS:,} objects through {what}…")
        program = ["-m", "evals.bench.memory", what, str(folder / "stream"), str(OBJECTS)]
        told = json.loads(run(program).said.splitlines()[-1])
        tenth, half, whole = told["held"]
        most, name = max(half, whole), f"stream through {what}"
        against, target = f"after {OBJECTS // 10:,}", f"at most {LIMIT:g} MB more"
        yield Figure(name, most, tenth, "MB", against, target, most - tenth < LIMIT)
        yield shown(name, OBJECTS / told["seconds"], None, "objects/s", "-")


def watched(models: Iterable[Sample], objects: int, held: list[float]) -> Iterator[Sample]:
    """Pass objects on, and note the memory in MB after a tenth, a half and all of them."""
    marks = {objects // 10, objects // 2, objects}
    for number, model in enumerate(models, 1):
        yield model
        if number in marks:
            held.append(psutil.Process().memory_info().rss / 2**20)


def main() -> None:
    """Push or pull a stream."""
    what, folder, objects = sys.argv[1], sys.argv[2], int(sys.argv[3])
    held: list[float] = []
    with open_store(folder) as store:
        kg = KnowledgeGraph(store)
        started = time.perf_counter()
        if what == "push":
            made = chain.from_iterable(star(batch) for batch in range(objects // 1000))
            count = kg.push_all(watched(made, objects, held))
        else:
            count = sum(1 for _ in watched(kg.stream(Sample), objects, held))
        taken = time.perf_counter() - started
    assert count == objects, f"{count} objects instead of {objects}"
    print(json.dumps({"held": held, "seconds": taken}))


if __name__ == "__main__":
    main()
