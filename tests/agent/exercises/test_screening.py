"""Sixty molecules of a table: the question is answered from rows that were asked for, no file.

The expected rows are picked by hand from the table that a person gets.
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.planner import text
from grafico.agent import ToolContext
from grafico.agent.toolbox import ArgumentsError

from ..helpers import used
from ..server import Message, calls, says, serving
from .talking import Talking
from .test_figure import tokens

EXAMPLES = Path(__file__).parents[3] / "examples"
XTB = {"method": "GFN2-xTB"}
MOST_TOKENS = 6000

pytest.importorskip("tblite")
pytestmark = pytest.mark.xdist_group("exercise-screening")


def table(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def largest(rows: list[dict[str, str]], column: str) -> list[str]:
    """Names of the three rows with the largest value."""
    return [one["id"] for one in sorted(rows, key=lambda row: -float(row[column]))[:3]]


def test_sixty_molecules_are_screened_in_one_call(talking: Talking) -> None:
    def perfect(request: dict[str, Any]) -> Message:
        told = [text(m) for m in request["messages"] if m["role"] == "tool"]
        if not told:
            said = text(request["messages"][-1])
            line = json.loads(said[said.index("[data ") + 6 : -1])
            assert line["rows"] == 60
            assert line["columns"]["smiles"] == "text"
            assert line["columns"]["measured_dipole_D"] == "number"
            arguments = {"arguments": XTB, "sort": ["-gap", "-dipole"], "top": 3}
            asked = {"name": "batch", "subjects": [line["table"]], "arguments": arguments}
            return calls(("run_workflow", asked))
        [found] = json.loads(told[0])["sources"]
        assert found["shown"] == "rows 1–3 of 60 by -gap; rows 1–3 of 60 by -dipole"
        assert found["rows"][0]["given"] == {"name": "methane"}
        assert {"name", "status", "gap_Eh", "dipole_D", "smiles"} <= set(found["columns"])
        said = [
            f"{row['by']} {row['name']}: {row['gap_Eh']} Eh, {row['dipole_D']} D"
            for row in found["rows"]
        ]
        return says("\n".join(said))

    with serving(perfect) as server, talking.agent(server.url) as agent:
        question = "Which of these have the largest gap, which the largest dipole? Three of each."
        reply = agent.ask(f"{question} GFN2-xTB.", files=[EXAMPLES / "screening.csv"])
        rows = table(agent.context.folder / "batch-1.csv")
    assert reply.unsourced == []
    lines = reply.text.splitlines()
    for order, column in (("-gap", "gap_Eh"), ("-dipole", "dipole_D")):
        mine = [line.removeprefix(f"{order} ") for line in lines if line.startswith(f"{order} ")]
        assert [one.partition(":")[0] for one in mine] == largest(rows, column)
    sums = [tokens(one) for one in server.asked]
    print(f"in {[round(one) for one in sums]}")
    assert len(sums) == 2
    assert sum(sums) < MOST_TOKENS


@pytest.fixture
def context(talking: Talking, tmp_path: Path) -> Iterator[ToolContext]:
    made = ToolContext(talking.session, tmp_path / "conversation")
    shutil.copy(EXAMPLES / "screening.csv", made.folder)
    yield made
    made.close()


def screened(context: ToolContext, **rows: Any) -> dict[str, Any]:
    asked = {"arguments": XTB, "limit": 12, **rows}
    found = used(context, "run_workflow", name="batch", subjects=["screening.csv"], arguments=asked)
    return found["sources"][0]


def test_rows_are_read_again_by_the_run(context: ToolContext) -> None:
    run = screened(context)["run"]
    rows = table(context.folder / "batch-1.csv")
    high = [one for one in rows if float(one["gap_Eh"]) > 0.4]
    assert 0 < len(high) < 12
    found = used(context, "get", iri=run, where=["gap > 0.4", "status = finished"], top=2)
    assert found["shown"] == f"rows 1–2 of {len(high)}, which match, of 12"
    assert [row["gap_Eh"] for row in found["rows"]] == [
        pytest.approx(float(one["gap_Eh"]), rel=1e-9) for one in high[:2]
    ]
    # what the source says stands apart, as text, and can be chosen, compared and sorted by
    found = used(
        context, "get", iri=run, columns=["dipole", "smiles"], sort=["measured_dipole_D"],
        where=["measured_dipole_D >= 1.5"], top=50,
    )  # fmt: skip
    wanted = sorted(float(x) for one in rows if (x := one["measured_dipole_D"]) and float(x) >= 1.5)
    assert [float(row["given"]["measured_dipole_D"]) for row in found["rows"]] == wanted
    assert {"name", "status", "dipole_D", "given", "run"} == set(found["rows"][0])
    assert used(context, "get", iri=run, where=["gap > 1000"])["shown"].startswith("none of 0 rows")


def test_a_choice_that_cannot_be_is_told_beside_what_was_computed(context: ToolContext) -> None:
    found = screened(context, sort=["-gapp"])
    assert "did you mean gap_Eh" in found["rows_error"]["found"]
    assert found["shown"] == "rows 1–5 of 12"
    with pytest.raises(ArgumentsError, match="top"):
        screened(context, top=0)
    wrong = used(context, "get", iri=found["run"], where=["gap"])
    assert "is no condition" in wrong["error"]["found"]
    one = found["rows"][0]["run"]
    assert "rows has only a batch" in used(context, "get", iri=one, top=3)["error"]["found"]


@pytest.mark.skipif(ToolContext.no_sandbox() is not None, reason="nothing can be confined here")
def test_the_table_is_read_by_code_and_its_numbers_are_sources(context: ToolContext) -> None:
    run = screened(context)["run"]
    code = f"t = g.table({run!r})\nassert len(t) == 12\nprint(t.dipole_D.max())"
    found = used(context, "run_python", code=code)
    best = max(float(one["dipole_D"]) for one in table(context.folder / "batch-1.csv"))
    assert float(found["stdout"]) == pytest.approx(best, rel=1e-12)
    assert found["derived"]
    assert "no_source" not in found
    # what the table was given is no source: anybody can write a table
    code = f"t = g.table({run!r})\nprint(t.dipole_D.max(), t.measured_dipole_D.max())"
    found = used(context, "run_python", code=code)
    given = max(float(x) for one in table(context.folder / "batch-1.csv")
                if (x := one["measured_dipole_D"]))  # fmt: skip
    assert found["no_source"]["numbers"] == [f"{given}"]
