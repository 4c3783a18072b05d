"""Between what bounds the energy of a broken bond lies.

Bounds are for neutral molecules, in kcal/mol, for ΔH where it is known and for ΔE else. The
strongest bond of a molecule, that of CO, takes 257 kcal/mol into atoms.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from ontologies.factors import HARTREE
from ontologies.reactions import ReactionEnergy
from triplestore.errors import ComponentError, InputError
from workflows.registry.outside import misplaced
from workflows.registry.plausibility import Bounds, Doubt, doubts

KCAL = HARTREE["kcal/mol"]

CHECK = "check level, spins and geometries of the species"

HOMOLYSIS = Bounds(
    -300.0, 300.0, "kcal/mol", f"a bond into radicals; that of CO takes 257; {CHECK}"
)
HETEROLYSIS = Bounds(
    -600.0,
    600.0,
    "kcal/mol",
    f"a bond into ions as a gas, N2 into N+ and N- takes about 560; {CHECK}",
)
PROTON = Bounds(
    -100.0,
    450.0,
    "kcal/mol",
    f"acidity of a neutral molecule as a gas; that of methane takes 417; {CHECK}, and "
    "whether the basis set has diffuse functions for the anion",
)
HYDRIDE = Bounds(
    -100.0,
    550.0,
    "kcal/mol",
    f"a neutral molecule into hydride and cation as a gas, most take 200 to 420; {CHECK}, and "
    "whether the basis set has diffuse functions for the anion",
)

FACTS = (
    "energy_change",
    "zero_point_change",
    "enthalpy_change",
    "gibbs_change",
    "gibbs_change_molar",
)


@doubts(ReactionEnergy)
def _(found: ReactionEnergy) -> Iterator[Doubt]:
    yield from of_ions(found, FACTS)
    bounds = bond_bounds(found)
    if bounds is not None:
        what = f"{found.reaction.name}, {change(found)} {direction(found)},"
        if _forms(found):
            bounds = replace(
                bounds, low=-bounds.high, high=-bounds.low, why=f"to break it is: {bounds.why}"
            )
        for doubt in bounds.doubt(_a_bond(found), what, FACTS):
            if breaks_one_bond(found):  # RDKit is asked where it matters only
                yield doubt


def of_ions(found: ReactionEnergy, facts: tuple[str, ...]) -> Iterator[Doubt]:
    """Yield which species have energies that mean nothing: what was stored before is looked at too.

    Args:
        found: a reaction.
        facts: that rest on it.
    """
    for one in found.species_energies:
        with suppress(ComponentError):
            if problem := misplaced(one.species.atoms, one.level):
                yield Doubt(f"{found.reaction.name} rests on {one.species.name}: {problem}", facts)


def change(found: ReactionEnergy) -> str:
    """Return which change of a reaction stands for the strength of a bond."""
    return "ΔE" if found.enthalpy_change is None else "ΔH"


def broken(found: ReactionEnergy) -> float:
    """Return what breaking a bond takes in kcal/mol, in whichever direction it is written."""
    return _a_bond(found) * (-1 if _forms(found) else 1)


def direction(found: ReactionEnergy) -> str:
    """Return what a reaction that breaks or forms bonds does as it is written, in words."""
    many, does = min(_molecules(found)), "forms" if _forms(found) else "breaks"
    return f"as written, where a bond {does}" + (f", for one of {many:g}" if many != 1 else "")


def _a_bond(found: ReactionEnergy) -> float:
    """Return the change for one bond in kcal/mol, in the direction in which it is written."""
    value = found.energy_change if found.enthalpy_change is None else found.enthalpy_change
    return value * KCAL / min(_molecules(found))


def _forms(found: ReactionEnergy) -> bool:
    before, after = _molecules(found)
    return after <= before


def _molecules(found: ReactionEnergy) -> tuple[float, float]:
    """Return how many there are before the arrow, and after it."""
    counts = [one.coefficient for one in found.reaction.species]
    return sum(-count for count in counts if count < 0), sum(one for one in counts if one > 0)


def bond_bounds(found: ReactionEnergy) -> Bounds | None:
    """Return the bounds of a reaction in which a neutral molecule falls into two parts.

    Returns:
        None for any other, in which many bonds may change.
    """
    species = found.reaction.species
    sides = [[one for one in species if one.coefficient * sign > 0] for sign in (-1, 1)]
    whole, parts = sorted(sides, key=lambda side: sum(abs(one.coefficient) for one in side))
    if len(whole) != 1 or whole[0].atoms.charge != 0:
        return None
    many = abs(whole[0].coefficient)
    if abs(sum(abs(one.coefficient) for one in parts) / many - 2) > 1e-6:
        return None
    charges = {one.atoms.charge for one in parts}
    if charges == {0}:
        return HOMOLYSIS
    hydrogens = {one.atoms.charge for one in parts if one.atoms.numbers.tolist() == [1]}
    return PROTON if hydrogens == {1} else HYDRIDE if hydrogens == {-1} else HETEROLYSIS


def breaks_one_bond(found: ReactionEnergy) -> bool:
    """Tell whether two parts have one bond less than the whole, by their notations."""
    try:
        counts = [
            (one.coefficient, _bonds(one.smiles)) for one in found.reaction.species if one.smiles
        ]
    except (InputError, ValueError):
        return False
    if len(counts) != len(found.reaction.species):
        return False
    many = min(abs(count) for count, _ in counts)
    return abs(abs(sum(count * bonds for count, bonds in counts)) / many - 1) < 1e-6


def _bonds(smiles: str) -> int:
    from rdkit import Chem

    from workflows.molecule.notation import read_smiles

    return int(Chem.AddHs(read_smiles(smiles, smiles)).GetNumBonds())  # pyright: ignore
