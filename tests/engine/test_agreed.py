"""How much of what was agreed others have spent."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal

import pytest

from ogm import GraphModel, KnowledgeGraph, Link
from ontologies.atoms import ConceptualAtoms
from ontologies.provenance import Outcome, Run, Software
from triplestore import open_store
from workflows.engine.request.budget import computed_before

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HERE, THERE = (
    ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, apart]]) for apart in (0.74, 0.75)
)


@pytest.fixture
def kg() -> Iterator[KnowledgeGraph]:
    with open_store("memory:") as store:
        yield KnowledgeGraph(store)


def ran(
    kg: KnowledgeGraph,
    seconds: float | None,
    status: Literal["finished", "interrupted"],
    atoms: ConceptualAtoms = HERE,
    forms: str = "all",
    resumes: Run | None = None,
) -> Run:
    run = Run(
        graph="toy",
        goal="an end",
        subject="H2",
        request="{}",
        forms=forms,
        started=NOW,
        about=frozenset([Link[GraphModel](atoms)]),
        software=Software(name="toy", version="1"),
        resumes=None if resumes is None else Link[Run](resumes),
    )
    ended = Outcome(
        run=Link[Run](run), status=status, message="it ended", ended=NOW, computed=seconds
    )
    kg.push(run, ended)
    return run


def test_runs_of_the_same_request_that_did_not_reach_its_end_count(kg: KnowledgeGraph) -> None:
    assert computed_before(kg, "", "toy", "all", [HERE.iri]) == 0
    ran(kg, 10.0, "interrupted")
    ran(kg, 10.0, "interrupted")
    ran(kg, None, "interrupted")
    ran(kg, 5.0, "finished")
    ran(kg, 7.0, "interrupted", THERE)
    ran(kg, 9.0, "interrupted", forms="others")
    assert computed_before(kg, "", "toy", "all", [HERE.iri]) == 20


def test_runs_that_go_on_from_each_other_count_however_they_ended(kg: KnowledgeGraph) -> None:
    first = ran(kg, 1.0, "interrupted", THERE, "others")
    second = ran(kg, 2.0, "finished", THERE, "more", resumes=first)
    ran(kg, 4.0, "interrupted", THERE, resumes=second)
    ran(kg, 8.0, "interrupted")
    ran(kg, 16.0, "finished")
    for former in (first, second):
        assert computed_before(kg, former.iri, "toy", "all", [HERE.iri]) == 1 + 2 + 4 + 8
