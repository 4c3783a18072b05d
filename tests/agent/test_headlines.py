"""What a model reads of one object begins with what that came to, and may be said.

Every class that a workflow makes is tried, by an object that says something in each of its fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from grafico import Grafico
from grafico.agent.context import ToolContext
from grafico.agent.sources import Ledger, check
from ogm import GraphModel, Link
from ogm.fields import linked
from ontologies.acidity import AcidityConstant
from ontologies.collection import Batch, Collection, Entry
from ontologies.laboratory import SynthesizerState
from ontologies.mof_parts import FrameworkComparison
from ontologies.provenance import Outcome
from tests.agent.helpers import used
from tests.ontologies.instances import EVERYTHING, LATER, NOW, RUN
from workflows.registry import workflows

[CONSTANT] = [one for one in LATER if isinstance(one, AcidityConstant)]
MADE = {
    cls: one.command for one in workflows().values() for cls in one.whole.makes
}  # with the workflow, for the name of a test
IS_READ = {Collection, Batch, Entry, SynthesizerState}
"""What a source or a device holds: that came to nothing."""

WITHOUT_NUMBERS = {FrameworkComparison}


def test_an_object_begins_with_its_headline(context: ToolContext) -> None:
    context.session.kg.push(CONSTANT)
    found = used(context, "get", iri=CONSTANT.iri)
    assert [*found][:4] == ["iri", "class", "headline", "fields"]
    pka = found["headline"]["pka"]
    assert pka == round(CONSTANT.acid.pka, 2)
    ledger = Ledger()
    ledger.call("get", {"iri": CONSTANT.iri}, found)
    [number] = check(f"the pKa is {pka:.2f}.", ledger)
    assert number.source == found["iri"]


def test_what_nobody_computed_has_none(context: ToolContext) -> None:
    context.session.kg.push(CONSTANT)
    assert "headline" not in used(context, "get", iri=CONSTANT.level.iri)


@pytest.fixture(scope="module")
def stored() -> Iterator[ToolContext]:
    """A store with an object of each class, each what a run came to."""
    with Grafico("memory:") as session:
        session.kg.push(RUN)
        for number, one in enumerate(filter(None, map(instance, MADE))):
            ended = Outcome(
                run=Link(RUN),
                status="finished",
                message=f"number {number}",
                ended=NOW,
                results=(Link[GraphModel](one.iri),),
            )
            session.kg.push(one, ended)
        made = ToolContext(session)
        yield made
        made.close()


def instance(cls: type[GraphModel]) -> GraphModel | None:
    """An object of a class, the one that says most."""
    every = [one for one in EVERYTHING if isinstance(one, cls)]
    return max(every, key=lambda one: len(one.model_dump(exclude_none=True)), default=None)


def each(cls: type[GraphModel]) -> Any:
    return pytest.param(cls, id=f"{MADE[cls]}-{cls.__name__}")


@pytest.mark.parametrize("cls", [*map(each, MADE)])
def test_what_a_workflow_makes_begins_with_what_it_came_to(
    stored: ToolContext, cls: type[GraphModel]
) -> None:
    one = instance(cls)
    assert one is not None, f"add a {cls.__name__} to tests/ontologies"
    if cls in IS_READ:
        return
    found = used(stored, "get", iri=one.iri)
    if cls not in WITHOUT_NUMBERS:
        assert [*found][2] == "headline", found
        assert found["headline"]


@pytest.mark.parametrize("cls", [*map(each, MADE)])
def test_what_a_workflow_makes_is_found_by_its_numbers(
    stored: ToolContext, cls: type[GraphModel]
) -> None:
    """By each number that is its own, though its subject may be another's, or none at all."""
    one = instance(cls)
    assert one is not None
    own = [plan for plan in type(one).fields() if plan.unit and getattr(one, plan.name) is not None]
    repeated = {
        plan.name
        for other in linked(type(one))
        if other.identity() == "result"
        for plan in other.fields()
    }  # which it repeats, such as the temperature of a barrier's heats
    for plan in own:
        if plan.name in repeated and type(one).identity() != "result":
            continue
        rows = used(stored, "find_results", property=plan.name)["rows"]
        assert one.iri.endswith(tuple(row[0].removeprefix("g:") for row in rows)), plan.name
