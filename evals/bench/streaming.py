"""One stream of objects in a process of its own, which tells how much memory it held on the way.

``python -m evals.bench.streaming push|pull FOLDER OBJECTS`` prints JSON: the resident set in MB
after a tenth, a half and all of the objects, and the seconds that it took.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import chain

from ogm import KnowledgeGraph
from triplestore import open_store

from .sample import Sample, star


def resident(process: int) -> float:
    """Return the resident set of a process in MB."""
    told = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(process)], check=True, capture_output=True, text=True
    )
    return int(told.stdout) / 1024


def watched(models: Iterable[Sample], objects: int, held: list[float]) -> Iterator[Sample]:
    """Pass objects on, and note the memory after a tenth, a half and all of them."""
    marks = {objects // 10, objects // 2, objects}
    for number, model in enumerate(models, 1):
        yield model
        if number in marks:
            held.append(resident(os.getpid()))


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
