"""A batch from a sentence to the answer: one call, few words whatever its size."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evals.planner import text
from grafico.agent import ToolContext
from grafico.agent.toolbox import ArgumentsError

from ..helpers import used
from ..server import Message, calls, says, serving
from .talking import Talking

EXAMPLES = Path(__file__).parents[3] / "examples"
XTB = {"method": "GFN1-xTB"}

pytest.importorskip("tblite")


def test_a_batch_is_asked_for_by_a_sentence(talking: Talking, tmp_path: Path) -> None:
    def perfect(request: dict[str, Any]) -> Message:
        told = [text(m) for m in request["messages"] if m["role"] == "tool"]
        if not told:
            assert '"table": "library.csv"' in text(request["messages"][-1])
            asked = {"name": "batch", "subjects": ["library.csv"], "arguments": {"arguments": XTB}}
            return calls(("run_workflow", asked))
        assert len(told[0]) < 800 * 3.5
        assert str(tmp_path) not in told[0]
        [found] = json.loads(told[0])["sources"]
        assert found["values"] == {"calculations": 3, "finished": 3, "unreadable": 1}
        return says(
            "\n".join(
                [
                    f"{row['name']}: {row['energy_Eh']} Eh"
                    for row in found["rows"]
                    if "energy_Eh" in row
                ]
                + [*found["remarks"], found["table"]]
            )
        )

    with serving(perfect) as server, talking.agent(server.url) as agent:
        file = EXAMPLES / "library.csv"
        reply = agent.ask("GFN1-xTB energies of all of these, please.", files=[file])
        assert reply.unsourced == []
        assert "the ring bond 1 is left open" in reply.text
        with (agent.context.folder / "batch-1.csv").open() as table:
            energies = [row["energy_Eh"] for row in csv.DictReader(table)]
    assert [bool(one) for one in energies] == [True, False, True, True]
    assert energies[0] == energies[2]
    assert f"a: {float(energies[0]):.10g} Eh" in reply.text


@pytest.mark.parametrize(
    ("source", "arguments", "told"),
    [
        ("/etc/passwd", {}, "there are: library.csv"),
        ("../library.csv", {}, "there are: library.csv"),
        ("..", {}, "there are: library.csv"),
        ("-", {}, "there are: library.csv"),
        ("library.tsv", {}, "there are: library.csv"),
        ("library.csv", {"column": "smile"}, "id, smiles, shelf"),
        ("library.csv", {"each": "nothing"}, "spin-states"),
        ("library.csv", {"arguments": {"methd": "HF"}}, "did you mean method"),
        ("library.csv", {"arguments": {"online": True}}, "there is no such field"),
        ("library.csv", {"grid": {"force": [True]}}, "there is no such field"),
        ("library.csv", {"force": True}, "there is no such argument"),
        ("library.csv", {"limit": 0}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    talking: Talking, tmp_path: Path, source: str, arguments: dict[str, Any], told: str
) -> None:
    context = ToolContext(talking.session, tmp_path / "conversation")
    shutil.copy(EXAMPLES / "library.csv", context.folder)
    (context.folder / "notes.txt").write_text("CCO\n")
    try:
        asked = {
            "name": "batch",
            "subjects": [source],
            "arguments": {"arguments": XTB, **arguments},
        }
        said = json.dumps(used(context, "run_workflow", **asked))
    except ArgumentsError as error:
        said = str(error)
    finally:
        context.close()
    assert told in said
    assert "finished" not in said
