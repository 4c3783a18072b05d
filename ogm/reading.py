"""Quads to objects."""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableMapping
from collections.abc import Sequence as Seq
from typing import Any, cast

from pydantic import ValidationError
from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from triplestore.errors import RecordError

from .array_storage import ArrayFiles, from_text, same_array
from .collecting import Classes, Describe, Fetched, collect
from .fields import FieldPlan
from .forms import form
from .links import link_to
from .literals import Term
from .model import GraphModel, ModelT
from .naming import DERIVED, set_name
from .terms import ORDER_DATATYPE, RESERVED


def decode(
    cls: type[ModelT],
    iris: Seq[str],
    describe: Describe,
    files: ArrayFiles | None = None,
    at_hand: MutableMapping[str, GraphModel] | None = None,
    classes: Classes | None = None,
    *,
    named: bool = False,
) -> list[ModelT]:
    """Build objects with everything that their fields hold, one call of `describe` a level.

    Args:
        cls: the class of the objects, or a parent of it.
        iris: the objects.
        describe: returns what is known of IRIs.
        files: where large arrays lie.
        at_hand: objects that need not be built again; those built are added.
        classes: what earlier calls have found out about classes; added to.
        named: compare the names of values and of objects with a key with their content.

    Raises:
        NotFoundError: nothing is known of an IRI.
        RecordError: an object of another class, or a value that the class refuses.
    """
    built: dict[str, GraphModel] = {}
    known = classes if classes is not None else Classes()
    collected = collect(cls, iris, describe, built, at_hand, known)
    begun: set[str] = set()
    stack = list(iris)
    while stack:
        iri = stack[-1]
        if iri in built:
            stack.pop()
            continue
        missing = [part for part in collected[iri].parts if part not in built]
        if not missing:
            model = built[iri] = _build(iri, collected[iri], built, files)
            if named:
                _check_name(iri, collected[iri], model)
        elif iri in begun:
            raise RecordError(f"{iri} cannot be read", f"it holds itself, through <{missing[0]}>")
        else:
            begun.add(iri)
            stack += missing
    if at_hand is not None:
        at_hand.update(built)
    return [cast(ModelT, built[iri]) for iri in iris]


def _check_name(iri: str, found: Fetched, model: GraphModel) -> None:
    """Check that an object which is named after its content has the name of what is stored of it.

    One of an earlier schema keeps the name that it had then, and a class that does not know all of
    its properties (a later Grafico added one) cannot tell.

    Raises:
        RecordError: it has another.
    """
    if model.identity() not in DERIVED or not found.named_now or model.iri == iri:
        return
    known = {*form(found.cls).by_predicate, *RESERVED}
    if all(predicate in known for predicate, _ in found.pairs):
        raise RecordError(
            f"{iri} cannot be read",
            f"what is stored of it has the name {model.iri}: it was altered, or not written by "
            "Grafico",
            "check the whole store (fsck), and restore a backup",
        )


def _build(
    iri: str, found: Fetched, built: Mapping[str, GraphModel], files: ArrayFiles | None
) -> GraphModel:
    cls = found.cls
    if not found.steps:
        return _stored_as(_read(iri, found.pairs, cls, built, files), iri)
    values: Mapping[str, Any] = {}
    for number, step in enumerate(found.steps):
        former = step.former or cls
        if number == 0:
            old = _read(iri, found.pairs, former, built, files)
        else:
            old = _validated(iri, former, dict(values))
        if step.function is None:
            values = vars(old)
            continue
        try:
            values = step.function(old)
        except Exception as error:  # a function of the class: whatever it raises, name the object
            raise RecordError(
                f"{iri} cannot be read as {cls.__name__}",
                f"its upgrade from schema {found.version} failed: {type(error).__name__}: {error}",
            ) from error
    return _stored_as(_validated(iri, cls, dict(values)), iri, kept=found.version)


def _stored_as(model: ModelT, iri: str, *, kept: int = 0) -> ModelT:
    """Return a model that was just read, under the IRI that it is stored under.

    Values are named after their content when they are asked, so that what was tampered with is
    not taken for what it was; one that was upgraded keeps the name of what it was made from.
    """
    if kept or model.identity() not in DERIVED:
        set_name(model, iri, kept=kept)
    return model


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
