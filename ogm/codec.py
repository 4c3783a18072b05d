"""Objects to N-Quads and back: the only place where the two forms meet."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from pydantic import ValidationError
from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from triplestore.errors import ConflictError, NotFoundError, RecordError

from .arrays import ARRAY_DATATYPE, ArrayFiles, digest, from_text, same_array, to_text
from .fields import FieldPlan, members
from .literals import Term, Writer, double, literal
from .model import (
    GraphModel,
    ModelT,
    is_kept,
    link_to,
    same_value,
    stored_as,
    subclasses,
    upgrades,
)
from .terms import CONTENT, ORDER_DATATYPE, RDF_TYPE, SCHEMA_VERSION, XSD

__all__ = [
    "ORDER_DATATYPE",
    "Describe",
    "Described",
    "Term",
    "closure",
    "content_digest",
    "decode",
    "described",
    "double",
    "encode",
    "literal",
]

Described: TypeAlias = Mapping[str, Seq[tuple[str, Term]]]
"""What is known of each subject: pairs of predicate and object."""
Describe: TypeAlias = Callable[[Seq[str]], Described]
Classes: TypeAlias = dict[type[GraphModel], dict[str, type[GraphModel]]]
"""For each class asked for, those that an object may be of, by term."""


# --- writing -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """What of a class is needed to write and read its objects, compiled once."""

    type: str
    version: str
    term: str
    rows: tuple[tuple[str, str, Writer | None, FieldPlan], ...]
    plans: tuple[FieldPlan, ...]
    by_predicate: Mapping[str, FieldPlan]
    parts: tuple[FieldPlan, ...]
    links: tuple[FieldPlan, ...]
    has_arrays: bool


def _simple(plan: FieldPlan) -> bool:
    """Tell whether a field has one value and one term."""
    return plan.container == "one" and plan.kind != "array"


@functools.cache
def form(cls: type[GraphModel]) -> Form:
    """Return the compiled form of a class."""
    version = literal(str(cls.schema_version()), XSD + "integer")
    plans = cls.fields()
    return Form(
        type=f"<{RDF_TYPE}> <{cls.term()}> .\n",
        version=f"<{SCHEMA_VERSION}> {version} .\n",
        term=cls.term(),
        rows=tuple(
            (plan.name, f"<{plan.predicate}> ", plan.write if _simple(plan) else None, plan)
            for plan in plans
        ),
        plans=plans,
        by_predicate={plan.predicate: plan for plan in plans},
        parts=tuple(plan for plan in plans if plan.kind == "model"),
        links=tuple(plan for plan in plans if plan.kind == "link"),
        has_arrays=any(plan.kind == "array" for plan in plans),
    )


def _terms(value: Any, plan: FieldPlan, files: ArrayFiles | None) -> Iterable[str]:
    """Return the terms of an array or a container, its order last when it has one."""
    if plan.kind == "array":
        return (literal(to_text(value, files), ARRAY_DATATYPE),)
    terms = [plan.write(item) for item in value]
    several = list(dict.fromkeys(terms))
    # one value needs no order; an empty container must be told apart from the default
    if (len(terms) > 1 and plan.container == "tuple") or _emptied(value, plan):
        several.append(literal(json.dumps(terms, ensure_ascii=False), ORDER_DATATYPE))
    return several


def _unwritten(name: str, error: RecordError) -> RecordError:
    return RecordError(f"{name} cannot be stored", f"{error.asked}: {error.found}")


def _emptied(value: Any, plan: FieldPlan) -> bool:
    """Tell whether a field is an empty container, and its default is something else."""
    empty = plan.container != "one" and value is not None and not value
    return empty and not plan.required and value != plan.default


def content_digest(model: GraphModel, names: Collection[str] | None = None) -> str:
    """Return the digest of class and content, 128 bits in hexadecimal.

    Only fields that differ from their default count, so that a field added with a default leaves
    the identity of every older object as it was.

    Args:
        model: the object.
        names: the fields that count; None for all.
    """
    shape = form(type(model))
    lines = [shape.term]
    name = ""
    try:
        for name, _, write, plan in shape.rows:
            if names is not None and name not in names:
                continue
            value = model.__dict__[name]  # an array that was not read stays so
            if value is None or (plan.default is not None and same_value(value, plan.default)):
                continue
            if write is not None:
                lines.append(f"{plan.predicate} {write(value)}")
            else:
                lines += _content(value, plan)
    except RecordError as error:
        raise _unwritten(name, error) from error
    lines.sort()
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:32]


def _content(value: Any, plan: FieldPlan) -> Iterable[str]:
    """Return what an array or a container adds to an object's content; sets have no order."""
    if plan.kind == "array":
        return (f"{plan.predicate} {digest(value)}",)
    if plan.container == "tuple":
        return (f"{plan.predicate} {json.dumps([plan.write(item) for item in value])}",)
    if _emptied(value, plan):
        return (f"{plan.predicate} []",)
    return {f"{plan.predicate} {plan.write(item)}" for item in value}


