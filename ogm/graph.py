"""`KnowledgeGraph`: objects in a store, pushed, pulled and found."""

from __future__ import annotations

import itertools
import weakref
from collections import ChainMap, deque
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode

from triplestore import ResourceError, Store, Table

from .arrays import ArrayFiles
from .codec import Classes, Described, Term, closure, decode, encode, form
from .fields import members
from .model import GraphModel, Link, ModelT, hold, is_kept, subclasses
from .search import patterns
from .terms import checked_iri, with_prefixes

RECENT = 256
"""Small objects that are held although nobody else does."""

BATCH = 1000
"""Objects in one transaction, or one query, of a stream."""

PAGE = 50_000
"""IRIs that a stream looks up at once."""


class KnowledgeGraph:
    """A session over a store. What is finished is true here and only here.

    Safe to share between threads. Objects that were pushed or pulled are remembered as long as
    somebody holds them, so that an object is loaded and sent once; the latest small ones (levels
    of theory, software, devices, …) are held here.

    Args:
        store: where the quads live.
        arrays: folder for large arrays, which several stores may share; None for the folder
            `arrays` beside the quads. A store in memory has none and keeps arrays as literals.
    """

    def __init__(self, store: Store, arrays: Path | None = None) -> None:
        self.store = store
        if arrays is None and store.home is not None:
            arrays = store.home / "arrays"
        self.files = ArrayFiles(arrays) if arrays is not None else None
        self._known: weakref.WeakValueDictionary[str, GraphModel] = weakref.WeakValueDictionary()
        self._recent: deque[GraphModel] = deque(maxlen=RECENT)

    # --- storing ---------------------------------------------------------------------------

    def push(self, *models: GraphModel, durable: bool = True) -> None:
        """Store objects and everything that their fields and links hold, in one transaction.

        Only what this session does not know to be stored is sent; pushing again changes nothing.
        Nothing is read before: values are named by their content, and the store itself refuses
        another value for what a result, an event or an object with a key has said before.

        Raises:
            ConflictError: an object of that IRI is stored, or given, with other values.
            RecordError: a result without an IRI is among them.
            ResourceError: the store could not write.
        """
        found = closure(models)
        known = self._known
        new = {iri: model for iri, model in found.items() if known.get(iri) is not model}
        if new:
            quads = encode(new.values(), self.files)
            settled = [
                iri for iri, model in new.items() if model.identity() != "value" or is_kept(model)
            ]
            self.store.insert(quads, durable=durable, settled=settled)
            # of a key there may be more in the store than was said here
            self.remember({i: model for i, model in new.items() if model.identity() != "key"})

    def push_all(self, models: Iterable[GraphModel], *, durable: bool = True) -> int:
        """Store a stream of objects in transactions of a thousand; return how many they were.

        Raises:
            GraficoError: as `push`; what came before the failing thousand is stored.
        """
        source, count = iter(models), 0
        while batch := list(itertools.islice(source, BATCH)):
            self.push(*batch, durable=False)
            count += len(batch)
        if durable and count:
            self.store.flush()
        return count

    def push_again(self, models: Sequence[GraphModel]) -> None:
        """Store objects in the present form of their classes, though the session knows them."""
        for model in models:
            self._known.pop(model.iri, None)
        self.push(*models)

    # --- loading ---------------------------------------------------------------------------

    def pull(self, cls: type[ModelT], iri: str, depth: int = 0) -> ModelT:
        """Load one object with everything that its fields hold.

        Args:
            cls: its class, or a parent of it.
            iri: its IRI.
            depth: how many links to follow; what they lead to is then held by the links. -1
                follows all. A link to what is not stored is left as it is.

        Raises:
            NotFoundError: nothing of that IRI is stored.
            RecordError: it is of another class or its values are not valid.
        """
        return self.pull_all(cls, [iri], depth)[0]

    def pull_all(self, cls: type[ModelT], iris: Sequence[str], depth: int = 0) -> list[ModelT]:
        """Load several objects as `pull` does, however many, in few queries.

        One query for the objects, one for all that they hold, and one for each level of links
        (for all levels together if `depth` is -1).

        Raises:
            GraficoError: as `pull`, naming the object and the property.
        """
        reading = _Reading(self, whole=depth < 0)
        found: dict[str, Any] = {iri: self._known.get(iri) for iri in iris}
        missing = [iri for iri, model in found.items() if not isinstance(model, cls)]
        if missing:
            found.update(zip(missing, reading.load(cls, missing), strict=True))
        if depth:
            reading.follow(list(found.values()), depth)
        return [found[iri] for iri in iris]

    def known(self, iri: str) -> GraphModel | None:
        """Return the object of this IRI if the session remembers it."""
        return self._known.get(iri)

    def at_hand(self, built: dict[str, GraphModel]) -> MutableMapping[str, GraphModel]:
        """Return a mapping of all that is remembered, into which `built` receives."""
        return ChainMap[str, GraphModel](built, self._known)

    def remember(self, models: Mapping[str, GraphModel]) -> None:
        """Remember objects that are stored."""
        self._known.update(models)
        latest = list(models.values())[-RECENT:]
        self._recent.extend(model for model in latest if not form(type(model)).has_arrays)

    # --- finding ---------------------------------------------------------------------------

    def find(
        self, cls: type[ModelT], sparql: str = "", /, *, depth: int = 0, **conditions: Any
    ) -> list[ModelT]:
        """Load the objects of a class whose fields meet conditions, in order of their IRIs.

        Args:
            cls: the class; objects of its subclasses are found too.
            sparql: further patterns about `?this`, with the prefixes of Grafico.
            depth: as in `pull`.
            conditions: by field: a value that it equals (a container matches if the value is in
                it), or `above(…)`, `below(…)`, `between(…)`, `one_of(…)`, `containing(…)`.
                Objects are given as such, as a `Link`, or as a dict of conditions on their own
                fields.

        Raises:
            TypeError: a field that the class does not have, an array, or a value of another type.
            QueryError: the SPARQL is malformed.
        """
        body = patterns(cls, sparql, conditions, self._ask)
        query = with_prefixes(f"SELECT DISTINCT ?this {{ {body} }} ORDER BY ?this")
        return self.pull_all(cls, _first_column(self.store.query(query), cls), depth)

    def stream(self, cls: type[ModelT], sparql: str = "", /, **conditions: Any) -> Iterator[ModelT]:
        """Iterate over what `find` would load, a thousand at a time, in order of their IRIs.

        Memory does not grow with their number. What is stored meanwhile may be among them or not.

        Raises:
            GraficoError: as `find`.
        """
        body, last = patterns(cls, sparql, conditions, self._ask), ""
        while True:
            after = f'FILTER(STR(?this) > "{last}")' if last else ""
            page = with_prefixes(
                f"SELECT DISTINCT ?this {{ {body} {after} }} ORDER BY ?this LIMIT {PAGE}"
            )
            iris = _first_column(self.store.query(page), cls)
            for start in range(0, len(iris), BATCH):
                yield from self.pull_all(cls, iris[start : start + BATCH])
            if len(iris) < PAGE:
                return
            last = iris[-1]

    def _ask(self, sparql: str) -> Table:
        answer = self.store.query(sparql)
        assert isinstance(answer, Table)
        return answer

    def describe(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Described:
        """Ask for the triples of objects, and of all that these properties lead to (None: all)."""
        answer = self.store.reach([checked_iri(iri) for iri in iris], along)
        if answer.cut:
            if len(iris) == 1:
                raise ResourceError(f"read {iris[0]}", answer.cut)
            half = len(iris) // 2
            return {**self.describe(iris[:half], along), **self.describe(iris[half:], along)}
        found: dict[str, list[tuple[str, Term]]] = {}
        name, pairs = "", list[tuple[str, Term]]()
        for subject, predicate, term in answer.rows:
            if isinstance(subject, NamedNode) and predicate is not None and term is not None:
                if subject.value != name:
                    name = subject.value
                    pairs = found.setdefault(name, [])
                pairs.append((predicate.value, term))
        return found


class _Reading:
    """One pull: what has been fetched from the store so far.

    Args:
        kg: the session.
        whole: fetch all that can be reached, links included, at once.
    """

    def __init__(self, kg: KnowledgeGraph, *, whole: bool) -> None:
        self._kg, self._whole = kg, whole
        self._fetched: dict[str, Sequence[tuple[str, Term]]] = {}
        self._classes: Classes = {}

    def load(self, cls: type[ModelT], iris: Sequence[str]) -> list[ModelT]:
        """Load objects: one query for them, one for all that they hold (one if whole)."""
        self._fetch(iris, deeper=self._whole)
        return self._decode(cls, iris)

    def follow(self, models: Sequence[GraphModel], depth: int) -> None:
        """Let links hold what they lead to, level by level."""
        seen: set[int] = set()
        while models and depth:
            links = [link for model in models for link in _links(model, seen)]
            ahead = [link for link in links if link.held is None]
            found = self._existing(dict.fromkeys(link.iri for link in ahead))
            for link in ahead:
                if link.iri in found:
                    hold(link, found[link.iri])
            models = [link.held for link in links if link.held is not None]
            depth -= 1

    def _existing(self, iris: Iterable[str]) -> dict[str, GraphModel]:
        """Load those of these objects that are stored."""
        found = {iri: self._kg.known(iri) for iri in iris}
        missing = [iri for iri, model in found.items() if model is None]
        self._fetch(missing, deeper=True)
        stored = [iri for iri in missing if self._fetched.get(iri)]
        found.update(zip(stored, self._decode(GraphModel, stored), strict=True))
        return {iri: model for iri, model in found.items() if model is not None}

    def _decode(self, cls: type[ModelT], iris: Sequence[str]) -> list[ModelT]:
        built: dict[str, GraphModel] = {}
        at_hand = self._kg.at_hand(built)
        models = decode(cls, iris, self._describe, self._kg.files, at_hand, self._classes)
        self._kg.remember(built)
        return models

    def _describe(self, iris: Sequence[str]) -> Described:
        self._fetch(iris, deeper=True)
        return self._fetched

    def _fetch(self, iris: Sequence[str], deeper: bool = False) -> None:
        new = [iri for iri in iris if iri not in self._fetched]
        if not new:
            return
        # all that can be reached is reached from where the reading began
        everything = deeper and self._whole
        begin = [*self._fetched, *new] if everything else new
        along = () if not deeper else None if everything else _holding()
        self._fetched.update(dict.fromkeys(new, ()))  # what is not there is asked for once
        self._fetched.update(self._kg.describe(begin, along))


def _holding() -> list[str]:
    """Return the properties by which objects hold others."""
    found: set[str] = set()
    for cls in subclasses(GraphModel):
        with suppress(TypeError):  # a class that cannot be stored holds nothing that is
            found.update(plan.predicate for plan in form(cls).parts)
    return sorted(found)


def _links(model: GraphModel, seen: set[int]) -> Iterator[Link[Any]]:
    """Yield the links of an object and of what it holds, once each object."""
    stack = [model]
    while stack:
        this = stack.pop()
        if id(this) in seen:
            continue
        seen.add(id(this))
        shape = form(type(this))
        for plan in shape.parts:
            stack += members(getattr(this, plan.name), plan)
        for plan in shape.links:
            yield from members(getattr(this, plan.name), plan)


def _first_column(answer: Any, cls: type[GraphModel]) -> list[str]:
    assert isinstance(answer, Table)
    if answer.cut:
        raise ResourceError(f"find {cls.__name__}", answer.cut, "narrow the search, or use stream")
    return [str(getattr(row[0], "value", "")) for row in answer.rows]
