"""Designs of liquid handling, what a device was told, and what it made of them."""

from datetime import UTC, datetime
from typing import Any

from ogm import GraphModel, Link
from ontologies.liquids import LiquidDesign, PreparedSamples, SimulatedSamples
from ontologies.operations import Operation, OperationEnd
from ontologies.provenance import Run

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
RUN: Link[Run] = Link("https://w3id.org/grafico/id/Run/1")
DESIGN = LiquidDesign(name="dye in water", text='{"name": "dye in water"}')
TOLD = Operation(
    instrument="left bench",
    simulated=True,
    operation_number=1,
    run=RUN,
    work=RUN,
    place_in_work=1,
    of_work=1,
    told="{}",
    sent=NOW,
)
ENDED = OperationEnd(
    operation=Link(TOLD), work=RUN, outcome="done", reading="{}", ended=NOW, said_by="me"
)
MADE: dict[str, Any] = {
    "design": DESIGN,
    "run": RUN,
    "work": RUN,
    "instrument": "left bench",
    "operations_digest": "00",
    "operations": 1,
    "steps_done": ("Add water (µL) to 1 vial in Plate 1: 1 operation",),
    "contents": '{"Plate 1": {"A1": {"water": [1000.0, "µL"]}}}',
    "ended": NOW,
}

EVERYTHING: list[GraphModel] = [
    DESIGN,
    TOLD,
    ENDED,
    PreparedSamples(**MADE),
    SimulatedSamples(**MADE),
]
