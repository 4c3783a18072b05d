"""How long a calculation will take and how much memory, before it starts.

Counted are the pairs of basis functions that overlap, the points of the grids and the electrons;
nothing is integrated. What each costs was measured on one core of an AMD EPYC (PySCF 2.14, November
2026, processor time) with water, acetic acid, ethanol, benzene and octane in STO-3G, def2-SVP and
def2-TZVP. Processors differ by two or three, the number of cycles and steps by two: an estimate is
good to a factor of four for an SCF, of six for what takes steps.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import bisect
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError, ResourceError

from .bases import auxiliary_basis, auxiliary_for, basis_for
from .request import DFTRequest

if TYPE_CHECKING:
    from workflows.engine import Executor

ERI, PAIR, XC, FIT, FITTED = 8.5e-9, 5.3e-10, 8.5e-8, 8e-8, 4e-10
"""s. Integrals for a fourfold of primitives; their contraction for one of functions; a functional
for a function at a grid point; a fitted integral; its contraction with an occupied orbital."""

VV10, CAVITY, SOLVE, MATRIX = 3.4e-9, 2e-7, 1e-10, 3e-9
"""s. A pair of points; a pair of functions at a point of a cavity; for its cubed number of points,
and for the cubed number of functions."""

ERI_SLOPE, XC_SLOPE, FIT_SLOPE = 7.5, 3.0, 4.0
"""How much more a gradient costs than a cycle, by its parts."""

ERI_CURVE, XC_CURVE, FIT_CURVE = 14.0, 9.0, 40.0
"""How much more second derivatives cost for each atom than a cycle."""

CYCLES = 11
OVERLAP = 8.0
"""Å. How near two atoms are whose functions overlap, with diffuse ones left out of account."""

NEAR = 6.0
"""Å. How near an atom is whose functions are felt at a grid point."""

NOBLE = (2, 10, 18, 36, 54, 86)
"""Atomic numbers at the ends of the periods."""

GRIDS = (
    ((10, 15, 20, 30, 35, 40, 50), (50, 86, 110)),
    ((30, 40, 50, 60, 65, 70, 75), (110, 194, 194)),
    ((40, 60, 65, 75, 80, 85, 90), (194, 302, 302)),
    ((50, 75, 80, 90, 95, 100, 105), (302, 302, 434)),
    ((60, 90, 95, 105, 110, 115, 120), (434, 590, 590)),
    ((70, 105, 110, 120, 125, 130, 135), (590, 770, 770)),
    ((80, 120, 125, 135, 140, 145, 150), (770, 974, 974)),
    ((90, 135, 140, 150, 155, 160, 165), (974, 1202, 1202)),
    ((100, 150, 155, 165, 170, 175, 180), (1202, 1202, 1202)),
    ((200, 200, 200, 200, 200, 200, 200), (1454, 1454, 1454)),
)
"""PySCF's grids by their level: shells of an atom by its period, and points on a shell. Loading
them from PySCF would take longer than all the rest."""

POINTS = 0.64
"""Share of the points of a grid that is left by pruning."""

EXPOSED = 150
"""Points of an atom's sphere that lie on the surface of a molecule, of 302."""

PARALLEL = 0.8
"""Share of another core's work that comes to bear."""

BASE = 350.0
"""MB. PySCF and its libraries."""

LONG = 24.0
"""Hours beyond which a calculation must be forced, if nothing else is set."""

SMALL = 4
"""Atoms up to which nothing is estimated: reading the basis set takes longer than many an SCF."""

TOLD = 60.0
"""s. From there on a person is told how long it will take."""


@dataclass(frozen=True)
class Size:
    """What a calculation consists of.

    Attributes:
        atoms: how many.
        functions: basis functions.
        primitives: the same, each counted as often as primitives are in it.
        electrons: those that are not in a core potential.
        pairs: of primitives that overlap.
        points: of the integration grid; 0 without one.
        felt: basis functions that count at a point of it, in the mean.
        fitting: functions for density fitting; 0 without it.
    """

    atoms: int
    functions: int
    primitives: int
    electrons: int
    pairs: float
    points: int
    felt: float
    fitting: int


