"""A molecule as text in another format, or as a picture."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Annotated, Literal, get_args

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError
from workflows.crystal.cells import Kept, standard, supercell, symmetric_cif
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.endings import ending_of
from workflows.engine.request.form import Form
from workflows.engine.request.rules import OtherNames, Personal, Words
from workflows.text.names import file_word

from .async_files import draw_async, write_async
from .balls import WIDTH, draw_balls
from .drawing import Picture, PictureFormat
from .subject import MOLECULE, Bonded
from .writing import Format, Written

Target = Literal[Format, PictureFormat]
SUFFIXES: dict[str, Target] = {
    ".smi": "smiles",
    **{f".{form}": form for form in get_args(Target)},
    **dict.fromkeys((".poscar", ".contcar", "poscar", "contcar"), "vasp"),
    ".pwi": "espresso",
}
"""Formats by the ending of a file's name, or by the name where it has none."""

SPELT = Words(
    {
        "espresso": ("qe", "pwscf", "pw", "quantumespresso", "pwx"),
        "vasp": ("poscar",),
        "smiles": ("smi",),
    }
)


class Conversion(Form):
    """What a molecule is written as."""

    to: Annotated[
        Target | None,
        SPELT,
        OtherNames(("format", "fmt", "type")),
        Field(description="The format.  [default: by the name of the output, else xyz]"),
    ] = None
    cell: Annotated[
        Kept, Field(description="Of a crystal: its cell as given, or that of its space group.")
    ] = "as given"
    repeat: Annotated[
        str, Field(description="Of a crystal: several cells as one, such as 2x2x1.")
    ] = ""
    symmetry: Annotated[
        bool, Field(description="Of a crystal as CIF: the operations of its space group.")
    ] = False
    balls: Annotated[
        bool,
        OtherNames(("3d", "three_d", "ball_and_stick", "ballstick", "sticks")),
        Field(description="Of a PNG: the geometry as balls and sticks, and not the formula."),
    ] = False
    numbers: Annotated[
        bool,
        OtherNames(("labels", "atom_numbers", "atom_labels", "label", "indices", "numbering")),
        Field(description="Of a picture: the numbers of the atoms, from 1."),
    ] = False
    width: Annotated[
        int | None,
        OtherNames(("size", "pixels", "resolution")),
        Field(ge=100, le=6000, description="Of a PNG: pixels across."),
    ] = None
    transparent: Annotated[
        bool,
        OtherNames(("transparent_background",)),
        Field(description="Of a PNG: no white ground."),
    ] = False
    title: Annotated[str, Personal(), Field(description="Its title, in place of its own.")] = ""


async def prepare(
    given: Given[ConceptualAtoms], asked: Conversion, executor: Executor, file: str
) -> PreparedAction:
    """Find out the format; Python is handed a `Written` or a `Picture`."""
    usual: Target = "cif" if asked.symmetry else "xyz"
    form = asked.to or SUFFIXES.get(ending_of(file), usual)
    bonds: Bonded = given.detail
    atoms, mol, title = given.model, bonds.mol, asked.title or bonds.title
    if asked.cell != "as given" or asked.repeat:
        mol = None
        atoms = standard(atoms, asked.cell)
        if asked.repeat:
            atoms = supercell(atoms, asked.repeat)
    if asked.symmetry:
        if form != "cif":
            raise InputError(
                f"{atoms.formula} as {form} with its symmetry was asked for",
                "of the formats a CIF alone holds the operations of a space group",
                "name a file that ends in .cif, or write it without",
            )

        async def symmetric() -> Product:
            text, note = await asyncio.to_thread(symmetric_cif, atoms, bonds.title)
            notes = (*given.remarks, note)
            facts = {"format": form, "notes": list(notes)}
            return Product(text, Written(text, form, notes), facts, notes)

        return PreparedAction(symmetric)

    _check_picture(asked, form, atoms)
    if form in ("svg", "png"):

        async def picture() -> Product:
            if asked.balls:
                data = await asyncio.to_thread(
                    draw_balls,
                    atoms,
                    width=asked.width or WIDTH,
                    names=asked.numbers,
                    clear=asked.transparent,
                )
                drawn = Picture(data, form, ())
            else:
                drawn = await draw_async(
                    atoms, form, mol, asked.numbers, asked.width, asked.transparent
                )
            notes = (*given.remarks, *drawn.notes)
            content = drawn.data.decode() if form == "svg" else drawn.data
            facts = {"format": form, "notes": list(notes)}
            return Product(content, replace(drawn, notes=notes), facts, notes)

        name = title or atoms.formula
        return PreparedAction(picture, "" if file or form == "svg" else f"{file_word(name)}.png")

    async def make() -> Product:
        written = await write_async(atoms, form, mol, title)
        notes = (*given.remarks, *written.notes)
        facts = {"format": form, "notes": list(notes)}
        text = written.text
        named = asked.title or (ending_of(file) == ".smi" and "=" not in title)
        if form == "smiles" and title and named:
            text = f"{text.rstrip()} {' '.join(title.split())}\n"
        return Product(text, Written(text, form, notes), facts, notes)

    return PreparedAction(make)


def _check_picture(asked: Conversion, form: Target, atoms: ConceptualAtoms) -> None:
    """Check that what is said of a picture is said of one that can have it.

    Raises:
        InputError: it cannot.
    """
    said = [one for one in ("balls", "numbers", "width", "transparent") if getattr(asked, one)]
    if said and form not in (("png", "svg") if said == ["numbers"] else ("png",)):
        raise InputError(
            f"{atoms.formula} as {form} with {', '.join(said)} was asked for",
            "that is of pictures as PNG" + "; numbers of SVG, too" * ("numbers" in said),
            "name a file that ends in .png, or leave it out",
        )


JOINED = ("xyz", "extxyz", "sdf", "smiles", "inchi", "selfies")
"""Formats of several structures."""

UNWRITTEN = {
    **dict.fromkeys(
        (".inp", ".gjf", ".com", ".in", ".dat", ".psi4", ".coord"),
        (
            "that is the input of a program, which has a level and a task, too",
            "`grafico write` writes it: grafico write MOLECULE --to orca --level "
            "B3LYP-D3(BJ)/def2-TZVP --task frequencies -o NAME.inp; or --to gaussian, psi4 or xtb; "
            "of a crystal for Quantum ESPRESSO: grafico convert CRYSTAL -o NAME.pwi",
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
    of_many=True,
    joined=JOINED,
)
