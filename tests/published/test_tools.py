"""Five inputs for each of the published tools: what the page says of them is what they say."""

from __future__ import annotations

from collections import Counter
from importlib.util import find_spec

import pytest

from tests.docs.test_tools_page import PAPER

from . import test_published
from .tools import PAGE, TRIED, answered, table

address = test_published.address
TOOLS = [*dict.fromkeys(one.tool for one in TRIED)]
NEEDS = {
    "SMILES2Price": "molbloom", "PatentCheck": "molbloom", "NameRXN": "chython",
    "ReactionPredict": "chython", "ReactionPlanner": "synspace", "SafetySummary": "chemicals",
    "Name2CAS": "chemicals", "ExplosiveCheck": "chemicals",
}  # fmt: skip


def test_each_tool_has_five_inputs() -> None:
    assert Counter(one.tool for one in TRIED) == dict.fromkeys(PAPER, 5)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_page_shows_what_is_said(tool: str, request: pytest.FixtureRequest) -> None:
    """`python -m tests.published.tools` writes it anew."""
    if tool in NEEDS and find_spec(NEEDS[tool]) is None:
        pytest.skip(f"the package {NEEDS[tool]}")
    if tool == "Python REPL":
        request.getfixturevalue("confined")
    rows = [one for one in TRIED if one.tool == tool]
    if any(one.online for one in rows):
        request.getfixturevalue("address")
    text = PAGE.read_text("utf-8")
    for line in table([(one, answered(one)) for one in rows]).splitlines()[2:]:
        assert not line.endswith("|  |"), line
        assert line in text
