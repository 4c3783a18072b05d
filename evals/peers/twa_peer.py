"""twa (The World Avatar) with the benchmark's object: run by `evals.bench` in its own environment.

Reads one JSON request a line (`{"do": "push", "batch": 0, "objects": 1000}`) and answers each with
the milliseconds that it took. twa speaks to a SPARQL server, through Java.
"""

# pyright: basic, reportMissingImports=false, reportInvalidTypeForm=false

from __future__ import annotations

import gc
import json
import os
import sys
import time
from contextlib import redirect_stdout
from typing import Optional

with redirect_stdout(sys.stderr):
    from twa.data_model.base_ontology import (
        BaseClass,
        BaseOntology,
        DatatypeProperty,
        KnowledgeGraph,
        ObjectProperty,
    )
    from twa.kg_operations import PySparqlClient


class Bench(BaseOntology):
    """The vocabulary."""

    base_url = "https://example.org/"
    namespace = "bench"


def field(name, kind=DatatypeProperty):
    """Make a property with at most one value."""
    return kind.create_from_base(name, Bench, 0, 1)


Caption, Index, Energy = field("Caption"), field("Index"), field("Energy")
Converged, Method, Parent = field("Converged"), field("Method"), field("Parent", ObjectProperty)


class Sample(BaseClass):
    """The twin of `evals.bench.sample.Sample`."""

    rdfs_isDefinedBy = Bench
    caption: Caption[str]
    index: Index[int]
    energy: Energy[float]
    converged: Converged[bool]
    method: Method[str]
    parent: Optional[Parent[Sample]] = None  # noqa: UP045 (twa does not know the other form)


Sample.model_rebuild()


def iri_of(index):
    """Return the IRI of the object of this number."""
    return f"https://example.org/twa/{index}"


def make(batch, objects):
    """Make the star of one batch; a batch is made once, so that its objects are new."""
    first = batch * objects
    hub = Sample(
        instance_iri=iri_of(first),
        caption=f"sample {first}",
        index=first,
        energy=-1.5,
        converged=True,
        method="HF",
    )
    return [hub] + [
        Sample(
            instance_iri=iri_of(i),
            caption=f"sample {i}",
            index=i,
            energy=-76.0 - i / 7,
            converged=True,
            method="B3LYP",
            parent=hub,
        )
        for i in range(first + 1, first + objects)
    ]


def start(client, batch, objects):
    """Ask for nothing, so that Java and the connection stand."""
    client.perform_query("ASK {}")


def push(client, batch, objects):
    """Push each object by itself, with what it links to, as twa's documents show it."""
    for one in make(batch, objects):
        one.push_to_kg(client, recursive_depth=-1)


def push_diffed(client, batch, objects):
    """The same, each after a look at what is stored of it."""
    for one in make(batch, objects):
        one.push_to_kg(client, recursive_depth=0, pull_first=True)


def push_all(client, batch, objects):
    """Push everything that is in memory, in one update."""
    make(batch, objects)
    Sample.push_all_instances_to_kg(client, recursive_depth=0)


def pull(client, batch, objects):
    """Pull the objects in one query, links as IRIs."""
    first = batch * objects
    found = Sample.pull_from_kg(
        [iri_of(i) for i in range(first, first + objects)], client, recursive_depth=0
    )
    assert len(found) == objects
    assert all(len(one.index) == 1 for one in found)
    assert sum(len(one.parent or ()) for one in found) == objects - 1


def main():
    """Answer requests until there are no more."""
    url = sys.argv[1]
    client = PySparqlClient(f"{url}/query", f"{url}/update")
    work = {
        "start": start,
        "push": push,
        "push diffed": push_diffed,
        "push all": push_all,
        "pull": pull,
    }
    for line in sys.stdin:
        request = json.loads(line)
        KnowledgeGraph.clear_object_lookup()
        KnowledgeGraph.iri_loading_in_progress = None  # else IRIs once asked for in vain stay so
        gc.collect()
        started = time.perf_counter()
        with redirect_stdout(sys.stderr):
            work[request["do"]](client, request["batch"], request["objects"])
        print(json.dumps({"ms": (time.perf_counter() - started) * 1e3}), flush=True)
    os._exit(0)  # the thread that talks to Java does not end by itself


main()
