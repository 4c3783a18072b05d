"""`KnowledgeGraph`: objects in a store, pushed, pulled and found."""

from __future__ import annotations

import itertools
import weakref
from collections import ChainMap, deque
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode

from triplestore import ResourceError, Store, Table

from .array_storage import ArrayFiles
from .collecting import Described
from .forms import form
from .literals import Term
from .model import GraphModel, ModelT, subclasses
from .naming import is_kept
from .pulling import Pull
from .search import older, patterns
from .terms import checked_iri, with_prefixes
from .writing import closure, encode

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
        self._older: dict[type[GraphModel], bool] = {}

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
        known = self._known
        collected = closure(models, known)
        new = {iri: m for iri, m in collected.items() if not _is_stored(m, known.get(iri))}
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

    def pull_all(
        self,
        cls: type[ModelT],
        iris: Sequence[str],
        depth: int = 0,
        *,
        parts: Iterable[GraphModel] = (),
    ) -> list[ModelT]:
        """Load several objects as `pull` does, however many, in few queries.

        One query for the objects, one for all that they hold, and one for each level of links
        (for all levels together if `depth` is -1).

        Args:
            cls: their class, or a parent of it.
            iris: their IRIs.
            depth: as in `pull`.
            parts: values that the objects may well hold: those need not be loaded. Values that hold
                others themselves are loaded all the same.

        Raises:
            GraficoError: as `pull`, naming the object and the property.
        """
        reading = Pull(self, whole=depth < 0)
        found: dict[str, Any] = {iri: self._known.get(iri) for iri in iris}
        missing = [iri for iri, model in found.items() if not isinstance(model, cls)]
        if missing:
            values = {part.iri: part for part in parts if _is_plain(part)}
            found.update(zip(missing, reading.load(cls, missing, values), strict=True))
        if depth:
            reading.follow(list(found.values()), depth)
        return [found[iri] for iri in iris]

    def known(self, iri: str) -> GraphModel | None:
        """Return the object of this IRI if the session remembers it."""
        return self._known.get(iri)

    def at_hand(
        self, built: dict[str, GraphModel], values: MutableMapping[str, GraphModel]
    ) -> MutableMapping[str, GraphModel]:
        """Return what is remembered, and values; what is put in goes to `built`."""
        return ChainMap[str, GraphModel](built, self._known, values)

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

    def has_older(self, cls: type[GraphModel]) -> bool:
        """Tell whether objects of an earlier schema version are stored: they lack what was added.

        It takes a look at all of the class, and so is asked once a session.
        """
        if cls not in self._older:
            later = (sub for sub in subclasses(cls) if sub.schema_version() > 1)
            self._older[cls] = any(self._ask(older(sub, 1)).rows for sub in later)
        return self._older[cls]

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


def _is_plain(model: GraphModel) -> bool:
    """Tell whether an object is a value that holds no others."""
    shape = form(type(model))
    return model.identity() == "value" and not (shape.parts or shape.links)


def _is_stored(model: GraphModel, known: GraphModel | None) -> bool:
    """Tell whether an object is what is known to be stored under its IRI.

    Values of one IRI are the same, as it is made of all they say, but for those of earlier schemas.
    """
    if model is known or known is None:
        return known is not None
    same = type(model) is type(known) and model.identity() == "value"
    return same and not (is_kept(model) or is_kept(known))


def _first_column(answer: Any, cls: type[GraphModel]) -> list[str]:
    assert isinstance(answer, Table)
    if answer.cut:
        raise ResourceError(f"find {cls.__name__}", answer.cut, "narrow the search, or use stream")
    return [str(getattr(row[0], "value", "")) for row in answer.rows]
