"""What a molecule needs to have to be computed by its electrons."""

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError


def check_electrons(atoms: ConceptualAtoms) -> None:
    """Check that a molecule has electrons; a single bare nucleus may have none.

    Raises:
        InputError: it has none.
    """
    if atoms.electrons == 0 and len(atoms.numbers) > 1:
        raise InputError(
            f"a calculation on {atoms.formula} with charge {atoms.charge:+d} was asked for",
            "that leaves bare nuclei without an electron, which only repel each other",
            "check the charge",
        )
