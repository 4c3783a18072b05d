"""The steps that find a saddle point and say whether it is the transition state."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from pydantic_graph import End

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import Convergence
from ontologies.transition import SaddleSearch, TransitionState
from ontologies.vibrations import Displacement, VibrationalAnalysis
from workflows.engine import Answer, Done, Executor, Finish, Node
from workflows.registry.levels import offered
from workflows.text.words import count

from .mode import changes_along, described, missed
from .pathway import FollowPath
from .state import Order, Position, Steps, TransitionSearch

REPAIRS = 2
"""How often a point with several imaginary modes is left along one that is too many."""

PUSH = 0.25
"""Å. The largest displacement of an atom when it is left, the second time twice that: so much that
the curvature along that mode is seen to be the lesser one, and the other one is gone up."""

MOST_SHOWN = 6


class FindSaddle(Node[TransitionSearch]):
    """Lead the geometry to a saddle point."""

    then: ClassVar[VerifySaddle | End[Finish]]
    only_calculates = True

    max_steps: Steps = 100
    convergence: Convergence = "normal"

    def precondition(self, situation: Position) -> str | None:
        if not situation.spanned:
            return "there is no guess yet"
        return "a stationary point is found" if situation.found else None

    def effect(self, situation: Position) -> Position:
        return Position(True, repairs=situation.repairs)

    def cost(self, situation: Position) -> float:
        return 50.0

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        call = offered(state.level).saddle_point(
            state.atoms, state.level, self.max_steps, convergence=self.convergence
        )
        return state.after(await executor.run(call), self.effect(state.situation))


class VerifySaddle(Node[TransitionSearch]):
    """Compute its vibrations: one mode is imaginary, along what was asked."""

    then: ClassVar[LeaveHigher | RecordState | End[Finish]]
    only_calculates = True

    def precondition(self, situation: Position) -> str | None:
        if not situation.found:
            return "there is no stationary point"
        return "its vibrations are known" if situation.order != "unknown" else None

    def effect(self, situation: Position) -> Position:
        return replace(situation, order="first")

    def cost(self, situation: Position) -> float:
        return 50.0

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        answer = await executor.run(offered(state.level).frequencies(state.atoms, state.level))
        order, why = judged(answer.result, state.along)
        return state.after(answer, replace(state.situation, order=order, why=why))


class LeaveHigher(Node[TransitionSearch]):
    """Push a point with several imaginary modes along the softest of them."""

    then: ClassVar[FindSaddle]
    only_calculates = True

    @property
    def said(self) -> str:
        return "several imaginary modes: displaced along the softest, searching again"

    def precondition(self, situation: Position) -> str | None:
        if situation.order != "higher":
            return "there are not several imaginary modes"
        if situation.repairs >= REPAIRS:
            return f"there still are after {REPAIRS} displacements"
        return None

    def effect(self, situation: Position) -> Position:
        return Position(repairs=situation.repairs + 1)

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        answer = state.latest(VibrationalAnalysis)
        source: VibrationalAnalysis = answer.result
        place = source.imaginary - 1  # sorted: the last of the imaginary ones is the softest
        mode = source.modes[place]
        push = PUSH * (state.situation.repairs + 1)
        longest = float(np.linalg.norm(mode, axis=1).max())
        atoms = source.atoms.moved_to(source.atoms.positions + mode * (push / longest))
        made = Displacement(
            wavenumber=float(source.wavenumbers[place]),
            amplitude=push,
            atoms=atoms,
            source=Link[VibrationalAnalysis](answer.recorded),
        )
        executor.record(made, durable=False)
        return Done(replace(state, atoms=atoms, situation=self.effect(state.situation)))


class RecordState(Node[TransitionSearch]):
    """Record the transition state."""

    then: ClassVar[FollowPath | End[Finish]]

    def precondition(self, situation: Position) -> str | None:
        if situation.order != "first":
            return situation.why or "no transition state is known"
        return "the transition state is recorded" if situation.recorded else None

    def effect(self, situation: Position) -> Position:
        return replace(situation, recorded=True)

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        found = transition_state(
            state.latest(SaddleSearch), state.latest(VibrationalAnalysis), state.guess
        )
        executor.record(found)
        return Done(replace(state, state=found, situation=self.effect(state.situation)))


def judged(found: VibrationalAnalysis, along: tuple[str, ...]) -> tuple[Order, str]:
    """Return what a stationary point is, and what keeps it from being the transition state."""
    if found.stationarity == "not stationary":
        return "not stationary", (
            f"the largest component of the gradient is {found.max_gradient:.1e} Eh/bohr: this is "
            "no stationary point; a finer `convergence` leads nearer to it"
        )
    if found.imaginary == 0:
        return "minimum", (
            "no mode is imaginary: this is a minimum, not a transition state; start nearer to the "
            "top of the barrier, such as from the highest point of a scan"
        )
    shown = ", ".join(f"{-wave:.0f}i" for wave in found.wavenumbers[: found.imaginary][:MOST_SHOWN])
    if found.imaginary > 1:
        return "higher", f"{count(found.imaginary, 'mode')} are imaginary ({shown} cm⁻¹), not one"
    why = missed(found.atoms, found.modes[0], along)
    if why:
        return "elsewhere", (
            f"the imaginary mode ({shown} cm⁻¹) is not along {', '.join(along)}: {why}; along it "
            f"are {described(found.atoms, found.modes[0])}"
        )
    return "first", ""


def transition_state(
    search: Answer[SaddleSearch], verified: Answer[VibrationalAnalysis], guess: ConceptualAtoms
) -> TransitionState:
    """Return the transition state of which search and vibrations are known."""
    found = verified.result
    most = changes_along(found.atoms, found.modes[0])[:MOST_SHOWN]
    remarks = [
        remark
        for one in (search, verified)
        for remark in one.result.remarks
        if not remark.startswith("bonds changed")
    ]
    return TransitionState(
        atoms=found.atoms,
        level=found.level,
        energy=found.energy,
        wavenumber=float(found.wavenumbers[0]),
        changing_pairs=np.array([one.members for one in most]) if most else None,
        distance_changes=np.array([one.rate for one in most]) if most else None,
        search=Link[SaddleSearch](search.recorded),
        frequencies=Link[VibrationalAnalysis](verified.recorded),
        remarks=tuple(dict.fromkeys(remarks)),
    )
