"""The structures of an ensemble as one file, frame after frame."""

from __future__ import annotations

import asyncio
from pathlib import PurePath
from typing import Annotated, Literal

from pydantic import Field

from ontologies.conformers import ConformerEnsemble
from workflows.engine import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.exchange.writing import FORMATS
from workflows.molecule.writing import Written
from workflows.show.frames import frames_of

from .subject import ENSEMBLE

FrameFormat = Literal["xyz", "extxyz", "sdf"]
SUFFIXES: dict[str, FrameFormat] = {".xyz": "xyz", ".extxyz": "extxyz", ".sdf": "sdf"}


class EnsembleFile(Form):
    """What an ensemble is written as."""

    to: Annotated[
        FrameFormat | None,
        Field(description="The format.  [default: by the name of the output, else xyz]"),
    ] = None


def write_ensemble(ensemble: ConformerEnsemble, form: FrameFormat) -> Written:
    """Return the conformers as one text, of lowest energy first; titles tell energy and weight.

    Args:
        ensemble: which.
        form: the format; SDF has bonds and coordinates of four decimals.

    Raises:
        InputError: the format cannot hold them.
    """
    text, notes = FORMATS[form].write(frames_of(ensemble))
    return Written(text, form, notes)


async def prepare_file(
    given: Given[ConformerEnsemble], asked: EnsembleFile, executor: Executor, file: str
) -> PreparedAction:
    """Find out the format; Python is handed a `Written`."""
    form: FrameFormat = asked.to or SUFFIXES.get(PurePath(file).suffix.lower(), "xyz")

    async def make() -> Product:
        written = await asyncio.to_thread(write_ensemble, given.model, form)
        facts = {"format": form, "structures": len(given.model.conformers)}
        notes = (*given.remarks, *written.notes)
        return Product(written.text, written, {**facts, "notes": list(notes)}, notes)

    return PreparedAction(make)


STRUCTURES = ActionDefinition(
    (EnsembleFile,),
    ENSEMBLE,
    prepare_file,
    help="Its conformers, of lowest energy first, each with its energy and weight in its title.",
    endings=tuple(SUFFIXES),
    format_field="to",
)
