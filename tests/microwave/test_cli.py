"""``grafico microwave``: what a person says and sees."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from tests.typed import typed

WISH = ("--vial", "3", "--temperature", "100", "--duration", "50", "--pressure", "3", "--heat")
LEFT = r"(50 min|49 min \d+ s)"


@pytest.fixture
def said(tmp_path: Path):
    def call(*arguments: str, status: int = 0) -> Result:
        return typed("microwave", "--store", str(tmp_path / "store"), *arguments, status=status)

    return call


def state(said: Any, *arguments: str) -> dict[str, Any]:
    return json.loads(said(*arguments, "--json", "--quiet").stdout)


def table(done: Result) -> dict[str, str]:
    """Return the rows of what a command prints."""
    rows = [re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in done.stdout.splitlines()]
    return {row[0]: row[1] for row in rows if len(row) == 2}


def test_the_plans_are_shown_and_nothing_is_done(said: Any) -> None:
    lines = said(*WISH, "--plan").stdout.splitlines()
    assert [line[:2] for line in lines] == ["1.", "2.", "3.", "4."]
    assert all(line.count(",") == 5 for line in lines)
    assert state(said, "--status")["state"]["iri"] is None
    assert len(state(said, *WISH, "--plan")["plans"]) == 4


def test_one_call_does_it_all_and_the_state_says_so(said: Any) -> None:
    done = said(*WISH, "--conversion", "--speed", "100000")
    assert [line.split()[-1] for line in done.stderr.splitlines() if "left" not in line] == [
        "allocate_session",
        "open_lid",
        "load_vial",
        "close_lid",
        "update_heating_parameters",
        "heat_vial",
        "get_percent_conversion",
    ]
    rows = table(done)
    assert rows["lid"] == "closed"
    assert rows["vial"] == "3"
    assert rows["set"] == "100 °C, 50 min, 3 atm"
    assert rows["heating"] == "no"
    assert rows["heated"] == "at 100 °C, 50 min, 3 atm"
    assert rows["conversion"].startswith("90.08 % (simulated")
    now = table(said())
    assert now == {name: rows[name] for name in now}
    assert said(*WISH, "--plan").stdout == "1. nothing to do\n"


def test_while_it_heats_the_lid_stays_closed(said: Any) -> None:
    found = state(said, *WISH, "--no-wait", "--speed", "1")
    assert found["state"]["heating"]
    assert 49 < found["state"]["remaining_min"] <= 50
    assert re.fullmatch(f"yes, {LEFT} left at speed 1", table(said("--status"))["heating"])
    refused = said("--open-lid", status=2)
    assert "grafico: the lid cannot be opened\n" in refused.stderr
    assert re.search(rf"problem: vial 3 is being heated, {LEFT} are left\n", refused.stderr)
    assert "try: wait" in refused.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--vial", "11"), "vial=11 was asked for"),
        (("--vial", "0"), "give 1 to 10"),
        (("--temperature", "0"), "give 25 to 100"),
        (("--duration", "121"), "give 1 to 120"),
        (("--pressure", "nan"), "pressure"),
        (("--vial", "3", "--unload"), "that leaves no vial to load"),
        (("--heat",), "there is no vial inside"),
        (("--heat", "--plan"), "there is no vial inside"),
        (("--vial", "3", "--heat"), "not set: temperature, duration, pressure"),
        (("--conversion",), "there is no vial inside"),
        (("--speed", "0"), "a device with speed 0"),
        (("--speed", "nan"), "a device with speed nan"),
        (("--device", ""), "a device named ''"),
        (("--plan",), "--plan needs a wish"),
        (("--status", "--heat"), "that goes with no wish"),
    ],
)
def test_what_cannot_be_is_refused_with_words(said: Any, arguments: Any, words: str) -> None:
    done = said(*arguments, status=2)
    assert words in done.stderr
    assert "Traceback" not in done.output
    assert state(said)["state"]["vial"] is None
