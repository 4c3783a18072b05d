"""Runs of graphs: entry, exit, sub-graphs, cycles, resumption, diagrams; what is recorded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import BaseModel
from pydantic_graph import End, GraphRunContext

from ogm import GraphModel, KnowledgeGraph
from ontologies.provenance import Outcome, Part, Run, Transition
from tests.engine import toys
from tests.engine.machines import (
    ESTATE,
    GARDEN,
    MIXER,
    Close,
    Estate,
    Fill,
    Garden,
    Grow,
    GrowRequest,
    Mixer,
    MixRequest,
    Open,
    Season,
    Stir,
    grow,
    mix,
    steps,
)
from triplestore import open_store
from triplestore.errors import InputError, NotFoundError, RecipeError
from workflows.engine import (
    Choice,
    Crossroads,
    Done,
    Executor,
    Finish,
    ForbiddenError,
    Goal,
    Graph,
    Node,
    plan,
    replay,
    run_graph,
    successors,
)
from workflows.engine.graph.drawing import Path
from workflows.engine.graph.run import Journey


def outcome(executor: Executor, run: str) -> Outcome:
    return executor.kg.find(Outcome, run=executor.kg.pull(Run, run))[0]


# --- what is declared ---


def test_successors_are_read_from_the_types() -> None:
    assert successors(Open) == {Fill, Close}
    assert successors(Season) == {End}
    with pytest.raises(TypeError, match="not in graph"):
        Graph("broken", Open)


def test_nodes_are_filled_in_from_the_request() -> None:
    bound, refused = MIXER.bind(MixRequest(volume=5.0))
    assert Fill(volume=5.0) in bound
    assert not refused
    bound, refused = MIXER.bind(MixRequest())
    assert refused == {"Fill": "needs volume"}
    _, refused = MIXER.bind(MixRequest(volume=500.0))
    assert "less than or equal to 100" in refused["Fill"]


async def test_a_run_is_recorded_step_by_step(executor: Executor) -> None:
    finish = await mix(executor)
    assert (finish.status, finish.node) == ("finished", "Stir")
    assert finish.state == Mixer(volume=5.0, stirred=True)
    recorded = steps(executor, finish.run)
    assert [step.node for step in recorded] == ["Open", "Fill", "Close", "Stir"]
    assert all(step.chosen_by == "goal" and step.node in step.menu for step in recorded)
    assert "Stir: it is empty" in recorded[0].refused
    assert "Open: does not follow Fill" in recorded[2].refused
    assert outcome(executor, finish.run).status == "finished"


# --- entry and exit ---


async def test_a_run_may_enter_at_any_node(executor: Executor) -> None:
    state = Mixer(open=True, volume=5.0)
    finish = await mix(executor, state=state, entry_node=Close)
    assert [step.node for step in steps(executor, finish.run)] == ["Close", "Stir"]
    assert steps(executor, finish.run)[0].chosen_by == "caller"


async def test_a_run_may_enter_at_a_node_with_fields_of_its_own(executor: Executor) -> None:
    finish = await mix(executor, state=Mixer(open=True), entry_node=Fill(volume=7.0))
    assert finish.state == Mixer(volume=7.0)
    assert finish.status == "goal unmet"
    # the goal is out of reach, but the vessel may not be left open
    close = steps(executor, finish.run)[1]
    assert close.node == "Close"
    assert close.reason.startswith("cannot be reached: Fill: it is full")


@pytest.mark.parametrize(
    ("entry", "why"),
    [(Stir, "it is empty"), (Fill(volume=1.0), "it is closed"), (Season, "no node of that graph")],
)
async def test_no_entry_where_a_precondition_refuses(executor: Executor, entry, why: str) -> None:
    with pytest.raises(InputError, match=why):
        await mix(executor, entry_node=entry)
    with pytest.raises(InputError, match="needs volume"):
        await mix(executor, MixRequest(), state=Mixer(open=True), entry_node=Fill)
    assert not executor.kg.find(Run)


async def test_a_partial_run_ends_after_its_node_and_can_be_entered_again(
    executor: Executor,
) -> None:
    finish = await mix(executor, exit_node=Fill)
    assert (finish.status, finish.node) == ("goal unmet", "Fill")
    assert finish.message == "ended after Fill, as asked; open: 5.0 mL stirred"
    assert outcome(executor, finish.run).node == "Fill"
    again = await mix(executor, state=finish.state, resume_from=finish.run)
    assert again.status == "finished"
    assert [step.node for step in steps(executor, again.run)] == ["Close", "Stir"]
    resumes = executor.kg.pull(Run, again.run).resumes
    assert resumes is not None
    assert resumes.iri == finish.run


async def test_a_partial_run_that_reaches_its_goal_has_finished(executor: Executor) -> None:
    assert (await mix(executor, exit_node=Stir)).status == "finished"
    with pytest.raises(NotFoundError, match="Season"):
        await mix(executor, exit_node=Season)


async def test_an_unmet_goal_is_an_outcome_that_says_why(executor: Executor) -> None:
    finish = await mix(executor, MixRequest(volume=5.0), Mixer(volume=3.0))
    assert finish.status == "goal unmet"
    assert "Fill: it is closed or it is full" in finish.message
    lacking = await mix(executor, MixRequest())
    assert "Fill: needs volume" in lacking.message
    assert {one.status for one in executor.kg.find(Outcome)} == {"goal unmet"}


async def test_only_a_run_of_the_same_graph_can_be_resumed(executor: Executor) -> None:
    other = await grow(executor, 1.0)
    with pytest.raises(InputError, match="it is a run of garden"):
        await mix(executor, resume_from=other.run)
    with pytest.raises(NotFoundError):
        await mix(executor, resume_from=other.run + "x")


# --- cycles, joins, sub-graphs ---


async def test_a_cycle_with_a_join_goes_round_until_it_is_enough(executor: Executor) -> None:
    finish = await grow(executor, 1.0, 2.0, enough=20.0)
    assert finish.status == "finished"
    assert sorted(finish.state.numbers) == [8.0, 16.0]
    assert [step.node for step in steps(executor, finish.run)] == ["Grow", "Check"] * 3
    parts = executor.kg.find(Part, run=executor.kg.pull(Run, finish.run))
    assert sorted((part.index, part.part) for part in parts) == [
        (0, "0 1"),
        (0, "1 2"),
        (2, "0 2"),
        (2, "1 4"),
        (4, "0 4"),
        (4, "1 8"),
    ]
    assert all(part.activity is not None and not part.failure for part in parts)
    # what two parts of one run share is computed once
    assert [part.reused for part in sorted(parts, key=lambda p: (p.index, p.part))] == [
        False,
        False,
        True,
        False,
        True,
        False,
    ]


async def test_runs_of_other_graphs_belong_to_the_step_that_started_them(
    executor: Executor,
) -> None:
    state = Estate((("left", (1.0,)), ("right", (2.0, 3.0)), ("wild", (-1.0,))))
    finish = await run_graph(
        ESTATE, state, GrowRequest(enough=1.0), Goal("a season", bool), executor, subject="estate"
    )
    assert finish.status == "finished"
    season = executor.kg.pull(Run, finish.run)
    children = {run.part: run for run in executor.kg.find(Run, parent=season)}
    assert sorted(children) == ["left", "right", "wild"]
    assert {run.parent_index for run in children.values()} == {0}
    assert finish.state.runs == (children["left"].iri, children["right"].iri)
    assert finish.state.failures == ("wild",)
    assert outcome(executor, children["wild"].iri).status == "failed"
    parts = {part.part: part.failure for part in executor.kg.find(Part, run=season)}
    assert parts["left"] == parts["right"] == ""
    assert "it cannot be had" in parts["wild"]
    assert outcome(executor, children["right"].iri).status == "finished"
    assert season.parent is None


class Loops(Node[Mixer]):
    """Never ends."""

    async def work(self, state: Mixer, executor: Executor) -> Done[Mixer]:
        return Done(state)

    async def run(self, ctx: GraphRunContext[Journey[Mixer], None]) -> Loops | End[Finish]:
        return await self.proceed(ctx)


class Deaf(Executor):
    """Keeps no record."""

    def record(self, *models: GraphModel, durable: bool = True) -> None:
        pass


class Always:
    """Takes the first option."""

    name = "always"

    async def choose(self, at: Crossroads) -> Choice:
        return Choice(at.menu.options[0], "it is the first")


async def test_a_graph_that_never_ends_is_stopped() -> None:
    graph = Graph("loop", Loops)
    with open_store("memory:") as store:
        executor = Deaf(KnowledgeGraph(store), threads_per_calculation=1)
        await executor.run(toys.double.bind(toys.Number(value=1)))
        graph.compiled  # noqa: B018
        with pytest.raises(RecipeError, match="not reached in 1000 steps"):
            await run_graph(
                graph,
                Mixer(),
                MixRequest(),
                Goal("peace", lambda at: False),
                executor,
                subject="a loop",
                router=Always(),
            )
        executor.close()


# --- nodes that do not keep to the rules ---


class Escape(Node[Mixer]):
    """Goes where nobody let it."""

    async def run(self, ctx: GraphRunContext[Journey[Mixer], None]) -> Stirred | End[Finish]:
        return Stirred()


class Stirred(Node[Mixer]):
    """May never run."""

    def precondition(self, situation: Mixer) -> str | None:
        return "never"

    async def run(self, ctx: GraphRunContext[Journey[Mixer], None]) -> End[Finish]:
        return await self.proceed(ctx)


class Quit(Node[Mixer]):
    """Ends the run by itself."""

    async def run(self, ctx: GraphRunContext[Journey[Mixer], None]) -> End[Finish]:
        return End(Finish("forged", "finished", "all is well", Mixer()))


class Faulty(Node[Mixer]):
    """Has an error in its code."""

    async def work(self, state: Mixer, executor: Executor) -> Done[Mixer]:
        raise ZeroDivisionError("by nothing")

    async def run(self, ctx: GraphRunContext[Journey[Mixer], None]) -> End[Finish]:
        return await self.proceed(ctx)


@pytest.mark.parametrize(
    ("nodes", "error"),
    [
        ((Escape, Stirred), ForbiddenError),
        ((Quit,), ForbiddenError),
        ((Faulty,), ZeroDivisionError),
    ],
)
async def test_a_node_that_breaks_the_rules_ends_the_run_as_failed(
    executor: Executor, nodes, error: type[Exception]
) -> None:
    graph: Graph[Mixer] = Graph("rules", *nodes)
    with pytest.raises(error):
        await run_graph(
            graph,
            Mixer(),
            MixRequest(),
            Goal("x", lambda at: False),
            executor,
            subject="a rule",
            entry_node=nodes[0],
        )
    [ended] = executor.kg.find(Outcome)
    assert ended.status == "failed"
    assert all(step.node == "Faulty" for step in executor.kg.find(Transition))


# --- going on from a record ---


async def test_the_last_state_is_rebuilt_from_the_record_without_computing(
    executor: Executor, tmp_path
) -> None:
    tally = tmp_path / "tally"
    first = Garden((1.0, 2.0))
    part = await grow(executor, tally=str(tally), state=first, enough=20.0, exit_node=Grow)
    assert toys.lines(tally) == 2
    state = await replay(GARDEN, first, part.run, executor)
    assert replace(state, recorded=()) == replace(part.state, recorded=())
    again = await grow(executor, tally=str(tally), state=state, enough=20.0, resume_from=part.run)
    assert again.status == "finished"
    assert toys.lines(tally) == 4  # 1, 2, then 4 and 8: 2 and 4 are remembered
    # and what went on from it is rebuilt through both
    last = await replay(GARDEN, first, again.run, executor)
    assert sorted(last.numbers) == [8.0, 16.0]
    assert toys.lines(tally) == 4


async def test_a_replay_goes_no_further_than_the_preconditions_allow(executor: Executor) -> None:
    finish = await mix(executor)
    state = await replay(MIXER, Mixer(open=True), finish.run, executor)
    assert state == Mixer(open=True)


# --- planning ---


class Asked(BaseModel):
    pass


def wide() -> list[Node]:
    """Twenty nodes, each of which may follow each: one step along one of four axes."""
    names = [f"Step{number}" for number in range(20)]
    after = " | ".join([*names, "End[Finish]"])
    found: dict = dict(globals())
    for number, name in enumerate(names):
        axis, by = number % 4, 1 if (number // 4) % 2 == 0 else -1
        source = f"""
