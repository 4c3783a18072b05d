"""Tools that show and ask: reports, pictures, questions to the person."""

from __future__ import annotations

import math
import re
from typing import Annotated

from pydantic import Field

from grafico.session.inspection import shorten
from grafico.views.brief import headlines, reading
from triplestore.errors import GraficoError

from .context import ToolContext
from .drawing import png
from .toolbox import Batch, Found, Returned, as_error, tool

ATOMS = 30
"""Atoms of which the distances between bonded ones are told."""


@tool()
async def report(
    context: ToolContext, runs: Annotated[list[str], Batch, Field(min_length=1, max_length=100)]
) -> Found:
    """Write an HTML report of runs; gives main values."""
    from ogm.terms import full_iri
    from workflows.show.run_blocks import read_run, run_blocks

    rows: list[Found] = []
    there: list[str] = []
    failed: list[GraficoError] = []
    for run in dict.fromkeys(map(full_iri, runs)):
        try:
            ran = read_run(context.session.kg, run)
        except GraficoError as error:
            failed.append(error)
            rows.append({"run": shorten(run), "error": as_error(error)})
            continue
        sections = run_blocks(ran)
        there.append(run)
        rows.append(
            {
                "run": shorten(run),
                "reading": reading(ran, sections).partition(";")[0],
                **({} if ran.status == "finished" else {"status": ran.status or "not ended"}),
                **headlines(sections),
            }
        )
    if not there:
        raise failed[0]
    names = [str(row["reading"]).split(" ")[0] for row in rows if "reading" in row]
    few = names[0] if len(set(names)) == 1 else f"{names[0]}-and-{len(names) - 1}-more"
    path = context.new_path(f"report-{re.sub(r'[^A-Za-z0-9+-]', '', few)}", ".html")
    path.write_text(context.session.report(*there), encoding="utf-8")
    return {"file": path.name, "runs": rows}


@tool()
async def show_structure(context: ToolContext, iri: str) -> Returned:
    """See a structure as a picture, with its bond lengths."""
    from grafico.views.picture import scene
    from ogm.terms import full_iri
    from workflows.show.object_blocks import structure_of

    atoms = context.session.atoms(full_iri(iri))
    drawn = structure_of(atoms)
    assert drawn is not None
    content = png(scene(drawn))
    path = context.new_path("structure", ".png")
    path.write_bytes(content)
    bonds = {
        f"{atoms.symbols[i]}{i + 1}-{atoms.symbols[j]}{j + 1}": round(
            math.dist(atoms.positions[i], atoms.positions[j]), 4
        )
        for i, j, _ in drawn.bonds
    }
    found: Found = {
        "iri": shorten(atoms.iri),
        "formula": atoms.formula,
        "charge": atoms.charge,
        "multiplicity": atoms.multiplicity,
        "file": path.name,
    }
    if len(atoms.symbols) <= ATOMS:
        found["bond_lengths_Å"] = bonds
    return Returned(found, content)


@tool()
async def ask_user(
    context: ToolContext,
    question: str,
    options: Annotated[tuple[str, ...], Field(max_length=10)] = (),
) -> Found:
    """Ask the person what changes the result and cannot be assumed."""
    answer = await context.question(question, options)
    if answer is None:
        return {"answer": None, "advice": "nobody can be asked: assume what is usual and say so"}
    return {"answer": answer}
