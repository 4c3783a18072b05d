"""Routers: the same menus for all, and none of them reaches what the engine forbids."""

from __future__ import annotations

import asyncio
import io
import json
import os
import pty
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai import AsyncOpenAI
from pydantic import BaseModel
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.providers.openai import OpenAIProvider

from ogm import KnowledgeGraph
from ontologies import make_atoms
from ontologies.provenance import Outcome, Transition
from tests.agent.server import Message, calls, serving
from tests.engine.machines import (
    MIXER,
    Fill,
    Grow,
    Mixer,
    MixRequest,
    Open,
    Stir,
    mix,
    steps,
)
from triplestore import open_store
from triplestore.errors import InputError
from workflows.dft.graphs.graph import (
    DFT,
    DFTRequest,
    Displace,
    Frequencies,
    Optimise,
    Situation,
    Thermochemistry,
)
from workflows.engine import (
    AskRouter,
    Choice,
    Crossroads,
    Executor,
    ForbiddenError,
    GoalRouter,
    Graph,
    ModelRouter,
    Node,
    Router,
)
from workflows.engine.graph.ask_router import Terminal
from workflows.engine.graph.digest import digest
from workflows.engine.graph.model_router import prompt, schema

KEY = "sk-test-" + 30 * "x"

ROOT = Path(__file__).resolve().parents[2]


# --- one suite of menus for all routers ---


def crossroads(
    graph: Graph, request: Any, situation: Any, last: type[Node] | None = None
) -> Crossroads:
    candidates, unbound = graph.bind(request)
    menu = graph.menu(candidates, unbound, situation, last)
    return Crossroads(menu, candidates, situation, request.goal(), last, request, "a subject")


MINIMUM = DFTRequest(task="frequencies", temperature=310.0)
MENUS = {
    "dft at the start": (DFT, MINIMUM, Situation(), None),
    "dft energy known": (DFT, DFTRequest(), Situation(energy=True), None),
    "dft stationary": (DFT, MINIMUM, Situation("stationary", energy=True), Optimise),
    "dft saddle": (DFT, MINIMUM, Situation("saddle point", energy=True), Frequencies),
    "dft no repair left": (
        DFT,
        MINIMUM,
        Situation("saddle point", energy=True, repairs=3),
        Frequencies,
    ),
    "dft pushed": (DFT, MINIMUM, Situation(repairs=1), Displace),
    "dft done": (
        DFT,
        MINIMUM,
        Situation("minimum", energy=True, thermochemistry=True),
        Thermochemistry,
    ),
    "mixer as delivered": (MIXER, MixRequest(volume=5.0), Mixer(), None),
    "mixer opened": (MIXER, MixRequest(volume=5.0), Mixer(open=True), Open),
    "mixer filled": (MIXER, MixRequest(volume=5.0), Mixer(open=True, volume=5.0), Fill),
    "mixer wrong": (MIXER, MixRequest(volume=5.0), Mixer(volume=7.0), None),
    "mixer stirred": (MIXER, MixRequest(volume=5.0), Mixer(volume=5.0, stirred=True), Stir),
    "mixer nothing asked": (MIXER, MixRequest(), Mixer(), None),
}


async def first(text: str, at: Crossroads) -> str:
    """A person who takes what comes first."""
    return "1" if at.menu.options else "e"


def routers() -> list[Router]:
    return [GoalRouter(), ModelRouter(TestModel()), AskRouter(first)]


@pytest.mark.parametrize("name", MENUS)
@pytest.mark.parametrize("router", routers(), ids=lambda router: router.name)
async def test_every_router_chooses_from_every_menu(router: Router, name: str) -> None:
    at = crossroads(*MENUS[name])
    choice = await router.choose(at)
    if choice.node is None:
        assert at.menu.may_end
    else:
        assert choice.node in at.menu.options
    assert choice.reason or isinstance(router, ModelRouter)


async def test_every_router_leads_a_run_to_its_goal(executor: Executor) -> None:
    scripted = ("Open", "Fill", "Stir", "end")
    for router in (GoalRouter(), ModelRouter(answering(*scripted)), person(*scripted)):
        finish = await mix(executor, router=router)
        assert finish.status == "finished"
        assert finish.state == Mixer(volume=5.0, stirred=True)
        recorded = steps(executor, finish.run)
        assert [step.node for step in recorded] == ["Open", "Fill", "Close", "Stir"]
        assert {step.chosen_by for step in recorded} == {router.name}


