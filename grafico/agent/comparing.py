"""Tools that compare energies: multiplicities of a molecule, fragments of a complex."""

from __future__ import annotations

from typing import Any

from grafico.inspection import shorten
from workflows.dft.counterpoise import InteractionRequest
from workflows.dft.spin_states import SpinStatesRequest

from .computing import meant
from .desk import Desk
from .outcome import energy
from .toolbox import Found, as_error, tool


@tool(SpinStatesRequest, without=("max_steps", "convergence"))
async def spin_states(
    desk: Desk,
    molecule: str,
    charge: int | None = None,
    method: str = "",
    basis: str = "",
    **asked: Any,
) -> Found:
    """Compare the spin multiplicities of a molecule."""
    named = {"charge": charge, "method": method or None, "basis": basis or None}
    result = await desk.session.spin_states_async(meant(desk, molecule), **named, **asked)
    states = [
        {
            "multiplicity": spin,
            "result": shorten(answer.recorded),
            "energy_Eh": energy(answer.result.energy),
            "relative_Eh": energy(result.relative[spin]),
        }
        for spin, answer in result.answers.items()
    ]
    failed = [{"multiplicity": s, "error": as_error(e)} for s, e in result.errors.items()]
    return _short({
        "status": result.status, "run": shorten(result.run), "iri": shorten(result.scan.iri),
        "ground_multiplicity": result.scan.ground_multiplicity,
        "geometry": shorten(result.atoms.iri), "states": states, "failed": failed,
        "remarks": list(result.remarks),
    })  # fmt: skip


@tool(InteractionRequest)
async def interaction(
    desk: Desk, molecule: str, method: str = "", basis: str = "", **asked: Any
) -> Found:
    """Find how strongly the fragments of one structure hold together, counterpoise-corrected."""
    named = {"method": method or None, "basis": basis or None}
    result = await desk.session.interaction_async(meant(desk, molecule), **named, **asked)
    return _short({
        "status": result.status, "run": shorten(result.run), "iri": shorten(result.energy.iri),
        "corrected_Eh": energy(result.corrected), "uncorrected_Eh": energy(result.uncorrected),
        "geometry": shorten(result.atoms.iri), "remarks": list(result.remarks),
    })  # fmt: skip


def _short(found: Found) -> Found:
    return {name: value for name, value in found.items() if value not in ([], None)}
