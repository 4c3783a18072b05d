"""The mapper in a process of its own, which answers the same requests as its peers do."""

from __future__ import annotations

import gc
import json
import sys
import time

from ogm import KnowledgeGraph
from triplestore import Store, open_store

from .sample import Sample, star


def answer(store: Store, what: str, batch: int, objects: int) -> float:
    """Do what is asked in a session that has seen nothing, and return the milliseconds it took."""
    kg = KnowledgeGraph(store)
    names = [model.iri for model in star(batch, objects)] if what == "pull" else []
    gc.collect()
    started = time.perf_counter()
    match what:
        case "push":
            kg.push(*star(batch, objects))
        case "pull":
            found = kg.pull_all(Sample, names)
            assert len(found) == objects
        case _:
            store.query("ASK {}")
    return (time.perf_counter() - started) * 1e3


def main() -> None:
    """Answer requests, one a line, until there are no more."""
    with open_store(sys.argv[1]) as store:
        for line in sys.stdin:
            request = json.loads(line)
            taken = answer(store, request["do"], request["batch"], request["objects"])
            print(json.dumps({"ms": taken}), flush=True)


if __name__ == "__main__":
    main()
