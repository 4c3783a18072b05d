"""What `evals.size` counts does not depend on layout."""

from __future__ import annotations

import json

import pytest

from evals.size import Size, main, size

TEXT = '''
"""A module."""

@cached
class One:
    """A class."""

    field: int = 3

    async def method(self) -> int:
        """A method."""
        if self.field:
            return call(1, 2)
        return 0
'''
LONG = TEXT.replace("call(1, 2)", "call(\n                1,\n                2,\n            )")


def test_definitions_and_statements_are_counted_and_docstrings_are_not() -> None:
    assert size(TEXT) == Size(files=1, definitions=2, statements=4, lines=14)
    assert size("x = 1; y = 2") == Size(1, 0, 2, 1)


def test_layout_changes_the_lines_alone() -> None:
    assert size(LONG) == Size(files=1, definitions=2, statements=4, lines=17)


def test_the_product_is_all_but_evals_and_tests(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--json"])
    rows = json.loads(capsys.readouterr().out)
    told = [rows.pop(name)["total"] for name in ("product", "evals", "tests")]
    assert told[0] == sum(one["total"] for one in rows.values())
    assert min(told) > 0
