"""The lowest conformer of each species, found before its energy is computed at its own level."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerEnsemble
from ontologies.reactions import Reaction, ReactionSpecies
from triplestore.errors import InputError, RecipeError
from workflows.engine import Executor
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import completed, prepare
from workflows.registry import workflows
from workflows.text.words import count


async def lowest_conformers(
    reactions: Sequence[Reaction], starts: int, executor: Executor
) -> tuple[tuple[Reaction, ...], tuple[str, ...]]:
    """Return reactions with the lowest conformer of each species, and what was found, in words.

    Args:
        reactions: which; a species whose bonds are not known stays as it is.
        starts: how many geometries of each are embedded.
        executor: what computes.
    """
    every = {one.atoms.iri: one for reaction in reactions for one in reaction.species}
    found = dict(
        zip(
            every,
            await asyncio.gather(*(_lowest(one, starts, executor) for one in every.values())),
            strict=True,
        )
    )
    changed = tuple(
        reaction.model_copy(
            update={
                "species": tuple(
                    one.model_copy(update={"atoms": found[one.atoms.iri][0]})
                    for one in reaction.species
                )
            }
        )
        for reaction in reactions
    )
    return changed, tuple(remark for _, remark in found.values() if remark)


async def _lowest(
    species: ReactionSpecies, starts: int, executor: Executor
) -> tuple[ConceptualAtoms, str]:
    atoms = species.atoms
    if not species.smiles or "." in species.smiles or len(atoms.numbers) < 4:
        return atoms, ""
    try:
        asked = {"starts": starts, "sampler": "embedding"}
        request = Request.of(workflows().named("conformers"), (atoms,), asked)
        ready = await prepare(request, executor.unheard())
        ensemble: ConformerEnsemble = (await completed(ready, executor)).state.ensemble
    except (InputError, RecipeError) as error:
        return atoms, f"{species.name}: no conformers, {error.found}; taken as given"
    many = len(ensemble.conformers)
    if many == 1:
        return ensemble.lowest.atoms, f"{species.name}: one conformer"
    told = f"lowest of {count(many, 'conformer')} at {ensemble.level.label}"
    return ensemble.lowest.atoms, f"{species.name}: {told}"
