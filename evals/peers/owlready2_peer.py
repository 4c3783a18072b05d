"""owlready2 with the benchmark's object: run by `evals.bench` in an environment of its own.

Reads one JSON request a line (`{"do": "push", "batch": 0, "objects": 1000}`) and answers each with
the milliseconds that it took. The quads lie in a file, as ours do.
"""

# pyright: basic, reportMissingImports=false

import gc
import json
import os
import sys
import time

from owlready2 import DataProperty, FunctionalProperty, ObjectProperty, Thing, World

BASE = "https://example.org/bench#"


def declare(onto):
    """Make the class with its five scalars and its link."""
    with onto:

        class Sample(Thing):
            pass

        for name, kind in {
            "caption": str,
            "index": int,
            "energy": float,
            "converged": bool,
            "method": str,
        }.items():
            type(name, (DataProperty, FunctionalProperty), {"domain": [Sample], "range": [kind]})
        type("parent", (ObjectProperty, FunctionalProperty), {"domain": [Sample]})
    return Sample


def name_of(index):
    """Return the name of the object of this number."""
    return f"s{index}"


def push(onto, sample, batch, objects):
    """Make the objects, which puts them into the quad store, and commit."""
    first = batch * objects
    with onto:
        hub = sample(
            name_of(first),
            caption=f"sample {first}",
            index=first,
            energy=-1.5,
            converged=True,
            method="HF",
        )
        for i in range(first + 1, first + objects):
            sample(
                name_of(i),
                caption=f"sample {i}",
                index=i,
                energy=-76.0 - i / 7,
                converged=i % 2 == 0,
                method="B3LYP",
                parent=hub,
            )
    onto.world.save()


def pull(path, batch, objects):
    """Read every field of the objects in a world that has not seen them."""
    world = World(filename=path, exclusive=False)
    world.get_ontology(BASE).load()
    first = batch * objects
    found = []
    for i in range(first, first + objects):
        o = world[BASE + name_of(i)]
        found.append((o.caption, o.index, o.energy, o.converged, o.method, o.parent))
    assert found[1][1] == first + 1
    assert found[1][5] is world[BASE + name_of(first)]
    world.close()


def main():
    """Answer requests until there are no more."""
    path = os.path.join(sys.argv[1], "owlready2.sqlite3")
    world = World(filename=path, exclusive=False)
    onto = world.get_ontology(BASE)
    sample = declare(onto)
    world.save()
    for line in sys.stdin:
        request = json.loads(line)
        batch, objects = request["batch"], request["objects"]
        gc.collect()
        started = time.perf_counter()
        if request["do"] == "push":
            push(onto, sample, batch, objects)
        elif request["do"] == "pull":
            pull(path, batch, objects)
        print(json.dumps({"ms": (time.perf_counter() - started) * 1e3}), flush=True)


main()
