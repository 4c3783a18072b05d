"""Classes as an OWL ontology: terms, types, units and what they mean."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable

from rdflib import OWL, RDF, RDFS, XSD, Graph, Literal, Namespace, URIRef

from .arrays import ARRAY_DATATYPE
from .fields import FieldPlan
from .model import GraphModel
from .terms import BASE, PREFIXES

SCHEMA = Namespace("https://schema.org/")
QUDT = Namespace("http://qudt.org/schema/qudt/")

RANGES = {
    "str": XSD.string,
    "enum": XSD.string,
    "int": XSD.integer,
    "float": XSD.double,
    "bool": XSD.boolean,
    "datetime": XSD.dateTime,
    "array": URIRef(ARRAY_DATATYPE),
}


def ontology(classes: Iterable[type[GraphModel]]) -> Graph:
    """Return the ontology of classes and their fields.

    A property that several classes share says so with `schema:domainIncludes`, which, unlike
    `rdfs:domain`, does not make everything that has it an instance of all of them.
    """
    graph = Graph()
    for prefix, iri in {**PREFIXES, "schema": SCHEMA, "qudt": QUDT, "owl": OWL}.items():
        graph.bind(prefix, iri)
    graph.add((URIRef(BASE), RDF.type, OWL.Ontology))
    graph.add((URIRef(ARRAY_DATATYPE), RDF.type, RDFS.Datatype))
    text = "type, shape, then base64 of the little-endian content or the digest of its file"
    graph.add((URIRef(ARRAY_DATATYPE), RDFS.comment, Literal(text, lang="en")))
    for cls in classes:
        term = URIRef(cls.term())
        graph.add((term, RDF.type, OWL.Class))
        graph.add((term, RDFS.label, Literal(cls.__name__, lang="en")))
        graph.add((term, RDFS.comment, Literal(_summary(cls), lang="en")))
        for base in cls.__bases__:
            if issubclass(base, GraphModel) and base is not GraphModel:
                graph.add((term, RDFS.subClassOf, URIRef(base.term())))
        meanings = field_meanings(cls)
        for plan in cls.fields():
            if plan.name in cls.__annotations__:
                _property(graph, term, plan, meanings.get(plan.name, ""))
    return graph


def _property(graph: Graph, owner: URIRef, plan: FieldPlan, meaning: str) -> None:
    term = URIRef(plan.predicate)
    linked = plan.kind in ("model", "link")
    graph.add((term, RDF.type, OWL.ObjectProperty if linked else OWL.DatatypeProperty))
    graph.add((term, SCHEMA.domainIncludes, owner))
    if plan.kind == "model":
        graph.add((term, SCHEMA.rangeIncludes, URIRef(plan.target.term())))
    elif not linked:
        graph.add((term, RDFS.range, RANGES[plan.kind]))
    if plan.unit is not None:
        graph.add((term, QUDT.hasUnit, URIRef(plan.unit.iri)))
    if meaning:
        graph.add((term, RDFS.comment, Literal(meaning, lang="en")))


def _summary(cls: type[GraphModel]) -> str:
    return (inspect.getdoc(cls) or "").partition("\n")[0]


def field_meanings(cls: type[GraphModel]) -> dict[str, str]:
    """Return what the section `Attributes` of a class's docstring says of each field."""
    _, _, section = (inspect.getdoc(cls) or "").partition("Attributes:\n")
    entries = re.findall(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", section, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}