class {name}(Node):
    def precondition(self, situation):
        return None if 0 <= situation[{axis}] + {by} < 10 else "that is the edge"

    def effect(self, situation):
        return situation[:{axis}] + (situation[{axis}] + {by},) + situation[{axis + 1}:]

    def cost(self, situation):
        return {1 + number // 8}

    async def run(self, ctx) -> {after}:
        return await self.proceed(ctx)
"""
        exec(source, found)
    for name in names:
        found[name].run.__globals__.update({one: found[one] for one in names})
    return [found[name]() for name in names]


def test_twenty_nodes_and_ten_thousand_situations_are_planned() -> None:
    candidates = wide()
    plans = plan(candidates, (0, 0, 0, 0), Goal("never", lambda at: False))
    assert plans.looked_at == 10_000
    found = plan(candidates, (0, 0, 0, 0), Goal("the far corner", lambda at: at == (9, 9, 9, 9)))
    assert len(found.first() or []) == 36


class Cheap(Node):
    """Costs less than nothing."""

    def cost(self, situation: int) -> float:
        return -1.0

    async def run(self, ctx) -> End[Finish]:
        return await self.proceed(ctx)


def test_a_cost_below_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="not below zero"):
        plan([Cheap()], 0, Goal("x", lambda at: False))


async def test_the_goal_router_follows_its_plan_and_plans_anew_after_a_surprise(
    executor: Executor, monkeypatch
) -> None:
    import workflows.engine.graph.router as module

    planned: list[object] = []
    real = module.plan
    monkeypatch.setattr(module, "plan", lambda *a: planned.append(a[1]) or real(*a))
    await mix(executor)
    assert len(planned) == 1
    planned.clear()
    await grow(executor, 1.0, enough=8.0)  # Check promises to be enough, and is not, twice
    assert len(planned) == 3


# --- diagrams ---


def test_the_diagram_shows_every_node_and_arrow() -> None:
    drawn = MIXER.mermaid()
    assert drawn.startswith("stateDiagram-v2")
    arrows = [line.strip() for line in drawn.splitlines() if "-->" in line]
    assert "Open --> Fill" in arrows
    assert "Close --> [*]" in arrows
    assert "Open --> [*]" not in arrows
    assert len(arrows) == len(set(arrows)) == 4 + 2 + 3 + 1 + 2


def test_the_diagram_numbers_the_steps_of_a_run() -> None:
    drawn = GARDEN.mermaid(Path(["Grow", "Check", "Grow", "Check"], ended=True))
    assert "    [*] --> Grow: 1\n" in drawn
    assert "    Grow --> Check: 2, 4\n" in drawn
    assert "    Check --> Grow: 3\n" in drawn
    assert "    Check --> [*]: end\n" in drawn
    assert "class Grow, Check taken" in drawn
    failed = GARDEN.mermaid(Path(["Grow"], failed=True, ended=True))
    assert "class Grow failed" in failed
    assert "end" not in failed
