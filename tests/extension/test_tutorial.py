"""docs/extending.md is what the toy was written from: its blocks are the files of the toy.

A block under a line such as ``**`huckel/model.py`**`` is that file.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.extension.conftest import ROOT, TOY
from workflows.page import page

TEXT = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^\*\*`([\w./]+)`\*\*\n\n```\w+\n(.*?)^```$", TEXT, re.S | re.M))


def test_every_file_of_the_toy_is_told() -> None:
    there = {str(one.relative_to(TOY)) for one in TOY.rglob("*") if one.suffix in (".py", ".toml")}
    assert set(FILES) == there


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_tutorial_has_the_toy(name: str) -> None:
    assert FILES[name] == (TOY / name).read_text(encoding="utf-8")


def test_the_page_of_workflows_is_that_of_today() -> None:
    kept = Path(ROOT / "docs" / "workflows.md").read_text(encoding="utf-8")
    assert kept == page(), "`python -m workflows` writes it"
