"""Two graphs without chemistry: one of commands to a device, one of calculations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
from pydantic import BaseModel, Field
from pydantic_graph import End

from ontologies.provenance import Run, Transition
from tests.engine import toys
from tests.engine.toys import Number
from workflows.engine import Done, Executor, Finish, Goal, Graph, Node, fan_out, run_all, run_graph

# --- a device ---


@dataclass(frozen=True)
class Mixer:
    """A vessel that is filled open and stirred closed. It is its own situation."""

    open: bool = False
    volume: float | None = None
    stirred: bool = False

    @property
    def situation(self) -> Mixer:
        return self

    @property
    def recorded(self) -> Sequence[str]:
        return ()

    product = None


class Command(Node[Mixer]):
    async def work(self, state: Mixer, executor: Executor) -> Done[Mixer]:
        return Done(self.effect(state))


class Open(Command):
    """Open the vessel."""

    then: ClassVar[Fill | Close]

    def precondition(self, situation: Mixer) -> str | None:
        return "it is open already" if situation.open else None

    def effect(self, situation: Mixer) -> Mixer:
        return replace(situation, open=True)


class Close(Command):
    """Close the vessel."""

    then: ClassVar[Open | Stir | End[Finish]]

    def precondition(self, situation: Mixer) -> str | None:
        return None if situation.open else "it is closed already"

    def effect(self, situation: Mixer) -> Mixer:
        return replace(situation, open=False)


class Fill(Command):
    """Fill the vessel."""

    then: ClassVar[Close]

    volume: Annotated[float, Field(gt=0, le=100)]

    def precondition(self, situation: Mixer) -> str | None:
        if not situation.open:
            return "it is closed"
        return "it is full" if situation.volume is not None else None

    def effect(self, situation: Mixer) -> Mixer:
        return replace(situation, volume=self.volume)


class Stir(Command):
    """Stir what is in the closed vessel."""

    then: ClassVar[Open | End[Finish]]

    def precondition(self, situation: Mixer) -> str | None:
        if situation.open:
            return "it is open"
        return "it is empty" if situation.volume is None else None

    def effect(self, situation: Mixer) -> Mixer:
        return replace(situation, stirred=True)


MIXER: Graph[Mixer] = Graph("mixer", Open, Close, Fill, Stir)


class MixRequest(BaseModel):
    volume: float | None = None

    def goal(self) -> Goal:
        return Goal(f"{self.volume} mL stirred", lambda at: at.stirred and at.volume == self.volume)


async def mix(
    executor: Executor, request: MixRequest | None = None, state: Mixer | None = None, **more
) -> Finish:
    request = request or MixRequest(volume=5.0)
    return await run_graph(
        MIXER, state or Mixer(), request, request.goal(), executor, subject="a mixer", **more
    )


# --- calculations ---


@dataclass(frozen=True)
class Level:
    """How far the growing is."""

    size: int = 0
    grown: bool = False
    failed: int = 0
    checked: bool = False


@dataclass(frozen=True)
class Garden:
    """Numbers that are doubled, all at once, until their sum is large enough."""

    numbers: tuple[float, ...]
    situation: Level = Level()
    recorded: tuple[str, ...] = ()
    product = None
    array: object = None

    @property
    def sum(self) -> float:
        return sum(self.numbers)


class Grow(Node[Garden]):
    """Double every number, each in a calculation of its own."""

    then: ClassVar[Check]

    tally: str = ""

    def effect(self, situation: Level) -> Level:
        return replace(situation, grown=True, checked=False)

    def precondition(self, situation: Level) -> str | None:
        return "it is grown already" if situation.grown else None

    async def work(self, state: Garden, executor: Executor) -> Done[Garden]:
        calls = {
            f"{place} {number:g}": toys.refuse.bind(Number(value=number))
            if number < 0
            else toys.double.bind(Number(value=number), self.tally)
            for place, number in enumerate(state.numbers)
        }
        parts = await run_all(executor, calls)
        if not parts.results:
            parts.all()
        after = replace(self.effect(state.situation), failed=len(parts.errors))
        numbers = tuple(answer.result.value for answer in parts.results.values())
        made = tuple(answer.recorded for answer in parts.results.values())
        return Done(
            replace(state, numbers=numbers, recorded=state.recorded + made, situation=after)
        )


class Check(Node[Garden]):
    """See whether the sum is large enough, else grow again."""

    then: ClassVar[Grow | End[Finish]]

    enough: float

    def precondition(self, situation: Level) -> str | None:
        return None if situation.grown else "nothing has grown"

    def effect(self, situation: Level) -> Level:
        return replace(situation, checked=True)

    async def work(self, state: Garden, executor: Executor) -> Done[Garden]:
        large = state.sum >= self.enough
        after = replace(state.situation, checked=large, grown=large)
        return Done(replace(state, situation=after))


GARDEN: Graph[Garden] = Graph("garden", Grow, Check)


class GrowRequest(BaseModel):
    enough: float = 100.0
    tally: str = ""

    def goal(self) -> Goal:
        return Goal(f"a sum of {self.enough:g}", lambda at: at.checked)


async def grow(executor: Executor, *numbers: float, enough: float = 1.0, **more) -> Finish:
    request = GrowRequest(enough=enough, tally=more.pop("tally", ""))
    first = Garden(numbers, array=np.array([1.25, 2.5]))
    state = more.pop("state", first)
    return await run_graph(
        GARDEN, state, request, request.goal(), executor, subject="a garden", **more
    )


# --- a graph whose step is other graphs ---


@dataclass(frozen=True)
class Estate:
    """Gardens by their names."""

    gardens: tuple[tuple[str, tuple[float, ...]], ...]
    situation: bool = False
    runs: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    recorded: tuple[str, ...] = ()
    product = None


class Season(Node[Estate]):
    """Let every garden grow, each in a run of its own."""

    then: ClassVar[End[Finish]]

    enough: float

    def precondition(self, situation: bool) -> str | None:
        return "it is over" if situation else None

    def effect(self, situation: bool) -> bool:
        return True

    async def work(self, state: Estate, executor: Executor) -> Done[Estate]:
        parts = await fan_out(
            executor,
            dict(state.gardens),
            lambda numbers: grow(executor, *numbers, enough=self.enough),
        )
        runs = tuple(finish.run for finish in parts.results.values())
        return Done(replace(state, situation=True, runs=runs, failures=tuple(parts.errors)))


ESTATE: Graph[Estate] = Graph("estate", Season)


def steps(executor: Executor, run: str) -> list[Transition]:
    """Return the steps of a run in their order."""
    found = executor.kg.find(Transition, run=executor.kg.pull(Run, run))
    return sorted(found, key=lambda step: step.index)
