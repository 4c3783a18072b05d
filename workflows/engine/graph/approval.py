"""A person's yes before a step acts on the world, asked for by the engine.

All that executes a step of a graph comes through `Gate.open`, so that no door, no batch, no job and
no part of another request can do without. A yes is for a `Deed`: the step, its inputs, what it
works on, the device and its state, what was shown; that calculations before it came out otherwise
or were remembered is none of that. Where nobody answers the run stops there, is recorded as
`Pending`, and can be resumed.

A device is leased before anybody is asked, for the rest of the run: nobody else commands it
meanwhile. One that is stopped is sent nothing.

What was sent is written down before. If nothing says afterwards that it was done, a later run does
not do it again by itself: what is shown says so, which makes it another deed, and needs a new yes.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import AsyncGenerator, Callable, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from ogm import KnowledgeGraph, Link, above
from ogm.terms import shorten
from ontologies.consent import Consent, Deed, DeedSent
from ontologies.provenance import Run, Transition
from triplestore.errors import TrustError
from workflows.trust.caller import ConsentQuestion, caller

from ..devices.lease import check_not_stopped, leased, owned, owning
from ..execution.executor import Executor
from .effects import STANDING, Many, Target, why
from .graph import Node
from .planner import plan
from .waiting import ApprovalError
from .yeses import given, is_genuine, used_up, yes_to

if TYPE_CHECKING:
    from .run import Journey

DAY = timedelta(days=1)
"""In which what the settings allow to be spent may be."""


@dataclass(frozen=True)
class _Held:
    """A yes to many parts of a step, while that is at work."""

    consent: Consent
    run: str
    many: Many


_held: ContextVar[_Held | None] = ContextVar("grafico_yes_to_many", default=None)


@dataclass
class _Seen:
    """A device in the course of a run: operations of ours since a version, and its version now."""

    start: str
    count: int
    last: str


class Gate:
    """Lets the steps of one run act on the world, each with a yes.

    Args:
        journey: the run.
    """

    def __init__(self, journey: Journey[Any]) -> None:
        self._journey = journey
        self._seen: dict[str, _Seen] = {}
        self._leases = AsyncExitStack()
        self._leased: set[str] = set()
        self._owned = owned()

    async def close(self) -> None:
        """Let others command the devices of the run."""
        await self._leases.aclose()

    @asynccontextmanager
    async def open(self, node: Node[Any], index: int) -> AsyncGenerator[Executor]:
        """Let a step do its work, with the executor that it gets.

        Raises:
            ApprovalError: a person has to agree, and none has; nothing was done.
            BusyError: another process commands the device.
            StoppedError: a person has stopped the device.
            GraficoError: it cannot be written down.
        """
        with owning(self._owned):  # each step is a task of its own
            async with self._opened(node, index) as executor:
                yield executor

    @asynccontextmanager
    async def _opened(self, node: Node[Any], index: int) -> AsyncGenerator[Executor]:
        journey = self._journey
        effects, executor = node.all_effects(journey.state), journey.executor
        if not effects:
            yield executor
            return
        journey.records.write()
        target = node.target(journey.state)
        if "device" in effects:  # before a yes, which would be used up for nothing
            check_not_stopped(executor.kg.store.home, target.name)
            if target.name not in self._leased:
                lease = leased(executor.kg.store.home, target.name, halt=target.halt)
                await self._leases.enter_async_context(lease)
                self._leased.add(target.name)
                self._owned = owned()
        start, count = self._place(target)
        likeness = self._likeness(node, target)
        former = self._former(likeness)
        deed = self._deed(node, effects, target, _later(start, count), former)

        def send(consent: Consent | None) -> None:
            sent = DeedSent(
                run=Link[Run](journey.run),
                index=index,
                deed=Link[Deed](deed),
                likeness=likeness,
                first_run=_origin(executor.kg, journey.run),
                consent=Link[Consent](consent) if consent else None,
                sent=datetime.now(UTC),
                cents=_cents(target),
            )
            executor.record(deed, sent)

        again = bool(former) and effects != frozenset({"network"})
        if not again and await self._allowed(effects, target, send):
            yield executor.acting()
            return
        consent = await self._consent(node, deed, target, (start, count), again=again)
        now = node.target(journey.state)  # a person may take long
        place = _later(*self._place(now))
        if (other := self._deed(node, effects, now, place, self._former(likeness))) != deed:
            raise self._error(node, [other], None)
        if "device" in effects:
            check_not_stopped(executor.kg.store.home, target.name)
        send(consent)
        with (
            _holding(_Held(consent, journey.run.iri, target.many)) if target.many else nullcontext()
        ):
            yield executor.acting()

    def did(self, node: Node[Any]) -> None:
        """Note that a step has acted, and how the device stands; the state is the one after it."""
        state = self._journey.state
        if not node.all_effects(state):
            return
        self._journey.records.write()
        target = node.target(state)
        if target.version:
            seen = self._seen.setdefault(target.name, _Seen("", 0, ""))
            seen.count, seen.last = seen.count + 1, target.version

    # --- what it is --------------------------------------------------------------------------

    def _place(self, target: Target) -> tuple[str, int]:
        """Return the version that a device had, and how many operations of ours ago.

        If somebody else has had a hand in it, that is the version it has now.
        """
        seen = self._seen.get(target.name)
        if seen is None or seen.last != target.version:
            seen = self._seen[target.name] = _Seen(target.version, 0, target.version)
        return seen.start, seen.count

    def _deed(
        self,
        node: Node[Any],
        effects: frozenset[str],
        target: Target,
        version: str,
        former: str = "",
        situation: Any = None,
    ) -> Deed:
        at = self._journey.state.situation if situation is None else situation
        return Deed(
            graph=self._journey.graph.name,
            node=node.name,
            inputs=node.model_dump_json(),
            bound=self._bound(target),
            effects=effects,
            target=target.name,
            target_version=version,
            checks=(*filter(None, [former]), *target.checks, *node.checks(at)),
        )

    def _bound(self, target: Target) -> frozenset[str]:
        """Return all that a step works on besides its fields."""
        journey = self._journey
        product = journey.state.product
        about = [link.iri for link in journey.run.about]
        return frozenset([*about, *target.bound, *([product.iri] if product else [])])

    def _likeness(self, node: Node[Any], target: Target) -> str:
        """Return a digest of what a step does, however the device stands and whatever is shown."""
        said = [self._journey.graph.name, node.name, node.model_dump_json(), target.name]
        text = json.dumps([*said, *sorted(self._bound(target))])
        return hashlib.sha256(text.encode()).hexdigest()

    def _ahead(
        self, node: Node[Any], first: Deed, target: Target, place: tuple[str, int]
    ) -> tuple[Deed, ...]:
        """Return a deed, and those that are planned behind it."""
        journey, deeds, places = self._journey, [first], {target.name: place}
        situation = node.effect(journey.state.situation)
        steps: Sequence[Node[Any]] = ()
        if type(node) is not journey.exit_node:
            steps = plan(journey.candidates, situation, journey.goal, type(node)).first() or ()
        for step in steps:
            if effects := step.all_effects(journey.state):
                there = step.target(journey.state)
                start, count = places.get(there.name, (there.version, -1))
                places[there.name] = start, count + 1
                version = _later(start, count + 1)
                deeds.append(self._deed(step, effects, there, version, situation=situation))
            if type(step) is journey.exit_node:
                break
            situation = step.effect(situation)
        return tuple(deeds)

    # --- what was done before ----------------------------------------------------------------

    def _former(self, likeness: str) -> str:
        """Return what has to be known of the same operation before; empty where nothing has."""
        kg, run = self._journey.executor.kg, self._journey.run
        sent = kg.find(DeedSent, likeness=likeness)
        if not sent:
            return ""
        sent.sort(key=_when)
        known = [one for one in sent if _is_done(kg, one)]
        open_ones = [one for one in sent if one not in known]
        if open_ones and not _looked_at(kg, open_ones[-1], sent):
            by = _by(open_ones[-1])
            return f"sent at {by}, and nobody knows whether it was done: look before you agree"
        origin = _origin(kg, run)
        before = [one for one in known if one.run.iri != run.iri and one.first_run == origin]
        if before:
            return f"done already at {_by(before[-1])}, in the course of the same request"
        return ""

    # --- who agrees --------------------------------------------------------------------------

    async def _allowed(
        self, effects: frozenset[str], target: Target, send: Callable[[None], None]
    ) -> bool:
        """Send what a person's settings allow without asking; tell whether they do."""
        executor = self._journey.executor
        if executor.policy.allowed is None or caller().away or not effects <= STANDING:
            return False
        try:
            allowed = executor.policy.allowed()
        except TrustError:  # it stands in a file that nobody has trusted
            return False
        # of those who spend, each has to see what the others have spent
        async with executor.alone("spending") if target.dollars else nullcontext():
            if not allowed.covers(effects, target, _spent(executor.kg)):
                return False
            send(None)
        return True

    async def _consent(
        self, node: Node[Any], deed: Deed, target: Target, place: tuple[str, int], *, again: bool
    ) -> Consent:
        """Return the yes to a deed, which is used up by that."""
        kg, here = self._journey.executor.kg, caller()
        deeds = self._ahead(node, deed, target, place)
        if here.away:
            raise self._error(node, deeds, None)
        if held := self._held(node, deed, again=again):
            return held
        if stored := yes_to(kg, deed):
            return stored
        agreed = None
        if here.ask is not None:
            what = f"{self._journey.run.subject}: {told(deeds)}"
            agreed = await here.ask(ConsentQuestion(what, why(_all(deeds)), _all(deeds)))
        if agreed is not True:
            raise self._error(node, deeds, agreed)
        consent = given(self._journey.run, deeds, here.door)
        self._journey.executor.record(consent, *deeds)
        if not used_up(consent, deed.iri):
            raise self._error(node, deeds, None)
        return consent

    def _held(self, node: Node[Any], deed: Deed, *, again: bool) -> Consent | None:
        """Return the yes to the batch that this run is a part of, if it is for this step."""
        held, run = _held.get(), self._journey.run
        if held is None or run.parent is None or run.parent.iri != held.run:
            return None
        many = held.many
        if self._journey.graph.name != many.graph or run.part not in many.parts:
            return None
        if node.name not in many.nodes or again:
            return None
        what = f"{run.part} {deed.graph} {node.name}"
        return held.consent if used_up(held.consent, what) else None

    def _error(self, node: Node[Any], deeds: Sequence[Deed], agreed: bool | None) -> ApprovalError:
        return ApprovalError(node.name, deeds, why(_all(deeds)), said_no=agreed is False)