@dataclass(frozen=True)
class Estimate:
    """What a request will take.

    Attributes:
        size: of its molecule.
        seconds: of time, with the threads that it was asked for.
        memory: in MB, at least.
        disk: in MB, for what does not fit into memory.
    """

    size: Size
    seconds: float
    memory: float
    disk: float = 0.0

    @property
    def text(self) -> str:
        """In words."""
        disk = f", {storage(self.disk)} of disk" if self.disk else ""
        return f"about {duration(self.seconds)}, {storage(self.memory)} of memory{disk}"


def size_of(atoms: ConceptualAtoms, level: LevelOfTheory) -> Size:
    """Count what a calculation consists of.

    Raises:
        InputError: the basis set lacks an element.
    """
    numbers = np.asarray(atoms.numbers)
    kinds = sorted(set(numbers.tolist()))
    sets, potentials = basis_for(kinds, level.basis)
    counts = {z: _count(sets[SYMBOLS[z]], level.spherical) for z in kinds}
    cores = {z: int(potentials[SYMBOLS[z]][0]) if SYMBOLS[z] in potentials else 0 for z in kinds}
    functions = np.array([counts[z][0] for z in numbers.tolist()], float)
    primitives = np.array([counts[z][1] for z in numbers.tolist()], float)
    electrons = int(numbers.sum()) - sum(cores[z] for z in numbers.tolist()) - atoms.charge
    pairs, felt = _neighbours(np.asarray(atoms.positions), functions, primitives)
    grid = level.grid_level if level.functional else None
    points = 0 if grid is None else sum(_points(z, grid) for z in numbers.tolist())
    return Size(
        atoms=len(numbers), functions=int(functions.sum()), primitives=int(primitives.sum()),
        electrons=electrons, pairs=pairs, points=points, felt=felt,
        fitting=_fitting(numbers, level) if level.density_fitting else 0,
    )  # fmt: skip


def estimate(
    atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest, threads: int = 1,
    memory: float = 4000.0,
) -> Estimate:  # fmt: skip
    """Estimate what a request for a molecule will take.

    Args:
        atoms: the molecule.
        level: its level of theory.
        request: what is asked of it.
        threads: how many compute.
        memory: in MB, that they may use.

    Raises:
        InputError: the basis set lacks an element.
    """
    size = size_of(atoms, level)
    spins = 1 if level.reference == "restricted" else 2
    scf, slope, curve, cycle = _steps(size, level, spins, memory)
    seconds = scf
    held = BASE + _megabytes(45 * spins * size.functions**2)
    disk = 0.0
    if size.fitting:
        held += _megabytes(size.fitting * max(1000, size.fitting))
        fitted = _megabytes(size.functions**2 / 2 * size.fitting)
        if held + fitted > memory:
            disk = fitted
    if level.solvation:
        held += _megabytes(5 * (EXPOSED * size.atoms) ** 2)
    moves = request.task in ("optimise", "frequencies") and size.atoms > 1
    if moves:
        steps = min(request.max_steps, 5 + size.atoms / 2)
        seconds += steps * (0.6 * scf + slope)
    if request.task == "frequencies" and size.atoms > 1:
        seconds += curve + slope
        occupied = size.electrons / 2
        response = 3 * size.atoms * size.functions * (size.functions + 4 * occupied)
        held = max(held, BASE + _megabytes(spins * response))
    if request.states:
        half, amplitudes = size.electrons / 2, max(1.0, size.electrons / 2)
        amplitudes *= max(1.0, size.functions - half)
        width = request.states + 2
        factor = 2 if request.response == "TDDFT" else 1
        seconds += 10 * factor * spins * cycle * (1 + 0.3 * width)
        held = max(held, BASE + _megabytes(40 * factor * spins * width * amplitudes))
    if request.stability:
        seconds += 25 * spins * cycle
    speed = 1 + PARALLEL * (max(1, threads) - 1)
    return Estimate(size, seconds / speed, held, disk)


