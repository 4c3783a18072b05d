"""The small profile, as far as it is cheap: the planner's numbers, and what was recorded of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.__main__ import main
from evals.recorded import read
from evals.running import ROOT
from evals.spending import SOURCES, spending

SHIPPED = ROOT / "evals" / "transcripts" / "planner.jsonl"

QUICK = {
    "organic": ("organic 1", "organic 2"),
    "inorganic": ("inorganic 1", "inorganic 2"),
    "rings": ("rings 1", "rings 2"),
}
"""Cases that take less than a minute each on two cores, by their sets."""

OPEN = {"inorganic 1": "hydrogen_fluorophosphate"}
"""Open problems, told in docs/evals.md: cases, and the molecule that they miss."""


def outcomes(text: str) -> dict[str, dict[str, Any]]:
    found = json.loads(text)["sets"].values()
    return {one["case"]: one for each in found for one in each["outcomes"]}


@pytest.mark.parametrize("cases", QUICK)
def test_the_planner_has_every_number_of_the_small_profile(
    cases: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["--cases", cases, "--only", *QUICK[cases], "--model", "planner", "--json"]
    assert main(asked) == 0
    found = outcomes(capsys.readouterr().out)
    assert set(found) == set(QUICK[cases])
    for name, one in found.items():
        if name in OPEN:
            wrong = [part for reason in one["reasons"] for part in reason.split("; ")]
            assert wrong, "it is solved: take it out of OPEN, and of docs/evals.md"
            assert {part.partition(":")[0] for part in wrong} == {OPEN[name]}
        else:
            assert dict.fromkeys(one["scores"], 1.0) == one["scores"] or cases == "inorganic"
            assert one["scores"]["numeric"] == 1.0, one["reasons"]
            assert one["passed"], one["reasons"]


def test_what_is_shipped_replays_without_its_model(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the quick ones: the planner is not asked, and the scores are those of a run of it."""
    monkeypatch.setattr("evals.__main__.planning", lambda: pytest.fail("the planner was asked"))
    asked = ["--cases", "device,organic", "--only", "device", "organic 1", "--json"]
    assert main([*asked, "--model", f"recorded:{SHIPPED}"]) == 0
    found = outcomes(capsys.readouterr().out)
    assert len(found) > 5
    for one in found.values():
        assert one["passed"], (one["case"], one["reasons"])


def test_tokens_of_what_is_shipped_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tokens", str(SHIPPED)]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert all(source in head for source in SOURCES)
    every = read(SHIPPED)
    for one, line in zip(every, lines, strict=True):
        found = spending(json.dumps(one.messages), one.preamble)
        assert one.model == "planner"
        assert found["tokens"] == pytest.approx(sum(found[f"tokens/{name}"] for name in SOURCES))
        assert found["tokens/base prompt"] > one.preamble > 1000
        assert f"{found['tokens']:,.0f}" in line


def test_the_table_of_the_docs_is_that_of_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tokens", str(SHIPPED)]) == 0
    lines = {line[:38].strip(): line[38:].split() for line in capsys.readouterr().out.splitlines()}
    page = (ROOT / "docs" / "evals.md").read_text("utf-8")
    table = page.partition("| tokens |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(table) == 5
    for row in table:
        name, base, results, calls, text, whole = (one.strip() for one in row.split("|")[1:-1])
        _, *found = lines[name]
        assert [base, results, "0", calls, text, whole, "2,026"] == found


def test_a_table_of_tokens_needs_conversations(tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("{}\n", "utf-8")
    assert main(["--tokens", str(tmp_path / "none.jsonl")]) == 1
