"""What a path leads to: its ends relaxed, named and compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import Bond, changes
from ontologies.transition import PathEnd, ReactionPath, TransitionState
from ontologies.units import Integers
from workflows.molecule.identify import identify

from .barrier import alike
from .mode import named


def path_of(
    state: TransitionState, ends: Sequence[PathEnd], remarks: Sequence[str]
) -> ReactionPath:
    """Return the path over a transition state between two ends, the lower one first."""
    reactant, product = sorted(ends, key=lambda end: round(end.energy, 7))
    changed = changes(reactant.atoms, product.atoms)
    same = alike(reactant.atoms, product.atoms)
    return ReactionPath(
        transition_state=state,
        reactant=reactant,
        product=product,
        bonds_broken=_pairs(changed.broken),
        bonds_formed=_pairs(changed.formed),
        degenerate=same,
        remarks=tuple(dict.fromkeys((*_said(state, reactant, product, same), *remarks))),
    )


def elsewhere(ends: Sequence[PathEnd], given: Sequence[ConceptualAtoms]) -> Iterator[str]:
    """Say which of the structures that were given a path does not lead to.

    Args:
        ends: of the path.
        given: reactant and product; none where a guess was given.
    """
    for word, atoms in zip(("reactant", "product"), given, strict=False):
        if any(alike(end.atoms, atoms) for end in ends):
            continue
        if any(same_bonds(end.atoms, atoms) for end in ends):
            yield f"the path leads to another conformer of the {word} than the one that was given"
        else:
            yield f"the path does not lead to the {word} that was given: it is one step of several"


def same_bonds(one: ConceptualAtoms, other: ConceptualAtoms) -> bool:
    """Tell whether two geometries have bonds between like atoms alone; atoms may be renumbered."""
    if sorted(one.numbers.tolist()) != sorted(other.numbers.tolist()):
        return False
    if one.numbers.tolist() == other.numbers.tolist() and not changes(one, other):
        return True
    first, second = (canonical_smiles(atoms) for atoms in (one, other))
    return first != "" and first == second


def canonical_smiles(atoms: ConceptualAtoms) -> str:
    """Return the SMILES that the bonds of a geometry come to; empty where they are not known."""
    return identify(atoms, None).smiles


def _said(state: TransitionState, reactant: PathEnd, product: PathEnd, same: bool) -> Iterator[str]:
    for end in (reactant, product):
        if end.stationarity not in (None, "minimum"):
            yield f"the end {end.smiles or end.atoms.formula} is a {end.stationarity}, no minimum"
        if end.energy > state.energy:
            yield f"the end {end.smiles or end.atoms.formula} lies above the transition state"
    moved = changes(reactant.atoms, product.atoms)
    if same:
        how = "by other atoms" if moved else "by the same bonds"
        yield f"both ends are the same structure, or mirror images, {how}"
    elif not moved:
        yield "no bond is broken or formed between the ends: they are conformers"


def _pairs(bonds: Sequence[Bond]) -> Integers | None:
    return np.array([(bond.first, bond.second) for bond in bonds]) if bonds else None


def bonds(path: ReactionPath, pairs: Integers | None) -> tuple[str, ...]:
    """Return pairs of atoms in words, such as `C1–H3`."""
    members: list[list[int]] = [] if pairs is None else pairs.tolist()
    return tuple(named(tuple(pair), path.transition_state.atoms) for pair in members)
