"""Optimising one geometry: coordinate systems tried in turn, steps, resuming."""

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
from typing import Any, Protocol

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import context
from workflows.engine.execution.array_cache import load, save
from workflows.engine.execution.events import STRUCTURE


class Surface(Protocol):
    """A potential energy surface, by whatever program it is computed."""

    def at(self, positions: Floats) -> tuple[float, Floats]:
        """Return energy (Eh) and gradient (Eh/bohr, shape (atoms, 3)) at positions in Å.

        Raises:
            GraficoError: it could not be computed.
        """
        ...

    def curvature(self) -> Floats:
        """Return second derivatives where it was asked last, Eh/bohr², (atoms, atoms, 3, 3)."""
        ...

    def kept(self) -> Mapping[str, Any]:
        """Return arrays from which it would start again, such as orbitals; empty for nothing."""
        ...

    def take_up(self, kept: Mapping[str, Any]) -> None:
        """Start from what was kept; more may stand there than it has kept itself."""
        ...


@dataclass(frozen=True)
class Try:
    """One way to optimise.

    Attributes:
        name: as it stands in the path.
        coordinates: geomeTRIC's name of the coordinate system.
        hessian: whether it starts with exact second derivatives instead of a guess.
        steps: after how many steps the next one takes over; None for all that are left.
        uphill: whether it goes up along one direction, to a saddle point.
    """

    name: str
    coordinates: str
    hessian: bool = False
    steps: int | None = None
    uphill: bool = False


TRIES = (Try("TRIC", "tric", steps=100), Try("TRIC with Hessian", "tric", True, 50))
FREE, BOUND = Try("Cartesian", "cart"), Try("HDLC", "hdlc")
"""The last try, without and with constraints, which geomeTRIC cannot hold in Cartesian ones."""

UPHILL = (
    Try("TRIC with Hessian, uphill", "tric", True, 50, uphill=True),
    Try("TRIC with new Hessian, uphill", "tric", True, 50, uphill=True),
    Try("Cartesian with Hessian, uphill", "cart", True, uphill=True),
)
"""To a saddle point: far from it, second derivatives soon are those of another place."""

LOG = """[loggers]
keys=root
[handlers]
keys=stream
[formatters]
keys=plain
[logger_root]
level=INFO
handlers=stream
[handler_stream]
class=geometric.nifty.RawStreamHandler
level=INFO
formatter=plain
args=(sys.stderr,)
[formatter_plain]
format=%(message)s
"""
"""Where geomeTRIC's words go: to the task's log, and into no file of its own."""


