"""Equations of state of crystals beside those of all-electron programs."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.compression import EquationOfState

from .entries import Entry
from .laboratory import At

KIND = "crystals"
BASIS = "gth-dzvp-molopt-sr"

ACWF = "average of two all-electron programs, E. Bosoni et al., Nat. Rev. Phys. 6, 45 (2024), doi:10.1038/s42254-023-00655-3"  # noqa: E501
DELTA = "WIEN2k, K. Lejaeghere et al., Crit. Rev. Solid State Mater. Sci. 39, 1 (2014), doi:10.1080/10408436.2013.772503, as ASE has it"  # noqa: E501
TRAN = "WIEN2k, F. Tran et al., Phys. Rev. B 75, 115131 (2007), doi:10.1103/PhysRevB.75.115131, quoted in GPAW's bulk_tests.csv"  # noqa: E501

LENGTH = "3×3×3 k-points, the basis set, pseudopotentials: 1 % of the length"
MODULUS = "the same: 10 % of the modulus"

CASES = (
    ("diamond", (6, 6), 3.575, 100.0, 3.5718, 433.4, ACWF),
    ("Si", (14, 14), 5.475, 60.0, 5.4694, 88.5, DELTA),
    ("BN, cubic", (5, 7), 3.629, 120.0, 3.629, 373.0, TRAN),
    ("AlP", (13, 15), 5.513, 60.0, 5.513, 82.6, TRAN),
)
"""Name, elements, lattice constant at the start in Å, cut-off in Eh; that of others and their bulk
modulus in GPa, and the source."""


def entries() -> Iterator[Entry]:
    """Return the entries of this kind: lattice constants and bulk moduli by PBE."""
    for name, numbers, start, cutoff, length, modulus, source in CASES:
        level = f"GTH-PBE/{BASIS}, 3×3×3 k, {cutoff:g} Eh"
        ask = functools.partial(_equation, numbers, start, cutoff)
        yield Entry(
            KIND, name, f"lattice constant, {level}", "Å", None, functools.partial(_length, ask),
            length, round(0.01 * length, 3), LENGTH, source,
        )  # fmt: skip
        yield Entry(
            KIND, name, f"bulk modulus, {level}", "GPa", None, functools.partial(_modulus, ask),
            modulus, round(0.1 * modulus, 1), MODULUS, source,
        )  # fmt: skip


def _equation(numbers: tuple[int, int], start: float, cutoff: float, at: At) -> EquationOfState:
    """Return the equation of state of a crystal with the structure of zincblende."""
    cell = start / 2 * (np.ones((3, 3)) - np.eye(3))
    places = [[0.0, 0.0, 0.0], [start / 4] * 3]
    atoms = ConceptualAtoms(numbers=numbers, positions=places, cell=cell, periodic=[True] * 3)
    asked = {"method": "GTH-PBE", "basis": BASIS, "k_points": 3, "grid_cutoff": cutoff}
    done = at.laboratory.session.equation_of_state(atoms, points=5, force=True, **asked)
    at.laboratory.computed += not done.reused
    [found] = done.ran.made
    assert isinstance(found, EquationOfState)
    return found


def _length(ask: functools.partial[EquationOfState], at: At) -> float:
    found = ask(at).lattice_lengths
    assert found is not None
    return float(found[0])


def _modulus(ask: functools.partial[EquationOfState], at: At) -> float:
    found = ask(at).bulk_modulus
    assert found is not None
    return found
