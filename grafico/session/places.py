"""Where results have a property, their subject and their level, as paths that a store follows.

A result is what an activity has made, or what a run says that it came to. Numbers of its parts
count as its own where the part says neither subject nor level, as the acid of an acidity constant
does. A part that says both stands for itself, wherever it is held: each gap of several, say, or the
reactions of a ring strain.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ogm import GraphModel
from ogm.fields import FieldPlan, linked
from ogm.model import storable
from ontologies.level import Level
from workflows.engine.request.definition import Subject
from workflows.registry import subjects
from workflows.text.names import plain

DEPTH = 4
"""Fields in a row that lead from a result to what takes part in it, at most."""


@dataclass(frozen=True)
class Way:
    """How a result is about something.

    Attributes:
        subject: path to it; empty where it is about none.
        level: path to the level of theory; empty for none.
        whole: whether the result is about it, rather than about something in which it takes part.
    """

    subject: str
    level: str
    whole: bool = True


@dataclass(frozen=True)
class Place:
    """Where the results of a class have a property, their subject and their level, as paths.

    Attributes:
        value: path to the number.
        unit: its unit, as results have it.
        way: paths to subject and level.
        holders: path from what holds such a result to it; empty where nothing does.
    """

    value: str
    unit: str
    way: Way
    holders: str = ""


def origin(found: Collection[Place]) -> str:
    """Return what a query says of `?when` a `?result` was made: by an activity, else by a run.

    Args:
        found: places of the results.
    """
    run = "?outcome g:results {} ; prov:endedAtTime ?when ."
    made = "?activity prov:generated ?result ; prov:endedAtTime ?when ."
    none = "FILTER NOT EXISTS { ?maker prov:generated ?result }"
    origins = [made, f"{run.format('?result')} {none}"]
    if holders := "|".join(sorted({one.holders for one in found} - {""})):
        origins.append(f"?holder {holders} ?result . {run.format('?holder')} {none}")
    return " UNION ".join(f"{{ {way} }}" for way in origins)


def places(kind: Subject[Any], wanted: str, *, parts: bool) -> set[Place]:
    """Return where results about a kind of subject have a property.

    Args:
        kind: of the subject.
        wanted: the property in plain spelling: in full, or by the beginning of its name, where
            nothing is called so.
        parts: whether they may be about something in which the subject takes part, too.
    """
    return {
        Place(path, one.unit.code if one.unit else "", way, _holders(cls, classes))
        for classes, cls, path, one in _named(wanted)
        for way in ways(kind, cls)
        if way.whole or parts
    }


def places_alone(kinds: Collection[Subject[Any]], wanted: str) -> set[Place]:
    """Return where results have a property that are about no subject alone, such as a barrier's.

    Args:
        kinds: of subjects; a result that is about one of them has its place among `places`.
        wanted: the property, likewise.
    """
    return {
        Place(
            path,
            one.unit.code if one.unit else "",
            Way("", next(iter(_paths(cls, Level)), ""), whole=False),
            _holders(cls, classes),
        )
        for classes, cls, path, one in _named(wanted)
        if not any(way.whole for kind in kinds for way in ways(kind, cls))
    }


def _named(
    wanted: str,
) -> Iterator[tuple[tuple[type[GraphModel], ...], type[GraphModel], str, FieldPlan]]:
    """Iterate over all classes, a class, a path and the property there, of those called so."""
    classes = tuple(storable(GraphModel))
    fields = [(cls, path, one) for cls in classes for path, one in _numbers(cls)]
    named = [one for one in fields if plain(one[2].name) == wanted]
    lengths = {
        cls: (cls, path, other)
        for cls, _, one in named
        for path, other in reversed(list(_numbers(cls)))
        if one.kind == "array" and other.kind == "float" and one.unit == other.unit
        if plain(other.name.split("_")[0]) == wanted
    }  # of a vector its length, such as `dipole_moment` of `dipole`, which tables show
    named = [one for one in named if one[0] not in lengths] + list(lengths.values())
    if not named:  # of several that begin so the first, which is what its class is about
        begun = [one for one in fields if plain(one[2].name.split("_")[0]) == wanted]
        named = list({cls: (cls, path, one) for cls, path, one in reversed(begun)}.values())
    yield from ((classes, *one) for one in named)


def ways(kind: Subject[Any], cls: type[GraphModel]) -> list[Way]:
    """Return how objects of a class are about a kind of subject: in no way, or in one or more.

    Their own field names it, or that of an object that they have; else what takes part in them
    does, in lists of theirs.
    """
    level = next(iter(_paths(cls, Level)), "")
    if path := _own(kind, cls):
        return [Way(path, level)]
    for part in _single(cls):
        if path := _own(kind, part.target):
            return [Way(f"<{part.predicate}>/{path}", level)]
    return [Way(path, level, whole=False) for path in _paths(cls, kind.model)]


def _own(kind: Subject[Any], cls: type[GraphModel]) -> str:
    """Return the path from objects of a class to their subject: the field of its name, or one."""
    plans = [one for one in _single(cls) if issubclass(one.target, kind.model)]
    named = [one for one in plans if one.name == kind.field] or plans
    return f"<{named[0].predicate}>" if named else ""


def _single(cls: type[GraphModel]) -> list[FieldPlan]:
    return [one for one in cls.fields() if one.kind == "model" and one.container == "one"]


@functools.lru_cache(4096)
def _paths(cls: type[GraphModel], model: type[GraphModel]) -> tuple[str, ...]:
    """Return the shortest paths from objects of a class to those of another that they hold."""
    front: list[tuple[str, type[GraphModel]]] = [("", cls)]
    for _ in range(DEPTH):
        steps = [
            (f"{path}<{one.predicate}>", one.target)
            for path, at in front
            for one in at.fields()
            if one.kind == "model"
        ]
        if found := [path for path, target in steps if issubclass(target, model)]:
            return tuple(dict.fromkeys(found))
        front = [(f"{path}/", target) for path, target in steps]
    return ()


def _numbers(cls: type[GraphModel]) -> Iterator[tuple[str, FieldPlan]]:
    """Iterate over the values of a class with their paths: its own, and those that parts lend."""
    yield from ((f"<{one.predicate}>", one) for one in _values(cls))
    asked = (Level, *(kind.model for kind in subjects().values()))
    for part in _single(cls):
        if not _stands(part.target) and not issubclass(part.target, asked):
            yield from ((f"<{part.predicate}>/<{n.predicate}>", n) for n in _values(part.target))


def _values(cls: type[GraphModel]) -> list[FieldPlan]:
    """Return the fields with values; not those with which one repeats a result that it links to."""
    results = [one for one in linked(cls) if one.identity() == "result"]
    again = {one.name for result in results for one in result.fields()}
    again = set[str]() if cls.identity() == "result" else again
    return [
        one for one in cls.fields() if one.kind not in ("model", "link") and one.name not in again
    ]


def _stands(cls: type[GraphModel]) -> bool:
    """Tell whether what a part says is its own: a result, or with a subject and a level."""
    parts = [one for one in cls.fields() if one.kind == "model"]
    levels = [one for one in parts if issubclass(one.target, Level)]
    return cls.identity() != "value" or len(parts) > len(levels) > 0


def _holders(cls: type[GraphModel], classes: tuple[type[GraphModel], ...]) -> str:
    """Return the path to objects of a class from those of others that hold them."""
    if cls.identity() != "value" or not _stands(cls):
        return ""
    fields = (one for other in classes for one in other.fields() if one.kind == "model")
    held = {f"<{one.predicate}>" for one in fields if issubclass(cls, one.target)}
    return f"({'|'.join(sorted(held))})" if held else ""
