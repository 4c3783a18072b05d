"""The commands of the device, each a class: what it needs and makes says the card."""

from __future__ import annotations

from typing import Any

from ontologies.laboratory import SynthesizerCommand
from workflows.engine import Done, Executor
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.typed import TypedCommand, typed
from workflows.engine.graph.effects import Target

from .device import Bench, Microwave
from .situation import CARD, told


class Command(TypedCommand):
    """A command of the device. A person agrees to each, although nothing moves."""

    effects = frozenset({"device"})

    def effects_on(self, state: Bench) -> frozenset[str]:
        return frozenset()

    def target(self, state: Bench) -> Target:
        return Target(state.device.name, state.version)

    def checks(self, situation: Standing) -> tuple[str, ...]:
        return (told(situation),)

    async def work(self, state: Bench, executor: Executor) -> Done[Any]:
        return Done(self._noted(await self.send(state.device, state)))

    async def send(self, device: Microwave, since: Bench | None) -> Bench:
        bench = device.perform(self, since)
        return await device.heating_over(bench) if self.waits else bench

    def carry_out(self, bench: Bench, given: SynthesizerCommand) -> Bench:
        after = self.change(bench.situation)
        if self.called == "get_percent_conversion":
            return bench.device.measured(bench, given)
        state = bench.device.next_state(bench.stored, after, given.given, given)
        return bench.with_state(state, after.measured)


(
    AllocateSession,
    OpenLid,
    CloseLid,
    LoadVial,
    UnloadVial,
    UpdateHeatingParameters,
    HeatVial,
    GetPercentConversion,
) = COMMANDS = typed(CARD, Command)
