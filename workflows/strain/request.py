"""What can be asked of a ring, and what its strain comes to."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.reactions import Reaction, ReactionEnergy, ReactionSpecies
from ontologies.strain import RingStrain, StrainScheme
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.molecule.subject import MOLECULE, smiles_of
from workflows.reaction.graph import ReactionState, graph_of
from workflows.reaction.request import ReactionRequest, prepare_reactions
from workflows.reaction.subject import species_of
from workflows.registry.levels import LevelForm

from .schemes import LARGEST, Step, contracted, opened, ring_of

REFERENCE = 6
"""Members of the ring that has no strain, unless another is named."""


class StrainRequest(ReactionRequest):
    """Which reactions tell the strain, and what is asked of their species."""

    scheme: Annotated[
        StrainScheme,
        Field(
            description="Chains compared with: isodesmic (methane to ethane), homodesmotic (ethane "
            "to propane), hyperhomodesmotic (propane to butane); or contraction to methyl "
            "derivatives of smaller rings, down or up to `reference_ring`."
        ),
    ] = "homodesmotic"
    reference_ring: Annotated[
        int, Field(ge=3, le=LARGEST, description="Of contraction: the ring without strain.")
    ] = REFERENCE


async def prepare_strain(
    given: Given[ConceptualAtoms], request: StrainRequest, wanted: LevelForm, executor: Executor
) -> Prepared[ReactionState]:
    """Find out what is asked of a ring and of the chains that it is compared with.

    Raises:
        InputError: it is no such ring, or what is asked does not fit its level.
        GraficoError: one of the chains cannot be built.
    """
    atoms = given.model
    asked = f"the ring strain of {given.text or atoms.formula} was asked for"
    smiles = smiles_of(given)
    if not smiles:
        raise InputError(asked, "its bonds are not known", "give its SMILES")
    ring = ring_of(smiles, asked)
    contraction = request.scheme == "contraction"
    if not contraction and request.reference_ring != REFERENCE:  # runs record defaults too
        raise InputError(
            asked,
            f"a ring of reference has no effect on the scheme {request.scheme}",
            "leave it out, or choose the scheme contraction",
        )
    steps = (
        contracted(smiles, request.reference_ring, asked)
        if contraction
        else opened(smiles, request.scheme, asked)
    )
    names = dict.fromkeys(name for step in steps for name in step.counts if name != smiles)
    found = await asyncio.gather(*(species_of(name, executor) for name in names))
    known = {smiles: atoms, **dict(zip(names, found, strict=True))}
    reactions = tuple(_reaction(step, known) for step in steps)

    def conclude(energies: Sequence[ReactionEnergy], _: Mapping[int, str]) -> RingStrain:
        signs = tuple(step.sign for step in steps)

        def total(name: str) -> float | None:
            values = [getattr(one, name) for one in energies]
            if None in values:
                return None
            return math.fsum(sign * value for sign, value in zip(signs, values, strict=True))

        electronic = total("energy_change")
        assert electronic is not None  # each has one
        return RingStrain(
            ring=atoms,
            ring_size=len(ring),
            scheme=request.scheme,
            reference_size=request.reference_ring if contraction else None,
            reactions=tuple(energies),
            signs=signs,
            strain_energy=electronic,
            strain_enthalpy=total("enthalpy_change"),
            strain_gibbs=total("gibbs_change"),
        )

    return await prepare_reactions(
        reactions,
        request,
        wanted,
        executor,
        subject=atoms,
        label=f"{given.text or atoms.formula}, {request.scheme}",
        goal="the strain of a ring",
        conclude=conclude,
    )


def _reaction(step: Step, known: dict[str, ConceptualAtoms]) -> Reaction:
    """Return the reaction of a step, reactants first."""
    ordered = sorted(step.counts.items(), key=lambda one: one[1] > 0)
    return Reaction(
        species=tuple(
            ReactionSpecies(name=name, coefficient=number, atoms=known[name], smiles=name)
            for name, number in ordered
        )
    )


STRAIN = Definition(
    graph_of("strain"),
    (StrainRequest, LevelForm),
    MOLECULE,
    prepare_strain,
    help="A ring is compared with chains cut out of it, which keep their substituents. Chains that "
    "several rings have in common are computed once.",
    makes=(RingStrain,),
)
