"""Tools that show and ask: reports, pictures, questions to the person."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from grafico.session.inspection import shorten
from grafico.views.brief import headlines, reading
from grafico.views.drawing import files_of
from grafico.views.plotted import charts_of
from triplestore.errors import GraficoError, RecordError
from workflows.show.blocks import Chart

from .context import ToolContext
from .drawing import png
from .toolbox import Batch, Found, Returned, as_error, tool

MOST_CHARTS = 20
"""Charts that are drawn at once."""


@tool()
async def report(
    context: ToolContext,
    runs: Annotated[list[str], Batch, Field(min_length=1, max_length=100)],
    to: Literal["page", "pictures", "archive"] = "page",
) -> Found | Returned:
    """Write a report of runs, pictures of charts or an archive; gives main values."""
    from ogm.terms import full_iri
    from workflows.show.run_blocks import read_run, run_blocks

    rows: list[Found] = []
    there: list[str] = []
    drawn: list[Chart] = []
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
        drawn += charts_of(sections)
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
    name = re.sub(r"[^A-Za-z0-9+-]", "", few)
    if to == "pictures":
        return await _pictures(context, drawn, name, {"runs": rows})
    path = context.new_path(f"report-{name}", ".zip" if to == "archive" else ".html")
    if to == "archive":
        await asyncio.to_thread(context.session.export, path, *there)
    else:
        path.write_text(context.session.report(*there), encoding="utf-8")
    return {"file": path.name, "runs": rows}


async def _pictures(
    context: ToolContext, charts: Sequence[Chart], name: str, found: Found
) -> Returned:
    """Draw charts, each into a file; one alone is seen, too.

    Raises:
        RecordError: there are none.
    """
    if not charts:
        asked, advice = f"pictures of {name} were asked for", "write a page, which has all of it"
        raise RecordError(asked, "these runs have no charts", advice)
    made = await asyncio.to_thread(files_of, charts[:MOST_CHARTS], "png")
    files: list[str] = []
    for chart, content in zip(charts, made, strict=False):
        path = context.new_path(f"{name}-{re.sub(r'[^A-Za-z0-9]+', '-', chart.name)}", ".png")
        path.write_bytes(content)
        files.append(path.name)
    more = {"left_out": len(charts) - len(made)} if len(charts) > len(made) else {}
    return Returned({"files": files, **found, **more}, made[0] if len(made) == 1 else None)


@tool()
async def show_structure(context: ToolContext, iri: str) -> Returned:
    """See a structure and its bond lengths."""
    from grafico.views.picture import scene
    from grafico.views.shape import measures
    from ogm.terms import full_iri
    from workflows.show.object_blocks import structure_of

    atoms = context.session.atoms(full_iri(iri))
    drawn = structure_of(atoms)
    assert drawn is not None
    content = png(scene(drawn))
    path = context.new_path("structure", ".png")
    path.write_bytes(content)
    found: Found = {
        "iri": shorten(atoms.iri),
        "formula": atoms.formula,
        "charge": atoms.charge,
        "multiplicity": atoms.multiplicity,
        "file": path.name,
    }
    return Returned(found | dict(measures(drawn)), content)


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
