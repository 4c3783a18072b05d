"""Conformers relaxed a second time, very tightly: what only seemed to be a minimum of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import SamenessThresholds
from ontologies.quantum import Convergence
from workflows.engine import Executor, fan_out
from workflows.text.words import count

from .ensemble import Computed, reaction
from .sameness import groups

TIGHTLY: Convergence = "very tight"
"""At the usual thresholds an optimisation may end far along a soft mode, or on a flat saddle."""

Compute = Callable[[ConceptualAtoms], Awaitable[Computed]]


async def settled(
    molecule: ConceptualAtoms,
    smiles: str,
    computed: Mapping[str, Computed],
    thresholds: SamenessThresholds,
    window: float,
    compute: Compute,
    executor: Executor,
) -> tuple[dict[str, Computed], list[str]]:
    """Relax one of each kind again, and return what each geometry came to, with what to know of it.

    Of geometries that are one conformer the lowest goes on for all. What fails stays as it was.

    Args:
        molecule: which.
        smiles: its bonds; empty where these are not known.
        computed: what each geometry came to, by name.
        thresholds: by which geometries are one conformer.
        window: Eh above the lowest, within which conformers are relaxed again.
        compute: relaxes a geometry very tightly.
        executor: what computes.
    """
    whole = {
        name: one for name, one in computed.items() if not reaction(molecule, one.atoms, smiles)
    }
    names, energies = list(whole), [one.energy for one in whole.values()]
    alike = groups([one.atoms for one in whole.values()], energies, thresholds, smiles)
    low = min(energies, default=0.0)
    kinds = {
        names[group[0]]: [names[place] for place in group]
        for group in alike
        if energies[group[0]] - low <= window
    }
    parts = await fan_out(executor, {name: whole[name].atoms for name in kinds}, compute)
    found = dict(computed)
    for name, one in parts.results.items():
        found |= dict.fromkeys(kinds[name], one)
    told = [
        f"{count(len(parts.errors), 'geometry', 'geometries')} could not be relaxed very tightly "
        f"and stayed as it was after the first relaxation ({error.found})"
        for error in list(parts.errors.values())[:1]
    ]
    return found, told
