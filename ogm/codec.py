"""Objects to N-Quads and back: the only place where the two forms meet."""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeAlias, cast

from pydantic import ValidationError
from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse

from triplestore.errors import NotFoundError, RecordError

from .arrays import ARRAY_DATATYPE, ArrayFiles, digest, from_text, to_text
from .fields import FieldPlan, members
from .model import GraphModel, Link, ModelT, same_value, subclasses
from .terms import BASE, RDF_TYPE, SCHEMA_VERSION, XSD

Term: TypeAlias = NamedNode | Literal | BlankNode | Triple
Described: TypeAlias = Mapping[str, Sequence[tuple[str, Term]]]
"""What is known of each subject: pairs of predicate and object."""
Describe: TypeAlias = Callable[[Sequence[str]], Described]

ORDER_DATATYPE = BASE + "order"

_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)


# --- writing -------------------------------------------------------------------------------


def literal(value: str, datatype: str | None = None) -> str:
    """Write a literal in N-Triples."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise RecordError("a text cannot be stored", f"it is not valid Unicode: {error}") from error
    quoted = f'"{value.translate(_ESCAPES)}"'
    return quoted if datatype is None else f"{quoted}^^<{datatype}>"


def double(value: float) -> str:
    """Write a float so that it reads back to the same bits (−0.0 as 0.0)."""
    if value != value:
        text = "NaN"
    elif value in (float("inf"), float("-inf")):
        text = "INF" if value > 0 else "-INF"
    else:
        text = repr(float(value) + 0.0)
    return literal(text, XSD + "double")


def constant(value: Any, plan: FieldPlan) -> str:
    """Write one value of a field in N-Triples, which is also SPARQL.

    A time is written in UTC: the instant is kept to the microsecond, its offset is not.

    Raises:
        RecordError: it has no form: lone surrogates, a time without offset, beyond 4,300 digits.
    """
    match plan.kind:
        case "str":
            return literal(value)
        case "bool":
            return literal("true" if value else "false", XSD + "boolean")
        case "int":
            try:
                return literal(str(int(value)), XSD + "integer")
            except ValueError as error:
                raise RecordError(f"{plan.name} cannot be stored", str(error)) from error
        case "float":
            return double(value)
        case "datetime":
            return literal(_utc(value, plan.name), XSD + "dateTime")
        case "enum":
            return literal(str(cast(enum.Enum, value).value))
        case "link" | "model":
            return f"<{value.iri}>"
        case "array":
            raise AssertionError("arrays are written by their own branch")


def _utc(moment: datetime, name: str) -> str:
    try:
        if moment.utcoffset() is None:
            raise ValueError("it has no offset from UTC")
        text = moment.astimezone(UTC).replace(tzinfo=None).isoformat()
    except (ValueError, OverflowError) as error:
        raise RecordError(f"the time {moment} in {name} cannot be stored", str(error)) from error
    return (text.rstrip("0") if "." in text else text) + "Z"  # the canonical form of XSD


def _terms(value: Any, plan: FieldPlan, files: ArrayFiles | None) -> Iterator[str]:
    """Yield the N-Triples terms of a field, its order last when it has one."""
    if plan.kind == "array":
        if value is not None:
            yield literal(to_text(value, files), ARRAY_DATATYPE)
        return
    terms = [constant(item, plan) for item in members(value, plan)]
    yield from dict.fromkeys(terms)
    # one value needs no order; an empty container must be told apart from the default
    if (len(terms) > 1 and plan.container == "tuple") or _emptied(value, plan):
        yield literal(json.dumps(terms, ensure_ascii=False), ORDER_DATATYPE)


def _emptied(value: Any, plan: FieldPlan) -> bool:
    """Tell whether a field is an empty container, and its default is something else."""
    empty = plan.container != "one" and value is not None and not value
    return empty and not plan.required and value != plan.default


def content_digest(model: GraphModel) -> str:
    """Return the digest of class and content, 128 bits in hexadecimal.

    Only fields that differ from their default count, so that a field added with a default leaves
    the identity of every older object as it was.
    """
    lines = [type(model).term()]
    for plan in type(model).fields():
        value = getattr(model, plan.name)
        if value is None or (not plan.required and same_value(value, plan.default)):
            continue
        if plan.kind == "array":
            lines.append(f"{plan.predicate} {digest(value)}")
        elif plan.container == "tuple":
            terms = [constant(item, plan) for item in members(value, plan)]
            lines.append(f"{plan.predicate} {json.dumps(terms)}")
        elif _emptied(value, plan):
            lines.append(f"{plan.predicate} []")
        else:
            lines += {f"{plan.predicate} {constant(v, plan)}" for v in members(value, plan)}
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:32]


def closure(roots: Iterable[GraphModel]) -> dict[str, GraphModel]:
    """Return the objects and everything that their fields hold, by IRI, parts first."""
    found: dict[str, GraphModel] = {}
    stack = [(model, False) for model in roots]
    while stack:
        model, entered = stack.pop()
        if entered:
            found[model.iri] = model
        elif model.iri not in found:
            stack.append((model, True))
            stack += [(part, False) for part in model.parts()]
    return found


def encode(models: Iterable[GraphModel], files: ArrayFiles | None = None) -> bytes:
    """Write objects, one by one and without their parts, as N-Quads of the default graph."""
    lines: list[str] = []
    for model in models:
        cls = type(model)
        subject = f"<{model.iri}>"
        lines.append(f"{subject} <{RDF_TYPE}> <{cls.term()}> .")
        version = literal(str(cls.schema_version()), XSD + "integer")
        lines.append(f"{subject} <{SCHEMA_VERSION}> {version} .")
        for plan in cls.fields():
            value = getattr(model, plan.name)
            predicate = f"<{plan.predicate}>"
            lines += [f"{subject} {predicate} {term} ." for term in _terms(value, plan, files)]
    lines.append("")
    return "\n".join(lines).encode()


# --- reading -------------------------------------------------------------------------------


def decode(
    cls: type[ModelT],
    iris: Sequence[str],
    describe: Describe,
    files: ArrayFiles | None = None,
    at_hand: MutableMapping[str, GraphModel] | None = None,
) -> list[ModelT]:
    """Build objects with everything that their fields hold, one call of `describe` a level.

    Args:
        cls: the class of the objects, or a parent of it.
        iris: the objects.
        describe: returns what is known of IRIs.
        files: where large arrays lie.
        at_hand: objects that need not be built again; those built are added.

    Raises:
        NotFoundError: nothing is known of an IRI.
        RecordError: an object of another class, or a value that the class refuses.
    """
    known: dict[str, Sequence[tuple[str, Term]]] = {}
    wanted: dict[str, type[GraphModel]] = dict.fromkeys(iris, cls)
    types: dict[str, type[GraphModel]] = {}
    parts: dict[str, list[str]] = {}
    built: dict[str, GraphModel] = {}
    while wanted:
        level = describe(list(wanted))
        deeper: dict[str, type[GraphModel]] = {}
        for iri, expected in wanted.items():
            pairs = level.get(iri)
            if not pairs:
                raise NotFoundError(f"{iri} was asked for", "nothing of that name is stored")
            known[iri] = pairs
            types[iri] = _class_of(iri, pairs, expected)
            held = {p.predicate: p.target for p in types[iri].fields() if p.kind == "model"}
            parts[iri] = []
            for predicate, term in pairs:
                if predicate in held and isinstance(term, NamedNode):
                    ready = at_hand.get(term.value) if at_hand is not None else None
                    if ready is not None and isinstance(ready, held[predicate]):
                        built[term.value] = ready
                    else:
                        parts[iri].append(term.value)
                        deeper[term.value] = held[predicate]
        wanted = {iri: expected for iri, expected in deeper.items() if iri not in known}
    begun: set[str] = set()
    stack = list(iris)
    while stack:
        iri = stack[-1]
        if iri in built:
            stack.pop()
            continue
        missing = [part for part in parts[iri] if part not in built]
        if not missing:
            built[iri] = _build(iri, known[iri], types[iri], built, files)
        elif iri in begun:
            raise RecordError(f"{iri} cannot be read", f"it holds itself, through <{missing[0]}>")
        else:
            begun.add(iri)
            stack += missing
    if at_hand is not None:
        at_hand.update(built)
    return [cast(ModelT, built[iri]) for iri in iris]


def _class_of(
    iri: str, pairs: Sequence[tuple[str, Term]], expected: type[GraphModel]
) -> type[GraphModel]:
    terms = [str(getattr(term, "value", term)) for p, term in pairs if p == RDF_TYPE]
    for candidate in subclasses(expected):
        if candidate.term() in terms:
            _check_version(iri, pairs, candidate)
            return candidate
    wanted = "an object" if expected is GraphModel else f"a {expected.__name__}"
    raise RecordError(
        f"{iri} was asked for as {wanted}",
        f"it is {' and '.join(terms) or 'of no class'}",
        "ask for it by its own class (import the module that defines it)",
    )


def _check_version(iri: str, pairs: Sequence[tuple[str, Term]], cls: type[GraphModel]) -> None:
    for text in [str(getattr(term, "value", term)) for p, term in pairs if p == SCHEMA_VERSION]:
        if not text.isdecimal() or int(text) > cls.schema_version():
            raise RecordError(
                f"{iri} cannot be read",
                f"it was written with schema {text} of {cls.__name__}; this Grafico "
                f"knows {cls.schema_version()}",
                "update Grafico",
            )


def _value(term: Term, plan: FieldPlan, built: Mapping[str, GraphModel]) -> Any:
    if plan.kind in ("model", "link"):
        if not isinstance(term, NamedNode):
            raise ValueError(f"{term} is no IRI")
        return built[term.value] if plan.kind == "model" else Link[Any](term.value)
    if not isinstance(term, Literal):
        raise ValueError(f"{term} is no literal")
    match plan.kind:
        case "int":
            return int(term.value)
        case "float":
            return float(term.value)
        case "bool":
            if term.value not in ("true", "false", "1", "0"):
                raise ValueError(f"{term} is neither true nor false")
            return term.value in ("true", "1")
        case "datetime":
            return datetime.fromisoformat(term.value)
        case "enum":
            for member in cast("type[enum.Enum]", plan.target):
                if str(member.value) == term.value:
                    return member
            raise ValueError(f"{term} is no {plan.target.__name__}")
        case _:
            if term.datatype.value != XSD + "string":
                raise ValueError(f"{term} is no plain text")
            return term.value


def _build(
    iri: str,
    pairs: Sequence[tuple[str, Term]],
    cls: type[GraphModel],
    built: Mapping[str, GraphModel],
    files: ArrayFiles | None,
) -> GraphModel:
    by_predicate: dict[str, list[Term]] = {}
    for predicate, term in pairs:
        by_predicate.setdefault(predicate, []).append(term)
    values: dict[str, Any] = {}
    for plan in cls.fields():
        terms = by_predicate.get(plan.predicate)
        if not terms:
            if plan.required and plan.container != "one":
                values[plan.name] = ()
            continue
        try:
            values[plan.name] = _field(terms, plan, built, files)
        except (ValueError, TypeError) as error:
            raise RecordError(f"{iri} cannot be read", f"<{plan.predicate}>: {error}") from error
        except RecordError as error:
            found = f"<{plan.predicate}>: {error.asked}; {error.found}"
            raise RecordError(f"{iri} cannot be read", found, error.advice) from error
    try:
        model = cls.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        plan = next((p for p in cls.fields() if p.name == name), None)
        where = f"<{plan.predicate}>" if plan else cls.__name__
        stored = "nothing" if first["type"] == "missing" else repr(first["input"])[:200]
        raise RecordError(
            f"{iri} cannot be read as {cls.__name__}",
            f"{where}: {first['msg']}, but {stored} is stored",
        ) from error
    return model if cls.identity() == "value" else model.identified(iri)


def _field(
    terms: list[Term],
    plan: FieldPlan,
    built: Mapping[str, GraphModel],
    files: ArrayFiles | None,
) -> Any:
    if plan.container == "one":
        if len(terms) > 1:
            shown = ", ".join(str(term)[:80] for term in terms)
            raise ValueError(f"several values for one field: {shown}")
        if plan.kind != "array":
            return _value(terms[0], plan, built)
        return from_text(str(getattr(terms[0], "value", "")), files)
    order: list[str] | None = None
    values: dict[str, Any] = {}
    for term in terms:
        if isinstance(term, Literal) and term.datatype.value == ORDER_DATATYPE:
            if order is not None:
                raise ValueError(f"several orders: {order} and {term.value}")
            order = json.loads(term.value)
        else:
            value = _value(term, plan, built)
            text = f"<{term.value}>" if isinstance(term, NamedNode) else constant(value, plan)
            values[text] = value
    if order is None:
        if plan.container == "tuple" and len(values) > 1:
            raise ValueError(f"no order is stored of {', '.join(values)}")
        order = list(values)
    if set(order) != set(values):
        raise ValueError(f"the order {order} is stored, but the values {list(values)}")
    ordered = [values[text] for text in order]
    return frozenset(ordered) if plan.container == "set" else tuple(ordered)


def described(quads: bytes) -> Describe:
    """Return what a file of N-Quads says, in the form that `decode` reads."""
    found: dict[str, list[tuple[str, Term]]] = {}
    for quad in parse(quads, format=RdfFormat.N_QUADS):
        if isinstance(quad.subject, NamedNode):
            found.setdefault(quad.subject.value, []).append((quad.predicate.value, quad.object))
    return lambda iris: {iri: found[iri] for iri in iris if iri in found}
