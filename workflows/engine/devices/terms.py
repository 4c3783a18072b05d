"""Terms: what a device file says of states and arguments, such as `lid == 'open'`.

A small part of Python's expressions, read by its parser and evaluated here: nothing is called,
nothing has an attribute but `given`, the arguments of a command, and nothing is imported.
"""

from __future__ import annotations

import ast
import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias, cast

Value: TypeAlias = bool | int | float | str | None
"""What a state or an argument can be."""

Meaning: TypeAlias = Callable[[Mapping[str, Value], Mapping[str, Value]], Any]

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


KEPT = 20_000
"""Terms that are kept: more than a device file has."""


@lru_cache(KEPT)
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
        found = _kept(node)(states, given)
    except KeyError as error:
        raise TermError(f"there is no {error.args[0]}") from error
    except (TypeError, ZeroDivisionError, OverflowError) as error:
        raise TermError(f"{ast.unparse(node)[:80]!r}: {error}") from error
    if isinstance(found, float) and not math.isfinite(found):
        raise TermError(f"{ast.unparse(node)[:80]!r} is no number")
    return found


def _meaning(node: ast.expr) -> Meaning:
    """Return a function of states and arguments that a term is."""
    match node:
        case ast.Constant(value=found):
            return lambda states, given: found
        case ast.Name(id=name):
            return lambda states, given: states[name]
        case ast.Attribute(attr=name):
            return lambda states, given: given[name]
        case ast.BoolOp(op=op, values=parts):
            return _joined(isinstance(op, ast.Or), [*map(_meaning, parts)])
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            each = [*map(_meaning, parts)]
            return lambda states, given: tuple([one(states, given) for one in each])
        case ast.UnaryOp(op=ast.Not(), operand=one):
            inner = _meaning(one)
            return lambda states, given: not inner(states, given)
        case ast.UnaryOp(operand=one):
            inner = _meaning(one)
            return lambda states, given: -_number(inner(states, given))
        case ast.Compare(left=left, ops=ops, comparators=others):
            pairs = zip((COMPARED[type(op)] for op in ops), map(_meaning, others), strict=True)
            return _compared(_meaning(left), list(pairs))
        case ast.BinOp(left=left, op=op, right=right):
            count, a, b = COUNTED[type(op)], _meaning(left), _meaning(right)
            return lambda states, given: count(_number(a(states, given)), _number(b(states, given)))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            when, yes, no = _meaning(test), _meaning(body), _meaning(orelse)
            return lambda states, given: (yes if when(states, given) else no)(states, given)
        case _:  # `check` lets nothing else pass
            raise TypeError("no term")


_kept = lru_cache(KEPT)(_meaning)


def _joined(is_or: bool, each: Sequence[Meaning]) -> Meaning:
    def joined(states: Mapping[str, Value], given: Mapping[str, Value]) -> Any:
        found: Any = None
        for one in each:
            found = one(states, given)
            if bool(found) is is_or:
                break
        return found

    return joined


def _compared(
    first: Meaning, pairs: Sequence[tuple[Callable[[Any, Any], Any], Meaning]]
) -> Meaning:
    def compared(states: Mapping[str, Value], given: Mapping[str, Value]) -> Any:
        before = first(states, given)
        for holds, one in pairs:
            then = one(states, given)
            if not holds(before, then):
                return False
            before = then
        return True

    return compared


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


def parts(node: ast.expr) -> int:
    """Return how many parts a term has: the work of evaluating it."""
    return sum(isinstance(one, ast.expr) for one in ast.walk(node))


def constants(node: ast.expr) -> set[Value]:
    """Return the values that stand in a term."""
    found: set[Value] = set()
    for one in ast.walk(node):
        if isinstance(one, ast.Constant):
            found.add(cast(Value, one.value))
    return found