@contextmanager
def _holding(held: _Held) -> Generator[None]:
    token = _held.set(held)
    try:
        yield
    finally:
        _held.reset(token)


def told(deeds: Sequence[Deed]) -> str:
    """Return what would be done, whole, a line an operation and one for each check.

    What was found of all of several operations is told once.
    """
    lines = [f"{len(deeds)} operation{'s' * (len(deeds) > 1)}, each once"]
    every = [
        one for one in deeds[0].checks if deeds[1:] and all(one in each.checks for each in deeds)
    ]
    lines += [f"   {check}" for check in every]
    for number, one in enumerate(deeds, 1):
        at = f" at {one.target}" if one.target else ""
        version = f" (state {one.target_version})" if one.target_version else ""
        fields = "" if one.inputs == "{}" else f" {one.inputs}"
        lines.append(f"{number}. {one.node}{fields}{at}{version}: {why(one.effects)}")
        lines += [f"   with {shorten(iri)}" for iri in sorted(one.bound)]
        lines += [f"   {check}" for check in one.checks if check not in every]
    return "\n".join(line[:3] + " ".join(line[3:].split()) for line in lines)


def _all(deeds: Sequence[Deed]) -> frozenset[str]:
    return frozenset[str]().union(*(one.effects for one in deeds))


