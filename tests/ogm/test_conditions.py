"""Searching by more than equality, by defaults, by SPARQL; and streams."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import AwareDatetime

from ogm import GraphModel, KnowledgeGraph, Link, above, below, between, containing, one_of
from ogm import graph as graph_module
from ogm.terms import RDF_TYPE
from tests.ogm.samples import VOCAB, Colour, Leaf
from triplestore import ConflictError, QueryError, Store

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


class Reading(GraphModel, vocab=VOCAB):
    number: int
    value: float
    text: str
    moment: AwareDatetime
    colour: Colour = Colour.RED
    note: str | None = None
    leaf: Leaf | None = None


def reading(number: int) -> Reading:
    return Reading(
        number=number,
        value=number / 2,
        text=f"Text {number}",
        moment=NOON + timedelta(number),
        colour=Colour.ODD if number % 2 else Colour.RED,
        note="x" if number > 7 else None,
        leaf=Leaf(name=str(number % 3)),
    )


@pytest.fixture
def readings(store: Store) -> KnowledgeGraph:
    KnowledgeGraph(store).push(*[reading(number) for number in range(10)])
    return KnowledgeGraph(store)


@pytest.mark.parametrize(
    ("conditions", "numbers"),
    [
        ({"value": above(4.0)}, {9}),
        ({"number": below(2)}, {0, 1}),
        ({"number": between(3, 4)}, {3, 4}),
        ({"value": between(1, 1.5), "colour": Colour.ODD}, {3}),
        ({"moment": above(NOON + timedelta(8))}, {9}),
        ({"number": one_of(1, 5, 77)}, {1, 5}),
        ({"text": one_of("Text 1", "Text 2")}, {1, 2}),
        ({"text": containing("TEXT 1")}, {1}),
        ({"text": containing('"} ')}, set()),
        ({"colour": one_of(Colour.ODD), "number": below(4)}, {1, 3}),
        ({"note": None, "number": above(5)}, {6, 7}),
        ({"leaf": {"name": one_of("0", "1")}, "number": below(3)}, {0, 1}),
        ({"leaf": Link(Leaf(name="2"))}, {2, 5, 8}),
        ({}, set(range(10))),
    ],
)
def test_conditions_by_kind(
    readings: KnowledgeGraph, conditions: dict[str, Any], numbers: set[int]
) -> None:
    assert {found.number for found in readings.find(Reading, **conditions)} == numbers


def test_sparql_goes_along_with_conditions(readings: KnowledgeGraph) -> None:
    say = f"?this <{VOCAB.iri}number> ?n . FILTER(?n * ?n > 30)"
    assert {r.number for r in readings.find(Reading, say, colour=Colour.ODD)} == {7, 9}
    assert [r.number for r in readings.find(Reading, f"VALUES ?this {{ <{reading(4).iri}> }}")] == [
        4
    ]
    for bad in (
        "?this",
        "} DELETE WHERE { ?s ?p ?o",
        "FILTER(",
        "SERVICE <http://x> { ?this ?p ?o }",
    ):
        with pytest.raises(QueryError):
            readings.find(Reading, bad)
    assert len(readings.find(Reading)) == 10


@pytest.mark.parametrize(
    "conditions",
    [
        {"number": above("3")},
        {"value": one_of(1, "2")},
        {"number": True},
        {"text": None},
        {"colour": {"name": "red"}},
        {"nothing": above(1)},
    ],
)
def test_conditions_of_the_wrong_type_are_refused(
    readings: KnowledgeGraph, conditions: dict[str, Any]
) -> None:
    with pytest.raises(TypeError):
        readings.find(Reading, **conditions)


def before_its_defaults(model: Any) -> bytes:
    """An object as it was stored when its class had a name only; defaults take no part in IRIs."""
    said = {RDF_TYPE: f"<{type(model).term()}>", f"{VOCAB.iri}name": f'"{model.name}"'}
    return "".join(f"<{model.iri}> <{name}> {term} .\n" for name, term in said.items()).encode()


def test_objects_older_than_a_field_have_its_default(store: Store) -> None:
    store.insert(before_its_defaults(Leaf(name="old")))
    kg = KnowledgeGraph(store)
    kg.push(Leaf(name="new"), Leaf(name="big", size=2))
    assert {leaf.name for leaf in kg.find(Leaf, size=0)} == {"old", "new"}
    assert [leaf.name for leaf in kg.find(Leaf, size=2)] == ["big"]
    assert [leaf.name for leaf in kg.find(Leaf, size=0, name="old")] == ["old"]


def test_streams_go_through_everything_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_module, "BATCH", 7)
    monkeypatch.setattr(graph_module, "PAGE", 20)
    kg = KnowledgeGraph(store)
    for count in (0, 20, 61):
        assert kg.push_all(Leaf(name=f"{n:03}") for n in range(count)) == count
        streamed = list(KnowledgeGraph(store).stream(Leaf))
        assert sorted(leaf.name for leaf in streamed) == [f"{n:03}" for n in range(count)]
        assert [leaf.iri for leaf in streamed] == sorted(leaf.iri for leaf in streamed)
    few = KnowledgeGraph(store).stream(Leaf, name=below("005"))
    assert len(list(few)) == 5


def test_a_stream_that_fails_has_stored_what_came_before(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Labelled(GraphModel, vocab=VOCAB, key=("name",)):
        name: str
        size: int

    monkeypatch.setattr(graph_module, "BATCH", 2)
    objects = [Labelled(name=name, size=size) for size, name in enumerate("abcdae")]
    with pytest.raises(ConflictError, match="size"):
        KnowledgeGraph(store).push_all(objects)
    assert {n.name for n in KnowledgeGraph(store).find(Labelled)} == set("abcd")


@pytest.mark.parametrize(
    ("sparql", "numbers"),
    [
        ('FILTER(CONTAINS(STR(?this), "Reading"))', set(range(10))),
        (f"FILTER NOT EXISTS {{ ?this <{VOCAB.iri}note> ?b }}", set(range(8))),
        (f"OPTIONAL {{ ?this <{VOCAB.iri}note> ?b }} FILTER(!BOUND(?b))", set(range(8))),
        (f"MINUS {{ ?this <{VOCAB.iri}note> ?b }}", set(range(8))),
        (f"?this <{VOCAB.iri}number> 3 # a remark", {3}),
    ],
)
def test_sparql_of_every_form_knows_this(
    readings: KnowledgeGraph, sparql: str, numbers: set[int]
) -> None:
    assert {r.number for r in readings.find(Reading, sparql)} == numbers


def test_defaults_count_in_every_condition(store: Store) -> None:
    class Sample(GraphModel, vocab=VOCAB):
        name: str
        grade: float = 5.0
        tags: tuple[str, ...] = ("a", "b")

    store.insert(before_its_defaults(Sample(name="old")))
    kg = KnowledgeGraph(store)
    kg.push(Sample(name="new"), Sample(name="other", grade=1.0, tags=("c", "[d")))
    both = {"old", "new"}
    searches: list[dict[str, Any]] = [
        {"grade": 5.0},
        {"grade": above(4.0)},
        {"grade": between(4, 6)},
        {"grade": one_of(5.0, 6.0)},
        {"tags": "a"},
        {"grade": above(4.0), "name": one_of("old", "new")},
    ]
    for conditions in searches:
        assert {s.name for s in kg.find(Sample, **conditions)} == both, conditions
    assert [s.name for s in kg.find(Sample, tags=containing("["))] == ["other"]
    assert [s.name for s in kg.find(Sample, grade=one_of(1.0, float("nan")))] == ["other"]


def test_integers_that_stores_cannot_compare_are_refused(readings: KnowledgeGraph) -> None:
    with pytest.raises(TypeError, match="64 bits"):
        readings.find(Reading, number=above(2**70))
