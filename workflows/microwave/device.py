"""`Microwave`: a virtual synthesizer whose states live in the knowledge graph.

Each command asks the graph for the latest state, and the state after it is stored under the
device's name and its number. Of two processes that command the device from the
same state, the store keeps the state of one and refuses the other's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ogm import GraphModel, Link
from ogm.terms import time_ordered_id
from ontologies.laboratory import (
    HeatingParameters,
    PercentConversion,
    Synthesizer,
    SynthesizerCommand,
    SynthesizerState,
)
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.devices.command import RefusedError as RefusedError
from workflows.engine.devices.device import Device
from workflows.engine.devices.journal import Journal
from workflows.engine.devices.lease import BusyError as BusyError
from workflows.engine.devices.rules import UNTAUGHT, Taught

from .clock import Clock, SystemClock
from .situation import Parameters, Situation, spell

if TYPE_CHECKING:
    from .commands import Command

SPEED = 600.0
"""The virtual device counts ten minutes each second."""

SIGNS = 20
"""Signs of life during a heating, one a second at most."""


@dataclass(frozen=True)
class Bench:
    """The device as a run sees it.

    Attributes:
        device: the device.
        stored: its latest state; None for a device as it was delivered.
        made: IRIs of what the run has recorded, in order.
        reading: the conversion, if it was read since the last heating in this run.
        taught: the rules of the run.
    """

    device: Microwave
    stored: SynthesizerState | None
    made: tuple[str, ...] = ()
    reading: PercentConversion | None = None
    taught: Taught = UNTAUGHT

    @property
    def situation(self) -> Situation:
        """What a planner needs to know, at this moment."""
        situation = self.device.situation(self.stored)
        return replace(situation, measured=self.reading is not None, taught=self.taught)

    @property
    def version(self) -> str:
        """The number of its state."""
        return str(_step(self.stored))

    @property
    def recorded(self) -> Sequence[str]:
        """IRIs of the states and readings that the run has recorded."""
        return self.made

    @property
    def product(self) -> GraphModel | None:
        """None: states are among the results."""
        return None

    def with_state(self, state: SynthesizerState, measured: bool = False) -> Bench:
        """Return the bench with a new state."""
        made = (*self.made, state.iri)
        return replace(self, stored=state, made=made, reading=self.reading if measured else None)

    def with_reading(self, reading: PercentConversion) -> Bench:
        """Return the bench with a conversion that was read."""
        return replace(self, made=(*self.made, reading.iri), reading=reading)


class Microwave(Device[SynthesizerState, Bench]):
    """A virtual microwave synthesizer; devices come into being when they are named first.

    Args:
        executor: its graph keeps the states, its listener is told what happens.
        name: of the device.
        clock: tells when a heating is over.
        speed: how many seconds the device counts in one of the clock's; it takes effect with the
            next heating, whose state says it.

    Raises:
        InputError: a name or a speed that cannot be.
    """

    simulated = True

    def __init__(
        self,
        executor: Executor,
        name: str = "microwave",
        *,
        clock: Clock | None = None,
        speed: float = SPEED,
    ) -> None:
        if not 1e-3 <= speed <= 1e9:
            asked = f"a device with speed {speed:g} was asked for"
            raise InputError(asked, "", "give a speed from 0.001 to 1e9")
        self.synthesizer = Synthesizer(name=name)
        self.clock = clock or SystemClock()
        self.speed = speed
        super().__init__(executor, name)

    def _journal(self) -> Journal[SynthesizerState]:
        kg = self.executor.kg
        return Journal(kg, SynthesizerState, "step", synthesizer=self.synthesizer)

    def number(self, stored: SynthesizerState | None) -> int:
        return _step(stored)

    def bench(self, stored: SynthesizerState | None, since: Bench | None = None) -> Bench:
        return replace(since, stored=stored) if since else Bench(self, stored)

    def stored(self, bench: Bench) -> SynthesizerState | None:
        return bench.stored

    def came_by(self, stored: SynthesizerState) -> str:
        return stored.command.load(self.executor.kg).name if stored.command else "a command"

    def situation(self, stored: SynthesizerState | None) -> Situation:
        """Return what a stored state means now: a heating may be over by this time."""
        if stored is None:
            return Situation()
        last = stored.heatings[-1] if stored.heated and stored.heatings else None
        left = (finish(stored) - self.clock.now()) / timedelta(minutes=1) * stored.speed
        situation = Situation(
            stored.session is not None,
            stored.lid_open,
            stored.vial,
            *_tuple(stored.parameters),
            heated=None if last is None else _tuple(last),
        )
        if not stored.heating:
            return situation
        if left <= 0:
            return situation.after_heating
        # another computer's clock may be behind the one that began the heating
        return replace(situation, heating=True, remaining=min(left, situation.duration or left))

    def next_state(
        self, bench: Bench, situation: Situation, given: SynthesizerCommand
    ) -> SynthesizerState:
        """Record a command and the state that it leads to."""
        before = bench.stored
        session = before.session if before else None
        same_vial = before is not None and before.vial == situation.vial
        state = SynthesizerState(
            synthesizer=self.synthesizer,
            step=_step(before) + 1,
            previous=Link[SynthesizerState](before) if before else None,
            command=Link[SynthesizerCommand](given),
            since=given.given,
            session=(session or time_ordered_id()) if situation.session else None,
            lid_open=situation.lid_open,
            vial=situation.vial,
            parameters=_stored(situation.parameters),
            heating=situation.heating,
            heated=situation.heated is not None,
            heatings=before.heatings if before and same_vial else (),
            speed=self.speed,
        )
        self.executor.record(given, state)
        return state

    async def heating_over(self, bench: Bench) -> Bench:
        """Wait until the heating of a state is over, and record the state that follows."""
        state = bench.stored
        if state is None or not state.heating:
            return bench
        end = finish(state)
        pause = max(timedelta(seconds=1), (end - self.clock.now()) / SIGNS)
        while (now := self.clock.now()) < end:
            left = (end - now) / timedelta(minutes=1) * state.speed
            self.executor.emit(
                "frame",
                "HeatVial",
                stage="heating",
                remaining=left,
                text=f"heating, {spell(left)} left",
            )
            await self.clock.wait_until(min(end, now + pause))
        after = self.settled(state)
        assert after is not None
        return bench.with_state(after)

    def settled(self, stored: SynthesizerState | None) -> SynthesizerState | None:
        """Return a state, or the one that follows if it was a heating that is over.

        Whoever sees it first records it; it follows from the heating alone, so all record the same.
        """
        if stored is None or not stored.heating or self.clock.now() < finish(stored):
            return stored
        changes = {
            "step": stored.step + 1,
            "previous": Link[SynthesizerState](stored),
            "command": None,
            "since": finish(stored),
            "heating": False,
            "heated": True,
            "heatings": (*stored.heatings, stored.parameters),
        }
        after = stored.model_copy(update=changes)
        self.executor.record(after)
        return after

    def given(
        self, command: Command, stored: SynthesizerState | None, refusal: str = ""
    ) -> SynthesizerCommand:
        return SynthesizerCommand(
            synthesizer=self.synthesizer,
            name=command.verb,
            step=_step(stored),
            given=self.clock.now(),
            vial=command.names_vial,
            parameters=_stored(command.sets) if command.sets else None,
            refusal=refusal,
        )


def finish(state: SynthesizerState) -> datetime:
    """Return when the heating of a state is over."""
    return state.since + timedelta(minutes=(state.parameters.heating_duration or 0) / state.speed)


def _step(state: SynthesizerState | None) -> int:
    return state.step if state else 0


def _tuple(stored: HeatingParameters) -> Parameters:
    return Parameters(stored.heating_temperature, stored.heating_duration, stored.heating_pressure)


def _stored(parameters: Parameters) -> HeatingParameters:
    return HeatingParameters(
        heating_temperature=parameters.temperature,
        heating_duration=parameters.duration,
        heating_pressure=parameters.pressure,
    )
