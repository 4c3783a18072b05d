"""How long a correlated calculation will take, and how much memory, before it starts.

Counted are the occupied orbitals that are correlated (o), the empty ones (v), all functions (n) and
those that fit (x). Perturbation theory takes time like o·n⁴ (fitted: o²v²x), a cycle of coupled
cluster like o²v⁴ and o³v³, the triples like o³v⁴. What each costs was measured on one core of an
AMD EPYC (PySCF 2.14, November 2026, processor time) with water, ethylene, ethanol, benzene, the
methyl and the ethoxy radical in cc-pVDZ to cc-pVQZ; an estimate is good to a factor of four.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from workflows.dft.request.estimate import estimate
from workflows.dft.request.forms import DFTRequest
from workflows.engine.request.cost import Cost
from workflows.text.words import count

from .cluster_gradient import is_differences
from .levels import hartree_fock, single_bases

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.correlated import CorrelatedLevel
    from workflows.engine.request.cost import Granted

TRANSFORM, MP2, FITTED, CYCLE, RINGS, TRIPLES = 4e-10, 6e-10, 9e-10, 2.2e-10, 9e-10, 3e-10
"""s. For n⁵ (integrals of coupled cluster), o·n⁴, o²v²x, o²v⁴, o³v³ and o³v⁴."""

OPEN_TRANSFORM, OPEN_MP2, OPEN_CYCLE, OPEN_TRIPLES = 7.0, 3.0, 4.0, 8.0
"""How much more they cost where each spin has its own orbitals."""

SLOPES, AGAIN = 3.0, 0.6
"""A correlated gradient: Hartree–Fock gradients that it takes; and what Hartree–Fock beside a
geometry where it is solved costs of the first time."""

PAIRS = {"MP2": 8.0, "DF-MP2": 8.0, "CCSD": 3.0, "CCSD(T)": 9.0}
"""Correlation energies that a gradient takes beside the energy."""

FIELDS = 6
"""Energies that a dipole takes besides: in both directions along three axes, or fewer."""

CYCLES = 11
PARALLEL = 0.8
"""Share of another core's work that comes to bear."""

AMPLITUDES = 9.0
"""Arrays of the size of all double amplitudes that coupled cluster holds at a time."""

FUNCTIONS = 2.5
"""Fitting functions for each of the basis set, about."""

BASE = 250.0
"""MB. PySCF and its libraries."""

FEW, LIGHT = 4, 10
"""Atoms and their atomic number up to which an energy in a modest set takes seconds."""

MODEST = ("STO-3G", "3-21G", "6-31G", "6-31G*", "6-31G**", "def2-SVP", "cc-pVDZ")


@dataclass(frozen=True)
class Space:
    """The orbitals of a correlated calculation.

    Attributes:
        functions: of the basis set.
        occupied: correlated ones, the mean of both spins.
        empty: likewise.
        open_shell: whether each spin has its own.
    """

    functions: int
    occupied: float
    empty: float
    open_shell: bool


def cost(
    atoms: ConceptualAtoms, level: CorrelatedLevel, request: DFTRequest, granted: Granted
) -> Cost:
    """Return what a request will take, in each of its basis sets.

    Raises:
        InputError: the basis set lacks an element.
    """
    each = [_cost(atoms, one, request, granted) for one in single_bases(level)]
    return replace(each[-1], seconds=sum(one.seconds for one in each))


def _cost(
    atoms: ConceptualAtoms, level: CorrelatedLevel, request: DFTRequest, granted: Granted
) -> Cost:
    """Return what a request in one basis set will take."""
    reference, many = hartree_fock(level), len(atoms.numbers)
    start = estimate(atoms, reference, DFTRequest(), 1, granted.memory)
    space = space_of(atoms, level, start.size.functions, start.size.electrons)
    correlation = seconds(space, level.method)
    total = start.seconds + correlation
    held, disk = _storage(space, level.method, granted.memory)
    if request.task != "energy" and many > 1:
        one_step = DFTRequest(task="optimise", max_steps=1)
        slope = estimate(atoms, reference, one_step, 1, granted.memory).seconds
        slope = SLOPES * max(0.0, slope - (1 + AGAIN) * start.seconds)
        slope += _slope(level, many, AGAIN * start.seconds, correlation)
        each = AGAIN * start.seconds + correlation + slope
        total += min(request.max_steps, 5 + many / 2) * each
        if request.task == "frequencies":
            total += (1 + 6 * many) * each
        held += _held_by_gradient(space, level.method)
    if any(one.name == "dipole" for one in request.wanted):
        total += FIELDS * (AGAIN * start.seconds + correlation)
    speed = 1 + PARALLEL * (max(1, granted.threads) - 1)
    words = (
        f"{count(len(atoms.numbers), 'atom')}, {count(space.functions, 'basis function')} and "
        f"{count(round(2 * space.occupied), 'correlated electron')}"
    )
    return Cost(
        words,
        total / speed,
        max(start.memory, BASE + held),
        start.disk + disk,
        factor=4.0,
        advice=_advice(level.method),
    )


