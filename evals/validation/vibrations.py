"""Harmonic vibrations, force constants and thermochemistry."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.factors import BOHR, HARTREE
from ontologies.vibrations import Thermochemistry

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .sources import DIGITS, FITTED, HEHRE, HUBER, JANAF, METHOD, psi4

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]
MODES = ("bend", "symmetric stretch", "antisymmetric stretch")

# Psi4's test scf-hess1, in bohr
TURNED = s.read(
    "O 0.134467872279 0.000255539126 0\nH -1.069804624577 1.430455315728 0\n"
    "H -1.064298089419 -1.434510907104 0",
    BOHR,
)


def entries() -> Iterator[Entry]:
    """Return the entries of both kinds."""
    yield from _wavenumbers()
    for basis, first, second in (
        ("STO-3G", 0.6349786, 0.8039939),
        ("cc-pVDZ", 0.4644069, 0.5691441),
    ):
        for axis, value in enumerate((first, second)):
            yield Entry(
                "vibrations",
                "H2O",
                f"second derivative by {'xy'[axis]} of oxygen",
                "Eh/bohr²",
                Level("HF", basis),
                lambda at, axis=axis: float(at.vibrations(TURNED).hessian[0, 0, axis, axis]),
                value,
                1e-5,
                "SCF and response thresholds",
                "PSI3, quoted in " + psi4("scf-hess1"),
            )
    yield from _heat()


def _wavenumbers() -> Iterator[Entry]:
    split = Level("HF", "6-31G*", {"cartesian": True})
    fixed = s.bent("O", "H", 0.96864, 103.586)
    for mode, (book, fitted, at_geometry) in enumerate(
        zip(
            (1827, 4070, 4189),
            (1775.65, 4113.38, 4212.18),
            (1713.39, 3728.54, 3850.17),
            strict=True,
        )
    ):

        def relaxed(at: At, mode: int = mode) -> float:
            return float(at.vibrations_of(s.WATER).wavenumbers[mode])

        def as_given(at: At, mode: int = mode) -> float:
            return float(at.vibrations(fixed).wavenumbers[mode])

        name = f"wavenumber, {MODES[mode]}"
        yield Entry(
            "vibrations",
            "H2O",
            name,
            "cm⁻¹",
            split,
            relaxed,
            book,
            2.0,
            DIGITS + "; masses are of one isotope",
            HEHRE,
        )
        yield Entry(
            "vibrations",
            "H2O",
            name,
            "cm⁻¹",
            Level("HF", "cc-pVDZ"),
            relaxed,
            fitted,
            1.5,
            FITTED,
            psi4("tu4-h2o-freq"),
        )
        yield Entry(
            "vibrations",
            "H2O (0.96864 Å, 103.586°)",
            name,
            "cm⁻¹",
            Level("B3LYP", "6-31G*", {"cartesian": True, "grid_level": 5}),
            as_given,
            at_geometry,
            2.0,
            FITTED,
            psi4("dft-freq"),
        )
    for formula, start, value in (
        ("CO", s.pair("C", "O", 1.13), 2169.81),
        ("H2", s.pair("H", "H", 0.75), 4401.21),
    ):
        yield Entry(
            "vibrations",
            formula,
            "harmonic wavenumber",
            "cm⁻¹",
            Level("B3LYP", "def2-TZVP"),
            lambda at, start=start: float(at.vibrations_of(start).wavenumbers[0]),
            value,
            60.0,
            METHOD,
            HUBER,
        )


def _heat() -> Iterator[Entry]:
    minimal = Level("HF", "STO-3G")

    def correction(of: Thermochemistry) -> float:
        return of.enthalpy - of.frequencies.energy

    loose = "masses are of one isotope; its wavenumbers are 2 cm⁻¹ below Psi4's and ours"
    quoted = ", quoted in " + psi4("freq-isotope1")
    yield Entry(
        "thermochemistry",
        "H2O",
        "zero-point energy",
        "Eh",
        minimal,
        lambda at: at.heat(s.WATER).zero_point_energy,
        0.024367,
        2e-5,
        loose,
        "NWChem" + quoted,
    )
    yield Entry(
        "thermochemistry",
        "H2O",
        "H − E at 298.15 K",
        "Eh",
        minimal,
        lambda at: correction(at.heat(s.WATER)),
        0.028143,
        2e-5,
        loose,
        "NWChem" + quoted,
    )
    yield Entry(
        "thermochemistry",
        "H2O",
        "entropy at 298.15 K",
        "cal/mol/K",
        minimal,
        lambda at: at.heat(s.WATER).entropy * KCAL * 1000,
        45.283,
        0.01,
        "masses are of one isotope",
        "Molpro" + quoted,
    )
    for formula, start, value in (
        ("N2", s.pair("N", "N", 1.1), -108.313412),
        ("H2O", s.WATER, -75.581830),
        ("NH3", s.AMMONIA, -55.854174),
        ("CH4", s.METHANE, -39.946175),
    ):
        yield Entry(
            "thermochemistry",
            formula,
            "Gibbs energy",
            "Eh",
            Level("HF", "3-21G"),
            lambda at, start=start: at.heat(start).gibbs_energy,
            value,
            2e-5,
            "masses are of one isotope",
            psi4("gibbs"),
        )
    for formula, smiles, value, allowed in (
        ("H2O", "O", 188.72, 0.7),
        ("CH4", "C", 186.15, 1.0),
    ):

        def entropy_of(at: At, smiles: str = smiles) -> float:
            found = at.whole(smiles, "frequencies").thermochemistry
            return found.entropy * KJ * 1000 if found else np.nan

        yield Entry(
            "thermochemistry",
            formula,
            "entropy, from its SMILES",
            "J/mol/K",
            Level("HF", "def2-SVP"),
            entropy_of,
            value,
            allowed,
            "bonds of Hartree–Fock are 0.01 Å too short",
            JANAF,
        )
