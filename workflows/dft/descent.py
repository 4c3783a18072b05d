"""One optimisation of a geometry: its tries, its steps, and where it can go on."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import context
from workflows.engine.memo import load, save

from .derivatives import second_derivatives
from .meanfield import mean_field, molecule
from .scf import solve


@dataclass(frozen=True)
class Try:
    """One way to optimise.

    Attributes:
        name: as it stands in the path.
        coordinates: geomeTRIC's name of the coordinate system.
        hessian: whether it starts with exact second derivatives instead of a guess.
        steps: after how many steps the next one takes over; None for all that are left.
    """

    name: str
    coordinates: str
    hessian: bool = False
    steps: int | None = None


TRIES = (Try("TRIC", "tric", steps=100), Try("TRIC with Hessian", "tric", True, 50))
FREE, BOUND = Try("Cartesian", "cart"), Try("HDLC", "hdlc")
"""The last try, without and with constraints, which geomeTRIC cannot hold in Cartesian ones."""


@dataclass
class Descent:
    """An optimisation as it goes.

    Attributes:
        atoms: where it started.
        mf: the mean field at the present geometry.
        level: its level of theory.
        positions: the present geometry in Å.
        energies: of every geometry, in Eh; the last is the present one's.
        gradient: its largest component there, in Eh/bohr.
        path: the tries so far, the present one included.
        used: steps made in the present try.
    """

    atoms: ConceptualAtoms
    mf: Any
    level: LevelOfTheory
    positions: Floats
    energies: list[float] = field(default_factory=list[float])
    gradient: float = np.nan
    path: list[str] = field(default_factory=lambda: [TRIES[0].name])
    used: int = 0

    @classmethod
    def of(cls, atoms: ConceptualAtoms, level: LevelOfTheory) -> Descent:
        """Return one at its start, or where an earlier attempt at the same was cut off or ended."""
        path = context().checkpoint
        before = load(path) if path is not None else None
        if before is None or before["positions"].shape != atoms.positions.shape:
            return cls(atoms, mean_field(molecule(atoms, level), level), level, atoms.positions)
        here = atoms.moved_to(before["positions"])
        mf = mean_field(molecule(here, level), level)
        mf.mo_coeff, mf.mo_occ = before["mo_coeff"], before["mo_occ"]
        energies = [float(energy) for energy in before["energies"]]
        tries = [str(name) for name in before.get("path", [TRIES[0].name])]
        used = int(before["used"]) if "used" in before else len(energies) - 1
        return cls(
            atoms, mf, level, here.positions, energies, float(before.get("gradient", np.nan)),
            tries, used,
        )  # fmt: skip

    @property
    def steps(self) -> int:
        """Steps made in all."""
        return max(0, len(self.energies) - 1)

    def run(self, max_steps: int, criteria: Mapping[str, float], constraints: str) -> bool:
        """Go down until the criteria are met; return whether they are within so many steps.

        Args:
            max_steps: in all, those of earlier attempts included.
            criteria: geomeTRIC's thresholds by its names.
            constraints: the text of its constraints file; empty for none.

        Raises:
            GraficoError: what an SCF ended with.
            RecipeError: the optimiser failed in every kind of coordinates.
        """
        tries: Sequence[Try] = (*TRIES, BOUND if constraints else FREE)
        index = next((i for i, one in enumerate(tries) if one.name == self.path[-1]), 0)
        while self.steps < max_steps:
            one, failure = tries[index], None
            left = max_steps - self.steps
            left = left if one.steps is None else min(left, one.steps - self.used)
            if left > 0:
                converged, failure = self._attempt(one, left, criteria, constraints)
                if converged:
                    return True
            if index == len(tries) - 1:
                if failure is None:
                    return False
                raise RecipeError(
                    f"the geometry of {self.atoms.formula} was to be optimised",
                    f"the optimiser failed in every kind of coordinates: "
                    f"{type(failure).__name__}: {failure}",
                    "start from another geometry, or hold other coordinates",
                ) from failure
            if self.steps < max_steps or failure is not None:
                index += 1
                self.path.append(tries[index].name)
                self.used = 0
                context().report("optimiser", next=self.path[-1], why=str(failure or "no end"))
        return False

    def _attempt(
        self, one: Try, steps: int, criteria: Mapping[str, float], constraints: str
    ) -> tuple[bool, Exception | None]:
        """Optimise from the present geometry: whether it converged, and why it broke off."""
        from geometric.errors import GeomOptNotConvergedError
        from geometric.optimize import run_optimizer
        from pyscf.geomopt import geometric_solver

        surface = _Surface(self)
        engine = geometric_solver.PySCFEngine(surface)
        self.energies = self.energies[:-1]  # the present geometry is computed again
        self.used -= 1
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            # geomeTRIC leaves it to the garbage collector to close it
            warnings.filterwarnings("ignore", ".*constraints.txt", ResourceWarning)
            options: dict[str, Any] = {"coordsys": one.coordinates, **criteria}
            if one.hessian:
                hessian = Path(folder, "hessian.txt")
                size = 3 * len(self.positions)
                surface(engine.mol)
                self.energies.pop()
                self.used -= 1
                here = self.atoms.moved_to(self.positions)
                found = second_derivatives(self.mf, here, self.level).hessian
                np.savetxt(hessian, found.transpose(0, 2, 1, 3).reshape(size, size))
                options.update(hessian=f"file:{hessian}", frequency=False)
            if constraints:
                held = Path(folder, "constraints.txt")
                held.write_text(constraints)
                options.update(constraints=str(held), enforce=ENFORCED, convergence_cmax=HELD)
            log = Path(geometric_solver.__file__).with_name("log.ini")
            try:
                run_optimizer(
                    customengine=engine, input=os.path.join(folder, "run"), maxiter=steps,
                    logIni=str(log), **options,
                )  # fmt: skip
            except GeomOptNotConvergedError:
                return False, None
            except GraficoError:
                raise
            except Exception as error:
                if surface.failure is not None:
                    raise
                return False, error
        return True, None

    def arrived(self, positions: Floats, energy: float, gradient: float) -> None:
        """Take note of a geometry that has been computed, and of where to go on."""
        self.positions, self.gradient = positions, gradient
        self.energies.append(energy)
        self.used += 1
        number = len(self.energies)
        context().report("optimise", step=number, energy=energy, max_gradient=gradient)
        if (path := context().checkpoint) is None:
            return
        with suppress(OSError):  # a full disk: it only could not go on from here
            save(
                path,
                {
                    "positions": positions, "energies": self.energies, "gradient": gradient,
                    "path": np.array(self.path), "used": self.used,
                    "mo_coeff": self.mf.mo_coeff, "mo_occ": self.mf.mo_occ,
                },
            )  # fmt: skip


ENFORCED = 0.1
"""Bohr or radians. Nearer than this to its values, geomeTRIC holds constraints exactly."""

HELD = 1e-4
"""Å or radians. How far a constraint may be off at the end."""


class _Surface:
    """Energy and gradient at a geometry, as PySCF's engine for geomeTRIC asks for them."""

    def __init__(self, descent: Descent) -> None:
        self.descent = descent
        self.mol, self.base = descent.mf.mol.copy(), descent.mf
        self.verbose, self.stdout = self.mol.verbose, self.mol.stdout
        self.converged = True
        self.failure: Exception | None = None

    def __call__(self, mol: Any) -> tuple[float, Floats]:
        descent, mf = self.descent, self.base
        try:
            if np.abs(mol.atom_coords() - mf.mol.atom_coords()).max() > 0:
                mf.reset(mol.copy())
            solve(mf, descent.atoms, descent.level)
            gradients: Floats = np.asarray(mf.nuc_grad_method().kernel(), float)
        except Exception as error:
            self.failure = error
            raise
        energy = float(mf.e_tot)
        descent.arrived(
            np.array(mol.atom_coords(unit="ANG")), energy, float(np.abs(gradients).max())
        )
        return energy, gradients
