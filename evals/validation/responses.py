"""Excited states and solvation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from ontologies.factors import BOHR, HARTREE

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .sources import GAUSSIAN_TD, MNSOL, SCF

EV, KCAL = HARTREE["eV"], HARTREE["kcal/mol"]

Response = Literal["TDDFT", "TDA"]
Spin = Literal["singlet", "triplet"]

# Psi4's tests of linear response
WATER = s.read("O 0 0 0.135446\nH 0 0.866812 -0.541782\nH 0 -0.866812 -0.541782")

# Method, response, spin; energies of states by number in Eh; transition dipole of the third in
# e·bohr, which is along the axis
STATES: tuple[tuple[str, Response, Spin, dict[int, float], float | None], ...] = (
    ("HF", "TDDFT", "singlet", {1: 0.2787878393, 4: 0.4248098393}, 0.623332585),
    ("HF", "TDA", "singlet", {1: 0.2822542393, 4: 0.4300703393}, 0.641948156),
    ("HF", "TDDFT", "triplet", {1: 0.2357348393}, None),
    ("HF", "TDA", "triplet", {1: 0.2428835393, 4: 0.3378856393}, None),
    ("PBE0", "TDDFT", "singlet", {1: 0.2415258609, 3: 0.3397835609}, 0.61969876),
    ("wB97X", "TDA", "singlet", {1: 0.2488867286, 3: 0.3484818286}, 0.642610159),
)
BRIGHT = {("HF", "TDDFT"): 0.3755404393, ("HF", "TDA"): 0.3798848393}


def entries() -> Iterator[Entry]:
    """Return the entries of both kinds."""
    for method, response, spin, states, moment in STATES:
        pure = method == "HF"
        level = Level(method, "cc-pVDZ", {} if pure else {"grid_level": 5})
        names = {"TDDFT": "TDHF", "TDA": "CIS"} if pure else {"TDDFT": "TDDFT", "TDA": "TDA"}
        why = "the looser thresholds of the reference (Psi4's tests allow as much)"
        for state, energy in states.items():

            def excitation(
                at: At, state: int = state, response: Response = response, spin: Spin = spin
            ) -> float:
                return float(at.excited(WATER, response, spin).excitation_energies[state - 1])

            yield Entry(
                "excitations",
                "H2O",
                f"{spin} {state}, {names[response]}",
                "eV",
                level,
                excitation,
                energy * EV,
                2e-4 * EV,
                why,
                GAUSSIAN_TD,
            )
        if moment is not None:
            third = BRIGHT.get((method, response)) or states[3]

            def strength(at: At, response: Response = response) -> float:
                return float(at.excited(WATER, response).oscillator_strengths[2])

            quantity = f"oscillator strength of singlet 3, {names[response]}"
            yield Entry(
                "excitations",
                "H2O",
                quantity,
                "1",
                level,
                strength,
                2 / 3 * third * moment**2,
                1e-3,
                why,
                GAUSSIAN_TD,
            )
    yield from _solvation()


def _solvation() -> Iterator[Entry]:
    ion, permittivity = s.single("Na", charge=1), 78.36
    # 1.2 times the radius that A. Bondi gives for sodium, J. Phys. Chem. 68, 441 (1964)
    born = -(1 - 1 / permittivity) / (2 * 1.2 * 2.27 / BOHR) * KCAL
    for model in ("C-PCM", "IEF-PCM"):
        level = Level("HF", "STO-3G", {"solvation": model, "dielectric": permittivity})
        yield Entry(
            "solvation",
            "Na+ in its sphere",
            "solvation energy",
            "kcal/mol",
            level,
            lambda at: _solvated(at, ion),
            born,
            0.06,
            "a sphere of finite elements",
            "exact: M. Born, Z. Phys. 1, 45 (1920)",
        )
    place = s.read("O 0 0 0.1174\nH -0.757 0 -0.4696\nH 0.757 0 -0.4696")
    for solvent, value in (("water", -76.0756052903), ("ethanol", -76.075066568)):
        options = {"solvation": "SMD", "solvent": solvent}
        yield Entry(
            "solvation",
            "H2O",
            f"energy in {solvent}",
            "Eh",
            Level("HF", "def2-TZVPP", options),
            lambda at: at.energy(place),
            value,
            2e-4,
            "what PySCF's own tests allow",
            "PySCF's pyscf/solvent/test/test_smd.py",
        )
    for model, value in (
        ("C-PCM", -74.9690902442),
        ("COSMO", -74.96900351922464),
        ("IEF-PCM", -74.9690111344),
        ("SS(V)PE", -74.9689577454),
    ):
        options = {"solvation": model, "dielectric": 35.9}
        yield Entry(
            "solvation",
            "H2O",
            "energy",
            "Eh",
            Level("HF", "STO-3G", options),
            lambda at: at.energy(place),
            value,
            1e-7,
            SCF,
            "PySCF's pyscf/solvent/test/test_pcm.py",
        )
    level = Level("M05-2X", "6-31G*", {"solvation": "SMD", "solvent": "water"})
    for formula, atoms, value in (
        ("H2O", s.WATER, -6.31),
        ("NH3", s.AMMONIA, -4.29),
        ("CH4", s.METHANE, 2.00),
        ("CH3OH", s.METHANOL, -5.11),
    ):
        yield Entry(
            "solvation",
            formula,
            "free energy of hydration",
            "kcal/mol",
            level,
            lambda at, atoms=atoms: _solvated(at, atoms),
            value,
            3.0,
            "five times SMD's mean error for neutral solutes",
            MNSOL,
        )


def _solvated(at: At, atoms: s.ConceptualAtoms) -> float:
    gas = Level(at.named.method, at.named.basis)
    return (at.energy(atoms) - At(at.laboratory, gas).energy(atoms)) * KCAL
