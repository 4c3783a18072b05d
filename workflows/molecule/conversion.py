"""A molecule as text in another format."""

from __future__ import annotations

from pathlib import PurePath
from typing import Annotated, get_args

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form

from .async_files import write_async
from .subject import MOLECULE, Bonded
from .writing import Format, Written

SUFFIXES: dict[str, Format] = {".smi": "smiles", **{f".{form}": form for form in get_args(Format)}}


class Conversion(Form):
    """What a molecule is written as."""

    to: Annotated[
        Format | None,
        Field(description="The format.  [default: by the name of the output, else xyz]"),
    ] = None


async def prepare(
    given: Given[ConceptualAtoms], asked: Conversion, executor: Executor, file: str
) -> PreparedAction:
    """Find out the format; Python is handed a `Written`."""
    form = asked.to or SUFFIXES.get(PurePath(file).suffix.lower(), "xyz")
    bonds: Bonded = given.detail

    async def make() -> Product:
        written = await write_async(given.model, form, bonds.mol, bonds.title)
        notes = (*given.remarks, *written.notes)
        facts = {"format": form, "notes": list(notes)}
        return Product(written.text, Written(written.text, form, notes), facts, notes)

    return PreparedAction(make)


UNWRITTEN = {
    ".mol2": (
        "its atoms have the types of SYBYL, which no library here perceives",
        "write .sdf, and let Open Babel make it of that: obabel NAME.sdf -O NAME.mol2",
    ),
    **dict.fromkeys(
        (".inp", ".gjf", ".com", ".in", ".dat", ".psi4", ".coord"),
        (
            "that is the input of a program, which has a level and a task, too",
            "`grafico write` writes it: grafico write MOLECULE --to orca --level "
            "B3LYP-D3(BJ)/def2-TZVP --task frequencies -o NAME.inp; or --to gaussian, psi4 or xtb",
        ),
    ),
}

CONVERT = ActionDefinition(
    (Conversion,),
    MOLECULE,
    prepare,
    endings=tuple(SUFFIXES),
    unwritten=UNWRITTEN,
    format_field="to",
)
