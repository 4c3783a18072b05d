"""A plan of the device is agreed to as a list, each command once, as long as nobody interferes."""

from __future__ import annotations

import asyncio
from contextvars import Context
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from ogm import KnowledgeGraph
from ontologies.consent import Consent, DeedSent
from ontologies.laboratory import SynthesizerState
from ontologies.provenance import Run
from triplestore import open_store
from workflows.engine import Choice, Crossroads, Executor, GoalRouter
from workflows.engine.devices.lease import BusyError, leased
from workflows.engine.graph import yeses
from workflows.engine.graph.effects import Allowed, Target, checked_effects
from workflows.engine.graph.waiting import ApprovalError
from workflows.microwave import (
    AllocateSession,
    CloseLid,
    ManualClock,
    Microwave,
    OpenLid,
    make_request,
    run_microwave,
)
from workflows.microwave.commands import Command
from workflows.trust.caller import NOBODY, PERSON, Caller, ConsentQuestion, asked_by

ALL = make_request(vial=3, temperature=100, duration=50, pressure=3, heat=True, wait=False)
SIX = 6


def states(executor: Executor) -> int:
    return len(executor.kg.find(SynthesizerState))


def waiting(executor: Executor, iri: str) -> yeses.Waiting:
    return yeses.waiting(executor.kg, executor.kg.pull(Run, iri))


class Meddling(GoalRouter):
    """Lets somebody else command the device after the second command."""

    def __init__(self, device: Microwave) -> None:
        super().__init__()
        self._device = device

    async def choose(self, at: Crossroads) -> Choice:
        if len(at.steps) == 2:
            await self._device.do(CloseLid())
            await self._device.do(OpenLid())
        return await super().choose(at)


@pytest.mark.parametrize("caller", [PERSON, NOBODY, Caller(away=True)])
async def test_nothing_moves_without_a_yes(
    device: Microwave, executor: Executor, caller: Caller
) -> None:
    with asked_by(caller), pytest.raises(ApprovalError) as caught:
        await run_microwave(device, ALL)
    assert states(executor) == 0
    deeds = waiting(executor, caught.value.run).deeds
    assert [one.node for one in deeds][:2] == ["AllocateSession", "OpenLid"]
    assert len(deeds) == SIX
    assert len({one.iri for one in deeds}) == SIX
    assert deeds[0].target_version == "0"
    assert deeds[5].target_version == "0 and 5 of these later"


async def test_a_person_is_asked_once_for_all_of_it(device: Microwave, executor: Executor) -> None:
    heard: list[ConsentQuestion] = []

    async def yes(question: ConsentQuestion) -> bool:
        heard.append(question)
        return True

    with asked_by(Caller(ask=yes, door="here")):
        await run_microwave(device, ALL)
    assert states(executor) == SIX
    [question] = heard
    assert question.what.startswith("microwave: 6 operations, each once\n1. AllocateSession at")
    assert '"vial":3' in question.what
    [given] = executor.kg.find(Consent)
    assert (given.door, len(given.deeds)) == ("here", SIX)
    sent = executor.kg.find(DeedSent)
    assert [one.index for one in sorted(sent, key=lambda one: one.sent)] == list(range(SIX))
    assert {one.consent and one.consent.iri for one in sent} == {given.iri}


async def test_nobody_is_asked_for_a_device_that_another_could_take_meanwhile(
    tmp_path: Path,
) -> None:
    taken = list[bool]()

    async def take() -> None:
        async with leased(tmp_path / "store", "microwave", patience=0):
            taken.append(True)

    async def yes(question: ConsentQuestion) -> bool:
        other = Context()  # another request
        with pytest.raises(BusyError, match="another request of this process"):
            await asyncio.create_task(take(), context=other)
        return True

    with open_store(str(tmp_path / "store")) as store:
        executor = Executor(KnowledgeGraph(store))
        with asked_by(Caller(ask=yes, door="here")):
            await run_microwave(Microwave(executor, clock=ManualClock()), ALL)
        assert states(executor) == SIX
        executor.close()
    assert not taken
    await take()
    assert taken


async def test_a_yes_that_is_stored_does_all_of_it_once(
    device: Microwave, executor: Executor
) -> None:
    with asked_by(PERSON):
        with pytest.raises(ApprovalError) as caught:
            await run_microwave(device, ALL)
        held = waiting(executor, caught.value.run)
        executor.kg.push(yeses.given(held.run, held.deeds, "here"))
        await run_microwave(device, ALL)
        assert states(executor) == SIX
        other = Microwave(executor, "another")
        with pytest.raises(ApprovalError):
            await run_microwave(other, ALL)


