"""What to know of the electronic part of a thermochemistry."""

from __future__ import annotations

import math

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import GAS_CONSTANT, HARTREE
from ontologies.vibrations import ElectronicLevel
from triplestore.errors import GraficoError
from workflows.geometry.symmetry import rotor
from workflows.text.words import count

from .degeneracy import Degeneracy, spatial_degeneracy
from .electronic_levels import lowering, measured_levels, multiplicity, tabulated

KCAL, KJ = HARTREE["kcal/mol"], HARTREE["kJ/mol"]

HOT = 3000.0
"""K. Above it, levels that are not in the table count."""

LITTLE = 1e-6
"""Eh. A spin–orbit lowering below this is not worth a word."""

CLOSED = {0, 2, 4, 10, 12, 18, 20, 28, 30, 36, 38, 46, 48, 54, 56, 68, 70, 78, 80, 86}
"""Electrons with which a singlet atom has filled shells alone."""


def formula(atoms: ConceptualAtoms) -> str:
    """Return the formula with the charge, such as C6H6+ or Fe+2."""
    sign = "+" if atoms.charge > 0 else "−"
    size = abs(atoms.charge)
    return atoms.formula + (sign if size else "") + (str(size) if size > 1 else "")


def concerns(atoms: ConceptualAtoms) -> bool:
    """Tell whether more than one state of the electrons counts, or would have to."""
    known = tabulated(atoms)
    if atoms.multiplicity > 1 or len(known) > 1:
        return True
    if known and multiplicity(known[0]) != atoms.multiplicity:
        return True
    return len(atoms.numbers) == 1 and atoms.electrons not in CLOSED


def electronic_remarks(
    atoms: ConceptualAtoms, temperature: float, spin_orbit: bool
) -> tuple[str, ...]:
    """Say from where energies count, and what of the electrons is left out.

    Args:
        atoms: a molecule at a minimum.
        temperature: in K.
        spin_orbit: whether the lowering by spin–orbit coupling was asked for.
    """
    if not concerns(atoms):
        return ()
    told: list[str] = []
    if levels := measured_levels(atoms):
        told += _of_levels(atoms, levels, temperature, spin_orbit)
    else:
        if spin_orbit:
            told.append(
                f"no lowering by spin–orbit coupling is known of {formula(atoms)} with the "
                f"multiplicity {atoms.multiplicity}: none is in its energies"
            )
        told += _without_levels(atoms, temperature)
    return tuple(told)


def _of_levels(
    atoms: ConceptualAtoms,
    levels: tuple[ElectronicLevel, ...],
    temperature: float,
    spin_orbit: bool,
) -> list[str]:
    told: list[str] = []
    lower = lowering(levels)
    if lower > LITTLE:
        much = f"{lower:.6f} Eh = {lower * KCAL:.2f} kcal/mol = {lower * KJ:.2f} kJ/mol"
        mean = f"the mean of the levels of {levels[0].term_symbol}"
        told.append(
            f"spin–orbit coupling: enthalpy and Gibbs energy of {formula(atoms)} are those of its "
            f"lowest level, {much} below {mean}, for which the electronic energy stands"
            if spin_orbit
            else f"enthalpy and Gibbs energy of {formula(atoms)} count from its lowest level as if "
            f"that lay at the electronic energy, which stands for {mean}: the lowest lies "
            f"{much} below, and that is in them with the option spin_orbit"
        )
    if temperature > HOT and len(atoms.numbers) < 3:
        told.append(
            f"above {HOT:g} K electronic levels of {formula(atoms)} count that are not in the table"
        )
    return told


def _without_levels(atoms: ConceptualAtoms, temperature: float) -> list[str]:
    alone = f"the multiplicity ({atoms.multiplicity}) alone counts"
    if known := tabulated(atoms):
        return [
            f"the measured ground state of {formula(atoms)} has the multiplicity "
            f"{multiplicity(known[0])} ({known[0].term_symbol}): of this other state {alone}, and "
            "its degeneracy in space and spin–orbit coupling are left out of entropy and Gibbs "
            "energy"
        ]
    if len(atoms.numbers) == 1:
        return [
            f"no measured levels of {formula(atoms)} are in the table: {alone}, and "
            "degeneracy in space and spin–orbit coupling are left out of "
            "entropy and Gibbs energy"
        ]
    try:
        found = spatial_degeneracy(atoms)
    except GraficoError as error:
        return [
            f"whether the ground state of {formula(atoms)} is degenerate in space could not be "
            f"found out ({error.found}): if it is, that is left out of entropy and Gibbs energy"
        ]
    return [] if found is None else [_degenerate(atoms, found, temperature)]


def _degenerate(atoms: ConceptualAtoms, found: Degeneracy, temperature: float) -> str:
    gain = GAS_CONSTANT * math.log(found.states)
    least = gain * temperature / 1000
    group, number, _ = rotor(atoms)
    near = f"{found.group} within {found.tolerance:g} Å"
    orbitals = f"{count(found.electrons, 'electron')} in {found.orbitals} orbitals of one energy"
    name = formula(atoms)
    what = (
        f"the ground state of {name} is degenerate in space by the orbitals of GFN2-xTB "
        f"({near}, {orbitals})"
        if not found.gap
        else f"a state of {name} that is degenerate in space lies near its ground state, or is "
        f"it, by the orbitals of GFN2-xTB ({near}, {orbitals}, "
        f"{found.gap * HARTREE['eV']:.1f} eV from that of the unpaired electron)"
    )
    text = (
        f"{what}: of electrons the multiplicity alone counts; left out are up to R ln "
        f"{found.states} = {gain:.2f} J/mol/K of the entropy (up to {least:.2f} kJ/mol = "
        f"{least / KJ * KCAL:.2f} kcal/mol of the Gibbs energy at {temperature:g} K), spin–orbit "
        "coupling, and the coupling of electrons with vibrations"
    )
    if group != found.group and found.symmetry_number > number:
        text += (
            f"; the geometry, distorted to {group}, is one of {found.symmetry_number // number} "
            f"equal ones, which its symmetry number ({number}, not {found.symmetry_number}) counts "
            "already"
        )
    return text
