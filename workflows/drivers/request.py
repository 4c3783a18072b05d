"""What is asked of modules that drive devices, and of the files that describe devices."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ogm.terms import shorten
from ontologies.laboratory import DeviceFile
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.devices.brought import brought, check_answered
from workflows.engine.devices.card import Card
from workflows.engine.devices.clock import spell
from workflows.engine.devices.operations import Said
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.walk import Walk, walk
from workflows.engine.request.consent import told_to_wait
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.engine.request.rules import Personal
from workflows.programs.isolated import in_subprocess
from workflows.text.words import count
from workflows.trust.mappings import text_of

from . import tools
from .files import card_of, written
from .module_device import ModuleDevice
from .reading import LONGEST, read_module

SHOWN = 20
"""Refusals, dead ends and questions that are told."""


class ModuleReading(Form):
    """How a module is read.

    Attributes:
        part: the class whose methods are the commands.
    """

    part: Annotated[
        str, Field(max_length=100, description="The class whose methods are the commands.")
    ] = ""


class DeviceReading(Form):
    """How a device file is read: there is nothing to say."""


class NoWish(Form):
    """What is asked besides: nothing."""


class DeviceWish(Form):
    """How a device is to stand.

    Attributes:
        goal: states with their values.
        driver: file of the module that the device file was read from; a simulation if None.
        last: what a person says of an operation of which nobody knows whether it was done.
        deadline: seconds without an answer after which the module is ended.
    """

    goal: Annotated[
        str,
        Field(
            max_length=1000,
            description="How it is to stand: 'lid=closed, temperature=80 °C'.",
        ),
    ]
    driver: Annotated[
        str | None,
        Personal(),
        Field(
            max_length=1000,
            description="Drive the real device by this module, which you have trusted.",
        ),
    ] = None
    last: Annotated[
        str | None,
        Personal(),
        Field(max_length=40, description="What became of an operation, such as '31 done'."),
    ] = None
    deadline: Annotated[
        float, Field(gt=0, le=1e6, description="Seconds that a command of DRIVER may take.")
    ] = 600.0


class Modules(Subject[DeviceFile]):
    """Modules of Python that drive devices, and lists of the tools of MCP servers."""

    name: ClassVar[str] = "module"
    metavar: ClassVar[str] = "MODULE"
    model = DeviceFile
    form = ModuleReading
    help: ClassVar[str] = (
        "MODULE is a file .py, which is read as text and never run or imported, or a file .json: "
        "what an MCP server answers to tools/list."
    )

    async def read(self, given: object, said: Form, executor: Executor) -> Given[DeviceFile]:
        assert isinstance(said, ModuleReading)
        name = str(given)
        asked = f"a device was to be read from {name[:200]}"
        if name.lower().endswith(".json"):
            if said.part:
                raise InputError(asked, "a list of tools has no classes", "leave `part` out")
            text = await asyncio.to_thread(text_of, name, asked, tools.LONGEST, tools.FEWER)
            card = await in_subprocess(asked, tools.read_tools, text, name)
        elif name.lower().endswith(".py"):
            shorter = "give the module with the driver's functions alone"
            text = await asyncio.to_thread(text_of, name, asked, LONGEST, shorter)
            card = await in_subprocess(asked, read_module, text, name, said.part)
        else:
            advice = "give a file .py, or .json with what an MCP server answers to tools/list"
            raise InputError(asked, "that is neither a module nor a list of tools", advice)
        return Given(stored(card), name, detail=card)


class DeviceFiles(Subject[DeviceFile]):
    """Files that describe devices."""

    name: ClassVar[str] = "device file"
    metavar: ClassVar[str] = "DEVICE"
    model = DeviceFile
    form = DeviceReading
    help: ClassVar[str] = "DEVICE is a file .yaml, .json or .toml, as `device add` writes it."

    async def read(self, given: object, said: Form, executor: Executor) -> Given[DeviceFile]:
        source = given.text if isinstance(given, DeviceFile) else given
        card = await asyncio.to_thread(card_of, source)
        return Given(stored(card), given if isinstance(given, str) else card.name, detail=card)


def stored(card: Card) -> DeviceFile:
    """Return a card as it is stored."""
    return DeviceFile(name=card.name, text=card.model_dump_json())


def _open(card: Card) -> tuple[str, ...]:
    if not card.unknown:
        return ()
    return (f"{count(len(card.unknown), 'question')} in the file: answer them, delete their lines",)


async def added(
    given: Given[DeviceFile], asked: NoWish, executor: Executor, file: str
) -> PreparedAction:
    """Write the device file; Python is handed a `Card`."""
    card: Card = given.detail

    async def make() -> Product:
        facts = card.model_dump(mode="json")
        return Product(written(card), card, facts, _open(card))

    return PreparedAction(make)


async def checked(
    given: Given[DeviceFile], asked: NoWish, executor: Executor, file: str
) -> PreparedAction:
    """Walk through a device; Python is handed a `Walk`."""
    card: Card = given.detail

    async def make() -> Product:
        found = await asyncio.to_thread(walk, card)
        facts: dict[str, Any] = {
            "device": card.name,
            "situations": found.situations,
            "pairs": found.pairs,
            "possible": found.possible,
            "refused": found.refusals,
            "reached": {state: list(values) for state, values in found.reached.items()},
            "never_possible": found.never,
            "dead_ends": [dict(one.by_name) for one in found.dead_ends[:SHOWN]],
            "contradictions": found.wrong,
            "whole": found.whole,
            "stopped": found.stopped,
            "unknown": list(card.unknown),
        }
        text = "\n".join(told(card, found)) + "\n"
        return Product(text, found, facts, _open(card), failed=bool(found.wrong))

    return PreparedAction(make)


def told(card: Card, found: Walk) -> list[str]:
    """Return what a walk has shown, in lines."""
    lines = [
        f"{card.name}: {count(found.situations, 'situation')} reached"
        + ("" if found.whole else f", and there are more: the walk ended {found.stopped}"),
        f"{found.admissible} of {found.pairs} pairs of situation and command are possible, "
        f"{found.pairs - found.admissible} are refused",
    ]
    for name, command in card.commands.items():
        said = [
            f"{argument} {one.limits or one.kind}" for argument, one in command.arguments.items()
        ]
        with_them = f" ({', '.join(said)})" if said else ""
        time = f", and goes on for {one.time} {one.unit}" if (one := command.lasts) else ""
        lines.append(f"  {name}{with_them}: possible in {found.possible[name]}{time}")
        lines += [
            f"    refused in {times}: {reason}"
            for reason, times in list(found.refusals[name].items())[:SHOWN]
        ]
    lines += [f"never possible: {name}" for name in found.never]
    lines += [f"contradiction: {name}: {why}" for name, why in found.wrong.items()]
    lines += [f"no way on from: {one}" for one in found.dead_ends[:SHOWN]]
    if len(found.dead_ends) > SHOWN:
        lines.append(f"no way on from {len(found.dead_ends) - SHOWN} more")
    return [*lines, *(f"question: {one}" for one in card.unknown[:SHOWN])]


async def ran(
    given: Given[DeviceFile], asked: DeviceWish, executor: Executor, file: str
) -> PreparedAction:
    """Bring a device to where it is wished; Python is handed a `Ran`."""
    card: Card = given.detail
    if asked.last is not None and asked.driver is None:
        raise InputError("`last` was said", "a simulation asks nobody", "say `driver`, too")

    async def make() -> Product:
        driver, said = None, None if asked.last is None else Said.of(asked.last)
        if asked.driver is not None:
            check_answered(card, f"{card.name} was to be driven")
            driver = await asyncio.to_thread(ModuleDevice.of, card, asked.driver, asked.deadline)
        with told_to_wait(f"{card.name} at {asked.goal!r}", "ask for the same again"):
            found = await brought(card, asked.goal, executor, given.model, driver, said)
        kind = " (simulated)" if driver is None else ""
        lines = [f"{n}. {one}" for n, one in enumerate(found.steps, 1)] or ["nothing to do"]
        facts: dict[str, Any] = {
            "device": card.name,
            "simulated": driver is None,
            "steps": list(found.steps),
            "states": dict(found.standing.by_name),
            **_going_on(found.standing),
            "run": found.run,
        }
        left = [f"{x.command} goes on for {spell(x.left)}" for x in found.standing.underway]
        stands = "; ".join([f"{card.name}{kind}: {found.standing}", *left])
        text = "\n".join([*lines, stands]) + "\n"
        remark = f"see grafico show {shorten(found.run)}"
        remark = f"simulated: nothing was moved; {remark}" if driver is None else remark
        return Product(text, found, json.loads(json.dumps(facts)), (*found.remarks, remark))

    return PreparedAction(make)


def _going_on(at: Standing) -> dict[str, Any]:
    """Return what goes on as JSON has it; nothing where nothing does."""
    told = [{"command": one.command, "remaining_s": one.left} for one in at.underway]
    return {"goes_on": told} if told else {}


ADD = ActionDefinition(
    (NoWish,),
    Modules(),
    added,
    help="Functions, or the tools of an MCP server, become commands: arguments with limits and "
    "units, when each is refused, what it makes of the device's states. What cannot be read is a "
    "question in the file.",
    endings=(".yaml",),
)

CHECK = ActionDefinition(
    (NoWish,),
    DeviceFiles(),
    checked,
    help="Every command is tried in every situation that commands lead to; nothing is moved.",
    endings=(".txt",),
)

RUN = ActionDefinition(
    (DeviceWish,),
    DeviceFiles(),
    ran,
    help="The shortest way there is planned and carried out on a simulation that follows the "
    "file, each operation recorded before and after. With --driver a real device is driven by the "
    "module of the file, once you have trusted that (`grafico trust`) and agree to the plan.",
    endings=(".txt",),
)
