"""What is shown of a synthesizer, of how it stands and of what is read of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from ontologies.laboratory import (
    HeatingParameters,
    PercentConversion,
    Synthesizer,
    SynthesizerState,
)
from workflows.show.blocks import Block, Fact
from workflows.show.object_blocks import Around, shows

Setting: TypeAlias = tuple[float | None, float | None, float | None]
"""Temperature in °C, duration in minutes and pressure in atm, as far as they are set."""

NOTHING: Setting = (None, None, None)


@shows(Synthesizer)
def _(device: Synthesizer, around: Around) -> Iterator[Block]:
    del around
    yield Fact("device", device.name, name="name", note="virtual")


@shows(SynthesizerState)
def _(state: SynthesizerState, around: Around) -> Iterator[Block]:
    del around
    yield Fact("session", state.session or "none", name="session")
    yield Fact("lid", state.lid_open, name="lid_open", digits="open|closed")
    yield Fact("vial", "none" if state.vial is None else state.vial, name="vial")
    yield setting("set", _values(state.parameters), "nothing set", "parameters")
    yield Fact("heating", state.heating, name="heating")
    last = _values(state.heatings[-1]) if state.heated and state.heatings else NOTHING
    yield setting("heated", last, "no", "heated")


@shows(PercentConversion)
def _(reading: PercentConversion, around: Around) -> Iterator[Block]:
    del around
    yield Fact(
        "conversion",
        reading.conversion,
        "%",
        "conversion",
        digits=".2f",
        note=reading.method,
        fields=("conversion", "method"),
    )


def setting(label: str, values: Setting, otherwise: str, field: str) -> Fact:
    """Return how a vial is heated as one fact, whose parts are facts too."""
    units = ("temperature", "°C"), ("duration", "min"), ("pressure", "atm")
    given = [
        Fact("", value, unit, f"{label}_{name}", digits="g")
        for value, (name, unit) in zip(values, units, strict=True)
        if value is not None
    ]
    if not given:
        return Fact(label, otherwise, name=field)
    first = given[0]
    return Fact(
        label,
        first.value,
        first.unit,
        first.name,
        digits="g",
        also=tuple(given[1:]),
        fields=(field,),
    )


def _values(found: HeatingParameters) -> Setting:
    return found.heating_temperature, found.heating_duration, found.heating_pressure
