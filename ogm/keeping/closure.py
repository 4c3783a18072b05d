"""What objects rest on and what belongs to them: their triples and those of all of that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode

from ogm.fields import linked
from ogm.model import GraphModel, found_more, storable
from ogm.terms import BASE, PREFIXES, RDF_TYPE, checked_iri
from triplestore import Store, Table
from triplestore.errors import RecordError, ResourceError

from .container import Tell, quiet

Value: TypeAlias = NamedNode | Literal
Pairs: TypeAlias = list[tuple[str, Value]]
"""Predicate and object of each triple of a subject."""

GENERATED = PREFIXES["prov"] + "generated"
"""From an activity to its result."""
OF_RUN = BASE + "run"
"""From the transitions and outcomes of a run to the run."""
RESULTS, ENDED = BASE + "results", PREFIXES["prov"] + "endedAtTime"
"""From an outcome to what the run came to, and when that was."""
RUN, OUTCOME = BASE + "Run", BASE + "Outcome"

PAGE = 500
"""IRIs that one query asks about."""


@dataclass(frozen=True)
class Gathered:
    """Objects and what they rest on.

    Attributes:
        objects: their triples, by subject.
        unknown: IRIs that something links to and of which nothing is stored.
        left_out: owners that are there because a part of them was asked for, with how many of
            their other parts are not.
    """

    objects: dict[str, Pairs]
    unknown: set[str]
    left_out: dict[str, int]


def gather(
    store: Store, roots: Iterable[str], tell: Tell = quiet, *, parts: bool = True
) -> Gathered:
    """Return the triples of objects, of what they rest on and of what belongs to them.

    Links are followed; and from each object to what belongs to it (`PartOf`): from a result to the
    activities that made it, from a run to its steps, its ends and the runs that it began, from a
    batch to all of it. What nothing has generated brings the first run that came to it. From a part
    its owner is followed without the other parts. Everything is held in memory, about 1 kB a
    triple.

    Args:
        store: where they are.
        roots: IRIs of the objects.
        tell: is told how far it is.
        parts: whether owners bring those parts that they can do without, such as a batch its runs.

    Raises:
        RecordError: there is a blank node among them, which has no name elsewhere.
    """
    search = _Search(store, parts)
    level = wanted = dict.fromkeys(roots, True)
    while level:
        while level:
            level = search.deeper(level)
            tell(f"{len(search.known):,} objects")
        level, wanted = search.came_to(wanted), {}
    return Gathered(search.known, search.unknown, search.left_out())


class _Search:
    """Objects that were found, each with whether all of it is wanted or only what it needs."""

    def __init__(self, store: Store, parts: bool) -> None:
        self._store, self._parts = store, parts
        self._marks, self._owners = _marks()
        self._classes = {cls.term() for cls in storable(GraphModel)}
        self.known: dict[str, Pairs] = {}
        self.unknown: set[str] = set()
        self._whole: dict[str, bool] = {}

    def deeper(self, level: Mapping[str, bool]) -> dict[str, bool]:
        """Look at objects, and return where they lead to, each with whether all of it is wanted."""
        described = describe(self._store, [iri for iri in level if iri not in self.known])
        self.unknown.update(level.keys() - described.keys() - self.known.keys())
        self.known.update(described)
        self._whole |= level
        here = {iri: whole for iri, whole in level.items() if iri in self.known}
        found: dict[str, bool] = {}
        for iri, whole in here.items():
            for predicate, term in self.known[iri]:
                if predicate != RDF_TYPE and isinstance(term, NamedNode):
                    owner = predicate in self._owners.get(self._class(iri), ())
                    _want(found, term.value, whole and not owner)
        for mark in self._marks:
            for whole in (True, False) if mark.always else (True,):
                if self._parts or mark.always:
                    owners = [iri for iri in here if here[iri] is whole and self._fits(iri, mark)]
                    for part, _ in self._of(mark, owners):
                        _want(found, part, whole)
        new = {iri: whole for iri, whole in found.items() if iri not in self.unknown}
        return {iri: whole for iri, whole in new.items() if whole > self._whole.get(iri, -1)}

    def came_to(self, roots: Iterable[str]) -> dict[str, bool]:
        """Return the outcomes in which those things come up first that nothing has generated."""
        made = {
            _text(term)
            for pairs in self.known.values()
            for name, term in pairs
            if name in (GENERATED, RESULTS)
        }
        ends = [*sources(self._store, RESULTS, [iri for iri in roots if iri not in made])]
        said = describe(self._store, dict.fromkeys(end for end, _ in ends))
        first: dict[str, tuple[str, str]] = {}
        for end, iri in ends:
            when = next((_text(term) for name, term in said[end] if name == ENDED), "")
            first[iri] = min(first.get(iri, (when, end)), (when, end))
        return {end: True for _, end in first.values()}

    def left_out(self) -> dict[str, int]:
        """Return what is not whole, with how many of its parts are missing."""
        found: dict[str, int] = {}
        for mark in self._marks if self._parts else ():
            owners = [
                iri
                for iri, whole in self._whole.items()
                if not whole and iri in self.known and self._fits(iri, mark)
            ]
            for part, owner in self._of(mark, [] if mark.always else owners):
                if part not in self.known:
                    found[owner] = found.get(owner, 0) + 1
        return found

    def _of(self, mark: _Mark, owners: Sequence[str]) -> Iterator[tuple[str, str]]:
        kinds = " ".join(f"<{kind}>" for kind in sorted(mark.parts))
        path = "|".join(f"<{one}>" for one in sorted(mark.predicates))
        pattern = (
            f"SELECT ?s ?o {{{{ VALUES ?o {{{{ {{}} }}}} ?s {path} ?o ; a ?kind "
            f"VALUES ?kind {{{{ {kinds} }}}} }}}}"
        )
        for part, owner in _rows(self._store, pattern, owners):
            yield _text(part), _text(owner)

    def _class(self, iri: str) -> str:
        return next((_text(term) for name, term in self.known[iri] if name == RDF_TYPE), "")

    def _fits(self, iri: str, mark: _Mark) -> bool:
        kind = self._class(iri)  # an activity may have made what is not known here
        return kind in mark.owners or (GENERATED in mark.predicates and kind not in self._classes)


def _want(found: dict[str, bool], iri: str, whole: bool) -> None:
    found[iri] = whole or found.get(iri, False)


@dataclass(frozen=True)
class _Mark:
    """Fields by which objects belong to others: their IRIs, and the terms of their classes."""

    predicates: frozenset[str]
    parts: frozenset[str]
    owners: frozenset[str]
    always: bool


def _marks() -> tuple[list[_Mark], dict[str, set[str]]]:
    """Return the fields that say what belongs to what; of each class those of lone parts."""
    found_more()
    classes = [*storable(GraphModel)]
    parts: dict[tuple[str, bool], set[str]] = {}
    owners: dict[tuple[str, bool], set[str]] = {}
    alone: dict[str, set[str]] = {}
    for cls in classes:
        for plan in cls.fields():
            if (mark := plan.part_of) is None:
                continue
            key = plan.predicate, mark.always
            parts.setdefault(key, set()).add(cls.term())
            fit = (one for one in classes if issubclass(one, mark.owners))
            leads = tuple(linked(cls, plan.name))
            owners.setdefault(key, set()).update(
                one.term() for one in fit if issubclass(one, leads)
            )
            if mark.alone:
                alone.setdefault(cls.term(), set()).add(plan.predicate)
    alike: dict[tuple[str, bool, frozenset[str]], list[str]] = {}  # asked for in one query
    for predicate, always in parts:
        lone = predicate if predicate == GENERATED else ""
        group = lone, always, frozenset(owners[predicate, always])
        alike.setdefault(group, []).append(predicate)
    return [
        _Mark(
            frozenset(names),
            frozenset[str]().union(*(parts[one, always] for one in names)),
            of,
            always,
        )
        for (_, always, of), names in alike.items()
    ], alone


def describe(store: Store, iris: Iterable[str]) -> dict[str, Pairs]:
    """Return what the default graph says of IRIs, those left out of which it says nothing.

    Raises:
        RecordError: it says something about or through a blank node.
    """
    found: dict[str, Pairs] = {}
    pattern = "SELECT ?s ?p ?o {{ VALUES ?s {{ {} }} ?s ?p ?o }}"
    for subject, predicate, term in _rows(store, pattern, list(iris)):
        if not isinstance(term, NamedNode | Literal):
            raise RecordError(
                f"{_text(subject)} is to leave the store",
                f"its <{_text(predicate)}> is {str(term)[:80]}, which has no name elsewhere",
                "give it an IRI",
            )
        found.setdefault(_text(subject), []).append((_text(predicate), term))
    return found


def sources(store: Store, predicate: str, iris: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Iterate over what points to IRIs by a predicate: pairs of source and IRI."""
    pattern = f"SELECT ?s ?o {{{{ VALUES ?o {{{{ {{}} }}}} ?s <{predicate}> ?o }}}}"
    for source, iri in _rows(store, pattern, list(iris)):
        if isinstance(source, BlankNode):
            raise RecordError(f"what points to {_text(iri)} is looked for", "it has no IRI")
        yield _text(source), _text(iri)


def referred(store: Store, iris: Sequence[str]) -> Iterator[str]:
    """Iterate over those of some IRIs to which something points."""
    for (iri,) in _rows(store, "SELECT DISTINCT ?o {{ VALUES ?o {{ {} }} ?s ?p ?o }}", iris):
        yield _text(iri)


def _rows(store: Store, pattern: str, iris: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Iterate over the rows of a query with IRIs in its place, a page of them at a time."""
    for start in range(0, len(iris), PAGE):
        yield from _page(store, pattern, iris[start : start + PAGE])


def _page(store: Store, pattern: str, iris: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    answer = store.query(pattern.format(" ".join(f"<{checked_iri(iri)}>" for iri in iris)))
    assert isinstance(answer, Table)
    if not answer.cut:
        yield from answer.rows
    elif len(iris) == 1:
        raise ResourceError(f"read {iris[0]}", answer.cut)
    else:
        yield from _page(store, pattern, iris[: len(iris) // 2])
        yield from _page(store, pattern, iris[len(iris) // 2 :])


def _text(term: Any) -> str:
    return str(getattr(term, "value", term))
