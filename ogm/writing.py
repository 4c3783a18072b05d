"""Objects to N-Quads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from triplestore.errors import ConflictError, RecordError

from .array_storage import ARRAY_DATATYPE, ArrayFiles, to_text
from .equality import same_value
from .fields import FieldPlan, is_emptied, members
from .forms import ClassPlan, form
from .literals import integer, literal
from .naming import content_digest, kept_version, unwritten
from .terms import CONTENT, ORDER_DATATYPE, SCHEMA_VERSION

if TYPE_CHECKING:
    from .model import GraphModel


def closure(
    roots: Iterable[GraphModel], stored: Mapping[str, GraphModel] | None = None
) -> dict[str, GraphModel]:
    """Return the objects and everything that their fields and links hold, by IRI, parts first.

    Args:
        roots: the objects.
        stored: objects that are left out with all that they hold, as all of it is stored.

    Raises:
        ConflictError: two of them have one IRI and differ.
    """
    met: dict[str, GraphModel] = {}
    found: dict[str, GraphModel] = {}
    known: Mapping[str, GraphModel] = {} if stored is None else stored
    stack: list[tuple[GraphModel, str | None]] = [(model, None) for model in roots]
    while stack:
        model, left = stack.pop()
        if left is not None:
            found[left] = model
            continue
        iri = model.iri
        if known.get(iri) is model:
            continue
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


def _held(model: GraphModel, shape: ClassPlan) -> list[GraphModel]:
    """Return what the fields and links of an object hold."""
    found: list[GraphModel] = []
    for plan in shape.parts:
        found += members(getattr(model, plan.name), plan)
    for plan in shape.links:
        links = members(getattr(model, plan.name), plan)
        found += [link.held for link in links if link.held is not None]
    return found


def encode(models: Iterable[GraphModel], files: ArrayFiles | None = None) -> bytes:
    """Write objects, one by one and without their parts, as N-Quads of the default graph."""
    lines: list[str] = []
    for model in models:
        shape = form(type(model))
        subject = f"<{model.iri}> "
        values = model.__dict__  # an array that was not read stays so
        lines.append(f"{subject}{shape.type}")
        kept = kept_version(model)
        if kept or shape.version > 1:  # nothing is said of the first, unless beside another
            both = {kept or shape.version, shape.version}
            lines += [f"{subject}<{SCHEMA_VERSION}> {integer(v)} .\n" for v in both]
        name, written = "", dict[str, str]()
        try:
            for name, predicate, write, plan in shape.rows:
                value = values[name]
                if value is None:
                    continue
                if write is not None:
                    written[name] = term = write(value)
                    lines.append(f"{subject}{predicate}{term} .\n")
                else:
                    terms = _terms(value, plan, files)
                    lines += [f"{subject}{predicate}{term} .\n" for term in terms]
        except RecordError as error:
            raise unwritten(name, error) from error
        if model.identity() in ("result", "event") and not kept:
            # all of it in one word, so that one object is never made of two
            digest = content_digest(model, written=written)
            lines.append(f'{subject}<{CONTENT}> "{digest}" .\n')
    return "".join(lines).encode()


def _terms(value: Any, plan: FieldPlan, files: ArrayFiles | None) -> Iterable[str]:
    """Return the terms of an array or a container, its order last when it has one."""
    if plan.kind == "array":
        return (literal(to_text(value, files), ARRAY_DATATYPE),)
    terms = [plan.write(item) for item in value]
    several = list(dict.fromkeys(terms))
    # one value needs no order; an empty container must be told apart from the default
    if (len(terms) > 1 and plan.container == "tuple") or is_emptied(value, plan):
        several.append(literal(json.dumps(terms, ensure_ascii=False), ORDER_DATATYPE))
    return several