def closure(roots: Iterable[GraphModel]) -> dict[str, GraphModel]:
    """Return the objects and everything that their fields and links hold, by IRI, parts first.

    Raises:
        ConflictError: two of them have one IRI and differ.
    """
    met: dict[str, GraphModel] = {}
    found: dict[str, GraphModel] = {}
    stack: list[tuple[GraphModel, str | None]] = [(model, None) for model in roots]
    while stack:
        model, left = stack.pop()
        if left is not None:
            found[left] = model
            continue
        iri = model.iri
        other = met.setdefault(iri, model)
        if other is model and iri not in found:
            shape = form(type(model))
            held = _held(model, shape) if shape.parts or shape.links else None
            if held:
                stack.append((model, iri))
                stack += [(part, None) for part in held if met.get(part.iri) is not part]
            else:
                found[iri] = model
        elif other is not model:
            if model.identity() != "value" and other != model:
                raise _conflict(iri, model, other)
            # equal, but their links need not hold the same
            stack += [(part, None) for part in _held(model, form(type(model)))]
    return found


def _conflict(iri: str, one: GraphModel, two: GraphModel) -> ConflictError:
    shown = [f"a {type(one).__name__} and a {type(two).__name__} are given"]
    if type(one) is type(two):
        pairs = [(p, getattr(one, p.name), getattr(two, p.name)) for p in type(one).fields()]
        shown = [
            f"{p.predicate}: {a!r} and {b!r} are given" for p, a, b in pairs if not same_value(a, b)
        ]
    return ConflictError(
        f"store {iri}", shown[0], "objects of one name must agree; name one of them otherwise"
    )


def _held(model: GraphModel, shape: Form) -> list[GraphModel]:
    """Return what the fields and links of an object hold."""
    found: list[GraphModel] = []
    for plan in shape.parts:
        found += members(getattr(model, plan.name), plan)
    for plan in shape.links:
        value = getattr(model, plan.name)
        if value is not None:
            links = (value,) if plan.container == "one" else value
            found += [link.held for link in links if link.held is not None]
    return found


def encode(models: Iterable[GraphModel], files: ArrayFiles | None = None) -> bytes:
    """Write objects, one by one and without their parts, as N-Quads of the default graph."""
    lines: list[str] = []
    for model in models:
        shape = form(type(model))
        subject = f"<{model.iri}> "
        values = model.__dict__  # an array that was not read stays so
        lines.append(f"{subject}{shape.type}{subject}{shape.version}")
        if model.identity() in ("result", "event") and not is_kept(model):
            # all of it in one word, so that one object is never made of two
            lines.append(f'{subject}<{CONTENT}> "{content_digest(model)}" .\n')
        name = ""
        try:
            for name, predicate, write, plan in shape.rows:
                value = values[name]
                if value is None:
                    continue
                if write is not None:
                    lines.append(f"{subject}{predicate}{write(value)} .\n")
                else:
                    terms = _terms(value, plan, files)
                    lines += [f"{subject}{predicate}{term} .\n" for term in terms]
        except RecordError as error:
            raise _unwritten(name, error) from error
    return "".join(lines).encode()


# --- reading -------------------------------------------------------------------------------


@dataclass
class _Found:
    """What is known of an object before it is built."""

    pairs: Seq[tuple[str, Term]]
    cls: type[GraphModel]
    version: int
    parts: list[str]


