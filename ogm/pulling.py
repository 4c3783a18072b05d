"""One pull: objects, what they hold, and what their links lead to, in few queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .collecting import Classes, Described
from .fields import members
from .forms import form
from .links import Link, hold
from .literals import Term
from .model import GraphModel, ModelT, subclasses
from .reading import decode

if TYPE_CHECKING:
    from .graph import KnowledgeGraph


class Pull:
    """What one pull has fetched from the store so far.

    Args:
        kg: the session.
        whole: fetch all that can be reached, links included, at once.
    """

    def __init__(self, kg: KnowledgeGraph, *, whole: bool) -> None:
        self._kg, self._whole = kg, whole
        self._fetched: dict[str, Sequence[tuple[str, Term]]] = {}
        self._classes: Classes = {}
        self._values: dict[str, GraphModel] = {}

    def load(
        self, cls: type[ModelT], iris: Sequence[str], values: Mapping[str, GraphModel] | None = None
    ) -> list[ModelT]:
        """Load objects: one query for them, one for all that they hold (one if whole).

        Args:
            cls: their class, or a parent of it.
            iris: their IRIs.
            values: values that they may hold, by IRI: those are not loaded.
        """
        self._values.update(values or {})
        self._fetch(iris, deeper=self._whole)
        return self._decode(cls, iris)

    def follow(self, models: Sequence[GraphModel], depth: int) -> None:
        """Let links hold what they lead to, level by level."""
        seen: set[int] = set()
        while models and depth:
            links = [link for model in models for link in _links(model, seen)]
            ahead = [link for link in links if link.held is None]
            existing = self._existing(dict.fromkeys(link.iri for link in ahead))
            for link in ahead:
                if link.iri in existing:
                    hold(link, existing[link.iri])
            models = [link.held for link in links if link.held is not None]
            depth -= 1

    def _existing(self, iris: Iterable[str]) -> dict[str, GraphModel]:
        """Load those of these objects that are stored."""
        models = {iri: self._kg.known(iri) for iri in iris}
        missing = [iri for iri, model in models.items() if model is None]
        self._fetch(missing, deeper=True)
        stored = [iri for iri in missing if self._fetched.get(iri)]
        models.update(zip(stored, self._decode(GraphModel, stored), strict=True))
        return {iri: model for iri, model in models.items() if model is not None}

    def _decode(self, cls: type[ModelT], iris: Sequence[str]) -> list[ModelT]:
        built: dict[str, GraphModel] = {}
        at_hand = self._kg.at_hand(built, self._values)
        models = decode(
            cls, iris, self._describe, self._kg.files, at_hand, self._classes, named=True
        )
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
