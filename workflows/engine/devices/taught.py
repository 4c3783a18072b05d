"""Rules that a person has taught of the commands of a device: stored, and read for a run.

A rule is stored by a step that asks the person, see `workflows.teaching`. It counts for whoever has
taught it, as long as nobody has withdrawn the run that stored it and no later version replaces it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, cast

from pydantic import BaseModel

from ogm import KnowledgeGraph
from ogm.terms import shorten
from ontologies.consent import Consent, Deed
from ontologies.provenance import Run
from ontologies.teaching import TaughtRule
from workflows.text.words import count

from ..execution.withdrawn import withdrawals
from ..graph.graph import Graph, Node
from ..graph.planner import Goal, plan
from ..graph.stored_runs import runs_that_made
from ..graph.yeses import agreed_to
from .command import Command, verb_of
from .rules import UNTAUGHT, Lesson, Relation, Rule, Taught

STEP = ("teaching", "Teach")
"""The graph and the step that store a rule."""

SAID = ("device_graph", "memo", "first_command", "relation", "second_command", "rule_version")
"""Fields of a rule that a person has agreed to."""


def commands_of(graph: Graph[Any]) -> tuple[str, ...]:
    """Return the names of the commands of a device, which a graph may list itself."""
    listed = getattr(graph, "commands", None)
    each = (verb_of(one.__name__) for one in graph.nodes if issubclass(one, Command))
    return tuple(listed) if listed is not None else tuple(each)


def keeps_rules(graph: Graph[Any]) -> bool:
    """Tell whether what is taught of a device's commands is kept by them."""
    return all(one.keeps_rules for one in graph.nodes if issubclass(one, Command))


def ruled(graph: Graph[Any]) -> str:
    """Return what rules on a device's commands are stored under, which a graph may say itself."""
    return getattr(graph, "ruled", graph.name)


def runs_of(kg: KnowledgeGraph, graph: Graph[Any]) -> list[Run]:
    """Return the stored runs that have commanded the device, or the devices, of a graph."""
    is_of = getattr(graph, "is_of", None)
    return [one for one in kg.find(Run, graph=graph.name) if is_of is None or is_of(one)]


def rule_of(one: TaughtRule) -> Rule:
    """Return what a stored rule says."""
    return Rule(one.first_command, cast("Relation", one.relation), one.second_command)


def rules_in_force(kg: KnowledgeGraph, graph: str) -> list[tuple[TaughtRule, Consent]]:
    """Return the rules of this person on a device, the oldest first, each with the yes to it."""
    found = [
        (one, yes) for one in kg.find(TaughtRule, device_graph=graph) if (yes := _yes(kg, one))
    ]
    runs = {one.iri: {yes.run.iri, *runs_that_made(kg, one.iri)} for one, yes in found}
    gone = withdrawals(kg, [iri for each in runs.values() for iri in each])
    held = [(one, yes) for one, yes in found if gone.keys().isdisjoint(runs[one.iri])]
    replaced = {one.replaces.iri for one, _ in held if one.replaces}
    return sorted(
        ((one, yes) for one, yes in held if one.iri not in replaced),
        key=lambda each: (each[0].taught, each[0].iri),
    )


def _yes(kg: KnowledgeGraph, one: TaughtRule) -> Consent | None:
    said = {name: getattr(one, name) for name in SAID}
    said["replaces"] = one.replaces.iri if one.replaces else ""

    def is_it(deed: Deed) -> bool:
        return (deed.graph, deed.node) == STEP and json.loads(deed.inputs) == said

    return agreed_to(kg, one.consent, is_it)


def by(one: TaughtRule) -> str:
    """Return who has taught a rule, and when."""
    who = " ".join(one.taught_by.replace(";", ",").split())
    return f"{who} on {one.taught:%Y-%m-%d}"


def taught(kg: KnowledgeGraph, graph: Graph[Any], request: BaseModel) -> Taught:
    """Return what is taught of a device, for a run in which nothing was done yet."""
    stored = rules_in_force(kg, ruled(graph))
    candidates = (
        [one for one in graph.bind(request)[0] if isinstance(one, Command)] if stored else []
    )
    states = {one.called: one for one in candidates}
    lessons = list[Lesson]()
    for one, _ in stored:
        rule = rule_of(one)
        lessons.append(Lesson(rule, by(one), states.get(rule.looked_at)))
    return Taught(tuple(lessons))


def in_the_way(
    candidates: Sequence[Node[Any]], situation: Any, goal: Goal
) -> tuple[str, str] | None:
    """Return what is taught that leaves no way to a goal, and what to do; None where nothing is."""
    free = replace(situation, taught=UNTAUGHT)
    if not situation.taught.lessons or plan(candidates, free, goal).first() is None:
        return None
    rules = ", ".join(f"“{one.rule}”" for one in situation.taught.lessons)
    found = f"what is taught of the device stands in the way: {rules}"
    return found, "withdraw a rule: the plan of something else names it"


def detour(
    candidates: Sequence[Node[Any]], situation: Any, goal: Goal, steps: int
) -> Iterator[str]:
    """Iterate over what taught rules cost a plan of some steps, in words: nothing, or one line."""
    if situation.taught.lessons:
        free = plan(candidates, replace(situation, taught=UNTAUGHT), goal).first()
        if free is not None and (more := steps - len(free)):
            yield f"what is taught makes it {count(more, 'command')} longer"


def told(kg: KnowledgeGraph, graph: Graph[Any]) -> Iterator[str]:
    """Iterate over the rules in force in words, for who is shown a plan."""
    for one, yes in rules_in_force(kg, ruled(graph)):
        back = f"grafico withdraw {shorten(yes.run.iri)}"
        yield f"rule: {rule_of(one)}, taught by {by(one)}; {back} takes it back"


def refused_by(rule: Rule, run: Sequence[tuple[str, Sequence[str]]]) -> int | None:
    """Return at which command of a run that was done a rule would have refused, counted from 1.

    Args:
        rule: it.
        run: the commands, each with those that were so already before it.

    Returns:
        None if it would have refused none.
    """
    seen = set[str]()
    for number, (command, so) in enumerate(run, 1):
        if rule.refuses(command, seen, lambda so=so: rule.looked_at in so):
            return number
        seen.add(command)
    return None