@dataclass
class GeometryOptimiser:
    """An optimisation as it goes.

    Attributes:
        atoms: where it started.
        surface: what it goes down on.
        positions: the present geometry in Å.
        energies: of every geometry, in Eh; the last is the present one's.
        gradient: its largest component there, in Eh/bohr.
        path: the tries so far, the present one included.
        used: steps made in the present try.
        tries: all that there are, in their order.
    """

    atoms: ConceptualAtoms
    surface: Surface
    positions: Floats
    energies: list[float] = field(default_factory=list[float])
    gradient: float = np.nan
    path: list[str] = field(default_factory=list[str])
    used: int = 0
    tries: Sequence[Try] = TRIES

    def __post_init__(self) -> None:
        self.path = self.path or [self.tries[0].name]

    @classmethod
    def of(
        cls, atoms: ConceptualAtoms, surface: Surface, tries: Sequence[Try] = TRIES
    ) -> GeometryOptimiser:
        """Return one at its start, or where an earlier attempt at the same was cut off or ended."""
        path = context().checkpoint
        before = load(path) if path is not None else None
        if before is None or before["positions"].shape != atoms.positions.shape:
            return cls(atoms, surface, atoms.positions, tries=tries)
        surface.take_up(before)
        energies = [float(energy) for energy in before["energies"]]
        names = [str(name) for name in before.get("path", ())]
        used = int(before["used"]) if "used" in before else len(energies) - 1
        return cls(
            atoms,
            surface,
            before["positions"],
            energies,
            float(before.get("gradient", np.nan)),
            names,
            used,
            tries,
        )

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
            GraficoError: what the surface ended with.
            RecipeError: the optimiser failed in every kind of coordinates.
        """
        tries = self.tries
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
                    f"cannot optimise the geometry of {self.atoms.formula}",
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

        self.energies = self.energies[:-1]  # the present geometry is computed again
        self.used -= 1
        engine, failures = _engine(self)
        scratch = tempfile.TemporaryDirectory(dir=context().scratch)
        with scratch as folder, warnings.catch_warnings():
            # geomeTRIC leaves it to the garbage collector to close it
            warnings.filterwarnings("ignore", ".*constraints.txt", ResourceWarning)
            options: dict[str, Any] = {"coordsys": one.coordinates, **criteria}
            if one.hessian:
                hessian = Path(folder, "hessian.txt")
                size = 3 * len(self.positions)
                self.compute(self.positions)
                self.energies.pop()
                self.used -= 1
                curvature = self.surface.curvature()
                np.savetxt(hessian, curvature.transpose(0, 2, 1, 3).reshape(size, size))
                options.update(hessian=f"file:{hessian}", frequency=False)
            if one.uphill:
                options.update(transition=True)
            if constraints:
                held = Path(folder, "constraints.txt")
                held.write_text(constraints)
                options.update(constraints=str(held), enforce=ENFORCED, convergence_cmax=HELD)
            log = Path(folder, "log.ini")
            log.write_text(LOG)
            try:
                run_optimizer(
                    customengine=engine,
                    input=os.path.join(folder, "run"),
                    maxiter=steps,
                    logIni=str(log),
                    **options,
                )
            except GeomOptNotConvergedError:
                return False, None
            except GraficoError:
                raise
            except Exception as error:
                if failures:
                    raise
                return False, error
        return True, None

    def compute(self, positions: Floats) -> tuple[float, Floats]:
        """Compute a geometry (Å); take note of it, and of where to go on."""
        energy, gradient = self.surface.at(positions)
        self.positions, self.gradient = positions, float(np.abs(gradient).max())
        self.energies.append(energy)
        self.used += 1
        number = len(self.energies)
        context().report(
            "optimise",
            step=number,
            energy=energy,
            max_gradient=self.gradient,
            **{STRUCTURE: looked_at(self.atoms, positions)},
        )
        if (path := context().checkpoint) is not None:
            with suppress(OSError):  # a full disk: it only could not go on from here
                save(
                    path,
                    {
                        "positions": positions,
                        "energies": self.energies,
                        "gradient": self.gradient,
                        "path": np.array(self.path),
                        "used": self.used,
                        **self.surface.kept(),
                    },
                )
        return energy, gradient


def looked_at(atoms: ConceptualAtoms, positions: Floats) -> dict[str, Any] | None:
    """Return what people see of a geometry (Å) on the way; nothing of very large ones."""
    if len(atoms.symbols) > MOST_SEEN:
        return None
    return {"symbols": list(atoms.symbols), "positions": np.round(positions, 4).tolist()}


MOST_SEEN = 5000
"""Atoms of a geometry that can be looked at while it is optimised."""

ENFORCED = 0.1
"""Bohr or radians. Nearer than this to its values, geomeTRIC holds constraints exactly."""

HELD = 1e-4
"""Å or radians. How far a constraint may be off at the end."""


def _engine(descent: GeometryOptimiser) -> tuple[Any, list[Exception]]:
    """Return an engine for geomeTRIC at the present geometry, and where it leaves its failures.

    A failure of the surface ends the optimisation; one of geomeTRIC's is tried to be mended.
    """
    from geometric import nifty
    from geometric.engine import Engine
    from geometric.molecule import Molecule

    failures: list[Exception] = []

    class Computed(Engine):
        def calc_new(self, coords: Floats, dirname: str) -> dict[str, Any]:
            try:
                energy, gradient = descent.compute(coords.reshape(-1, 3) * nifty.bohr2ang)
            except Exception as error:
                failures.append(error)
                raise
            return {"energy": energy, "gradient": gradient.ravel()}

    molecule = Molecule()
    molecule.elem = descent.atoms.symbols
    molecule.xyzs = [descent.positions]
    return Computed(molecule), failures
