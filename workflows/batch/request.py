"""What can be asked of many subjects, and how such a request is prepared."""

from __future__ import annotations

import asyncio
import itertools
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from ogm import Link
from ontologies.collection import Batch, Collection, Entry
from triplestore.errors import GraficoError, InputError
from workflows.engine import Executor
from workflows.engine.request.cost import TOLD, Cost, Granted, Priced
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form, fill
from workflows.engine.request.refusals import refuse_unknown
from workflows.engine.request.request import Request
from workflows.engine.request.rules import Personal, Setting
from workflows.engine.request.workflow import prepare
from workflows.registry import Workflow, workflows
from workflows.text.names import plain
from workflows.text.words import count

from .dispatch import SMALL
from .entries import Entries
from .graph import BATCH, BatchState
from .pieces import pieces_of
from .reading import Collections
from .result import BatchResult
from .tables import NAMES

MOST_SETTINGS = 1000
"""Ways in which one entry is computed."""

SAMPLE = 9
"""Entries by which the time of all is estimated, from the smallest to the largest."""


class BatchRequest(Form):
    """What is asked of each entry."""

    each: Annotated[
        str, Field(description="What is asked, by its name; the usual one if not given.")
    ] = ""
    arguments: dict[str, Any] = Field({}, description="Its arguments, such as method, by name.")
    grid: dict[str, tuple[Any, ...]] = Field(
        {}, description="Arguments with several values: each entry is computed with each."
    )
    limit: Annotated[
        int | None, Field(ge=1, description="Compute so many entries only, the first.")
    ] = None
    sample: Annotated[
        int | None, Field(ge=1, description="Compute so many entries only, drawn by chance.")
    ] = None
    retry: Annotated[
        Literal["none", "failed"], Field(description="Ask again for those that have failed.")
    ] = "none"
    force: Annotated[
        bool, Personal(), Field(description="Start it, however long it is estimated to take.")
    ] = False
    defaults: Annotated[dict[str, Any], Setting()] = Field({})

    def settings(self, workflow: Workflow) -> tuple[str, ...]:
        """Return the arguments of each way in which an entry is computed, as JSON.

        Raises:
            InputError: the workflow takes no such arguments, or a value cannot be.
        """
        whole = workflow.whole
        asked = f"a batch of {workflow.command} was asked for"
        if twice := sorted(self.arguments.keys() & self.grid.keys()):
            found = f"{', '.join(twice)} has one value and several"
            raise InputError(asked, found, "give it once")
        refuse_unknown(whole.sayable, {**self.arguments, **self.grid})
        number = 1
        for name, values in self.grid.items():
            if not values:
                raise InputError(asked, f"the grid has no value for {name}", "give some")
            number *= len(values)
        if number > MOST_SETTINGS:
            found = f"the grid has {number:,} points; {MOST_SETTINGS:,} are allowed"
            raise InputError(asked, found, "ask for fewer at once")
        each: list[list[tuple[type[Form], dict[str, Any]]]] = []
        for values in itertools.product(*self.grid.values()):
            point = dict(zip(self.grid, values, strict=True))
            said = whole.translated({**self.arguments, **point})
            each.append([(form, _of(form, said)) for form in whole.all_forms])
        ways = dict[str, None]()
        for forms in _taken(each, self.defaults):
            filled = [fill(form, said, self.defaults) for form, said in forms]
            ways[json.dumps(_meant(filled, list(whole.fields)), sort_keys=True)] = None
        return tuple(ways)


