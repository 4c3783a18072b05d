"""Tools that compare energies: multiplicities of a molecule, fragments of a complex."""

from __future__ import annotations

from typing import Any

from grafico.inspection import shorten
from grafico.structures import find_structure
from workflows.dft.counterpoise import InteractionRequest
from workflows.dft.request import DFTRequest, LevelRequest
from workflows.dft.spin_states import USUAL, SpinStatesRequest

from .computing import estimate, meant, too_long
from .desk import Desk
from .outcome import energy
from .toolbox import Found, as_error, tool

PARTS = 5
"""Calculations of an interaction: the whole, and two fragments alone and among ghosts."""


@tool(SpinStatesRequest, LevelRequest, known=(LevelRequest, DFTRequest))
async def spin_states(desk: Desk, molecule: str, charge: int | None = None, **asked: Any) -> Found:
    """Compare the spin multiplicities of a molecule. More arguments: as calculate."""
    given = meant(desk, molecule)
    found = await find_structure(desk.session, given, charge=charge, any_spin=True)
    count = len(asked.get("multiplicities") or ()) or USUAL
    seconds = count * estimate(found.atoms, DFTRequest(task=asked.get("task") or "energy"))
    if no := await too_long(desk, "spin_states", found.atoms, seconds, {"molecule": molecule}):
        return no
    result = await desk.session.spin_states_async(given, charge=charge, **asked)
    levels = dict.fromkeys(state.level.label for state in result.scan.states)
    geometry = "each optimised" if result.scan.relaxed else "as given"
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
        "status": result.status,
        "reading": f"{found.atoms.formula} (charge {found.atoms.charge:+d}) at "
        f"{' and '.join(levels)}; geometry {geometry}",
        "run": shorten(result.run), "iri": shorten(result.scan.iri),
        "ground_multiplicity": result.scan.ground_multiplicity,
        "geometry": shorten(result.atoms.iri), "states": states, "failed": failed,
        "remarks": list(result.remarks),
    })  # fmt: skip


@tool(InteractionRequest, LevelRequest, known=(LevelRequest, DFTRequest))
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
    given = meant(desk, molecule)
    whole: dict[str, Any] = {"charge": charge, "multiplicity": multiplicity}
    atoms, _ = await desk.session.structure(given, **whole)
    seconds = PARTS * estimate(atoms, DFTRequest())
    if no := await too_long(desk, "interaction", atoms, seconds, {"molecule": molecule, **asked}):
        return no
    result = await desk.session.interaction_async(given, **whole, **asked)
    atoms, parts = result.atoms, result.energy.fragments
    return _short({
        "status": result.status,
        "reading": f"{atoms.formula} (charge {atoms.charge:+d}, multiplicity "
        f"{atoms.multiplicity}) at {result.energy.level.label}; geometry as given; atoms of the "
        f"fragments {' | '.join(part.label for part in parts)}",
        "run": shorten(result.run), "iri": shorten(result.energy.iri),
        "corrected_Eh": energy(result.corrected), "uncorrected_Eh": energy(result.uncorrected),
        "geometry": shorten(atoms.iri), "remarks": list(result.remarks),
    })  # fmt: skip


def _short(found: Found) -> Found:
    return {name: value for name, value in found.items() if value not in ([], None)}
