"""What is stored is found again: names of objects, keys of calls and words never change."""

from __future__ import annotations

from typing import Any

import pytest

from tests.golden.asked import names
from tests.golden.keep import kept, missing
from tests.golden.vocabulary import words

MEANS = {
    "objects": "objects of stores would be other objects: what was computed of them is not found",
    "calls": "results stored before would be computed again",
    "families": "results stored before for a moved copy would be computed again",
    "backends": "results stored before would be computed again",
    "levels as people ask for them": "results stored before would be computed again",
}


@pytest.fixture(scope="module")
def today() -> dict[str, dict[str, str]]:
    return names()


@pytest.mark.parametrize("kind", MEANS)
def test_what_is_asked_is_named_as_it_was(kind: str, today: dict[str, dict[str, str]]) -> None:
    lost = missing(kept("names")[kind], today[kind])
    assert not lost, f"{MEANS[kind]}:\n" + "\n".join(lost)


def test_everything_that_is_asked_is_kept(today: dict[str, dict[str, str]]) -> None:
    new = missing(today, kept("names"))
    assert not new, "keep it: python -m tests.golden.keep\n" + "\n".join(new)


def test_classes_are_stored_as_they_were() -> None:
    before: dict[str, Any] = kept("vocabulary")["classes"]
    now: dict[str, Any] = words()["classes"]
    schemas = {name: (old.pop("schema"), now[name]["schema"]) for name, old in before.items()}
    assert not [name for name, (old, new) in schemas.items() if new < old]
    lost = missing(before, now)
    assert not lost, "queries and stores of people name these:\n" + "\n".join(lost)


def test_graphs_and_nodes_are_called_as_they_were() -> None:
    lost = missing(kept("vocabulary")["graphs"], words()["graphs"])
    assert not lost, "stored runs could not be read or resumed:\n" + "\n".join(lost)


def test_what_goes_or_changes_is_noticed() -> None:
    before = {"a": {"b": 1, "c": ["x"]}}
    assert missing(before, {"a": {"b": 1, "c": ["y", "x"], "d": 2}, "e": 3}) == []
    assert missing(before, {"a": {"b": 2, "c": []}}) == ["a / b: was 1, is 2", "a / c: x is gone"]
    assert missing(before, {}) == ["a: is gone"]
