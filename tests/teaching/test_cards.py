"""A device that a card describes is taught by the same words, whatever it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from tests.agreeing import agreeing
from tests.drivers.test_microwave import CARD
from tests.typed import typed
from triplestore.errors import InputError
from workflows.drivers.files import card_of, written
from workflows.engine.devices.taught import rules_in_force

GOAL = "vial=3, temperature=100 °C, duration=50 min, pressure=3 atm, heating=true"
STATION = Path("workflows/films/station.toml")


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Grafico]:
    with agreeing(), Grafico(str(tmp_path / "store")) as session:
        yield session


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "microwave.yaml"
    path.write_text(written(CARD), encoding="utf-8")
    return str(path)


def named(name: str) -> Any:
    """The same device under another name: it has records of its own."""
    return card_of(CARD.model_dump(mode="json") | {"name": name})


def steps(session: Grafico, card: Any = CARD) -> list[str]:
    ran: Any = session.device_run(card.model_dump(mode="json"), goal=GOAL)
    return [one.split()[0] for one in ran.steps]


def test_a_rule_is_kept_by_the_device_that_it_is_taught_of(session: Grafico, file: str) -> None:
    usual = steps(session, named("another"))
    assert usual.index("open_lid") < usual.index("update_heating_parameters")
    made: Any = session.teach("update the heating parameters before opening the lid", device=file)
    assert made.device_graph == f"device {CARD.name}"
    assert steps(session, named("a third")) == usual
    ruled = steps(session)
    assert sorted(ruled) == sorted(usual)
    assert ruled.index("update_heating_parameters") < ruled.index("open_lid")


def test_a_rule_that_is_withdrawn_is_kept_no_longer(session: Grafico, file: str) -> None:
    usual = steps(session, named("another"))
    session.teach("update the heating parameters before opening the lid", device=file)
    [(_, yes)] = rules_in_force(session.kg, f"device {CARD.name}")
    session.withdraw(yes.run.iri, why="it was too strict")
    assert steps(session) == usual


def test_a_rule_that_leaves_no_way_is_said(session: Grafico, file: str) -> None:
    session.teach("heat before opening the lid", device=file)
    with pytest.raises(InputError, match="stands in the way: “heat before open_lid”"):
        steps(session)


def test_what_it_would_have_refused_is_told_of_this_device_alone(
    session: Grafico, file: str, tmp_path: Path
) -> None:
    steps(session, named("another"))
    steps(session)
    session.close()
    words = ("teach", "heat before opening the lid", "--device", file)
    shown = typed(*words, "--store", str(tmp_path / "store")).stdout
    assert "of 1 stored run it would have refused a command of 1" in shown
    ran = typed("device", "run", file, "--goal", GOAL, "--store", str(tmp_path / "store"))
    assert "note: rule: heat before open_lid, taught by " in ran.stderr


def test_words_of_other_devices_are_none_of_it(session: Grafico, file: str) -> None:
    with pytest.raises(InputError, match="“blade coat” names no command"):
        session.teach("blade coat before opening the lid", device=file)


def test_the_card_of_the_film_station_is_a_device_file(session: Grafico) -> None:
    """What the domain plans is what the card says, without the domain."""
    planned = session.wait_for(
        lambda: session.prepare_async(workflow="films", film="NaCl", simulate=True)
    )
    goal = (
        "film=film, film_of=NaCl, vial_found=NaCl, temperature=90 °C, velocity=1, aspirated=0.5, "
        "dispensed=0.2"
    )
    ran: Any = session.device_run(str(STATION), goal=goal)
    steps: Any = planned.plans().first()
    assert [one.split()[0] for one in ran.steps] == [one.command for one in steps]
    assert len(steps) == 24
    assert ran.remarks[-1] in planned.remarks, "it is the same program"
    shown: Any = session.run(workflow="films", simulate=True)
    assert shown.state.at.film_of == "NaCl", "it is the same simulated station"
