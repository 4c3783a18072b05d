"""What made what, said in PROV-O as other programs expect it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pyoxigraph import Literal, NamedNode, Triple

from ogm.terms import BASE, PREFIXES, RDF_TYPE

from .closure import GENERATED, OF_RUN, RUN, Pairs, Value

PROV = PREFIXES["prov"]
LABEL = PREFIXES["rdfs"] + "label"
USED, STARTED, ENDED = PROV + "used", PROV + "startedAtTime", PROV + "endedAtTime"
SOFTWARE, ABOUT, CALCULATION, GOAL = (
    BASE + name for name in ("software", "about", "calculation", "goal")
)
NAME, VERSION = BASE + "name", BASE + "version"


def provenance(objects: Mapping[str, Pairs]) -> Iterator[Triple]:
    """Iterate over the PROV-O view of activities and runs among objects.

    Entities with `wasGeneratedBy` and `wasDerivedFrom`; activities with `used`, times and
    `wasAssociatedWith` software, which is a `SoftwareAgent`. A triple may come several times.
    """
    for iri, pairs in objects.items():
        is_run = (RDF_TYPE, NamedNode(RUN)) in pairs
        results = values(pairs, GENERATED)
        if not results and not is_run:
            continue
        activity = NamedNode(iri)
        yield _triple(activity, RDF_TYPE, NamedNode(PROV + "Activity"))
        for predicate, said in ((LABEL, CALCULATION), (LABEL, GOAL), (STARTED, STARTED)):
            for value in values(pairs, said):
                yield _triple(activity, predicate, value)
        used = values(pairs, USED) + (values(pairs, ABOUT) if is_run else [])
        for value in used:
            yield _triple(value, RDF_TYPE, NamedNode(PROV + "Entity"))
            yield _triple(activity, USED, value)
        for result in results:
            yield _triple(result, RDF_TYPE, NamedNode(PROV + "Entity"))
            yield _triple(result, PROV + "wasGeneratedBy", activity)
            for value in used:
                yield _triple(result, PROV + "wasDerivedFrom", value)
        yield from _agents(activity, pairs, objects)
    yield from _ends(objects)


def _agents(activity: NamedNode, pairs: Pairs, objects: Mapping[str, Pairs]) -> Iterator[Triple]:
    for agent in values(pairs, SOFTWARE):
        yield _triple(activity, PROV + "wasAssociatedWith", agent)
        yield _triple(agent, RDF_TYPE, NamedNode(PROV + "SoftwareAgent"))
        said = objects.get(agent.value, [])
        words = [value.value for name in (NAME, VERSION) for value in values(said, name)]
        if words:
            yield _triple(agent, LABEL, Literal(" ".join(words)))


def _ends(objects: Mapping[str, Pairs]) -> Iterator[Triple]:
    """Say when activities ended; of a run, its outcome says so."""
    for iri, pairs in objects.items():
        ends = values(pairs, ENDED)
        if values(pairs, GENERATED):
            for end in ends:
                yield _triple(NamedNode(iri), ENDED, end)
        elif (RDF_TYPE, NamedNode(BASE + "Outcome")) in pairs:
            for run in values(pairs, OF_RUN):
                for end in ends:
                    yield _triple(run, ENDED, end)


def values(pairs: Pairs, predicate: str) -> list[Value]:
    """Return the values of a property."""
    return [term for name, term in pairs if name == predicate]


def _triple(subject: Value, predicate: str, term: Value) -> Triple:
    assert isinstance(subject, NamedNode), subject
    return Triple(subject, NamedNode(predicate), term)
