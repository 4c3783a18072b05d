"""The page of tools: all nineteen of the paper, and only verbs that there are."""

from __future__ import annotations

import re
from pathlib import Path

from tests.typed import typed
from workflows.registry import workflows

PAGE = Path(__file__).parents[2] / "docs" / "tools.md"
PAPER = (
    *("Name2SMILES", "Name2CAS", "SMILES2Weight", "Similarity", "ModifyMol", "FuncGroups"),
    *("SafetySummary", "ExplosiveCheck", "ControlledChemicalCheck", "SMILES2Price", "PatentCheck"),
    *("LitSearch", "WebSearch", "Python REPL", "Human", "NameRXN", "ReactionPredict"),
    *("ReactionPlanner", "ReactionExecute"),
)
"""A. M. Bran et al., Nat. Mach. Intell. 6, 525 (2024), Methods."""


def test_every_tool_of_the_paper_has_a_row_and_every_verb_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    first = text.partition("<!-- tried")[0]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]*)\| ([^|]*)\|$", first, re.MULTILINE)[1:]
    named = [name for name, *_ in rows if name.strip("-")]
    assert sorted(named) == sorted(PAPER)
    commands = {one.command for one in (*workflows().values(), *workflows().actions)}
    for verb in re.findall(r"grafico ([a-z]+)", text):
        assert verb in commands, verb


def test_what_the_page_shows_is_what_is_said() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert typed("groups", "procaine").stdout in text
    assert typed("modify", "procaine", "--by", "ester to amide").stdout in text
