"""The numeric score: objects that an agent left, beside what another program found.

Nothing is read from what the agent wrote. The tolerances are those of the article (0.01 Eh for
energies, 0.15 Å for structures, 0.1 Eh for gaps, the point group, no imaginary mode); a strict set
beside them tells a right calculation from a near one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level, LevelOfTheory
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.vibrations import VibrationalAnalysis
from ontologies.wavefunction import WavefunctionAnalysis

from ._molecules import distance
from ._references import Reference

ResultT = TypeVar("ResultT", bound=EnergyResult)

STATIONARY = 1e-3
"""The largest gradient at a minimum that was called one, in Eh/bohr."""

FIRST_MODE = 1.0
"""By how much a mode may be imaginary from rounding, in cm⁻¹."""


@dataclass(frozen=True)
class Tolerances:
    """How far a value may be off.

    Attributes:
        energy: in Eh.
        distance: root mean square of atoms, in Å.
        dipole: in D; the article names none.
        gap: in Eh.
    """

    energy: float
    distance: float
    dipole: float
    gap: float


PUBLISHED = Tolerances(energy=0.01, distance=0.15, dipole=0.1, gap=0.1)
STRICT = Tolerances(energy=1e-5, distance=0.02, dipole=0.01, gap=1e-4)


@dataclass(frozen=True)
class Aspect:
    """One thing that is right of one molecule, or is not.

    Attributes:
        molecule: its name.
        name: what was looked at.
        wrong: what is wrong with it; empty for nothing.
    """

    molecule: str
    name: str
    wrong: str = ""


ASPECTS = ("level", "state", "converged", "energy", "structure", "dipole", "gap", "point group")
"""Of each molecule, all of the same weight; `no imaginary mode` beside them where it was asked."""


def score(aspects: Sequence[Aspect]) -> float:
    """Return the share of aspects that are right; 0 of nothing."""
    return sum(not one.wrong for one in aspects) / len(aspects) if aspects else 0.0


def judged(
    objects: Sequence[GraphModel],
    wanted: Sequence[Reference],
    tolerances: Tolerances,
    *,
    verified: bool = False,
) -> list[Aspect]:
    """Return each aspect of each molecule.

    Args:
        objects: what came of the calls of a conversation, the last one last.
        wanted: the molecules that were asked for.
        tolerances: how far off is right.
        verified: whether vibrations were asked for.
    """
    return [one for each in wanted for one in _molecule(objects, each, tolerances, verified)]


def analysis_of(
    objects: Sequence[GraphModel], molecule: ConceptualAtoms
) -> WavefunctionAnalysis | None:
    """Return the last analysis of a molecule: what an agent did before, it has mended."""
    for one in reversed(objects):
        if isinstance(one, WavefunctionAnalysis) and distance(one.atoms, molecule) is not None:
            return one
    return None


def _molecule(
    objects: Sequence[GraphModel], wanted: Reference, tolerances: Tolerances, verified: bool
) -> Iterator[Aspect]:
    names = (*ASPECTS, *(["no imaginary mode"] if verified else ()))
    minimum = wanted.atoms
    found = analysis_of(objects, minimum)
    if found is None:
        for name in names:
            yield Aspect(wanted.molecule, name, "no analysis of this molecule is there")
        return
    wrong: Mapping[str, str] = {
        "level": _level(found.level, wanted),
        "state": _state(found.atoms, minimum),
        "converged": _converged(objects, found),
        "energy": _off(found.energy, wanted.energy, tolerances.energy, "Eh"),
        "structure": _off(distance(found.atoms, minimum), 0.0, tolerances.distance, "Å"),
        "dipole": ""
        if wanted.charge
        else _off(float(np.linalg.norm(found.dipole)), wanted.dipole, tolerances.dipole, "D"),
        "gap": _off(found.gap, wanted.gap, tolerances.gap, "Eh"),
        "point group": ""
        if found.point_group == wanted.point_group
        else f"{found.point_group} for {wanted.point_group}",
        "no imaginary mode": _vibrations(objects, found),
    }
    for name in names:
        yield Aspect(wanted.molecule, name, wrong[name])


def _off(found: float | None, wanted: float, within: float, unit: str) -> str:
    if found is None:
        return "not there"
    close = abs(found - wanted) <= within  # NaN is not
    return "" if close else f"{found:.6g} {unit} for {wanted:.6g} {unit}"


def _level(level: Level, wanted: Reference) -> str:
    """Tell what another level it is than method and basis in the gas phase."""
    if not isinstance(level, LevelOfTheory):
        return level.label
    right = (
        level.method.upper() == wanted.method.upper()
        and level.basis.lower() == wanted.basis.lower()
        and level.dispersion is None
        and level.solvation is None
        and level.own_basis is None
        and level.spherical
    )
    return "" if right else f"{level.label} for {wanted.method}/{wanted.basis}"


def _state(atoms: ConceptualAtoms, wanted: ConceptualAtoms) -> str:
    found, right = ((one.charge, one.multiplicity) for one in (atoms, wanted))
    if found == right:
        return ""
    return "charge {:+d}, multiplicity {} for {:+d}, {}".format(*found, *right)


def _converged(objects: Sequence[GraphModel], found: WavefunctionAnalysis) -> str:
    """Tell why the structure that was analysed is no end of an optimisation at its level."""
    if not found.converged:
        return "the SCF did not converge"
    ends = _beside(objects, found, RelaxedGeometry)
    if not ends:
        return "no optimisation at this level ends in this structure"
    return "" if min(one.max_gradient for one in ends) <= STATIONARY else "it is not stationary"


def _vibrations(objects: Sequence[GraphModel], found: WavefunctionAnalysis) -> str:
    modes = _beside(objects, found, VibrationalAnalysis)
    if not modes:
        return "no vibrations were computed"
    lowest = min(float(one.wavenumbers.min()) for one in modes)
    return "" if lowest > -FIRST_MODE else f"{lowest:.0f} cm⁻¹"


def _beside(
    objects: Sequence[GraphModel], found: WavefunctionAnalysis, kind: type[ResultT]
) -> list[ResultT]:
    """Return results of a kind of the same structure at the same level."""
    return [
        one
        for one in objects
        if isinstance(one, kind) and one.level == found.level and one.atoms == found.atoms
    ]
