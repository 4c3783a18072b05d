"""Tools that compute: what is known is remembered, what is new is run."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from grafico.inspection import shorten
from grafico.views.brief import brief
from triplestore.errors import GraficoError, InputError, ResourceError
from workflows.dft.counterpoise import InteractionRequest
from workflows.dft.request import DFTRequest, LevelRequest
from workflows.dft.spin_states import SpinStatesRequest
from workflows.engine.workflow import Ready, Subject
from workflows.microwave import MicrowaveRequest
from workflows.registry import workflows

from .desk import Desk
from .toolbox import Found, as_error, denied, tool

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
    said = {"charge": charge, "multiplicity": multiplicity, "recompute": recompute, **asked}
    jobs = [_one(desk, molecule, said) for molecule in molecules]
    return {"molecules": list(await asyncio.gather(*jobs))}


@tool(SpinStatesRequest, LevelRequest, known=(LevelRequest, DFTRequest), without=("force",))
async def spin_states(desk: Desk, molecule: str, charge: int | None = None, **asked: Any) -> Found:
    """Compare the spin multiplicities of a molecule. More arguments: as calculate."""
    return await ask(desk, "spin-states", molecule, {"charge": charge, **asked})


@tool(InteractionRequest, LevelRequest, known=(LevelRequest, DFTRequest), without=("force",))
async def interaction(
    desk: Desk,
    molecule: str,
    charge: int | None = None,
    multiplicity: int | None = None,
    **asked: Any,
) -> Found:
    """Find the counterpoise-corrected interaction of the fragments of a structure.

    More arguments: as calculate.
    """
    said = {"charge": charge, "multiplicity": multiplicity, **asked}
    return await ask(desk, "interaction", molecule, said)


@tool(MicrowaveRequest, without=("status",))
async def microwave(desk: Desk, **asked: Any) -> Found:
    """Say how the virtual microwave synthesizer is to stand (°C, min, atm)."""
    return await ask(desk, "microwave", "", asked)


@tool()
async def resume(desk: Desk, run: Annotated[str, Field(description="IRI.")]) -> Found:
    """Go on with a run that failed, was cut off or missed its goal."""
    result = await desk.session.resume_async(run, router=_router(desk))
    return brief(result.ran)


async def ask(desk: Desk, workflow: str, given: str, said: Found) -> Found:
    """Prepare what is asked, have a person agree where that is needed, and do it.

    Raises:
        GraficoError: it cannot be, or a calculation failed.
    """
    chosen = workflows().named(workflow)
    subject = meant(desk, chosen.whole.subject, given) if given else None
    ready = await desk.session.prepare_async(subject, workflow=chosen.name, **said)
    force, no = await agreement(desk, ready, {"subject": given, **said})
    if no:
        return no
    result = await desk.session.perform_async(ready, router=_router(desk), force=force)
    return brief(result.ran)


def _router(desk: Desk) -> str:
    model = desk.settings.router_model
    return f"model:{model}" if model else "goal"


def meant(desk: Desk, subject: Subject[Any], given: str) -> str | Path:
    """Return what a model means by a subject: a file in the folder, or anything but a file.

    Raises:
        InputError: it is a file out of reach.
    """
    name = given.strip()
    path = desk.structure_file(name)
    if path is not None:
        return path
    if subject.is_file(name):  # somewhere on this machine
        raise InputError(
            f"the {subject.name} {name!r} was asked for",
            "that is a file out of reach",
            "give a name, a SMILES, an IRI, or a structure in the folder of this conversation",
        )
    return name


async def _one(desk: Desk, molecule: str, said: Found) -> Found:
    told: Found = {"molecule": molecule}
    try:
        return told | await ask(desk, workflows().usual.name, molecule, said)
    except GraficoError as error:
        failed: Found = {**told, "status": "failed", "error": as_error(error)}
        return failed | ({"run": shorten(error.run)} if error.run else {})
    except Exception as error:
        _log.exception("%s could not be computed", molecule)
        fault = {"kind": "GraficoError", "found": f"a fault in it: {type(error).__name__}"}
        return told | {"status": "failed", "error": fault}


async def agreement(desk: Desk, ready: Ready, asked: Found) -> tuple[bool, Found | None]:
    """Ask a person about what moves something, takes long, or needs more than there is.

    Returns:
        Whether somebody has agreed to what takes long; and what is said where a yes is needed and
        nobody agrees, None where all is well.
    """
    name = ready.workflow.command
    why, estimated = ready.workflow.whole.confirm, ""
    try:
        ready.estimate(min(desk.long / 3600, ready.hours))
    except ResourceError as error:
        estimated = error.found
        why = f"{ready.prepared.label}: {estimated}"
    if not why:
        return False, None
    agreed = await desk.agreed(name, asked, why)
    no = None if agreed else denied(why) | ({"estimate": estimated} if estimated else {})
    return agreed and bool(estimated), no
