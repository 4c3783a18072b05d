"""Which electrons a tight-binding method counts: those of the valence."""

from __future__ import annotations

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from triplestore.errors import InputError
from workflows.molecule.electrons import check_electrons
from workflows.text.words import count

HEAVIEST = 86
"""The heaviest element that GFN1- and GFN2-xTB have parameters for: radon."""

CORES = ((2, 0), (10, 2), (18, 10), (29, 18), (36, 28), (47, 36), (54, 46), (56, 54))
HEAVY_CORES = ((79, 68), (86, 78))
"""Up to which element a core holds so many electrons, before and after the lanthanides."""

LANTHANUM, LUTETIUM = 57, 71
TRIVALENT = 3
"""Valence electrons of a lanthanide: its f electrons stand in the core, half-filled first."""


def valence_electrons(number: int) -> int:
    """Return how many electrons of a neutral atom are in the valence.

    Args:
        number: its atomic number, up to 86.
    """
    if LANTHANUM <= number <= LUTETIUM:
        return TRIVALENT
    return next(number - core for last, core in (*CORES, *HEAVY_CORES) if number <= last)


def unpaired_in_core(number: int) -> int:
    """Return how many f electrons of a lanthanide's core are unpaired; 0 for other elements."""
    inside = number - LANTHANUM
    return min(inside, 14 - inside) if LANTHANUM <= number <= LUTETIUM else 0


def valence_of(atoms: ConceptualAtoms) -> tuple[int, int]:
    """Return how many valence electrons a molecule has, and how many of them are unpaired.

    The unpaired f electrons of lanthanides, which stand in the core, are taken to be parallel to
    them: gadolinium(III) has the multiplicity 8 and no unpaired electron in the valence.

    Raises:
        InputError: there are no parameters for an element, or charge and multiplicity leave no
            such valence; or the structure is periodic.
    """
    asked = f"tight binding for {atoms.formula} was asked for"
    numbers: list[int] = atoms.numbers.tolist()
    if atoms.is_periodic:
        raise InputError(
            asked,
            "it is periodic, and this is computed of molecules",
            "ask for its energy or a relaxed geometry, or cut a molecule out of it",
        )
    check_elements(atoms, asked)
    check_electrons(atoms)
    electrons = sum(map(valence_electrons, numbers)) - atoms.charge
    core = sum(map(unpaired_in_core, numbers))
    unpaired = atoms.multiplicity - 1 - core
    state = f"with charge {atoms.charge:+d} and multiplicity {atoms.multiplicity}"
    if electrons < 0:
        raise InputError(
            f"{asked} {state}",
            f"the charge takes away {count(-electrons, 'electron')} more than the valence has",
            "check the charge; core electrons need HF or a functional",
        )
    if not 0 <= unpaired <= electrons or (electrons - unpaired) % 2:
        inside = (
            f", beside {count(core, 'unpaired f electron')} of its core, taken to be parallel"
            if core
            else ""
        )
        raise InputError(
            f"{asked} {state}",
            f"the valence has {count(electrons, 'electron')}{inside}",
            "check charge and multiplicity"
            + ("; give that of the high-spin state" if core else ""),
        )
    return electrons, unpaired


def check_elements(atoms: ConceptualAtoms, asked: str) -> None:
    """Check that there are parameters for all elements.

    Raises:
        InputError: there are none for one.
    """
    numbers: list[int] = atoms.numbers.tolist()
    if beyond := sorted({number for number in numbers if number > HEAVIEST}):
        raise InputError(
            asked,
            f"GFN1-xTB and GFN2-xTB know the elements up to radon (Z = {HEAVIEST}), not "
            f"{', '.join(SYMBOLS[number] for number in beyond)}",
            "ask for HF or a functional with a basis set for heavy elements",
        )
