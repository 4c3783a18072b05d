"""Resolve, gate, plan, permit: how a person lets a plan be done once.

Whatever makes something writes a `MakingPlan` of all that it uses and makes, and asks `permitted`
right before it begins: it takes a permission that was given before, or has a person asked, and uses
it up. The permission is for the plan's digest, what was found of it, and the lists as they stood;
all of it is found out again when it is used, so that any change voids it.

What Schedule 1 names and explosives stop here; no permission is asked for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from ogm import KnowledgeGraph, Link
from ontologies.consent import Consent, Deed
from ontologies.permits import (
    MakingPermission,
    MakingPlan,
    MaterialStatement,
    PlanVerdict,
)
from triplestore.errors import ConsentError, InputError
from workflows.controlled import gate as gates
from workflows.controlled.gate import Finding, Verdict, strictest
from workflows.controlled.naming import Screened, screen
from workflows.engine import Executor, Findings, StepGraph, step
from workflows.engine.execution.withdrawn import why_withdrawn
from workflows.engine.graph.effects import Target
from workflows.engine.graph.run import run_graph
from workflows.engine.graph.yeses import agreed_here, agreed_to, once
from workflows.engine.request.consent import told_to_wait
from workflows.engine.request.form import Form

from .statements import by_name, missing, of_finding, statement_on

LASTS = timedelta(hours=24)
"""After which a permission that was not used has ended."""

KEPT = 2 * LASTS
"""For which it is remembered that one was used."""


@dataclass(frozen=True, kw_only=True)
class PermittingState(Findings):
    """Where a plan stands.

    Attributes:
        plan: what is to be made.
        resolved: what its names are.
        screened: what was found of all of it.
        together: what may come of materials that meet; it warns.
        verdict: that, with the statements on which it rests.
        permission: a person's.
    """

    plan: MakingPlan
    resolved: tuple[Screened, ...] = ()
    screened: Verdict | None = None
    together: tuple[str, ...] = ()
    verdict: PlanVerdict | None = None
    permission: MakingPermission | None = None


def _target(_: Any, state: PermittingState) -> Target:
    """Return what a permission would be for, whole."""
    plan, verdict = state.plan, state.verdict
    assert verdict is not None  # so the step before
    return Target(
        name=plan.done_by,
        bound=(plan.iri, verdict.iri),
        checks=(
            plan.title,
            *(f"structure: {one}" for one in plan.notations),
            *(f"material: {one}" for one in plan.names),
            *(f"listed: {one}" for one in verdict.findings),
            *(f"without a structure: {one}" for one in verdict.unread),
            *(f"together: {one}" for one in state.together),
            f"{len(verdict.statements)} statements, lists {verdict.lists[:12]}",
            *([plan.details] if plan.details else []),
        ),
    )


@step("structures", done="are resolved")
async def resolve(state: PermittingState, executor: Executor) -> PermittingState:
    """Find out what the names of a plan are."""
    return replace(state, resolved=await asyncio.to_thread(_resolved, state.plan))


@step("screening", needs="structures", done="is done")
async def gate(state: PermittingState, executor: Executor) -> PermittingState:
    """Compare all that a plan uses and makes with the lists, together."""
    screened = await asyncio.to_thread(_screened, state.plan, state.resolved)
    _check(state.plan, screened)
    return replace(state, screened=screened)


@step("plan", needs="screening", done="is recorded")
async def plan(state: PermittingState, executor: Executor) -> PermittingState:
    """Record a plan and what was found of it, with the statements on which it rests."""
    assert state.screened is not None
    verdict = await asyncio.to_thread(_with_statements, executor.kg, state.plan, state.screened)
    executor.record(state.plan, verdict)
    return replace(state, verdict=verdict, found=(*state.found, state.plan, verdict))


@step(
    "permission",
    needs="plan",
    effects=frozenset({"making"}),
    target=_target,
    done="is given",
)
async def permit(state: PermittingState, executor: Executor) -> PermittingState:
    """Have a person permit a plan, once."""
    consent, _ = agreed_here(executor.kg)
    assert state.verdict is not None
    made = MakingPermission(
        plan=Link[MakingPlan](state.plan),
        verdict=Link[PlanVerdict](state.verdict),
        consent=Link[Consent](consent),
        given=consent.agreed,
        until=consent.agreed + LASTS,
        given_by=consent.agreed_by,
    )
    executor.record(made)
    return replace(state, permission=made, found=(*state.found, made))


PERMIT = StepGraph("permit", resolve, gate, plan, permit)


class PermitForm(Form):
    """Nothing: a plan says all of it."""


async def permission(
    executor: Executor, wanted: MakingPlan, together: Sequence[str] = ()
) -> MakingPermission:
    """Have a person permit a plan.

    Args:
        executor: runs it.
        wanted: the plan.
        together: what may come of materials that meet, as the person is told before they answer.

    Raises:
        InputError: it stops here, whoever asks, or something of it cannot be read.
        ConsentError: somebody has to state or to permit something, and nobody has.
    """
    with told_to_wait(f"a permission for the plan {wanted.title[:80]!r}", "ask for the same again"):
        finish = await run_graph(
            PERMIT,
            PermittingState(plan=wanted, together=tuple(together)),
            PermitForm(),
            PERMIT.goal("a person permits the plan"),
            executor,
            subject=wanted.title,
            about=(wanted,),
        )
    made = finish.state.permission
    assert isinstance(made, MakingPermission)
    return made


def use(kg: KnowledgeGraph, one: MakingPermission, wanted: MakingPlan) -> None:
    """Use up a permission for a plan, which may then be done, once.

    The plan is screened again as a whole.

    Raises:
        InputError: the plan stops here, whoever asks.
        ConsentError: the permission is not for this, has ended, was used or withdrawn, or is
            nobody's.
    """
    task = f"the plan {wanted.title[:80]!r} was to be done by a permission"
    advice = "ask for another"
    if one.plan.iri != wanted.iri:
        raise ConsentError(task, "it is for another plan", advice)
    if one.verdict.iri != judged(kg, wanted).iri:
        raise ConsentError(task, "the lists, or what is stated, are not what they were", advice)
    bound = {one.plan.iri, one.verdict.iri}

    def is_it(deed: Deed) -> bool:
        return (deed.graph, deed.node) == (PERMIT.name, permit.__name__) and bound <= deed.bound

    consent = agreed_to(kg, one.consent, is_it)
    if consent is None:
        raise ConsentError(task, "you have not given it", advice)
    if why := why_withdrawn(kg, [consent.run.iri]):
        raise ConsentError(task, f"it was {why}", advice)
    if not consent.agreed <= datetime.now(UTC) < consent.agreed + LASTS:
        raise ConsentError(task, f"it has ended after {LASTS.total_seconds() / 3600:g} h", advice)
    if not once("permissions", f"{consent.signed} {wanted.iri}", KEPT):
        raise ConsentError(task, "it was used already", advice)


async def permitted(
    executor: Executor, wanted: MakingPlan, together: Sequence[str] = ()
) -> MakingPermission:
    """Return a permission for a plan, which is used up by that: now it may be done, once.

    One that was given before is taken; else a person is asked, and told what may come `together`.

    Raises:
        InputError: it stops here, whoever asks, or something of it cannot be read.
        ConsentError: somebody has to state or to permit something, and nobody has.
    """
    kg = executor.kg
    for one in kg.find(MakingPermission, plan=Link[MakingPlan](wanted)):
        try:
            await asyncio.to_thread(use, kg, one, wanted)
        except ConsentError:
            continue
        return one
    given = await permission(executor, wanted, together)
    await asyncio.to_thread(use, kg, given, wanted)
    return given


async def refused_where_it_stops(executor: Executor, wanted: MakingPlan) -> None:
    """Refuse a plan before anything is done for it; of what no list names nothing is asked.

    Raises:
        InputError: it stops here, whoever asks, or something of it cannot be read.
        ConsentError: something has to be stated that nobody has.
    """
    if needs_a_person(await asyncio.to_thread(lambda: _screened(wanted, _resolved(wanted)))):
        await asyncio.to_thread(judged, executor.kg, wanted)


async def permitted_where_listed(executor: Executor, wanted: MakingPlan) -> bool:
    """Have a person permit a plan of which a list names something; whether one was asked.

    Raises:
        InputError: it stops here, whoever asks, or something of it cannot be read.
        ConsentError: somebody has to state or to permit something, and nobody has.
    """
    screened = await asyncio.to_thread(lambda: _screened(wanted, _resolved(wanted)))
    if not needs_a_person(screened):
        return False
    await permitted(executor, wanted)
    return True


def needs_a_person(screened: Verdict) -> bool:
    """Tell whether making something stops, or needs a person's word."""
    return gates.RANK[screened.tier] <= gates.RANK["confirmation"]


