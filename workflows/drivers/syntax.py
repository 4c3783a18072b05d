"""What is read of Python's syntax trees by looking at them alone."""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

from workflows.engine.devices.card import CommandCard
from workflows.engine.devices.terms import GIVEN, is_value
from workflows.text.safe_text import on_one_line

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


def keeps_states(one: ast.ClassDef) -> bool:
    """Tell whether a class assigns to attributes."""
    return any(isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
               for node in ast.walk(one))  # fmt: skip


def public(body: Sequence[ast.stmt]) -> Iterator[Function]:
    """Iterate over the functions that are commands: public ones, but for properties."""
    for one in body:
        if isinstance(one, Function) and not one.name.startswith("_"):
            overload = any(name_of(mark) == "overload" for mark in one.decorator_list)
            if not overload and not is_property(one):
                yield one


def name_of(mark: ast.expr) -> str:
    """Return the name of a decorator, without where it comes from."""
    mark = mark.func if isinstance(mark, ast.Call) else mark
    return getattr(mark, "id", getattr(mark, "attr", ""))


def is_property(function: Function) -> bool:
    """Tell whether a method is read, or assigned, as an attribute."""
    marks = {name_of(one) for one in function.decorator_list}
    return bool(marks & {"property", "cached_property", "setter", "getter", "deleter"})


def root_of(node: ast.AST) -> str:
    """Return the name that a chain of parts begins with; empty for none."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def digest_of(text: str) -> str:
    """Return the digest of a module."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def given_term(name: str) -> ast.expr:
    """Return an argument as a term."""
    return ast.Attribute(ast.Name(GIVEN, ast.Load()), name, ast.Load())


def both(one: ast.expr, other: ast.expr) -> ast.expr:
    """Return the term that both hold."""
    if isinstance(other, ast.Constant) and other.value is True:
        return one
    return ast.BoolOp(ast.And(), [one, other])


def first_line(docstring: str) -> str:
    """Return the first line of a docstring, printable."""
    lines = docstring.strip().splitlines()
    return on_one_line(lines[0]).strip()[:200] if lines else ""


def without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a body from its first statement on."""
    match body:
        case [ast.Expr(value=ast.Constant(value=str())), *rest]:
            return rest
        case _:
            return body


def assigned(body: Sequence[ast.stmt], box: str = "") -> Iterator[tuple[str, ast.expr | None]]:
    """Iterate over the names, or the attributes of an object, that a body assigns."""
    for one in body:
        targets: list[ast.expr] = []
        if isinstance(one, ast.Assign):
            targets = one.targets
        elif isinstance(one, ast.AnnAssign):
            targets = [one.target]
        value = getattr(one, "value", None)
        for target in targets:
            for part, said in _pairs(target, value):
                if not box and isinstance(part, ast.Name):
                    yield part.id, said
                if isinstance(part, ast.Attribute) and box == getattr(part.value, "id", None):
                    yield part.attr, said


def _pairs(target: ast.expr, value: ast.expr | None) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Iterate over the parts of a target, each with its value, or with the whole one."""
    if not isinstance(target, ast.Tuple | ast.List):
        yield (target.value if isinstance(target, ast.Starred) else target), value
        return
    parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
    alike = len(parts) == len(target.elts)
    alike &= not any(isinstance(one, ast.Starred) for one in (*parts, *target.elts))
    for number, one in enumerate(target.elts):
        yield from _pairs(one, parts[number] if alike else value)


def is_kept(tree: ast.Module, name: str) -> bool:
    """Tell whether something is assigned to a part of what has that name."""
    return any(
        isinstance(one, ast.Attribute | ast.Subscript)
        and isinstance(one.ctx, ast.Store)
        and isinstance(one.value, ast.Name)
        and one.value.id == name
        for one in ast.walk(tree)
    )


def is_read(body: Sequence[ast.stmt], name: str) -> bool:
    """Tell whether a condition names it, or a command assigns it."""
    functions = [one for one in body if isinstance(one, Function) and one.name != "__init__"]
    for function in functions:
        for one in ast.walk(function):
            stores = isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)
            if stores and isinstance(one, ast.Attribute) and one.attr == name:
                return True
            if isinstance(one, ast.If | ast.Assert) and any(
                (isinstance(part, ast.Attribute) and part.attr == name)
                or (isinstance(part, ast.Name) and part.id == name)
                for part in ast.walk(one.test)
            ):
                return True
    return False


