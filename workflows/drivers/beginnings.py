"""The states of a device: where its module keeps them, and what they begin as."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from workflows.engine.devices.terms import is_value

from .module import Module
from .syntax import Function, assigned, is_kept, is_read, name_of, root_of, without_docstring
from .unseen import SPECIAL

KINDS = {"dataclass", "final", "runtime_checkable"}
"""Decorators of a class that leave it as it is."""

BASES = {"object", "ABC", "Protocol"}
"""Classes that bring no commands."""


class Beginnings:
    """Finds states.

    Args:
        module: it is told what is found.
    """

    def __init__(self, module: Module) -> None:
        self.module = module

    def find(self) -> None:
        """Find the states, and what they begin as."""
        module = self.module
        written = {
            name
            for one in ast.walk(module.tree)
            if isinstance(one, ast.Global)
            for name in one.names
        }
        for name, found in assigned(module.tree.body):
            if name in written:
                self._begin(name, found)
            elif isinstance(found, ast.Dict) and is_kept(module.tree, name):
                module.boxes[name] = "item"
                for key, inner in zip(found.keys, found.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        self._begin(key.value, inner)
            elif isinstance(found, ast.Call) and is_kept(module.tree, name):
                module.boxes[name] = "attribute"
                self._find_fields(found)
            elif isinstance(found, ast.Constant) and is_value(found.value):
                module.constants[name] = found
        self._ask_begun(module.tree.body)
        if module.holder is not None:
            module.boxes["self"] = "attribute"
            module.where = module.holder.name[:60]
            for one in module.holder.bases:
                if not (isinstance(one, ast.Name) and one.id in BASES):
                    module.ask(one, "which commands and states come from its base")
            for one in module.holder.keywords:
                module.ask(one.value, "what does its metaclass make")
            for one in module.holder.decorator_list:
                if name_of(one) not in KINDS:
                    module.ask(one, "what does its decorator make")
            for name in sorted(SPECIAL & module.functions.keys()):
                module.ask(None, f"what does {name} need and make")
            for name, found in assigned(module.holder.body):
                self._begin(name, found)
            self._ask_begun(module.holder.body)
            for name in ("__init__", "__post_init__"):
                if (begun := module.functions.get(name)) is not None:
                    self._begin_within(begun)

    def _begin_within(self, function: Function) -> None:
        """Find the states that a method begins."""
        self.module.where = function.name
        for name, found in assigned(function.body, "self"):
            self._begin(name, found)
        self._ask_begun(without_docstring(function.body))

    def _ask_begun(self, body: Sequence[ast.stmt]) -> None:
        """Ask about what begins states and is no plain assignment of a body."""
        module, unseen = self.module, self.module.unseen
        within = bool(module.where) and module.where.startswith("__")
        for one in body:
            match one:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Pass():
                    continue
                case ast.Import() | ast.ImportFrom() | ast.Global():
                    continue
                case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                    continue
                case ast.Assign(targets=targets, value=value):
                    acting = any(map(unseen.acts, targets)) if within else False
                    acting |= unseen.acts(value) if within else unseen.calls(value)
                case ast.AnnAssign(value=value):
                    acting = value is not None and unseen.calls(value)
                case _:
                    acting = unseen.acts(one) if within else unseen.calls(one)
                    acting |= within and any(isinstance(x, ast.Return) for x in ast.walk(one))
                    acting |= any(map(self._begins_again, ast.walk(one)))
            for part in ast.walk(one):
                stored = isinstance(getattr(part, "ctx", None), ast.Store | ast.Del)
                if isinstance(part, ast.Name) and stored and not within:
                    acting |= part.id in module.functions or part.id in module.helpers
                elif stored and isinstance(part, ast.Attribute) and module.holder is not None:
                    acting |= (
                        isinstance(part.value, ast.Name) and part.value.id == module.holder.name
                    )
            if acting:
                module.ask(one, "what does this begin or change")

    def _begins_again(self, part: ast.AST) -> bool:
        """Tell whether a part assigns a state, and forget a constant that it assigns."""
        if not isinstance(getattr(part, "ctx", None), ast.Store | ast.Del):
            return False
        if isinstance(part, ast.Name) and self.module.constants.pop(part.id, None):
            return False
        if isinstance(part, ast.Name):
            return part.id in self.module.states
        if isinstance(part, ast.Attribute):
            return part.attr in self.module.states or is_read(self.module.body, part.attr)
        return root_of(part) in self.module.boxes

    def _find_fields(self, call: ast.Call) -> None:
        """Find the states that an object of the module has, or one with fields by name."""
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        kinds = [one for one in self.module.tree.body if isinstance(one, ast.ClassDef)]
        for kind in kinds:
            if kind.name == name:
                for state, found in assigned(kind.body):
                    self._begin(state, found)
                for one in kind.body:
                    if isinstance(one, Function) and one.name in ("__init__", "__post_init__"):
                        self._begin_within(one)
                        self.module.where = ""
        for one in call.keywords:
            if one.arg:
                self._begin(one.arg, one.value)

    def _begin(self, name: str, found: ast.expr | None) -> None:
        if (name.startswith("__") and name.endswith("__")) or found is None:
            return
        if self.module.holder is not None and name in self.module.functions:
            self.module.ask(found, f"what does {name} begin as, which is a property")
            return
        with_value = isinstance(found, ast.Constant | ast.UnaryOp)
        try:
            begins = ast.literal_eval(found) if with_value else ...
        except (ValueError, TypeError, SyntaxError):
            begins = ...
        if begins is ... or not is_value(begins):
            if is_read(self.module.body, name):
                self.module.states[name] = None
                self.module.ask(found, f"what does the state {name} begin as")
            return
        self.module.states[name] = begins
