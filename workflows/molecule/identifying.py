"""Many structures identified at once: bonds are sought once for all that are connected alike.

The conformers of a molecule and the steps of its optimisation have one set of bonds, and the search
for the orders of these is what takes long. It runs in one process for all that are sought.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping, MutableMapping, Sequence
from typing import Any, TypeAlias

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import PERCEPTION, connectivity
from ontologies.identification import Identification
from triplestore.errors import CrashError, MemoryLimitError, TimeLimitError
from workflows.programs.isolated import in_subprocess

from .bonds import MOST_ATOMS
from .identify import bonds_or_reason, identify, unidentified
from .polyhedra import is_metal

FEW = 30
"""Atoms whose bonds are perceived in this process; the search for their orders grows steeply."""

KEPT = 256
"""Sets of bonds that are kept for structures that come later."""

Known: TypeAlias = MutableMapping[Hashable, Any]
"""By how a structure is connected: its molecule of RDKit, or why there is none."""


async def identify_async(
    structures: Sequence[ConceptualAtoms], bonds: Mapping[str, Any], known: Known | None = None
) -> list[Identification]:
    """Identify structures as `identify`, which cancelling ends; what takes too much has a reason.

    Args:
        structures: what is identified.
        bonds: molecules of RDKit with the bonds of those where they are known, by IRI.
        known: bonds that were found before, and where those that are found now are kept.

    Raises:
        GraficoError: no process could be started.
    """
    shared: Known = {} if known is None else known
    kinds = await asyncio.to_thread(_kinds, structures, bonds)
    sought: dict[Hashable, ConceptualAtoms] = {}
    for atoms in structures:
        kind = kinds.get(atoms.iri)
        if kind is not None and kind not in shared:
            sought.setdefault(kind, atoms)
    found = await _sought(list(sought.values()))
    shared.update(zip(sought, found, strict=True))
    while len(shared) > KEPT + len(sought):
        del shared[next(iter(shared))]
    return await asyncio.to_thread(_identified, structures, bonds, kinds, shared)


def _kinds(structures: Sequence[ConceptualAtoms], bonds: Mapping[str, Any]) -> dict[str, Hashable]:
    """Return how structures are connected, by IRI, of those whose bonds are sought elsewhere."""
    found: dict[str, Hashable] = {}
    for atoms in structures:
        if len(atoms.numbers) <= FEW or atoms.iri in bonds or atoms.is_periodic:
            continue
        numbers: list[int] = atoms.numbers.tolist()
        if len(numbers) > MOST_ATOMS or any(map(is_metal, numbers)):
            found[atoms.iri] = atoms.iri  # a metal's neighbours are told by where they are
            continue
        pairs = tuple((bond.first, bond.second) for bond in connectivity(atoms).bonds)
        found[atoms.iri] = tuple(numbers), atoms.charge, atoms.multiplicity, pairs
    return found


def _identified(
    structures: Sequence[ConceptualAtoms],
    bonds: Mapping[str, Any],
    kinds: Mapping[str, Hashable],
    known: Mapping[Hashable, Any],
) -> list[Identification]:
    done: list[Identification] = []
    for atoms in structures:
        kind = kinds.get(atoms.iri)
        if kind is None:
            done.append(identify(atoms, bonds.get(atoms.iri)))
        elif isinstance(known[kind], str):
            done.append(unidentified(atoms, known[kind]))
        else:
            done.append(identify(atoms, known[kind], PERCEPTION))
    return done


async def _sought(structures: Sequence[ConceptualAtoms]) -> list[Any]:
    """Return the bonds of structures, or why there are none, found in one process.

    Where that takes too much, its halves are tried, so that one structure spoils no other.
    """
    if not structures:
        return []
    first = structures[0].formula
    more = f" and {len(structures) - 1} more" if len(structures) > 1 else ""
    try:
        return await in_subprocess(
            f"cannot find the substance of {first}{more}", bonds_of_all, structures
        )
    except (TimeLimitError, MemoryLimitError, CrashError) as error:
        if len(structures) == 1:
            return [error.found]
    half = len(structures) // 2
    return [*await _sought(structures[:half]), *await _sought(structures[half:])]


def bonds_of_all(structures: Sequence[ConceptualAtoms]) -> list[Any]:
    """Return for each structure its molecule of RDKit, or in words why it has none."""
    return [bonds_or_reason(atoms) for atoms in structures]
