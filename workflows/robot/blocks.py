"""What is shown of procedures, and of what simulations of them came to."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.syntheses import SimulatedSynthesis, SynthesisProcedure
from workflows.show.blocks import Block, Column, Fact, Table
from workflows.show.object_blocks import Around, shows


@shows(SynthesisProcedure)
def _(found: SynthesisProcedure, around: Around) -> Iterator[Block]:
    del around
    yield Fact("procedure", found.name, name="name")


@shows(SimulatedSynthesis)
def _(found: SimulatedSynthesis, around: Around) -> Iterator[Block]:
    del around
    note = "simulated: nothing was moved"
    yield Fact("device", found.instrument, name="instrument", note=note)
    yield Fact("operations", found.operations, name="operations", note="each done once")
    for label, name in (("Repaired", "repairs"), ("What was done", "steps_done")):
        rows = tuple(enumerate(getattr(found, name), 1))
        yield Table(label, (Column("#"), Column("step")), rows, name)
