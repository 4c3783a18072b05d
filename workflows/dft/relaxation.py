"""Relaxing a geometry to a stationary point."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import Bond, Changes, changes, connectivity
from ontologies.level import LevelOfTheory
from ontologies.quantum import GeometryConstraints, Optimisation
from ontologies.units import Integers
from triplestore.errors import InputError, NotConvergedError
from workflows.engine import calculation
from workflows.words import count

from .constraints import check_held, constraint_file
from .descent import Descent
from .fitting import revision
from .levels import PYSCF
from .meanfield import mean_field, molecule
from .reach import check_reach
from .scf import adopt, converge, electronic, watch

Convergence: TypeAlias = Literal["loose", "normal", "tight", "very tight"]

THRESHOLDS = ("energy", "grms", "gmax", "drms", "dmax")

CONVERGENCE: Mapping[str, tuple[float, ...]] = {
    "loose": (1e-6, 1.7e-3, 2.5e-3, 6.7e-3, 1e-2),
    "normal": (1e-6, 3e-4, 4.5e-4, 1.2e-3, 1.8e-3),
    "tight": (1e-6, 1e-5, 1.5e-5, 4e-5, 6e-5),
    "very tight": (1e-6, 1e-6, 2e-6, 4e-6, 6e-6),
}
"""Thresholds in Eh, Eh/bohr and Å: geomeTRIC's sets GAU_LOOSE, GAU (its default), GAU_TIGHT and
GAU_VERYTIGHT, which are Gaussian's."""

SAME_STATE = 1e-5
"""Eh. SCFs at one geometry that differ by more have ended in different states."""

APART = 5.0
"""Å. Fragments whose nearest atoms are this far from each other do not hold together."""


@calculation(
    "dft.optimise", version="1", backend=PYSCF, limits=("max_steps",),
    finer={"convergence": tuple(CONVERGENCE)}, revision=revision,
)  # fmt: skip
def optimise(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    max_steps: int = 100,
    *,
    convergence: Convergence = "normal",
    constraints: GeometryConstraints | None = None,
) -> Optimisation:
    """Relax a geometry to the nearest stationary point with geomeTRIC.

    It goes down in internal coordinates. Where these break down, or after 100 steps, it goes on
    with exact second derivatives, and after 50 more, or another breakdown, in Cartesian coordinates
    (with constraints: HDLC); `path` says what was needed.

    One that was cut off, or ended at `max_steps` and is asked for again with more, goes on from its
    last geometry and density; its steps and energies include what was done before, its optimiser
    begins to learn the curvature anew.

    Each SCF starts from the density of the step before. At the end one starts from the usual guess,
    as that of any later calculation does, and `remarks` say if it ends in another state. They also
    say which bonds were broken and formed, and whether the molecule fell apart.

    Args:
        atoms: where to start.
        level: the level of theory; its instabilities are followed at each step.
        max_steps: where to give up, steps of earlier attempts included.
        convergence: which thresholds are to be met.
        constraints: what is held, for atoms counted as in `atoms`. Where they act, the result is
            no stationary point: `max_gradient` is that of the energy without them.

    Raises:
        InputError: the basis set lacks an element, or the constraints do not fit the atoms.
        NotConvergedError: the SCF or the geometry did not converge.
        RecipeError: the optimiser failed in every kind of coordinates.

    Source: L.-P. Wang, C. Song, J. Chem. Phys. 144, 214108 (2016).
    """
    if convergence not in CONVERGENCE:
        raise InputError(
            f"an optimisation with convergence {convergence!r} was asked for",
            "there are no such thresholds", f"choose one of {', '.join(CONVERGENCE)}",
        )  # fmt: skip
    if max_steps < 1:
        raise InputError(
            f"an optimisation of {max_steps} steps was asked for",
            "there must be one at least",
            "allow more",
        )
    held = ""
    if constraints is not None:
        held = constraint_file(constraints, atoms)
        check_reach(constraints, atoms)
    if len(atoms.numbers) == 1:
        mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
        return Optimisation(
            initial=atoms, atoms=atoms, level=level, steps=0, max_gradient=0.0,
            energies=np.array([mf.e_tot]), criteria="a single atom", constraints=constraints,
            **electronic(mf),
        )  # fmt: skip
    criteria = dict(zip(THRESHOLDS, CONVERGENCE[convergence], strict=True))
    descent = Descent.of(atoms, level)
    named = {f"convergence_{name}": value for name, value in criteria.items()}
    if not descent.run(max_steps, named, held):
        made = f"{count(descent.steps, 'step')} {'was' if descent.steps == 1 else 'were'} made"
        raise NotConvergedError(
            f"the geometry of {atoms.formula} did not converge",
            f"{made} and not all criteria were met; the energy was {descent.energies[-1]:.6f} Eh, "
            f"the largest gradient component {descent.gradient:.1e} Eh/bohr",
            "allow more steps (max-steps): it goes on from its last geometry; or start from a "
            "better geometry",
        )
    if constraints is not None:
        check_held(constraints, atoms, descent.positions)
    relaxed = atoms.moved_to(descent.positions)
    changed = changes(atoms, relaxed)
    other = tuple(_other_state(descent, relaxed))
    said = electronic(descent.mf)
    said["remarks"] += (*_chemistry(atoms, relaxed, changed), *other)
    return Optimisation(
        initial=atoms, atoms=relaxed, level=level, steps=len(descent.energies),
        max_gradient=descent.gradient, energies=np.array(descent.energies),
        criteria=", ".join(f"{name} {value:g}" for name, value in criteria.items()),
        constraints=constraints, path=tuple(descent.path),
        bonds_broken=_pairs(changed.broken), bonds_formed=_pairs(changed.formed),
        **said,
    )  # fmt: skip


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


def _other_state(descent: Descent, relaxed: ConceptualAtoms) -> Iterator[str]:
    """Say if an SCF from the usual guess ends in another state at the final geometry.

    What was seen of the stability of that one holds for the descent's if they are the same.
    """
    level = descent.level
    try:
        fresh = converge(mean_field(molecule(relaxed, level), level), relaxed, level)
    except NotConvergedError:
        yield "from the usual guess, the SCF does not converge at the final geometry"
        watch(descent.mf, level)
        return
    apart = float(fresh.e_tot) - descent.energies[-1]
    if abs(apart) <= SAME_STATE:
        adopt(descent.mf, fresh)
    else:
        watch(descent.mf, level)
        yield (
            f"from the usual guess, the SCF at the final geometry ends in another state, "
            f"{abs(apart):.6f} Eh {'lower' if apart < 0 else 'higher'}; results computed at this "
            "geometry are for that one"
        )