def decode(
    cls: type[ModelT],
    iris: Seq[str],
    describe: Describe,
    files: ArrayFiles | None = None,
    at_hand: MutableMapping[str, GraphModel] | None = None,
    classes: Classes | None = None,
) -> list[ModelT]:
    """Build objects with everything that their fields hold, one call of `describe` a level.

    Args:
        cls: the class of the objects, or a parent of it.
        iris: the objects.
        describe: returns what is known of IRIs.
        files: where large arrays lie.
        at_hand: objects that need not be built again; those built are added.
        classes: what earlier calls have found out about classes; added to.

    Raises:
        NotFoundError: nothing is known of an IRI.
        RecordError: an object of another class, or a value that the class refuses.
    """
    built: dict[str, GraphModel] = {}
    known = classes if classes is not None else Classes()
    found = _collect(cls, iris, describe, built, at_hand, known)
    begun: set[str] = set()
    stack = list(iris)
    while stack:
        iri = stack[-1]
        if iri in built:
            stack.pop()
            continue
        missing = [part for part in found[iri].parts if part not in built]
        if not missing:
            built[iri] = _build(iri, found[iri], built, files)
        elif iri in begun:
            raise RecordError(f"{iri} cannot be read", f"it holds itself, through <{missing[0]}>")
        else:
            begun.add(iri)
            stack += missing
    if at_hand is not None:
        at_hand.update(built)
    return [cast(ModelT, built[iri]) for iri in iris]


def _collect(
    cls: type[GraphModel],
    iris: Seq[str],
    describe: Describe,
    built: dict[str, GraphModel],
    at_hand: Mapping[str, GraphModel] | None,
    classes: Classes,
) -> dict[str, _Found]:
    """Return what is known of objects and their parts; parts at hand go to `built`."""
    found: dict[str, _Found] = {}
    wanted: dict[str, type[GraphModel]] = dict.fromkeys(iris, cls)
    owners: dict[str, str] = {}
    while wanted:
        level = describe(list(wanted))
        deeper: dict[str, type[GraphModel]] = {}
        for iri, expected in wanted.items():
            pairs = level.get(iri)
            if not pairs:
                asked = owners.get(iri, f"{iri} was asked for")
                raise NotFoundError(
                    asked, f"nothing is stored of {iri}", "check the IRI, and which store is read"
                )
            if expected not in classes:
                # of classes defined twice, as in a notebook, the last counts; or the one asked for
                found_classes = {sub.term(): sub for sub in subclasses(expected)}
                classes[expected] = {**found_classes, expected.term(): expected}
            this = _recognise(iri, pairs, expected, classes[expected])
            found[iri] = this
            held = form(_stored_class(this)).parts
            if not held:
                continue
            targets = {plan.predicate: plan.target for plan in held}
            for predicate, term in pairs:
                if predicate in targets and isinstance(term, NamedNode):
                    part, target = term.value, targets[predicate]
                    ready = at_hand.get(part) if at_hand is not None else None
                    if ready is not None and isinstance(ready, target):
                        built[part] = ready
                    else:
                        this.parts.append(part)
                        deeper[part] = target
                        owners.setdefault(part, f"{iri} cannot be read: its <{predicate}>")
        wanted = {iri: expected for iri, expected in deeper.items() if iri not in found}
    return found


def _recognise(
    iri: str,
    pairs: Seq[tuple[str, Term]],
    expected: type[GraphModel],
    classes: Mapping[str, type[GraphModel]],
) -> _Found:
    """Find the class and the schema version of an object.

    An object that was migrated has several versions; the highest counts.
    """
    cls, others, versions = None, list[str](), list[str]()
    for predicate, term in pairs:
        if predicate == RDF_TYPE:
            name = str(getattr(term, "value", term))
            cls = classes.get(name, cls)
            others.append(name)
        elif predicate == SCHEMA_VERSION:
            versions.append(str(getattr(term, "value", term)))
    if cls is None:
        wanted = "an object" if expected is GraphModel else f"a {expected.__name__}"
        raise RecordError(
            f"{iri} was asked for as {wanted}",
            f"it is {' and '.join(others) or 'of no class'}",
            "ask for it by its own class (import the module that defines it)",
        )
    for version in versions:
        if not version.isdecimal() or int(version) > cls.schema_version():
            raise RecordError(
                f"{iri} cannot be read",
                f"it was written with schema {version} of {cls.__name__}; this Grafico "
                f"knows {cls.schema_version()}",
                "update Grafico",
            )
    return _Found(pairs, cls, max(map(int, versions), default=1), [])


