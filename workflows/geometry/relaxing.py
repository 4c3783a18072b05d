"""Relaxing a geometry on an energy surface: what is asked of it, and what became of it."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import Bond, Changes, changes, connectivity
from ontologies.quantum import Convergence, GeometryConstraints
from ontologies.units import Integers
from triplestore.errors import InputError, NotConvergedError
from workflows.text.words import count

from .constraints import check_met, constraint_file
from .feasibility import check_reach
from .optimiser import BOUND, FREE, TRIES, UPHILL, GeometryOptimiser, Surface

THRESHOLDS = ("energy", "grms", "gmax", "drms", "dmax")

CONVERGENCE: Mapping[str, tuple[float, ...]] = {
    "loose": (1e-6, 1.7e-3, 2.5e-3, 6.7e-3, 1e-2),
    "normal": (1e-6, 3e-4, 4.5e-4, 1.2e-3, 1.8e-3),
    "tight": (1e-6, 1e-5, 1.5e-5, 4e-5, 6e-5),
    "very tight": (1e-6, 1e-6, 2e-6, 4e-6, 6e-6),
}
"""Thresholds in Eh, Eh/bohr and Å: geomeTRIC's sets GAU_LOOSE, GAU (its default), GAU_TIGHT and
GAU_VERYTIGHT, which are Gaussian's."""

ATOM = "a single atom"
"""What stands in the place of thresholds where there is nothing to relax."""

APART = 5.0
"""Å. Fragments whose nearest atoms are this far from each other do not hold together."""


def check_wish(
    atoms: ConceptualAtoms,
    max_steps: int,
    convergence: Convergence,
    constraints: GeometryConstraints | None,
) -> str:
    """Check what is asked of an optimisation; return the text of geomeTRIC's constraints file.

    Raises:
        InputError: there are no such thresholds, no steps, or the constraints do not fit.
    """
    if convergence not in CONVERGENCE:
        raise InputError(
            f"an optimisation with convergence {convergence!r} was asked for",
            "there are no such thresholds",
            f"choose one of {', '.join(CONVERGENCE)}",
        )
    if max_steps < 1:
        raise InputError(
            f"an optimisation of {max_steps} steps was asked for",
            "there must be one at least",
            "allow more",
        )
    if constraints is None:
        return ""
    held = constraint_file(constraints, atoms)
    check_reach(constraints, atoms)
    return held


def criteria_of(convergence: Convergence) -> str:
    """Return what results of optimisations call their criteria."""
    values = CONVERGENCE[convergence]
    return ", ".join(f"{name} {value:g}" for name, value in zip(THRESHOLDS, values, strict=True))


def relax(
    atoms: ConceptualAtoms,
    surface: Surface,
    max_steps: int,
    convergence: Convergence,
    constraints: GeometryConstraints | None,
    held: str,
    *,
    uphill: bool = False,
) -> GeometryOptimiser:
    """Relax a geometry of several atoms; return how it came to where it ended.

    Args:
        atoms: where to start.
        surface: what to go down on.
        max_steps: where to give up, steps of earlier attempts included.
        convergence: which thresholds are to be met.
        constraints: what is held.
        held: what `check_wish` said of these.
        uphill: whether a saddle point is looked for.

    Raises:
        GraficoError: what the surface ended with.
        InputError: the constraints contradict each other.
        NotConvergedError: the geometry did not converge.
        RecipeError: the optimiser failed in every kind of coordinates.
    """
    tries = UPHILL if uphill else (*TRIES, BOUND if constraints else FREE)
    descent = GeometryOptimiser.of(atoms, surface, tries)
    values = zip(THRESHOLDS, CONVERGENCE[convergence], strict=True)
    if not descent.run(max_steps, {f"convergence_{name}": value for name, value in values}, held):
        made = f"{count(descent.steps, 'step')} {'was' if descent.steps == 1 else 'were'} made"
        raise NotConvergedError(
            f"the geometry of {atoms.formula} did not converge",
            f"{made} and not all criteria were met; the energy was {descent.energies[-1]:.6f} Eh, "
            f"the largest gradient component {descent.gradient:.1e} Eh/bohr",
            "allow more steps (`max_steps`): it goes on from its last geometry; or start from a "
            "better geometry",
        )
    if constraints is not None:
        check_met(constraints, atoms, descent.positions)
    return descent


def unmoved(atoms: ConceptualAtoms, energy: float) -> dict[str, Any]:
    """Return what `outcome` says of a single atom, which has nothing to relax."""
    return {
        "initial": atoms,
        "atoms": atoms,
        "steps": 0,
        "max_gradient": 0.0,
        "energies": np.array([energy]),
        "criteria": ATOM,
        "remarks": (),
    }


def outcome(descent: GeometryOptimiser, convergence: Convergence) -> dict[str, Any]:
    """Return what an optimisation says of its way: fields of its result, remarks among them."""
    before, after = descent.atoms, descent.atoms.moved_to(descent.positions)
    changed = changes(before, after)
    return {
        "initial": before,
        "atoms": after,
        "steps": len(descent.energies),
        "max_gradient": descent.gradient,
        "energies": np.array(descent.energies),
        "criteria": criteria_of(convergence),
        "path": tuple(descent.path),
        "bonds_broken": _pairs(changed.broken),
        "bonds_formed": _pairs(changed.formed),
        "remarks": tuple(_chemistry(before, after, changed)),
    }


def _pairs(bonds: Sequence[Bond]) -> Integers | None:
    return np.array([(bond.first, bond.second) for bond in bonds]) if bonds else None


def _chemistry(before: ConceptualAtoms, after: ConceptualAtoms, changed: Changes) -> Iterator[str]:
    """Say what became of bonds and fragments."""
    if changed:
        broken, formed = len(changed.broken), len(changed.formed)
        yield f"bonds changed on the way: {broken} broken, {formed} formed"
    first, last = connectivity(before).molecules, connectivity(after).molecules
    if len(last) > len(first):
        yield f"it fell apart: {count(len(first), 'fragment')} became {len(last)}"
    elif len(last) == len(first) > 1:
        near, far = (_gap(atoms, first) for atoms in (before, after))
        if far > APART and far > near + 1.0:
            yield f"its fragments drifted apart: {near:.1f} Å between the nearest became {far:.1f}"


def _gap(atoms: ConceptualAtoms, fragments: tuple[tuple[int, ...], ...]) -> float:
    """Return how far that fragment is from the others which is farthest, in Å."""
    from scipy.spatial import KDTree

    gaps: list[float] = []
    for members in fragments:
        others = np.setdiff1d(np.arange(len(atoms.numbers)), members)
        near: Any = KDTree(atoms.positions[others]).query(atoms.positions[list(members)])
        gaps.append(float(near[0].min()))
    return max(gaps)
