"""No sequence of requests, routers, commands and times breaks an invariant of the device."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from ogm import KnowledgeGraph
from ontologies.provenance import Outcome, Run, Transition
from tests.microwave.table import as_model, check_history, later
from triplestore import open_store
from workflows.engine import (
    Choice,
    Crossroads,
    Executor,
    ForbiddenError,
    GoalRouter,
    Router,
    successors,
)
from workflows.microwave import (
    MICROWAVE,
    AllocateSession,
    BusyError,
    CloseLid,
    GetPercentConversion,
    HeatVial,
    LoadVial,
    ManualClock,
    Microwave,
    MicrowaveRequest,
    OpenLid,
    RefusedError,
    UnloadVial,
    UpdateHeatingParameters,
    run_microwave,
)

VIALS, TEMPERATURES = st.integers(1, 10), st.floats(25, 100)
DURATIONS, PRESSURES = st.floats(1, 120), st.floats(1, 10)
TRUE = st.just(True)

COMMANDS = st.one_of(
    st.sampled_from(
        [AllocateSession(), OpenLid(), CloseLid(), UnloadVial(), GetPercentConversion()]
    ),
    st.builds(LoadVial, vial=VIALS),
    st.builds(
        UpdateHeatingParameters,
        temperature=st.none() | TEMPERATURES,
        duration=st.none() | DURATIONS,
        pressure=st.none() | PRESSURES,
    ),
    st.builds(HeatVial, heat=TRUE, wait=st.booleans()),
)

OTHERS: dict[str, Any] = {
    "lid": st.none() | st.sampled_from(["open", "closed"]),
    "temperature": st.none() | TEMPERATURES,
    "duration": st.none() | DURATIONS,
    "pressure": st.none() | PRESSURES,
}
REQUESTS = st.one_of(
    st.builds(MicrowaveRequest, heat=TRUE, vial=st.none() | VIALS, conversion=st.none() | TRUE),
    st.builds(MicrowaveRequest, heat=TRUE, wait=st.just(False), vial=VIALS, **OTHERS),
    st.builds(MicrowaveRequest, vial=VIALS, **OTHERS),
    st.builds(MicrowaveRequest, unload=TRUE, **OTHERS),
    st.builds(MicrowaveRequest, conversion=TRUE, vial=st.none() | VIALS, **OTHERS),
)


NODES = {node.__name__: node for node in MICROWAVE.nodes}


class Drawn:
    """A router that does as it is told: by chance from the menu, off it, or ends."""

    name = "drawn"

    def __init__(self, draw: Any, patience: int) -> None:
        self.draw, self.patience = draw, patience

    async def choose(self, at: Crossroads) -> Choice:
        self.patience -= 1
        ways: list[Any] = list(at.menu.options)
        if at.menu.may_end and (self.patience <= 0 or not ways):
            return Choice(None, "enough")
        if self.patience % 7 == 3:
            ways += [self.draw(COMMANDS), *at.candidates]
        return Choice(self.draw(st.sampled_from(ways)), "chance")


class Lab(RuleBasedStateMachine):
    """Two sessions on one store, whose clocks agree."""

    def __init__(self) -> None:
        super().__init__()
        self.store = open_store("memory:")
        self.clock = ManualClock()
        self.executors = [Executor(KnowledgeGraph(self.store)) for _ in range(2)]
        self.done = 0

    def device(self, who: int, speed: float) -> Microwave:
        return Microwave(self.executors[who], clock=self.clock, speed=speed)

    @rule(minutes=st.floats(-1, 90))
    def time_passes(self, minutes: float) -> None:
        self.clock.advance(minutes)

    @rule(who=st.integers(0, 1), command=COMMANDS, speed=st.sampled_from([1.0, 60.0]))
    def a_command(self, who: int, command: Any, speed: float) -> None:
        device = self.device(who, speed)
        before = device.read()
        allowed = command.precondition(before.situation) is None
        try:
            asyncio.run(device.do(command))
            assert allowed
        except RefusedError:
            assert not allowed
            self.unchanged(before, device.read())

    @rule(
        data=st.data(),
        who=st.integers(0, 1),
        request=REQUESTS,
        patience=st.none() | st.integers(0, 12),
    )
    def a_request(
        self, data: Any, who: int, request: MicrowaveRequest, patience: int | None
    ) -> None:
        device = self.device(who, 1.0)
        router: Router = GoalRouter() if patience is None else Drawn(data.draw, patience)
        before = device.read()
        try:
            finish = asyncio.run(run_microwave(device, request, router=router))
        except RefusedError:
            assert before.situation.heating
            self.unchanged(before, device.read())
        except ForbiddenError:
            assert patience is not None
        else:
            reached = request.reached(finish.state.situation)
            assert (finish.status == "finished") == reached
            if patience is None and not reached:
                self.unchanged(before, device.read())
                assert request.obstacle(device.read().situation).found

    @rule(who=st.integers(0, 1), command=COMMANDS)
    def one_that_has_slept_since(self, who: int, command: Any) -> None:
        device, other = self.device(who, 1.0), self.device(1 - who, 1.0)
        seen = device.read()
        before = seen.situation
        try:
            asyncio.run(other.do(UpdateHeatingParameters(temperature=30 + self.done % 7)))
        except RefusedError:
            return
        self.done += 1
        assert before.session
        try:
            device.perform(command, seen)
            raise AssertionError("two succeeded from the same state")
        except BusyError:
            pass

    @staticmethod
    def unchanged(before: Any, after: Any) -> None:
        """Nothing has changed, but that a heating that was over may have been recorded as such."""
        old, new = as_model(before.stored), as_model(after.stored)
        assert new in (old, later(old))

    def teardown(self) -> None:
        try:
            self.look_back()
        finally:
            for executor in self.executors:
                executor.close()
            self.store.close()

    def look_back(self) -> None:
        kg = KnowledgeGraph(self.store)
        check_history(kg, "microwave")  # nothing is ever removed, so once is enough
        runs = kg.find(Run)
        assert len(kg.find(Outcome)) == len(runs)
        for run in runs:
            taken = sorted(kg.find(Transition, run=run), key=lambda step: step.index)
            assert all(step.node in step.menu for step in taken)
            for one, two in itertools.pairwise(taken):
                assert NODES[two.node] in successors(NODES[one.node])


Lab.TestCase.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
test_any_sequence = Lab.TestCase
