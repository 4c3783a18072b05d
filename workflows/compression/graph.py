"""The graph that computes a crystal at several volumes and fits its equation of state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.compression import EquationOfState, VolumePoint
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from triplestore.errors import GraficoError, RecipeError
from workflows.crystal.surface import cell_of
from workflows.engine import Answer, Call, Done, Executor, Findings, StepGraph, step
from workflows.engine.graph.fan import fan_out
from workflows.registry.levels import offered

from .fit import FEWEST, fit
from .symmetry import Symmetry

BESIDE = 2
"""Points that are wanted on either side of the lowest."""


@dataclass(frozen=True)
class CompressionState(Findings):
    """Where a run stands.

    Attributes:
        atoms: the crystal as given.
        level: the level of theory.
        symmetry: of the crystal.
        ratios: of volumes to that of the crystal as given, ascending and evenly spaced.
        relaxed: whether positions are relaxed at each volume.
        energies: what came of each ratio.
        errors: why others have none, by their names.
    """

    atoms: ConceptualAtoms
    level: Level
    symmetry: Symmetry
    ratios: tuple[float, ...]
    relaxed: bool
    energies: Mapping[float, Answer[EnergyResult]] = field(
        default_factory=dict[float, Answer[EnergyResult]]
    )
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])

    def at(self, ratio: float) -> Call[EnergyResult]:
        """Return the calculation at a volume."""
        program, scaled = offered(self.level), scaled_to(self.atoms, ratio)
        if self.relaxed:
            return program.relax_crystal(scaled, self.level)
        return program.cell_energy(scaled, self.level)


def scaled_to(atoms: ConceptualAtoms, ratio: float) -> ConceptualAtoms:
    """Return a crystal at a multiple of its volume, all lengths scaled alike."""
    if ratio == 1.0:
        return atoms
    by = ratio ** (1 / 3)
    return atoms.model_copy(update={"positions": atoms.positions * by, "cell": cell_of(atoms) * by})


def said(ratio: float) -> str:
    """Return a volume as a part of a run is called."""
    return f"{ratio * 100:g} % of the volume"


@step("volumes", cost=20.0)
async def compute_volumes(state: CompressionState, executor: Executor) -> Done[CompressionState]:
    """Compute the crystal at each volume, and at more of them where its minimum lies outside."""
    energies: dict[float, Answer[EnergyResult]] = {}
    errors: dict[str, GraficoError] = {}
    wanted, apart = state.ratios, state.ratios[1] - state.ratios[0]

    async def one(ratio: float) -> Answer[EnergyResult]:
        return await executor.run(state.at(ratio))

    asked = list(wanted)
    while wanted:
        parts = await fan_out(executor, {said(ratio): ratio for ratio in wanted}, one)
        energies |= {r: parts.results[said(r)] for r in wanted if said(r) in parts.results}
        errors |= parts.errors
        wanted = _further(sorted(energies), energies, apart)
        if errors or len(asked) + len(wanted) > 2 * len(state.ratios):
            break
        asked += wanted
    if len(energies) < FEWEST:
        key, error = next(iter(errors.items()))
        raise RecipeError(
            f"the equation of state of {state.atoms.formula} at {state.level.label} was asked for",
            f"{len(energies)} of {len(asked)} volumes came to an energy; at {key}: {error}",
            "mend what is wrong with the others, or choose a narrower width",
        )
    known = dict(sorted(energies.items()))
    return Done(state.after(*known.values(), energies=known, errors=errors))


def _further(
    there: Sequence[float], energies: Mapping[float, Answer[EnergyResult]], apart: float
) -> tuple[float, ...]:
    """Return the volume that is wanted next, where the lowest is too near the end."""
    if not there:
        return ()
    lowest = min(range(len(there)), key=lambda n: energies[there[n]].result.energy)
    if lowest < BESIDE:
        below = round(there[0] - apart, 6)
        return (below,) if below > apart else ()
    if lowest >= len(there) - BESIDE:
        return (round(there[-1] + apart, 6),)
    return ()


@step("equation", needs="volumes", done="is recorded")
async def fit_equation(state: CompressionState, executor: Executor) -> CompressionState:
    """Fit the equation of state to the points about the lowest, and record it."""
    found = equation_of(state)
    executor.record(found)
    return replace(state, found=(found,))


EQUATION = StepGraph("equation-of-state", compute_volumes, fit_equation)


def equation_of(state: CompressionState) -> EquationOfState:
    """Return the equation of state of energies that were computed."""
    atoms, symmetry = state.atoms, state.symmetry
    given = abs(float(np.linalg.det(cell_of(atoms))))
    answers = state.energies
    lowest = min(answers, key=lambda one: answers[one].result.energy)
    near = set(sorted(answers, key=lambda one: abs(one - lowest))[: len(state.ratios)])
    points = tuple(
        VolumePoint(
            cell_volume=given * ratio,
            energy=answer.result.energy,
            fitted=ratio in near,
            atoms=Link[ConceptualAtoms](answer.result.atoms.iri),
            result=Link[EnergyResult](answer.recorded),
        )
        for ratio, answer in answers.items()
    )
    used = [point for point in points if point.fitted]
    fitted = fit(
        np.array([point.cell_volume for point in used]), np.array([point.energy for point in used])
    )
    common: dict[str, Any] = {
        "atoms": atoms,
        "level": state.level,
        "points": points,
        "relaxed": state.relaxed,
        "space_group": symmetry.name,
        "residual": fitted.residual or None,
        "failures": tuple(f"{key}: {error}" for key, error in state.errors.items()),
        "remarks": tuple(_remarks(state)),
    }
    if fitted.problem:
        return EquationOfState(**common, problem=f"{fitted.problem}; {ADVICE}")
    volume, error = fitted.volume
    nearest = min(answers, key=lambda one: abs(one * given - volume))
    by = (volume / given) ** (1 / 3)
    return EquationOfState(
        **common,
        equilibrium_volume=volume,
        equilibrium_volume_error=error,
        equilibrium_energy=fitted.energy,
        lattice_lengths=symmetry.lengths * by,
        lattice_error=float(symmetry.lengths[0]) * by * error / volume / 3,
        bulk_modulus=fitted.modulus[0],
        bulk_modulus_error=fitted.modulus[1],
        pressure_derivative=fitted.derivative[0],
        pressure_derivative_error=fitted.derivative[1],
        equilibrium=scaled_to(answers[nearest].result.atoms, volume / (nearest * given)),
    )


ADVICE = (
    "start from a cell that is relaxed (run --task optimise --relax-cell), take a wider range or "
    "more points, or a better converged level (k-points, cut-off, images apart)"
)


def _remarks(state: CompressionState) -> list[str]:
    """Say what is to be known of the numbers."""
    told: list[str] = []
    if state.symmetry.free_shape:
        told.append(
            "the cell keeps its shape at each volume, which its symmetry would let change: the "
            "bulk modulus is an upper bound"
        )
    if state.symmetry.free_positions and not state.relaxed:
        told.append(
            "positions scale with the cell, though symmetry leaves them free: the bulk modulus is "
            "an upper bound"
        )
    stopped = [
        said(ratio)
        for ratio, answer in state.energies.items()
        if getattr(answer.result, "converged", True) is False
    ]
    if stopped:
        told.append(f"positions are not relaxed at {', '.join(stopped)}: stopped at the limit")
    return [*told, *offered(state.level).remarks(state.atoms, state.level)]
