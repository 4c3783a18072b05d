"""Terms: what a device file says of states and arguments, such as `lid == 'open'`.

A small part of Python's expressions, read by its parser and evaluated here: nothing is called,
nothing has an attribute but `given`, the arguments of a command, and nothing is imported.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, cast

Value: TypeAlias = bool | int | float | str | None
"""What a state or an argument can be."""

LONGEST = 2000
"""Letters of a term."""

DEEPEST = 40
"""Terms within terms."""

PARTS = 400
"""Of a term, of which two may be the same object: written out they are two."""

GIVEN = "given"
"""Before the name of an argument: `given.vial`."""

LARGEST = 1e15
"""Numbers beyond are none of a device."""

COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: lambda a, b: a == b,
    ast.NotEq: lambda a, b: a != b,
    ast.Is: lambda a, b: a is b,
    ast.IsNot: lambda a, b: a is not b,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}

COUNTED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: a / b,
}


class TermError(ValueError):
    """Something is no term, or has no value; says why as one clause."""


@lru_cache(4096)
def term(text: str) -> ast.expr:
    """Return a term that is written as text.

    Raises:
        TermError: it is none.
    """
    if len(text) > LONGEST:
        raise TermError(f"it has more than {LONGEST} letters")
    try:
        found = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise TermError(f"{text[:60]!r} is no term") from error
    check(found)
    return found


def check(node: ast.expr) -> None:
    """Refuse what is no term.

    Raises:
        TermError: that is so.
    """
    _check(node, 0, itertools.count(1))


def _check(node: ast.expr, depth: int, parts_so_far: Iterator[int]) -> None:
    if depth > DEEPEST:
        raise TermError("it is too deep")
    if next(parts_so_far) > PARTS:
        raise TermError(f"it has more than {PARTS} parts")
    match node:
        case ast.Constant(value=value) if is_value(value):
            return
        case ast.Name() | ast.Attribute(value=ast.Name(id="given")):
            return
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            pass
        case ast.Set(elts=parts):
            pass
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=one):
            parts = [one]
        case ast.Compare(left=left, comparators=others, ops=ops) if all(
            type(op) in COMPARED for op in ops
        ):
            parts = [left, *others]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in COUNTED:
            parts = [left, right]
        case ast.IfExp(test=test, body=body, orelse=orelse):
            parts = [test, body, orelse]
        case _:
            raise TermError(f"{ast.unparse(node)[:60]!r} is no part of a term")
    for one in parts:
        _check(one, depth + 1, parts_so_far)


def is_value(found: object) -> bool:
    """Tell whether something can be the value of a state or an argument."""
    if isinstance(found, float | int) and not isinstance(found, bool):
        return abs(found) <= LARGEST  # which NaN is not
    return found is None or isinstance(found, bool | str)


def names(node: ast.expr) -> tuple[set[str], set[str]]:
    """Return the states and the arguments that a term names."""
    inner = {id(one.value) for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    given = {one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)}
    named = {one.id for one in ast.walk(node) if isinstance(one, ast.Name) and id(one) not in inner}
    return named, given


def value(node: ast.expr, states: Mapping[str, Value], given: Mapping[str, Value]) -> Any:
    """Return what a term is.

    Args:
        node: of `term`.
        states: by name.
        given: the arguments, by name.

    Raises:
        TermError: it has no value: a name that is not there, or values that do not go together.
    """
    try:
        found = _value(node, states, given)
    except KeyError as error:
        raise TermError(f"there is no {error.args[0]}") from error
    except (TypeError, ZeroDivisionError, OverflowError) as error:
        raise TermError(f"{ast.unparse(node)[:80]!r}: {error}") from error
    if isinstance(found, float) and not math.isfinite(found):
        raise TermError(f"{ast.unparse(node)[:80]!r} is no number")
    return found


def _value(node: ast.expr, states: Mapping[str, Value], given: Mapping[str, Value]) -> Any:
    def of(one: ast.expr) -> Any:
        return _value(one, states, given)

    match node:
        case ast.Constant(value=found):
            return found
        case ast.Name(id=name):
            return states[name]
        case ast.Attribute(attr=name):
            return given[name]
        case ast.BoolOp(op=ast.And(), values=parts):
            found = True
            for one in parts:
                if not (found := of(one)):
                    break
            return found
        case ast.BoolOp(values=parts):
            found = False
            for one in parts:
                if found := of(one):
                    break
            return found
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            return tuple(map(of, parts))
        case ast.UnaryOp(op=op, operand=one):
            return not of(one) if isinstance(op, ast.Not) else -_number(of(one))
        case ast.Compare(left=left, ops=ops, comparators=others):
            first = of(left)
            for op, other in zip(ops, others, strict=True):
                second = of(other)
                if not COMPARED[type(op)](first, second):
                    return False
                first = second
            return True
        case ast.BinOp(left=left, op=op, right=right):
            return COUNTED[type(op)](_number(of(left)), _number(of(right)))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return of(body) if of(test) else of(orelse)
        case _:  # `check` lets nothing else pass
            raise TypeError("no term")


def _number(found: Any) -> int | float:
    """Refuse to count with anything else: texts could become as long as they like."""
    if isinstance(found, bool) or not isinstance(found, int | float):
        raise TypeError(f"{found!r} is no number")
    if abs(found) > LARGEST:
        raise TypeError("too large")
    return found


def text_of(node: ast.expr) -> str:
    """Return a term as text, in which a part may stand several times."""
    return ast.unparse(_apart(node))


def _apart(node: Any) -> Any:
    """Return a term in which each part is an object of its own: `unparse` tells them by that."""
    if isinstance(node, list):
        return [_apart(one) for one in cast("list[Any]", node)]
    if not isinstance(node, ast.AST):
        return node
    return type(node)(**{name: _apart(one) for name, one in ast.iter_fields(node)})


def constants(node: ast.expr) -> set[Value]:
    """Return the values that stand in a term."""
    found: set[Value] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Constant):
            found.add(cast(Value, one.value))
    return found
