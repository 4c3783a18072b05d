"""Objects of earlier schema versions are read as today's."""

import pickle
from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import field_validator

from ogm import GraphModel, KnowledgeGraph, Upgrade, migrate
from ogm.keeping.check import check_store
from ogm.terms import RDF_TYPE, SCHEMA_VERSION, XSD
from tests.ogm.samples import VOCAB, Leaf
from triplestore import ConflictError, RecordError, Store, Table


class BeamV1(GraphModel, vocab=VOCAB, former=True):
    length_cm: float
    end: Leaf


class BeamV2(GraphModel, vocab=VOCAB, former=True, schema=2):
    length: float
    end: Leaf


def in_metres(old: BeamV1) -> Mapping[str, Any]:
    return {"length": old.length_cm / 100, "end": old.end}


def two_ends(old: BeamV2) -> Mapping[str, Any]:
    return {"length": old.length, "ends": (old.end, old.end)}


class Beam(
    GraphModel,
    vocab=VOCAB,
    identity="result",
    schema=4,
    upgrades={1: Upgrade(BeamV1, in_metres), 2: Upgrade(BeamV2, two_ends)},
):
    length: float
    ends: tuple[Leaf, ...]
    colour: str = "grey"  # came with schema 4


class House(GraphModel, vocab=VOCAB, identity="event"):
    beam: Beam


def store_old(store: Store, iri: str, version: int | None, *said: str) -> None:
    """Store a beam as an earlier Grafico did; of version 1 it says nothing now."""
    leaf = Leaf(name="end")
    KnowledgeGraph(store).push(leaf)
    lines = [
        f"<{RDF_TYPE}> <{Beam.term()}>",
        *([f'<{SCHEMA_VERSION}> "{version}"^^<{XSD}integer>'] if version else []),
        f"<{VOCAB.iri}end> <{leaf.iri}>",
        *said,
    ]
    store.insert("".join(f"<{iri}> {line} .\n" for line in lines).encode())


def test_each_version_is_read_as_the_present_one(store: Store) -> None:
    store_old(store, "urn:1", 1, f'<{VOCAB.iri}lengthCm> "250"^^<{XSD}double>')
    store_old(store, "urn:0", None, f'<{VOCAB.iri}lengthCm> "250"^^<{XSD}double>')
    store_old(store, "urn:2", 2, f'<{VOCAB.iri}length> "2.5"^^<{XSD}double>')
    wanted = Beam(length=2.5, ends=(Leaf(name="end"),) * 2)
    for iri in ("urn:0", "urn:1", "urn:2"):
        found = KnowledgeGraph(store).pull(Beam, iri)
        assert found == wanted
        assert found.iri == iri
    assert [b.iri for b in KnowledgeGraph(store).find(Beam)] == [
        "urn:0",
        "urn:1",
        "urn:2",
    ]
    assert KnowledgeGraph(store).pull(GraphModel, "urn:1") == wanted


def test_a_value_that_was_upgraded_keeps_its_name(store: Store) -> None:
    class PaintV1(GraphModel, vocab=VOCAB, former=True):
        hue: str

    class Paint(
        GraphModel,
        vocab=VOCAB,
        schema=2,
        upgrades={1: Upgrade(PaintV1, lambda old: {"colour": old.hue})},
    ):
        colour: str

    old = "https://example.org/Paint/old"
    lines = f'<{old}> <{RDF_TYPE}> <{Paint.term()}> .\n<{old}> <{VOCAB.iri}hue> "red" .\n'
    store.insert(lines.encode())
    found = KnowledgeGraph(store).pull(Paint, old)
    assert found == Paint(colour="red")
    assert found.iri == old != Paint(colour="red").iri


def test_migrating_writes_the_present_form_beside_the_old_one(store: Store) -> None:
    for number in range(5):
        version = 1 if number % 2 else None
        store_old(
            store, f"urn:{number}", version, f'<{VOCAB.iri}lengthCm> "{number}"^^<{XSD}double>'
        )
    KnowledgeGraph(store).push(Beam(length=1.0, ends=()).identified("urn:new"))
    before = {beam.iri: beam for beam in KnowledgeGraph(store).find(Beam)}
    assert migrate(KnowledgeGraph(store)) == {"Beam": 5}
    assert store.query(f'ASK {{ <urn:3> <{VOCAB.iri}length> "0.03"^^<{XSD}double> }}')
    assert {beam.iri: beam for beam in KnowledgeGraph(store).find(Beam)} == before
    assert migrate(KnowledgeGraph(store)) == {}
    assert KnowledgeGraph(store).find(Beam, length=0.03)[0].iri == "urn:3"
    for number, versions in ((2, [1, 4]), (3, [1, 4]), ("new", [4])):
        found = store.query(f"SELECT ?v {{ <urn:{number}> <{SCHEMA_VERSION}> ?v }} ORDER BY ?v")
        assert isinstance(found, Table)
        assert [int(str(getattr(row[0], "value", ""))) for row in found.rows] == versions


def test_the_first_version_is_not_said(store: Store) -> None:
    leaf, beam = Leaf(name="x"), Beam(length=1.0, ends=()).identified("urn:b")
    KnowledgeGraph(store).push(leaf, beam)
    assert store.query(f"ASK {{ <{leaf.iri}> <{SCHEMA_VERSION}> ?v }}") is False
    assert store.query(f"ASK {{ <urn:b> <{SCHEMA_VERSION}> 4 }}") is True
    assert KnowledgeGraph(store).pull(Leaf, leaf.iri) == leaf
    said = f'<{leaf.iri}> <{SCHEMA_VERSION}> "1"^^<{XSD}integer> .\n'
    store.insert(said.encode(), settled=[leaf.iri])  # as an earlier Grafico does
    assert KnowledgeGraph(store).pull(Leaf, leaf.iri) == leaf
    report = check_store(KnowledgeGraph(store))
    assert [(one.kind, one.subject) for one in report.findings] == [("unmade", "urn:b")]


