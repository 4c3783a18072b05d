"""The RO-Crate metadata of a bundle (RO-Crate 1.1), for archives and programs that read it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from pyoxigraph import NamedNode

from ogm.terms import BASE, RDF_TYPE

from .closure import GENERATED, OF_RUN, RUN, Pairs, Value
from .provo import (
    ABOUT,
    CALCULATION,
    ENDED,
    GOAL,
    NAME,
    SOFTWARE,
    STARTED,
    USED,
    VERSION,
    values,
)

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
OUTCOME, RESULTS, STATUS = (BASE + name for name in ("Outcome", "results", "status"))
PROFILE = "https://w3id.org/ro/crate/1.1"


def crate(
    roots: Sequence[str],
    objects: Mapping[str, Pairs],
    arrays: Sequence[str],
    author: str = "",
    licence: str = "",
) -> bytes:
    """Return the file `ro-crate-metadata.json`: the parts, what was done, and with what software.

    It is published on the day of the last thing that happened in it, so that equal content gives
    equal bytes; today if nothing did.

    Args:
        roots: what the bundle is about.
        objects: what is stored of the objects in it.
        arrays: the digests of its array files.
        author: who publishes it, as `Name` or `Name <https://orcid.org/…>`; empty if not said.
        licence: the address of the licence; empty if not said.
    """
    moments = sorted(
        value.value
        for pairs in objects.values()
        for name in (STARTED, ENDED)
        for value in values(pairs, name)
    )
    agents = sorted({v.value for pairs in objects.values() for v in values(pairs, SOFTWARE)})
    files: list[dict[str, Any]] = [
        {
            "@id": "objects.trig",
            "@type": "File",
            "name": "the objects and what made them",
            "encodingFormat": "application/trig",
        },
        {
            "@id": "manifest.json",
            "@type": "File",
            "name": "checksums",
            "encodingFormat": "application/json",
        },
        *(
            {
                "@id": f"arrays/{name}.npy",
                "@type": "File",
                "name": "an array that the objects name by its digest",
                "encodingFormat": "application/x-npy",
            }
            for name in arrays
        ),
    ]
    actions = [*_actions(objects)]
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": "Results of Grafico" if len(roots) > 1 else f"A result of Grafico: {roots[0]}",
        "description": "Calculated objects with everything that they rest on: inputs, levels of "
        "theory, activities, software and devices.",
        "datePublished": moments[-1][:10] if moments else f"{datetime.now(UTC):%Y-%m-%d}",
        "author": {"@id": (person := _author(author))["@id"]},
        "license": {"@id": (terms := _licence(licence))["@id"]},
        "hasPart": [{"@id": part["@id"]} for part in files],
        "about": [{"@id": iri} for iri in roots],
        "mentions": _refer([*agents, *(action["@id"] for action in actions)]),
    }
    descriptor = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": PROFILE},
        "about": {"@id": "./"},
    }
    software = [_software(iri, objects.get(iri, [])) for iri in agents]
    described = {entity["@id"] for entity in (*actions, *software)}
    named = {*roots}.union(
        part["@id"] for action in actions for key in ("object", "result") for part in action[key]
    )
    things = [_thing(iri, objects.get(iri, [])) for iri in sorted(named - described)]
    graph = [descriptor, root, person, terms, *files, *software, *actions, *things]
    document = {"@context": CONTEXT, "@graph": graph}
    return json.dumps(document, indent=1, ensure_ascii=False).encode()


def _actions(objects: Mapping[str, Pairs]) -> Iterator[dict[str, Any]]:
    """Yield what was done: activities, and runs with what they came to."""
    ends = {
        run.value: pairs
        for pairs in objects.values()
        if (RDF_TYPE, NamedNode(OUTCOME)) in pairs
        for run in values(pairs, OF_RUN)
    }
    for iri, pairs in sorted(objects.items()):
        made = values(pairs, GENERATED)
        if made:
            yield _action(iri, CALCULATION, pairs, values(pairs, USED), made, pairs, "Completed")
        elif (RDF_TYPE, NamedNode(RUN)) in pairs:
            end = ends.get(iri, [])
            made = [term for term in values(end, RESULTS) if isinstance(term, NamedNode)]
            status = [value.value for value in values(end, STATUS)]
            how = "Completed" if status == ["finished"] else "Failed" if status else "Active"
            yield _action(iri, GOAL, pairs, values(pairs, ABOUT), made, end, how)


def _action(
    iri: str,
    name: str,
    pairs: Pairs,
    used: Sequence[Value],
    made: Sequence[Value],
    end: Pairs,
    how: str,
) -> dict[str, Any]:
    said: dict[str, Any] = {
        "@id": iri,
        "@type": "CreateAction",
        "name": next((value.value for value in values(pairs, name)), iri),
        "instrument": _refer(sorted({value.value for value in values(pairs, SOFTWARE)})),
        "object": _refer(sorted({value.value for value in used})),
        "result": _refer(sorted({value.value for value in made})),
        "actionStatus": {"@id": f"http://schema.org/{how}ActionStatus"},
    }
    for key, source, predicate in (("startTime", pairs, STARTED), ("endTime", end, ENDED)):
        for value in values(source, predicate):
            said[key] = value.value
    return said


def _refer(iris: Sequence[str]) -> list[dict[str, str]]:
    return [{"@id": iri} for iri in iris]


def _author(said: str) -> dict[str, Any]:
    """Return who publishes the crate; it is not known from what is stored."""
    if not said:
        name = "whoever exported this with Grafico, and did not say who that is"
        return {"@id": "#author", "@type": "Organization", "name": name}
    name, _, address = said.rstrip("> ").partition("<")
    return {"@id": address or "#author", "@type": "Person", "name": name.strip()}


def _licence(said: str) -> dict[str, Any]:
    if not said:
        text = "The licence is up to whoever publishes this."
        return {
            "@id": "#licence",
            "@type": "CreativeWork",
            "name": "no licence yet",
            "description": text,
        }
    return {"@id": said, "@type": "CreativeWork", "name": said, "description": "the licence"}


def _thing(iri: str, pairs: Pairs) -> dict[str, Any]:
    kinds = [value.value.rpartition("/")[2] for value in values(pairs, RDF_TYPE)]
    return {"@id": iri, "@type": "Thing", "name": " ".join([*kinds, iri])}


def _software(iri: str, pairs: Pairs) -> dict[str, Any]:
    said: dict[str, Any] = {"@id": iri, "@type": "SoftwareApplication"}
    for key, predicate in (("name", NAME), ("version", VERSION)):
        for value in values(pairs, predicate):
            said[key] = value.value
    return said
