"""Classes as a short text for whoever writes queries: a person, or a language model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from textwrap import indent

import numpy as np

from .fields import FieldPlan
from .meaning import Meaning, own_fields, parents, summary
from .model import GraphModel, subclasses
from .terms import ORDER_DATATYPE, PREFIXES

WORDS = {"str": "string", "datetime": "dateTime"}
IDENTITIES = {
    "value": "named after its exact content",
    "result": "named after the activity that made it",
    "event": "named uniquely, in order of time",
    "key": "named after its key",
}


@dataclass(frozen=True)
class PropertyOutline:
    """A property, as its class declares it.

    Attributes:
        term: its IRI, with a prefix where there is one.
        type: of its values: a datatype, the values listed, an array's type and shape, a class.
        unit: the unit's code in QUDT; empty for none.
        number: `required` (exactly one), `optional` (at most one), `list` (any number, in an
            order) or `set` (any number).
        text: what it means.
    """

    term: str
    type: str
    unit: str
    number: str
    text: str


@dataclass(frozen=True)
class ClassOutline:
    """A class, without what it inherits.

    Attributes:
        term: its IRI, with a prefix where there is one.
        parents: classes that it is derived from.
        children: classes derived from it, also at second hand.
        identity: where the IRIs of its objects come from.
        schema: version of its schema.
        text: what it is.
        properties: its properties.
    """

    term: str
    parents: list[str]
    children: list[str]
    identity: str
    schema: int
    text: str
    properties: list[PropertyOutline]


def outline(classes: Iterable[type[GraphModel]]) -> list[ClassOutline]:
    """Return what there is to say of classes, in their order."""
    return [
        ClassOutline(
            term=short(cls.term()),
            parents=[short(base.term()) for base in parents(cls)],
            children=[short(c.term()) for c in dict.fromkeys(subclasses(cls)) if c is not cls],
            identity=cls.identity(),
            schema=cls.schema_version(),
            text=summary(cls),
            properties=[_property(plan, meaning) for plan, meaning in own_fields(cls)],
        )
        for cls in dict.fromkeys(classes)
    ]


def snapshot(
    classes: Iterable[type[GraphModel]],
    examples: Sequence[tuple[str, str]] = (),
    *,
    brief: bool = False,
) -> str:
    """Return a text that says enough of classes to write SPARQL for their objects.

    Args:
        classes: the classes; those that they are derived from should be among them.
        examples: queries that work, each with its question.
        brief: whether classes will do without their properties, where they are many.
    """
    described = outline(classes)
    lines = [
        _preamble(),
        "",
        "CLASSES: ask for some by name to see what they have" if brief else "CLASSES",
    ]
    for item in described:
        parts = [item.term, *(f"< {parent}" for parent in item.parents), f"[{item.identity}]"]
        lines.append(f"{' '.join(parts)}  {item.text}")
        if brief:
            continue
        if item.children:
            lines.append(f"  subclasses: {' '.join(item.children)}")
        for p in item.properties:
            parts = [p.term, f"{p.type} {p.unit}".rstrip(), p.number, p.text]
            lines.append("  " + "  ".join(part for part in parts if part not in ("", "required")))
    if examples:
        lines += ["", "EXAMPLES"]
    for question, query in examples:
        lines += [f"# {question}", indent(query.strip(), "  ")]
    return "\n".join(lines) + "\n"


def as_json(classes: Iterable[type[GraphModel]]) -> str:
    """Return the outline of classes and the prefixes that it uses as JSON."""
    whole = {"prefixes": PREFIXES, "classes": [asdict(item) for item in outline(classes)]}
    return json.dumps(whole, indent=2, ensure_ascii=False)


def short(iri: str) -> str:
    """Return an IRI with its prefix, or in angle brackets where none is known."""
    for prefix, base in PREFIXES.items():
        if iri.startswith(base):
            return f"{prefix}:{iri.removeprefix(base)}"
    return f"<{iri}>"


def _property(plan: FieldPlan, meaning: Meaning) -> PropertyOutline:
    number = {"tuple": "list", "set": "set"}.get(
        plan.container, "required" if plan.required else "optional"
    )
    return PropertyOutline(
        term=short(plan.predicate),
        type=_type(plan, meaning),
        unit=plan.unit.code if plan.unit is not None else "",
        number=number,
        text=meaning.text,
    )


def _type(plan: FieldPlan, meaning: Meaning) -> str:
    if plan.kind in ("model", "link"):
        return short(meaning.target.term()) if meaning.target is not None else "any object"
    if meaning.values:
        return "|".join(json.dumps(value, ensure_ascii=False) for value in meaning.values)
    if meaning.shaped is not None:
        sizes = [part.split() for part in meaning.shaped.shape.split(",")]
        names = [part[-1] if part[0] == "*" else part[0] for part in sizes]
        return f"array {np.dtype(meaning.shaped.dtype).name}({','.join(names)})"
    return WORDS.get(plan.kind, plan.kind)


def _preamble() -> str:
    prefixes = "\n".join(f"PREFIX {name}: <{iri}>" for name, iri in PREFIXES.items())
    order = short(ORDER_DATATYPE)
    identities = "; ".join(f"[{name}] {text}" for name, text in IDENTITIES.items())
    return f"""\
{prefixes}

HOW OBJECTS ARE STORED
An object is an IRI with one rdf:type, its most specific class.
Nothing is inferred: ask for a class with subclasses by VALUES ?class {{ … }} ?x a ?class, or only
by a property that it has. A class has its parents' properties too. A line of a class reads
  property  type unit  number  meaning
No number: exactly one value; optional: at most one, so use OPTIONAL {{ }}; list, set: any number.
A class as a type: the value is the IRI of such an object; follow it with another pattern.
list: one triple a value, and for two or more values one literal more, of datatype {order},
  that holds all in order as JSON of N-Triples terms. Leave it out: FILTER(isIRI(?v)) for objects,
  FILTER(datatype(?v) != {order}) for literals. "[]"^^{order} alone marks an empty list or set.
array: one literal "type shape base64-or-file", of no use to a query but to select it.
Numbers have the unit given here; the store holds the bare number.
Names of objects: {identities}."""
