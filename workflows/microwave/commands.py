"""The commands of the device, which are those of its card, and how it stands in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from workflows.engine.devices.card import packaged
from workflows.engine.devices.clock import spell
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.typed import StoredCommand, typed

CARD = packaged(__package__, "microwave.toml")
SETTINGS = CARD.commands["update_heating_parameters"].arguments
"""How a vial is heated: temperature, duration and pressure, with limits and units."""

Parameters: TypeAlias = Mapping[str, float | None]
"""Values of these; None for what is not set."""


class Command(StoredCommand):
    """A command of the device."""

    def checks(self, situation: Standing) -> tuple[str, ...]:
        return (told(situation),)

    def carry_out(self, bench: Any, given: Any) -> Any:
        reads = self.called == "get_percent_conversion"
        return bench.device.measured(bench, given) if reads else super().carry_out(bench, given)


(
    AllocateSession,
    OpenLid,
    CloseLid,
    LoadVial,
    UnloadVial,
    UpdateHeatingParameters,
    HeatVial,
    GetPercentConversion,
) = COMMANDS = typed(CARD, Command)


def situation(**states: Any) -> Standing:
    """Return where a device stands, as it was delivered but for some states."""
    return Standing.of(CARD.begins, CARD).but(**states)


def parameters(at: Standing, before: str = "") -> Parameters:
    """Return what is set; with `heated_` before their names, what the vial was heated with last."""
    return {name: getattr(at, before + name) for name in SETTINGS}


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
