"""Fan-out and join: one step over many inputs in parallel, results and failures by key.

pydantic-graph has forks and joins of its own, but there one branch that raises cancels the others,
results come in the order of completion without a key, all branches start at once however many, and
branches share the one state of the run. So a step that fans out is one node, whose work calls
`fan_out`; that the node returns only when all parts have ended is the join.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, cast

from ogm import Link
from ontologies.provenance import Activity, Part, Run
from triplestore.errors import GraficoError, RecipeError
from triplestore.spans import fail, span

from ..execution.answer import Answer
from ..execution.calculation import Call
from ..execution.events import scope, within
from ..execution.executor import Executor
from ..execution.meter import BeyondError
from .records import current_records
from .waiting import ApprovalError

ItemT = TypeVar("ItemT")
PartT = TypeVar("PartT")


@dataclass(frozen=True)
class Parts(Generic[PartT]):
    """What the parts of a step came to, by their keys, in the order of the inputs.

    Attributes:
        results: of the parts that succeeded.
        errors: of those that failed.
    """

    results: Mapping[str, PartT]
    errors: Mapping[str, GraficoError]

    def all(self) -> Mapping[str, PartT]:
        """Return the results if no part failed.

        Raises:
            RecipeError: names the parts that failed, each with the reason.
        """
        if self.errors:
            told = [f"{key}: {error}" for key, error in self.errors.items()]
            raise RecipeError(
                f"{len(self.errors) + len(self.results)} parts were all needed",
                f"{len(self.errors)} failed: " + "; ".join(told[:5]) + ("; …" * (len(told) > 5)),
                "ask again without them, or change them; the others are remembered",
            )
        return self.results


async def fan_out(
    executor: Executor,
    items: Mapping[str, ItemT],
    do: Callable[[ItemT], Awaitable[PartT]],
    *,
    width: int | None = None,
) -> Parts[PartT]:
    """Do the same for each of many inputs, in parallel, and wait for all.

    Within a step of a run each part is recorded as a `Part`, and runs of other graphs that a part
    starts belong to it. When this is cancelled, all parts are, and it returns when they have ended.

    Args:
        executor: records the parts; its slots decide how many calculate at once.
        items: what to do, by key.
        do: does one; a `GraficoError` that it raises is the part's own, anything else ends all.
            Where one waits for a person's yes, the others are done first.
        width: parts that are under way at once, waiting for a slot included; None for twice the
            cores. More than that would only hold open what waits.
    """
    results: dict[str, PartT] = {}
    errors: dict[str, GraficoError] = {}

    def ended(key: str, done: PartT | None, error: GraficoError | None) -> None:
        if error is None:
            results[key] = cast("PartT", done)
        else:
            errors[key] = error

    await for_each(executor, items.items(), len(items), do, ended, width=width)
    return Parts(
        {key: results[key] for key in items if key in results},
        {key: errors[key] for key in items if key in errors},
    )


async def for_each(
    executor: Executor,
    items: Iterable[tuple[str, ItemT]],
    total: int,
    do: Callable[[ItemT], Awaitable[PartT]],
    ended: Callable[[str, PartT | None, GraficoError | None], None],
    *,
    width: int | None = None,
) -> None:
    """Do the same for each of many inputs as `fan_out`, and keep nothing of what it came to.

    Args:
        executor: see `fan_out`.
        items: what to do, each with its key; asked for the next when somebody is free to do it.
        total: how many these are, for those who wait.
        do: see `fan_out`.
        ended: is told of each how it ended: what came of it, or its error.
        width: see `fan_out`.

    Raises:
        ApprovalError: some wait for a person's yes; the others have ended.
    """
    queue = iter(items)
    done_so_far = failed = 0
    waiting: list[ApprovalError] = []

    async def work() -> None:
        nonlocal done_so_far, failed
        for key, item in queue:
            with unless_agreed(waiting):
                done, error = await as_part(executor, key, functools.partial(do, item))
                ended(key, done, error)
                done_so_far += 1
                failed += error is not None
                executor.emit("progress", key, done=done_so_far, failed=failed, total=total)

    wide = max(2, 2 * executor.slots.total_cores) if width is None else width
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(max(1, wide), total)):
                group.create_task(work())
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    if waiting:
        raise ApprovalError.of_parts(waiting)


@contextmanager
def unless_agreed(waiting: list[ApprovalError]) -> Generator[None]:
    """Put a part that waits for a person's yes aside; who said no has said it of all parts."""
    try:
        yield
    except ApprovalError as error:
        if error.said_no:
            raise
        waiting.append(error)


async def as_part(
    executor: Executor, key: str, do: Callable[[], Awaitable[PartT]]
) -> tuple[PartT | None, GraficoError | None]:
    """Do one of the parts of a step, and record how it ended.

    Returns:
        What it came to, or its error.

    Raises:
        BeyondError: the run has computed for longer than was agreed, and stops.
    """
    started, place = datetime.now(UTC), scope()
    with (
        within(replace(place, part=key)),
        span(executor.tracer, "part", part=key, run=place.run or None) as here,
    ):
        try:
            done = await do()
            _record(executor, key, started, done, "")
            return done, None
        except BeyondError:  # the run stops, so that the other parts do too
            raise
        except GraficoError as error:
            fail(here, error)
            with suppress(GraficoError):  # what went wrong is what matters
                _record(executor, key, started, None, str(error))
            return None, error


async def run_all(
    executor: Executor, calls: Mapping[str, Call[Any]], *, width: int | None = None
) -> Parts[Answer[Any]]:
    """Run many calculations in parallel; see `fan_out`."""
    return await fan_out(executor, calls, executor.run, width=width)


def _record(executor: Executor, key: str, started: datetime, done: Any, failure: str) -> None:
    place = scope()
    if not place.run:
        return
    answer = cast("Answer[Any]", done) if isinstance(done, Answer) else None
    part = Part(
        run=Link[Run](place.run),
        index=place.index,
        part=key,
        started=started,
        ended=datetime.now(UTC),
        activity=Link[Activity](answer.activity) if answer else None,
        reused=answer.reused if answer else False,
        deviation=answer.deviation if answer else None,
        failure=failure,
    )
    records = current_records()
    if records is None:
        executor.record(part, durable=False)
    else:
        records.add(part)
