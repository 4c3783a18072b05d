"""A simulated handler whose operations PyLabRobot carries out, with its chatterbox backends."""

from __future__ import annotations

import importlib
import io
import math
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

from triplestore.errors import ComponentError
from workflows.engine.devices.command import RefusedError

from .protocol import Protocol
from .simulator import Reading, SimulatedHandler
from .steps import Step

LEAST_TIP = 1000.0
"""µL that a tip holds, where no stroke is larger."""


class RobotHandler(SimulatedHandler):
    """A handler that moves nothing: each operation is calls of PyLabRobot, whose trackers are read.

    PyLabRobot itself takes negative volumes and NaN; these are refused before it is called.

    Args:
        found: the protocol that it is to carry out; its plates and bottles are those of that.

    Raises:
        ComponentError: PyLabRobot is not installed.
    """

    def __init__(self, found: Protocol) -> None:
        super().__init__("pylabrobot")
        try:
            self._robot: Any = importlib.import_module(".robot", __package__)
        except ImportError as error:
            asked = "a simulation by PyLabRobot was asked for"
            raise ComponentError.extra(asked, "PyLabRobot", "lab") from error
        self._found = found
        self.begin(())

    def begin(self, done: Sequence[Step]) -> None:
        """Be where operations have led to."""
        super().begin(done)
        hardware = self._found.hardware
        drawn = dict[str, float]()
        for one in done:
            if one.action == "Add" and one.unit == "µL":
                drawn[one.parameter] = drawn.get(one.parameter, 0.0) + math.fsum(
                    one.values.values()
                )
        with redirect_stdout(io.StringIO()):
            self.bench: Any = self._robot.Bench(
                {
                    name: (*map(int, one.array.split("x")), one.capacity_uL)
                    for name, one in hardware.plates.items()
                },
                {n: one.needed for n, one in hardware.chemicals.items() if one.unit == "uL"},
                max(LEAST_TIP, self._found.design.tip.value),
            )
        for name, volume in drawn.items():
            tracker = self.bench.bottles[name].tracker
            tracker.set_volume(max(0.0, tracker.get_used_volume() - volume))
        for where, volume in self.volumes.items():
            plate, _, vial = where.rpartition(" ")
            self.bench.plates[plate][vial][0].tracker.set_volume(volume)
        self._begun = False

    async def do(self, command: Step, /) -> Reading:
        """Do one operation, and return what PyLabRobot's trackers have of the vials of it."""
        numbers = [*command.values.values(), *([] if command.value is None else [command.value])]
        for one in numbers:
            if not (math.isfinite(one) and one >= 0):
                asked = f"{self.name} was to do: {command}"
                raise RefusedError(asked, f"{one} is no amount", "give one from 0 on")
        self._check(command)
        with redirect_stdout(io.StringIO()):
            if not self._begun:
                await self.bench.setup()
                self._begun = True
            await self._called(command)
        self._move(command)
        if command.unit != "µL":
            return {}
        read = self.bench.volumes
        plates = (command.plate, *([command.to] if command.to else []))
        return {f"{one} {vial}": read[f"{one} {vial}"] for one in plates for vial in command.values}

    async def _called(self, one: Step) -> None:
        strokes = {vial: [dose] for vial, dose in one.values.items()}
        match one.action, one.parameter, one.unit:
            case "Add", name, "mg":
                await self.bench.weigh(name, one.plate, one.values)
            case "Add", name, _:
                await self.bench.add(name, one.plate, strokes)
            case "Transfer", _, "µL":
                await self.bench.transfer(one.plate, one.to, strokes)
            case "Set", "VortexRate", _:
                await self.bench.shake(one.plate, one.value)
            case "Set", "HeatingTemp", _:
                await self.bench.heat(one.plate, one.value)
            case "Set", "Delay", _:
                pass  # nothing is waited for in a simulation
            case _:
                await self.bench.person(str(one))
