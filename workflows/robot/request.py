"""What is asked of a procedure: that it is verified, permitted and gone through by a simulation."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, cast

from pydantic import Field, ValidationError

from ogm.terms import shorten
from ontologies.permits import MakingPlan
from triplestore.errors import InputError
from workflows.controlled.gate import named
from workflows.engine import Executor
from workflows.engine.devices.clock import spell
from workflows.engine.devices.described import CardCommand
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.permits.permission import refused_where_it_stops
from workflows.permits.planning import MOST_MET
from workflows.safety.mixing import OF_THE_CHART, mixing
from workflows.text.words import count
from workflows.trust.mappings import mapping, text_of

from .actions import Procedure
from .chemistry import Materials, amounts, counted_again, resolved
from .flask import Synthesis
from .running import SIMULATION, doses, simulated, whole
from .verifying import verified

LONGEST = 60_000
"""Bytes of a procedure."""

ASKED = "a procedure of a synthesis was asked for"
ADVICE = "see the example in docs/protocols.md"
SHORTER = "make it shorter: one flask, at most 100 steps"
TELLING = 3
PLAN = "this is a plan: nothing was moved; `--simulate` asks a person, and has a simulation do it"
NO_WORD = "no word on whether it works, nor on purity: a chemist looks at it before it is done"


def procedure_of(given: object) -> Procedure:
    """Return the procedure that is meant.

    Args:
        given: a procedure, a mapping such as JSON has it, the path of a file `.yaml`, `.yml` or
            `.json`, or its text.

    Raises:
        InputError: it is none; says where and what to do.
        NotFoundError: there is no such file.
    """
    if isinstance(given, Procedure):
        return given
    said: Any = given
    if not isinstance(given, Mapping):
        text = str(given)
        if isinstance(given, Path) or ("\n" not in text and not text.lstrip().startswith("{")):
            asked = f"the procedure in {text[:200]} was asked for"
            if Path(text[:500]).suffix.lower() not in (".yaml", ".yml", ".json"):
                raise InputError(asked, "that is no file of a procedure", "give a .yaml or .json")
            text = text_of(text, asked, LONGEST, SHORTER)
        if len(text.encode(errors="replace")) > LONGEST:
            raise InputError(ASKED, f"it has more than {LONGEST:,} bytes", SHORTER)
        said = mapping(text, ASKED, ADVICE)
    try:
        return Procedure.model_validate(said)
    except ValidationError as error:
        each = error.errors(include_url=False, include_input=False)
        told = [f"{_where(one['loc'])}: {one['msg'].removeprefix('Value error, ')}" for one in each]
        more = f"; and {len(told) - TELLING} more" if len(told) > TELLING else ""
        raise InputError(ASKED, "; ".join(told[:TELLING])[:900] + more, ADVICE) from error
    except RecursionError as error:
        raise InputError(ASKED, "it is too deep", ADVICE) from error


def _where(loc: tuple[int | str, ...]) -> str:
    return ", ".join(str(x + 1) if isinstance(x, int) else x[:60] for x in loc) or "the whole"


@dataclass(frozen=True)
class VerifiedSynthesis:
    """A synthesis that the verifiers let pass.

    Attributes:
        plan: it, with what was repaired.
        orders: what the robot is told.
        minutes: how long it takes.
        together: what may come of chemicals that meet.
    """

    plan: Synthesis
    orders: tuple[CardCommand, ...]
    minutes: float
    together: tuple[str, ...]

    @property
    def theory(self) -> str:
        """The most of the product that there can be, in words."""
        materials = self.plan.materials
        limiting, mmol = materials.limiting()
        mass = materials.known[materials.of.product].molar_mass
        grams = "" if mass is None else f"{mmol * mass / 1e3:.4g} g, "
        return f"{materials.of.product}: at most {grams}{mmol:.4g} mmol, by {limiting}"

    @property
    def wanted(self) -> MakingPlan:
        """What a person permits: all of it."""
        materials, told = self.plan.materials, [one.record for one in self.orders]
        digest = hashlib.sha256("\n".join(told).encode()).hexdigest()
        return MakingPlan(
            title=materials.of.name,
            notations=notations(materials),
            names=listed_names(materials),
            details=" | ".join([*_lines(self), f"{len(told)} commands, {digest}"]),
            done_by=SIMULATION,
        )

    def __str__(self) -> str:
        return "".join(f"{one}\n" for one in (self.plan.materials.of.name, *_lines(self)))


def _lines(found: VerifiedSynthesis) -> Iterator[str]:
    plan = found.plan
    yield found.theory
    yield f"in a flask of {plan.flask} mL, {spell(60 * found.minutes)}"
    yield from (f"{number:3}. {one}" for number, one in enumerate(plan.steps, 1))
    yield from (f"repaired: {one}" for one in plan.repairs)
    yield from (f"by hand: {one}" for one in plan.by_person)
    yield from (f"assumed: {one}" for one in plan.assumed)


def notations(materials: Materials) -> tuple[str, ...]:
    """Return the reaction, and all chemicals, as SMILES."""
    known, of = materials.known, materials.of
    left = ".".join(known[one].smiles for one, n in of.reactants.items() for _ in range(n))
    each = (one.smiles for one in known.values())
    return tuple(dict.fromkeys([f"{left}>>{known[of.product].smiles}", *each]))


def listed_names(materials: Materials) -> tuple[str, ...]:
    """Return names that a list has, whatever their structures."""
    return tuple(one for one in materials.known if named(one))


async def verify(executor: Executor, given: Procedure) -> VerifiedSynthesis:
    """Resolve, gate and verify a procedure; nothing is done.

    Raises:
        InputError: it stops whoever asks, or cannot be done; says why and what to do.
        ConsentError: a person has to state something first.
    """
    materials = await asyncio.to_thread(resolved, given)
    gated = MakingPlan(
        title=given.name, notations=notations(materials), names=listed_names(materials)
    )
    await refused_where_it_stops(executor, gated)
    plan = await asyncio.to_thread(lambda: verified(materials, amounts(materials)))
    orders, minutes = await whole(plan)
    await asyncio.to_thread(counted_again, materials, doses(orders))
    pairs = [
        (one.name, one.smiles) for one in materials.known.values() if one.name != given.product
    ]
    met = [str(one) for one in (await asyncio.to_thread(mixing, pairs)).dangers]
    if len(met) > MOST_MET:
        met[MOST_MET:] = [count(len(met) - MOST_MET, "more pair")]
    return VerifiedSynthesis(plan, tuple(orders), minutes, tuple(met))


class ProcedureReading(Form):
    """How a procedure is read: there is nothing to say."""


class ProcedureForm(Form):
    """What is asked of a procedure.

    Attributes:
        simulate: that it is permitted, and gone through by a simulated robot.
    """

    simulate: Annotated[
        bool, Field(description="Have a person permit it, and a simulated robot go through it.")
    ] = False


class Procedures(Subject[MakingPlan]):
    """Procedures of syntheses."""

    name: ClassVar[str] = "procedure"
    metavar: ClassVar[str] = "PROCEDURE"
    model = MakingPlan
    form = ProcedureReading
    help: ClassVar[str] = (
        "PROCEDURE is a file .yaml or .json with product, reactants, flask and steps; each number "
        "stands with its unit."
    )
    typed = Procedure

    async def read(self, given: object, said: Form, executor: Executor) -> Given[MakingPlan]:
        source = given.details if isinstance(given, MakingPlan) else given
        found = await asyncio.to_thread(procedure_of, source)
        text = json.dumps(found.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
        model = MakingPlan(title=found.name, details=text)
        return Given(model, given if isinstance(given, str) else found.name, detail=found)


async def prepare(
    given: Given[MakingPlan], asked: ProcedureForm, executor: Executor, file: str
) -> PreparedAction:
    """Resolve, gate and verify; Python is handed the `VerifiedSynthesis`, or what was simulated.

    Raises:
        InputError: it cannot be done; says why and what to do.
        ConsentError: a person has to state or permit something.
    """
    found = await verify(executor, cast("Procedure", given.detail))
    plan = found.plan

    async def make() -> Product:
        facts: dict[str, Any] = {
            "flask_mL": plan.flask,
            "minutes": found.minutes,
            "theory": found.theory,
            "steps": [one.model_dump(mode="json", exclude_none=True) for one in plan.steps],
            "commands": [one.with_fields for one in found.orders],
            "repairs": plan.repairs,
            "by_person": plan.by_person,
            "assumed": [*plan.assumed],
            "together": [*found.together],
        }
        told = (*plan.materials.notes, *(f"together: {one}" for one in found.together))
        told = (*told, OF_THE_CHART, NO_WORD)
        if not asked.simulate:
            return Product(str(found), found, facts, (*told, PLAN))
        made = await simulated(plan, found.wanted, found.together, executor)
        facts["simulated"] = made.model_dump(mode="json") | {"iri": made.iri}
        done = (
            f"simulated, nothing was moved: {count(made.operations, 'operation')}; "
            f"see grafico show {shorten(made.run.iri)}"
        )
        return Product(str(found), made, facts, (*told, done))

    return PreparedAction(make)


PROCEDURE = ActionDefinition(
    (ProcedureForm,),
    Procedures(),
    prepare,
    help="Typed actions of a synthesis are compared with the lists, verified and repaired, each "
    "repair told. With --simulate a person permits it, once, and a simulated robot goes through "
    "it. No real robot is driven.",
    endings=(".txt",),
)
