"""What is known of the chemicals of a design: molar masses of structures, densities of liquids.

A density is taken from the package chemicals alone where melting and boiling point say that it is
a liquid, and within the range of its equation: what extrapolates has a liquid where there is none.
Source of the equation: Perry's Chemical Engineers' Handbook, 8th edition, table 2-32.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

from triplestore.errors import InputError
from workflows.controlled.gate import NEEDS, Finding, named, verdict
from workflows.controlled.naming import screen
from workflows.molecule.cas import registry_number
from workflows.molecule.looking_up import inchi_key_of, registered
from workflows.molecule.notation import read_smiles

from .amounts import Substances
from .design import Density, Design
from .quantities import read

BENCH = 20.0
"""°C that densities are looked up for, at which most are published."""

SOURCE = "Perry's Handbook, 8th ed., in the package chemicals"
APART = 5e-3
"""Relative: by how much a molar mass may differ from that of the structure."""


def known(design: Design) -> tuple[Substances, dict[str, str], list[str]]:
    """Return what is known of the chemicals, their InChIKeys, and what to know of them.

    Raises:
        InputError: a structure cannot be read, contradicts its molar mass, or must not be used.
        ComponentError: the lists of controlled chemicals were changed.
    """
    from rdkit.Chem import rdMolDescriptors

    weights: Any = rdMolDescriptors
    masses, densities = dict[str, float](), dict[str, Density]()
    keys, remarks = dict[str, str](), list[str]()
    for name, one in design.chemicals.items():
        if one.molar_mass:
            masses[name] = one.molar_mass.value
        if one.density:
            densities[name] = one.density
        if not one.structure:
            continue
        asked = f"the chemical {name} was asked for"
        mol: Any = read_smiles(one.structure, f"the chemical {name}")

        mass = float(weights._CalcMolWt(mol))
        if name in masses and abs(masses[name] / mass - 1) > APART:
            found = f"its molar mass is given as {one.molar_mass}, and its structure has {mass:.3f}"
            raise InputError(asked, f"{found} g/mol", "correct one of the two")
        masses[name] = masses.get(name, mass)
        keys[name] = inchi_key_of(mol)
        if one.density is None and one.state == "liquid" and (dense := looked_up(keys[name])):
            densities[name] = dense
    for name, stock in design.stocks.items():
        if stock.density:
            densities[name] = stock.density
    remarks += _screened(design)
    return Substances(design, masses, densities), keys, remarks


def _screened(design: Design) -> Iterator[str]:
    """Iterate over what lists of controlled chemicals say.

    Raises:
        InputError: something stands on one that stops.
    """
    findings, unread = list[Finding](), dict[str, str]()
    bare = [name for name, one in design.chemicals.items() if not one.structure]
    for name, one in design.chemicals.items():
        if one.structure:
            found = screen(one.structure, "smiles", "", name).verdict
            findings += found.findings
            unread |= found.unread
    for name in (*bare, *design.stocks):
        findings += named(name)
    said = verdict(findings, unread)
    told = "; ".join([*map(str, said.findings[:2]), *unread.values()])
    if said.stops:
        raise InputError(
            f"a protocol for {design.name} was asked for",
            f"{NEEDS[said.tier]}: {told}",
            "grafico controlled says more",
        )
    if said.tier:
        yield f"on a list of controlled chemicals: {told}"
    if bare:
        yield f"without a structure nothing is known of what they must not meet: {', '.join(bare)}"


def looked_up(inchi_key: str) -> Density | None:
    """Return the density of a liquid at `BENCH`; None if it is not known, or no liquid there."""
    if importlib.util.find_spec("chemicals") is None:
        return None
    from chemicals import MW, Tb, Tm, volume

    told = next((str(one.value) for one in registered(inchi_key) if one.name == "CAS"), "")
    number, table = registry_number(told), volume.rho_data_Perry_8E_105_l
    if not number or number not in table.index:
        return None
    melting: float | None = Tm(number)
    kelvin, row = BENCH + 273.15, table.loc[number]
    lowest, highest = float(row["Tmin"]), float(row["Tmax"])
    boiling: float | None = Tb(number)
    if melting is None or boiling is None:
        return None
    if not max(melting, lowest) <= kelvin <= min(boiling, highest):
        return None
    c1, c2, c3, c4 = (float(row[name]) for name in ("C1", "C2", "C3", "C4"))
    moles = c1 / c2 ** (1 + (1 - kelvin / c3) ** c4)  # mol/m³
    return Density(
        value=read(f"{moles * float(MW(number)) / 1e6:.4f} g/mL"),
        temperature=read(f"{BENCH:g} °C"),
        source=SOURCE,
    )
