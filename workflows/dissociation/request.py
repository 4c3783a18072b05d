"""What can be asked of the bonds of a molecule."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.dissociation import BondDissociation, Dissociation
from ontologies.reactions import Reaction, ReactionEnergy, ReactionSpecies
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.molecule.bonds import perceive
from workflows.molecule.subject import MOLECULE, Bonded, smiles_of
from workflows.reaction.graph import ReactionState, graph_of
from workflows.reaction.request import ReactionRequest, prepare_reactions
from workflows.reaction.subject import species_of
from workflows.registry.levels import LevelForm
from workflows.text.words import count

from .bonds import broken_bonds


class DissociationRequest(ReactionRequest):
    """Which bonds are broken and how, and what is asked of the species."""

    bonds: Annotated[
        tuple[str, ...],
        Field(
            description='Bonds such as "1-2", atoms counted from 1, or "O-H": each kind between '
            "these elements; each kind of single bond that is in no ring if not given."
        ),
    ] = ()
    into: Annotated[
        Dissociation,
        Field(
            description="radicals (A-B to A and B), hydride (R-H to cation and hydride) or proton "
            "(R-H to anion and proton: the acidity in the gas phase)."
        ),
    ] = "radicals"


async def prepare_dissociation(
    given: Given[ConceptualAtoms],
    request: DissociationRequest,
    wanted: LevelForm,
    executor: Executor,
) -> Prepared[ReactionState]:
    """Find out what is asked of a molecule and of what is left of it.

    Raises:
        InputError: it has no such bonds, or what is asked does not fit its level.
        GraficoError: what is left cannot be built.
    """
    atoms = given.model
    name = given.text or atoms.formula
    asked = f"the dissociation of {name} was asked for"
    if atoms.is_periodic:
        raise InputError(asked, "it is a crystal", "give a molecule")
    mol = given.detail.mol if isinstance(given.detail, Bonded) else None
    if mol is None:
        mol, _ = perceive(atoms)
    smiles = smiles_of(given)
    bonds = broken_bonds(mol, request.into, request.bonds, asked)
    parts = dict.fromkeys(end for bond in bonds for end in bond.ends)
    known = dict(
        zip(parts, await asyncio.gather(*(species_of(one, executor) for one in parts)), strict=True)
    )
    reactions = tuple(_reaction(name, atoms, smiles, bond.ends, known) for bond in bonds)

    def conclude(found: Sequence[ReactionEnergy], failures: Mapping[int, str]) -> BondDissociation:
        done = [bond for place, bond in enumerate(bonds) if place not in failures]
        return BondDissociation(
            dissociated=atoms,
            into=request.into,
            bond_labels=tuple(bond.label for bond in done),
            reactions=tuple(found),
            failures=tuple(f"{bonds[place].label}: {why}" for place, why in failures.items()),
        )

    return await prepare_reactions(
        reactions,
        request,
        wanted,
        executor,
        subject=atoms,
        label=name,
        goal="the energies of broken bonds",
        conclude=conclude,
        every=False,
        remarks=[
            f"{bond.label} stands for {count(bond.alike, 'bond')} of its kind"
            for bond in bonds
            if bond.alike > 1
        ],
    )


def _reaction(
    name: str,
    atoms: ConceptualAtoms,
    smiles: str,
    ends: tuple[str, str],
    known: dict[str, ConceptualAtoms],
) -> Reaction:
    counts = {end: float(ends.count(end)) for end in ends}
    return Reaction(
        species=(
            ReactionSpecies(name=name, coefficient=-1.0, atoms=atoms, smiles=smiles),
            *(
                ReactionSpecies(name=end, coefficient=number, atoms=known[end], smiles=end)
                for end, number in counts.items()
            ),
        )
    )


DISSOCIATION = Definition(
    graph_of("bond-dissociation"),
    (DissociationRequest, LevelForm),
    MOLECULE,
    prepare_dissociation,
    help="Each bond is broken by itself, and what is left relaxes. Into hydride it is how hard a "
    "carbocation is to form, into proton the acidity in the gas phase.",
    makes=(BondDissociation,),
)
