"""``grafico ontology``: what it prints, and that its examples work."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest
from rdflib import OWL, RDF, SH, Graph

from grafico.session import inspection
from ogm import GRAFICO, KnowledgeGraph
from ontologies.schema import EXAMPLES, MAPPING, ONTOLOGY, SHAPES, classes
from tests.ontologies.instances import EVERYTHING, OPTIMISED, RUN
from tests.typed import typed
from triplestore import Store, Table, open_store

LIMIT = 20_900
"""Bytes: about 4,500 tokens of a language model; a class more is a line more."""


def printed(*arguments: str) -> str:
    done = typed("ontology", *arguments)
    return done.stdout


def test_the_whole_is_short_enough_for_a_language_model() -> None:
    text = printed()
    assert len(text.encode()) < LIMIT
    for cls in classes():
        assert f"\ng:{cls.__name__} " in text


def test_all_properties_of_classes_are_told_by_name() -> None:
    text = printed(*(cls.__name__ for cls in classes()))
    for cls in classes():
        for plan in cls.fields():
            name = plan.predicate.removeprefix(GRAFICO.iri)
            assert f"\n  g:{name}  " in text or "prov#" in plan.predicate
    assert "  g:energy  float E_h  total energy" in text


def test_classes_come_with_their_parents_only() -> None:
    text = printed("SinglePoint", "g:Device")
    lines = [line for line in text.splitlines() if line.startswith("g:")]
    names = [line.split()[0] for line in lines]
    assert names == ["g:EnergyResult", "g:ElectronicResult", "g:SinglePoint", "g:Device"]
    [below] = [line for line in text.splitlines() if "subclasses: g:SinglePoint" in line]
    assert "g:Optimisation" in below.split()


def test_the_formats() -> None:
    def graph(*arguments: str) -> Graph:
        return Graph().parse(data=printed(*arguments), format="turtle")

    assert len(graph("--format", "ttl")) == len(Graph().parse(ONTOLOGY))
    assert len(graph("--format", "shacl")) == len(Graph().parse(SHAPES))
    assert printed("--format", "mapping") == MAPPING.read_text(encoding="utf-8")
    assert len(list(graph("Device", "--format", "ttl").subjects(RDF.type, OWL.Class))) == 1
    assert len(list(graph("Device", "--format", "shacl").objects(None, SH.targetClass))) == 1
    assert 0 < len(graph("Run", "--format", "mapping")) < len(Graph().parse(MAPPING))
    found = json.loads(printed("LevelOfTheory", "--json"))
    assert [cls["term"] for cls in found["classes"]] == ["g:Level", "g:LevelOfTheory"]
    assert found == json.loads(printed("LevelOfTheory", "--format", "json"))


def test_a_class_that_is_not_there_is_an_error_with_a_near_one() -> None:
    # in a process of its own: errors are formatted by what stands in sys.argv
    command = [sys.executable, "-m", "grafico", "ontology", "singlepoint"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert "did you mean SinglePoint?" in done.stderr


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    with open_store("memory:") as store:
        KnowledgeGraph(store).push(*EVERYTHING)
        yield store


@pytest.mark.parametrize(("question", "query"), EXAMPLES, ids=lambda text: text[:20])
def test_the_examples_find_something(store: Store, question: str, query: str) -> None:
    answer = inspection.query(store, query)
    assert isinstance(answer, Table)
    assert answer.rows, question
    cells = {inspection.text(cell) for row in answer.rows for cell in row}
    assert {OPTIMISED.iri, RUN.iri} & cells
    assert not any(cell.startswith("[") for cell in cells), "an order is no value"


def test_what_is_told_in_brief_is_told_in_full_by_name() -> None:
    whole, named = printed(), printed("Optimisation")
    assert "CLASSES: ask for some by name" in whole
    assert "g:extent" not in whole
    assert "ask for some" not in named
    assert "  g:extent  float ANGSTROM  optional  of `atoms`" in named