def _stored_class(found: _Found) -> type[GraphModel]:
    """Return the class that describes how the object is stored: its own or a former one."""
    steps = upgrades(found.cls, found.version)
    return steps[0].former if steps else found.cls


def _build(
    iri: str, found: _Found, built: Mapping[str, GraphModel], files: ArrayFiles | None
) -> GraphModel:
    cls = found.cls
    steps = upgrades(cls, found.version)
    if not steps:
        return stored_as(_read(iri, found.pairs, cls, built, files), iri)
    values: Mapping[str, Any] = {}
    for number, step in enumerate(steps):
        if number == 0:
            old = _read(iri, found.pairs, step.former, built, files)
        else:
            old = _validated(iri, step.former, dict(values))
        try:
            values = step.function(old)
        except Exception as error:  # a function of the class: whatever it raises, name the object
            raise RecordError(
                f"{iri} cannot be read as {cls.__name__}",
                f"its upgrade from schema {found.version} failed: {type(error).__name__}: {error}",
            ) from error
    return stored_as(_validated(iri, cls, dict(values)), iri, keep=True)


def _read(
    iri: str,
    pairs: Seq[tuple[str, Term]],
    cls: type[ModelT],
    built: Mapping[str, GraphModel],
    files: ArrayFiles | None,
) -> ModelT:
    shape = form(cls)
    values: dict[str, Any] = {}
    several: dict[str, list[Term]] = {}
    predicate = ""
    try:
        for predicate, term in pairs:
            plan = shape.by_predicate.get(predicate)
            if plan is None:
                continue
            if plan.container != "one":
                several.setdefault(predicate, []).append(term)
            elif plan.name in values and plan.kind == "array":
                # stored once as a literal and once as a file, or twice by different limits
                text = str(getattr(term, "value", ""))
                values[plan.name] = same_array(values[plan.name], from_text(text, files))
            elif plan.name in values:
                terms = [term for name, term in pairs if name == predicate]
                shown = ", ".join(str(term)[:80] for term in terms)
                raise ValueError(f"several values for one field: {shown}")
            elif plan.kind == "array":
                text = str(getattr(term, "value", ""))
                values[plan.name] = from_text(text, files, f"<{predicate}> of {iri}")
            else:
                values[plan.name] = _value(term, plan, built)
        for predicate, terms in several.items():
            plan = shape.by_predicate[predicate]
            values[plan.name] = _container(terms, plan, built)
    except (ValueError, TypeError) as error:
        raise RecordError(f"{iri} cannot be read", f"<{predicate}>: {error}") from error
    except RecordError as error:
        reason = f"<{predicate}>: {error.asked}; {error.found}"
        raise RecordError(f"{iri} cannot be read", reason, error.advice) from error
    for plan in shape.plans:
        if plan.required and plan.container != "one" and plan.name not in values:
            values[plan.name] = ()
    return _validated(iri, cls, values)


def _validated(iri: str, cls: type[ModelT], values: dict[str, Any]) -> ModelT:
    try:
        return cls.__pydantic_validator__.validate_python(values)
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
    except Exception as error:  # a validator of the class: whatever it raises, name the object
        raise RecordError(
            f"{iri} cannot be read as {cls.__name__}", f"{type(error).__name__}: {error}"
        ) from error


def _value(term: Term, plan: FieldPlan, built: Mapping[str, GraphModel]) -> Any:
    if plan.kind == "link" or plan.kind == "model":
        if not isinstance(term, NamedNode):
            raise ValueError(f"{term} is no IRI")
        return built[term.value] if plan.kind == "model" else link_to(term.value)
    if not isinstance(term, Literal):
        raise ValueError(f"{term} is no literal")
    return plan.read(term)


def _container(terms: list[Term], plan: FieldPlan, built: Mapping[str, GraphModel]) -> Any:
    order: list[str] | None = None
    values: dict[str, Any] = {}
    for term in terms:
        if isinstance(term, Literal) and term.datatype.value == ORDER_DATATYPE:
            if order is not None:
                raise ValueError(f"several orders: {order} and {term.value}")
            order = json.loads(term.value)
        else:
            value = _value(term, plan, built)
            text = f"<{term.value}>" if isinstance(term, NamedNode) else plan.write(value)
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