def check(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    request: DFTRequest,
    executor: Executor,
    hours: float = LONG,
) -> Estimate | None:
    """Tell the listeners what a request will take, and refuse what is too long or too large.

    What is remembered takes no time and is not refused; nor is what a graphics card will compute,
    for which nothing was measured. A few atoms take no time worth an estimate.

    Args:
        atoms: the molecule.
        level: its level of theory.
        request: what is asked of it; `force` in it lets everything pass.
        executor: what will compute it.
        hours: what is too long.

    Returns:
        The estimate; None where none was made.

    Raises:
        ResourceError: it is estimated to take longer, or more memory or disk than there is.
    """
    from .energy import single_point

    slots = executor.slots
    if len(atoms.numbers) <= SMALL or atoms.is_periodic or (single_point.wants_card and slots.gpus):
        return None
    if not executor.recompute and _is_remembered(atoms, level, request, executor):
        return None  # before PySCF is loaded, which takes longer than to remember
    threads = executor.cores or max(1, slots.cores // (slots.slots or 1))
    granted = slots.memory * threads / slots.cores
    try:
        found = estimate(atoms, level, request, threads, granted)
    except InputError:  # the calculation will say so, and the record of its run
        return None
    limits = list(_exceeded(found, hours, granted))
    if not limits and found.seconds <= TOLD:
        return found
    executor.emit("estimate", atoms.formula, text=found.text, seconds=found.seconds)
    if request.force or not limits:
        return found
    cores = "1 core" if threads == 1 else f"{threads} cores"
    raise ResourceError(
        f"{request.goal().text} of {atoms.formula} at {level.label} was asked for",
        f"with {found.size.atoms} atoms and {found.size.functions:,} basis functions it is "
        f"estimated to take {found.text} on {cores}, right within a factor of six; "
        + " and ".join(limits),
        "ask for a smaller basis set, density fitting and a functional without exact exchange, or "
        "for less; --force (force=True) starts it anyway, hours in grafico.toml moves the limit",
    )


def _exceeded(found: Estimate, hours: float, granted: float) -> Iterator[str]:
    """Say which limits an estimate exceeds."""
    if found.seconds > hours * 3600:
        yield f"the limit is {hours:g} hours"
    if found.memory > max(granted, 2 * BASE):  # what is small may try
        yield f"a calculation here gets {storage(granted)} of memory"
    free = shutil.disk_usage(tempfile.gettempdir()).free / 1e6
    if found.disk > free:
        yield f"the disk has {storage(free)} free"


def _is_remembered(
    atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest, executor: Executor
) -> bool:
    """Whether what takes longest of a request is known."""
    from .constraint_text import constraints_of
    from .energy import single_point
    from .excitation import excitations
    from .relaxation import optimise
    from .vibration import frequencies

    if request.task != "energy":
        try:
            held = constraints_of(request.constraints, atoms)
        except InputError:
            return False
        relaxed = executor.recall(
            optimise.bind(
                atoms, level, request.max_steps, convergence=request.convergence, constraints=held
            )
        )
        if request.task == "optimise":
            return relaxed is not None
        last = relaxed.result.atoms if relaxed else atoms
        return executor.recall(frequencies.bind(last, level)) is not None
    if request.states:
        excited = excitations.bind(
            atoms, level, request.states, request.response, request.spin, request.solvent_response
        )
        return executor.recall(excited) is not None
    return executor.recall(single_point.bind(atoms, level)) is not None


def duration(seconds: float) -> str:
    """Return a time in words, with two figures."""
    for unit, length in (("year", 31_557_600), ("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= 1.5 * length:
            number = seconds / length
            shown = f"{number:.0f}" if number >= 10 else f"{number:.1f}".removesuffix(".0")
            return f"{shown} {unit}s"
    return f"{seconds:.0f} seconds" if seconds >= 1.5 else "a second"


def storage(megabytes: float) -> str:
    """Return an amount of memory in words, with two figures."""
    return f"{megabytes / 1000:,.1f} GB" if megabytes < 9950 else f"{megabytes / 1000:,.0f} GB"


def _steps(
    size: Size, level: LevelOfTheory, spins: int, memory: float
) -> tuple[float, float, float, float]:
    """Return the seconds of an SCF, a gradient, second derivatives and a cycle with them."""
    n, occupied = size.functions, max(1, size.electrons // 2)
    grid = XC * size.points * size.felt * (1.6 if spins == 2 else 1)
    beside = MATRIX * spins * n**3
    nonlocal_part = VV10 * float(size.points) ** 2 if level.nonlocal_correlation else 0.0
    once = 0.0
    if level.solvation:
        cavity = EXPOSED * size.atoms
        beside += CAVITY * cavity * n * n / 2
        once += SOLVE * float(cavity) ** 3
    if size.fitting:
        built = FIT * n * n / 2 * size.fitting
        exchange = level.exact_exchange or level.long_range_exchange
        cycle = FITTED * n * n * size.fitting * (occupied * spins if exchange else 1)
        once += built
        slope, curve = FIT_SLOPE * (built + cycle), FIT_CURVE * (built / 4 + cycle)
    else:
        whole = ERI * size.pairs**2 / 2
        kept = n**4 / 1e6 < 0.8 * memory
        cycle = (PAIR * n**4 if kept else 0.7 * whole) * (1.3 if spins == 2 else 1)
        once += whole if kept else 0.0
        slope, curve = ERI_SLOPE * whole, ERI_CURVE * whole
    each = cycle + grid + beside + nonlocal_part
    gradient = slope + XC_SLOPE * grid + 2 * nonlocal_part
    second = size.atoms * (curve * spins + XC_CURVE * grid + 10 * nonlocal_part)
    return once + CYCLES * each, gradient, second, each


def _count(shells: list[list[object]], spherical: bool) -> tuple[int, int]:
    """Return the functions of an element, and with each counted once for each primitive."""
    functions = weighted = 0
    for shell in shells:
        momentum = int(shell[0])  # pyright: ignore
        primitives = [one for one in shell[1:] if isinstance(one, list | tuple)]
        columns = len(primitives[0]) - 1
        wide = 2 * momentum + 1 if spherical else (momentum + 1) * (momentum + 2) // 2
        functions += wide * columns
        used = sum(1 for row in primitives for value in row[1:] if value)
        weighted += wide * used
    return functions, weighted


def _neighbours(positions: np.ndarray, functions: np.ndarray, primitives: np.ndarray) -> tuple[
    float, float
]:  # fmt: skip
    """Return pairs of primitives that overlap, and functions that are felt at an atom's points."""
    from scipy.spatial import KDTree

    tree = KDTree(positions)
    pairs = felt = 0.0
    for radius, weights in ((OVERLAP, primitives), (NEAR, functions)):
        near = tree.sparse_distance_matrix(tree, radius, output_type="coo_matrix")
        total = float((weights[near.row] * weights[near.col]).sum())
        if weights is primitives:
            pairs = total / 2
        else:
            around = np.bincount(near.row, weights[near.col], minlength=len(weights))
            felt = float(around.mean())
    return pairs, felt


def _points(number: int, grid: int) -> int:
    """Return the points of an element's grid at a level of PySCF's."""
    period = bisect.bisect_left(NOBLE, number)
    shells, points = GRIDS[grid]
    return int(POINTS * shells[period] * points[min(period, 2)])


def _fitting(numbers: np.ndarray, level: LevelOfTheory) -> int:
    """Return how many functions fit the densities."""
    from pyscf import gto

    name = level.auxiliary_basis or auxiliary_basis("", level.basis, "HF")
    kinds, many = np.unique(numbers, return_counts=True)
    one_of_each = gto.Mole()
    one_of_each.atom = [(SYMBOLS[z], (0.0, 0.0, 9.0 * place)) for place, z in enumerate(kinds)]
    one_of_each.spin, one_of_each.verbose = None, 0
    one_of_each.basis, one_of_each.ecp = basis_for(kinds.tolist(), level.basis)
    one_of_each.build(parse_arg=False, dump_input=False)
    sets = auxiliary_for(one_of_each, name)
    return sum(
        _count(sets[SYMBOLS[z]], True)[0] * count
        for z, count in zip(kinds.tolist(), many.tolist(), strict=True)
    )


def _megabytes(numbers: float) -> float:
    return numbers * 8 / 1e6
