"""`Microwave`: a virtual synthesizer whose states live in the knowledge graph.

Each command asks the graph for the latest state, and the state after it is stored under the
device's name and its number. Of two processes that command the device from the
same state, the store keeps the state of one and refuses the other's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from ogm import Link
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
from workflows.engine.devices.clock import Clock, SystemClock, waited
from workflows.engine.devices.clock import ManualClock as ManualClock
from workflows.engine.devices.device import Device, StoredBench
from workflows.engine.devices.journal import Journal
from workflows.engine.devices.lease import BusyError as BusyError
from workflows.engine.devices.meaning import done, ended
from workflows.engine.devices.standing import Standing

from .kinetics import MODEL, percent_conversion
from .situation import CARD, SETTINGS, Parameters, parameters, situation

SPEED = 600.0
"""The virtual device counts ten minutes each second."""


@dataclass(frozen=True)
class Bench(StoredBench):
    """The device as a run sees it.

    Attributes:
        reading: the conversion, if it was read since the last heating in this run.
    """

    device: Microwave
    stored: SynthesizerState | None
    reading: PercentConversion | None = None

    @property
    def situation(self) -> Standing:
        """What a planner needs to know, at this moment."""
        return super().situation.but(measured=self.reading is not None)

    def with_state(self, state: SynthesizerState, measured: bool = False) -> Bench:
        """Return the bench with a new state."""
        made = (*self.made, state.iri)
        return replace(self, stored=state, made=made, reading=self.reading if measured else None)


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
        self.synthesizer, self.speed = Synthesizer(name=name), speed
        self.clock = clock or SystemClock()
        super().__init__(executor, name)

    def _journal(self) -> Journal[SynthesizerState]:
        kg = self.executor.kg
        return Journal(kg, SynthesizerState, "step", synthesizer=self.synthesizer)

    def number(self, stored: SynthesizerState | None) -> int:
        return stored.step if stored else 0

    def bench(self, stored: SynthesizerState | None) -> Bench:
        return Bench(self, stored)

    def came_by(self, stored: SynthesizerState) -> str:
        return stored.command.load(self.executor.kg).name if stored.command else "a command"

    def situation(self, stored: SynthesizerState | None) -> Standing:
        """Return what a stored state means now: a heating may be over by this time."""
        if stored is None:
            return situation()
        last = stored.heatings[-1] if stored.heated and stored.heatings else HeatingParameters()
        at = situation(
            session=stored.session is not None,
            lid_open=stored.lid_open,
            vial=stored.vial,
            heated=stored.heated,
            **_values(stored.parameters),
            **{f"heated_{name}": value for name, value in _values(last).items()},
        )
        if not stored.heating:
            return at
        left = (finish(stored) - self.clock.now()).total_seconds() * stored.speed
        begun = done(CARD, "heat_vial", {"heat": True}, at)
        if left <= 0:
            return ended(CARD, begun)
        # another computer's clock may be behind the one that began the heating
        heating = replace(begun.underway[0], left=min(left, begun.remaining))
        return replace(begun, underway=(heating,))

    def next_state(
        self,
        before: SynthesizerState | None,
        at: Standing,
        since: datetime,
        given: SynthesizerCommand | None = None,
    ) -> SynthesizerState:
        """Record the state that a command, or the end of a heating, leads to."""
        session = before.session if before else None
        heatings = before.heatings if before and before.vial == at.vial else ()
        if before and before.heating:
            heatings = (*heatings, before.parameters)
        state = SynthesizerState(
            synthesizer=self.synthesizer,
            step=self.number(before) + 1,
            previous=Link[SynthesizerState](before) if before else None,
            command=Link[SynthesizerCommand](given) if given else None,
            since=since,
            session=(session or time_ordered_id()) if at.session else None,
            lid_open=at.lid_open,
            vial=at.vial,
            parameters=_stored(parameters(at)),
            heating=at.heating,
            heated=at.heated,
            heatings=heatings,
            speed=self.speed if given or before is None else before.speed,
        )
        self.executor.record(*filter(None, [given, state]))
        return state

    def measured(self, bench: Bench, given: SynthesizerCommand) -> Bench:
        """Read the conversion, and record it."""
        state = bench.stored
        assert state is not None  # a heated vial has a state
        reading = PercentConversion(
            state=Link[SynthesizerState](state),
            conversion=percent_conversion(state.heatings),
            simulated=True,
            method=MODEL,
        )
        self.executor.record(given, reading)
        return replace(bench, made=(*bench.made, reading.iri), reading=reading)

    async def heating_over(self, bench: Bench) -> Bench:
        """Wait until the heating of a state is over, and record the state that follows."""
        state = bench.stored
        if state is None or not state.heating:
            return bench
        end = finish(state)
        await waited(self.clock, end, state.speed, self.executor, "HeatVial", "heating")
        after = self.settled(state)
        assert after is not None
        return bench.with_state(after)

    def settled(self, stored: SynthesizerState | None) -> SynthesizerState | None:
        """Return a state, or the one that follows if it was a heating that is over.

        Whoever sees it first records it; it follows from the heating alone, so all record the same.
        """
        if stored is None or not stored.heating or self.clock.now() < finish(stored):
            return stored
        at = ended(CARD, self.situation(stored))  # at once, where the clock says so already
        return self.next_state(stored, at, finish(stored))

    def given(
        self, command: Any, stored: SynthesizerState | None, refusal: str = ""
    ) -> SynthesizerCommand:
        said = command.arguments
        return SynthesizerCommand(
            synthesizer=self.synthesizer,
            name=command.verb,
            step=self.number(stored),
            given=self.clock.now(),
            vial=said.get("vial"),
            parameters=_stored(said) if said.keys() >= SETTINGS.keys() else None,
            refusal=refusal,
        )


def finish(state: SynthesizerState) -> datetime:
    """Return when the heating of a state is over."""
    return state.since + timedelta(minutes=(state.parameters.heating_duration or 0) / state.speed)


def _values(found: HeatingParameters) -> Parameters:
    return {name: getattr(found, f"heating_{name}") for name in SETTINGS}


def _stored(values: Parameters) -> HeatingParameters:
    return HeatingParameters(**{f"heating_{name}": values[name] for name in SETTINGS})
