"""What a JSON schema says of one argument: its kind, choices and limits, as far as it is plain.

Source: JSON Schema, drafts 4 to 2020-12 (https://json-schema.org/specification).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from workflows.engine.devices.card import MOST
from workflows.engine.devices.terms import is_value
from workflows.text.safe_text import on_one_line

from .arguments import Declared

PARTS = 100
"""Of the schema of an argument, references followed: one that needs more is not plain."""

KINDS = {"integer": "int", "number": "float", "string": "str", "boolean": "bool"}
"""What an argument of a command can be."""

FORMS = {"array": "a list", "object": "an object"}
"""What it cannot."""

TOLD = {
    "pattern": "pattern",
    "format": "format",
    "minLength": "letters at least",
    "maxLength": "letters at most",
    "multipleOf": "multiples of",
}
"""Of texts and numbers, what a device file has no place for but words."""

Schema: TypeAlias = Mapping[str, Any]


@dataclass
class Shape:
    """What a schema says.

    Attributes:
        types: of JSON.
        choices: the values; None for any.
        nullable: whether it may be null.
        default: the value where it is left out; `...` for none.
        low: the smallest number.
        high: the largest one.
        above: whether `low` itself is no value.
        below: whether `high` itself is none.
        text: what it says in words.
        more: what else holds, in words.
        unclear: what of it is not read; empty for nothing.
    """

    types: set[str] = field(default_factory=set[str])
    choices: list[Any] | None = None
    nullable: bool = False
    default: Any = ...
    low: float | None = None
    high: float | None = None
    above: bool = False
    below: bool = False
    text: str = ""
    more: list[str] = field(default_factory=list[str])
    unclear: str = ""

    @property
    def kind(self) -> str:
        """`int`, `float`, `str` or `bool`; empty where it is none, or not said."""
        types = self.types or {_type_of(one) for one in self.choices or ()}
        if types == {"integer", "number"}:
            return "float"
        return KINDS.get(next(iter(types)), "") if len(types) == 1 else ""

    @property
    def form(self) -> str:
        """In words what it is that is no number, text, or true or false; empty for nothing."""
        if self.unclear:
            return self.unclear
        if len(self.types) > 1 and not self.kind:
            return " or ".join(FORMS.get(one, one) for one in sorted(self.types))
        return next((FORMS.get(one, "") for one in self.types), "")

    def declared(self, required: bool) -> Declared:
        """Return it as a declaration.

        Args:
            required: whether it has to be given.
        """
        kind, low, high = self.kind, self.low, self.high
        if kind == "int":
            low = None if low is None else math.floor(low) + 1 if self.above else math.ceil(low)
            high = None if high is None else math.ceil(high) - 1 if self.below else math.floor(high)
        choices = [] if self.choices is None else [_as(one, kind) for one in self.choices]
        default = None if required or self.default is ... else _as(self.default, kind)
        return Declared(kind, tuple(choices), low, high, not required or self.nullable, default)


def shape_of(schema: object, root: Schema) -> Shape:
    """Return what the schema of an argument says.

    Args:
        schema: of it.
        root: the whole in which `$ref` is looked up.
    """
    return _Flat(root).read(schema)


class _Flat:
    """Reads what a schema and those it refers to say, a bounded number of parts."""

    def __init__(self, root: Schema) -> None:
        self.root, self.left = root, PARTS

    def read(self, schema: object) -> Shape:
        found, parts, followed = Shape(), [schema], set[str]()
        while parts:
            self.left -= 1
            part = parts.pop()
            if self.left < 0:
                found.unclear = "a schema of too many parts"
                return found
            if not isinstance(part, dict):
                if part is not True:
                    found.unclear = "no schema"
                continue
            said = cast("Schema", part)
            if (ref := said.get("$ref")) is not None:
                target = looked_up(ref, self.root)
                if target is ... or ref in followed:
                    why = "leads in a circle" if target is not ... else "is not within the tool"
                    found.unclear = f"a $ref that {why}{_quoted(ref)}"
                else:
                    followed.add(ref)
                    parts.append(target)
            if isinstance(every := said.get("allOf"), list):
                parts += cast("list[object]", every)
            for word in ("anyOf", "oneOf"):
                if isinstance(ways := said.get(word), list):
                    self._either(cast("list[object]", ways), found)
            if said.keys() & {"not", "if"}:
                found.unclear = "a schema with conditions"
            _plain(said, found)
        return found

    def _either(self, ways: Sequence[object], found: Shape) -> None:
        """Take in one of several: null beside another, values, or whole and other numbers."""
        each = list[Shape]()
        for one in ways:
            shape = self.read(one)
            if self.left < 0:
                found.unclear = shape.unclear
                return
            if shape.nullable and not shape.types and not shape.choices and not shape.unclear:
                found.nullable = True
            else:
                each.append(shape)
        found.nullable |= any(one.nullable for one in each)
        if not each:
            return
        first = each[0]
        for one in each:
            found.types |= one.types
            found.unclear = found.unclear or one.unclear
            found.text = found.text or one.text
            found.default = one.default if found.default is ... else found.default
        if all(one.choices is not None for one in each):
            _choose([value for one in each for value in one.choices or ()], found)
        elif len(each) > 1 and any(_limits(one) != _limits(first) for one in each):
            found.unclear = found.unclear or "one of several schemas"
        else:
            if first.choices is not None:
                _choose(first.choices, found)
            _bound(found, first.low, first.above, first.high, first.below)
            found.more += first.more


def looked_up(ref: object, root: Schema) -> Any:
    """Return what a reference within a schema leads to; `...` for nothing there.

    Source: RFC 6901.
    """
    if not isinstance(ref, str) or not ref.startswith("#") or len(ref) > 1000:
        return ...
    at: Any = root
    for part in ref[1:].split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(at, dict) and name in at:
            at = cast("Schema", at)[name]
        elif isinstance(at, list) and name.isdecimal() and len(name) < 6:
            inner = cast("list[Any]", at)
            at = inner[int(name)] if int(name) < len(inner) else ...
        else:
            return ...
    return at


def _plain(said: Schema, found: Shape) -> None:
    """Take in what one schema says itself."""
    types = said.get("type")
    for one in cast("list[Any]", types)[:PARTS] if isinstance(types, list) else [types]:
        if one == "null":
            found.nullable = True
        elif isinstance(one, str) and one in {*KINDS, *FORMS}:
            found.types.add(one)
        elif one is not None:
            found.unclear = f"of no known type{_quoted(one)}"
    if said.keys() & {"properties", "additionalProperties"}:
        found.types.add("object")
    if said.keys() & {"items", "prefixItems"}:
        found.types.add("array")
    if "const" in said:
        _choose([said["const"]], found)
    if "enum" in said:
        values = said["enum"]
        _choose(cast("list[Any]", values) if isinstance(values, list) else [values], found)
    if "default" in said and found.default is ...:
        if is_value(said["default"]):
            found.default = said["default"]
        else:
            found.more.append("another default")
    for word in ("description", "title"):
        if not found.text and isinstance(text := said.get(word), str):
            found.text = text
    low, high = _number(said.get("minimum")), _number(said.get("maximum"))
    _bound(
        found, low, said.get("exclusiveMinimum") is True, high, said.get("exclusiveMaximum") is True
    )
    low, high = _number(said.get("exclusiveMinimum")), _number(said.get("exclusiveMaximum"))
    _bound(found, low, True, high, True)
    for word, told in TOLD.items():
        if (value := said.get(word)) is not None and isinstance(value, str | int | float):
            found.more.append(f"{told} {on_one_line(str(value)[:60])}")


def _number(found: object) -> float | None:
    """Return a limit; None for none, or one that no device has."""
    if isinstance(found, bool) or not isinstance(found, int | float) or not is_value(found):
        return None
    return float(found)


def _bound(found: Shape, low: float | None, above: bool, high: float | None, below: bool) -> None:
    """Let limits hold, too."""
    if low is not None and (found.low is None or (low, above) > (found.low, found.above)):
        found.low, found.above = low, above
    if high is not None and (
        found.high is None or (high, not below) < (found.high, not found.below)
    ):
        found.high, found.below = high, below


def _choose(values: Sequence[Any], found: Shape) -> None:
    """Let a list of values hold, too."""
    if None in values[: MOST + 1]:
        found.nullable = True
    kept = [one for one in values[: MOST + 2] if one is not None]
    if len(kept) > MOST:
        found.unclear = f"one of {len(values):,} values"
        return
    if not all(map(is_value, kept)):
        found.unclear = "one of values that are no plain ones"
        return
    if found.choices is not None:
        had = {(_type_of(one), one) for one in found.choices}
        kept = [one for one in kept if (_type_of(one), one) in had]
    found.choices = list({(_type_of(one), one): one for one in kept}.values())
    if not found.choices and not found.nullable:
        found.unclear = "one of no values"


def _limits(found: Shape) -> tuple[Any, ...]:
    """What two schemas have to have in common to be taken for one."""
    return found.low, found.high, found.above, found.below, found.more, found.choices


def _quoted(found: object) -> str:
    return f": {on_one_line(found[:60])}" if isinstance(found, str) else ""


def _type_of(found: object) -> str:
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number")):
        if isinstance(found, kind):
            return name
    return "string"


def _as(found: Any, kind: str) -> Any:
    """Return a number of JSON as one of a kind: 5.0 is whole there."""
    if kind == "int" and isinstance(found, float) and found.is_integer():
        return int(found)
    return found
