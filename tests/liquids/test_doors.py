"""The command line, Python and models plan a protocol alike."""

from __future__ import annotations

import json
from pathlib import Path

from grafico import Grafico
from grafico.agent.context import ToolContext
from tests.agent.helpers import used
from tests.typed import typed
from workflows.liquids.balance import differences
from workflows.liquids.hardware import HardwareFile
from workflows.liquids.protocol import Protocol, protocol

DESIGNS = Path(__file__).parent / "designs"
FIRST = DESIGNS / "exp1.yaml"


def test_the_command_line_shows_the_map_the_steps_and_the_amounts() -> None:
    came = typed("protocol", str(FIRST))
    assert "  2. Add methanol (µL) to 8 vials in Plate 1" in came.output
    assert "A1  naphthalene 5.00, methanol 9995.61" in came.output
    assert "no device is driven" in came.output
    facts = json.loads(typed("protocol", str(FIRST), "--json").stdout)
    assert facts["amounts"]["Plate 1"]["A1"]["naphthalene"] == 5
    assert HardwareFile.model_validate(facts["hardware"]).status == "planned"
    assert protocol(facts["design"]).amounts == facts["amounts"]


def test_files_are_written_by_their_endings(tmp_path: Path) -> None:
    for ending in ("json", "csv", "txt"):
        typed("protocol", str(FIRST), "-o", str(tmp_path / f"a.{ending}"))
    HardwareFile.model_validate_json((tmp_path / "a.json").read_text(encoding="utf-8"))
    lines = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert lines[1] == "Plate 1,A1,5.000000,9995.614035"
    assert "steps" in (tmp_path / "a.txt").read_text(encoding="utf-8")


def test_a_refusal_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "full.yaml"
    path.write_text(FIRST.read_text(encoding="utf-8").replace("10 mL", "17 mL"), encoding="utf-8")
    came = typed("protocol", str(path), status=2)
    assert "fill it by 85" in came.output
    assert came.output.count("choose other vials") == 1


def test_python_takes_a_mapping_and_a_file() -> None:
    said = {
        "name": "water",
        "chemicals": {"water": {"state": "liquid", "structure": "O"}},
        "samples": [{"amounts": {"water": "1 mL"}}],
    }
    with Grafico("memory:") as session:
        found = session.protocol(said)
        assert isinstance(found, Protocol)
        assert found.amounts == {"Plate 1": {"A1": {"water": 1000.0}}}
        assert session.protocol(str(FIRST)).steps == protocol(FIRST.read_text("utf-8")).steps


def test_the_second_path_finds_what_the_first_has_wrong() -> None:
    """A dose that is off by a part in a million, or a transfer that loses some, does not pass."""
    found = protocol((DESIGNS / "exp4.yaml").read_text(encoding="utf-8"))
    assert differences(found.laid, found.steps) == []
    for index, step in enumerate(found.steps):
        if step.action != "Add" or step.plate != "Plate 1":
            continue
        vial = next(iter(step.values))
        values = {**step.values, vial: step.values[vial] * (1 + 1e-6)}
        steps = list(found.steps)
        steps[index] = step.model_copy(update={"values": values})
        assert any(vial in one for one in differences(found.laid, steps)), step


def test_a_model_asks_for_it_and_reads_its_own_files_alone(tmp_path: Path) -> None:
    with Grafico("memory:") as session:
        context = ToolContext(session, tmp_path / "talk")
        came = used(context, "run_workflow", name="protocol", subjects=[str(FIRST)])
        context.close()
    assert "no such file" in json.dumps(came)
