"""What a run tells reaches every listener in order, and no listener can hold it up or break it."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time

from hypothesis import given
from hypothesis import strategies as st

from tests.engine import toys
from tests.engine.machines import grow, mix
from tests.engine.toys import Number
from tests.triplestore.helpers import wait_until
from workflows.engine import Event, Executor, Stream
from workflows.engine.execution.events import LOSSY, EventKind
from workflows.engine.execution.stream import LEAST, Backlog

KINDS: list[EventKind] = ["frame", "progress", "alive", "result", "transition", "finished"]


def numbered(count: int, kind: EventKind = "frame") -> list[Event]:
    return [Event(kind, str(number)) for number in range(count)]


@given(st.lists(st.sampled_from(KINDS), max_size=300))
def test_a_full_backlog_keeps_the_last_of_every_kind_in_order(kinds: list[EventKind]) -> None:
    backlog = Backlog(LEAST)
    events = [Event(kind, str(number)) for number, kind in enumerate(kinds)]
    for event in events:
        backlog.put(event)
    heard = list(iter(backlog.take, None))
    kept = [event for event in heard if event.kind != "warning"]
    numbers = [int(event.subject) for event in kept]
    assert numbers == sorted(set(numbers))
    assert len(kept) == min(len(events), LEAST)
    assert backlog.dropped == len(events) - len(kept)
    assert {e.kind: e.subject for e in kept} == {e.kind: e.subject for e in events}
    warned = [event.data["dropped"] for event in heard if event.kind == "warning"]
    assert sum(warned) == backlog.dropped
    gone = [event for event in events if event not in kept]
    firm = sum(event.kind not in LOSSY for event in events)
    if firm <= LEAST - len(LOSSY):
        assert all(event.kind in LOSSY for event in gone)


def test_callbacks_hear_everything_in_order_and_each_for_itself() -> None:
    stream = Stream()
    one: list[Event] = []
    two: list[Event] = []
    stream.call(one.append)
    stream.call(two.append)
    events = numbered(100)
    for event in events:
        stream.emit(event)
    stream.close()
    assert one == two == events


def test_a_slow_listener_holds_up_nobody_and_learns_what_it_missed() -> None:
    stream = Stream()
    quick: list[Event] = []
    slow: list[Event] = []
    gate = threading.Event()

    def sleepy(event: Event) -> None:
        gate.wait(60)
        slow.append(event)

    stream.call(sleepy, most=LEAST)
    stream.call(quick.append)
    started = time.perf_counter()
    for event in numbered(900):
        stream.emit(event)
    stream.emit(Event("finished", "run"))
    assert time.perf_counter() - started < 30
    wait_until(lambda: len(quick) == 901)
    assert not slow
    gate.set()
    stream.close()
    assert slow[-1].kind == "finished"
    missing = sum(event.data["dropped"] for event in slow if event.kind == "warning")
    heard = [event for event in slow if event.kind != "warning"]
    assert missing + len(heard) == 901


def test_a_listener_that_hangs_does_not_keep_a_session_from_closing(monkeypatch) -> None:
    monkeypatch.setattr("workflows.engine.execution.stream.PATIENCE", 0.05)
    stream = Stream()
    gate = threading.Event()

    def hang(event: Event) -> None:
        gate.wait(60)

    stream.call(hang)
    stream.emit(Event("frame", "x"))
    started = time.perf_counter()
    stream.close()
    assert time.perf_counter() - started < 30
    gate.set()


def test_a_listener_that_raises_harms_nobody_and_hears_the_rest(caplog) -> None:
    stream = Stream()
    heard: list[str] = []

    def broken(event: Event) -> None:
        heard.append(event.subject)
        raise BrokenPipeError("nobody reads")

    caller = stream.call(broken)
    for event in numbered(3):
        stream.emit(event)
    stream.close()
    assert heard == ["0", "1", "2"]
    assert caller.failures == 3
    assert caplog.text.count("a listener failed") == 1


def test_a_listener_may_leave_from_within_its_own_call() -> None:
    stream = Stream()
    heard: list[str] = []

    def once(event: Event) -> None:
        heard.append(event.subject)
        caller.close()

    caller = stream.call(once)
    stream.emit(Event("frame", "0"))
    wait_until(lambda: not stream)
    stream.emit(Event("frame", "1"))
    stream.close()
    assert heard == ["0"]


async def test_a_feed_gives_the_events_from_its_start_and_ends_with_the_stream() -> None:
    stream = Stream()
    stream.emit(Event("frame", "before"))
    feed = stream.feed()
    for event in numbered(5):
        stream.emit(event)
    asyncio.get_running_loop().call_later(0.02, stream.close)
    assert [event.subject async for event in feed] == ["0", "1", "2", "3", "4"]
    assert [event async for event in stream.feed()] == []


async def test_a_feed_that_is_left_is_forgotten() -> None:
    stream = Stream()
    async with stream.feed() as feed:
        stream.emit(Event("frame", "0"))
        async for event in feed:
            assert event.subject == "0"
            break
    assert not stream


async def test_a_feed_hears_from_another_thread() -> None:
    stream = Stream()
    feed = stream.feed()

    def tell() -> None:
        for event in numbered(50):
            stream.emit(event)
        stream.close()

    threading.Thread(target=tell).start()
    assert len([event async for event in feed]) == 50


async def test_a_feed_whose_loop_is_gone_harms_nobody() -> None:
    stream = Stream()

    async def subscribe() -> None:
        stream.feed()

    thread = threading.Thread(target=lambda: asyncio.run(subscribe()))
    thread.start()
    thread.join()
    stream.emit(Event("frame", "0"))
    stream.close()


async def test_a_run_tells_what_happens_in_order_and_where(executor: Executor) -> None:
    async with executor.events.feed() as feed:
        finish = await mix(executor)
        events = [await anext(feed) for _ in range(len(feed.backlog))]
    assert events[0].kind == "run"
    assert [e.subject for e in events if e.kind == "node"] == ["Open", "Fill", "Close", "Stir"]
    kinds = [event.kind for event in events[1:-1]]
    assert kinds == ["node", "transition"] * 4
    assert events[-1].kind == "finished"
    assert {event.where.run for event in events} == {finish.run}
    assert [e.where.index for e in events if e.kind == "transition"] == [0, 1, 2, 3]
    assert all(one.time <= two.time for one, two in itertools.pairwise(events))


async def test_parts_tell_which_one_they_are(executor: Executor) -> None:
    async with executor.events.feed() as feed:
        await grow(executor, 1.0, 2.0)
        events = [await anext(feed) for _ in range(len(feed.backlog))]
    results = {e.where.part for e in events if e.kind == "result"}
    assert results == {"0 1", "1 2"}
    told = [(e.data["done"], e.data["total"]) for e in events if e.kind == "progress"]
    assert told == [(1, 2), (2, 2)]


async def test_a_sleeping_listener_does_not_slow_a_calculation(
    executor: Executor, monkeypatch
) -> None:
    monkeypatch.setattr("workflows.engine.execution.stream.PATIENCE", 0.0)
    await executor.run(toys.double.bind(Number(value=1)))  # the worker is warm
    started = time.perf_counter()
    await executor.run(toys.slow.bind(Number(value=2), 0.3))
    alone = time.perf_counter() - started
    gate = threading.Event()

    def sleepy(_: Event) -> None:
        gate.wait(60)

    executor.events.call(sleepy)
    started = time.perf_counter()
    await executor.run(toys.slow.bind(Number(value=3), 0.3))
    assert time.perf_counter() - started < alone + 30
    gate.set()


async def test_callbacks_have_heard_of_the_end_when_a_run_returns(executor: Executor) -> None:
    heard: list[str] = []
    executor.events.call(lambda event: heard.append(event.kind))
    await mix(executor)
    assert heard[-1] == "finished"