def test_what_was_migrated_is_known_as_older(store: Store) -> None:
    class TintV1(GraphModel, vocab=VOCAB, former=True):
        hue: str

    class Tint(
        GraphModel,
        vocab=VOCAB,
        schema=2,
        upgrades={1: Upgrade(TintV1, lambda old: {"colour": old.hue})},
    ):
        colour: str

    old = Tint(colour="red").iri.rpartition("/")[0] + "/" + "0" * 32
    lines = f'<{old}> <{RDF_TYPE}> <{Tint.term()}> .\n<{old}> <{VOCAB.iri}hue> "red" .\n'
    store.insert(lines.encode())
    kinds = [(f.kind, f.subject) for f in check_store(KnowledgeGraph(store)).findings]
    assert kinds == [("older", old)]
    assert migrate(KnowledgeGraph(store))["Tint"] == 1
    assert [(f.kind, f.subject) for f in check_store(KnowledgeGraph(store)).findings] == kinds
    KnowledgeGraph(store).push(KnowledgeGraph(store).pull(Tint, old))
    assert check_store(KnowledgeGraph(store)).clean


def test_an_upgrade_that_fails_names_the_object(store: Store) -> None:
    class RodV1(GraphModel, vocab=VOCAB, former=True):
        length: float

    class Rod(
        GraphModel,
        vocab=VOCAB,
        identity="event",
        schema=2,
        upgrades={1: Upgrade(RodV1, lambda old: {"inverse": 1 / old.length})},
    ):
        inverse: float

    for iri, length in (("urn:bad", "0"), ("urn:good", "2"), ("urn:empty", None)):
        said = f'<{iri}> <{VOCAB.iri}length> "{length}"^^<{XSD}double> .\n' if length else ""
        store.insert(f"<{iri}> <{RDF_TYPE}> <{Rod.term()}> .\n{said}".encode())
    kg = KnowledgeGraph(store)
    with pytest.raises(RecordError, match=r"urn:bad.*Rod.*upgrade from schema 1.*division by zero"):
        kg.pull(Rod, "urn:bad")
    with pytest.raises(RecordError, match=r"urn:empty.*#length.*required.*nothing"):
        kg.pull(Rod, "urn:empty")
    assert kg.pull(Rod, "urn:good").inverse == 0.5


def test_upgrades_start_from_earlier_versions() -> None:
    with pytest.raises(TypeError, match="versions 1 to 1"):
        type("Wrong", (GraphModel,), {}, schema=2, upgrades={2: Upgrade(BeamV1, in_metres)})  # pyright: ignore


class LoadV1(GraphModel, vocab=VOCAB, former=True):
    weight: float


class Load(
    GraphModel,
    vocab=VOCAB,
    schema=2,
    upgrades={1: Upgrade(LoadV1, lambda old: {"weight": old.weight / 1000})},
):
    weight: float


def test_a_property_that_changes_its_meaning_needs_a_new_name(store: Store) -> None:
    old = "https://example.org/Load/old"
    lines = (
        f'<{old}> <{RDF_TYPE}> <{Load.term()}> .\n<{old}> <{VOCAB.iri}weight> "5"^^<{XSD}double> .'
    )
    store.insert((lines + "\n").encode())
    pulled = KnowledgeGraph(store).pull(Load, old)
    assert pulled.weight == 0.005
    assert pickle.loads(pickle.dumps(pulled)).iri == old
    for push in (
        lambda: KnowledgeGraph(store).push(pulled),
        lambda: migrate(KnowledgeGraph(store)),
    ):
        with pytest.raises(ConflictError, match=r"#weight.*5.*0\.005"):
            push()
    assert KnowledgeGraph(store).pull(Load, old) == pulled


def test_a_validator_may_raise_what_it_likes_and_the_object_is_named(store: Store) -> None:
    class Picky(GraphModel, vocab=VOCAB):
        number: int

        @field_validator("number")
        @classmethod
        def check(cls, value: int) -> int:
            if value == 7:
                raise TypeError("seven")
            return value

    iri = "https://example.org/Picky/7"
    seven = f'"7"^^<{XSD}integer>'
    lines = [f"<{RDF_TYPE}> <{Picky.term()}>", f"<{VOCAB.iri}number> {seven}"]
    store.insert("".join(f"<{iri}> {line} .\n" for line in lines).encode())
    with pytest.raises(RecordError, match=r"Picky/7.*seven"):
        KnowledgeGraph(store).pull(Picky, iri)


def test_of_classes_defined_twice_the_last_counts(store: Store) -> None:
    def define(fields: dict[str, Any]) -> Any:
        space = {"__annotations__": dict.fromkeys(fields, int), "__module__": __name__, **fields}
        return type("Cell", (GraphModel,), space, vocab=VOCAB)

    first = define({"x": 0})
    second = define({"x": 0, "y": 0})
    model = second(x=1, y=2)
    KnowledgeGraph(store).push(model)
    found = KnowledgeGraph(store).pull(GraphModel, model.iri)
    assert type(found) is second
    assert found == model
    assert type(KnowledgeGraph(store).pull(first, model.iri)) is first
