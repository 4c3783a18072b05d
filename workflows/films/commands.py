"""What the station can do: its card, how it is simulated, and its parts in words."""

from __future__ import annotations

from workflows.engine.devices.card import packaged
from workflows.engine.devices.standing import Standing

CARD = packaged(__package__, "station.toml")
DELIVERED = Standing.of(CARD.begins, CARD)
"""A station as it was delivered, its racks full."""


def parts(at: Standing) -> dict[str, str]:
    """Return how each part of a station stands, in words."""
    vials = CARD.commands["locate_vial"].arguments["vial"].choices
    heated = "" if at.temperature is None else f", {at.temperature:g} °C"
    on = {"rack": "none out of the rack", "tool": "at the tool", "stage": "on the stage"}
    drawn = f", {at.drawn:g} mL drawn" * (at.drawn > 0)
    return {
        "arm": f"{at.tool} at {at.arm}{' in the rack' * (at.arm in vials)}{drawn}",
        "gripper": at.gripper + f" around the {at.gripped}" * bool(at.gripped),
        "clamp": at.clamp,
        "vials": f"{at.vial} in the {at.vial_at}" if at.vial else "all in the rack",
        "substrate": on[at.substrate] + f", {at.film} of {at.film_of}" * bool(at.film_of),
        "stage": f"vacuum {'on' if at.stage_vacuum else 'off'}{heated}",
    }