def judged(kg: KnowledgeGraph, wanted: MakingPlan) -> PlanVerdict:
    """Return what is found of a plan now, with the statements of this person.

    Raises:
        InputError: it stops here, whoever asks, or something of it cannot be read.
        ConsentError: something has to be stated that nobody has.
    """
    screened = _screened(wanted, _resolved(wanted))
    _check(wanted, screened)
    return _with_statements(kg, wanted, screened)


def _resolved(wanted: MakingPlan) -> tuple[Screened, ...]:
    return tuple(screen(one) for one in wanted.names)


def _screened(wanted: MakingPlan, resolved: Sequence[Screened]) -> Verdict:
    """Return what is found of all materials together: parts that react are compared, too."""
    known = [one.structure for one in resolved if one.structure]
    together = gates.gate([*wanted.notations, *known])
    by_name = [one for each in resolved for one in each.verdict.findings]
    findings = dict.fromkeys([*together.findings, *by_name])
    unread = dict(together.unread)
    for one in resolved:
        if not one.structure and one.verdict.unread:
            unread |= dict.fromkeys([one.given], "it has no structure here")
    return gates.verdict(tuple(findings), unread)


def _check(wanted: MakingPlan, screened: Verdict) -> None:
    """Refuse what stops whoever asks, and structures that cannot be read.

    Raises:
        InputError: that is so.
    """
    task = f"the plan {wanted.title[:80]!r} was asked for"
    if stops := [one for one in screened.findings if one.tier == "stop"]:
        told = "; ".join(dict.fromkeys(map(str, stops)))
        raise InputError(task, told, gates.NEEDS["stop"])
    for text, why in screened.unread.items():
        if text not in wanted.names:
            raise InputError(task, f"{text[:80]!r} cannot be read: {why}", "mend it")


