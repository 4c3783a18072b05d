"""Relaxing positions and cell of a crystal with ASE's optimisers."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import Bond, Changes, changes, connectivity
from ontologies.crystals import GIGAPASCAL, CrystalRelaxation, Optimiser, largest
from ontologies.factors import BOHR, HARTREE
from ontologies.quantum import Convergence, GeometryConstraints
from ontologies.units import Floats, Integers
from triplestore.errors import ComponentError, InputError, RecipeError
from workflows.engine import context
from workflows.engine.execution.array_cache import load, save
from workflows.engine.execution.events import STRUCTURE
from workflows.geometry.optimiser import looked_at

from .surface import CrystalSurface, Solved, cell_of, findings

THRESHOLDS: Mapping[Convergence, tuple[float, float]] = {
    "loose": (0.1, 0.5),
    "normal": (0.02, 0.1),
    "tight": (0.005, 0.02),
    "very tight": (0.001, 0.005),
}
"""The largest force on an atom in eV/Å, and how far the stress is off in GPa."""

FORCE = HARTREE["eV"] / BOHR
"""eV/Å in an Eh/bohr."""

STRESS = HARTREE["eV"] / BOHR**3
"""eV/Å³ in an Eh/bohr³."""

SMALLEST, LARGEST = 0.5, 2.0
"""Of the volume at the start: beyond it the cell has collapsed or flown apart."""

SYMMETRY = 1e-3
"""Å. How far atoms may be from where a space group puts them at the start."""


@dataclass(frozen=True)
class Wish:
    """What is asked of a relaxation, see `CrystalCalculations.relax_crystal`."""

    max_steps: int = 100
    convergence: Convergence = "normal"
    relax_cell: bool = False
    external_pressure: float = 0.0
    keep_symmetry: bool = False
    optimiser: Optimiser = "LBFGS"
    constraints: GeometryConstraints | None = None
    hydrogens_first: bool = False

    @property
    def thresholds(self) -> tuple[float, float | None]:
        """The force in eV/Å and, where the cell is relaxed, the stress in GPa."""
        force, stress = THRESHOLDS[self.convergence]
        return force, stress if self.relax_cell else None

    def check(self, atoms: ConceptualAtoms) -> None:
        """Check that this can be asked of a crystal, before anything runs.

        Raises:
            InputError: it cannot.
        """
        asked = f"a relaxation of {atoms.formula} was asked for"
        if self.external_pressure and not self.relax_cell:
            raise InputError(
                f"{asked} under {self.external_pressure:g} GPa",
                "a cell that is kept does not feel a pressure",
                "relax the cell too (relax_cell), or leave out the pressure",
            )
        if self.hydrogens_first and not _light(atoms).any():
            raise InputError(
                f"{asked} that relaxes hydrogens first",
                "it has none",
                "leave it out (hydrogens_first), or add the hydrogens",
            )
        held = self.constraints
        if held is None:
            return
        light: Any = np.flatnonzero(_light(atoms))
        if self.hydrogens_first and np.isin(light, _frozen(held)).all():
            raise InputError(
                f"{asked} that relaxes hydrogens first",
                "all of them are held",
                "leave it out (hydrogens_first), or hold fewer atoms",
            )
        if any(one is not None for one in (held.distances, held.angles, held.dihedrals)):
            raise InputError(
                f"{asked} that holds distances, angles or dihedrals",
                "in a crystal atoms can be held, and no more",
                'write "freeze 1 2", atoms counted from 1',
            )
        if self.relax_cell or self.keep_symmetry:
            raise InputError(
                f"{asked} that holds atoms and "
                f"{'relaxes the cell' if self.relax_cell else 'keeps the symmetry'}",
                "a cell that changes takes its atoms along, and a space group moves them",
                "ask for one of the two",
            )

    def answers(self, known: CrystalRelaxation, atoms: ConceptualAtoms) -> bool:
        """Return whether a relaxation was asked the same, but for its limit of steps."""
        return (
            known.initial == atoms
            and (known.force_threshold, known.stress_threshold) == self.thresholds
            and known.external_pressure == self.external_pressure
            and bool(known.kept_symmetry) == self.keep_symmetry
            and known.optimiser == self.optimiser
            and known.constraints == self.constraints
            and known.hydrogens_first == self.hydrogens_first
        )


@dataclass
class _Way:
    """The frames of a relaxation as it goes; units as in `CrystalRelaxation`."""

    positions: list[Floats] = field(default_factory=list[Floats])
    cells: list[Floats] = field(default_factory=list[Floats])
    energies: list[float] = field(default_factory=list[float])
    gradients: list[Floats] = field(default_factory=list[Floats])
    stresses: list[Floats] = field(default_factory=list[Floats])

    @classmethod
    def of(cls, after: CrystalRelaxation | None) -> Self:
        """Return the frames so far: of what was cut off, or of what stopped at a nearer limit."""
        path = context().checkpoint
        before: Any = load(path) if path is not None else None
        if before is not None and "cells" in before:
            return cls(*(list(before[name]) for name in cls.__dataclass_fields__))
        if after is None:
            return cls()
        stresses = () if after.stresses is None else after.stresses
        arrays = (after.geometries, after.cells, after.energies, after.gradients, stresses)
        return cls(*(list(array) for array in arrays))

    def keep(self) -> None:
        """Keep them, to go on from here."""
        if (path := context().checkpoint) is not None:
            with suppress(OSError):  # a full disk: it only could not go on from here
                names = type(self).__dataclass_fields__
                save(path, {name: np.array(getattr(self, name)) for name in names})

    def add(self, positions: Floats, cell: Floats, found: Solved) -> None:
        self.positions.append(positions)
        self.cells.append(cell)
        self.energies.append(found.energy)
        self.gradients.append(found.gradient)
        if found.stress is not None:
            self.stresses.append(found.stress * GIGAPASCAL)

    def drop(self) -> None:
        """Forget the last frame, which is computed again."""
        for name in type(self).__dataclass_fields__:
            if frames := getattr(self, name):
                frames.pop()


def relax(
    atoms: ConceptualAtoms,
    surface: CrystalSurface[Any],
    wish: Wish,
    after: CrystalRelaxation | None = None,
) -> CrystalRelaxation:
    """Relax a crystal; see `CrystalCalculations.relax_crystal`."""
    wish.check(atoms)
    way = _Way.of(after)
    first = cell_of(atoms)
    crystal, solving = _crystal(atoms, surface, way)
    group = _hold(crystal, atoms, wish)
    held: Integers = np.arange(0) if wish.constraints is None else _frozen(wish.constraints)
    free: Any = np.ones(len(atoms.numbers), bool)
    free[held] = False
    way.drop()
    force = stress = 0.0
    converged = False
    started = abs(np.linalg.det(first))
    for _ in _steps(atoms, crystal, wish, solving, free):
        found = solving()
        way.add(crystal.positions.copy(), np.array(crystal.cell), found)
        force = largest(found.gradient[free]) * FORCE if free.any() else 0.0
        off = _off(found, wish.external_pressure)
        stress = off if off is not None else 0.0
        way.keep()
        seen = {"max_stress": stress} if wish.relax_cell else {}
        context().report(
            "optimise",
            step=len(way.energies),
            energy=found.energy,
            max_gradient=force / FORCE,
            **seen,
            **{STRUCTURE: looked_at(atoms, crystal.positions)},
        )
        limit, most = wish.thresholds
        converged = force <= limit and (most is None or stress <= most)
        if converged or len(way.energies) > wish.max_steps:
            break
        grown = crystal.get_volume() / started
        if not SMALLEST < grown < LARGEST:
            raise RecipeError(
                f"a relaxation of {atoms.formula} was asked for",
                f"after {len(way.energies) - 1} steps its cell has {grown:.2f} times the volume of "
                "the start: it collapsed or flew apart",
                "check the structure (hydrogens, pressure), relax the positions alone first, or "
                "ask for another method",
            )
    final = atoms.model_copy(
        update={"positions": way.positions[-1], "cell": way.cells[-1] if wish.relax_cell else first}
    )
    limit, most = wish.thresholds
    return CrystalRelaxation(
        atoms=final,
        level=surface.level,
        initial=atoms,
        converged=converged,
        steps=len(way.energies) - 1,
        max_steps=wish.max_steps,
        force_threshold=limit,
        stress_threshold=most,
        relaxed_cell=wish.relax_cell,
        external_pressure=wish.external_pressure,
        kept_symmetry=group,
        optimiser=wish.optimiser,
        constraints=wish.constraints,
        hydrogens_first=wish.hydrogens_first,
        left_force=force,
        max_stress=stress if wish.relax_cell else None,
        geometries=np.array(way.positions),
        cells=np.array(way.cells),
        energies=np.array(way.energies),
        gradients=np.array(way.gradients),
        stresses=np.array(way.stresses) if way.stresses else None,
        remarks=(*surface.remarks(), *_hydrogens(atoms, way, wish), *_chemistry(atoms, final)),
        **findings(solving()),
    )


def _off(found: Solved, pressure: float) -> float | None:
    """Return how far the stress is from that of a pressure, in GPa; None where there is none."""
    if found.stress is None:
        return None
    return float(np.abs(found.stress * GIGAPASCAL + pressure * np.eye(3)).max())


def _frozen(held: GeometryConstraints) -> Integers:
    return np.arange(0) if held.frozen is None else held.frozen


def _crystal(atoms: ConceptualAtoms, surface: CrystalSurface[Any], way: _Way) -> tuple[Any, Any]:
    """Return ASE's atoms where the way has led to, and what says how they were solved last."""
    from ase import Atoms
    from ase.calculators.calculator import Calculator, all_changes

    class Solving(Calculator):
        implemented_properties = ["energy", "forces", "stress"]  # noqa: RUF012  # as ASE has it
        last: Solved

        def calculate(
            self, atoms: Any = None, properties: Any = None, system_changes: Any = all_changes
        ) -> None:
            super().calculate(atoms, properties, system_changes)
            self.last = found = surface.at(atoms.positions.copy(), np.array(atoms.cell))
            self.results = {
                "energy": found.energy * HARTREE["eV"],
                "forces": -found.gradient * FORCE,
            }
            if found.stress is not None:
                voigt = found.stress[(0, 1, 2, 1, 0, 0), (0, 1, 2, 2, 2, 1)]
                self.results["stress"] = voigt * STRESS

    calculator = Solving()
    positions, cell = atoms.positions, cell_of(atoms)
    if way.positions:
        positions, cell = way.positions[-1], way.cells[-1]
    crystal = Atoms(atoms.numbers, positions.copy(), cell=cell, pbc=True, calculator=calculator)

    def solved() -> Solved:
        crystal.get_potential_energy()
        return calculator.last

    return crystal, solved