# --- nobody reaches what is forbidden ---


class Look(Fill):
    """A class that says it is equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # pyright: ignore[reportAssignmentType]


def changed(at: Crossroads) -> Node:
    """Change the offered option itself."""
    option = next(node for node in at.menu.options if isinstance(node, Fill))
    object.__setattr__(option, "__dict__", {"volume": 99.0})
    return option


@dataclass(frozen=True)
class NotAChoice:
    node: Node | None
    reason: str = ""


ABOUT = [
    ("a node that does not follow", 0, lambda at: Stir()),
    ("a node of another graph", 0, lambda at: Grow()),
    ("a node that is done", 1, lambda at: Open()),
    ("other fields", 1, lambda at: Fill(volume=99.0)),
    ("fields that are not valid", 1, lambda at: Fill.model_construct(volume=-1.0)),
    ("no fields at all", 1, lambda at: Fill.model_construct()),
    ("a subclass", 1, lambda at: type("Fill", (Fill,), {})(volume=5.0)),
    ("a subclass that equals everything", 1, lambda at: Look(volume=99.0)),
    ("the option, changed", 1, changed),
    ("the class", 1, lambda at: Fill),
    ("a word", 1, lambda at: "Fill"),
    ("the end where it may not be", 1, lambda at: None),
    ("the end where it may not be, later", 2, lambda at: None),
]


class Hostile:
    """Behaves for some steps, and then chooses something else."""

    name = "hostile"

    def __init__(self, after: int, forge: Callable[[Crossroads], Any]) -> None:
        self.after, self.forge, self.good = after, forge, GoalRouter()

    async def choose(self, at: Crossroads) -> Choice:
        if len(at.steps) < self.after:
            return await self.good.choose(at)
        return Choice(self.forge(at), "because")


@pytest.mark.parametrize(("what", "after", "forge"), ABOUT, ids=[about[0] for about in ABOUT])
async def test_no_router_reaches_what_the_engine_forbids(
    executor: Executor, what: str, after: int, forge
) -> None:
    with pytest.raises(ForbiddenError, match="hostile router"):
        await mix(executor, router=Hostile(after, forge))
    assert [outcome.status for outcome in executor.kg.find(Outcome)] == ["failed"]
    assert len(executor.kg.find(Transition)) == after


async def test_a_router_that_returns_something_else_is_refused(executor: Executor) -> None:
    class Strange:
        name = "strange"

        async def choose(self, at: Crossroads) -> Any:
            return NotAChoice(at.menu.options[0])

    with pytest.raises(ForbiddenError, match="that is a NotAChoice"):
        await mix(executor, router=Strange())


async def test_a_router_cannot_put_a_choice_on_another(executor: Executor) -> None:
    class Liar:
        name = "liar"

        async def choose(self, at: Crossroads) -> Choice:
            return replace(await GoalRouter().choose(at), by="goal")

    finish = await mix(executor, router=Liar())
    assert {step.chosen_by for step in steps(executor, finish.run)} == {"goal for liar"}


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 5), min_size=30, max_size=30))
def test_no_sequence_of_choices_breaks_an_invariant(picks: list[int]) -> None:
    class Random:
        name = "random"

        async def choose(self, at: Crossroads) -> Choice:
            state: Mixer = at.situation
            assert not (state.stirred and state.volume is None)
            assert not (at.last is Stir and state.open)
            options = [*at.menu.options, *([None] if at.menu.may_end else [])]
            if len(at.steps) >= 20 and at.menu.may_end:
                return Choice(None, "enough")
            return Choice(options[picks[len(at.steps) % 30] % len(options)], "by chance")

    class Silent(Executor):
        def record(self, *models, durable: bool = True) -> None:
            pass

    with open_store("memory:") as store:
        executor = Silent(KnowledgeGraph(store), threads_per_calculation=1)
        finish = asyncio.run(mix(executor, router=Random()))
        executor.close()
    assert not (finish.state.stirred and finish.state.volume is None)


# --- a language model ---


def told(messages: list[ModelMessage]) -> dict[str, Any]:
    [request] = [p.content for p in messages[0].parts if p.part_kind == "user-prompt"]
    assert isinstance(request, str)
    return json.loads(request)


def answering(*picks: Any, heard: list[Any] | None = None) -> FunctionModel:
    """A model that gives these answers, one after the other, and then the last again."""
    count = 0

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        nonlocal count
        if heard is not None:
            heard.append(messages)
        pick = picks[min(count, len(picks) - 1)]
        count += 1
        if isinstance(pick, Exception):
            raise pick
        pick = pick if isinstance(pick, dict) else {"pick": pick, "reason": "it seems best"}
        return ModelResponse([ToolCallPart(info.output_tools[0].name, pick)])

    return FunctionModel(answer)


async def test_a_model_chooses_and_the_record_says_so(executor: Executor) -> None:
    heard: list[Any] = []
    model = answering("Open", "Fill", "Close", "Stir", "end", heard=heard)
    finish = await mix(executor, router=ModelRouter(model))
    assert finish.status == "finished"
    recorded = steps(executor, finish.run)
    assert [step.node for step in recorded] == ["Open", "Fill", "Close", "Stir"]
    # after Fill there is nothing to choose, and nobody is asked
    assert [step.reason for step in recorded] == [
        "it seems best",
        "it seems best",
        "nothing else can follow",
        "it seems best",
    ]


async def test_a_model_sees_request_situation_menu_and_reasons() -> None:
    heard: list[Any] = []
    at = crossroads(DFT, MINIMUM, Situation("stationary", energy=True), None)
    choice = await ModelRouter(answering("Frequencies", heard=heard)).choose(at)
    assert choice.node == Frequencies()
    seen = told(heard[0])
    assert seen["request"]["task"] == "frequencies"
    assert seen["goal"] == "the frequencies of a minimum"
    assert seen["situation"]["geometry"] == "stationary"
    assert seen["options"]["Frequencies"]["does"].startswith("Compute the vibrations")
    assert seen["not possible now"]["Optimise"] == "the geometry is stationary already"
    assert seen["may end"] is True


def test_the_form_of_a_model_is_the_menu() -> None:
    form = schema(["Open", "Fill", "end"]).model_json_schema()
    assert form["properties"]["pick"]["enum"] == ["Open", "Fill", "end"]


async def test_an_invalid_pick_is_asked_for_again() -> None:
    heard: list[Any] = []
    at = crossroads(*MENUS["mixer opened"])
    model = answering("Stir", {"pick": "Fill", "volume": 9.0}, "Fill", heard=heard)
    choice = await ModelRouter(model).choose(at)
    assert choice == Choice(Fill(volume=5.0), "it seems best")
    assert len(heard) == 3


async def test_after_too_many_invalid_picks_the_goal_router_takes_over(executor: Executor) -> None:
    heard: list[Any] = []
    router = ModelRouter(answering("end", "Stir", heard=heard), attempts=2)
    finish = await mix(executor, state=Mixer(open=True), router=router)
    assert finish.status == "goal unmet"  # it picked the end at the start, where it may
    heard.clear()
    at = crossroads(*MENUS["mixer opened"])
    choice = await ModelRouter(answering("Stir", heard=heard), attempts=2).choose(at)
    assert (choice.node, choice.by, len(heard)) == (Fill(volume=5.0), "goal", 2)
    assert choice.reason.startswith("no valid pick from the model (")
    assert choice.reason.endswith("; plan: Fill → Close → Stir")


async def test_a_model_that_fails_costs_nothing_that_was_done(executor: Executor) -> None:
    heard: list[Any] = []
    events: list[Any] = []
    executor.events.call(events.append)
    model = answering("Open", ConnectionError("the line is dead"), heard=heard)
    finish = await mix(executor, router=ModelRouter(model))
    assert finish.status == "finished"
    recorded = steps(executor, finish.run)
    who = [step.chosen_by for step in recorded]
    name = ModelRouter(model).name
    assert who == [name, f"goal for {name}", name, f"goal for {name}"]
    assert "ConnectionError: the line is dead" in recorded[1].reason
    assert "a moment ago" in recorded[3].reason  # it is not asked at every step
    assert len(heard) == 2
    assert {event.kind for event in events} >= {"warning", "finished"}


FAULTS: dict[str, int | str | bytes] = {
    "garbage": b"<html>\xff it works!",
    "empty": b"{}",
    "hangup": "drop",
    "error": 500,
    "forbidden": 403,
    "slow": "slow",
}
ARGUMENTS = {"nonsense": '{"pick":"Explode"}', "truncated": "{"}


@pytest.mark.parametrize(
    ("what", "why"),
    [
        ("good", ""),
        ("nonsense", "no valid pick from the model"),
        ("truncated", "no valid pick from the model"),
        ("garbage", "the model"),
        ("empty", "the model"),
        ("hangup", "the model could not be asked"),
        ("error", "the model could not be asked"),
        ("forbidden", "the model could not be asked"),
        ("slow", "no answer from the model in 0.3 s"),
        ("refused", "the model could not be asked"),
    ],
)
async def test_whatever_a_server_does_the_run_goes_on(
    executor: Executor, what: str, why: str
) -> None:
    def answer(request: dict[str, Any]) -> Message:
        said = calls(("final_result", {"pick": "Fill"}))
        said["tool_calls"][0]["function"]["arguments"] = ARGUMENTS.get(what, '{"pick":"Fill"}')
        return said

    with serving(answer) as server:
        server.quotes_key = True
        server.faults = [FAULTS[what]] * 2 if what in FAULTS else []
        address = server.url
        if what == "refused":
            with socket.create_server(("127.0.0.1", 0)) as taken:
                address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        client = AsyncOpenAI(base_url=address, api_key=KEY, max_retries=0)
        async with client:
            model = OpenAIChatModel("m", provider=OpenAIProvider(openai_client=client))
            router = ModelRouter(model, attempts=2, timeout=0.3 if what == "slow" else 10)
            at = crossroads(*MENUS["mixer opened"])
            choice = await router.choose(at)
            assert choice.node == Fill(volume=5.0)
            assert choice.by == ("goal" if why else "")
            assert why in choice.reason
            assert KEY not in choice.reason
            assert ("no, Bearer" in choice.reason) == (what in ("forbidden", "error"))


async def test_a_model_that_is_not_set_up_is_a_reason_too(monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    choice = await ModelRouter("openai-chat:any").choose(crossroads(*MENUS["mixer opened"]))
    assert (choice.node, choice.by) == (Fill(volume=5.0), "goal")
    assert "OPENAI_API_KEY" in choice.reason


class Secretive(BaseModel):
    """A request that holds what no model may see."""

    xyz: str
    grid: list[float]
    title: str = "water"

    def goal(self):
        return MixRequest(volume=5.0).goal()


XYZ = "3\nwater\nO 0.1173 0.0000 0.7531\nH 0.4692 0.7572 0.1111\nH 0.4692 -0.7572 0.1111\n"


@dataclass(frozen=True)
class Heavy:
    atoms: Any
    positions: Any
    rows: tuple
    count: int = 3


def test_no_coordinates_and_no_arrays_reach_a_model() -> None:
    water = make_atoms("H2O", numbers=[8, 1, 1], positions=np.full((3, 3), 0.4692) * np.eye(3))
    situation = Heavy(water, water.positions, ((0.4692, 1.5),), 3)
    flat = XYZ.replace("\n", "; ")
    request = Secretive(xyz=XYZ, grid=[0.4692, 0.7531])
    at = Crossroads(
        crossroads(*MENUS["mixer opened"]).menu,
        (),
        situation,
        replace(request.goal(), reached=lambda at: False),
        None,
        request,
        flat,
        (),
    )
    sent = prompt(at, {})
    assert "0.4692" not in sent
    assert "0.7531" not in sent
    seen = json.loads(sent)
    assert seen["request"] == {
        "xyz": f"(a text of {len(XYZ)} letters)",
        "grid": "(2 values)",
        "title": "water",
    }
    assert seen["situation"]["atoms"] == water.iri
    assert seen["situation"]["count"] == 3


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=300)
ANYTHING = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=30)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=5), inner, max_size=30)
        | st.builds(np.array, st.lists(st.floats(), max_size=5))
    ),
    max_leaves=20,
)


@given(ANYTHING)
def test_a_digest_is_short_json_of_any_value(value: Any) -> None:
    text = json.dumps(digest(value), allow_nan=False)
    assert json.loads(text) == digest(value)


@given(st.lists(st.floats(allow_nan=False), min_size=1, max_size=50))
def test_a_digest_never_shows_a_list_of_numbers(numbers: list[float]) -> None:
    shapes = (numbers, tuple(numbers), np.array(numbers), [numbers], {"x": [numbers]})
    for shape in shapes:
        assert not any(isinstance(leaf, float) for leaf in leaves(digest(shape)))


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    else:
        yield value


# --- a person ---


def person(*answers: str | None, heard: list[str] | None = None) -> AskRouter:
    given_answers = iter(answers)

    async def ask(text: str, at: Crossroads) -> str | None:
        if heard is not None:
            heard.append(text)
        return next(given_answers)

    return AskRouter(ask)


async def test_a_person_chooses_by_number_or_name_and_may_ask_why(executor: Executor) -> None:
    heard: list[str] = []
    router = person("?", "1", "fill", "stir", "E", heard=heard)
    finish = await mix(executor, router=router)
    assert finish.state.stirred
    assert "  1  Open: Open the vessel." in heard[0]
    assert "  ?  why not Close, Fill, Stir" in heard[0]
    assert "  Stir: it is empty" in heard[1]
    assert "  2  Fill (volume 5.0): Fill the vessel." in heard[2]
    assert "The goal is reached." in heard[4]
    assert {step.chosen_by for step in steps(executor, finish.run)} == {"person"}


@pytest.mark.parametrize("answer", ["0", "3", "-1", "99999999999", "Stir", "", "e", "²", "\x00"])
async def test_an_answer_that_is_not_on_the_menu_is_asked_for_again(answer: str) -> None:
    at = crossroads(*MENUS["mixer opened"])
    heard: list[str] = []
    choice = await person(answer, "2", heard=heard).choose(at)
    assert choice.node in at.menu.options
    assert "is not among them" in heard[1]


async def test_a_person_who_makes_no_sense_or_hangs_up_ends_it() -> None:
    at = crossroads(*MENUS["mixer opened"])
    with pytest.raises(InputError, match="20 answers"):
        await person(*["x"] * 30).choose(at)
    with pytest.raises(InputError, match="the input ended"):
        await person(None).choose(at)
    start = crossroads(*MENUS["mixer as delivered"])
    assert await person(None).choose(start) == Choice(None, "the person hung up")


async def test_at_the_terminal() -> None:
    ours, theirs = pty.openpty()
    sink = io.StringIO()
    router = AskRouter(Terminal(theirs, sink))
    at = crossroads(*MENUS["mixer opened"])
    try:
        os.write(ours, b"nonsense\n2\n1\n")
        assert (await router.choose(at)).node == at.menu.options[1]
        assert (await router.choose(at)).node == at.menu.options[0]  # typed ahead
        assert "'nonsense' is not among them" in sink.getvalue()
        os.write(ours, b"\x04")
        with pytest.raises(InputError, match="the input ended"):
            await router.choose(at)
        waiting = asyncio.ensure_future(router.choose(at))
        await asyncio.sleep(0.02)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        os.write(ours, b"1\n")
        assert (await router.choose(at)).node == at.menu.options[0]
    finally:
        os.close(ours)
        os.close(theirs)


async def test_without_a_terminal_it_is_a_clear_error() -> None:
    ours, theirs = os.pipe()
    try:
        with pytest.raises(InputError, match="standard input is not a terminal"):
            await AskRouter(Terminal(ours)).choose(crossroads(*MENUS["mixer opened"]))
    finally:
        os.close(ours)
        os.close(theirs)


SCRIPT = """
    import asyncio
    from ogm import KnowledgeGraph
    from tests.engine.machines import mix
    from triplestore import open_store
    from workflows.engine import AskRouter, Executor

    executor = Executor(KnowledgeGraph(open_store("memory:")), threads_per_calculation=1)
    try:
        print(asyncio.run(mix(executor, router=AskRouter())).status)
    except KeyboardInterrupt:
        print("interrupted")
    executor.close()
"""


def test_ctrl_c_at_the_question_ends_the_program_at_once() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SCRIPT)],
        cwd=ROOT,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
    )
    os.close(theirs)
    try:
        seen = b""
        while b"next: " not in seen:
            seen += os.read(ours, 4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    finally:
        process.kill()
        os.close(ours)
    assert out == b"interrupted\n"
    assert process.returncode == 0
