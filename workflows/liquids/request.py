"""What is asked of a design, and the protocol that it comes to."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from ogm.terms import shorten
from ontologies.liquids import LiquidDesign
from triplestore.errors import InputError
from workflows.engine import Executor
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.engine.request.rules import Personal
from workflows.trust.wording import Missing

from .design import Design
from .protocol import protocol
from .reading import design_of
from .script import script
from .words import are_words, worded


class DesignReading(Form):
    """How a design is read: there is nothing to say."""


class ProtocolForm(Form):
    """What is asked of a design: its protocol.

    Attributes:
        simulate: that it is carried out on a simulated device.
        simulator: which; another than Grafico's own is a simulation, too.
        last: what a person says of an operation of which nobody knows whether it was done.
    """

    simulate: Annotated[
        bool, Field(description="Carry it out on a simulated device, and store what that makes.")
    ] = False
    simulator: Annotated[
        Literal["grafico", "pylabrobot"],
        Field(description="Which simulated device: `pylabrobot` needs the extra `lab`."),
    ] = "grafico"
    last: Annotated[
        str | None,
        Personal(),
        Field(
            max_length=40,
            description="What became of an operation that was cut off, such as '31 done'.",
        ),
    ] = None


class Designs(Subject[LiquidDesign]):
    """Designs of experiments in vials."""

    name: ClassVar[str] = "design"
    metavar: ClassVar[str] = "DESIGN"
    model = LiquidDesign
    form = DesignReading
    help: ClassVar[str] = (
        "DESIGN is a file .yaml or .json with chemicals, stocks, samples and process, or a table "
        ".csv of amounts; each number stands with its unit. Or what is wanted, in words."
    )
    typed = Design

    async def read(self, given: object, said: Form, executor: Executor) -> Given[LiquidDesign]:
        source = given.text if isinstance(given, LiquidDesign) else given
        remarks = tuple[str, ...]()
        if are_words(source):
            found = await worded(str(source))
            if isinstance(found, Missing):
                open_ = LiquidDesign(name=found.field, text=str(source))
                return Given(open_, str(source), detail=found)
            source, remarks = found.design, found.remarks
        design = await asyncio.to_thread(design_of, source)
        model = LiquidDesign(name=design.name, text=design.model_dump_json(by_alias=True))
        text = given if isinstance(given, str) else design.name
        return Given(model, text, remarks, detail=design)


async def prepare(
    given: Given[LiquidDesign], asked: ProtocolForm, executor: Executor, file: str
) -> PreparedAction:
    """Plan, verify and simulate; Python is handed a `Protocol`, or the `SimulatedSamples`.

    Of words that leave something open it is handed what is `Missing`.

    Raises:
        InputError: it cannot be carried out; says why and what to do.
    """
    if isinstance(given.detail, Missing):
        return _open(given.detail)
    found = await asyncio.to_thread(protocol, given.detail)
    simulates = asked.simulate or asked.simulator != "grafico"
    if asked.last is not None and not simulates:
        raise InputError("`last` was said", "a plan has no operations", "say `simulate` too")

    async def make() -> Product:
        samples = None
        if simulates:
            from .robot_handler import RobotHandler
            from .running import Said, simulated

            said = None if asked.last is None else Said.of(asked.last)
            robot = RobotHandler(found) if asked.simulator == "pylabrobot" else None
            samples = await simulated(found, given.model, executor, said, robot)
        facts: dict[str, Any] = {
            "hardware": found.hardware.model_dump(),
            "amounts": found.amounts,
            "steps": [str(one) for one in found.steps],
            "repairs": list(found.repairs),
            "design": json.loads(given.model.text),
        }
        if file.endswith(".py"):
            text = script(found.hardware)
        elif file.endswith(".json"):
            text = found.hardware.model_dump_json(indent=1) + "\n"
        else:
            text = found.table if file.endswith(".csv") else str(found)
        if samples is None:
            return Product(text, found, facts, (*given.remarks, *found.remarks))
        facts["simulated"] = samples.model_dump(mode="json") | {"iri": samples.iri}
        told = (
            f"simulated, nothing was dispensed: after {samples.operations} operations each vial "
            f"holds what the design wants; see grafico show {shorten(samples.run.iri)}"
        )
        return Product(text, samples, facts, (*given.remarks, *found.remarks[:-1], told))

    return PreparedAction(make)


def _open(missing: Missing) -> PreparedAction:
    """Return what says what words leave open."""
    said = missing.answered("", missing.default or "…").strip()
    text = f"{missing}; say it in a line behind the words, such as “{said}”\n"

    async def make() -> Product:
        return Product(text, missing, {"missing": missing.model_dump()}, failed=True)

    return PreparedAction(make)


PROTOCOL = ActionDefinition(
    (ProtocolForm,),
    Designs(),
    prepare,
    help="Steps in order, amounts of each vial and a map of the plates, verified; -o FILE.json "
    "writes the hardware file, FILE.csv the amounts, FILE.py a program for PyLabRobot. Nothing is "
    "dispensed: it is a plan.",
    endings=(".txt", ".json", ".csv", ".py"),
)
