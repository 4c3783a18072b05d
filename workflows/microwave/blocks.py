"""What is shown of a synthesizer, of how it stands and of what is read of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ontologies.laboratory import (
    HeatingParameters,
    PercentConversion,
    Synthesizer,
    SynthesizerState,
)
from workflows.show.blocks import Block, Fact
from workflows.show.object_blocks import Around, shows

UNITS = {"temperature": "°C", "duration": "min", "pressure": "atm"}


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
    yield _setting("set", state.parameters, Fact("set", "nothing set", name="parameters"))
    yield Fact("heating", state.heating, name="heating")
    last = state.heatings[-1] if state.heated and state.heatings else HeatingParameters()
    yield _setting("heated", last, Fact("heated", "no", name="heated"))


@shows(PercentConversion)
def _(reading: PercentConversion, around: Around) -> Iterator[Block]:
    del around
    found, fields = reading.conversion, ("conversion", "method")
    shown = Fact("conversion", found, "%", "conversion", digits=".2f", note=reading.method)
    yield replace(shown, fields=fields)


def _setting(label: str, found: HeatingParameters, otherwise: Fact) -> Fact:
    """Return how a vial is heated as one fact, whose parts are facts too."""
    given = [
        Fact("", value, unit, f"{label}_{name}", digits="g")
        for name, unit in UNITS.items()
        if (value := getattr(found, f"heating_{name}")) is not None
    ]
    if not given:
        return otherwise
    first, *more = given
    return replace(first, label=label, also=tuple(more), fields=(otherwise.name,))
