"""Sentences of chemists, read without a model, by value: right, refused, and none of them wrong."""

import json
from pathlib import Path

import pytest

from grafico.agent.rules.reader import plan

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("chemists.tsv").read_text("utf-8").splitlines()
]
"""Sentence, command, subject and fields that must be said; only a sentence: to be refused."""

WANTED = [row for row in ROWS if row[1]]
REFUSED = [row[0] for row in ROWS if not row[1]]


def rating(text: str, command: str, subject: str, fields: str) -> str:
    """Return `right`, `refused`, or what was wrong in a plan."""
    requests = [call.request for call in plan(text).calls]
    if not requests:
        return "refused"
    expected = json.loads(fields)
    for one in requests:
        if (
            one is None
            or one.workflow.command != command
            or ";".join(map(str, one.subjects)) != subject
        ):
            return f"wrong: {one}"
        said = json.loads(one.as_json())["arguments"]
        if {n: _plain(said.get(n)) for n in expected} != {n: _plain(expected[n]) for n in expected}:
            return f"wrong: {one.arguments}"
    return "right"


def _plain(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


def test_no_sentence_is_read_wrong_and_most_are_understood() -> None:
    rated = {row[0]: rating(*row) for row in WANTED}
    assert not {text: one for text, one in rated.items() if one.startswith("wrong")}
    right = sum(one == "right" for one in rated.values())
    refused = [text for text, one in rated.items() if one == "refused"]
    assert right >= RIGHT, f"{right} of {len(rated)} are right; refused: {refused}"


RIGHT = 140
"""What is understood today."""


@pytest.mark.parametrize("text", REFUSED)
def test_what_there_is_not_or_is_negated_is_refused(text: str) -> None:
    found = plan(text)
    assert found.problem
    assert not found.calls


@pytest.mark.parametrize("text", ["NMR spectrum of ethanol", "band structure of silicon"])
def test_what_does_not_exist_is_said_as_that_with_what_does(text: str) -> None:
    found = plan(text)
    assert "there is no" in found.problem
    assert not plan(found.suggestions[0]).problem
