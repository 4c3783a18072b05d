"""Relaxing a geometry to a stationary point."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import Convergence, GeometryConstraints, Optimisation
from ontologies.units import Floats
from triplestore.errors import NotConvergedError
from workflows.engine import calculation
from workflows.geometry.relaxing import ATOM, CONVERGENCE, check_wish, outcome, relax

from ..level.fitting import revision
from ..level.resolving import PYSCF
from ..scf.meanfield import mean_field, molecule
from ..scf.scf import adopt, converge, electronic, solve, watch
from .derivatives import second_derivatives

SAME_PLACE = 1e-12
"""Bohr. What a geometry is moved by when its coordinates are converted there and back."""

SAME_STATE = 1e-5
"""Eh. SCFs at one geometry that differ by more have ended in different states."""


@calculation(
    "dft.optimise",
    version="1",
    backend=PYSCF,
    limits=("max_steps",),
    finer={"convergence": tuple(CONVERGENCE)},
    revision=revision,
    title="optimisation",
)
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
    held = check_wish(atoms, max_steps, convergence, constraints)
    if len(atoms.numbers) == 1:
        mf = converge(mean_field(molecule(atoms, level), level), atoms, level)
        return Optimisation(
            initial=atoms,
            atoms=atoms,
            level=level,
            steps=0,
            max_gradient=0.0,
            energies=np.array([mf.e_tot]),
            criteria=ATOM,
            constraints=constraints,
            **electronic(mf),
        )
    surface = MeanFieldSurface(atoms, level)
    descent = relax(atoms, surface, max_steps, convergence, constraints, held)
    said = outcome(descent, convergence)
    other = tuple(other_state(surface, descent.energies[-1], said["atoms"]))
    properties = electronic(surface.mf)
    properties["remarks"] += (*said.pop("remarks"), *other)
    return Optimisation(level=level, constraints=constraints, **said, **properties)


class MeanFieldSurface:
    """The surface of a mean field; each SCF starts from the orbitals of the geometry before.

    Attributes:
        mf: the mean field at the last geometry.
    """

    def __init__(self, atoms: ConceptualAtoms, level: LevelOfTheory) -> None:
        self.atoms, self.level = atoms, level
        self.mf = mean_field(molecule(atoms, level), level)

    def at(self, positions: Floats) -> tuple[float, Floats]:
        mf, mol = self.mf, self.mf.mol.copy()
        mol.set_geom_(positions, unit="Angstrom")
        if np.abs(mol.atom_coords() - mf.mol.atom_coords()).max() > SAME_PLACE:
            mf.reset(mol)
        solve(mf, self.atoms, self.level)
        gradient: Floats = np.asarray(mf.nuc_grad_method().kernel(), float)
        return float(mf.e_tot), gradient

    def curvature(self) -> Floats:
        here = self.atoms.moved_to(self.mf.mol.atom_coords(unit="ANG"))
        return second_derivatives(self.mf, here, self.level).hessian

    def kept(self) -> Mapping[str, Any]:
        return {"mo_coeff": self.mf.mo_coeff, "mo_occ": self.mf.mo_occ}

    def take_up(self, kept: Mapping[str, Any]) -> None:
        self.mf.mo_coeff, self.mf.mo_occ = kept["mo_coeff"], kept["mo_occ"]


def other_state(
    surface: MeanFieldSurface, energy: float, relaxed: ConceptualAtoms
) -> Iterator[str]:
    """Say if an SCF from the usual guess ends in another state at the final geometry.

    What was seen of the stability of that one holds for the surface's if they are the same.
    """
    level = surface.level
    try:
        fresh = converge(mean_field(molecule(relaxed, level), level), relaxed, level)
    except NotConvergedError:
        yield "from the usual guess, the SCF does not converge at the final geometry"
        watch(surface.mf, level)
        return
    apart = float(fresh.e_tot) - energy
    if abs(apart) <= SAME_STATE:
        adopt(surface.mf, fresh)
    else:
        watch(surface.mf, level)
        yield (
            f"from the usual guess, the SCF at the final geometry ends in another state, "
            f"{abs(apart):.6f} Eh {'lower' if apart < 0 else 'higher'}; results computed at this "
            "geometry are for that one"
        )
