"""The estimated cost of a request for one molecule, whatever its level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from triplestore.errors import InputError
from workflows.engine.request.cost import TOLD, Cost, Granted
from workflows.levels import offered

from .forms import DFTRequest

if TYPE_CHECKING:
    from workflows.engine import Call, Executor

SMALL = 4
"""Atoms up to which nothing is estimated: reading a basis set takes longer than many an SCF."""


@dataclass(frozen=True)
class MoleculeCost:
    """One of the calculations that something consists of.

    Attributes:
        atoms: the molecule, or as large a one.
        level: its level of theory.
        request: what is asked of it.
        call: the calculation, if it is one only and known already.
    """

    atoms: ConceptualAtoms
    level: Level
    request: DFTRequest
    call: Call[Any] | None = None

    @property
    def label(self) -> str:
        """What it is."""
        return f"{self.atoms.formula} at {self.level.label}"

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        """Return what it will take; None where that is not worth an estimate.

        What is remembered takes no time; a few atoms take none worth an estimate; for a graphics
        card nothing was measured.
        """
        atoms, level, program = self.atoms, self.level, offered(self.level)
        if executor.slots.gpus and program.energy(atoms, level).calculation.wants_card:
            return None
        if len(atoms.numbers) <= SMALL or atoms.is_periodic:
            return None
        if granted.hours * 3600 >= TOLD and program.is_short(atoms, level, self.request):
            return None
        if not executor.recompute and _is_remembered(self, executor):
            return None  # before the program is loaded, which takes longer than to remember
        try:
            return program.cost(atoms, level, self.request, granted)
        except InputError:  # the calculation will say so, and the record of its run
            return None


def _is_remembered(part: MoleculeCost, executor: Executor) -> bool:
    """Whether what takes longest of a request is known."""
    from workflows.geometry.constraint_text import constraints_of

    if part.call is not None:
        return executor.recall(part.call) is not None
    atoms, level, request = part.atoms, part.level, part.request
    program = offered(level)
    if request.task != "energy":
        try:
            held = constraints_of(request.constraints, atoms)
        except InputError:
            return False
        relaxed = executor.recall(
            program.optimise(
                atoms, level, request.max_steps, convergence=request.convergence, constraints=held
            )
        )
        if request.task == "optimise":
            return relaxed is not None
        last = relaxed.result.atoms if relaxed else atoms
        return executor.recall(program.frequencies(last, level)) is not None
    if request.states:
        asked = request.states, request.response, request.spin, request.solvent_response
        return executor.recall(program.excite(atoms, level, *asked)) is not None
    return executor.recall(program.energy(atoms, level)) is not None
