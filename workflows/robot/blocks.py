"""What is shown of simulated syntheses."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.syntheses import SimulatedSynthesis
from workflows.show.blocks import Block, Column, Fact, Table
from workflows.show.object_blocks import Around, shows


@shows(SimulatedSynthesis)
def _(found: SimulatedSynthesis, around: Around) -> Iterator[Block]:
    del around
    note = "simulated: nothing was moved"
    yield Fact("device", found.instrument, name="instrument", note=note)
    yield Fact("operations", found.operations, name="operations", note="each done once")
    columns = (Column("#"), Column("step"))
    yield Table("Repaired", columns, tuple(enumerate(found.repairs, 1)), "repairs")
    yield Table("What was done", columns, tuple(enumerate(found.steps_done, 1)), "steps_done")