@dataclass(frozen=True)
class SampledCost:
    """What a batch will take, by some of its entries.

    Attributes:
        label: what it is.
        sample: the calculations of these entries.
        drawn: how many entries these are.
        of: how many there are in all.
    """

    label: str
    sample: tuple[Priced, ...]
    drawn: int
    of: int

    def each(self, executor: Executor) -> list[float]:
        """Return how long each of the sample takes on one core, in s, as far as it is estimated."""
        granted = Granted(1, executor.slots.memory / executor.slots.total_cores)
        found = (part.cost(granted, executor) for part in self.sample)
        return [one.seconds for one in found if one is not None]

    def cost(self, granted: Granted, executor: Executor) -> Cost | None:
        """Return what it will take; None where the sample is remembered or takes a moment."""
        # asked with the hours of one entry, so that many short ones are estimated, too
        share = replace(granted, hours=min(granted.hours, TOLD / 3600) / max(1, self.of))
        each = [one for part in self.sample if (one := part.cost(share, executor)) is not None]
        if not each:
            return None
        beside = max(1, executor.slots.total_cores // granted.threads)
        whole = sum(one.seconds for one in each) * self.of / max(1, self.drawn) / beside
        longest = max(each, key=lambda one: one.seconds)
        return Cost(
            f"{count(self.of, 'calculation')}, such as {longest.size}",
            max(whole, longest.seconds),
            max(one.memory for one in each),
            max(one.disk for one in each),
            sampled([one.factor for one in each]),
            advice="ask for fewer entries (limit, sample), or for less of each",
        )


def sampled(factors: Sequence[float]) -> float:
    """Return the factor within which a sum is right by some of its terms, each within its own.

    What they are off by is mostly the same for all; that they are a sample makes another two.
    """
    mean = sum(map(math.log, factors)) / len(factors)
    return math.exp(math.hypot(mean, math.log(2.0)))


async def prepare_batch(
    given: Given[Collection], request: BatchRequest, executor: Executor
) -> Prepared[BatchState]:
    """Find out what a batch comes to, and by a few entries how long it will take.

    Raises:
        InputError: the workflow is about something else, or what is asked of it cannot be.
        NotFoundError: there is no such workflow.
    """
    workflow = workflows().named(request.each) if request.each else workflows().usual
    collection = given.model
    kind = workflow.whole.subject
    if kind.name != collection.kind:
        raise InputError(
            f"a batch of {workflow.command} was asked for",
            f"that is about a {kind.name}, the entries of {collection.source_name} are each a "
            f"{collection.kind}",
            "ask for another workflow, or read the source as another kind (of)",
        )
    ways = request.settings(workflow)
    if given.detail is not None:
        collection = await given.detail(None if request.sample else request.limit)
    batch = Batch(collection=Link[Collection](collection), workflow=workflow.name, settings=ways)
    entries = Entries(executor.kg, batch, limit=request.limit, sample=request.sample)
    again = request.retry == "failed"
    executor.take_bundles()
    left = entries.to_do(again=again)
    sample = [left[at] for at in _spread(len(left))]
    priced = await _priced(entries, workflow, sample, executor.unheard())
    costs = tuple(itertools.chain.from_iterable(priced.values()))
    label = f"{collection.source_name} at {count(len(ways), 'setting')}"
    cost = SampledCost(label, costs, len(sample), len(left))
    small = all(seconds < SMALL for seconds in cost.each(executor))
    state = BatchState(collection, batch, entries, tuple(left), small=small, again=again)

    several = len(ways) > 1 and len(entries.readable) == 1
    each = f"at {count(len(ways), 'setting')}" if several else "of each entry"

    async def begin() -> BatchState:  # what earlier runs came to is in the store
        return state

    return Prepared(
        state,
        BATCH.goal(f"{workflow.command} {each}"),
        (collection, batch),
        label,
        (cost,),
        (*_remarks(entries, len(left)), *_not_taken(entries, workflow, batch)),
        request.model_copy(update={"each": workflow.name}),
        begin,
        pieces=lambda: pieces_of(entries, entries.to_do(again=again), priced, executor),
    )


def _of(form: type[Form], said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of something said is for a form."""
    return {name: value for name, value in said.items() if name in form.offered()}


def _taken(
    each: Sequence[Sequence[tuple[type[Form], dict[str, Any]]]], defaults: Mapping[str, Any]
) -> Iterator[list[tuple[type[Form], dict[str, Any]]]]:
    """Iterate over the ways, each without what only others have, such as a basis set.

    What none of them has is left to be refused.
    """

    def fields(form: type[Form], said: Mapping[str, Any]) -> AbstractSet[str]:
        return form.variant({**defaults, **said}).model_fields.keys()

    had = {name for way in each for form, said in way for name in fields(form, said)}
    for way in each:
        yield [
            (form, {n: v for n, v in said.items() if n in fields(form, said) or n not in had})
            for form, said in way
        ]


def _meant(forms: Sequence[Form], offered: Sequence[str]) -> dict[str, Any]:
    """Return what forms say that is not said by their defaults: all that the batch rests on."""
    return {
        name: value
        for form in forms
        for name, value in form.model_dump(mode="json").items()
        if name in offered
        and (
            (field := type(form).model_fields[name]).is_required()
            or getattr(form, name) != field.default
            or name in form.model_fields_set
        )
        and value is not None
    }


def _remarks(entries: Entries, left: int) -> Iterator[str]:
    done, failed = entries.done, entries.failed
    if done or failed:
        told = f", {failed} of them failed (ask again: retry failed)" if failed else ""
        yield f"{done + failed:,} of {done + failed + left:,} were done before{told}"


def _not_taken(entries: Entries, workflow: Workflow, batch: Batch) -> Iterator[str]:
    """Return what to know of columns that look like something that is asked, and are not taken."""
    whole = workflow.whole
    library = whole.subject.library
    if not entries.indices or library is None:
        return
    first = entries.pages(entries.indices[:1])[0]
    heads: list[str] = [one for one in json.loads(first.columns or "{}") if one]
    open_to_all = {plain(name): name for name in (*whole.shorts, *whole.arguments)}
    for head in heads:
        name = open_to_all.get(plain(head))
        if name and plain(head) not in (*library.columns, *NAMES) and not library.field_of(head):
            yield (
                f"the column {head} is not taken over: what is asked is the same for all entries; "
                f"say it in `{name}`, or split the table by it"
            )


def _spread(number: int) -> list[int]:
    """Return places from the first to the last; of a few the first two."""
    if number <= SAMPLE:
        return list(range(min(number, 2)))
    return sorted({round(at * (number - 1) / (SAMPLE - 1)) for at in range(SAMPLE)})


async def _priced(
    entries: Entries, workflow: Workflow, sample: Sequence[str], executor: Executor
) -> dict[str, Sequence[Priced]]:
    """Return what some entries consist of, by their keys, without those that cannot be prepared.

    Raises:
        InputError: all of them are refused for the same reason: it is what is asked.
    """

    async def price(key: str) -> Sequence[Priced] | GraficoError:
        try:
            entry, said = entries.read(key)
            request = Request.of(workflow, (entries.subject_of(entry),), said)
            ready = await prepare(request, executor, listed=True)
        except GraficoError as error:
            return error
        return ready.prepared.costs

    found = await asyncio.gather(*map(price, sample))
    refused = [one for one in found if isinstance(one, InputError)]
    if 1 < len(refused) == len(sample) and len({str(error) for error in refused}) == 1:
        raise refused[0]
    each = zip(sample, found, strict=True)
    return {key: one for key, one in each if not isinstance(one, GraficoError)}


DEFINITION: Definition[BatchState, Collection] = Definition(
    BATCH,
    (BatchRequest,),
    Collections(),
    prepare_batch,
    BatchResult.of,
    help="Who asks again for the same goes on with it; what is remembered is not computed.",
    makes=(Collection, Batch, Entry),
)
