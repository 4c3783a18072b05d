"""A result in a file for another program. A format is a row of `FORMATS`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from ogm import GraphModel
from ontologies.provenance import Run
from ontologies.quantum import EnergyResult
from triplestore.errors import InputError, NotFoundError
from workflows.dft.properties.molden import molden, orbitals_of
from workflows.engine import Call, Executor
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.engine.request.stored import stored_or_last

from .frames import bonded, extended, frames_of, has_frames, plain
from .inputs import INPUTS
from .schema import qcschema

FormatName = Literal[
    "extxyz", "xyz", "sdf", "qcschema", "psi4", "orca", "gaussian", "xtb", "molden"
]


@dataclass(frozen=True)
class Format:
    """How a result is written.

    Attributes:
        endings: of the names of files that mean it.
        holds: what stands in it.
        write: returns the text, and what a person should know of it.
        many: whether `write` takes `Frames`, and not the result.
        rests_on: the calculation of what `write` is given besides the result; None for nothing.
    """

    endings: tuple[str, ...]
    holds: str
    write: Callable[..., tuple[str, tuple[str, ...]]]
    many: bool = False
    rests_on: Callable[[Any], Call[Any] | None] | None = None


FORMATS: Mapping[FormatName, Format] = {
    "extxyz": Format((".extxyz",), "geometries with energies", extended, many=True),
    "xyz": Format((".xyz",), "geometries with energies", plain, many=True),
    "sdf": Format((".sdf",), "geometries with energies and bonds", bonded, many=True),
    "qcschema": Format((".json",), "structure, level and energy", qcschema),
    "psi4": Format((".dat", ".psi4"), "an input of Psi4", INPUTS["psi4"]),
    "orca": Format((".inp",), "an input of ORCA", INPUTS["orca"]),
    "gaussian": Format((".gjf", ".com"), "an input of Gaussian", INPUTS["gaussian"]),
    "xtb": Format((".coord",), "an input of xtb", INPUTS["xtb"]),
    "molden": Format(
        (".molden",), "geometry, basis set and orbitals", molden, rests_on=orbitals_of
    ),
}
ENDINGS: dict[str, FormatName] = {
    ending: name for name, form in FORMATS.items() for ending in form.endings
}


class WriteRequest(Form):
    """What a result is written as."""

    to: Annotated[
        FormatName | None,
        Field(description="The format.  [default: by the name of the output, else extxyz]"),
    ] = None


class NoForm(Form):
    """Nothing can be said besides."""


class AnyResult(Subject[GraphModel]):
    """A result, an ensemble, a path or a scan."""

    name: ClassVar[str] = "result"
    metavar: ClassVar[str] = "IRI"
    stored: ClassVar[bool] = True
    model = GraphModel
    form = NoForm
    help: ClassVar[str] = "IRI is that of a result, or of a run, whose last result is meant."

    def label(self, model: GraphModel) -> str:
        return type(model).__name__

    async def read(self, given: object, said: Form, executor: Executor) -> Given[GraphModel]:
        if isinstance(given, GraphModel) and not isinstance(given, Run):
            return Given(given)
        iri = given.iri if isinstance(given, Run) else str(given)
        found = stored_or_last(executor.kg, iri, has_frames)
        if found is None:
            asked = f"the result of the run {iri} was asked for"
            raise NotFoundError(asked, "it has none with an energy", "give a run that has")
        return Given(found)


async def prepare(
    given: Given[GraphModel], asked: WriteRequest, executor: Executor, file: str
) -> PreparedAction:
    """Find out the format; Python is handed the text."""
    name: FormatName = asked.to or ENDINGS.get(PurePath(file).suffix.lower(), "extxyz")
    form, result = FORMATS[name], given.model
    if not form.many and not isinstance(result, EnergyResult):
        what = f"{form.holds} of a {type(result).__name__} was asked for"
        raise InputError(what, "it is no result of one geometry", "give one, or choose xyz")

    call = form.rests_on(result) if form.rests_on else None

    async def make() -> Product:
        given: list[Any] = [frames_of(result, executor.kg) if form.many else result]
        reused = False
        facts: dict[str, Any] = {"format": name, "result": result.iri}
        if call is not None:
            answer = await executor.run(call)
            given.append(answer.result)
            reused, facts["iri"] = answer.reused, answer.recorded
        text, notes = await asyncio.to_thread(form.write, *given)
        facts["notes"] = list(notes)
        return Product(text, text, facts, notes, headline=form.holds, reused=reused)

    return PreparedAction(make)


WRITE = ActionDefinition(
    (WriteRequest,),
    AnyResult(),
    prepare,
    help="What of a level another program does not have under the same meaning is refused by name.",
    endings=tuple(ENDINGS),
    format_field="to",
)
