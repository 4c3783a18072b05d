"""The steps from a transition state down to both sides, and the barriers between these."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic_graph import End

from ogm import Link
from ontologies.quantum import Convergence, EnergyResult
from ontologies.transition import PathBranch, PathEnd
from ontologies.vibrations import Treatment, VibrationalAnalysis
from workflows.dft.properties.thermo import activated_thermochemistry, thermochemistry
from workflows.dft.request.forms import Pressure, Temperature
from workflows.engine import Answer, Done, Executor, Finish, Node, fan_out
from workflows.molecule.identify import identify
from workflows.registry.levels import offered

from .barrier import barrier_of
from .ends import elsewhere, path_of
from .request import Upto
from .state import Position, Steps, TransitionSearch


class FollowPath(Node[TransitionSearch]):
    """Follow the intrinsic reaction coordinate down to both sides, in parallel."""

    then: ClassVar[RelaxEnds]

    path_steps: Steps = 200

    def precondition(self, situation: Position) -> str | None:
        if not situation.recorded:
            return "there is no transition state"
        return "both sides are known" if situation.followed else None

    def effect(self, situation: Position) -> Position:
        return replace(situation, followed=True)

    def cost(self, situation: Position) -> float:
        return 100.0

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        verified = state.latest(VibrationalAnalysis)
        # as it is stored, since what was moved has no IRI; the path is moved in its place
        stored = executor.kg.pull(VibrationalAnalysis, verified.recorded)
        program = offered(state.level)

        async def follow(forward: bool) -> Answer[PathBranch]:
            call = program.reaction_path(stored, forward, self.path_steps)
            answer = await executor.run(call)
            return replace(answer, result=answer.result.transformed(verified.motion))

        sides = {"one side": True, "the other side": False}
        found = (await fan_out(executor, sides, follow)).all()
        branches = tuple(found.values())
        return Done(replace(state, branches=branches, situation=self.effect(state.situation)))


class RelaxEnds(Node[TransitionSearch]):
    """Relax both ends and, where barriers are asked for, compute their vibrations."""

    then: ClassVar[RecordPath]

    max_steps: Steps = 100
    convergence: Convergence = "normal"
    upto: Upto = "barrier"

    def precondition(self, situation: Position) -> str | None:
        if not situation.followed:
            return "the path is not known"
        return "the ends are relaxed" if situation.relaxed else None

    def effect(self, situation: Position) -> Position:
        return replace(situation, relaxed=True, minima=self.upto == "barrier")

    def cost(self, situation: Position) -> float:
        return 100.0

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        program, level = offered(state.level), state.level

        async def relax(branch: Answer[PathBranch]) -> tuple[Answer[EnergyResult], ...]:
            call = program.optimise(
                branch.result.atoms, level, self.max_steps, convergence=self.convergence
            )
            relaxed = await executor.run(call)
            if self.upto != "barrier":
                return (relaxed,)
            return relaxed, await executor.run(program.frequencies(relaxed.result.atoms, level))

        keys = ("one end", "the other end")
        ends = (await fan_out(executor, dict(zip(keys, state.branches, strict=True)), relax)).all()
        looks = [one.result for end in ends.values() for one in end]
        labels = [one.stationarity for one in looks if isinstance(one, VibrationalAnalysis)]
        minima = len(labels) == len(ends) and set(labels) == {"minimum"}
        situation = replace(state.situation, relaxed=True, minima=minima)
        return Done(replace(state, ends=tuple(ends.values()), situation=situation))


class RecordPath(Node[TransitionSearch]):
    """Name both ends, compare their bonds and record the path."""

    then: ClassVar[RateBarrier | End[Finish]]

    def precondition(self, situation: Position) -> str | None:
        if not situation.relaxed:
            return "the ends are not known"
        return "the path is recorded" if situation.connected else None

    def effect(self, situation: Position) -> Position:
        return replace(situation, connected=True)

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        assert state.state is not None  # the path begins there
        ends = [
            await asyncio.to_thread(end_of, branch, found)
            for branch, found in zip(state.branches, state.ends, strict=True)
        ]
        told = [
            remark
            for found in state.ends
            for one in found
            for remark in one.result.remarks
            if not remark.startswith("bonds changed")
        ]
        path = path_of(state.state, ends, [*elsewhere(ends, state.given), *told])
        executor.record(path)
        return Done(replace(state, path=path, situation=self.effect(state.situation)))


class RateBarrier(Node[TransitionSearch]):
    """Compute the barriers from both ends, and the rate constants over them."""

    then: ClassVar[End[Finish]]

    temperature: Temperature = 298.15
    pressure: Pressure = 101325.0
    treatment: Treatment = "harmonic"

    def precondition(self, situation: Position) -> str | None:
        if not situation.connected:
            return "the path is not known"
        if not situation.minima:
            return "an end of the path is not known to be a minimum"
        return "the barriers are known" if situation.rated else None

    def effect(self, situation: Position) -> Position:
        return replace(situation, rated=True)

    async def work(self, state: TransitionSearch, executor: Executor) -> Done[TransitionSearch]:
        path = state.path
        assert path is not None  # it is connected
        iris = (
            path.transition_state.frequencies.iri,
            path.reactant.result.iri,
            path.product.result.iri,
        )
        looks = [executor.kg.pull(VibrationalAnalysis, iri) for iri in iris]
        calls = (activated_thermochemistry, thermochemistry, thermochemistry)
        heats = [
            await executor.run(
                call.bind(look, self.temperature, self.pressure, treatment=self.treatment)
            )
            for call, look in zip(calls, looks, strict=True)
        ]
        barriers = tuple(
            barrier_of(path, reverse, heats[0], (heats[1], heats[2])) for reverse in (False, True)
        )
        for one in barriers:
            executor.record(one)
        situation = self.effect(state.situation)
        return Done(replace(state, barriers=barriers, heats=tuple(heats), situation=situation))


def end_of(branch: Answer[PathBranch], found: Sequence[Answer[Any]]) -> PathEnd:
    """Return what one side of a path leads to.

    Args:
        branch: the side.
        found: the optimisation of its end, and its vibrations if they are known.
    """
    last: EnergyResult = found[-1].result
    label = last.stationarity if isinstance(last, VibrationalAnalysis) else None
    return PathEnd(
        atoms=last.atoms,
        smiles=identify(last.atoms).smiles,
        energy=last.energy,
        stationarity=label,
        result=Link[EnergyResult](found[-1].recorded),
        branch=Link[PathBranch](branch.recorded),
    )
