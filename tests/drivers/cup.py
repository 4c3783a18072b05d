"""A module that drives a cup, whose world is a file: a line for each thing that it does."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path

from ogm import Link
from ontologies.operations import Operation, OperationEnd
from tests.agreeing import agreeing
from workflows.drivers.files import card_of
from workflows.drivers.module_device import ModuleDevice
from workflows.drivers.reading import read_module
from workflows.engine import Executor
from workflows.engine.devices.brought import Ran, brought
from workflows.engine.devices.card import Card
from workflows.engine.devices.operations import Said
from workflows.trust.programs import program_of, trust

HEAD = """
import os, sys, time
world = {world!r}
lid = "closed"
level = 0

def _note(text):
    with open(world, "a", encoding="utf-8") as file:
        file.write(text + "\\n")

_note("imported")
"""

MODULE = """
def open_lid():
    global lid
    if lid == "open":
        raise RuntimeError("it is open")
    {opening}
    _note("open_lid")
    lid = "open"

def fill():
    global level
    if lid == "closed":
        raise RuntimeError("the lid is closed")
    if level > 0:
        raise RuntimeError("it is full")
    {filling}
    _note("fill")
    {filled}
    level = 1

def close_lid():
    global lid
    if lid == "closed":
        raise RuntimeError("it is closed")
    _note("close_lid")
    lid = "closed"
"""

HALT = """
def halt():
    {halting}
    _note("halt")
"""


@dataclass
class Bench:
    """A module in a folder, and its world."""

    folder: Path
    executor: Executor

    @property
    def world(self) -> Path:
        return self.folder / "world"

    @property
    def file(self) -> Path:
        return self.folder / "cup.py"

    @property
    def lines(self) -> list[str]:
        return self.world.read_text(encoding="utf-8").splitlines() if self.world.exists() else []

    @property
    def done(self) -> list[str]:
        return [one for one in self.lines if one != "imported"]

    def module(
        self, opening: str = "pass", filling: str = "pass", filled: str = "pass", halting: str = ""
    ) -> Card:
        """Write a module; return its card, in which no question is open."""
        text = (HEAD + MODULE).format(
            world=str(self.world), opening=opening, filling=filling, filled=filled
        )
        text += HALT.format(halting=halting) if halting else ""
        self.file.write_text(text, encoding="utf-8")
        found = read_module(text, "cup.py").model_dump(mode="json")
        return card_of(found | {"unknown": [], "source": {**found["source"], "put_back": True}})

    def trust(self) -> None:
        with agreeing():
            asyncio.run(trust(program_of(self.file)))

    def trusted(self, **parts: str) -> Card:
        card = self.module(**parts)
        self.trust()
        return card

    def run(self, card: Card, goal: str, said: str | None = None, seconds: float = 600.0) -> Ran:
        with agreeing():
            device = ModuleDevice.of(card, self.file, seconds)
            told = None if said is None else Said.of(said)
            return asyncio.run(brought(card, goal, self.executor, None, device, told))

    @property
    def outcomes(self) -> list[str]:
        """Of all operations in order; `open` for one of which nothing is known."""
        kg = self.executor.kg
        every = sorted(kg.find(Operation, simulated=False), key=lambda one: one.operation_number)
        ends = [kg.find(OperationEnd, operation=Link[Operation](one)) for one in every]
        return [one[0].outcome if one else "open" for one in ends]
