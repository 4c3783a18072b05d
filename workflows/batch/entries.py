"""The entries of a batch as the store has them: which are to be computed, and how each ended."""

from __future__ import annotations

import functools
import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ogm import GRAFICO, GraphModel, KnowledgeGraph, Link
from ontologies.collection import Batch, Collection, Entry
from triplestore import Table

SEED = 20261
"""Of entries that are drawn by chance: the same each time."""

PAGE = 200
"""Entries that are read at once."""


def entry_iri(collection: Link[Collection], index: int) -> str:
    """Return the IRI of an entry: it follows from its place."""
    return Entry(collection=collection, index=index, name="", place="").iri


class Entries:
    """The entries of a batch.

    Args:
        kg: where they are.
        batch: which.
        limit: so many only, the first; None for all.
        sample: so many only, drawn by chance; None for all.

    Attributes:
        done: how many were computed before, of those that can be read.
        failed: how many failed before.
        told: is told the key of each that ends.
    """

    def __init__(
        self,
        kg: KnowledgeGraph,
        batch: Batch,
        *,
        limit: int | None = None,
        sample: int | None = None,
    ) -> None:
        self.kg = kg
        self.batch = batch
        self.collection = batch.collection
        self.limit, self.sample = limit, sample
        self.failed = self.done = 0
        self.told: Callable[[str], object] = str
        self._page: dict[int, Entry] = {}

    @functools.cached_property
    def _every(self) -> list[tuple[int, int, bool, int]]:
        """Index, size, whether it cannot be read, and the first alike, of each that is chosen."""
        g = GRAFICO.term
        rows = self._rows(f"""
            SELECT ?index ?size ?problem ?canonical {{
                ?entry <{g("collection")}> <{self.collection.iri}> ; <{g("index")}> ?index .
                OPTIONAL {{ ?entry <{g("size")}> ?size }}
                OPTIONAL {{ ?entry <{g("problem")}> ?problem }}
                OPTIONAL {{ ?entry <{g("canonical")}> ?canonical }}
            }}""")
        read = sorted((int(at), int(size or 0), bool(bad), text) for at, size, bad, text in rows)
        first: dict[str, int] = {}
        every = [
            (at, size, bad, first.setdefault(text, at) if text else at)
            for at, size, bad, text in read
        ]
        if self.sample is not None and self.sample < len(every):
            every = sorted(random.Random(SEED).sample(every, self.sample))
        return every[: self.limit]

    @property
    def indices(self) -> list[int]:
        """The places of all that are chosen."""
        return [at for at, *_ in self._every]

    @property
    def unread(self) -> int:
        """How many of them cannot be read."""
        return sum(problem for _, _, problem, _ in self._every)

    @functools.cached_property
    def _sizes(self) -> dict[int, int]:
        return {at: size for at, size, problem, _ in self._every if not problem}

    @functools.cached_property
    def _alike(self) -> dict[int, int]:
        return {at: first for at, *_, first in self._every}

    def __len__(self) -> int:
        """How many calculations they come to."""
        return len(self._sizes) * len(self.batch.settings)

    @property
    def readable(self) -> list[int]:
        """The places of those that can be read."""
        return list(self._sizes)

    def to_do(self, *, again: bool = False) -> list[str]:
        """Return the keys of what is to be computed, the largest first, the same side by side.

        Args:
            again: whether those that failed are among them.
        """
        ended = self.ended()
        left: list[str] = []
        self.failed = self.done = 0
        order = sorted(self._sizes, key=lambda at: (-self._sizes[at], self._alike[at], at))
        for _, same in itertools.groupby(order, self._alike.__getitem__):
            for way, at in itertools.product(range(len(self.batch.settings)), tuple(same)):
                key = self.key(at, way)
                failure = ended.get(key)
                if failure is None or (failure and again):
                    left.append(key)
                elif failure:
                    self.failed += 1
                else:
                    self.done += 1
        return left

    def ended(self) -> dict[str, bool]:
        """Return which have ended, by their keys, and whether they failed at last."""
        g = GRAFICO.term
        rows = self._rows(f"""
            SELECT ?part ?key ?failure {{
                ?run <{g("about")}> <{self.batch.iri}> .
                ?part <{g("run")}> ?run ; <{g("part")}> ?key .
                OPTIONAL {{ ?part <{g("failure")}> ?failure }}
            }} ORDER BY ?part""")
        return {key: bool(failure) for _, key, failure in rows}

    def key(self, index: int, way: int) -> str:
        """Return by which key an entry is computed in one of several ways."""
        return str(index) if len(self.batch.settings) == 1 else f"{index}/{way}"

    def alike(self, one: str, other: str) -> bool:
        """Tell whether two keys ask for the same of the same subject."""
        (at, way), (also, otherwise) = self.parts_of(one), self.parts_of(other)
        return way == otherwise and self._alike[at] == self._alike[also]

    def weight(self, key: str) -> float:
        """Return about how long one takes, beside the others: as the square of its size.

        Of GFN2 energies with their geometries it was between the first and the third power.
        """
        return max(1, self._sizes[self.parts_of(key)[0]]) ** 2

    @staticmethod
    def parts_of(key: str) -> tuple[int, int]:
        """Return the index of an entry, and the number of the way, from 0."""
        index, _, way = key.partition("/")
        return int(index), int(way or 0)

    def read(self, key: str) -> tuple[Entry, dict[str, Any]]:
        """Return an entry and the arguments with which it is computed."""
        index, way = self.parts_of(key)
        entry = self._page.pop(index, None) or self.pages([index])[0]
        said: dict[str, Any] = json.loads(self.batch.settings[way])
        if entry.arguments:
            said |= json.loads(entry.arguments)
        return entry, said

    def ahead(self, keys: Sequence[str]) -> None:
        """Read the entries of some keys at once, which are then at hand."""
        indices = sorted({self.parts_of(key)[0] for key in keys})
        self._page = dict(zip(indices, self.pages(indices), strict=True))

    def pages(self, indices: Sequence[int]) -> list[Entry]:
        """Return entries by their places."""
        return self.kg.pull_all(Entry, [entry_iri(self.collection, at) for at in indices])

    def subject_of(self, entry: Entry) -> object:
        """Return what an entry is about: an object, or the text that says it."""
        if entry.structure is not None:
            return self.kg.pull(GraphModel, entry.structure.iri)
        return entry.text

    def _rows(self, query: str) -> Iterator[tuple[str, ...]]:
        answer = self.kg.store.query(query)
        assert isinstance(answer, Table)
        for row in answer.rows:
            yield tuple(str(getattr(term, "value", term or "")) for term in row)
