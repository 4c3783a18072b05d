"""Tools that steer the viewer at which a person looks, where there is one."""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from grafico.session.inspection import shorten
from triplestore.errors import ComponentError, InputError

from .context import ToolContext
from .toolbox import Found, Returned, Tool, tool

MOST_MARKS = 50
"""Atoms that are marked at once."""


LARGEST_PICTURE = 700_000
"""Bytes of a picture of the viewer."""

PICTURE = "data:image/png;base64,"


def picture_of(said: str) -> bytes | str:
    """Return the picture, as PNG, that a viewer has sent; or in words why that is none."""
    if not said.startswith(PICTURE):
        return said[:200]
    try:
        content = b64decode(said.removeprefix(PICTURE), validate=True)
    except ValueError:
        return "what the page has sent is no picture"
    if not content.startswith(b"\x89PNG") or len(content) > LARGEST_PICTURE:
        return "what the page has sent is no picture in PNG"
    return content


class Mark(BaseModel):
    """An atom that is pointed out, counted from 1, and what stands beside it."""

    model_config = ConfigDict(extra="forbid")

    atom: Annotated[int, Field(ge=1)]
    label: Annotated[str, Field(max_length=40)] = ""


@tool(reads=True)
async def show_in_viewer(
    context: ToolContext,
    iri: Annotated[str, Field(description="Of a structure, result or run; or its name.")],
    marks: Annotated[tuple[Mark, ...], Field(max_length=MOST_MARKS)] = (),
) -> Found:
    """Show a structure in the person's viewer, some atoms marked (from 1)."""
    atoms = context.session.atoms(iri)
    if beyond := [one.atom for one in marks if one.atom > len(atoms.symbols)]:
        asked = f"atom {beyond[0]} of {shorten(atoms.iri)} was to be marked"
        found = f"it has {len(atoms.symbols)} atoms"
        raise InputError(asked, found, f"give 1 to {len(atoms.symbols)}")
    told = [{**one.model_dump(), "symbol": atoms.symbols[one.atom - 1]} for one in marks]
    shown: Found = {"iri": shorten(atoms.iri), "formula": atoms.formula, "marks": told}
    return {"viewer": shown}


@tool(reads=True)
async def look_at_viewer(context: ToolContext) -> Returned:
    """See the person's viewer as a picture, as they have turned it."""
    if context.look is None:
        asked = "a picture of the viewer was asked for"
        raise ComponentError(asked, "nobody looks at one here", "use show_structure")
    content = await context.look()
    path = context.new_path("viewer", ".png")
    path.write_bytes(content)
    return Returned({"file": path.name}, content)


def viewer_tools() -> dict[str, Tool]:
    """Return the tools for where a person looks at a viewer, by their names."""
    return {one.name: one for one in (show_in_viewer, look_at_viewer)}
