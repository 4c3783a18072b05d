"""Expressions of a module, as terms over the states and arguments of a device."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from workflows.engine.devices.terms import TermError, check, is_value

from .module import Module, Terms


@dataclass
class BodyPath:
    """Where reading a body stands.

    Attributes:
        made: states that have been assigned, as terms over those before the command.
        local: names of the function, likewise.
        shared: names that the function declares as `global`.
        over: when the body has ended before; None for never.
        raised: whether it always ends with an error.
    """

    made: Terms = field(default_factory=Terms)
    local: Terms = field(default_factory=Terms)
    shared: set[str] = field(default_factory=set[str])
    over: ast.expr | None = None
    raised: bool = False

    def copy(self) -> BodyPath:
        """Return another that goes on from here."""
        return BodyPath(dict(self.made), dict(self.local), self.shared, self.over, self.raised)

    @property
    def ended(self) -> bool:
        """Whether nothing behind is reached."""
        return isinstance(self.over, ast.Constant) and bool(self.over.value)


UNREADABLE = ast.Constant(...)
"""What a name is that was assigned something which is no term."""


class UnreadableError(Exception):
    """Something cannot be said as a term."""


class Expressions:
    """Reads expressions.

    Args:
        module: in which they stand.
    """

    def __init__(self, module: Module) -> None:
        self.module = module

    def state(self, node: ast.expr) -> str | None:
        """Return the state that an expression of the module is; None for none."""
        match node:
            case ast.Attribute(value=ast.Name(id=box), attr=name) if (
                self.module.boxes.get(box) == "attribute"
            ):
                return name
            case ast.Subscript(value=ast.Name(id=box), slice=ast.Constant(value=str(name))) if (
                self.module.boxes.get(box) == "item"
            ):
                return name
            case ast.Name(id=name) if name in self.module.states and self._is_global(name):
                return name
            case _:
                return None

    def _is_global(self, name: str) -> bool:
        return any(
            isinstance(one, ast.Global) and name in one.names for one in ast.walk(self.module.tree)
        )

    def read(self, node: ast.expr, path: BodyPath) -> ast.expr | None:
        """Return an expression as a term; None where it is none."""
        try:
            found = self._said(node, path)
            check(found)
        except (UnreadableError, TermError):
            return None
        return found

    def _said(self, node: ast.expr, path: BodyPath) -> ast.expr:
        match node:
            case ast.Name(id=name) if name in path.local:
                return path.local[name]
            case _ if (state := self.state(node)) is not None:
                if state not in self.module.states:
                    raise UnreadableError
                return path.made.get(state, ast.Name(state))
            case ast.Name(id=name) if name in self.module.constants:
                return self.module.constants[name]
            case ast.Constant(value=value) if is_value(value):
                return node
            case ast.Call(func=ast.Name(id="all" | "any" as which), args=[one]) if isinstance(
                one, ast.List | ast.Tuple
            ):
                parts = [self._said(part, path) for part in one.elts]
                return ast.BoolOp(ast.And() if which == "all" else ast.Or(), parts)
            case ast.Call(func=ast.Name(id="bool"), args=[one]):
                inner = self._said(one, path)
                return ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), inner))
            case ast.BoolOp(op=op, values=parts):
                return ast.BoolOp(op, [self._said(one, path) for one in parts])
            case ast.UnaryOp(op=ast.Not() | ast.USub() as op, operand=one):
                return ast.UnaryOp(op, self._said(one, path))
            case ast.Compare(left=left, ops=ops, comparators=others):
                each = [self._said(one, path) for one in others]
                return ast.Compare(self._said(left, path), ops, each)
            case ast.BinOp(left=left, op=op, right=right):
                return ast.BinOp(self._said(left, path), op, self._said(right, path))
            case ast.IfExp(test=test, body=yes, orelse=no):
                each = [self._said(one, path) for one in (test, yes, no)]
                return ast.IfExp(*each)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                return ast.Tuple([self._said(one, path) for one in parts], ast.Load())
            case _:
                raise UnreadableError

    def matters(self, node: ast.AST, path: BodyPath) -> bool:
        """Tell whether a part of a body may refuse, or change a state."""
        if self.module.unseen.acts(node, path.local):
            return True
        for one in ast.walk(node):
            if isinstance(one, ast.Raise | ast.Assert | ast.Return):
                return True
            stored = isinstance(getattr(one, "ctx", None), ast.Store | ast.Del)
            if stored and isinstance(one, ast.expr) and self.state(one) is not None:
                return True
            if stored and isinstance(one, ast.Name) and one.id in path.shared:
                return True
        return False
