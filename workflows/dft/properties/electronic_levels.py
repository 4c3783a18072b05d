"""Measured electronic levels of atoms and diatomic molecules, and what a gas gains by them.

`electronic_levels.csv` has a row a level: species, term, level within the term (`J` of atoms, `Ω`
of molecules; empty for a term that is taken whole), statistical weight, energy in cm⁻¹ above the
lowest, and source:

- `ASD`: A. Kramida, Yu. Ralchenko, J. Reader and NIST ASD Team, NIST Atomic Spectra Database.
- `DET`: laser photodetachment of anions: T. Andersen, H. K. Haugen, H. Hotop, J. Phys. Chem. Ref.
  Data 28, 1511 (1999).
- `HH`: K. P. Huber, G. Herzberg, Molecular Spectra and Molecular Structure IV, Constants of
  Diatomic Molecules (1979); oxides of halogens and ions by later spectra.

The numbers were written down from memory of these tables. Entropies that follow from them were
compared with the polynomials of NASA's CEA (B. J. McBride, M. J. Zehe, S. Gordon,
NASA/TP-2002-211556): 65 atoms and ions agree to 0.04 J/mol/K up to 1,000 K (Cu⁺ does not: CEA's is
higher than its one level allows); of some 40 diatomic molecules most differ by less than 0.8, as
anharmonicity makes them, but B2 by −4.9 and NaO by −1.9 at 1,000 K, C2 by 1.5 either way, TiO by
−1.8. Heavier ones (Se2, Te2, IO, HI⁺, …) could not be compared. All levels below 10,000 cm⁻¹ of
an atom are there; of a molecule those that are known to be there.
"""

from __future__ import annotations

import csv
import math
import re
from collections import Counter
from functools import cache
from importlib.resources import files

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.factors import GAS_CONSTANT, HARTREE
from ontologies.vibrations import ElectronicLevel

BOLTZMANN = GAS_CONSTANT / 1000 / HARTREE["kJ/mol"]
"""Eh/K."""

Species = tuple[tuple[int, ...], int]
"""Atomic numbers in order, and the charge."""


def measured_levels(atoms: ConceptualAtoms) -> tuple[ElectronicLevel, ...]:
    """Return the measured levels of an atom or diatomic molecule, the lowest first.

    They are those of its ground state: of another multiplicity there are none. None stand in the
    table for a closed shell far from all others.

    Args:
        atoms: what; its multiplicity is that which is computed.
    """
    levels = tabulated(atoms)
    return levels if levels and multiplicity(levels[0]) == atoms.multiplicity else ()


def tabulated(atoms: ConceptualAtoms) -> tuple[ElectronicLevel, ...]:
    """Return the same, whatever multiplicity is computed."""
    numbers: list[int] = atoms.numbers.tolist()
    if len(numbers) > 2:
        return ()
    return _table().get((tuple(sorted(numbers)), atoms.charge), ())


def multiplicity(level: ElectronicLevel) -> int:
    """Return the multiplicity of a level's term."""
    return int(re.sub(r"^[a-z]", "", level.term_symbol)[0])


def lowering(levels: tuple[ElectronicLevel, ...]) -> float:
    """Return how far the lowest level lies below the mean of its term, by weights, in Eh.

    Args:
        levels: some; the lowest first.
    """
    term = [one for one in levels if one.term_symbol == levels[0].term_symbol]
    states = sum(one.statistical_weight for one in term)
    mean = sum(one.statistical_weight * one.term_energy for one in term) / states
    return mean / HARTREE["cm⁻¹"]


def electronic_gas(levels: tuple[ElectronicLevel, ...], temperature: float) -> tuple[float, float]:
    """Return mean energy above the lowest level (Eh) and entropy (Eh/K) of a particle.

    Args:
        levels: some.
        temperature: in K.
    """
    heat = BOLTZMANN * temperature
    energies = [one.term_energy / HARTREE["cm⁻¹"] for one in levels]
    shares = [
        one.statistical_weight * math.exp(-energy / heat)
        for one, energy in zip(levels, energies, strict=True)
    ]
    whole = sum(shares)
    mean = sum(share * energy for share, energy in zip(shares, energies, strict=True)) / whole
    return mean, BOLTZMANN * math.log(whole) + mean / temperature


@cache
def _table() -> dict[Species, tuple[ElectronicLevel, ...]]:
    text = (files("workflows.dft.properties") / "electronic_levels.csv").read_text("utf-8")
    found: dict[Species, list[ElectronicLevel]] = {}
    for row in csv.DictReader(text.splitlines()):
        level = ElectronicLevel(
            term_symbol=row["term"],
            sublevel=row["level"],
            statistical_weight=int(row["weight"]),
            term_energy=float(row["energy"]),
            tabulated_in=SOURCES[row["source"]],
        )
        found.setdefault(_species(row["species"]), []).append(level)
    return {name: tuple(sorted(some, key=_energy)) for name, some in found.items()}


SOURCES = {
    "ASD": "NIST Atomic Spectra Database",
    "DET": "photodetachment (Andersen, Haugen, Hotop 1999)",
    "HH": "Huber and Herzberg (1979)",
}


def _energy(level: ElectronicLevel) -> float:
    return level.term_energy


def _species(name: str) -> Species:
    """Return what is meant by a formula such as `O2+`."""
    formula = name.rstrip("+-")
    charge = name.count("+") - name.count("-")
    atoms = Counter[int]()
    for symbol, times in re.findall(r"([A-Z][a-z]?)(\d?)", formula):
        atoms[SYMBOLS.index(symbol)] += int(times or 1)
    return tuple(sorted(atoms.elements())), charge
