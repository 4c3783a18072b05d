"""Teaching: a correction is read, shown with what it would have refused, agreed to and stored.

One that is no rule can be kept as a memo, which is recalled and changes no plan.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import shorten
from ontologies.consent import Consent
from ontologies.provenance import Run, Transition
from ontologies.teaching import TaughtMemo, TaughtRule
from triplestore.errors import GraficoError, InputError
from workflows.drivers.files import ENDINGS, card_of
from workflows.engine import Executor, Graph, StepGraph, step
from workflows.engine.devices.command import Command, verb_of
from workflows.engine.devices.described import DescribedGraph
from workflows.engine.devices.rules import Rule, contradiction
from workflows.engine.devices.taught import (
    commands_of,
    keeps_rules,
    refused_by,
    rule_of,
    ruled,
    rules_in_force,
    runs_of,
)
from workflows.engine.graph.yeses import agreed_here
from workflows.engine.request.agreed import Shown, shown, stored
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.engine.request.rules import Personal
from workflows.registry import SubjectKind, workflows
from workflows.text.minilm import archive
from workflows.text.words import count

from .memos import REMEMBERING, Remembered, checked, memos, recalled, same
from .reading import read_rule

MOST = 500
"""Runs that are looked at, the latest."""

SHOWN = 5
"""Runs that are named of those that a rule would have refused."""

ALREADY = "it is so already"
"""How the reason against a command ends that would change nothing."""


class Correction(GraphModel):
    """What a person says that a device is to be commanded by.

    Attributes:
        words: theirs.
    """

    words: str


class TeachForm(Form):
    """What is taught besides, and how it is kept."""

    device: Annotated[
        str,
        Personal(),
        Field(max_length=300, description="What commands it: film-station, or a device file."),
    ] = ""
    replaces: Annotated[
        str, Personal(), Field(max_length=300, description="IRI of a rule that this one replaces.")
    ] = ""
    memo: Annotated[
        bool, Personal(), Field(description="Keep the words to be recalled; no plan keeps them.")
    ] = False
    recall: Annotated[
        bool, Personal(), Field(description="Teach nothing: tell what is taught, nearest first.")
    ] = False


class Corrections(Subject[Correction]):
    """Corrections in words."""

    name: ClassVar[str] = "correction"
    metavar: ClassVar[str] = "CORRECTION"
    words: ClassVar[bool] = True
    model = Correction
    form = Form
    help: ClassVar[str] = (
        "CORRECTION is “A before B”, “B after A”, “first A, then B” or “never A while B”, where A "
        "and B are commands of a device."
    )

    async def read(self, given: object, said: Form, executor: Executor) -> Given[Correction]:
        words = given.words if isinstance(given, Correction) else " ".join(str(given).split())
        return Given(Correction(words=words), words)


@step("rule", effects=frozenset({"teaching"}), target=shown, done="is stored")
async def teach(
    state: Shown,
    executor: Executor,
    device_graph: str,
    memo: str,
    first_command: str,
    relation: str,
    second_command: str,
    rule_version: int,
    replaces: str,
) -> Shown:
    """Store a rule that a person teaches."""
    consent, _ = agreed_here(executor.kg)
    made = TaughtRule(
        device_graph=device_graph,
        memo=memo,
        first_command=first_command,
        relation=relation,
        second_command=second_command,
        rule_version=rule_version,
        replaces=Link[TaughtRule](replaces) if replaces else None,
        consent=Link[Consent](consent),
        taught=consent.agreed,
        taught_by=consent.agreed_by,
    )
    executor.record(made)
    return replace(state, found=(made,))


TEACHING = StepGraph("teaching", teach)


class _Said(Form):
    """The fields of the step that stores a rule."""

    device_graph: str
    memo: str
    first_command: str
    relation: str
    second_command: str
    rule_version: int
    replaces: str


async def prepare(
    given: Given[Correction], asked: TeachForm, executor: Executor, file: str
) -> PreparedAction:
    """Read a correction, and find out what it would have refused; Python is handed the rule.

    Raises:
        InputError: it is not understood, taught already, or contradicts what is taught.
    """
    kg, memo = executor.kg, given.model.words
    task = f"“{memo[:80]}” was to be taught"
    if said := [n for n in ("memo", "recall", "replaces") if getattr(asked, n)][1:]:
        raise InputError(task, f"`{said[0]}` was said, too", "say one of memo, recall, replaces")
    if asked.recall:
        return _recalling(kg, memo, asked.device)
    if asked.memo:
        return _remembering(executor, memo, asked.device, task)
    try:
        graph, rule = _understood(memo, asked.device)
    except InputError as error:
        kept = f"{error.advice}; or keep it as a `memo`, which is recalled and changes no plan"
        raise InputError(error.asked, error.found, kept) from error
    former = _replaced(kg, ruled(graph), asked.replaces, task)
    held = [one for one, _ in rules_in_force(kg, ruled(graph)) if former is None or one != former]
    if same := next((one for one in held if rule_of(one) == rule), None):
        found = f"that was taught by {same.taught_by} on {same.taught:%Y-%m-%d}: {same.memo}"
        raise InputError(task, found, "nothing has to be taught")
    if wrong := contradiction(rule, [rule_of(one) for one in held]):
        advice = "withdraw that first" if held else "say another"
        raise InputError(task, wrong, advice)
    checks = (
        f"rule of {ruled(graph)}: {rule}",
        rule.meaning,
        *([f"it replaces version {former.rule_version}: {rule_of(former)}"] if former else []),
        *_past(kg, graph, rule),
    )
    said = _Said(
        device_graph=ruled(graph),
        memo=memo,
        first_command=rule.first,
        relation=rule.relation,
        second_command=rule.second,
        rule_version=former.rule_version + 1 if former else 1,
        replaces=former.iri if former else "",
    )

    async def make() -> Product:
        return await stored(
            TEACHING,
            "the rule is stored",
            said,
            checks,
            executor,
            subject=str(rule),
            asked=task.removesuffix(" was to be taught"),
            again="teach the same again",
            text=lambda made: "".join(f"{one}\n" for one in (*checks, taught_at(made))),
        )

    return PreparedAction(make)


def _recalling(kg: KnowledgeGraph, request: str, device: str) -> PreparedAction:
    """Tell what is taught that is nearest to a request; Python is handed a list of `Memo`."""

    async def make() -> Product:
        there = await asyncio.to_thread(memos, kg, _ruled(device))
        ranked = await asyncio.to_thread(recalled, request, there)
        lines = list[str]()
        for number, (one, _) in enumerate(ranked, 1):
            back = (f"   grafico withdraw {run}" for run in one.runs)
            lines += [f"{number}. {one}", *back]
        way = "meaning (all-MiniLM-L6-v2)" if archive() else "words (BM25)"
        facts = {"memos": [vars(one) | {"score": score} for one, score in ranked]}
        remarks = (f"ranked by {way}, of {count(len(there), 'memo')}",)
        text = "".join(f"{line}\n" for line in lines) or "nothing that is taught is near to it\n"
        return Product(text, [one for one, _ in ranked], facts, remarks)

    return PreparedAction(make)


def _remembering(executor: Executor, memo: str, device: str, task: str) -> PreparedAction:
    """Keep a memo, beside one that says the same."""
    checked(memo, task)
    graph = _ruled(device)
    found = same(memo, memos(executor.kg), graph)
    checks = [f"memo of {graph or 'no device'}: it is recalled, and changes no plan"]
    if found:
        checks.append(f"recalled as one with {found[0]} ({found[1]}): look that it says the same")
    said = Remembered(device_graph=graph, memo=memo, repeats=found[0].iri if found else "")

    async def make() -> Product:
        return await stored(
            REMEMBERING,
            "the memo is stored",
            said,
            checks,
            executor,
            subject=memo,
            asked=task.removesuffix(" was to be taught"),
            again="teach the same again",
            text=lambda made: "".join(f"{one}\n" for one in (memo, *checks[1:], taught_at(made))),
        )

    return PreparedAction(make)


def taught_at(made: TaughtRule | TaughtMemo) -> str:
    """Return who has taught something, and when."""
    return f"taught by {made.taught_by}, {made.taught:%Y-%m-%d %H:%M} UTC"


def _ruled(device: str) -> str:
    """Return what a device's rules and memos are stored under; nothing for none."""
    return ruled(_graph(device)) if device else ""


