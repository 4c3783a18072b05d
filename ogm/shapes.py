"""Classes as SHACL shapes, and what data have against them.

The shapes accept what the codec writes. A shape says what its class declares itself; what it
inherits is said by its parents' shapes, so a validator needs `rdfs:subClassOf`, which stands among
the shapes too. Shapes are open: others may say more of our objects.

Not said, because SHACL has no words for it: that an order lists just the values beside it, that an
array's content has the length of its shape, that a large array's file is there.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import annotated_types as limits
import numpy as np
from pyoxigraph import BlankNode, NamedNode, RdfFormat, parse
from pyoxigraph import Literal as OxLiteral
from rdflib import RDF, RDFS, SH, XSD, BNode, Graph, Literal, URIRef
from rdflib.collection import Collection as RdfList

from triplestore.errors import ComponentError, InputError

from .arrayfield import Shaped
from .fields import FieldPlan
from .meaning import Meaning, ordered, own_fields, parents
from .model import GraphModel
from .schema import ORDER, RANGES, VERSION
from .terms import BASE, PREFIXES

Node: TypeAlias = URIRef | BNode

ORDERED, EMPTIED, VERSIONED = (
    URIRef(BASE + name) for name in ("orderShape", "emptyShape", "schemaVersionShape")
)
BOUNDS = {
    limits.Ge: (SH.minInclusive, "ge"),
    limits.Gt: (SH.minExclusive, "gt"),
    limits.Le: (SH.maxInclusive, "le"),
    limits.Lt: (SH.maxExclusive, "lt"),
}
_TEXT = r'"([^"\\]|\\.)*"'
_BODY = r"([A-Za-z0-9+/=]*|sha256:[0-9a-f]{64})"


def shapes(classes: Iterable[type[GraphModel]]) -> Graph:
    """Return a shape for each class; the classes that they are derived from should be among them.

    An object of an earlier schema version is to be upgraded before it is held against them.
    """
    graph = Graph()
    for prefix, iri in {**PREFIXES, "sh": SH}.items():
        graph.bind(prefix, iri)
    _common(graph)
    known = tuple(classes)
    for cls in known:
        term, shape = URIRef(cls.term()), URIRef(cls.term() + "Shape")
        graph.add((shape, RDF.type, SH.NodeShape))
        graph.add((shape, SH.targetClass, term))
        for base in parents(cls):
            graph.add((term, RDFS.subClassOf, URIRef(base.term())))
        if not parents(cls):
            graph.add((shape, SH.property, VERSIONED))
        for plan, meaning in own_fields(cls):
            field_shape = URIRef(f"{shape}-{plan.name}")
            graph.add((shape, SH.property, field_shape))
            _property(graph, field_shape, plan, meaning)
            if others := _otherwise(cls, plan, meaning, known):  # their own shapes are narrower
                graph.remove((field_shape, SH["class"], None))
                each = [BNode() for _ in others]
                for node, other in zip(each, others, strict=True):
                    graph.add((node, SH["class"], URIRef(other.term())))
                graph.add((field_shape, SH["or"], _list(graph, each)))
            if ordered(plan):
                _order(graph, URIRef(f"{field_shape}-order"), term, plan)
    return graph


def _otherwise(
    cls: type[GraphModel], plan: FieldPlan, meaning: Meaning, known: Sequence[type[GraphModel]]
) -> list[type[GraphModel]]:
    """Return what a field refers to where a derived class has it of another class; else nothing."""
    if plan.kind != "model" or plan.container != "one" or meaning.target is None:
        return []
    derived = (one for one in known if one is not cls and issubclass(one, cls))
    targets = (
        theirs.target
        for one in derived
        for other, theirs in own_fields(one)
        if other.predicate == plan.predicate and theirs.target is not None
    )
    found = [one for one in dict.fromkeys(targets) if not issubclass(one, meaning.target)]
    return [meaning.target, *found] if found else []


def _common(graph: Graph) -> None:
    graph.add((ORDERED, RDF.type, SH.NodeShape))
    graph.add((ORDERED, SH.datatype, ORDER))
    graph.add((ORDERED, SH.pattern, Literal(rf"^\[({_TEXT}(, {_TEXT})*)?\]$")))
    graph.add((EMPTIED, RDF.type, SH.NodeShape))
    graph.add((EMPTIED, SH["in"], _list(graph, [Literal("[]", datatype=ORDER)])))
    graph.add((VERSIONED, RDF.type, SH.PropertyShape))
    graph.add((VERSIONED, SH.path, VERSION))
    graph.add((VERSIONED, SH.datatype, XSD.integer))
    graph.add((VERSIONED, SH.minInclusive, Literal(1)))
    _count(graph, VERSIONED, 0, 1)
    _say(graph, VERSIONED, "at most one xsd:integer, from 1")


def _property(graph: Graph, shape: URIRef, plan: FieldPlan, meaning: Meaning) -> None:
    graph.add((shape, RDF.type, SH.PropertyShape))
    graph.add((shape, SH.path, URIRef(plan.predicate)))
    what = _expected(plan, meaning)
    if plan.container == "one":
        _value(graph, shape, plan, meaning)
        _count(graph, shape, int(plan.required), 1)
        _say(graph, shape, f"{'exactly' if plan.required else 'at most'} one {what}")
        return
    if not ordered(plan):
        _value(graph, shape, plan, meaning)
        _say(graph, shape, f"any number, each {what}")
        return
    value, order = BNode(), ORDERED if plan.container == "tuple" else EMPTIED
    _value(graph, value, plan, meaning)
    graph.add((shape, SH["or"], _list(graph, [value, order])))
    graph.add((shape, SH.qualifiedValueShape, order))
    graph.add((shape, SH.qualifiedMaxCount, Literal(1)))
    note = "and at most one order of them" if plan.container == "tuple" else "or the mark of none"
    _say(graph, shape, f"any number, each {what}, {note}")


def _value(graph: Graph, shape: Node, plan: FieldPlan, meaning: Meaning) -> None:
    """Say what one value of a field is."""
    if plan.kind in ("model", "link"):
        graph.add((shape, SH.nodeKind, SH.IRI))
        if meaning.target is None:
            return
        target = URIRef(meaning.target.term())
        if plan.kind == "model":
            graph.add((shape, SH["class"], target))
        else:  # a link may name what is kept elsewhere, but not something else
            known, unknown = BNode(), BNode()
            graph.add((known, SH["class"], target))
            graph.add((unknown, SH.path, RDF.type))
            _count(graph, unknown, 0, 0)
            graph.add((shape, SH["or"], _list(graph, [known, unknown])))
        return
    graph.add((shape, SH.datatype, RANGES[plan.kind]))
    if meaning.values:
        graph.add((shape, SH["in"], _list(graph, [Literal(value) for value in meaning.values])))
    if meaning.shaped is not None:
        graph.add((shape, SH.pattern, Literal(array_pattern(meaning.shaped))))
    for bound in meaning.bounds:
        term, name = BOUNDS[type(bound)]
        limit = getattr(bound, name)
        # of the field's own datatype: rdflib puts 0.0 after 0
        graph.add((shape, term, Literal(float(limit) if plan.kind == "float" else limit)))


def _order(graph: Graph, shape: URIRef, target: URIRef, plan: FieldPlan) -> None:
    """Say that several values have an order, or that the mark of an empty set stands alone."""
    path = URIRef(plan.predicate)
    single, other = BNode(), BNode()
    graph.add((single, SH.path, path))
    _count(graph, single, 0, 1)
    graph.add((other, SH.path, path))
    graph.add((other, SH.qualifiedValueShape, ORDERED if plan.container == "tuple" else EMPTIED))
    how = SH.qualifiedMinCount if plan.container == "tuple" else SH.qualifiedMaxCount
    graph.add((other, how, Literal(int(plan.container == "tuple"))))
    graph.add((shape, RDF.type, SH.NodeShape))
    graph.add((shape, SH.targetClass, target))
    graph.add((shape, RDFS.seeAlso, path))
    graph.add((shape, SH["or"], _list(graph, [single, other])))
    if plan.container == "tuple":
        _say(graph, shape, f"several values of {plan.name} need an order")
    else:
        _say(graph, shape, f"{plan.name} cannot be empty and have values")


def array_pattern(shaped: Shaped) -> str:
    """Return a regular expression for the literals of an array field: type, shape, content."""
    kind = re.sub(r"([|?])", r"\\\1", np.dtype(shaped.dtype).newbyteorder("<").str)
    dimensions = ""
    for part in shaped.shape.split(","):
        size = part.split()[0]
        comma = "," if dimensions else ""
        if size == "...":
            dimensions += "(,[0-9]+)*"
        else:
            dimensions += comma + (size if size.isdecimal() else "[0-9]+")
    return f"^{kind} {dimensions} {_BODY}$"


def _expected(plan: FieldPlan, meaning: Meaning) -> str:
    if plan.kind in ("model", "link"):
        name = meaning.target.__name__ if meaning.target is not None else "object"
        return f"IRI of {'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
    if meaning.values:
        return "of " + ", ".join(repr(value) for value in meaning.values)
    if meaning.shaped is not None:
        return f"array of {np.dtype(meaning.shaped.dtype).name}, shape ({meaning.shaped.shape})"
    limit = "".join(
        f" {sign} {getattr(bound, name)}"
        for bound in meaning.bounds
        for name, sign in (("ge", "≥"), ("gt", ">"), ("le", "≤"), ("lt", "<"))
        if hasattr(bound, name)
    )
    return "xsd:" + str(RANGES[plan.kind]).removeprefix(str(XSD)) + limit


def _count(graph: Graph, shape: Node, least: int, most: int) -> None:
    if least:
        graph.add((shape, SH.minCount, Literal(least)))
    graph.add((shape, SH.maxCount, Literal(most)))


def _say(graph: Graph, shape: Node, message: str) -> None:
    graph.add((shape, SH.message, Literal(message, lang="en")))


def _list(graph: Graph, members: Sequence[Any]) -> BNode:
    first = BNode()
    RdfList(graph, first, list(members))
    return first


# --- validation ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Violation:
    """Something that data have against a shape.

    Attributes:
        node: the object, by its IRI.
        property: the property.
        value: the value at fault; empty where it is their number.
        message: what would be right.
    """

    node: str
    property: str
    value: str
    message: str

    def __str__(self) -> str:
        stored = f", but {self.value[:200]} is stored" if self.value else ""
        return f"<{self.node}> <{self.property}>: {self.message}{stored}"


def violations(data: Graph | bytes, shapes: Graph) -> list[Violation]:
    """Hold data against shapes; an empty list says that all is well.

    Args:
        data: a graph, or N-Triples or N-Quads (whose graphs are taken together).
        shapes: what `shapes` returned, or a graph read from its Turtle.

    Raises:
        ComponentError: pySHACL is not installed.
        InputError: the data are malformed.
    """
    try:
        from pyshacl import validate
    except ImportError as error:
        asked = "cannot validate the data"
        raise ComponentError.extra(asked, "pySHACL", "shacl") from error
    hierarchy = Graph()
    for triple in shapes.triples((None, RDFS.subClassOf, None)):
        hierarchy.add(triple)
    graph = _parsed(data) if isinstance(data, bytes) else data
    # a clone is made of what the caller holds: the hierarchy is mixed in
    _, report, _ = validate(
        graph, shacl_graph=shapes, ont_graph=hierarchy, inplace=isinstance(data, bytes)
    )
    assert isinstance(report, Graph), report
    results = {
        Violation(
            node=str(report.value(result, SH.focusNode)),
            property=str(
                report.value(result, SH.resultPath)
                or shapes.value(report.value(result, SH.sourceShape), RDFS.seeAlso)
            ),
            value=str(report.value(result, SH.value) or "")
            if report.value(result, SH.resultPath)
            else "",
            message=str(report.value(result, SH.resultMessage)),
        )
        for result in report.subjects(RDF.type, SH.ValidationResult)
    }
    return sorted(results, key=lambda v: (v.node, v.property, v.value, v.message))


def _parsed(data: bytes) -> Graph:
    graph = Graph()
    try:
        for quad in parse(data, format=RdfFormat.N_QUADS):
            subject, value = _term(quad.subject), _term(quad.object)
            graph.add((subject, URIRef(quad.predicate.value), value))
    except SyntaxError as error:
        raise InputError("cannot validate the data", str(error)) from error
    return graph


def _term(term: Any) -> Any:
    match term:
        case NamedNode():
            return URIRef(term.value)
        case BlankNode():
            return BNode(term.value)
        case OxLiteral() if term.language:
            return Literal(term.value, lang=term.language)
        case OxLiteral():
            datatype = URIRef(term.datatype.value)
            if datatype == XSD.string:  # rdflib tells "a" from "a"^^xsd:string, and reads the first
                return Literal(term.value)
            return Literal(term.value, datatype=datatype, normalize=False)
        case _:
            raise InputError("cannot validate the data", f"{term} is no plain term")