def _with_statements(kg: KnowledgeGraph, wanted: MakingPlan, screened: Verdict) -> PlanVerdict:
    """Return what was found, with a statement of this person on all that needs one.

    Raises:
        ConsentError: one is not there.
    """
    needs = dict(_to_be_stated(screened))
    stated = {key: statement_on(kg, key) for key in needs}
    if lacking := [needs[key] for key, one in stated.items() if one is None]:
        raise missing(f"the plan {wanted.title[:80]!r} was asked for", lacking)
    every = sorted(one.iri for one in stated.values() if one is not None)
    told = [one for one in screened.findings if one.tier != "warning"]
    return PlanVerdict(
        plan=Link[MakingPlan](wanted),
        tier=strictest({screened.tier, *(one.tier for one in told)}),
        findings=tuple(dict.fromkeys(_in_words(one) for one in told)),
        unread=tuple(screened.unread),
        statements=tuple(Link[MaterialStatement](iri) for iri in every),
        lists=screened.digest,
    )


def _to_be_stated(screened: Verdict) -> Iterator[tuple[str, str]]:
    """Iterate over what statements have to be there on, each with what is said of it."""
    for one in screened.findings:
        if one.tier == "statement":
            yield of_finding(one), _in_words(one)
    for text in screened.unread:
        yield by_name(text), f"{text}: it has no structure here"


def _in_words(one: Finding) -> str:
    return f"{one.given}: {one}"
