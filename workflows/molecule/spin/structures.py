"""The ground state of a structure, whose bonds are perceived from its positions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontologies.elements import hill_formula

from .atoms import unpaired_alone
from .ground_states import formulas, known

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms


def ground_multiplicity(atoms: ConceptualAtoms) -> int | None:
    """Return 2S+1 of the ground state of a structure where it is well known, else None.

    It is for atoms and ions, and for the molecules of the table, by the bonds that are perceived.
    """
    from ontologies.connectivity import connectivity

    numbers = [int(number) for number in atoms.numbers]
    if atoms.is_periodic:
        return None
    if len(numbers) == 1:
        unpaired = unpaired_alone(numbers[0], atoms.charge)
        return None if unpaired is None else unpaired + 1
    if (hill_formula(numbers), atoms.charge) not in formulas():
        return None
    bonds = [(bond.first, bond.second) for bond in connectivity(atoms).bonds]
    state = known(numbers, bonds, atoms.charge)
    return None if state is None else state.multiplicity