def _later(version: str, count: int) -> str:
    return f"{version} and {count} of these later" if version and count else version


def _when(sent: DeedSent) -> datetime:
    return sent.sent


def _by(sent: DeedSent) -> str:
    return f"{sent.sent:%Y-%m-%d %H:%M:%S} UTC by {shorten(sent.run.iri)}"


def _looked_at(kg: KnowledgeGraph, open_one: DeedSent, sent: Sequence[DeedSent]) -> bool:
    """Tell whether the person has agreed since to what nobody knows whether it was done."""
    later = [one.consent for one in sent if one.sent > open_one.sent and one.consent is not None]
    return any(is_genuine(link.load(kg)) for link in later)


def _is_done(kg: KnowledgeGraph, sent: DeedSent) -> bool:
    steps = kg.find(Transition, run=sent.run, index=sent.index)
    return any(not one.failure for one in steps)


def _origin(kg: KnowledgeGraph, run: Run) -> str:
    """Return the first run of a request: that which it goes on from, or is a part of, and so on."""
    while (before := run.resumes or run.parent) is not None:
        run = kg.pull(Run, before.iri)
    return run.iri


def _cents(target: Target) -> int:
    dollars = target.dollars or 0.0
    return math.ceil(100 * dollars) if math.isfinite(dollars) else 0


def _spent(kg: KnowledgeGraph) -> float:
    """Return the US dollars that were spent within a day as the settings allow."""
    recent = kg.find(DeedSent, sent=above(datetime.now(UTC) - DAY))
    return sum(max(0, one.cents) for one in recent if one.consent is None) / 100
