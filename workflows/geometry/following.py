"""Following the intrinsic reaction coordinate from a saddle point down to one side."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import os
import tempfile
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.transition import PathBranch
from ontologies.units import Floats
from ontologies.vibrations import VibrationalAnalysis
from triplestore.errors import GraficoError, NotConvergedError, RecipeError
from workflows.engine import context
from workflows.engine.execution.array_cache import load, save
from workflows.engine.execution.events import STRUCTURE
from workflows.text.words import count

from .harmonic import mean_masses
from .optimiser import LOG, Surface, looked_at

SYSTEMS = ("tric", "cart")
"""Coordinate systems in the order in which they are tried; geomeTRIC takes delocalised ones in
place of the first where all atoms hang together."""

STEP = 0.1
"""Å. How long a step is at most."""

SAME_PLACE = 1e-7
"""Å. A geometry that is asked for again by a follower that was cut off."""


@dataclass(frozen=True)
class Followed:
    """One side of a path, from the saddle point on.

    Attributes:
        geometries: in Å, shape (frames, atoms, 3).
        energies: in Eh, shape (frames,).
        lengths: way from the saddle point in bohr·Da^½, shape (frames,).
        gradient: its largest component at the end, in Eh/bohr.
        computed: gradients that it took.
    """

    geometries: Floats
    energies: Floats
    lengths: Floats
    gradient: float
    computed: int


@dataclass
class PathFollower:
    """A path as it is followed.

    What was computed is kept; one that was cut off asks for the same geometries again, and is told.

    Attributes:
        atoms: the saddle point.
        surface: what it goes down on.
        positions: of every geometry, in Å.
        energies: of each, in Eh.
        gradients: of each, in Eh/bohr.
        asked: how many it has asked for since it began.
    """

    atoms: ConceptualAtoms
    surface: Surface
    positions: list[Floats] = field(default_factory=list[Floats])
    energies: list[float] = field(default_factory=list[float])
    gradients: list[Floats] = field(default_factory=list[Floats])
    asked: int = 0

    @classmethod
    def of(cls, atoms: ConceptualAtoms, surface: Surface) -> PathFollower:
        """Return one at its start, or what an earlier attempt at the same has computed."""
        path = context().checkpoint
        before = load(path) if path is not None else None
        if before is None or before.get("places", np.zeros(0)).shape[1:] != atoms.positions.shape:
            return cls(atoms, surface)
        surface.take_up(before)
        return cls(
            atoms,
            surface,
            list(before["places"]),
            [float(one) for one in before["energies"]],
            list(before["gradients"]),
        )

    def run(self, hessian: Floats, forward: bool, max_steps: int) -> Followed:
        """Go down along the imaginary mode, or against it, until the path ends.

        Args:
            hessian: second derivatives at the saddle point, in Eh/bohr².
            forward: along the mode, as geomeTRIC directs it.
            max_steps: where to give up.

        Raises:
            GraficoError: what the surface ended with.
            NotConvergedError: the path has no end within so many steps.
            RecipeError: it could not be followed in any kind of coordinates.
        """
        failure: Exception | None = None
        for system in SYSTEMS:
            try:
                return self._followed(hessian, forward, max_steps, system)
            except GraficoError:
                raise
            except Exception as error:  # geomeTRIC's coordinates broke down
                context().report("path", coordinates=system, why=str(error))
                failure = error
        raise RecipeError(
            f"the reaction path of {self.atoms.formula} was to be followed",
            f"it cannot be in any kind of coordinates: {type(failure).__name__}: {failure}",
            "start from a saddle point of finer convergence",
        ) from failure

    def _followed(self, hessian: Floats, forward: bool, max_steps: int, system: str) -> Followed:
        from geometric.errors import GeomOptNotConvergedError
        from geometric.optimize import run_optimizer

        size = 3 * len(self.atoms.numbers)
        self.asked = 0
        engine, failures = engine_of(self)
        scratch = tempfile.TemporaryDirectory(dir=context().scratch)
        with scratch as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            curvature = Path(folder, "hessian.txt")
            np.savetxt(curvature, hessian.transpose(0, 2, 1, 3).reshape(size, size))
            log = Path(folder, "log.ini")
            log.write_text(LOG)
            try:
                progress: Any = run_optimizer(
                    customengine=engine,
                    input=os.path.join(folder, "run"),
                    maxiter=max_steps,
                    logIni=str(log),
                    coordsys=system,
                    hessian=f"file:{curvature}",
                    irc=True,
                    irc_direction="forward" if forward else "backward",
                    trust=STEP,
                )
            except GeomOptNotConvergedError:
                raise NotConvergedError(
                    f"the reaction path of {self.atoms.formula} was to be followed",
                    f"it has no end within {count(max_steps, 'step')}; the energy was "
                    f"{self.energies[-1]:.6f} Eh",
                    "allow more steps (`path_steps`): it goes on from where it is",
                ) from None
            except Exception:
                if failures:
                    raise failures[0] from None
                raise
        frames: Floats = np.array(progress.xyzs)
        last = self.gradients[self._known(frames[-1])]
        return Followed(
            frames,
            np.array(progress.qm_energies, float),
            way(self.atoms, frames),
            float(np.abs(last).max()),
            len(self.energies),
        )

    def compute(self, positions: Floats) -> tuple[float, Floats]:
        """Compute a geometry (Å), or remember it; take note of it."""
        self.asked += 1
        place = self._known(positions)
        if place < 0:
            energy, gradient = self.surface.at(positions)
            self.positions.append(positions)
            self.energies.append(energy)
            self.gradients.append(gradient)
            place = len(self.energies) - 1
            self._keep()
        energy, gradient = self.energies[place], self.gradients[place]
        largest = float(np.abs(gradient).max())
        context().report(
            "path",
            step=self.asked,
            energy=energy,
            max_gradient=largest,
            **{STRUCTURE: looked_at(self.atoms, positions)},
        )
        return energy, gradient

    def _known(self, positions: Floats) -> int:
        """Return the place of a geometry among those computed; −1 for none."""
        for place in range(len(self.positions) - 1, -1, -1):
            if np.abs(self.positions[place] - positions).max() < SAME_PLACE:
                return place
        return -1

    def _keep(self) -> None:
        if (path := context().checkpoint) is not None:
            with suppress(OSError):  # a full disk: it only could not go on from here
                save(
                    path,
                    {
                        "places": np.array(self.positions),
                        "energies": np.array(self.energies),
                        "gradients": np.array(self.gradients),
                        **self.surface.kept(),
                    },
                )


def way(atoms: ConceptualAtoms, frames: Floats) -> Floats:
    """Return how far each geometry is along the path, in bohr·Da^½, shape (frames,)."""
    from pyscf.lib import param

    weights = np.sqrt(mean_masses(atoms))[:, None] / param.BOHR
    steps = np.linalg.norm(np.diff(frames, axis=0) * weights, axis=(1, 2))
    return np.concatenate([[0.0], np.cumsum(steps)])


def follow(
    frequencies: VibrationalAnalysis, surface: Surface, forward: bool, max_steps: int
) -> Followed:
    """Follow the path from a saddle point of which the second derivatives are known.

    Args:
        frequencies: its vibrations.
        surface: what to go down on.
        forward: along the imaginary mode.
        max_steps: where to give up.

    Raises:
        GraficoError: see `PathFollower.run`.
    """
    follower = PathFollower.of(frequencies.atoms, surface)
    return follower.run(frequencies.hessian, forward, max_steps)


def branch_of(
    frequencies: VibrationalAnalysis, surface: Surface, forward: bool, max_steps: int
) -> PathBranch:
    """Return one side of a path as it is stored; see `follow`."""
    found = follow(frequencies, surface, forward, max_steps)
    return PathBranch(
        atoms=frequencies.atoms.moved_to(found.geometries[-1]),
        level=frequencies.level,
        energy=float(found.energies[-1]),
        saddle=Link[VibrationalAnalysis](frequencies.iri),
        forward=forward,
        geometries=found.geometries,
        energies=found.energies,
        path_lengths=found.lengths,
        max_gradient=found.gradient,
    )


def engine_of(follower: PathFollower) -> tuple[Any, list[Exception]]:
    """Return an engine for geomeTRIC at the saddle point, and where it leaves its failures."""
    from geometric import nifty
    from geometric.engine import Engine
    from geometric.molecule import Molecule

    failures: list[Exception] = []

    class Computed(Engine):
        def calc_new(self, coords: Floats, dirname: str) -> dict[str, Any]:
            try:
                energy, gradient = follower.compute(coords.reshape(-1, 3) * nifty.bohr2ang)
            except Exception as error:
                failures.append(error)
                raise
            return {"energy": energy, "gradient": gradient.ravel()}

    molecule = Molecule()
    molecule.elem = follower.atoms.symbols
    molecule.xyzs = [follower.atoms.positions]
    molecule.build_topology()  # a path asks for its fragments before anything else makes them
    return Computed(molecule), failures
