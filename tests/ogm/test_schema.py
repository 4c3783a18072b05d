"""The ontology is generated from the classes and committed."""

from __future__ import annotations

from rdflib import OWL, RDF, RDFS, Graph, URIRef
from rdflib.compare import isomorphic

from ogm import GRAFICO
from ontologies.__main__ import FILE, turtle
from ontologies.quantum import ElectronicResult, SinglePoint


def test_the_committed_ontology_is_up_to_date() -> None:
    """If not: ``python -m ontologies``."""
    assert isomorphic(Graph().parse(FILE), Graph().parse(data=turtle(), format="turtle"))


def test_it_says_class_type_unit_and_meaning() -> None:
    graph = Graph().parse(FILE)
    energy = URIRef(GRAFICO.term("energy"))
    assert (URIRef(SinglePoint.term()), RDFS.subClassOf, URIRef(ElectronicResult.term())) in graph
    assert (energy, RDF.type, OWL.DatatypeProperty) in graph
    unit = graph.value(energy, URIRef("http://qudt.org/schema/qudt/hasUnit"))
    assert str(unit) == "http://qudt.org/vocab/unit/E_h"
    assert str(graph.value(energy, RDFS.comment)).startswith("total energy")
    undocumented = [
        term
        for kind in (OWL.DatatypeProperty, OWL.ObjectProperty)
        for term in graph.subjects(RDF.type, kind)
        if not graph.value(term, RDFS.comment)
    ]
    assert undocumented == [], "every field has a line in its class's Attributes"
