"""What a reaction takes or gives, from what its species came to."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ontologies.factors import GAS_CONSTANT, HARTREE
from ontologies.level import Level
from ontologies.reactions import Conserved, Reaction, ReactionEnergy, SpeciesEnergy
from ontologies.vibrations import Thermochemistry
from triplestore.errors import InputError
from workflows.dft.spin_check import told as told_lower

if TYPE_CHECKING:
    from rdkit.Chem import Mol

MOLAR = 1000.0
"""mol/m³ in mol/L."""

SAME = 1e-6
"""Counts that differ by less are the same: some are fractions."""

UNBOUND = (
    "the highest occupied level of {} lies above zero: without diffuse functions, such as those of "
    "aug-cc-pVTZ, its energy is that of no real anion"
)

REARRANGED = "bonds of {} changed while it relaxed ({}): its energy is that of another molecule"


def combined(
    reaction: Reaction,
    geometry_level: Level,
    energies: Sequence[SpeciesEnergy],
    heat: Thermochemistry | None,
    *,
    relaxed: bool,
    lowers: bool = False,
    remarks: Sequence[Sequence[str]] = (),
) -> ReactionEnergy:
    """Return what a reaction takes or gives.

    Args:
        reaction: which.
        geometry_level: of geometries and vibrations.
        energies: what its species came to, in their order.
        heat: that of one of them, for temperature and pressure; None where there is none.
        relaxed: whether geometries were relaxed.
        lowers: whether spin–orbit coupling is in their enthalpies and Gibbs energies.
        remarks: on the result of each species.
    """

    def change(name: str) -> float | None:
        values = [getattr(one, name) for one in energies]
        if None in values:
            return None
        return math.fsum(
            one.species.coefficient * value for one, value in zip(energies, values, strict=True)
        )

    lowered = [one for one in energies if one.spin_orbit_lowering is not None]
    spin_orbit = -math.fsum(
        one.species.coefficient * (one.spin_orbit_lowering or 0.0) for one in lowered
    )
    largest = max(energies, key=lambda one: len(one.species.atoms.numbers))
    electronic = change("energy")
    assert electronic is not None  # each has one
    zero_point, gibbs = change("zero_point_energy"), change("gibbs_energy")
    molar = None
    if heat is not None and gibbs is not None:
        molar = gibbs + reaction.gain * to_one_molar(heat.temperature, heat.pressure)
    of_each: dict[str, list[str]] = {}
    for one, said in zip(energies, remarks, strict=False):
        for remark in said:
            if not (one.unbound and "highest occupied" in remark):
                of_each.setdefault(remark, []).append(one.species.name)
    told = [f"{', '.join(dict.fromkeys(names))}: {remark}" for remark, names in of_each.items()]
    told += [
        REARRANGED.format(one.species.name, one.bonds_changed)
        for one in energies
        if one.bonds_changed
    ]
    told += [
        told_lower(
            one.species.name,
            one.species.atoms.multiplicity,
            one.lower_multiplicity,
            one.energy - one.lower_energy,
        )
        for one in energies
        if one.lower_energy is not None and one.lower_multiplicity is not None
    ]
    if unbound := [one.species.name for one in energies if one.unbound]:
        told.append(UNBOUND.format(", ".join(unbound)))
    return ReactionEnergy(
        reaction=reaction,
        level=largest.level,
        geometry_level=geometry_level,
        species_energies=tuple(energies),
        energy_change=electronic,
        zero_point_change=None if zero_point is None else electronic + zero_point,
        enthalpy_change=change("enthalpy"),
        gibbs_change=gibbs,
        gibbs_change_molar=molar,
        temperature=heat.temperature if heat else None,
        pressure=heat.pressure if heat else None,
        relaxed=relaxed,
        conserved=conserved(reaction),
        spin_orbit_change=spin_orbit if lowered else None,
        spin_orbit=bool(lowered) and lowers,
        remarks=tuple(dict.fromkeys(told)),
    )


def to_one_molar(temperature: float, pressure: float) -> float:
    """Return what a particle of an ideal gas gains from a pressure (Pa) to 1 mol/L, in Eh."""
    joule = GAS_CONSTANT * temperature * math.log(MOLAR * GAS_CONSTANT * temperature / pressure)
    return joule / 1000 / HARTREE["kJ/mol"]


def conserved(reaction: Reaction) -> Conserved:
    """Return what both sides have as many of.

    Source: S. E. Wheeler, K. N. Houk, P. v. R. Schleyer, W. D. Allen, J. Am. Chem. Soc. 131, 2547
    (2009), doi:10.1021/ja805843n: isogyric reactions keep unpaired electrons, isodesmic ones bonds
    of each type, homodesmotic ones also the hybridisation of bonded atoms and their hydrogens.
    """
    spins = sum(one.coefficient * (one.atoms.multiplicity - 1) for one in reaction.species)
    if abs(spins) > SAME:
        return "nothing"
    types, surroundings = dict[Any, float](), dict[Any, float]()
    for one in reaction.species:
        if len(one.atoms.numbers) == 1:
            continue
        try:
            bonds, places = _bonds(one.smiles)
        except (InputError, ValueError):  # its bonds are not known, or RDKit cannot place them
            return "unpaired electrons"
        for counts, found in ((types, bonds), (surroundings, places)):
            for kind, number in found.items():
                counts[kind] = counts.get(kind, 0.0) + number * one.coefficient
    if not types or any(abs(number) > SAME for number in types.values()):
        return "unpaired electrons"
    if any(abs(number) > SAME for number in surroundings.values()):
        return "bond types"
    return "bond types and hybridisation"


def _bonds(smiles: str) -> tuple[Counter[Any], Counter[Any]]:
    """Return bonds by their type; heavy atoms by surroundings, and the bonds between those.

    Raises:
        InputError: it is empty, or no molecule.
        ValueError: RDKit cannot say where its double bonds are.
    """
    from rdkit import Chem

    from workflows.molecule.notation import read_smiles

    mol: Mol = Chem.AddHs(read_smiles(smiles, smiles))
    Chem.Kekulize(mol, clearAromaticFlags=True)
    types, places = Counter[Any](), Counter[Any]()
    atoms: list[Any] = list(mol.GetAtoms())
    hybrid = {one.GetIdx(): (one.GetSymbol(), str(one.GetHybridization())) for one in atoms}
    for one in atoms:
        if one.GetAtomicNum() > 1:
            places[hybrid[one.GetIdx()], one.GetTotalNumHs(includeNeighbors=True)] += 1
    for bond in mol.GetBonds():
        ends: tuple[Any, Any] = (bond.GetBeginAtom(), bond.GetEndAtom())
        types[(*sorted(end.GetSymbol() for end in ends), str(bond.GetBondType()))] += 1
        if all(end.GetAtomicNum() > 1 for end in ends):
            kinds = sorted(hybrid[end.GetIdx()] for end in ends)
            places[(*kinds, str(bond.GetBondType()))] += 1
    return types, places
