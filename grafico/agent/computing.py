"""Tools that compute: what is known is remembered, what is new is run."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import BaseModel, Field

from grafico.inspection import shorten, text
from grafico.views.brief import brief
from ogm.literals import literal
from ogm.terms import with_prefixes
from triplestore import Table
from triplestore.errors import GraficoError, InputError, ResourceError
from workflows.dft.part import Part
from workflows.dft.request import DFTRequest, LevelRequest
from workflows.engine.cost import check
from workflows.engine.form import fill
from workflows.molecule import recognise

from .desk import Desk
from .toolbox import Found, as_error, denied, tool

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from ontologies.level import LevelOfTheory

FormT = TypeVar("FormT", bound=BaseModel)

_log = logging.getLogger(__name__)

MOST = 50
"""Molecules of one call."""


@tool(LevelRequest, DFTRequest, without=("force",))
async def calculate(
    desk: Desk,
    molecules: Annotated[
        list[str],
        Field(min_length=1, max_length=MOST, description="Names, SMILES, files or IRIs."),
    ],
    charge: Annotated[int | None, Field(description="Of each molecule; else as it says.")] = None,
    multiplicity: Annotated[int | None, Field(ge=1, description="2S+1; else as it says.")] = None,
    recompute: Annotated[bool, Field(description="Compute even what is remembered.")] = False,
    **asked: Any,
) -> Found:
    """Run quantum chemistry on molecules in parallel, or remember it.

    Molecules of another charge or level need another call. Gives for each: IRIs, scalars, remarks;
    or what went wrong, and the run to resume.
    """
    options = {"charge": charge, "multiplicity": multiplicity, "recompute": recompute}
    jobs = [_one(desk, molecule, options, asked) for molecule in molecules]
    return {"molecules": list(await asyncio.gather(*jobs))}


@tool()
async def resume(desk: Desk, run: Annotated[str, Field(description="IRI.")]) -> Found:
    """Go on with a run that failed, was cut off or missed its goal."""
    result = await desk.session.resume_async(run, router=_router(desk))
    return brief(result.ran)


def _router(desk: Desk) -> str:
    model = desk.settings.router_model
    return f"model:{model}" if model else "goal"


def meant(desk: Desk, molecule: str) -> str | Path:
    """Return what a model means by a molecule: a file in the folder, or anything but a file.

    Raises:
        InputError: it is a file out of reach.
    """
    name = molecule.strip()
    path = desk.structure_file(name)
    if path is not None:
        return path
    if recognise(name) == "file":  # somewhere on this machine
        raise InputError(
            f"the molecule {name!r} was asked for",
            "that is a file out of reach",
            "give a name, a SMILES, an IRI, or a structure in the folder of this conversation",
        )
    return name


async def _one(desk: Desk, molecule: str, options: Found, asked: Found) -> Found:
    session, began = desk.session, datetime.now(UTC)
    said: Found = {"molecule": molecule}
    atoms: ConceptualAtoms | None = None
    spin = {name: options[name] for name in ("charge", "multiplicity")}
    try:
        given = meant(desk, molecule)
        atoms, _ = await session.structure(given, **spin)
        level, request = await level_of(desk, atoms, asked), filled(DFTRequest, asked)
        request.check(atoms, level)
        force, no = await agreement(
            desk, "calculate", said | asked, [Part(atoms, level, request)],
            recompute=options["recompute"],
        )  # fmt: skip
        if no:
            return said | no
        result = await session.run_async(given, **options, **asked, **force, router=_router(desk))
        return said | brief(result.ran)
    except GraficoError as error:
        failed: Found = {**said, "status": "failed", "error": as_error(error)}
        run = _last_run(desk, atoms, began)
        return failed | ({"run": run} if run else {})
    except Exception as error:
        _log.exception("%s could not be computed", molecule)
        fault = {"kind": "GraficoError", "found": f"a fault in it: {type(error).__name__}"}
        return said | {"status": "failed", "error": fault}


async def agreement(
    desk: Desk, tool: str, asked: Found, parts: Sequence[Part], *, recompute: bool = False
) -> tuple[Found, Found | None]:
    """Ask a person about what takes long, or more memory or disk than there is.

    Returns:
        Options of the run, which is forced with a yes and else not; and what is said where a yes
        is needed and nobody agrees, None where all is well.
    """
    session, whole = desk.session, parts[0]
    executor = session.executor.recomputing() if recompute else session.executor
    try:
        check(parts, tool, executor, min(desk.long / 3600, session.settings.hours))
    except ResourceError as error:
        why = f"{whole.atoms.formula} at {whole.level.label}: {error.found}"
        agreed = await desk.agreed(tool, asked, why)
        no = None if agreed else denied(why) | {"estimate": error.found}
        return {"force": agreed}, no
    return {}, None


async def level_of(desk: Desk, atoms: ConceptualAtoms, asked: Found) -> LevelOfTheory:
    """Return the level of theory that is asked for, as a run on a molecule will find it."""
    usual = {name: getattr(desk.settings, name) for name in ("method", "basis")}
    wanted = filled(LevelRequest, usual | {n: v for n, v in asked.items() if v is not None})
    return (await desk.session.executor.run(wanted.resolution(atoms))).result.level


def filled(form: type[FormT], asked: Found) -> FormT:
    """Return a form with those of its fields that are asked for.

    Raises:
        InputError: a value that cannot be.
    """
    return fill(form, {n: v for n, v in asked.items() if n in form.model_fields and v is not None})


def _last_run(desk: Desk, atoms: ConceptualAtoms | None, began: datetime) -> str:
    """Return the run on a structure that began since then; empty for none."""
    if atoms is None:
        return ""
    since = literal(began.isoformat()) + "^^xsd:dateTime"
    answer = desk.session.kg.store.query(
        with_prefixes(f"""
        SELECT ?run {{ ?run a g:Run ; g:about <{atoms.iri}> ; prov:startedAtTime ?at
                       FILTER(?at >= {since}) }} ORDER BY DESC(?at) LIMIT 1""")
    )
    assert isinstance(answer, Table)
    return shorten(text(answer.rows[0][0])) if answer.rows else ""
