"""`KnowledgeGraph`: objects in a store, pushed, pulled and found."""

from __future__ import annotations

import enum
import weakref
from collections import ChainMap, deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from triplestore import ResourceError, Store, Table

from .arrays import ArrayFiles
from .codec import Described, Term, closure, constant, decode, encode
from .fields import FieldPlan, Kind
from .model import GraphModel, Link, ModelT, subclasses
from .terms import RDF_TYPE, checked_iri

SEARCHED: dict[Kind, tuple[type, ...]] = {
    "str": (str,),
    "int": (int,),
    "float": (float, int),
    "bool": (bool,),
    "datetime": (datetime,),
    "enum": (enum.Enum,),
    "link": (Link, GraphModel),
    "model": (Link, GraphModel),
}
"""What a field can be compared with in a search."""

RECENT = 256
"""Small objects that are held although nobody else does."""


class KnowledgeGraph:
    """A session over a store. What is finished is true here and only here.

    Safe to share between threads. Objects that were pushed or pulled are remembered as long as
    somebody holds them, so that an object is loaded and sent once; the latest small ones (levels
    of theory, software, devices, …) are held here.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        home: Path | None = store.home
        self.files = ArrayFiles(home / "arrays") if home is not None else None
        self._known: weakref.WeakValueDictionary[str, GraphModel] = weakref.WeakValueDictionary()
        self._recent: deque[GraphModel] = deque(maxlen=RECENT)

    def push(self, *models: GraphModel, durable: bool = True) -> None:
        """Store objects and everything that their fields hold, in one transaction.

        Pushing again changes nothing.

        Raises:
            RecordError: a result without an IRI is among them.
            ResourceError: the store could not write.
        """
        found = closure(models)
        new = {iri: model for iri, model in found.items() if self._known.get(iri) is not model}
        if new:
            self.store.insert(encode(new.values(), self.files), durable=durable)
            self._remember(new)

    def pull(self, cls: type[ModelT], iri: str) -> ModelT:
        """Load one object with everything that its fields hold; links stay links.

        Raises:
            NotFoundError: nothing of that IRI is stored.
            RecordError: it is of another class or its values are not valid.
        """
        return self.pull_all(cls, [iri])[0]

    def pull_all(self, cls: type[ModelT], iris: Sequence[str]) -> list[ModelT]:
        """Load several objects: one query a level of nesting, however many they are."""
        known = {iri: self._known.get(iri) for iri in iris}
        missing = [iri for iri, model in known.items() if not isinstance(model, cls)]
        built: dict[str, GraphModel] = {}
        at_hand = ChainMap[str, GraphModel](built, self._known)
        loaded = dict(
            zip(missing, decode(cls, missing, self._describe, self.files, at_hand), strict=True)
        )
        self._remember(built)
        found: dict[str, Any] = {**known, **loaded}
        return [found[iri] for iri in iris]

    def _remember(self, models: Mapping[str, GraphModel]) -> None:
        self._known.update(models)
        self._recent.extend(
            model
            for model in models.values()
            if all(plan.kind != "array" for plan in type(model).fields())
        )

    def find(self, cls: type[ModelT], **equal: Any) -> list[ModelT]:
        """Load the objects of a class whose fields have these values, in order of their IRIs.

        A container matches if the value is in it. Objects are given as such, as a `Link`, or as a
        dict of conditions on their own fields.

        Raises:
            TypeError: a field that the class does not have, an array, or a value of another type.
        """
        terms = " ".join(f"<{sub.term()}>" for sub in subclasses(cls))
        where = [f"VALUES ?class {{ {terms} }} ?s <{RDF_TYPE}> ?class .", *_where(cls, "?s", equal)]
        answer = self.store.query(f"SELECT DISTINCT ?s {{ {' '.join(where)} }} ORDER BY ?s")
        assert isinstance(answer, Table)
        if answer.cut:
            raise ResourceError(f"find {cls.__name__}", answer.cut, "narrow the search")
        return self.pull_all(cls, [str(getattr(row[0], "value", "")) for row in answer.rows])

    def _describe(self, iris: Sequence[str]) -> Described:
        if not iris:
            return {}
        names = " ".join(f"<{checked_iri(iri)}>" for iri in iris)
        answer = self.store.query(f"SELECT ?s ?p ?o {{ VALUES ?s {{ {names} }} ?s ?p ?o }}")
        assert isinstance(answer, Table)
        if answer.cut:
            if len(iris) == 1:
                raise ResourceError(f"read {iris[0]}", answer.cut)
            half = len(iris) // 2
            return {**self._describe(iris[:half]), **self._describe(iris[half:])}
        found: dict[str, list[tuple[str, Term]]] = {}
        for subject, predicate, term in answer.rows:
            if subject is not None and predicate is not None and term is not None:
                found.setdefault(_text(subject), []).append((_text(predicate), term))
        return found


def _text(term: Term) -> str:
    return str(getattr(term, "value", term))


def _where(cls: type[GraphModel], subject: str, equal: Mapping[str, Any]) -> Iterator[str]:
    """Yield the patterns that say that fields have these values."""
    plans = {plan.name: plan for plan in cls.fields()}
    for name, value in equal.items():
        if name not in plans or plans[name].kind == "array":
            raise TypeError(f"{cls.__name__} has no field {name!r} to search by")
        plan = plans[name]
        if plan.kind == "model" and isinstance(value, dict):
            part = f"{subject}_{name}"
            yield f"{subject} <{plan.predicate}> {part} ."
            yield from _where(plan.target, part, cast("dict[str, Any]", value))
        else:
            yield f"{subject} <{plan.predicate}> {_searched(value, plan)} ."


def _searched(value: Any, plan: FieldPlan) -> str:
    wanted = SEARCHED[plan.kind]
    if not isinstance(value, wanted):
        names = " or ".join(kind.__name__ for kind in wanted)
        raise TypeError(f"{plan.name} is compared with {names}, not with {value!r}")
    return constant(value, plan)
