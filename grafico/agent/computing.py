"""Tools that compute: what is known is remembered, what is new is run."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from grafico.inspection import shorten, text
from ogm.literals import literal
from ogm.terms import with_prefixes
from triplestore import Table
from triplestore.errors import GraficoError, InputError
from workflows.dft.request import DFTRequest, LevelRequest
from workflows.molecule import recognise

from .desk import Desk
from .outcome import outcome
from .toolbox import Found, as_error, denied, tool

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms

_log = logging.getLogger(__name__)

MOST = 50
"""Molecules of one call."""


@tool(LevelRequest, DFTRequest)
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
    return outcome(result)


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
        seconds = estimate(atoms, DFTRequest.model_validate(_of(DFTRequest, asked)))
        if no := await too_long(desk, "calculate", atoms, seconds, {"molecule": molecule, **asked}):
            return said | no
        result = await session.run_async(given, **options, **asked, router=_router(desk))
        return said | outcome(result)
    except GraficoError as error:
        failed: Found = {**said, "status": "failed", "error": as_error(error)}
        run = _last_run(desk, atoms, began)
        return failed | ({"run": run} if run else {})
    except Exception as error:
        _log.exception("%s could not be computed", molecule)
        fault = {"kind": "GraficoError", "found": f"a fault in it: {type(error).__name__}"}
        return said | {"status": "failed", "error": fault}


async def too_long(
    desk: Desk, tool: str, atoms: ConceptualAtoms, seconds: float, asked: Found
) -> Found | None:
    """Return what is said where a calculation so long needs a yes and nobody agrees, else None."""
    if seconds <= desk.long:
        return None
    why = f"{atoms.formula} may take {spelt(seconds)} on one core (a rough guess)"
    return None if await desk.agreed(tool, asked, why) else denied(why)


def _of(form: Any, asked: Found) -> Found:
    return {n: v for n, v in asked.items() if n in form.model_fields and v is not None}


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


def estimate(atoms: ConceptualAtoms, request: DFTRequest) -> float:
    """Return seconds of one core, within a factor of ten or worse.

    From timings of B3LYP/def2-SVP with PySCF: 1 s for 10 electrons, 40 s for 120. A larger basis
    set takes longer.
    """
    electrons = int(atoms.numbers.sum())
    one = 1.0 + 1e-4 * electrons**2.7
    steps = {"energy": 1, "optimise": 15, "frequencies": 15 + 2 * len(atoms.numbers)}
    return one * (steps[request.task] + (request.states or 0) / 2 + 2 * request.stability)


def spelt(seconds: float) -> str:
    """Return a time in words."""
    hours = seconds / 3600
    return f"{hours:.0f} hours" if hours < 100 else f"{hours / 24:.0f} days"
