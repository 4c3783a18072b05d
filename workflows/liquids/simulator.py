"""Handlers of liquids: what a driver of one is, and one that is simulated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias

from workflows.engine.devices.command import Driver, RefusedError

from .steps import Step

Reading: TypeAlias = Mapping[str, float]
"""µL of liquid, by plate and vial: `Plate 1 A1`."""


class Handler(Driver[Step, Reading], Protocol):
    """A handler of liquids. It does one operation, and reads the vials that it has to do with.

    Attributes:
        precision: relative, of what it reads.
    """

    @property
    def precision(self) -> float: ...

    def begin(self, done: Sequence[Step]) -> None:
        """Take over from where operations have led to that are stored as done.

        A simulated one is put there.

        Raises:
            RefusedError: the device does not stand like that.
        """
        ...


class SimulatedHandler:
    """A handler that moves nothing: it counts the liquid in its vials, and knows which are capped.

    It knows nothing of the design, nor of what is in a vial.

    Args:
        name: of the device.
    """

    simulated = True
    halt = None
    precision = 1e-9

    def __init__(self, name: str = "simulator") -> None:
        self.name = name
        self.volumes = defaultdict[str, float](float)
        self._capped = set[str]()

    def begin(self, done: Sequence[Step]) -> None:
        """Be where operations have led to."""
        self.volumes.clear()
        self._capped.clear()
        for one in done:
            self._move(one)

    async def do(self, command: Step, /) -> Reading:
        """Do one operation, and return the volumes that it has changed."""
        self._check(command)
        self._move(command)
        vials = [f"{command.plate} {vial}" for vial in command.values]
        vials += [f"{command.to} {vial}" for vial in command.values if command.to]
        moved = command.unit == "µL"
        return {vial: self.volumes[vial] for vial in vials if moved}

    def _check(self, one: Step) -> None:
        """Refuse what a device cannot do.

        Raises:
            RefusedError: that is so.
        """
        asked, shut = f"{self.name} was to do: {one}", one.plate in self._capped
        if one.action == "Add" and shut:
            raise RefusedError(asked, f"the vials of {one.plate} are capped", "uncap them first")
        if one.action == "Transfer" and one.values:
            if shut and "septum" not in one.note:
                raise RefusedError(asked, f"the vials of {one.plate} are capped", "uncap them")
            for vial, part in one.values.items():
                there = self.volumes[f"{one.plate} {vial}"]
                if part > there * (1 + 1e-9):
                    raise RefusedError(asked, f"{vial} holds {there:g} µL", "take less")
        if one.runs and not self._capped:
            raise RefusedError(asked, "no vials are capped", "cap them first")

    def _move(self, one: Step) -> None:
        if one.parameter == "Cap":
            self._capped.add(one.plate)
        elif one.parameter == "Uncap":
            self._capped.discard(one.plate)
        if one.unit != "µL":
            return
        for vial, amount in one.values.items():
            if one.action == "Transfer":
                self.volumes[f"{one.plate} {vial}"] -= amount
                self.volumes[f"{one.to} {vial}"] += amount
            else:
                self.volumes[f"{one.plate} {vial}"] += amount
