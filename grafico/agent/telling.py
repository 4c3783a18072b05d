"""Tools that show and ask: reports, pictures, questions to the person."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from grafico.inspection import shorten
from grafico.views.brief import headlines, reading

from .desk import Desk
from .drawing import png
from .toolbox import Found, Returned, tool

ATOMS = 30
"""Atoms of which the distances between bonded ones are told."""


@tool()
async def report(
    desk: Desk, runs: Annotated[list[str], Field(min_length=1, max_length=100)]
) -> Found:
    """Write an HTML report of runs; gives their main values."""
    from grafico.client import full_iri
    from workflows.run_blocks import read_run, run_blocks

    page = desk.session.report(*runs)
    path = desk.new_path("report", ".html")
    path.write_text(page, encoding="utf-8")
    rows: list[Found] = []
    for run in dict.fromkeys(map(full_iri, runs)):
        ran = read_run(desk.session.kg, run)
        sections = run_blocks(ran)
        rows.append({
            "run": shorten(run), "subject": ran.subject[:100], "status": ran.status or "not ended",
            "reading": reading(ran, sections), **headlines(sections),
        })  # fmt: skip
    return {"file": path.name, "runs": rows}


@tool()
async def show_structure(desk: Desk, iri: str) -> Returned:
    """See a structure as a picture, with its bond lengths."""
    from grafico.client import full_iri
    from grafico.picture import scene
    from workflows.showing import structure_of

    atoms = desk.session.atoms(full_iri(iri))
    drawn = structure_of(atoms)
    assert drawn is not None
    content = png(scene(drawn))
    path = desk.new_path("structure", ".png")
    path.write_bytes(content)
    bonds = {
        f"{atoms.symbols[i]}{i + 1}-{atoms.symbols[j]}{j + 1}": round(
            math.dist(atoms.positions[i], atoms.positions[j]), 4
        )
        for i, j, _ in drawn.bonds
    }
    found: Found = {
        "iri": shorten(atoms.iri), "formula": atoms.formula, "charge": atoms.charge,
        "multiplicity": atoms.multiplicity, "file": path.name,
    }  # fmt: skip
    if len(atoms.symbols) <= ATOMS:
        found["bond_lengths_Å"] = bonds
    return Returned(found, content)


@tool()
async def ask_user(
    desk: Desk, question: str, options: Annotated[tuple[str, ...], Field(max_length=10)] = ()
) -> Found:
    """Ask the person what changes the result and cannot be assumed."""
    answer = await desk.question(question, options)
    if answer is None:
        return {"answer": None, "advice": "nobody can be asked: assume what is usual and say so"}
    return {"answer": answer}
