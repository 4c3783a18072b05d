"""Tools that compare energies: multiplicities of a molecule, fragments of a complex."""

from __future__ import annotations

from typing import Any

from grafico.structures import find_structure
from grafico.views.brief import brief
from workflows.dft.counterpoise import InteractionRequest, calls_of
from workflows.dft.fragments import divided
from workflows.dft.ghosts import refuse_solvent
from workflows.dft.part import Part
from workflows.dft.request import DFTRequest, LevelRequest
from workflows.dft.spin_states import SpinStatesRequest

from .computing import agreement, filled, level_of, meant
from .desk import Desk
from .toolbox import Found, as_error, tool


@tool(SpinStatesRequest, LevelRequest, known=(LevelRequest, DFTRequest), without=("force",))
async def spin_states(desk: Desk, molecule: str, charge: int | None = None, **asked: Any) -> Found:
    """Compare the spin multiplicities of a molecule. More arguments: as calculate."""
    given = meant(desk, molecule)
    found = await find_structure(desk.session, given, charge=charge, any_spin=True)
    request = filled(SpinStatesRequest, asked)
    alike = filled(DFTRequest, request.model_dump(include={"task", "max_steps", "convergence"}))
    level = dict(asked)
    if asked.get("stable") and not asked.get("reference"):
        level["reference"] = "unrestricted"  # as the run does
    spins = request.of(found.atoms)
    parts = [Part(spin, await level_of(desk, spin, level), alike) for spin in spins]
    told = {"molecule": molecule, "charge": charge, **asked}
    force, no = await agreement(desk, "spin_states", told, parts)
    if no:
        return no
    result = await desk.session.spin_states_async(given, charge=charge, **asked, **force)
    failed = [{"multiplicity": s, "error": as_error(e)} for s, e in result.errors.items()]
    return brief(result.ran) | ({"failed": failed} if failed else {})


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
    given = meant(desk, molecule)
    whole: dict[str, Any] = {"charge": charge, "multiplicity": multiplicity}
    found = await find_structure(desk.session, given, **whole)
    atoms, request = found.atoms, filled(InteractionRequest, asked).with_parts(found.parts)
    level = await level_of(desk, atoms, asked)
    refuse_solvent(level)
    fragments = divided(
        atoms, request.fragments, request.fragment_charges, request.fragment_multiplicities
    )
    placed = [(one, await level_of(desk, one.atoms_of(atoms), asked)) for one in fragments]
    parts = [
        Part(call.arguments["atoms"], call.arguments["level"], DFTRequest(), call)
        for call in calls_of(atoms, level, placed).values()
    ]
    told = {"molecule": molecule, **whole, **asked}
    force, no = await agreement(desk, "interaction", told, parts)
    if no:
        return no
    result = await desk.session.interaction_async(given, **whole, **asked, **force)
    return brief(result.ran)
