"""Classes as an OWL ontology: terms, types, units and what they mean.

How often a field may occur in a class is not said here but in the shapes (`ogm.shapes`): OWL would
take a missing value for an unknown one and never find fault.
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from rdflib import DCTERMS, OWL, RDF, RDFS, XSD, BNode, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection as RdfList

from .array_storage import ARRAY_DATATYPE
from .fields import FieldPlan
from .meaning import Meaning, ordered, own_fields, parents, summary
from .model import GraphModel
from .terms import BASE, CONTENT, ORDER_DATATYPE, PREFIXES, SCHEMA_VERSION

SCHEMA = Namespace("https://schema.org/")
QUDT = Namespace("http://qudt.org/schema/qudt/")
ARRAY, ORDER, VERSION = URIRef(ARRAY_DATATYPE), URIRef(ORDER_DATATYPE), URIRef(SCHEMA_VERSION)
"""Where units that QUDT lacks have their terms."""

RANGES = {
    "str": XSD.string,
    "enum": XSD.string,
    "int": XSD.integer,
    "float": XSD.double,
    "bool": XSD.boolean,
    "datetime": XSD.dateTime,
    "array": ARRAY,
}
LICENCE = URIRef("https://www.apache.org/licenses/LICENSE-2.0")
ABOUT = {
    DCTERMS.title: Literal("Grafico", lang="en"),
    DCTERMS.description: Literal(
        "Computational chemistry: structures, levels of theory, results with their units, and what "
        "made them.",
        lang="en",
    ),
    DCTERMS.creator: Literal("the authors of Grafico"),
    DCTERMS.license: LICENCE,
}
"""What the ontology says of itself, beside its version."""
PATTERNS = {
    ARRAY: r"[<|][a-zA-Z?][0-9]* [0-9,]* \S*",
    ORDER: r"\[.*\]",
}
"""What texts of our datatypes look like. In OWL a datatype needs a definition to be used."""
FORMS = {
    ARRAY: "type, shape, then base64 of the little-endian content or the digest of its file",
    ORDER: "the values of a field in their order, each as in N-Triples, as a JSON array; stands "
    "beside the values themselves; [] says that a field is empty where it has another default",
}

Use: TypeAlias = tuple[type[GraphModel], FieldPlan, Meaning]
"""A field, and the class that declares it."""


def ontology(classes: Iterable[type[GraphModel]], version: str = "") -> Graph:
    """Return the ontology of classes and their fields.

    A property says by `schema:domainIncludes` who has it, which, unlike `rdfs:domain`, does not
    make everything that has it an instance of all of them. Properties of other vocabularies are
    not said to be functional: that is not ours to say.

    Args:
        classes: the classes; those that they are derived from should be among them.
        version: of the ontology; none is said if it is empty.
    """
    graph = Graph()
    prefixes = {**PREFIXES, "schema": SCHEMA, "qudt": QUDT, "owl": OWL, "dcterms": DCTERMS}
    for prefix, iri in prefixes.items():
        graph.bind(prefix, iri)
    graph.add((URIRef(BASE), RDF.type, OWL.Ontology))
    for predicate, value in ABOUT.items():
        graph.add((URIRef(BASE), predicate, value))
    if version:
        graph.add((URIRef(BASE), OWL.versionInfo, Literal(version)))
    for predicate in ABOUT:
        graph.add((predicate, RDF.type, OWL.AnnotationProperty))
    for datatype, text in FORMS.items():
        graph.add((datatype, RDF.type, RDFS.Datatype))
        facet = BNode()
        graph.add((facet, XSD.pattern, Literal(PATTERNS[datatype])))
        definition = _datatype(graph, OWL.withRestrictions, [facet])
        graph.add((definition, OWL.onDatatype, XSD.string))
        graph.add((datatype, OWL.equivalentClass, definition))
        _comment(graph, datatype, text)
    graph.add((VERSION, RDF.type, OWL.DatatypeProperty))
    graph.add((VERSION, RDF.type, OWL.FunctionalProperty))
    graph.add((VERSION, RDFS.range, XSD.integer))
    _comment(
        graph,
        VERSION,
        "version of its class's schema that an object was written with; 1 where none is said",
    )
    content = URIRef(CONTENT)
    graph.add((content, RDF.type, OWL.DatatypeProperty))
    graph.add((content, RDFS.range, XSD.string))
    _comment(graph, content, "digest of all that a result or an event says")
    uses: dict[str, list[Use]] = {}
    for cls in classes:
        term = URIRef(cls.term())
        graph.add((term, RDF.type, OWL.Class))
        graph.add((term, RDFS.label, Literal(cls.__name__, lang="en")))
        graph.add((term, OWL.versionInfo, Literal(str(cls.schema_version()))))
        _comment(graph, term, summary(cls))
        for base in parents(cls):
            graph.add((term, RDFS.subClassOf, URIRef(base.term())))
        if not parents(cls):
            graph.add((VERSION, SCHEMA.domainIncludes, term))
        if cls.identity() in ("result", "event"):
            graph.add((URIRef(CONTENT), SCHEMA.domainIncludes, term))
        for plan, meaning in own_fields(cls):
            uses.setdefault(plan.predicate, []).append((cls, plan, meaning))
    for predicate, found in uses.items():
        _property(graph, URIRef(predicate), found)
    return graph


def _property(graph: Graph, term: URIRef, uses: list[Use]) -> None:
    linked = any(plan.kind in ("model", "link") for _, plan, _ in uses)
    graph.add((term, RDF.type, OWL.ObjectProperty if linked else OWL.DatatypeProperty))
    if not linked:
        graph.add((term, RDFS.range, _range(graph, uses)))
    once = all(plan.container == "one" for _, plan, _ in uses)
    ours = all(plan.predicate == cls.vocabulary().term(plan.name) for cls, plan, _ in uses)
    if once and ours:
        graph.add((term, RDF.type, OWL.FunctionalProperty))
    texts = {meaning.text for _, _, meaning in uses}
    for cls, plan, meaning in uses:
        graph.add((term, SCHEMA.domainIncludes, URIRef(cls.term())))
        if meaning.target is not None:
            graph.add((term, SCHEMA.rangeIncludes, URIRef(meaning.target.term())))
        if plan.unit is not None:
            graph.add((term, QUDT.hasUnit, URIRef(plan.unit.iri)))
        if meaning.text:
            owner = f"{cls.__name__}: " if len(texts) > 1 else ""
            _comment(graph, term, owner + meaning.text)


def _range(graph: Graph, uses: list[Use]) -> URIRef | BNode:
    """Return what all values of a property are of, orders included."""
    found: list[URIRef | BNode] = []
    if all(meaning.values for _, _, meaning in uses):
        values = dict.fromkeys(value for _, _, meaning in uses for value in meaning.values)
        found.append(_datatype(graph, OWL.oneOf, [Literal(value) for value in values]))
    else:
        found += dict.fromkeys(RANGES[plan.kind] for _, plan, _ in uses)
    if any(ordered(plan) for _, plan, _ in uses):
        found.append(ORDER)
    return found[0] if len(found) == 1 else _datatype(graph, OWL.unionOf, found)


def _datatype(graph: Graph, how: URIRef, members: Sequence[URIRef | BNode | Literal]) -> BNode:
    datatype, first = BNode(), BNode()
    graph.add((datatype, RDF.type, RDFS.Datatype))
    graph.add((datatype, how, first))
    RdfList(graph, first, list(members))
    return datatype


def _comment(graph: Graph, term: URIRef, text: str) -> None:
    graph.add((term, RDFS.comment, Literal(text, lang="en")))
