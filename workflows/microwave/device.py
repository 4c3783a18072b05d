"""`Microwave`: a virtual synthesizer whose states live in the knowledge graph.

Each command asks the graph for the latest state, and the state after it is stored under the
device's name and its number. Of two processes that command the device from the
same state, the store keeps the state of one and refuses the other's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Self

from ogm import Link
from ogm.terms import time_ordered_id
from ontologies.laboratory import (
    HeatingParameters,
    PercentConversion,
    Synthesizer,
    SynthesizerCommand,
    SynthesizerState,
)
from workflows.engine.devices.clock import ManualClock as ManualClock
from workflows.engine.devices.clock import SystemClock as SystemClock
from workflows.engine.devices.command import RefusedError as RefusedError
from workflows.engine.devices.device import Device, StoredBench
from workflows.engine.devices.lease import BusyError as BusyError
from workflows.engine.devices.meaning import done
from workflows.engine.devices.standing import Standing

from .commands import CARD, SETTINGS, Parameters, parameters, situation
from .kinetics import MODEL, percent_conversion


@dataclass(frozen=True)
class Bench(StoredBench):
    """The device as a run sees it.

    Attributes:
        reading: the conversion, if it was read since the last heating in this run.
    """

    reading: PercentConversion | None = None

    @property
    def situation(self) -> Standing:
        return super().situation.but(measured=self.reading is not None)

    def with_state(self, state: SynthesizerState) -> Self:
        old = self.stored
        same = old and (state.vial, state.heating, state.heatings) == (
            old.vial,
            False,
            old.heatings,
        )
        return replace(super().with_state(state), reading=self.reading if same else None)


class Microwave(Device[Bench]):
    """A virtual microwave synthesizer; devices come into being when they are named first."""

    simulated, card, field = True, CARD, "synthesizer"
    model_kind, state_kind = Synthesizer, SynthesizerState
    usual_speed = 600.0  # ten minutes each second
    goes_on = ("HeatVial", "heating")

    def bench(self, stored: SynthesizerState | None) -> Bench:
        return Bench(self, stored)

    def ends(self, stored: SynthesizerState | None) -> datetime | None:
        if stored is None or not stored.heating:
            return None
        minutes = stored.parameters.heating_duration or 0
        return stored.since + timedelta(minutes=minutes / stored.speed)

    def situation(self, stored: SynthesizerState | None) -> Standing:
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
        return self.later(stored, done(CARD, "heat_vial", {"heat": True}, at))

    def next_state(
        self,
        before: SynthesizerState | None,
        at: Standing,
        since: datetime,
        given: SynthesizerCommand | None = None,
    ) -> SynthesizerState:
        session = before.session if before else None
        heatings = before.heatings if before and before.vial == at.vial else ()
        state = SynthesizerState(
            synthesizer=self.model,
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
            heatings=(*heatings, before.parameters) if before and before.heating else heatings,
            speed=self.speed if given or before is None else before.speed,
        )
        self.executor.record(*([given] if given else []), state)
        return state

    def measured(self, bench: Bench, given: SynthesizerCommand) -> Bench:
        """Read the conversion, and record it."""
        reading = PercentConversion(
            state=Link[SynthesizerState](bench.stored),  # a heated vial has a state
            conversion=percent_conversion(bench.stored.heatings),
            simulated=True,
            method=MODEL,
        )
        self.executor.record(given, reading)
        return replace(bench, made=(*bench.made, reading.iri), reading=reading)

    def given(
        self, command: Any, stored: SynthesizerState | None, refusal: str = ""
    ) -> SynthesizerCommand:
        said = command.arguments
        return SynthesizerCommand(
            synthesizer=self.model,
            name=command.verb,
            step=self.number(stored),
            given=self.clock.now(),
            vial=said.get("vial"),
            parameters=_stored(said) if said.keys() >= SETTINGS.keys() else None,
            refusal=refusal,
        )


def _values(found: HeatingParameters) -> Parameters:
    return {name: getattr(found, f"heating_{name}") for name in SETTINGS}


def _stored(values: Parameters) -> HeatingParameters:
    return HeatingParameters(**{f"heating_{name}": values[name] for name in SETTINGS})
