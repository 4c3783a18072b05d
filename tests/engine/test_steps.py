"""Graphs written as functions: what follows from what steps need and give."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

import pytest
from pydantic import BaseModel, Field
from pydantic_graph import End

from ontologies.provenance import Outcome, Run, Transition
from tests.engine import toys
from tests.engine.toys import Number, double
from workflows.engine import (
    Done,
    Executor,
    Findings,
    Finish,
    Goal,
    Graph,
    Node,
    Step,
    StepGraph,
    fan_out,
    plan,
    replay,
    run_graph,
    step,
    successors,
)
from workflows.engine.graph.digest import digest
from workflows.engine.graph.steps import StepSituation
from workflows.registry import workflows


@dataclass(frozen=True)
class Sums(Findings):
    """Where the adding up of numbers stands."""

    values: tuple[float, ...]
    doubles: tuple[float, ...] = ()


@step("doubles", cost=10.0, parts=True, only_calculates=True)
async def double_all(state: Sums, executor: Executor, limit: float = 100.0) -> Sums:
    """Double them all.

    Those above the limit are missing.
    """
    calls = {f"{value:g}": double.bind(Number(value=value)) for value in state.values}
    parts = await fan_out(executor, calls, executor.run, width=1)
    missing = tuple(f"{value:g}" for value in state.values if value > limit)
    doubles = tuple(one.result.value for one in parts.all().values())
    return state.after(*parts.results.values(), doubles=doubles, missing=missing)


@step("sum", needs="doubles", leads="doubles", done="is recorded")
async def add_up(state: Sums, executor: Executor) -> Sums:
    """Add them up."""
    found = Number(value=sum(state.doubles))
    executor.record(found)
    return replace(state, found=(found,))


@step("praise", needs=("sum", "listener"))
async def praise_it(
    state: Sums,
    executor: Executor,
    loud: Annotated[bool, Field(description="How.")],
    words: Literal["good", "great"] = "good",
) -> Done[Sums]:
    """Say that it is good."""
    return Done(replace(state, remembered=loud))


SUMS = StepGraph(
    "sums", double_all, add_up, praise_it, given={"listener": "nobody listens"}, goal="sum"
)


class Asked(BaseModel):
    limit: float | None = None
    loud: bool | None = None


def at(*known: str, missing: tuple[str, ...] = ()) -> StepSituation:
    return StepSituation(frozenset(known), missing)


def named(name: str, **fields: Any) -> Step[Any]:
    kind = SUMS.named(name)
    assert issubclass(kind, Step)
    return kind(**fields)


# --- what follows from a function ---


def test_a_step_is_a_node_with_the_name_the_words_and_the_parameters_of_its_function() -> None:
    assert [kind.__name__ for kind in SUMS.nodes] == ["DoubleAll", "AddUp", "PraiseIt"]
    node = named("DoubleAll")
    assert (node.name, node.summary) == ("DoubleAll", "Double them all.")
    assert node.model_dump() == {"limit": 100.0}
    assert (node.only_calculates, named("AddUp").only_calculates) == (True, False)
    assert (node.cost(at()), named("AddUp").cost(at())) == (10.0, 1.0)
    fields = SUMS.named("PraiseIt").model_fields
    assert fields["loud"].is_required()
    assert fields["loud"].description == "How."
    _, refused = SUMS.bind(Asked())
    assert refused == {"PraiseIt": "needs loud"}


def test_functions_that_are_given_with_a_step_become_methods_of_the_node() -> None:
    def called(self: Step[Sums]) -> str:
        return f"{self.name} in {self.gives}"

    @step("silence", summary=property(called))
    async def keep_still(state: Sums, executor: Executor) -> Sums:
        return state

    assert keep_still().summary == "KeepStill in silence"


def test_what_may_follow_is_what_needs_it_what_it_leads_to_and_the_end() -> None:
    follows = {kind.__name__: successors(kind) for kind in SUMS.nodes}
    assert follows == {
        "DoubleAll": {SUMS.named("AddUp"), End},
        "AddUp": {SUMS.named("DoubleAll"), SUMS.named("PraiseIt"), End},
        "PraiseIt": {End},
    }
    assert "AddUp --> DoubleAll" in SUMS.mermaid()
    assert "PraiseIt --> [*]" in SUMS.mermaid()


def test_refusals_are_sentences() -> None:
    twice, total, praise = named("DoubleAll"), named("AddUp"), named("PraiseIt", loud=True)
    assert twice.precondition(at()) is None
    assert twice.precondition(at("doubles")) == "the doubles are known"
    assert total.precondition(at()) == "the doubles are not known"
    assert total.precondition(at("doubles", "sum")) == "the sum is recorded"
    assert praise.precondition(at("listener")) == "the sum is not recorded"
    assert praise.precondition(at("sum")) == "nobody listens"
    assert praise.precondition(at("sum", "listener")) is None
    lost = at("doubles", "sum", missing=("3", "4"))
    assert twice.precondition(lost) == "it has missed 3, 4; resume the run for these"
    assert total.precondition(lost) == "the sum is recorded"


@pytest.mark.parametrize(
    ("gives", "said"),
    [
        ("energies", "the energies are known"),
        ("pKa", "the pKa is known"),
        ("analysis", "the analysis is known"),
        ("mass", "the mass is known"),
        ("torus", "the torus is known"),
    ],
)
def test_plurals_are_told_by_their_ends(gives: str, said: str) -> None:
    @step(gives)
    async def find(state: Sums, executor: Executor) -> Sums:
        return state

    assert find().precondition(at(gives)) == said
    assert find().effect(at("x")) == at("x", gives)


def test_a_planner_finds_the_way() -> None:
    nodes, _ = SUMS.bind(Asked(loud=True))
    way = plan(nodes, at("listener"), SUMS.goal("praise", "praise")).first()
    assert way is not None
    assert [node.name for node in way] == ["DoubleAll", "AddUp", "PraiseIt"]
    deaf = plan(nodes, at(), SUMS.goal("praise", "praise"))
    assert deaf.first() is None
    assert deaf.obstacles == "PraiseIt: the sum is not recorded or nobody listens"


def test_a_model_sees_what_is_known_always_in_the_same_order() -> None:
    letters = [chr(one) for one in range(97, 117)]
    assert digest(at(*reversed(letters)))["known"] == letters


# --- what is refused where the graph is made ---


@step("tea", needs="water")
async def brew_tea(state: Sums, executor: Executor) -> Sums:
    """Brew it."""
    return state


@step("water", needs="tea")
async def boil_tea(state: Sums, executor: Executor) -> Sums:
    """Make water of tea."""
    return state


@step("milk", leads="cream")
async def milk_cow(state: Sums, executor: Executor) -> Sums:
    """Milk her."""
    return state


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (
            lambda: StepGraph("pot", brew_tea),
            "in the graph 'pot' the step BrewTea needs 'water', which no step gives: "
            "they give 'tea'",
        ),
        (
            lambda: StepGraph("pot", brew_tea, given=("water",), goal="coffee"),
            "in the graph 'pot' its goal is 'coffee', which no step gives: "
            "they give 'tea', 'water'",
        ),
        (
            lambda: StepGraph("pot", milk_cow),
            "in the graph 'pot' the step MilkCow leads to 'cream', which no step gives",
        ),
        (
            lambda: StepGraph("pot", brew_tea, boil_tea),
            "in the graph 'pot' steps can never run: BrewTea needs water; BoilTea needs tea",
        ),
        (
            lambda: StepGraph("pot", double_all),
            "in the graph 'pot' the step DoubleAll leads to nothing, but elsewhere in another",
        ),
        (lambda: SUMS.goal("cake", "cake"), "in the graph 'sums' the goal 'cake' is 'cake', which"),
        (lambda: SUMS.known("cake"), "in the graph 'sums' it is said to have 'cake', which no"),
    ],
)
def test_what_no_step_gives_is_refused(make, said: str) -> None:
    with pytest.raises(TypeError) as caught:
        make()
    assert said in str(caught.value)


async def work(state: Sums, executor: Executor) -> Sums:
    """Do it."""
    return state


def at_once(state: Sums, executor: Executor) -> Sums:
    """Do it."""
    return state


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: step("it")(at_once), "AtOnce is made of a function that is not `async def`"),  # pyright: ignore
        (lambda: step("it", only_calculate=True)(work), "Work says 'only_calculate', which is no"),
        (lambda: step("it", work=True)(work), "the step Work says 'work', which is no attribute"),
        (lambda: step("it", done="found")(work), "says 'found': begin with `is` or `are`"),
    ],
)
def test_what_is_no_step_is_refused(make, said: str) -> None:
    with pytest.raises(TypeError) as caught:
        make()
    assert said in str(caught.value)


# --- runs ---


async def run(executor: Executor, *values: float, whole: bool = False, **asked: Any) -> Finish:
    goal = SUMS.goal("a sum", whole=whole)
    return await run_graph(SUMS, Sums(values), Asked(**asked), goal, executor, subject="numbers")


async def test_a_run_records_what_it_computes_and_what_it_makes_of_it(executor: Executor) -> None:
    finish = await run(executor, 1.0, 2.0)
    state: Sums = finish.state
    assert (finish.status, finish.message) == ("finished", "a sum")
    assert state.doubles == (2.0, 4.0)
    assert state.known == {"doubles", "sum"}
    [total] = state.found
    assert isinstance(total, Number)
    assert total.value == 6.0
    assert list(state.recorded) == [*(one.recorded for one in state.answers), total.iri]
    told = sorted(executor.kg.find(Transition), key=lambda one: one.index)
    assert [(one.node, one.inputs) for one in told] == [
        ("DoubleAll", '{"limit":100.0}'),
        ("AddUp", "{}"),
    ]
    assert told[0].activity is not None
    assert told[0].activity.iri == state.answers[-1].activity.iri
    assert told[1].activity is None
    assert "AddUp: the doubles are not known" in told[0].refused
    [end] = executor.kg.find(Outcome)
    assert [one.iri for one in end.results] == list(state.recorded)


async def test_what_is_missing_leaves_a_goal_that_wants_all_unmet(executor: Executor) -> None:
    partly = await run(executor, 1.0, 2.0, limit=1.5)
    assert partly.status == "finished"
    finish = await run(executor, 1.0, 2.0, limit=1.5, whole=True)
    assert finish.status == "goal unmet"
    assert "it has missed 2; resume the run for these" in finish.message


async def test_a_run_is_entered_again_from_its_record(executor: Executor) -> None:
    first = await run(executor, 1.0, 2.0)
    state = await replay(SUMS, Sums((1.0, 2.0)), first.run, executor)
    assert state.known == first.state.known
    assert state.found == first.state.found
    assert all(one.reused for one in state.answers)
    assert len(executor.kg.find(Run)) == 1
    assert len(executor.kg.find(toys.Answer)) == 2


# --- nodes that choose ---


class Come(Node[Sums]):
    """Come."""

    then: ClassVar[Go | End[Finish]]


class Hurry(Come):
    """Come sooner."""


class Go(Node[Sums]):
    """Go."""

    then: ClassVar[End[Finish]]


class Lost(Node[Sums]):
    """Goes nowhere."""


async def test_what_may_follow_a_node_is_declared_by_then(executor: Executor) -> None:
    assert successors(Come) == successors(Hurry) == {Go, End}
    assert successors(Go) == {End}
    with pytest.raises(TypeError, match="Lost does not say what may follow it: declare its `then`"):
        Graph("nowhere", Lost)

    class Stay(Go):
        async def work(self, state: Sums, executor: Executor) -> Done[Sums]:
            return Done(replace(state, known=state.known | {"staying"}))

    stays = Goal("to stay", lambda at: "staying" in at.known)
    graph: Graph[Sums] = Graph("stay", Stay)
    finish = await run_graph(graph, Sums(()), Asked(), stays, executor, subject="somebody")
    assert finish.status == "goal unmet", "an effect was not promised, so that nobody plans it"
    finish = await run_graph(
        graph, Sums(()), Asked(), stays, executor, subject="somebody", entry_node=Stay
    )
    assert finish.status == "finished"


# --- the graphs there are ---


def test_every_installed_graph_of_steps_reaches_what_its_last_step_gives() -> None:
    graphs = [one.whole.graph for one in workflows().values()]
    lines = [one for one in graphs if isinstance(one, StepGraph)]
    assert len(lines) > 15
    for graph in lines:
        nodes = [kind.model_construct() for kind in graph.nodes]
        first, goal = graph.known(*graph.given), graph.goal("all")
        assert plan(nodes, StepSituation(first), goal).first(), graph.name
