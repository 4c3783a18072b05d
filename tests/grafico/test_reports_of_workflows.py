"""Reports of workflows whose steps begin runs of their own: what was done, and at which level."""

from __future__ import annotations

from typing import Any

import pytest

from grafico import Grafico
from grafico.views.report import chapter, report
from workflows.show.blocks import Column
from workflows.show.run_blocks import read_run

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}
REACTIONS = ("[H][H] + FF -> 2 F", "[H][H] -> 2 [H]")


@pytest.fixture(scope="module")
def reactions(session: Grafico) -> list[str]:
    levels: tuple[dict[str, Any], ...] = (HF, {"method": "GFN2-xTB"})
    return [
        session.run(text, workflow="react", task="energy", **level).run
        for text, level in zip(REACTIONS, levels, strict=True)
    ]


def test_what_runs_within_have_computed_counts(session: Grafico) -> None:
    first = session.run("[H][H]", workflow="spectrum", kind="ir", **HF)
    second = session.run("[H][H]", workflow="spectrum", kind="ir", **HF)
    for done, said in (
        (first, "Everything was computed in this run; nothing was remembered."),
        (second, "Everything was remembered from earlier runs; nothing was computed anew."),
    ):
        page = report(session.kg, [done.run])
        assert said in page
        assert "Nothing was calculated" not in page
    work, again = (read_run(session.kg, one.run).work for one in (first, second))
    assert work is not None
    assert again is not None
    assert work.computed == work.whole == again.remembered == again.whole > 0
    assert work.seconds > 0
    assert again.seconds == 0
    assert read_run(session.kg, second.run).reused
    assert not read_run(session.kg, first.run).reused


def test_a_part_may_be_remembered(session: Grafico, reactions: list[str]) -> None:
    assert reactions
    mixed = session.run("2 FF -> 4 [F]", workflow="react", task="energy", **HF)
    assert "1 of 2 calculations were remembered" in report(session.kg, [mixed.run])


def test_a_reaction_is_no_level_of_theory(session: Grafico, reactions: list[str]) -> None:
    chapters = [chapter(session.kg, run) for run in reactions]
    assert [one.title for one in chapters] == [*REACTIONS]
    assert [one.level for one in chapters] == ["HF/STO-3G", "GFN2-xTB"]
    assert [one.subtitle for one in chapters] == ["HF/STO-3G", "GFN2-xTB"]
    page = report(session.kg, reactions)
    head, row = page.partition("<tbody>")[::2]
    assert Column("level of theory").label in head
    cells = row.partition("</tr>")[0]
    assert "HF/STO-3G" in cells


def test_an_energy_with_zero_points_is_not_called_a_zero_point(session: Grafico) -> None:
    done = session.run(REACTIONS[0], workflow="react", **HF)
    names = [
        fact.name
        for section in done.shown_sections()
        for fact in section.blocks
        if getattr(fact, "label", "") == "ΔE + ΔZPE"
    ]
    assert names == ["energy_change_with_zero_point"]
    every = {getattr(block, "name", "") for one in done.shown_sections() for block in one.blocks}
    assert "zero_point_change" not in every
