"""The numeric score: objects that an agent left, beside what another program found.

Nothing is read from what the agent wrote. The tolerances are those of the article (0.01 Eh for
energies, 0.15 Å for structures, 0.1 Eh for gaps, the point group, no imaginary mode); a strict set
beside them tells a right calculation from a near one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import ExcitedStates
from ontologies.level import Level, LevelOfTheory
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.vibrations import Thermochemistry, VibrationalAnalysis
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
        solvated: energies in a continuum, in Eh: the surfaces of two programs differ.
        heat: enthalpies and Gibbs energies, in Eh.
        excitation: in eV; the article names none, nor for oscillator strengths.
        strength: of an oscillator.
        change: of a reaction, in Eh; the article names none.
        pKa: the article takes 19 to 25 for 22.05.
    """

    energy: float
    distance: float
    dipole: float
    gap: float
    solvated: float
    heat: float
    excitation: float
    strength: float
    change: float
    pKa: float


PUBLISHED = Tolerances(0.01, 0.15, 0.1, 0.1, 0.01, 0.01, 0.1, 0.01, 2e-3, 3.0)
STRICT = Tolerances(1e-5, 0.02, 0.01, 1e-4, 5e-4, 5e-5, 2e-3, 1e-3, 1e-4, 0.2)


@dataclass(frozen=True)
class Aspect:
    """One thing that is right of one molecule, or is not.

    Attributes:
        molecule: its name, or that of a reaction.
        name: what was looked at.
        wrong: what is wrong with it; empty for nothing.
    """

    molecule: str
    name: str
    wrong: str = ""


ASPECTS = ("level", "state", "converged", "energy", "structure", "dipole", "gap", "point group")
"""Of each molecule that is analysed, all of the same weight; see `asked_of` for others."""


