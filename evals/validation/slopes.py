"""Vibrations from the response of the orbitals beside differences of gradients and dipoles."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from scipy.constants import physical_constants

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import DEBYE, HARTREE
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.derivatives import Derivatives, numerical
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import converge
from workflows.geometry.harmonic import intensities

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .psi4 import Job, mean_masses
from .sources import GRID

KIND = "response"
SECOND = "differences of Psi4's gradients and dipoles, run beside"
WHY = "differences of 0.01 bohr, and the grid"
SOURCE = "differences of Grafico's own gradients and dipoles"

CASES: tuple[tuple[str, ConceptualAtoms, Level], ...] = (
    ("H2O", s.WATER, Level("HF", "6-31G")),
    ("H2O", s.WATER, Level("SVWN", "6-31G")),
    ("CO2", s.CARBON_DIOXIDE, Level("PBE", "STO-3G")),
    ("HCN", s.read("H 0 0 -1.07\nC 0 0 0\nN 0 0 1.155"), Level("BLYP", "STO-3G")),
    ("NH3", s.AMMONIA, Level("TPSS", "STO-3G")),
    ("H2CO", s.FORMALDEHYDE, Level("B3LYP", "STO-3G")),
    ("C2H2", s.ETHYNE, Level("PBE0", "STO-3G")),
    ("H2O", s.WATER, Level("M06-2X", "6-31G", {"grid_level": 5})),
    ("CO", s.pair("C", "O", 1.13), Level("CAM-B3LYP", "6-31G")),
    ("HF", s.pair("H", "F", 0.93), Level("wB97X", "6-31G")),
    ("LiH", s.pair("Li", "H", 1.6), Level("HSE06", "6-31G")),
    ("NH2", s.bent("N", "H", 1.03, 103, multiplicity=2), Level("PBE", "STO-3G")),
    ("CH3", s.METHYL, Level("B3LYP", "STO-3G")),
    ("CH2, triplet", s.METHYLENE, Level("TPSS", "STO-3G")),
    ("H2O", s.WATER, Level("B3LYP", "STO-3G", {"solvent": "water"})),
    ("H2O", s.WATER, Level("PBE0", "6-31G", {"density_fitting": True})),
)
"""Functionals of each kind, closed and open shells, a solvent, and fitted integrals."""


def entries() -> Iterator[Entry]:
    """Return the entries of this kind: of each molecule the band that absorbs most."""
    for name, atoms, level in CASES:
        found = functools.cache(functools.partial(by_differences, atoms, level))

        def ours(at: At, quantity: str, atoms: ConceptualAtoms = atoms) -> float:
            result = at.vibrations(atoms)
            assert result.infrared is not None
            return float(getattr(result, quantity)[int(result.infrared.argmax())])

        def theirs(place: int, found: Callable[[], tuple[Floats, Floats]] = found) -> float:
            bands = found()
            return float(bands[place][int(bands[1].argmax())])

        for place, (quantity, words, unit, allowed) in enumerate(
            (
                ("wavenumbers", "wavenumber", "cm⁻¹", 3.0),
                ("infrared", "infrared intensity", "km/mol", 1.0),
            )
        ):
            yield Entry(
                KIND,
                name,
                f"strongest band, {words}",
                unit,
                level,
                functools.partial(ours, quantity=quantity),
                functools.partial(theirs, place),
                allowed,
                WHY,
                SOURCE,
            )

    yield from _stretches()


STRETCHES: tuple[tuple[str, ConceptualAtoms, Level, str], ...] = (
    ("CO2", s.read("C 0 0 0\nO 0 0 1.1692\nO 0 0 -1.1692"), Level("B3LYP", "6-31G*"), "b3lyp"),
    ("CO", s.pair("C", "O", 1.13), Level("PBE", "6-31G*"), "pbe"),
)
"""Molecules along z in which one coordinate of the first atom alone makes a mode that absorbs."""


def _stretches() -> Iterator[Entry]:
    why = GRID + ", and differences of 0.01 bohr"
    for name, atoms, level, method in STRETCHES:
        job = Job(atoms, method, level.basis, ("pushed",))
        for place, (words, unit, allowed) in enumerate(
            (("wavenumber", "cm⁻¹", 2.0), ("infrared intensity", "km/mol", 1.0))
        ):

            def ours(at: At, place: int = place, atoms: ConceptualAtoms = atoms) -> float:
                found = at.vibrations(atoms)
                assert found.infrared is not None
                return float((found.wavenumbers, found.infrared)[place].max())

            def theirs(job: Job = job, place: int = place) -> float:
                return stretch(job.atoms, job.run()["pushed"])[place]

            yield Entry(
                KIND, name, f"stretch, {words}", unit, level, ours, theirs, allowed, why, SECOND
            )


def stretch(atoms: ConceptualAtoms, pushed: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return wavenumber and intensity of the mode in which an atom moves against all others.

    With the force constant f of the first atom, 4π²c²ν² = f (1/m + 1/M), where M is the mass of the
    others; the dipole changes by d √(1/m + 1/M) for a unit of the normal coordinate.

    Args:
        atoms: along z, the others alike by symmetry.
        pushed: see `psi4.MORE`.
    """
    (slope, dipole), (slope_back, dipole_back) = pushed
    force, change = (slope - slope_back) / 0.02, (dipole - dipole_back) / 0.02 / DEBYE
    first, *others = mean_masses(atoms)
    inverse = 1 / first + 1 / sum(others)  # 1/Da
    electrons = (
        physical_constants["atomic mass constant"][0] / physical_constants["electron mass"][0]
    )
    wavenumber = (force * inverse / electrons) ** 0.5 * HARTREE["cm⁻¹"]
    move = np.zeros((1, 1, 3))
    move[0, 0, 2] = inverse**0.5
    slopes = np.diag([0.0, 0.0, change])[None]
    return float(wavenumber), float(intensities(move, slopes)[0])


def by_differences(atoms: ConceptualAtoms, named: Level) -> tuple[Floats, Floats]:
    """Return wavenumbers in cm⁻¹ and intensities in km/mol without any response."""
    options: dict[str, Any] = dict(named.options)
    reference = "restricted" if atoms.multiplicity == 1 else "unrestricted"
    level = resolve_level(named.method, named.basis, options.pop("reference", reference), **options)
    return bands(atoms, level.level, differences(atoms, level.level))


def differences(atoms: ConceptualAtoms, level: LevelOfTheory) -> Derivatives:
    """Return the derivatives at a geometry by differences."""
    mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
    return numerical(mf, atoms, level, None, "")


def bands(
    atoms: ConceptualAtoms, level: LevelOfTheory, found: Derivatives
) -> tuple[Floats, Floats]:
    """Return the wavenumbers in cm⁻¹ and intensities in km/mol that derivatives come to."""
    from pyscf.hessian import thermo

    modes = thermo.harmonic_analysis(molecule(atoms, level), found.hessian, imaginary_freq=False)
    moves = np.asarray(modes["norm_mode"], float).reshape(-1, len(atoms.numbers), 3)
    return np.asarray(modes["freq_wavenumber"], float), intensities(moves, found.dipoles)
