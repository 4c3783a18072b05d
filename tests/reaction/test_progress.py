"""While a question of several calculations goes on, each of them tells what it does."""

from __future__ import annotations

import pytest

from grafico import Grafico
from workflows.engine import Event

HF = {"method": "HF", "basis": "STO-3G", "task": "energy"}


@pytest.mark.parametrize(
    ("workflow", "subject", "more", "formulas"),
    [
        ("react", "[H][H] -> [H] + [H]", {}, {"H2", "H"}),
        ("strain", "C1CC1", {"scheme": "homodesmotic"}, {"C3H6", "C2H6", "C3H8"}),
        ("excite", "[H][H]", {"states": 1, "response": "TDA"}, {"H2"}),
    ],
)
def test_each_part_tells_what_it_does(
    workflow: str, subject: str, more: dict[str, object], formulas: set[str]
) -> None:
    heard: list[Event] = []
    with Grafico("memory:", threads_per_calculation=1, listener=heard.append) as session:
        run = session.run(subject, workflow=workflow, **HF, **more).run
    began = {one.subject: one.data.get("about") for one in heard if one.kind == "run"}
    parts = {name: about for name, about in began.items() if name != run}
    assert formulas <= set(parts.values())
    at_work = {one.where.run for one in heard if one.kind == "started" and one.where.run in parts}
    assert {parts[one] for one in at_work} >= formulas