def _slope(level: CorrelatedLevel, many: int, reference: float, correlation: float) -> float:
    """Return what the slope of the correlation energy takes, in s."""
    if is_differences(level):
        return 6 * many * (reference + correlation)
    return PAIRS[level.method] * correlation


def space_of(
    atoms: ConceptualAtoms, level: CorrelatedLevel, functions: int, electrons: int
) -> Space:
    """Return how many orbitals there are, of all electrons that no core potential stands for."""
    from pyscf.data.elements import chemcore_atm

    numbers = [int(number) for number in atoms.numbers]
    potential = (sum(numbers) - atoms.charge - electrons) // 2
    cores = 0 if level.all_electrons else max(0, sum(chemcore_atm[z] for z in numbers) - potential)
    occupied = max(0.5, electrons / 2 - cores)
    return Space(
        functions, occupied, max(1.0, functions - electrons / 2), level.reference != "restricted"
    )


def seconds(space: Space, method: str) -> float:
    """Return what correlation takes on one core, Hartree–Fock and its integrals apart."""
    n, o, v = float(space.functions), space.occupied, space.empty
    if method == "DF-MP2":
        x = FUNCTIONS * n
        return FITTED * (o * o * v * v * x + n * n * x * o) * (OPEN_MP2 if space.open_shell else 1)
    if method == "MP2":
        return MP2 * o * n**4 * (OPEN_MP2 if space.open_shell else 1)
    turn, cycle, triples = (
        (OPEN_TRANSFORM, OPEN_CYCLE, OPEN_TRIPLES) if space.open_shell else (1.0, 1.0, 1.0)
    )
    total = TRANSFORM * turn * n**5
    total += CYCLES * cycle * (CYCLE * o * o * v**4 + RINGS * (o * v) ** 3)
    return total + (TRIPLES * triples * o**3 * v**4 if method == "CCSD(T)" else 0.0)


def is_short(atoms: ConceptualAtoms, level: CorrelatedLevel, request: DFTRequest) -> bool:
    """Return whether a request takes less than a minute, whatever the details."""
    return (
        level.basis in MODEST
        and len(atoms.numbers) <= FEW
        and int(max(atoms.numbers)) <= LIGHT
        and request.task == "energy"
        and not request.wanted
    )


def _storage(space: Space, method: str, memory: float) -> tuple[float, float]:
    """Return memory and disk in MB."""
    n, o, v = float(space.functions), space.occupied, space.empty
    spins = 3.0 if space.open_shell else 1.0
    if method == "DF-MP2":
        fitted = 8 * FUNCTIONS * n * o * v / 1e6 * min(spins, 2.0)
        held = 8 * FUNCTIONS * n * (FUNCTIONS * n + 10 * v) / 1e6
        return held, 0.0 if held + fitted < 0.6 * memory else fitted
    if method == "MP2":
        pairs = 8 * spins * (o * v) ** 2 / 1e6
        return 8 * 10 * n**2 / 1e6, 0.0 if pairs < 0.5 * memory else pairs
    held = 8 * spins * AMPLITUDES * (o * v) ** 2 / 1e6
    integrals = 8 * spins * (v**4 / 4 + o * v**3 / 2 + 3 * (o * v) ** 2) / 1e6
    return held, 0.0 if held + 3 * integrals < memory else integrals


def _held_by_gradient(space: Space, method: str) -> float:
    """Return the memory in MB that a gradient takes beside the energy."""
    n, o, v = float(space.functions), space.occupied, space.empty
    if method == "DF-MP2":
        return 8 * 4 * FUNCTIONS * n * o * v / 1e6 * (2 if space.open_shell else 1)
    return 8 * 4 * (o * n) ** 2 / 1e6 * (3 if space.open_shell else 1)


def _advice(method: str) -> str:
    if method.startswith("CC"):
        return (
            "ask for DF-MP2, or a functional with D4, which go to far more atoms; or for a smaller "
            "basis set"
        )
    return "ask for DF-MP2, a functional with D4 or a smaller basis set, or for less"
