"""The same calculations by Psi4, as this machine has it, while one waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ontologies.factors import HARTREE

from . import structures as s
from .entries import Entry, Value
from .laboratory import At
from .level import Level
from .psi4 import Job
from .sources import GRID, LIBRARIES, SCF

EV = HARTREE["eV"]
SOURCE = "Psi4, run beside"
FINE = {"grid_level": 5}

Ours = Callable[[At], Value]
Theirs = Callable[[Mapping[str, Any]], float]
Row = tuple[str, str, Ours, Theirs, float]
"""Quantity, unit, where both values are found, and how far they may be apart."""


def entries() -> Iterator[Entry]:
    """Return the entries of this kind."""
    yield from _water()
    yield from _excited()
    yield from _radicals()
    yield from _functionals()
    yield from _heavy()


def _entry(
    job: Job,
    molecule: str,
    quantity: str,
    unit: str,
    level: Level,
    ours: Ours,
    theirs: Theirs,
    allowed: float,
    why: str = SCF,
) -> Entry:
    return Entry(
        "Psi4",
        molecule,
        quantity,
        unit,
        level,
        ours,
        lambda: theirs(job.run()),
        allowed,
        why,
        SOURCE,
    )


def _water() -> Iterator[Entry]:
    atoms, level = s.WATER, Level("HF", "cc-pVDZ")
    job = Job(atoms, "hf", "cc-pvdz", ("gradient", "vibrations"))
    rows: tuple[Row, ...] = (
        ("energy", "Eh", lambda at: at.energy(atoms), lambda r: r["energy"], 1e-7),
        ("functions", "1", lambda at: float(len(at.analysis(atoms).occupations)),
         lambda r: r["functions"], 0.1),
        ("highest occupied level", "Eh", lambda at: at.point(atoms).homo or 0.0,
         lambda r: r["homo"], 1e-6),
        ("dipole", "D", lambda at: float(at.point(atoms).dipole[2]), lambda r: r["dipole"][2],
         2e-5),
        ("Mulliken charge of O", "e", lambda at: float(at.point(atoms).mulliken_charges[0]),
         lambda r: r["mulliken"][0], 1e-6),
        ("Löwdin charge of O", "e", lambda at: float(at.analysis(atoms).lowdin_charges[0]),
         lambda r: r["lowdin"][0], 1e-6),
        ("Mayer bond order O–H", "1", lambda at: float(at.analysis(atoms).bond_orders[0, 1]),
         lambda r: r["mayer"][0][1], 1e-6),
        ("Wiberg bond order O–H", "1",
         lambda at: float(at.analysis(atoms).wiberg_bond_orders[0, 1]),
         lambda r: r["wiberg"][0][1], 1e-6),
        ("largest component of the gradient", "Eh/bohr",
         lambda at: at.vibrations(atoms).max_gradient,
         lambda r: float(np.abs(r["gradient"]).max()), 1e-6),
    )  # fmt: skip
    for quantity, unit, ours, theirs, allowed in rows:
        yield _entry(job, "H2O", quantity, unit, level, ours, theirs, allowed)
    for mode in range(3):
        yield _entry(
            job,
            "H2O",
            f"wavenumber {mode + 1}",
            "cm⁻¹",
            level,
            lambda at, mode=mode: float(at.vibrations(atoms).wavenumbers[mode]),
            lambda r, mode=mode: r["wavenumbers"][mode],
            0.1,
            "SCF and response thresholds",
        )
        yield _entry(
            job,
            "H2O",
            f"infrared intensity {mode + 1}",
            "km/mol",
            level,
            lambda at, mode=mode: _intensity(at, mode),
            lambda r, mode=mode: r["infrared"][mode],
            0.02,
            "SCF and response thresholds",
        )
    yield from _heat()
    tight = Job(atoms, "hf", "6-31G*", ("relaxed",), cartesian=True)
    split = Level("HF", "6-31G*", {"cartesian": True})
    yield _entry(
        tight,
        "H2O",
        "bond length O–H",
        "Å",
        split,
        lambda at: s.distance(at.relaxed(atoms).atoms, 0, 1),
        lambda r: _length(r["relaxed"], 0, 1),
        2e-5,
        "thresholds of both optimisations",
    )
    yield _entry(
        tight,
        "H2O",
        "energy of the minimum",
        "Eh",
        split,
        lambda at: at.relaxed(atoms).energy,
        lambda r: r["minimum"],
        1e-7,
        "thresholds of both optimisations",
    )


def _heat() -> Iterator[Entry]:
    """The minimum of HF/STO-3G, at two temperatures and 1 atm."""
    atoms, level = s.bent("O", "H", 0.989410, 100.027), Level("HF", "STO-3G")
    job, molecule = Job(atoms, "hf", "sto-3g", ("vibrations",)), "H2O (0.98941 Å, 100.027°)"
    why = "SCF and response thresholds"
    yield _entry(
        job,
        molecule,
        "zero-point energy",
        "Eh",
        level,
        lambda at: at.heat_at(atoms).zero_point_energy,
        lambda r: r["heat"]["298.15"]["ZPVE"],
        1e-6,
        why,
    )
    for temperature in (298.15, 400.0):

        def enthalpy(at: At, t: float = temperature) -> float:
            return at.heat_at(atoms, t).enthalpy - at.energy(atoms)

        def gibbs(at: At, t: float = temperature) -> float:
            return at.heat_at(atoms, t).gibbs_energy

        for quantity, ours, name in (
            ("H − E", enthalpy, "ENTHALPY CORRECTION"),
            ("Gibbs energy", gibbs, "GIBBS FREE ENERGY"),
        ):

            def theirs(r: Mapping[str, Any], t: str = str(temperature), name: str = name) -> float:
                return r["heat"][t][name]

            yield _entry(
                job,
                molecule,
                f"{quantity} at {temperature:g} K",
                "Eh",
                level,
                ours,
                theirs,
                2e-6,
                why,
            )


def _intensity(at: At, mode: int) -> float:
    infrared = at.vibrations(s.WATER).infrared
    assert infrared is not None
    return float(infrared[mode])


def _length(places: list[list[float]], one: int, other: int) -> float:
    return float(np.linalg.norm(np.subtract(places[one], places[other])))


def _excited() -> Iterator[Entry]:
    water, plain = s.WATER, Level("HF", "cc-pVDZ")
    job = Job(water, "hf", "cc-pvdz", ("excitations",))
    yield from _states(job, "H2O", plain)
    atoms, level = s.FORMALDEHYDE, Level("HF", "6-31G*", {"cartesian": True})
    job = Job(atoms, "hf", "6-31G*", ("excitations",), cartesian=True)
    yield _entry(
        job, "H2CO", "energy", "Eh", level, lambda at: at.energy(atoms), lambda r: r["energy"], 1e-7
    )
    yield _entry(
        job,
        "H2CO",
        "dipole",
        "D",
        level,
        lambda at: float(at.point(atoms).dipole[2]),
        lambda r: r["dipole"][2],
        1e-5,
    )
    yield from _states(job, "H2CO", level)


def _states(job: Job, molecule: str, level: Level) -> Iterator[Entry]:
    for name, response, key in (("CIS", "TDA", "tda"), ("TDHF", "TDDFT", "rpa")):

        def ours(at: At, response: Any = response) -> float:
            return float(at.excited(job.atoms, response).excitation_energies[0])

        def theirs(r: Mapping[str, Any], key: str = key) -> float:
            return min(r[key]) * EV

        yield _entry(
            job,
            molecule,
            f"singlet 1, {name}",
            "eV",
            level,
            ours,
            theirs,
            2e-4,
            "thresholds of both responses",
        )


def _radicals() -> Iterator[Entry]:
    apart = s.pair("H", "H", 3.0)
    yield _entry(
        Job(apart, "hf", "cc-pvdz"),
        "H2 at 3 Å",
        "energy",
        "Eh",
        Level("HF", "cc-pVDZ"),
        lambda at: at.energy(apart),
        lambda r: r["energy"],
        1e-7,
    )
    atoms, level = s.METHYL, Level("HF", "cc-pVDZ")
    job = Job(atoms, "hf", "cc-pvdz")
    yield _entry(
        job, "CH3", "energy", "Eh", level, lambda at: at.energy(atoms), lambda r: r["energy"], 1e-7
    )
    yield _entry(
        job,
        "CH3",
        "⟨S²⟩",
        "1",
        level,
        lambda at: at.point(atoms).spin_squared or 0.0,
        lambda r: r["spin_squared"],
        1e-6,
    )
    shared = Level("HF", "cc-pVDZ", {"reference": "restricted open-shell"})
    yield _entry(
        Job(atoms, "hf", "cc-pvdz", reference="rohf"),
        "CH3",
        "energy",
        "Eh",
        shared,
        lambda at: at.energy(atoms),
        lambda r: r["energy"],
        1e-7,
    )
    job = Job(atoms, "b3lyp", "cc-pvdz")
    level = Level("B3LYP", "cc-pVDZ", FINE)
    yield _entry(
        job,
        "CH3",
        "energy",
        "Eh",
        level,
        lambda at: at.energy(atoms),
        lambda r: r["energy"],
        1e-5,
        GRID,
    )
    yield _entry(
        job,
        "CH3",
        "⟨S²⟩",
        "1",
        level,
        lambda at: at.point(atoms).spin_squared or 0.0,
        lambda r: r["spin_squared"],
        1e-5,
        GRID,
    )


def _functionals() -> Iterator[Entry]:
    atoms = s.WATER
    for method, theirs in (
        ("B3LYP", "b3lyp"),
        ("PBE", "pbe"),
        ("PBE0", "pbe0"),
        ("TPSS", "tpss"),
        ("wB97X", "wb97x"),
        ("SVWN3", "svwn"),
        ("M06-2X", "m06-2x"),
    ):
        yield _entry(
            Job(atoms, theirs, "def2-svp"),
            "H2O",
            "energy",
            "Eh",
            Level(method, "def2-SVP", FINE),
            lambda at: at.energy(atoms),
            lambda r: r["energy"],
            1e-5,
            GRID,
        )
    dimer, left, right = s.WATER_DIMER, s.part(s.WATER_DIMER, 0, 3), s.part(s.WATER_DIMER, 3, 6)

    def theirs_bound() -> float:
        whole, *parts = (
            Job(one, "pbe0", "def2-svp").run()["energy"] for one in (dimer, left, right)
        )
        return whole - sum(parts)

    yield Entry(
        "Psi4",
        "(H2O)2",
        "interaction energy",
        "Eh",
        Level("PBE0", "def2-SVP", FINE),
        lambda at: at.energy(dimer) - at.energy(left) - at.energy(right),
        theirs_bound,
        1e-5,
        GRID,
        SOURCE,
    )


def _heavy() -> Iterator[Entry]:
    atoms = s.pair("H", "I", 1.61)
    yield _entry(
        Job(atoms, "hf", "def2-svp"),
        "HI with core potential",
        "energy",
        "Eh",
        Level("HF", "def2-SVP"),
        lambda at: at.energy(atoms),
        lambda r: r["energy"],
        2e-6,
        LIBRARIES,
    )
