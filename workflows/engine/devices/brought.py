"""The device of a card brought to where a goal wants it: planned, tried, and carried out."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ogm import GraphModel
from ogm.terms import shorten
from triplestore.errors import InputError, RecordError

from ..execution.executor import Executor
from ..graph.planner import plan
from ..graph.run import run_graph
from .card import Card
from .clock import Clock, spell
from .described import CardCommand, DescribedGraph, Telling, Wait, program
from .driven import PATIENCE, Bench, CardDriver, Driven, SimulatedDevice
from .lease import check_not_stopped, leased
from .operations import Said
from .standing import Standing
from .taught import detour, in_the_way, taught, told
from .wish import Wish


@dataclass(frozen=True)
class Ran:
    """What came of a wish.

    Attributes:
        steps: commands that were done, in words.
        standing: where the device stands.
        run: IRI of the run.
        remarks: what is taught of the device and what that costs, and the program of the steps,
            where the card has one.
    """

    steps: tuple[str, ...]
    standing: Standing
    run: str
    remarks: tuple[str, ...] = ()


async def simulated(
    card: Card,
    goal: str,
    executor: Executor,
    about: GraphModel | None = None,
    clock: Clock | None = None,
) -> Ran:
    """Bring the simulated device of a card to where a goal wants it; see `brought`."""
    return await brought(card, goal, executor, about, clock=clock)


def check_answered(card: Card, asked: str) -> None:
    """Let nothing be done with a card of which a question is open.

    Raises:
        InputError: one is.
    """
    for one in card.unknown:
        others = f", and {len(card.unknown) - 1} more" if len(card.unknown) > 1 else ""
        advice = "write the answer where it belongs in the device file, and delete the question"
        raise InputError(asked, f"a question is open: {one}{others}", advice)


async def brought(
    card: Card,
    goal: str,
    executor: Executor,
    about: GraphModel | None = None,
    driver: CardDriver | None = None,
    said: Said | None = None,
    clock: Clock | None = None,
) -> Ran:
    """Bring the device of a card to where a goal wants it, by the shortest way.

    Of a real one the plan is tried on a simulation first, and a person agrees to it.

    Args:
        card: what describes it; no question of it may be open.
        goal: as `Wish.of` reads it.
        executor: records all of it.
        about: the card as it is stored.
        driver: of the device, begun while it is leased where it is an asynchronous context; a
            simulation of its own if None.
        said: what a person says of the last operation, having looked.
        clock: tells when what goes on is over; that of the computer if None.

    Raises:
        InputError: a question is open, the goal cannot be, no commands lead there, or the store
            of a real device has no folder.
        ApprovalError: a person has to agree to a command, and none has.
        ConsentError: nobody knows whether the last operation was done, or where the device stands.
        StoppedError: a person has stopped the device.
        BusyError: another process commands it.
        RecordError: the card contradicts itself, or the device it.
    """
    asked = f"{card.name} was to stand at {goal[:100]!r}"
    check_answered(card, asked)
    wish = Wish.of(goal, card)
    graph = DescribedGraph(card, wish)
    device = SimulatedDevice(card) if driver is None else driver
    driven = Driven(executor, device, graph, about, clock)
    form = Telling(
        device=card.name,
        goal=wish.text,
        card=card.model_dump_json(),
        driver=next(iter(getattr(device, "checks", ())), ""),
    )
    home, patience = executor.kg.store.home, PATIENCE if device.simulated else 1.0
    if home is None and not device.simulated:
        found = "the store has no folder: nobody could stop it, and what it was told would be lost"
        raise InputError(asked, found, "name a store in a folder")
    async with leased(home, card.name, halt=device.halt, patience=patience), _running(home, device):
        bench = await driven.begun(said, rules=taught(executor.kg, graph, form))
        plans = plan(graph.candidates, bench.at, wish.goal)
        steps = plans.first()
        if steps is None:
            if rules := in_the_way(graph.candidates, bench.at, wish.goal):
                raise InputError(asked, *rules)
            unbound = [f"{name}: {why}" for name, why in graph.unbound.items()]
            found = "; ".join(["no commands lead there", *unbound, plans.obstacles])[:600]
            raise InputError(asked, found.removesuffix("; "), "ask for another")
        done = [one for one in steps if isinstance(one, CardCommand | Wait)]
        orders = [one for one in done if isinstance(one, CardCommand)]
        if not device.simulated:
            dry = SimulatedDevice(card)
            dry.begin(bench.at)
            for one in done:
                if isinstance(one, Wait):
                    dry.begin(one.effect(dry.at))
                else:
                    await dry.do(one)
        finish = await run_graph(
            graph,
            replace(bench, of=len(orders)),
            form,
            wish.goal,
            executor,
            subject=f"{card.name}{' (simulated)' * device.simulated}",
            about=() if about is None else (about,),
            forms=(form,),
        )
    end: Bench = finish.state
    if finish.status != "finished":
        raise RecordError(asked, f"it ended as {finish.status}", f"look at {shorten(finish.run)}")
    remarks = [
        *told(executor.kg, graph),
        *detour(graph.candidates, bench.at, wish.goal, len(steps)),
    ]
    if any(one.program for one in orders):
        remarks.append(f"the program:\n{program(card, orders)}")
    return Ran(tuple(_in_words(done, bench.at)), end.situation, finish.run, tuple(remarks))


@asynccontextmanager
async def _running(home: Path | None, driver: Any) -> AsyncGenerator[None]:
    """Let a driver run that is begun and ended, unless its device is stopped.

    Raises:
        StoppedError: it is.
    """
    if hasattr(driver, "__aenter__"):
        check_not_stopped(home, driver.name)
        async with driver:
            yield
    else:
        yield


def _in_words(steps: Sequence[CardCommand | Wait], at: Standing) -> Iterator[str]:
    """Iterate over steps in words, with the times for which something goes on."""
    for one in steps:
        time = min((x.left for x in at.underway), default=0.0)
        yield one.with_fields if isinstance(one, CardCommand) else f"wait ({spell(time)})"
        at = one.effect(at)
