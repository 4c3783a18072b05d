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

from dataclasses import dataclass

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from workflows.engine.request.cost import Cost, Granted
from workflows.text.words import count

from ..level.fitting import fitting_remark
from .forms import DFTRequest
from .size import Size, size_of

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

TRIAL, TRIAL_XC, TRIAL_DIRECT = 1.1, 0.16, 0.3
"""What the response to one amplitude of many costs beside a cycle: contraction of integrals that
are kept, functional, and integrals that are computed for many at once."""

CYCLES = 11
EXPOSED = 150
"""Points of an atom's sphere that lie on the surface of a molecule, of 302."""

PARALLEL = 0.8
"""Share of another core's work that comes to bear."""

BASE = 350.0
"""MB. PySCF and its libraries."""

MODEST = ("STO-3G", "3-21G", "6-31G", "6-31G*", "6-31G**", "def2-SVP")
FEW, LIGHT, COARSE = 10, 10, 3
"""Atoms, their atomic number and the level of the grid up to which an energy in a modest basis set
is not estimated either: it takes seconds."""


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


def estimate(
    atoms: ConceptualAtoms,
    level: LevelOfTheory,
    request: DFTRequest,
    threads: int = 1,
    memory: float = 4000.0,
) -> Estimate:
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
    scf, slope, curve, cycle, trial = _steps(size, level, spins, memory)
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
    efforts = [one.effort_of(request) for one in request.wanted]
    seconds += sum(one.cycles * cycle + one.trials * trial for one in efforts) * spins
    half = size.electrons / 2
    amplitudes = max(1.0, half) * max(1.0, size.functions - half)
    vectors = max((one.vectors for one in efforts), default=0.0)
    held = max(held, BASE + _megabytes(vectors * spins * amplitudes))
    speed = 1 + PARALLEL * (max(1, threads) - 1)
    return Estimate(size, seconds / speed, held, disk)


def cost(
    atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest, granted: Granted
) -> Cost:
    """Return the same in the words of `workflows.engine.request.cost`.

    Raises:
        InputError: the basis set lacks an element.
    """
    estimated = estimate(atoms, level, request, granted.threads, granted.memory)
    size = estimated.size
    words = f"{count(size.atoms, 'atom')} and {count(size.functions, 'basis function')}"
    remark = fitting_remark(atoms.numbers.tolist(), level)
    return Cost(
        words,
        estimated.seconds,
        estimated.memory,
        estimated.disk,
        remark=remark,
        advice="ask for GFN2-xTB, which takes seconds, a smaller basis set, density fitting and a "
        "functional without exact exchange, or for less",
    )


def is_short(atoms: ConceptualAtoms, level: LevelOfTheory, request: DFTRequest) -> bool:
    """Return whether a request takes less than a minute, whatever the details."""
    modest = level.basis in MODEST and (level.grid_level or 0) <= COARSE
    alone = not (level.nonlocal_correlation or level.solvation)
    return (
        modest
        and alone
        and len(atoms.numbers) <= FEW
        and int(max(atoms.numbers)) <= LIGHT
        and request.task == "energy"
        and not any(one.effort_of(request).is_lengthy for one in request.wanted)
    )


def _steps(
    size: Size, level: LevelOfTheory, spins: int, memory: float
) -> tuple[float, float, float, float, float]:
    """Return the seconds of an SCF, a gradient, second derivatives, a cycle with them, and a trial.

    The last is the response of the electrons to one amplitude.
    """
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
        trial = TRIAL * cycle
    else:
        whole = ERI * size.pairs**2 / 2
        kept = n**4 / 1e6 < 0.8 * memory
        cycle = (PAIR * n**4 if kept else 0.7 * whole) * (1.3 if spins == 2 else 1)
        once += whole if kept else 0.0
        slope, curve = ERI_SLOPE * whole, ERI_CURVE * whole
        trial = TRIAL * cycle if kept else TRIAL_DIRECT * whole
    each = cycle + grid + beside + nonlocal_part
    gradient = slope + XC_SLOPE * grid + 2 * nonlocal_part
    second = size.atoms * (curve * spins + XC_CURVE * grid + 10 * nonlocal_part)
    trial += TRIAL_XC * grid + beside
    return once + CYCLES * each, gradient, second, each, trial


def _megabytes(numbers: float) -> float:
    return numbers * 8 / 1e6
