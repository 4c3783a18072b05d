"""What is shown of designs of samples, and of samples that were made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ontologies.liquids import LiquidDesign, PreparedSamples, SimulatedSamples
from workflows.show.blocks import Block, Column, Fact, Table
from workflows.show.object_blocks import Around, shows


@shows(LiquidDesign)
def _(design: LiquidDesign, around: Around) -> Iterator[Block]:
    del around
    yield Fact("design", design.name, name="name")


@shows(PreparedSamples)
def _(found: PreparedSamples, around: Around) -> Iterator[Block]:
    del around
    yield from _samples(found, "")


@shows(SimulatedSamples)
def _(found: SimulatedSamples, around: Around) -> Iterator[Block]:
    del around
    yield from _samples(found, "simulated: nothing was moved")


def _samples(found: PreparedSamples | SimulatedSamples, note: str) -> Iterator[Block]:
    yield Fact("device", found.instrument, name="instrument", note=note)
    yield Fact("operations", found.operations, name="operations", note="each done once")
    steps = tuple((number, one) for number, one in enumerate(found.steps_done, 1))
    yield Table("What was done", (Column("#"), Column("step")), steps, "steps_done")
    parts = [
        (plate, vial, name, *amount)
        for plate, vials in json.loads(found.contents).items()
        for vial, held in sorted(vials.items(), key=lambda one: (one[0][0], int(one[0][1:])))
        for name, amount in held.items()
    ]
    columns = (
        Column("plate"), Column("vial"), Column("holds"), Column("amount", digits=".6g"),
        Column("unit"),
    )  # fmt: skip
    yield Table("Contents of the vials", columns, tuple(parts), "contents", many=True)