def _graph(device: str) -> Graph[Any]:
    """Return the commands of a device.

    Raises:
        InputError: it has none.
    """
    if device.lower().endswith(ENDINGS):
        return DescribedGraph(card_of(device))
    graph = workflows().named(device).whole.graph
    if not commands_of(graph):
        raise InputError(f"{device} was to be taught", "it commands no device", "name another")
    return graph


def _understood(memo: str, device: str) -> tuple[Graph[Any], Rule]:
    """Return the commands that a correction is about, and the rule.

    Raises:
        InputError: it is not understood, or of several devices alike.
    """
    if device:
        graph = _graph(device)
        return graph, rule_for(graph, memo)
    found, why = list[tuple[Graph[Any], Rule]](), list[InputError]()
    for one in workflows().values():
        if one.subject == SubjectKind() and commands_of(graph := one.whole.graph):
            try:
                found.append((graph, rule_for(graph, memo)))
            except InputError as error:
                why.append(error)
    if len(found) > 1:
        names = ", ".join(graph.name for graph, _ in found)
        raise InputError(f"“{memo[:80]}” was to be taught", f"it fits {names}", "say `device`")
    if not found:
        raise min(why, key=lambda error: "names no command" in str(error))
    return found[0]


def rule_for(graph: Graph[Any], memo: str) -> Rule:
    """Return the rule on the commands of a device that a correction says.

    Raises:
        InputError: it is not understood, or the device keeps no rules.
    """
    rule = read_rule(memo, commands_of(graph))
    if not keeps_rules(graph):
        asked, found = f"“{memo[:80]}” was to be taught", f"{graph.name} keeps no rules"
        raise InputError(asked, found, "teach another device, or ask who wrote its package")
    return rule


