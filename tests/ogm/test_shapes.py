"""Shapes accept what the codec writes and refuse what is damaged, by the property's name."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given, settings
from pydantic import Field
from pyshacl import validate
from rdflib import RDF, Graph, URIRef

from ogm import ArrayFiles, GraphModel, KnowledgeGraph, Link, Shaped, encode
from ogm.array_storage import to_text
from ogm.model import is_model
from ogm.schema import ontology
from ogm.shapes import Violation, array_pattern, shapes, violations
from ogm.writing import closure
from tests.ogm import samples
from tests.ogm.samples import VOCAB, Bud, Chain, Colour, Everything, Leaf, Level, Measured, Special
from tests.ogm.test_generated_classes import generated
from triplestore import open_store
from triplestore.errors import ComponentError, InputError


class Owner(GraphModel, vocab=VOCAB):
    likes: Link[Special] | None = None
    legs: Annotated[int, Field(ge=0, lt=9)] = 2
    ratio: Annotated[float, Field(gt=0)] | None = None
    grid: Annotated[Any, Shaped("2 rows, * columns", np.bool_)] | None = None


class Named(GraphModel, vocab=VOCAB, key=("name",)):
    name: str
    tags: frozenset[str] = frozenset({"new"})
    lots: frozenset[str]


CLASSES = [
    Leaf,
    Bud,
    Everything,
    samples.Arrays,
    Measured,
    Special,
    samples.Happened,
    Chain,
    Owner,
    Named,
]
SHAPES = shapes(CLASSES)


def stored(*models: GraphModel) -> bytes:
    """What a store says after the objects were pushed."""
    with open_store("memory:") as store:
        KnowledgeGraph(store).push(*models)
        return b"".join(store.dump())


def everything() -> Everything:
    return Everything(
        text="t",
        number=1,
        real=1.5,
        flag=True,
        moment=datetime(2026, 1, 2, tzinfo=UTC),
        colour=Colour.RED,
        level=Level.HIGH,
        word="one",
        texts=("b", "a", "b"),
        leaf=Bud(name="l"),
        leaves=(Leaf(name="x"), Bud(name="y")),
        heap=frozenset([Leaf(name="h")]),
        link=Link("urn:x:1"),
    )


def test_the_shapes_are_shapes() -> None:
    conforms, _, text = validate(Graph(), shacl_graph=SHAPES, meta_shacl=True)
    assert conforms, text


@settings(max_examples=25)
@given(samples.everything | samples.arrays)
def test_whatever_is_stored_conforms(model: GraphModel) -> None:
    assert violations(stored(model), SHAPES) == []


@settings(max_examples=25)
@given(generated())
def test_objects_of_any_class_conform(model: GraphModel) -> None:
    own = [cls for cls in type(model).__mro__ if is_model(cls) and cls is not GraphModel]
    assert violations(stored(model), shapes([Leaf, Bud, *own])) == []
    said = set(ontology([Leaf, Bud, *own]).subjects(RDF.type))
    assert {URIRef(plan.predicate) for plan in type(model).fields()} <= said


@pytest.mark.parametrize(
    "model",
    [
        Bud(name="b", open=True),
        Special(value=float("nan"), of=Bud(name="of")).identified("urn:x:special"),
        samples.Happened(what="it"),
        Chain(index=0, next=Chain(index=1)),
        Owner(likes=Link("urn:x:elsewhere"), ratio=0.5, grid=np.ones((2, 0), bool)),
        Named(name="n", tags=frozenset(), lots=frozenset()),
        Named(name="m", lots=frozenset({"a", "b"})),
    ],
    ids=lambda model: type(model).__name__,
)
def test_objects_of_every_kind_of_class_conform(model: GraphModel) -> None:
    assert violations(stored(model), SHAPES) == []


def test_links_are_followed_as_far_as_they_are_known() -> None:
    leaf = Leaf(name="not special")
    special = Special(value=1.0).identified("urn:x:special")
    assert violations(stored(Owner(likes=Link(special)), special), SHAPES) == []
    [found] = violations(stored(Owner(likes=Link(leaf)), leaf), SHAPES)
    assert found.property == VOCAB.term("likes")
    assert found.value == leaf.iri


XSD = "http://www.w3.org/2001/XMLSchema#"
ORDER = "https://w3id.org/grafico/order"
DAMAGE = [
    # what is replaced in the line of this property, by what; None: the line is taken out
    ("text", None, "exactly one xsd:string"),
    ("text", ('"t"', f'"1"^^<{XSD}integer>'), "exactly one xsd:string"),
    ("text", ('"t"', '"t"@en'), "exactly one xsd:string"),
    ("number", ("integer", "double"), "exactly one xsd:integer"),
    ("number", ('"1"', '"one"'), "exactly one xsd:integer"),
    ("real", ("double", "decimal"), "exactly one xsd:double"),
    ("flag", ('"true"', '"yes"'), "exactly one xsd:boolean"),
    ("moment", ("dateTime", "string"), "exactly one xsd:dateTime"),
    ("colour", ('"red"', '"blue"'), "of 'red'"),
    ("level", ('"2"', '"3"'), "of '1', '2'"),
    ("word", ('"one"', '"three"'), "of 'one', 'two'"),
    ("digit", ('"1"', '"7"'), "at most one of 1, 2"),
    ("leaf", ("/Bud/", "/Nobody/"), "exactly one IRI of a Leaf"),
    ("leaf", None, "exactly one IRI of a Leaf"),
    ("link", ("<urn:x:1>", '"urn:x:1"'), "at most one IRI of a Leaf"),
]


def lines_of(data: bytes, name: str) -> list[str]:
    """The lines that say something of the one object of `Everything`, by this property."""
    found = [
        line
        for line in data.decode().splitlines()
        if re.match(rf"<[^>]*/Everything/[^>]*> <{re.escape(VOCAB.term(name))}> ", line)
    ]
    assert found
    return found


def damaged(name: str, change: tuple[str, str] | None) -> bytes:
    data = stored(everything())
    [line] = lines_of(data, name)
    subject, predicate, value = line.split("> ", 2)
    new = ""
    if change is not None:
        assert change[0] in value
        new = f"{subject}> {predicate}> {value.replace(*change)}"
    return data.replace(line.encode(), new.encode())


@pytest.mark.parametrize(("name", "change", "message"), DAMAGE)
def test_damage_is_found(name: str, change: tuple[str, str] | None, message: str) -> None:
    found = violations(damaged(name, change), SHAPES)
    assert {v.property for v in found} == {VOCAB.term(name)}
    assert all(message in v.message and "/Everything/" in v.node for v in found)
    assert VOCAB.term(name) in str(found[0])


@pytest.mark.parametrize("name", ["text", "number", "leaf", "link", "digit"])
def test_a_second_value_is_found(name: str) -> None:
    data = stored(everything())
    [line] = lines_of(data, name)
    head = line.rsplit(" ", 2)[0]
    second = {"text": '"u"', "link": "<urn:x:2>", "leaf": f"<{Leaf(name='x').iri}>"}
    more = second.get(name, f'"2"^^<{XSD}integer>')
    found = violations(data + f"{head} {more} .\n".encode(), SHAPES)
    assert {v.property for v in found} == {VOCAB.term(name)}
    assert "one" in found[0].message


def without_order(name: str) -> bytes:
    data = stored(everything())
    [line] = [line for line in lines_of(data, name) if ORDER in line]
    return data.replace(line.encode(), b"")


def test_an_order_is_needed_once_and_well_formed() -> None:
    for name in ("texts", "leaves"):
        [found] = violations(without_order(name), SHAPES)
        assert found.property == VOCAB.term(name)
        assert "need an order" in found.message
    subject = everything().iri
    for text, message in [('["\\"a\\""]', "at most one order"), ("a then b", "order of them")]:
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        more = f'<{subject}> <{VOCAB.term("texts")}> "{quoted}"^^<{ORDER}> .\n'
        found = violations(stored(everything()) + more.encode(), SHAPES)
        assert {v.property for v in found} == {VOCAB.term("texts")}
        assert any(message in v.message for v in found)


def test_a_set_is_empty_or_has_values() -> None:
    model = Named(name="n", tags=frozenset(), lots=frozenset())
    more = f'<{model.iri}> <{VOCAB.term("tags")}> "a" .\n'
    [found] = violations(stored(model) + more.encode(), SHAPES)
    assert "cannot be empty and have values" in found.message
    more = f'<{model.iri}> <{VOCAB.term("lots")}> "[]"^^<{ORDER}> .\n'  # has no default to differ
    [found] = violations(stored(model) + more.encode(), SHAPES)
    assert found.property == VOCAB.term("lots")


@pytest.mark.parametrize(
    ("name", "literal"),
    [
        ("legs", f'"-1"^^<{XSD}integer>'),
        ("legs", f'"9"^^<{XSD}integer>'),
        ("ratio", f'"0.0"^^<{XSD}double>'),
        ("grid", '"|b1 3,1 AAAA"^^<https://w3id.org/grafico/array>'),
        ("grid", '"|b1 2 AAA="^^<https://w3id.org/grafico/array>'),
        ("grid", '"<f8 2,0 "^^<https://w3id.org/grafico/array>'),
        ("grid", '"|b1 2,0 "'),
        ("grid", '"|b1 2,1 sha256:0"^^<https://w3id.org/grafico/array>'),
    ],
)
def test_numbers_and_arrays_have_their_limits(name: str, literal: str) -> None:
    owner = Owner()
    data = re.sub(rb".*legs.*\n", b"", stored(owner))
    subject = re.search(rb"<(.*?)>", data)
    assert subject
    line = f"<{subject[1].decode()}> <{VOCAB.term(name)}> {literal} .\n"
    found = violations(data + line.encode(), SHAPES)
    assert {v.property for v in found} == {VOCAB.term(name)}


@pytest.mark.parametrize(
    ("shaped", "array", "fits"),
    [
        (Shaped("* atoms, 3 xyz"), np.zeros((5, 3)), True),
        (Shaped("* atoms, 3 xyz"), np.zeros((0, 3)), True),
        (Shaped("* atoms, 3 xyz"), np.zeros((5, 4)), False),
        (Shaped("* atoms, 3 xyz"), np.zeros((5, 3, 1)), False),
        (Shaped("* atoms, 3 xyz"), np.zeros((5, 3), np.float32), False),
        (Shaped("3", np.bool_), np.zeros(3, bool), True),
        (Shaped("3", np.bool_), np.zeros(13, bool), False),
        (Shaped("*, ...", np.uint8), np.zeros((1, 2, 3, 4), np.uint8), True),
        (Shaped("*, ...", np.uint8), np.zeros(1, np.uint8), True),
        (Shaped("*", np.complex128), np.zeros(3, complex), True),
        (Shaped("* n, * n", np.int64), np.zeros((2, 2), np.int64), True),
    ],
)
def test_the_pattern_of_an_array(shaped: Shaped, array: np.ndarray, fits: bool) -> None:
    text = to_text(array, None)
    assert bool(re.search(array_pattern(shaped), text)) is fits
    if fits:
        assert not re.search(array_pattern(shaped), text + "!")


def test_an_array_in_a_file_fits_the_pattern(tmp_path: Path) -> None:
    text = to_text(np.zeros((30_000, 3)), ArrayFiles(tmp_path))
    assert "sha256:" in text
    assert re.search(array_pattern(Shaped("* atoms, 3 xyz")), text)


def test_a_schema_version_is_stored_once() -> None:
    data = encode(closure([Leaf(name="a")]).values())
    assert violations(data, SHAPES) == []  # of the first nothing is said
    subject = data.partition(b" ")[0]
    for wrong in (b'"0"', b'"-1"', b'"1.5"'):
        said = subject + b" <https://w3id.org/grafico/schemaVersion> " + wrong
        line = data + said + b"^^<http://www.w3.org/2001/XMLSchema#integer> .\n"
        [found] = violations(line, SHAPES)
        assert found.property.endswith("schemaVersion")


def test_a_graph_is_taken_as_it_is() -> None:
    data = Graph().parse(data=stored(everything()), format="nt")
    before = len(data)
    assert violations(data, SHAPES) == []
    assert len(data) == before


@pytest.mark.parametrize(
    "data",
    [
        b"<urn:x:1> this is nothing .",
        b"\xff\xfe",
        b'<urn:x:1> <urn:x:2> "\xff" .',
        b"<urn:x:1> <urn:x:2> <<( <urn:x:1> <urn:x:2> <urn:x:3> )>> .",
    ],
)
def test_malformed_data_are_an_error_that_says_so(data: bytes) -> None:
    with pytest.raises(InputError, match="validate the data"):
        violations(data, SHAPES)


def test_what_is_not_ours_is_left_alone() -> None:
    data = b"""_:b <urn:x:2> "a"@en , _:c .\n<urn:x:1> <urn:x:2> "1"^^<urn:x:number> <urn:g> .\n"""
    assert violations(data.replace(b" , _:c", b""), SHAPES) == []


def test_without_pyshacl_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyshacl", None)  # as if it were not installed
    with pytest.raises(ComponentError, match="grafico-chem\\[shacl\\]"):
        violations(b"", SHAPES)


def test_a_violation_says_what_and_where() -> None:
    assert str(Violation("urn:a", "urn:p", "7", "one xsd:string")) == (
        "<urn:a> <urn:p>: one xsd:string, but 7 is stored"
    )
