"""The lowest conformer of each species: by force field and tight binding, before its own level."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import changes
from ontologies.reactions import Reaction, ReactionSpecies
from triplestore.errors import InputError
from workflows.conformer.candidates import candidates
from workflows.engine import Executor
from workflows.engine.graph.fan import run_all
from workflows.levels import LevelForm, offered
from workflows.words import count

JUDGE = "GFN2-xTB"
"""The level whose energy chooses among conformers."""

MOST = 20
"""Geometries of a species that are relaxed, those of lowest force-field energy."""


async def lowest_conformers(
    reactions: Sequence[Reaction], starts: int, executor: Executor
) -> tuple[tuple[Reaction, ...], tuple[str, ...]]:
    """Return reactions with the lowest conformer of each species, and what was found, in words.

    Args:
        reactions: which; a species whose bonds are not known stays as it is.
        starts: how many geometries of each are embedded.
        executor: what computes.

    Raises:
        GraficoError: no geometry of a species was found.
    """
    every = {one.atoms.iri: one for reaction in reactions for one in reaction.species}
    found = dict(zip(
        every,
        await asyncio.gather(*(_lowest(one, starts, executor) for one in every.values())),
        strict=True,
    ))  # fmt: skip
    changed = tuple(
        reaction.model_copy(update={"species": tuple(
            one.model_copy(update={"atoms": found[one.atoms.iri][0]}) for one in reaction.species
        )})
        for reaction in reactions
    )  # fmt: skip
    return changed, tuple(remark for _, remark in found.values() if remark)


async def _lowest(
    species: ReactionSpecies, starts: int, executor: Executor
) -> tuple[ConceptualAtoms, str]:
    atoms = species.atoms
    if not species.smiles or "." in species.smiles or len(atoms.numbers) < 4:
        return atoms, ""
    try:
        made = (await executor.run(candidates.bind(atoms, species.smiles, starts))).result
    except InputError as error:
        return atoms, f"{species.name}: no conformers, {error.found}; taken as given"
    starting = made.structures[:MOST]
    if len(starting) == 1:
        return atoms, f"{species.name}: one conformer"
    form = LevelForm.variant({"method": JUDGE})(method=JUDGE)
    level = (await form.resolve(atoms, executor)).level
    program = offered(level)
    parts = await run_all(
        executor, {str(n): program.optimise(one, level) for n, one in enumerate(starting)}
    )
    whole = {
        key: answer.result for key, answer in parts.results.items()
        if not changes(starting[int(key)], answer.result.atoms)
    }  # fmt: skip
    if not whole:
        return atoms, f"{species.name}: no conformer keeps its bonds at {JUDGE}; taken as built"
    best = min(whole.values(), key=lambda one: one.energy)
    told = f"lowest of {count(len(whole), 'conformer')} at {JUDGE}"
    return best.atoms, f"{species.name}: {told}"