def asked_of(wanted: Reference, verified: bool = False) -> tuple[str, ...]:
    """Return the aspects of a molecule: those of which its reference has a value."""
    if not wanted.source:
        return (
            UNKNOWN
            if verified or (wanted.lowest is not None and wanted.gap is None)
            else UNKNOWN[:3]
        )
    names = ASPECTS if wanted.gap is not None else ASPECTS[:5]
    if verified or (wanted.lowest is not None and wanted.gap is None):
        names = (*names, "no imaginary mode")
    if wanted.singlet is not None:
        return (*names, "S1", "T1", "oscillator strength")
    return (*names, "enthalpy", "Gibbs energy") if wanted.gibbs is not None else names


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
        verified: whether vibrations were asked for where the reference does not say so.
    """
    return [one for each in wanted for one in _molecule(objects, each, tolerances, verified)]


def analysis_of(
    objects: Sequence[GraphModel], molecule: ConceptualAtoms
) -> WavefunctionAnalysis | None:
    """Return the last analysis of a molecule: what an agent did before, it has mended."""
    return _last(objects, molecule, WavefunctionAnalysis)


def _last(
    objects: Sequence[GraphModel], molecule: ConceptualAtoms, kind: type[ResultT]
) -> ResultT | None:
    for one in reversed(objects):
        if isinstance(one, kind) and distance(one.atoms, molecule) is not None:
            return one
    return None


def _main(objects: Sequence[GraphModel], wanted: Reference) -> EnergyResult | None:
    """Return the last result that has what the reference of its molecule has."""
    if wanted.singlet is not None:
        states = [one for one in objects if not _is_triplet(one)]
        return _last(states, wanted.atoms, ExcitedStates)
    if wanted.gap is not None:
        return analysis_of(objects, wanted.atoms)
    kind = EnergyResult if wanted.gibbs is None else VibrationalAnalysis
    return _last(objects, wanted.atoms, kind)


def _is_triplet(one: GraphModel) -> bool:
    return isinstance(one, ExcitedStates) and one.manifold == "triplet"


def _molecule(
    objects: Sequence[GraphModel], wanted: Reference, tolerances: Tolerances, verified: bool
) -> Iterator[Aspect]:
    names, minimum = asked_of(wanted, verified), wanted.atoms
    found: Any = _main(objects, wanted)
    if found is None:
        for name in names:
            yield Aspect(wanted.molecule, name, "no such result of this molecule is there")
        return
    near = tolerances.solvated if wanted.solvent else tolerances.energy
    warm = max(near, tolerances.heat)
    heats = [one for one in objects if isinstance(one, Thermochemistry)]
    heat = next((one for one in reversed(heats) if one.frequencies == found), None)
    other = [one for one in _beside(objects, found, ExcitedStates) if _is_triplet(one)]
    wrong: dict[str, Callable[[], str]] = {
        "level": lambda: _level(found.level, wanted),
        "state": lambda: _state(found.atoms, minimum),
        "converged": lambda: _converged(objects, found, wanted.relaxed),
        "energy": lambda: _off(found.energy, wanted.energy, near, "Eh"),
        "structure": lambda: _off(distance(found.atoms, minimum), 0.0, tolerances.distance, "Å"),
        "dipole": lambda: (
            ""
            if wanted.charge
            else _off(float(np.linalg.norm(found.dipole)), wanted.dipole, tolerances.dipole, "D")
        ),
        "gap": lambda: _off(found.gap, wanted.gap, tolerances.gap, "Eh"),
        "point group": lambda: (
            ""
            if found.point_group == wanted.point_group
            else f"{found.point_group} for {wanted.point_group}"
        ),
        "no imaginary mode": lambda: _vibrations(objects, found),
        "enthalpy": lambda: _off(heat and heat.enthalpy, wanted.enthalpy, warm, "Eh"),
        "Gibbs energy": lambda: _off(heat and heat.gibbs_energy, wanted.gibbs, warm, "Eh"),
        "S1": lambda: _off(found.lowest_excitation, wanted.singlet, tolerances.excitation, "eV"),
        "T1": lambda: _off(
            other[-1].lowest_excitation if other else None,
            wanted.triplet,
            tolerances.excitation,
            "eV",
        ),
        "oscillator strength": lambda: _off(
            float(found.oscillator_strengths[0]), wanted.strength, tolerances.strength, ""
        ),
    }
    for name in names:
        yield Aspect(wanted.molecule, name, wrong[name]())


UNKNOWN = ("level", "state", "converged", "no imaginary mode")
"""Aspects of a molecule of which no other program has found anything yet."""


def _off(found: float | None, wanted: float | None, within: float, unit: str) -> str:
    if found is None:
        return "not there"
    assert wanted is not None  # what a reference does not have is not asked for
    close = abs(found - wanted) <= within  # NaN is not
    return "" if close else f"{found:.8g} {unit} for {wanted:.8g} {unit}"


def _level(level: Level, wanted: Reference) -> str:
    """Tell what another level it is than method, basis and surroundings."""
    label = f"{wanted.method}/{wanted.basis}{' in C-PCM water' if wanted.solvent else ''}"
    if not isinstance(level, LevelOfTheory):
        return level.label
    around = level.solvation and (level.solvation.model, level.solvation.solvent)
    right = (
        level.method.upper() == wanted.method.upper()
        and level.basis.lower() == wanted.basis.lower()
        and level.dispersion is None
        and around == (("C-PCM", wanted.solvent) if wanted.solvent else None)
        and level.own_basis is None
        and level.spherical
    )
    return "" if right else f"{level.label} for {label}"


def _state(atoms: ConceptualAtoms, wanted: ConceptualAtoms) -> str:
    found, right = ((one.charge, one.multiplicity) for one in (atoms, wanted))
    if found == right:
        return ""
    return "charge {:+d}, multiplicity {} for {:+d}, {}".format(*found, *right)


def _converged(objects: Sequence[GraphModel], found: EnergyResult, relaxed: bool) -> str:
    """Tell why the structure is no end of an optimisation at its level, or has no SCF."""
    if not getattr(found, "converged", True):
        return "the SCF did not converge"
    if not relaxed or found.atoms.numbers.size == 1:
        return ""
    own = isinstance(found, VibrationalAnalysis)  # it has the gradient where it was taken
    kind = EnergyResult if own else RelaxedGeometry
    ends = [getattr(one, "max_gradient", None) for one in _beside(objects, found, kind)]
    known = [one for one in ends if one is not None]
    if not known:
        return "no optimisation at this level ends in this structure"
    return "" if min(known) <= STATIONARY else "it is not stationary"


def _vibrations(objects: Sequence[GraphModel], found: EnergyResult) -> str:
    modes = _beside(objects, found, VibrationalAnalysis)
    if not modes:
        return "no vibrations were computed"
    lowest = min((float(one.wavenumbers.min()) for one in modes if one.wavenumbers.size), default=0)
    return "" if lowest > -FIRST_MODE else f"{lowest:.0f} cm⁻¹"


def _beside(
    objects: Sequence[GraphModel], found: EnergyResult, kind: type[ResultT]
) -> list[ResultT]:
    """Return results of a kind of the same structure at the same level."""
    return [
        one
        for one in objects
        if isinstance(one, kind) and one.level == found.level and one.atoms == found.atoms
    ]