def _hold(crystal: Any, atoms: ConceptualAtoms, wish: Wish) -> str:
    """Hold what is to be held; return the space group that is kept, empty for none."""
    from ase.constraints import FixAtoms

    if wish.constraints is not None:
        crystal.set_constraint(FixAtoms(_frozen(wish.constraints)))
    if not wish.keep_symmetry:
        return ""
    try:
        import spglib
        from ase.constraints import FixSymmetry
    except ImportError as error:
        raise ComponentError(
            f"a relaxation of {atoms.formula} that keeps its symmetry was asked for",
            f"spglib cannot be loaded: {error}",
            "pip install spglib, or do without",
        ) from None
    places = atoms.positions @ np.linalg.inv(cell_of(atoms))
    here: Any = cell_of(atoms), places, atoms.numbers
    found = spglib.get_spacegroup(here, symprec=SYMMETRY)
    crystal.set_constraint(FixSymmetry(crystal, symprec=SYMMETRY))
    return str(found)


def _steps(
    atoms: ConceptualAtoms, crystal: Any, wish: Wish, solving: Any, free: Any
) -> Iterator[None]:
    """Yield at the start and after each step of the optimiser, for as long as it is asked."""
    from ase import optimize
    from ase.constraints import FixAtoms
    from ase.filters import FrechetCellFilter

    steps = wish.max_steps + 1
    first = wish.hydrogens_first and _alone(atoms, crystal.positions, crystal.cell)
    if first:
        moving = _light(atoms)
        whole = crystal.constraints
        crystal.set_constraint([*whole, FixAtoms(np.flatnonzero(~moving))])
        for _ in getattr(optimize, wish.optimiser)(crystal, logfile=None).irun(0.0, steps=steps):
            yield
            if largest(solving().gradient[moving & free]) * FORCE <= wish.thresholds[0]:
                break
        crystal.set_constraint(whole)
    moved = crystal
    if wish.relax_cell:
        if solving().stress is None:
            raise InputError(
                "a relaxation of the cell was asked for",
                "this level has no stress",
                "relax the positions alone, or ask for another method",
            )
        pressure = wish.external_pressure / GIGAPASCAL * STRESS
        moved = FrechetCellFilter(crystal, scalar_pressure=pressure)
    optimiser = getattr(optimize, wish.optimiser)(moved, logfile=None)
    for step, _ in enumerate(optimiser.irun(fmax=0.0, steps=steps)):
        if step or not first:  # the last frame of the hydrogens is its first
            yield


