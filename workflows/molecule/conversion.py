"""A molecule as text in another format, or as a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import Annotated, Literal, get_args

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.engine.request.other_names import OtherNames
from workflows.text.names import file_word

from .async_files import draw_async, write_async
from .drawing import PictureFormat
from .subject import MOLECULE, Bonded
from .writing import Format, Written

Target = Literal[Format, PictureFormat]
SUFFIXES: dict[str, Target] = {".smi": "smiles", **{f".{form}": form for form in get_args(Target)}}


class Conversion(Form):
    """What a molecule is written as."""

    to: Annotated[
        Target | None,
        OtherNames(("format", "fmt", "type")),
        Field(description="The format.  [default: by the name of the output, else xyz]"),
    ] = None


async def prepare(
    given: Given[ConceptualAtoms], asked: Conversion, executor: Executor, file: str
) -> PreparedAction:
    """Find out the format; Python is handed a `Written` or a `Picture`."""
    form = asked.to or SUFFIXES.get(PurePath(file).suffix.lower(), "xyz")
    bonds: Bonded = given.detail

    if form in ("svg", "png"):

        async def picture() -> Product:
            drawn = await draw_async(given.model, form, bonds.mol)
            notes = (*given.remarks, *drawn.notes)
            content = drawn.data.decode() if form == "svg" else drawn.data
            facts = {"format": form, "notes": list(notes)}
            return Product(content, replace(drawn, notes=notes), facts, notes)

        name = bonds.title or given.model.formula
        return PreparedAction(picture, "" if file or form == "svg" else f"{file_word(name)}.png")

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
