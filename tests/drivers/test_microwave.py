"""SciBORG's microwave, read from a driver module: 47 of its 70 pairs are inadmissible, and refused.

Seven commands (all but the reading of a result) in ten states: none, a session with the lid open or
closed, a vial or none, parameters or none, and heating. What may be done in each is written down
here from the published table of commands and the invariants of its state model, apart from the
module.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from workflows.drivers.reading import read_module
from workflows.engine.devices.card import Card
from workflows.engine.devices.command import RefusedError
from workflows.engine.devices.described import DescribedGraph, Told
from workflows.engine.devices.driven import SimulatedDevice
from workflows.engine.devices.standing import Standing
from workflows.engine.devices.walk import walk
from workflows.engine.devices.wish import Wish

MODULE = Path(__file__).parent / "modules" / "virtual_microwave.py"
CARD = read_module(MODULE.read_text(encoding="utf-8"), MODULE.name)

SET = {"temperature": 100, "duration": 50, "pressure": 3.0}
UNSET = dict.fromkeys(SET)

GIVEN: dict[str, dict[str, Any]] = {
    "allocate_session": {},
    "open_lid": {},
    "close_lid": {},
    "load_vial": {"vial_num": 3},
    "unload_vial": {},
    "update_heating_parameters": {
        "temperature_c": 100, "duration_min": 50, "pressure_atm": 3.0,
    },
    "heat": {},
}  # fmt: skip

MAY: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "allocate_session": lambda at: not at["session"],
    "open_lid": lambda at: at["session"] and at["lid"] == "closed" and not at["heating"],
    "close_lid": lambda at: at["session"] and at["lid"] == "open",
    "load_vial": lambda at: at["session"] and at["lid"] == "open" and at["vial"] is None,
    "unload_vial": lambda at: at["session"] and at["lid"] == "open" and at["vial"] is not None,
    "update_heating_parameters": lambda at: at["session"],
    "heat": lambda at: (
        at["session"]
        and at["lid"] == "closed"
        and at["vial"] is not None
        and at["temperature"] is not None
        and not at["heating"]
    ),
}


def state(**told: Any) -> dict[str, Any]:
    begins = {"session": True, "lid": "closed", "vial": None, **UNSET, "heating": False}
    return {**begins, **told}


STATES = [
    state(session=False),
    *(
        state(lid=lid, vial=vial, **parameters)
        for lid, vial, parameters in itertools.product(("open", "closed"), (None, 3), (UNSET, SET))
    ),
    state(vial=3, heating=True, **SET),
]
PAIRS = list(itertools.product(STATES, GIVEN))


def command(card: Card, name: str, **given: Any) -> Told:
    graph = DescribedGraph(card)
    [kind] = [one for one in graph.nodes if one.__name__ == name]
    return kind(given=tuple(given.items()))  # pyright: ignore[reportReturnType, reportCallIssue]


def test_everything_of_it_is_read() -> None:
    assert CARD.unknown == ()
    assert list(CARD.commands) == list(GIVEN)
    arguments = CARD.commands["update_heating_parameters"].arguments
    assert {name: one.limits for name, one in arguments.items()} == {
        "duration_min": "1 to 120 min",
        "temperature_c": "25 to 100 °C",
        "pressure_atm": "1 to 10 atm",
    }
    assert CARD.commands["load_vial"].arguments["vial_num"].limits == "1 to 10"


def test_the_table_has_70_pairs_of_which_47_are_inadmissible() -> None:
    assert len(PAIRS) == 70
    assert sum(not MAY[name](at) for at, name in PAIRS) == 47


@pytest.mark.parametrize(("at", "name"), PAIRS)
def test_each_pair_is_done_or_refused_with_the_state_unchanged(at: Any, name: str) -> None:
    device = SimulatedDevice(CARD, at)
    told = command(CARD, name, **GIVEN[name])
    if MAY[name](at):
        assert asyncio.run(device.do(told)) == device.states
        assert Standing.of(device.states) == told.change(Standing.of(at))
    else:
        with pytest.raises(RefusedError) as refused:
            asyncio.run(device.do(told))
        assert refused.value.found
        assert refused.value.advice
        assert device.states == at


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("load_vial", {"vial_num": 0}),
        ("load_vial", {"vial_num": 11}),
        ("load_vial", {"vial_num": 1.5}),
        ("load_vial", {"vial_num": True}),
        ("load_vial", {}),
        ("load_vial", {"vial_num": 3, "force": True}),
        ("update_heating_parameters", {**GIVEN["update_heating_parameters"], "temperature_c": 101}),
        (
            "update_heating_parameters",
            {**GIVEN["update_heating_parameters"], "pressure_atm": float("nan")},
        ),
    ],
)
def test_values_out_of_bounds_are_refused(name: str, given: Any) -> None:
    at = state(lid="open")
    device = SimulatedDevice(CARD, at)
    with pytest.raises(RefusedError):
        asyncio.run(device.do(command(CARD, name, **given)))
    assert device.states == at


def test_a_walk_reaches_just_these_states_with_other_values() -> None:
    """Vials 1 and 10, each parameter at both of its limits: 71 situations, the ten when blurred."""
    found = walk(CARD)
    assert found.whole
    assert found.never == []
    assert found.wrong == {}
    # none; no vial or two, parameters unset or 2 x 2 x 2; heating with either vial
    assert found.situations == 1 + 2 * 3 * (1 + 8) + 2 * 8 == 71
    assert set(found.reached["vial"]) == {None, 1, 10}


def test_the_published_plans_are_found() -> None:
    """The six commands of the published request, the parameters anywhere in between."""
    from workflows.engine import plan

    wish = Wish.of(
        "vial=3, temperature=100 °C, duration=50 min, pressure=3 atm, heating=true", CARD
    )
    graph = DescribedGraph(CARD, wish)
    plans = plan(graph.candidates, Standing.of(CARD.begins), wish.goal)
    fixed = ["allocate_session", "open_lid", "load_vial", "close_lid", "heat"]
    expected = [
        [*fixed[:place], "update_heating_parameters", *fixed[place:]] for place in range(1, 5)
    ]
    assert sorted([one.name for one in steps] for steps in plans) == sorted(expected)
