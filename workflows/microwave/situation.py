"""The card of the device, and how it stands in words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import TypeAlias

from workflows.engine.devices.card import Card
from workflows.engine.devices.clock import spell
from workflows.engine.devices.standing import Standing

CARD = Card.model_validate(
    tomllib.loads((files(__package__ or "") / "microwave.toml").read_text(encoding="utf-8"))
)
SETTINGS = CARD.commands["update_heating_parameters"].arguments
"""How a vial is heated: temperature, duration and pressure, with limits and units."""

Parameters: TypeAlias = Mapping[str, float | None]
"""Values of these; None for what is not set."""


def situation(**states: object) -> Standing:
    """Return where a device stands, as it was delivered but for some states."""
    return Standing.of(CARD.begins, CARD).but(**states)  # pyright: ignore[reportArgumentType]


def parameters(at: Standing, before: str = "") -> Parameters:
    """Return what is set; with `heated_` before their names, what the vial was heated with last."""
    return {name: at.by_name[before + name] for name in SETTINGS}  # pyright: ignore[reportReturnType]


def in_words(values: Parameters) -> str:
    """Return how a vial is heated in words: 100 °C, 50 min, 3 atm."""
    said = [f"{values[n]:g} {one.unit}" for n, one in SETTINGS.items() if values[n] is not None]
    return ", ".join(said) or "nothing set"


def told(at: Standing) -> str:
    """Return where a device stands in words."""
    parts = [
        "session live" if at.session else "no session",
        "lid open" if at.lid_open else "lid closed",
        "no vial" if at.vial is None else f"vial {at.vial} inside",
        in_words(parameters(at)),
    ]
    if at.heating:
        parts.append(f"heating, {spell(at.remaining)} left")
    elif at.heated:
        parts.append(f"heated at {in_words(parameters(at, 'heated_'))}")
    return "; ".join(parts)
