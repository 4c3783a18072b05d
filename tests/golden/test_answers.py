"""The keys of what commands print with ``--json`` stay; new ones may come."""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden.answers import COMMANDS, lost, shape
from tests.golden.keep import kept, shapes


@pytest.fixture(scope="module")
def today(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return shapes(tmp_path_factory.mktemp("answers"))


@pytest.mark.parametrize("command", COMMANDS)
def test_keys_stay(command: str, today: dict[str, Any]) -> None:
    gone = list(lost(kept("answers")[command], today[command]))
    assert not gone, "scripts of people read these:\n" + "\n".join(gone)


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ({"a": 1}, {"a": 2.5, "b": 3}, []),
        ({"a": 1}, {"b": 1}, ["/a: is gone"]),
        ({"a": 1}, {"a": "1"}, ["/a: was a number, is a string"]),
        ({"a": 1}, {"a": None}, ["/a: was a number, is a null"]),
        ({"a": None}, {"a": 1}, []),
        ([{"a": 1}, {"b": [1]}], [{"a": 1, "b": [2]}], []),
        ([{"a": 1}, {"b": [1]}], [{"a": 1}], ["[]/b: is gone"]),
        ({"a": [1]}, {"a": []}, ["/a: holds no number any more"]),
        ({"a": [[1]]}, {"a": [["x"]]}, ["/a[]: holds no number any more"]),
        ({"a": {"b": 1}}, {"a": [1]}, ["/a: was a object, is a list"]),
    ],
)
def test_what_goes_is_noticed(before: Any, now: Any, said: list[str]) -> None:
    assert list(lost(shape(before), shape(now))) == said
