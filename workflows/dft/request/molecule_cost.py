"""The estimated cost of a request for one molecule, whatever its level."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from triplestore.errors import InputError
from workflows.engine.request.cost import TOLD, Cost, Granted
from workflows.engine.request.learning import Past, learn
from workflows.engine.request.measured import Measured
from workflows.registry.levels import offered

from .forms import DFTRequest, crystal_wish

if TYPE_CHECKING:
    from workflows.engine import Call, Executor

SMALL = 4
"""Atoms up to which nothing is estimated: reading a basis set takes longer than many an SCF."""

OTHER_LEVEL, OTHER_PROCESSOR = 0.25, 0.25
"""How much less what was measured at another level, or on another processor, tells."""


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
        if atoms.is_periodic and "crystal_energy" not in program.calculations:
            return None
        if len(atoms.numbers) <= SMALL and not atoms.is_periodic:
            return None
        if granted.hours * 3600 >= TOLD and program.is_short(atoms, level, self.request):
            return None
        if not executor.recompute and _is_remembered(self, executor):
            return None  # before the program is loaded, which takes longer than to remember
        try:
            return corrected(self, program.cost(atoms, level, self.request, granted), granted)
        except InputError:  # the calculation will say so, and the record of its run
            return None


def corrected(part: MoleculeCost, thought: Cost, granted: Granted) -> Cost:
    """Return an estimate, corrected by what like calculations took.

    An optimisation is compared with optimisations, second derivatives with such. What a request
    asks for besides is thought to be off by as much.

    Raises:
        InputError: the level does not suit the elements.
    """
    measured = granted.measured
    if measured is None:
        return thought
    known = before = seconds = far = 0.0
    for name, request in _stages(part.request):
        program = offered(part.level)
        after = program.cost(part.atoms, part.level, request, granted).seconds
        own = after - before
        past = measured.past(
            (name, part.level.iri, request.max_steps),
            functools.partial(_past, name, request, part.level, granted, measured),
        )
        lesson = learn(own, thought.factor, past)
        known, before = known + own, after
        seconds += own * lesson.times
        far += own * lesson.times * math.log(lesson.factor)
    if known <= 0 or seconds <= 0:
        return thought
    return replace(
        thought, seconds=thought.seconds * seconds / known, factor=math.exp(far / seconds)
    )


def _stages(request: DFTRequest) -> Iterator[tuple[str, DFTRequest]]:
    """Iterate over the calculations of a task, each with the request that ends with it."""
    if request.task == "energy":
        yield "energy", DFTRequest()
        return
    yield "optimise", DFTRequest(task="optimise", max_steps=request.max_steps)
    if request.task == "frequencies":
        yield "frequencies", DFTRequest(task="frequencies", max_steps=request.max_steps)


def _past(
    name: str, request: DFTRequest, level: Level, granted: Granted, measured: Measured
) -> Iterator[Past]:
    """Iterate over what calculations of a kind took, beside what they were thought to take."""
    calculation = offered(level).calculation(name).name
    before = request.model_copy(update={"task": "optimise"}) if name == "frequencies" else None
    for took in measured.of(calculation, level.iri):
        atoms = next((one for one in took.used if isinstance(one, ConceptualAtoms)), None)
        at = next((one for one in took.used if isinstance(one, Level)), None)
        if atoms is None or at is None or type(at) is not type(level):
            continue
        program, share = offered(at), replace(granted, threads=took.threads)
        with suppress(InputError):
            thought = program.cost(atoms, at, request, share).seconds
            if before is not None:
                thought -= program.cost(atoms, at, before, share).seconds
            weight = 1.0 if at.iri == level.iri else OTHER_LEVEL
            if measured.processors and took.processor not in measured.processors:
                weight *= OTHER_PROCESSOR
            yield Past(thought, took.seconds, weight)


def _is_remembered(part: MoleculeCost, executor: Executor) -> bool:
    """Whether what takes longest of a request is known."""
    from workflows.geometry.constraint_text import constraints_of

    if part.call is not None:
        return executor.recall(part.call) is not None
    atoms, level, request = part.atoms, part.level, part.request
    program = offered(level)
    if request.task != "energy" and atoms.is_periodic:
        with suppress(InputError):
            call = program.relax_crystal(atoms, level, **crystal_wish(request, atoms))
            return executor.recall(call) is not None
        return False
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
    lengthy = [one for one in request.wanted if one.effort_of(request).is_lengthy]
    calls = [program.property_of(one, atoms, level, one.arguments(request)) for one in lengthy]
    if calls:
        return all(executor.recall(call) is not None for call in calls)
    return executor.recall(program.energy(atoms, level)) is not None
