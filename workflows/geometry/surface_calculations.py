"""What follows from the energy surface of a level: one set of calculations for every program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, TypeVar, Unpack

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import Convergence, EnergyResult, GeometryConstraints, RelaxedGeometry
from ontologies.transition import ElasticBand, PathBranch, SaddleSearch
from ontologies.vibrations import VibrationalAnalysis
from workflows.engine import Backend, Calculation, calculation, context
from workflows.engine.execution.calculation import Revision

from .band import band_between
from .following import branch_of
from .harmonic import Derivatives, vibrations
from .relaxing import CONVERGENCE, check_wish, outcome, relax, unmoved
from .surface import LevelSurface

ResultT = TypeVar("ResultT", bound=GraphModel)
EnergyT = TypeVar("EnergyT", bound=EnergyResult)
RelaxedT = TypeVar("RelaxedT", bound=RelaxedGeometry)
VibrationsT = TypeVar("VibrationsT", bound=VibrationalAnalysis)


class Own(TypedDict, total=False):
    """What one of the calculations has of its own, see `calculation`; the version is 1 if none."""

    version: str
    title: str
    revision: Revision


@dataclass(frozen=True)
class SurfaceCalculations:
    """Makes the calculations of a program from the surface of its levels.

    A module at whose top level they stand, under the names of the methods that make them, is where
    the processes that compute import them from::

        _ON_SURFACE = SurfaceCalculations(__name__, "springs", BACKEND, SpringSurface)
        optimise = _ON_SURFACE.optimise(RelaxedGeometry)
        saddle_point = _ON_SURFACE.saddle_point()

    A class of results that has fields of its own takes their values from the `findings` of the
    surface.

    Attributes:
        module: where they stand.
        name: what their names begin with.
        backend: what computes.
        surface: a molecule at a level.
        gpu: see `calculation`.
        revision: likewise, of an energy for atoms and level.
    """

    module: str
    name: str
    backend: Backend
    surface: type[LevelSurface[Any]]
    gpu: bool = True
    revision: Revision | None = None

    def single_point(self, result: type[EnergyT], **own: Unpack[Own]) -> Calculation[..., EnergyT]:
        """Return the calculation of the energy, and of what else `result` says, at a geometry."""

        def single_point(atoms: ConceptualAtoms, level: Level) -> EnergyT:
            """Compute energy and properties at a fixed geometry."""
            with self.surface.opened(atoms, level) as surface:
                energy, _ = surface.start()
                context().report("energy", energy=energy)
                return result(atoms=atoms, level=level, **surface.findings)

        return self._declared(single_point, result, own)

    def optimise(self, result: type[RelaxedT], **own: Unpack[Own]) -> Calculation[..., RelaxedT]:
        """Return the calculation that relaxes a geometry."""

        def optimise(
            atoms: ConceptualAtoms,
            level: Level,
            max_steps: int = 100,
            *,
            convergence: Convergence = "normal",
            constraints: GeometryConstraints | None = None,
        ) -> RelaxedT:
            """Relax a geometry to the nearest stationary point with geomeTRIC.

            It goes down in internal coordinates. Where these break down, or after 100 steps, it
            goes on with second derivatives, and after 50 more, or another breakdown, in Cartesian
            coordinates (with constraints: HDLC); `path` says what was needed.

            One that was cut off, or ended at `max_steps` and is asked for again with more, goes on
            from its last geometry and what the surface kept; its steps and energies include what
            was done before, its optimiser begins to learn the curvature anew.

            Each solution starts from that of the step before; `remarks` say if one from the usual
            guess is another state at the end, and what became of bonds and fragments.

            Args:
                atoms: where to start.
                level: the level of theory.
                max_steps: where to give up, steps of earlier attempts included.
                convergence: which thresholds are to be met.
                constraints: what is held, for atoms counted as in `atoms`. Where they act, the
                    result is no stationary point: `max_gradient` is that of the energy without
                    them.

            Raises:
                InputError: the level does not suit the atoms, or the constraints do not fit them.
                NotConvergedError: the energy or the geometry did not converge.
                RecipeError: the optimiser failed in every kind of coordinates.

            Source: L.-P. Wang, C. Song, J. Chem. Phys. 144, 214108 (2016).
            """
            held = check_wish(atoms, max_steps, convergence, constraints)
            with self.surface.opened(atoms, level) as surface:
                if len(atoms.numbers) == 1:
                    said = unmoved(atoms, surface.start()[0])
                else:
                    descent = relax(atoms, surface, max_steps, convergence, constraints, held)
                    said = outcome(descent, convergence)
                    said["remarks"] += surface.other_state(said["atoms"])
                said |= surface.said(said["remarks"])
            return result(level=level, constraints=constraints, **said)

        return self._declared(optimise, result, own, limited=True, finer=True)

    def frequencies(
        self, result: type[VibrationsT], **own: Unpack[Own]
    ) -> Calculation[..., VibrationsT]:
        """Return the calculation of vibrations."""

        def frequencies(atoms: ConceptualAtoms, level: Level) -> VibrationsT:
            """Compute harmonic vibrations, and infrared intensities where the dipole is known.

            Second derivatives are the program's own, or central differences of gradients, 6 for
            each atom, and `remarks` say so; one that was cut off goes on from the last gradient.
            Masses are means over the natural isotopes. Intensities in a solvent are those of the
            solute's own dipole.

            Args:
                atoms: a stationary geometry; the result says if it is none.
                level: the level of theory.

            Raises:
                InputError: the level does not suit the atoms.
                NotConvergedError: the energy or the response of the electrons did not converge.
                RecipeError: the solution beside the geometry ended in another state.
            """
            with self.surface.opened(atoms, level) as surface:
                energy, slope = surface.start()
                dipoles = np.zeros((1, 3, 3)) if surface.has_dipole else None
                gradient, found = 0.0, Derivatives(np.zeros((1, 1, 3, 3)), dipoles)
                if len(atoms.numbers) > 1:
                    gradient = float(np.abs(slope).max())
                    context().report("hessian", energy=energy, max_gradient=gradient)
                    found = surface.derivatives(context().checkpoint)
                said = vibrations(atoms, found, gradient) | surface.said(found.remarks)
            return result(atoms=atoms, level=level, **said)

        return self._declared(frequencies, result, own)

    def saddle_point(self, **own: Unpack[Own]) -> Calculation[..., SaddleSearch]:
        """Return the calculation that leads a geometry to a saddle point."""

        def saddle_point(
            atoms: ConceptualAtoms,
            level: Level,
            max_steps: int = 100,
            *,
            convergence: Convergence = "normal",
        ) -> SaddleSearch:
            """Lead a geometry of two atoms or more to a saddle point with geomeTRIC.

            It starts with second derivatives, goes up along the lowest mode and down along all
            others, and computes them again every 50 steps. One that was cut off goes on from its
            last geometry, and from what the surface kept.

            Args:
                atoms: where to start: near the saddle point.
                level: the level of theory.
                max_steps: where to give up, steps of earlier attempts included.
                convergence: which thresholds are to be met.

            Raises:
                InputError: the level does not suit the atoms.
                NotConvergedError: the energy or the geometry did not converge.
                RecipeError: the optimiser failed in every kind of coordinates.

            Source: restricted-step partitioned rational function optimisation, A. Banerjee,
            N. Adams, J. Simons, R. Shepard, J. Phys. Chem. 89, 52 (1985), as implemented in
            geomeTRIC.
            """
            held = check_wish(atoms, max_steps, convergence, None)
            with self.surface.opened(atoms, level) as surface:
                descent = relax(atoms, surface, max_steps, convergence, None, held, uphill=True)
                said = outcome(descent, convergence)
                said["remarks"] += surface.other_state(said["atoms"])
            return SaddleSearch(level=level, energy=descent.energies[-1], **said)

        own = {"title": "search for a saddle point", **own}
        return self._declared(saddle_point, SaddleSearch, own, limited=True, finer=True)

    def reaction_path(self, **own: Unpack[Own]) -> Calculation[..., PathBranch]:
        """Return the calculation of one side of a saddle point's reaction path."""

        def reaction_path(
            frequencies: VibrationalAnalysis, forward: bool, max_steps: int = 200
        ) -> PathBranch:
            """Follow the intrinsic reaction coordinate from a saddle point down to one side.

            It goes in mass-weighted coordinates from the second derivatives of the saddle point, in
            steps of 0.1 Å at most, until gradient and energy stand still. One that was cut off goes
            on from its last geometry.

            Args:
                frequencies: the vibrations of the saddle point, at a level of this program.
                forward: along the imaginary mode, or against it.
                max_steps: where to give up.

            Raises:
                NotConvergedError: the energy did not converge, or the path has no end.
                RecipeError: it could not be followed in any kind of coordinates.

            Source: C. Gonzalez, H. B. Schlegel, J. Phys. Chem. 94, 5523 (1990), as implemented in
            geomeTRIC.
            """
            with self.surface.opened(frequencies.atoms, frequencies.level) as surface:
                return branch_of(frequencies, surface, forward, max_steps)

        own = {"title": "reaction path", **own}
        if self.revision is not None:
            own = {"revision": _of_vibrations(self.revision), **own}
        return self._declared(reaction_path, PathBranch, own, limited=True)

    def elastic_band(self, **own: Unpack[Own]) -> Calculation[..., ElasticBand]:
        """Return the calculation of an elastic band between two minima."""

        def elastic_band(
            initial: ConceptualAtoms,
            final: ConceptualAtoms,
            level: Level,
            images: int = 9,
            cycles: int = 25,
        ) -> ElasticBand:
            """Span a nudged elastic band between two minima; its highest image is near a saddle.

            It begins with geometries whose distances change evenly (image dependent pair
            potential). One that was cut off takes up what it has computed.

            Args:
                initial: one minimum.
                final: the other, its atoms numbered alike.
                level: the level of theory.
                images: geometries, the ends included.
                cycles: where it is left: the highest image is but a guess.

            Raises:
                NotConvergedError: the energy did not converge.
                RecipeError: geomeTRIC could not span it.

            Source: G. Henkelman, H. Jónsson, J. Chem. Phys. 113, 9978 (2000), as implemented in
            geomeTRIC.
            """
            with self.surface.opened(initial, level) as surface:
                return band_between(initial, final, level, surface, images, cycles)

        return self._declared(elastic_band, ElasticBand, own)

    def _declared(
        self,
        function: Callable[..., ResultT],
        result: type[ResultT],
        own: Own,
        *,
        limited: bool = False,
        finer: bool = False,
    ) -> Calculation[..., ResultT]:
        """Return a function as a calculation that stands at the top level of the module."""
        short = function.__name__
        function.__module__, function.__qualname__ = self.module, short
        function.__annotations__["return"] = result
        declare = calculation(
            f"{self.name}.{short}",
            version=own.get("version", "1"),
            backend=self.backend,
            limits=("max_steps",) if limited else (),
            gpu=self.gpu,
            finer={"convergence": tuple(CONVERGENCE)} if finer else None,
            revision=own.get("revision", self.revision),
            title=own.get("title", ""),
        )
        return declare(function)


def _of_vibrations(revision: Revision) -> Revision:
    """Return what names the revision of energies at the geometry and level of vibrations."""

    def named(inputs: Sequence[GraphModel]) -> str:
        seen = next(one for one in inputs if isinstance(one, VibrationalAnalysis))
        return revision([seen.atoms, seen.level])

    return named
