"""The least that any codec must do: strings into a store, and rows of a store into records.

No classes compiled, no identity, no comparison with what is stored, no validation: what a mapper
costs is what it takes beyond this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ogm.terms import RDF_TYPE, XSD
from triplestore import Store, Table

from .sample import VOCAB

_TYPE = VOCAB.term("Sample")
_LABEL, _INDEX, _ENERGY, _CONVERGED, _METHOD, _PARENT = (
    VOCAB.term(name) for name in ("label", "index", "energy", "converged", "method", "parent")
)


@dataclass(slots=True)
class Record:
    """The plain twin of a `Sample`."""

    iri: str
    label: str
    index: int
    energy: float
    converged: bool
    method: str
    parent: str | None


def records(batch: int, objects: int) -> list[Record]:
    """Return the star of `sample.star` as records."""
    first = batch * objects
    iris = [f"https://example.org/bare/{index}" for index in range(first, first + objects)]
    return [
        Record(
            iri,
            f"sample {index}",
            index,
            -76.0 - index / 7,
            index % 2 == 0,
            "B3LYP",
            iris[0] if index > first else None,
        )
        for index, iri in enumerate(iris, first)
    ]


def write(store: Store, found: Sequence[Record], *, durable: bool = True) -> None:
    """Store records: one string each, one insertion."""
    parts = [
        f"<{r.iri}> <{RDF_TYPE}> <{_TYPE}> .\n"
        f'<{r.iri}> <{_LABEL}> "{r.label}" .\n'
        f'<{r.iri}> <{_INDEX}> "{r.index}"^^<{XSD}integer> .\n'
        f'<{r.iri}> <{_ENERGY}> "{r.energy!r}"^^<{XSD}double> .\n'
        f'<{r.iri}> <{_CONVERGED}> "{"true" if r.converged else "false"}"^^<{XSD}boolean> .\n'
        f'<{r.iri}> <{_METHOD}> "{r.method}" .\n'
        + (f"<{r.iri}> <{_PARENT}> <{r.parent}> .\n" if r.parent else "")
        for r in found
    ]
    store.insert("".join(parts).encode(), durable=durable)


def read(store: Store, iris: Sequence[str]) -> list[Record]:
    """Load records by their IRIs: one query of all their triples."""
    names = " ".join(f"<{iri}>" for iri in iris)
    answer = store.query(f"SELECT ?s ?p ?o {{ VALUES ?s {{ {names} }} ?s ?p ?o }}")
    assert isinstance(answer, Table)
    found: dict[str, dict[str, str]] = {iri: {} for iri in iris}
    rows: list[tuple[Any, ...]] = answer.rows
    for subject, predicate, term in rows:
        found[subject.value][predicate.value] = term.value
    return [
        Record(
            iri,
            values[_LABEL],
            int(values[_INDEX]),
            float(values[_ENERGY]),
            values[_CONVERGED] == "true",
            values[_METHOD],
            values.get(_PARENT),
        )
        for iri, values in found.items()
    ]
