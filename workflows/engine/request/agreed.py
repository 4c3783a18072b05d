"""What a person agrees to and is stored with their yes: statements, rules, memos.

A step that has an effect stores an object that links the `consent`. The engine shows the person
what was found, and signs what they have agreed to. The object counts for whoever has agreed to it,
as long as nobody has withdrawn the run; what somebody else has stored is not signed by them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import shorten
from ontologies.consent import Consent, Deed

from ..execution.executor import Executor
from ..execution.withdrawn import withdrawals
from ..graph.effects import Target
from ..graph.run import run_graph
from ..graph.steps import Findings, StepGraph
from ..graph.yeses import agreed_to
from .consent import told_to_wait
from .definition import Product
from .form import Form


@dataclass(frozen=True, kw_only=True)
class Shown(Findings):
    """Where such a run stands.

    Attributes:
        checks: what was found, for who has to agree.
    """

    checks: tuple[str, ...] = ()


def shown(_: Any, state: Shown) -> Target:
    """Return what a step stores as its target, with what is shown of it."""
    return Target(checks=state.checks)


async def stored(
    graph: StepGraph[Shown],
    goal: str,
    said: Form,
    checks: Sequence[str],
    executor: Executor,
    *,
    subject: str,
    asked: str,
    again: str,
    text: Callable[[Any], str],
) -> Product:
    """Ask a person, and store what they agree to; Python is handed the object.

    Args:
        graph: of the one step.
        goal: what is reached, in words.
        said: the fields of the step.
        checks: what is shown.
        executor: what stores it.
        subject: what it is about, in a few words.
        asked: what is asked for, for an error.
        again: what to do once somebody has agreed elsewhere.
        text: returns what is told of the object.

    Raises:
        ConsentError: nobody has agreed.
    """
    with told_to_wait(asked, again):
        finish = await run_graph(
            graph,
            Shown(checks=tuple(checks)),
            said,
            graph.goal(goal),
            executor,
            subject=subject,
            forms=(said,),
        )
    made: Any = finish.state.found[0]
    run = made.consent.load(executor.kg).run.iri  # that which had to wait for it, may be
    facts = made.model_dump(mode="json") | {"iri": made.iri, "run": run}
    back = f"grafico withdraw {shorten(run)} takes it back"
    return Product(text(made), made, facts, (back,))


def agreed(
    kg: KnowledgeGraph, one: GraphModel, step: tuple[str, str], fields: Sequence[str]
) -> Consent | None:
    """Return this person's yes to exactly an object; None where it does not count.

    Args:
        kg: where it is stored.
        one: it; what links it has are compared by their IRIs, and none as nothing.
        step: the graph and the step that stored it.
        fields: of it that they have agreed to.
    """
    linked: Any = one
    values = {name: getattr(linked, name) for name in fields}
    said = {name: "" if one is None else getattr(one, "iri", one) for name, one in values.items()}

    def is_it(deed: Deed) -> bool:
        return (deed.graph, deed.node) == step and json.loads(deed.inputs) == said

    consent = agreed_to(kg, linked.consent, is_it)
    return None if consent is None or withdrawals(kg, [consent.run.iri]) else consent
