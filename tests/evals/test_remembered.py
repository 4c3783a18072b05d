"""What a model would be given to go on with a device: of the three, only a state stays short."""

from __future__ import annotations

import itertools
import json

import pytest

from evals.remembered import After, main, measured


@pytest.fixture(scope="module")
def found() -> list[After]:
    return list(measured(2))


def test_the_commands_are_those_of_the_published_requests(found: list[After]) -> None:
    """A session and the lid; a vial; the parameters; the lid and the heating; then what differs."""
    assert [one.requests for one in found] == list(range(1, 9))
    assert [one.commands for one in found] == [2, 3, 4, 6, 7, 9, 9, 11]


def test_a_state_stays_as_short_as_it_is_and_the_others_grow(found: list[After]) -> None:
    whole = [one.state.letters for one in found[2:]]
    assert max(whole) - min(whole) <= 2
    assert max(whole) < 250
    log = [one.log.letters for one in found]
    assert log == sorted(log)
    assert log[-1] > 1.5 * log[3]
    chat = [one.chat.letters for one in found]
    assert min(later - earlier for earlier, later in itertools.pairwise(chat)) > 1_000
    assert chat[-1] > 50 * whole[-1]


def test_it_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [one["requests"] for one in rows] == [1, 2, 3, 4]
    assert rows[-1]["state"]["letters"] < rows[-1]["log"]["letters"] < rows[-1]["chat"]["letters"]
