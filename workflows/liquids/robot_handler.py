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

from .hardware import command_of
from .protocol import Protocol
from .script import call
from .simulator import Reading, SimulatedHandler
from .steps import Step


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
            self.bench: Any = self._robot.Bench(hardware.vials, hardware.liquids, hardware.tip)
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
            name, given = call(command_of(1, command, self._found.hardware.tip))
            if name != "wait":  # in a simulation
                await getattr(self.bench, name)(*given)
        self._move(command)
        if command.unit != "µL":
            return {}
        read = self.bench.volumes
        plates = (command.plate, *([command.to] if command.to else []))
        return {f"{one} {vial}": read[f"{one} {vial}"] for one in plates for vial in command.values}
