"""Substances: what stored structures are, found out after they were computed or when asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Any

from ogm import GraphModel
from ogm.literals import literal
from ogm.terms import checked_iri, with_prefixes
from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import PERCEPTION
from ontologies.identification import Identification
from ontologies.quantum import Embedding, RelaxedGeometry
from triplestore import Table
from triplestore.errors import GraficoError
from workflows.engine import Executor

from .embedding import bonded
from .identify import AS_GIVEN, identify
from .identifying import Known, identify_async

NO_BONDS: Mapping[str, Any] = MappingProxyType({})

PAGE = 50
"""Structures that are identified before they are stored, so that little is lost to who stops it."""

PATIENCE = 2.0
"""Seconds without a word."""

CURRENT = f"FILTER(?rule IN ({literal(PERCEPTION)}, {literal(AS_GIVEN)}))"
"""Identifications that count: those of the present rule, or of bonds that were given."""


async def identify_structures(
    executor: Executor,
    structures: Iterable[ConceptualAtoms],
    bonds: Mapping[str, Any] = NO_BONDS,
    known: Known | None = None,
) -> int:
    """Identify structures and store what they are, beside them; return how many they were.

    Args:
        executor: whose store it is.
        structures: what is identified.
        bonds: molecules of RDKit with the bonds of those where they are known, by IRI.
        known: bonds that were found before, and where those that are found now are kept.
    """
    known = {} if known is None else known
    new = list({atoms.iri: atoms for atoms in structures}.values())
    for start in range(0, len(new), PAGE):
        identifications = await identified(executor, new[start : start + PAGE], bonds, known)
        executor.record(*identifications, durable=False)
    return len(new)


async def identify_new(executor: Executor) -> None:
    """Identify the structures of what was computed since this was done last.

    What they are can wait for the disk, and nothing that was computed fails over it: it is found
    out again when somebody asks.
    """
    new = executor.recorded
    iris = [new.popleft() for _ in range(len(new))]
    with suppress(GraficoError):
        results = executor.kg.pull_all(GraphModel, iris)
        structures = [atoms for one in results for atoms in _of_substances(one)]
        known = await _known(executor, {atoms.iri for atoms in structures})
        left = [atoms for atoms in structures if atoms.iri not in known]
        await identify_structures(executor, left, _notated(results))


async def _known(executor: Executor, iris: Collection[str]) -> set[str]:
    """Return which structures have an identification that counts: a second would count twice."""
    values = " ".join(f"<{checked_iri(iri)}>" for iri in sorted(iris))
    query = f"""SELECT DISTINCT ?atoms {{ VALUES ?atoms {{ {values} }}
        ?one g:identifies ?atoms ; g:smiles ?smiles ; g:perception ?rule . {CURRENT} }}"""
    return set(await _rows(executor, query)) if values else set()


def _of_substances(result: GraphModel) -> list[ConceptualAtoms]:
    """Return the structures of a result; parts of crystals are no substances."""
    found = list(_structures(result))
    return [atoms for atoms in found if atoms.is_periodic] or found


def _structures(model: GraphModel) -> Iterator[ConceptualAtoms]:
    """Iterate over the structures that an object has, such as the conformers of an ensemble."""
    if isinstance(model, ConceptualAtoms):
        yield model
        return
    for part in model.parts():
        yield from _structures(part)


def _notated(results: Sequence[GraphModel]) -> dict[str, Any]:
    """Return the bonds of structures that were made from a notation, by their IRIs.

    Those that an optimisation has ended at are among them where it changed no bond.
    """
    made = {one.atoms.iri: bonded(one) for one in results if isinstance(one, Embedding)}
    known = {iri: mol for iri, mol in made.items() if mol is not None}
    relaxed = (one for one in results if isinstance(one, RelaxedGeometry) and _kept(one))
    return known | {one.atoms.iri: known[i] for one in relaxed if (i := one.initial.iri) in known}


def _kept(relaxed: RelaxedGeometry) -> bool:
    """Tell whether an optimisation has changed no bond."""
    return relaxed.bonds_broken is None and relaxed.bonds_formed is None


async def identify_stored(executor: Executor, formula: str = "") -> int:
    """Identify what is stored and was not yet, by the present rule; return how many they were.

    Args:
        executor: whose store it is.
        formula: of these only; empty for all structures.
    """
    of_formula = f"?atoms g:formula {literal(formula)} ." if formula else ""
    wanted = f"""{of_formula} ?atoms a g:ConceptualAtoms .
        FILTER NOT EXISTS {{ ?one g:identifies ?atoms ; g:perception ?rule . {CURRENT} }}"""
    rows = await _rows(executor, f"SELECT (COUNT(DISTINCT ?atoms) AS ?many) {{ {wanted} }}")
    total = int(rows[0]) if rows else 0
    count, began = 0, time.monotonic()
    known: Known = {}
    while True:
        iris = await _rows(executor, f"SELECT ?atoms {{ {wanted} }} LIMIT {PAGE}")
        if not iris:
            return count
        structures = executor.kg.pull_all(ConceptualAtoms, iris)
        count += await identify_structures(executor, structures, known=known)
        if (elapsed := time.monotonic() - began) > PATIENCE:
            told = f"identifying structures, {count} of {max(total, count)}"
            executor.emit("alive", told, elapsed=elapsed)


async def _rows(executor: Executor, query: str) -> list[str]:
    """Return the first column of what is stored."""
    answer = await asyncio.to_thread(executor.kg.store.query, with_prefixes(query))
    assert isinstance(answer, Table)
    return [str(getattr(row[0], "value", row[0])) for row in answer.rows]


async def identified(
    executor: Executor,
    structures: Sequence[ConceptualAtoms],
    bonds: Mapping[str, Any] = NO_BONDS,
    known: Known | None = None,
) -> list[Identification]:
    """Return what structures are, without storing it; see `identify_structures`."""
    identifications = await identify_async(structures, bonds, known)
    return [
        await asyncio.to_thread(_with_known_bonds, executor, one, atoms) if one.reason else one
        for one, atoms in zip(identifications, structures, strict=True)
    ]


def _with_known_bonds(
    executor: Executor, found: Identification, atoms: ConceptualAtoms
) -> Identification:
    """Return what a structure is by bonds that were given, as they cannot be perceived.

    Those of the notation that it was made from, or that its optimisation started from if that
    changed no bond.
    """
    made = executor.kg.find(RelaxedGeometry, atoms=atoms)
    for start in (atoms, *(one.initial for one in made if _kept(one))):
        for embedding in executor.kg.find(Embedding, atoms=start):
            mol: Any = bonded(embedding)
            if mol is not None:
                known = identify(atoms, mol)
                return found if known.reason else known
    return found
