"""How long tight binding will take, and how much memory, before it starts.

Counted are the orbitals of the minimal basis; what a cubed number of them costs was measured on one
core of an AMD EPYC (tblite 0.8 with the reference LAPACK of its wheel, November 2026, processor
time) with aspirin, alkanes up to C40H82 and clusters of up to 80 waters. On one core of another
processor C100H202 took 5.6 s with GFN2-xTB where this says 6.5, C166H334 27 s (27); with GFN1-xTB
10 s (15) and 36 s (63). Threads that spin while they wait made three to eight times of that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workflows.engine.request.cost import TOLD, Cost
from workflows.text.words import count

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.tightbinding import TightBinding
    from workflows.dft.request.forms import DFTRequest

CUBE, SQUARE = 24e-9, 3.5e-6
"""s. For the cubed and the squared number of orbitals, a whole solution from the usual guess."""

NEXT, AROUND = 0.8, 1.2
"""What a geometry beside one that was solved costs of that, and what a solvent makes of it."""

BASE, MATRICES = 350.0, 30
"""MB of the libraries; matrices of the size of the basis that are held at a time."""

IN_CELL = {"GFN1-xTB": 15e-6, "GFN2-xTB": 170e-6}
"""s. For the squared number of orbitals of a supercell: the sums over its images."""

SOFT = 1.0
"""Steps that an optimisation takes for each atom, beside a dozen."""


def orbitals(atoms: ConceptualAtoms, method: str) -> int:
    """Return about how many orbitals the minimal basis of a molecule or a cell has."""
    first = 2 if method == "GFN1-xTB" else 1
    return sum(first if number < 3 else 4 if number < 13 else 9 for number in atoms.numbers)


def seconds(atoms: ConceptualAtoms, method: str, request: DFTRequest) -> float:
    """Return how long a request takes on one core."""
    n, many = orbitals(atoms, method), len(atoms.numbers)
    once = CUBE * n**3 + SQUARE * n**2
    total = once
    if request.task != "energy" and many > 1:
        total += NEXT * once * min(request.max_steps, 12 + SOFT * many)
    if request.task == "frequencies" and many > 1:
        total += NEXT * once * 6 * many
    return total


def of_supercell(n: int, method: str, request: DFTRequest) -> float:
    """Return how long a crystal takes on one core, whose supercell has so many orbitals."""
    once = CUBE * n**3 + IN_CELL[method] * n**2
    steps = 1 if request.task == "energy" else request.max_steps
    return once * (1 + NEXT * (steps - 1))


def is_short(atoms: ConceptualAtoms, request: DFTRequest) -> bool:
    """Return whether a request takes less than a minute, whatever the details."""
    return 6 * seconds(atoms, "GFN1-xTB", request) < TOLD


def cost(atoms: ConceptualAtoms, level: TightBinding, request: DFTRequest) -> Cost:
    """Return what a request will take; more cores than one help little."""
    cells = 1 if level.supercell is None else int(level.supercell.prod())
    n = cells * orbitals(atoms, level.method)
    size = f"{count(cells * len(atoms.numbers), 'atom')} and {count(n, 'orbital')}"
    if level.supercell is None:
        time = seconds(atoms, level.method, request) * (AROUND if level.solvation else 1.0)
    else:
        time = of_supercell(n, level.method, request)
    return Cost(
        size,
        time,
        BASE + MATRICES * 8 * n**2 / 1e6,
        factor=4.0,
        advice="ask for a smaller molecule, or for less",
    )
