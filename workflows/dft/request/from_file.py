"""Thermochemistry of vibrations that were read from a file, where somebody accepts these."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.outputs import ImportedLevel, ImportedVibrations
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given, Prepared
from workflows.outputs.answering import accepted, accepted_vibrations, read_results
from workflows.registry.levels import LevelForm, StoredLevel

from ..graphs.situation import DFTState, Situation
from .forms import PROPERTIES, DFTRequest


async def from_file(
    given: Given[ConceptualAtoms], request: DFTRequest, wanted: LevelForm, executor: Executor
) -> Prepared[DFTState] | None:
    """Return a request whose vibrations are known from a file, at a minimum; None where none are.

    They are taken where somebody accepts what was read, and the level agrees, or where nobody named
    one and the molecule is that of the file: then it is the level of the file. Why none is taken is
    told, and they are computed.

    Raises:
        InputError: a run that was read is gone on with as it was asked, which computes nothing.
    """
    again = isinstance(wanted, StoredLevel)
    if request.task != "frequencies" or executor.recompute:
        return None
    if accepted not in executor.policy.accepting and not again:
        return None
    level, named = await _meant(given, wanted, executor)
    if level is None or (again and not isinstance(level, ImportedLevel)):
        return None
    atoms = given.model
    found = accepted_vibrations(executor.kg, atoms, level)
    answer, others = found.answer, [one.called for one in request.wanted]
    if answer is not None and not others:
        read = answer.result.level
        state = DFTState(
            answer.result.atoms if answer.motion.is_rest else atoms,
            read,
            Situation("minimum", energy=True, lacking=_all_lacking()),
            (answer,),
        )
        return Prepared(
            state,
            request.goal(),
            (atoms, read),
            f"{atoms.formula} at {read.label}",
            remarks=(
                f"the vibrations are those of {answer.result.place}, not computed here",
                *found.notes,
            ),
            level=StoredLevel(method=read.method, level=read.iri),
        )
    why = [*found.notes]
    if answer is not None:
        why = [f"{', '.join(others)}: no file answers that"]
    elif not why:
        why = ["no vibrations of this structure were read from a file"]
    if isinstance(level, ImportedLevel):
        if again or answer is None:
            raise InputError(
                f"frequencies of {atoms.formula} at {level.label} were asked for",
                "; ".join(why),
                "name a level (`level`), such as B3LYP/def2-SVP, to compute them here",
            )
        return None
    for reason in why:
        advice = "; without method and basis set the level of the file is taken" * named
        executor.emit("warning", "frequencies", reason=f"{reason}{advice}")
    return None


async def _meant(
    given: Given[ConceptualAtoms], wanted: LevelForm, executor: Executor
) -> tuple[Level | None, bool]:
    """Return the level that is asked for, and whether that of a file is passed by for it."""
    read = read_results(executor.kg, given.text)
    if read and "method" in wanted.left_open and read[-1].atoms == given.model:
        return read[-1].level, False
    resolved = await wanted.resolve(given.model, executor)
    return resolved.level, bool(read)


def not_taken_over(
    text: str, request: DFTRequest, wanted: LevelForm, executor: Executor
) -> Iterator[str]:
    """Say of a molecule that is named by what was read that the level of its file is not taken."""
    if "method" not in wanted.left_open:
        return
    for one in read_results(executor.kg, text)[-1:]:
        yield (
            f"the geometry is that of {one.place}; its level, {one.level.label}, is not taken "
            "over: name one (`level`) to compute at another than the usual"
        )
        if request.task == "frequencies" and isinstance(one, ImportedVibrations):
            yield "thermochemistry of the vibrations that were read (`accept` imported)"


def _all_lacking() -> frozenset[str]:
    """Return all that cannot be computed at the level of a file."""
    return frozenset({*(one.name for one in PROPERTIES), "forces"})
