"""The ontology says of classes what they say of themselves, and contradicts nothing."""

from __future__ import annotations

import re
from typing import Annotated

import numpy as np
from owlrl import DeductiveClosure, OWLRL_Semantics
from owlrl.Namespaces import ERRNS
from rdflib import DCTERMS, OWL, RDF, RDFS, XSD, Graph, Literal, URIRef
from rdflib.collection import Collection
from rdflib.term import Node

from ogm import PROV, GraphModel, Term, Unit
from ogm.array_storage import to_text
from ogm.arrays import locked
from ogm.schema import ARRAY, FORMS, ORDER, QUDT, SCHEMA, VERSION, ontology
from ogm.snapshot import outline, snapshot
from tests.ogm.samples import VOCAB, Arrays, Bud, Chain, Everything, Leaf


class Lamp(GraphModel, vocab=VOCAB, schema=3):
    """Gives light.

    Attributes:
        colour: of the light.
        power: while it is on,
            not at the start.
        started: when it was switched on.
    """

    colour: str
    power: Annotated[float, Unit("W")]
    height: Annotated[float, Unit("E_h-PER-BOHR", own=True)] = 0.0
    started: Annotated[str, Term(PROV.term("value"))] = ""


CLASSES = [Leaf, Bud, Everything, Arrays, Chain]
GRAPH = ontology([*CLASSES, Lamp])


def term(name: str) -> URIRef:
    return URIRef(VOCAB.term(name))


def members(graph: Graph, datatype: Node | None, how: URIRef) -> list[Node]:
    first = graph.value(datatype, how)
    assert first is not None
    return list(Collection(graph, first))


def test_classes_say_what_they_are() -> None:
    assert (term("Bud"), RDFS.subClassOf, term("Leaf")) in GRAPH
    assert (term("Leaf"), RDFS.subClassOf, None) not in GRAPH
    assert GRAPH.value(term("Lamp"), OWL.versionInfo) == Literal("3")
    assert GRAPH.value(term("Lamp"), RDFS.comment) == Literal("Gives light.", lang="en")


def test_fields_say_type_unit_and_meaning() -> None:
    power = term("power")
    assert GRAPH.value(power, RDFS.range) == XSD.double
    assert GRAPH.value(power, QUDT.hasUnit) == URIRef("http://qudt.org/vocab/unit/W")
    text = "while it is on, not at the start."
    assert GRAPH.value(power, RDFS.comment) == Literal(text, lang="en")
    own = URIRef("https://w3id.org/grafico/unit/E_h-PER-BOHR")
    assert GRAPH.value(term("height"), QUDT.hasUnit) == own


def test_objects_are_properties_of_objects() -> None:
    for name in ("leaf", "heap", "link", "links", "next"):
        assert (term(name), RDF.type, OWL.ObjectProperty) in GRAPH
        assert (term(name), RDFS.range, None) not in GRAPH  # an order may stand among the values
    assert (term("link"), SCHEMA.rangeIncludes, term("Leaf")) in GRAPH


def test_a_list_of_values_is_an_enumeration() -> None:
    digit = GRAPH.value(term("digit"), RDFS.range)
    assert members(GRAPH, digit, OWL.oneOf) == [Literal(1), Literal(2)]
    level = GRAPH.value(term("level"), RDFS.range)
    assert members(GRAPH, level, OWL.oneOf) == [Literal("1"), Literal("2")]
    # an enumeration in one class, any text in another
    assert GRAPH.value(term("colour"), RDFS.range) == XSD.string


def test_a_field_of_several_values_may_hold_their_order() -> None:
    found = members(GRAPH, GRAPH.value(term("texts"), RDFS.range), OWL.unionOf)
    assert found == [XSD.string, ORDER]
    assert GRAPH.value(term("bag"), RDFS.range) == XSD.double  # an empty set is its default


def test_functional_is_what_every_class_says_once_in_its_own_words() -> None:
    functional = set(GRAPH.subjects(RDF.type, OWL.FunctionalProperty))
    assert {term("power"), term("leaf"), term("maybe"), VERSION} <= functional
    assert not {term("texts"), term("bag"), term("links")} & functional
    assert URIRef(PROV.term("value")) not in functional


def test_the_ontology_has_a_title_a_licence_and_a_version() -> None:
    own = URIRef("https://w3id.org/grafico/")
    graph = ontology(CLASSES, "1.2.3")
    assert graph.value(own, DCTERMS.title)
    assert str(graph.value(own, DCTERMS.license)).startswith("https://www.apache.org/licenses/")
    assert graph.value(own, OWL.versionInfo) == Literal("1.2.3")


def test_every_datatype_of_ours_is_defined_and_its_literals_are_as_defined() -> None:
    patterns: dict[object, str] = {}
    for datatype in (ARRAY, ORDER):
        definition = GRAPH.value(datatype, OWL.equivalentClass)
        assert GRAPH.value(definition, OWL.onDatatype) == XSD.string
        [facet] = members(GRAPH, definition, OWL.withRestrictions)
        patterns[datatype] = str(GRAPH.value(facet, XSD.pattern))
    for array in (
        np.zeros((2, 0)),
        np.array(1.5),
        np.array([True]),
        np.arange(3),
        np.ones(9, "c16"),
    ):
        assert re.fullmatch(patterns[ARRAY], to_text(locked(array), None))
    assert re.fullmatch(patterns[ARRAY], "<f8 2,3 sha256:" + "0" * 64)
    assert re.fullmatch(patterns[ORDER], '["\\"a b\\"", "<urn:x>"]')


def contradictions(graph: Graph) -> list[object]:
    DeductiveClosure(OWLRL_Semantics).expand(graph)
    return list(graph.objects(predicate=ERRNS.error))


def test_reasoning_finds_no_contradiction() -> None:
    assert contradictions(ontology(CLASSES)) == []
    wrong = ontology(CLASSES)
    wrong.add((term("Leaf"), OWL.disjointWith, term("Bud")))
    wrong.add((URIRef("urn:x:1"), RDF.type, term("Bud")))
    assert contradictions(wrong) != []


def test_the_snapshot_of_classes() -> None:
    text = snapshot([Leaf, Bud, Everything, Arrays, Lamp], [("Which?", "SELECT * {}")])
    lines = text.splitlines()
    name = f"<{VOCAB.iri}"
    assert f"{name}Bud> < {name}Leaf> [value]" in [line.rstrip() for line in lines]
    assert f"  subclasses: {name}Bud>" in lines
    assert f"  {name}power>  float W  while it is on, not at the start." in lines
    assert f"  {name}maybe>  float  optional" in lines
    assert f"  {name}leaves>  {name}Leaf>  list" in lines
    assert f'  {name}word>  "one"|"two"' in lines
    assert any(line.startswith(f"  {name}f8>  array float64(*,...)") for line in lines)
    assert lines[-2:] == ["# Which?", "  SELECT * {}"]
    [lamp] = outline([Lamp])
    assert (lamp.schema, lamp.identity, lamp.text) == (3, "value", "Gives light.")
    for datatype in FORMS:
        assert str(datatype).startswith("https://w3id.org/grafico/")