def _light(atoms: ConceptualAtoms) -> Any:
    """Return which atoms are hydrogens, shape (atoms,)."""
    return np.array(atoms.numbers == 1)


def _alone(atoms: ConceptualAtoms, positions: Any, cell: Any) -> bool:
    """Return whether nothing but hydrogens has moved yet (or to where a space group puts it)."""
    rest = ~_light(atoms)
    moved = np.abs(positions[rest] - atoms.positions[rest])
    return float(moved.max(initial=0.0)) <= SYMMETRY and np.allclose(
        np.array(cell), cell_of(atoms), rtol=0, atol=SYMMETRY
    )


def _hydrogens(atoms: ConceptualAtoms, way: _Way, wish: Wish) -> Iterator[str]:
    """Say how long hydrogens were led downhill before the rest."""
    if not wish.hydrogens_first:
        return
    frames = zip(way.positions, way.cells, strict=True)
    alone = [_alone(atoms, places, vectors) for places, vectors in frames]
    yield (
        f"hydrogens first: all else was held for {max(0, sum(alone) - 1)} of "
        f"{len(way.positions) - 1} steps"
    )


def _chemistry(before: ConceptualAtoms, after: ConceptualAtoms) -> Iterator[str]:
    """Say what became of bonds and cell."""
    changed = changes(before, after)
    if changed:
        told = (("broken", changed.broken), ("formed", changed.formed))
        words = [f"{len(bonds)} {word}{_elements(bonds, after)}" for word, bonds in told]
        yield f"bonds changed on the way: {', '.join(words)}"
        if moved := _coordination(changed, before):
            yield f"coordination changed: {moved}"


def _coordination(changed: Changes, before: ConceptualAtoms) -> str:
    """Return which atoms have other numbers of bonds than at the start: `Zn 4 → 5 (2)`."""
    had = connectivity(before).coordination
    more = Counter[int]()
    for bonds, sign in ((changed.broken, -1), (changed.formed, 1)):
        for bond in bonds:
            more[bond.first] += sign
            more[bond.second] += sign
    kinds = Counter((before.symbols[one], had[one], had[one] + n) for one, n in more.items() if n)
    told = [f"{name} {old} → {new} ({count})" for (name, old, new), count in sorted(kinds.items())]
    return ", ".join(told)


def _elements(bonds: Sequence[Bond], atoms: ConceptualAtoms) -> str:
    """Return which elements bonds are of, in words: ` (Zn–O 2, C–H)`; empty for no bonds."""
    names = atoms.symbols
    kinds = Counter("–".join(sorted((names[one.first], names[one.second]))) for one in bonds)
    said = [f"{kind} {n}" if n > 1 else kind for kind, n in sorted(kinds.items())]
    return f" ({', '.join(said)})" if said else ""