async def test_whoever_interferes_voids_what_is_left(device: Microwave, executor: Executor) -> None:
    with asked_by(PERSON):
        with pytest.raises(ApprovalError) as caught:
            await run_microwave(device, ALL)
        held = waiting(executor, caught.value.run)
        executor.kg.push(yeses.given(held.run, held.deeds, "here"))
        other = Microwave(executor, clock=device.clock, speed=1)
        with pytest.raises(Exception, match=r"another process has commanded|LoadVial"):
            await run_microwave(device, ALL, router=Meddling(other))
        assert states(executor) == 4
        with pytest.raises(ApprovalError):
            await run_microwave(device, ALL)
    assert states(executor) == 4


async def test_what_changes_while_a_person_thinks_voids_the_yes(
    device: Microwave, executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = iter(range(100))
    monkeypatch.setattr(Command, "target", lambda self, state: Target("microwave", str(next(seen))))

    async def yes(_: ConsentQuestion) -> bool:
        return True

    with asked_by(Caller(ask=yes)), pytest.raises(ApprovalError):
        await run_microwave(device, make_request(session=True))
    assert states(executor) == 0


async def test_a_yes_ends(
    device: Microwave, executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    with asked_by(PERSON):
        with pytest.raises(ApprovalError) as caught:
            await run_microwave(device, ALL)
        held = waiting(executor, caught.value.run)
        given = yeses.given(held.run, held.deeds, "here")
        executor.kg.push(given)
        later = datetime.now(UTC) + yeses.LASTS

        class Later(datetime):
            @classmethod
            def now(cls, tz: Any = None) -> Any:
                return later

        monkeypatch.setattr(yeses, "datetime", Later)
        assert yeses.is_genuine(given)
        assert not yeses.holds(given)
        with pytest.raises(ApprovalError):
            await run_microwave(device, ALL)
    assert states(executor) == 0


async def test_beginning_to_wait_for_a_heating_commands_nothing(
    device: Microwave, executor: Executor, clock: ManualClock
) -> None:
    await run_microwave(device, ALL)  # the person of these tests agrees
    before = states(executor)
    clock.advance(50)  # in the middle of the next request it would be over
    with asked_by(PERSON), pytest.raises(ApprovalError):
        await run_microwave(device, make_request(lid="open"))
    assert len([one for one in executor.kg.find(SynthesizerState) if one.command]) == before


@pytest.mark.parametrize("wrong", [frozenset({"devices"}), frozenset("device"), "device", None])
def test_effects_that_there_are_not_are_refused_where_the_class_is_made(wrong: Any) -> None:
    with pytest.raises(TypeError, match="effects"):
        type("Wrong", (AllocateSession,), {"effects": wrong, "__module__": __name__})
    more = {"only_calculates": True, "__module__": __name__}
    with pytest.raises(TypeError, match="only calculates"):
        type("Wrong", (AllocateSession,), more)
    assert checked_effects({"money"}, "Right") == {"money"}


@pytest.mark.parametrize(
    ("effects", "target", "spent", "covered"),
    [
        ({"network"}, Target("a.org"), 0, True),
        ({"network"}, Target("A.org"), 0, True),
        ({"network"}, Target("b.org"), 0, False),
        ({"network"}, Target(), 0, False),
        ({"network"}, Target("a.org.b.org"), 0, False),
        ({"network"}, Target("a.org", dollars=2), 0, False),
        ({"money"}, Target("", dollars=1), 0, True),
        ({"money"}, Target("", dollars=1), 0.5, False),
        ({"money"}, Target("", dollars=None), 0, False),
        ({"money"}, Target("", dollars=-1), 0, False),
        ({"money"}, Target("", dollars=float("nan")), 0, False),
        ({"money"}, Target("", dollars=float("inf")), 0, False),
        ({"network", "money"}, Target("b.org", dollars=0.1), 0, False),
        ({"device"}, Target("a.org"), 0, False),
        ({"irreversible", "network"}, Target("a.org"), 0, False),
    ],
)
def test_what_settings_allow(
    effects: set[str], target: Target, spent: float, covered: bool
) -> None:
    allowed = Allowed(frozenset({"a.org"}), 1.0)
    assert allowed.covers(frozenset(effects), target, spent) == covered


def test_times_are_what_the_docs_say() -> None:
    assert timedelta(hours=8) == yeses.LASTS