def is_static(function: Function) -> bool:
    """Tell whether a method takes no object."""
    return any(isinstance(one, ast.Name) and one.id == "staticmethod"
               for one in function.decorator_list)  # fmt: skip


def raises(one: ast.If) -> bool:
    """Tell whether an error is raised in a branch."""
    return any(isinstance(part, ast.Raise) for part in ast.walk(one))


def text_returned(body: Sequence[ast.stmt]) -> str:
    """Return the text that a branch ends with; empty where it returns none."""
    if not body or not isinstance(body[-1], ast.Return):
        return ""
    match body[-1].value:
        case ast.Constant(value=str(text)) if text:
            return on_one_line(text)
        case ast.Dict(values=values):
            texts = [
                on_one_line(one.value)
                for one in values
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            return next((one for one in texts if " " in one), "")
        case _:
            return ""


def message_of(error: ast.expr | None) -> str:
    """Return the text of what is raised, with … for what is filled in."""
    if isinstance(error, ast.Call):
        texts = [message_of(one) for one in error.args]
        return next((one for one in texts if one), "") or message_of(error.func)
    match error:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(
                str(one.value) if isinstance(one, ast.Constant) else "…" for one in parts
            )
        case ast.Name(id=name):
            return " ".join(re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)).lower()
        case _:
            return ""


def state_values(state: str, begins: Any, commands: dict[str, CommandCard]) -> tuple[Any, ...]:
    """Return the values that a state can have, where all are texts that stand in the module."""
    if not isinstance(begins, str):
        return ()
    found = {begins: None}
    for command in commands.values():
        if (text := command.makes.get(state)) is None:
            continue
        term = ast.parse(text, mode="eval").body
        for part in ends_of(term):
            if isinstance(part, ast.Name) and part.id == state:
                continue
            if not isinstance(part, ast.Constant) or not isinstance(part.value, str):
                return ()
            found[part.value] = None
    return tuple(found)


def ends_of(term: ast.expr) -> Iterator[ast.expr]:
    """Iterate over what a term with conditions can come to."""
    if isinstance(term, ast.IfExp):
        yield from ends_of(term.body)
        yield from ends_of(term.orelse)
    else:
        yield term


def annotated(
    node: ast.expr | None,
) -> tuple[str, tuple[Any, ...], bool, float | None, float | None]:
    """Return what an annotation says: kind, choices, whether it may be None, and limits."""
    kind, choices, may_be_none = "", tuple[Any, ...](), False
    low: float | None = None
    high: float | None = None
    parts = [node]
    for _ in range(20):
        if not parts:
            break
        match parts.pop():
            case ast.Constant(value=str(text)) if len(text) < 200:
                try:
                    parts.append(ast.parse(text, mode="eval").body)
                except (SyntaxError, ValueError, MemoryError, RecursionError):
                    continue
            case ast.Constant(value=None):
                may_be_none = True
            case ast.Name(id=name) | ast.Attribute(attr=name) if name in (
                "int", "float", "str", "bool",
            ):  # fmt: skip
                kind = kind or name
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                parts += [right, left]
            case ast.Subscript(value=outer, slice=inner):
                name = outer.id if isinstance(outer, ast.Name) else getattr(outer, "attr", "")
                within = inner.elts if isinstance(inner, ast.Tuple) else [inner]
                if name == "Optional":
                    may_be_none = True
                    parts.append(inner)
                elif name == "Union":
                    parts += reversed(within)
                elif name == "Literal":
                    choices = tuple(
                        one.value
                        for one in within
                        if isinstance(one, ast.Constant) and is_value(one.value)
                    )
                    kinds = {type(one).__name__ for one in choices}
                    kind = kinds.pop() if len(kinds) == 1 else ""
                elif name == "Annotated":
                    parts.append(within[0])
                    for one in within[1:]:
                        for word in getattr(one, "keywords", ()):
                            if isinstance(word.value, ast.Constant) and isinstance(
                                word.value.value, int | float
                            ):
                                low = word.value.value if word.arg in ("ge", "gt") else low
                                high = word.value.value if word.arg in ("le", "lt") else high
            case _:
                continue
    return kind, choices, may_be_none, low, high