def _replaced(kg: KnowledgeGraph, graph: str, iri: str, task: str) -> TaughtRule | None:
    """Return the rule that is replaced.

    Raises:
        InputError: no such rule is in force.
    """
    if not iri:
        return None
    for one, _ in rules_in_force(kg, graph):
        if iri in (one.iri, shorten(one.iri)):
            return one
    raise InputError(task, f"{iri[:80]} is no rule of {graph} in force", "give the IRI of one")


def _past(kg: KnowledgeGraph, graph: Graph[Any], rule: Rule) -> Iterator[str]:
    """Iterate over what a rule would have refused of the runs that are stored, in words."""
    runs = sorted(runs_of(kg, graph), key=attrgetter("started"), reverse=True)[:MOST]
    wrong = [(run, at) for run in runs if (at := refused_by(rule, _commands(kg, graph, run)))]
    told = f"of {count(len(runs), 'stored run')} it would have refused"
    yield f"{told} {'none' if not wrong else f'a command of {len(wrong)}'}"
    for run, at in wrong[:SHOWN]:
        yield f"{shorten(run.iri)}, {run.started:%Y-%m-%d %H:%M}, {run.goal}: its command {at}"
    if wrong[SHOWN:]:
        yield f"and of {len(wrong) - SHOWN} more"


def _commands(
    kg: KnowledgeGraph, graph: Graph[Any], run: Run
) -> Sequence[tuple[str, Sequence[str]]]:
    """Return the commands of a run that were done, each with those that were so already."""
    found = list[tuple[str, Sequence[str]]]()
    names = frozenset(commands_of(graph))
    for one in sorted(kg.find(Transition, run=Link[Run](run)), key=attrgetter("index")):
        try:
            node = graph.named(one.node).model_validate_json(one.inputs)
        except (GraficoError, ValueError):  # of a release that had other commands
            continue
        if isinstance(node, Command) and not one.failure:
            each = (
                text.partition(":")[0].split()[0] for text in one.refused if text.endswith(ALREADY)
            )
            so = [name if name in names else verb_of(name) for name in each]
            found.append((node.called, so))
    return found


TEACH = ActionDefinition(
    (TeachForm,),
    Corrections(),
    prepare,
    help="You are shown the rule, what it refuses, and what it would have refused of the stored "
    "runs; once you agree it is stored with who and when, and every plan keeps it from then on. "
    "`grafico withdraw` takes it back. It adds to what the commands need and allows nothing.",
    endings=(".txt",),
)
