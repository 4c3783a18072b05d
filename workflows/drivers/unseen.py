"""What of a module may change a state, or refuse, where reading a body line by line misses it."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence

from .syntax import Function, assigned, name_of, root_of

HIDDEN = {"globals", "vars", "exec", "eval", "setattr", "delattr", "suppress"}
"""Functions that change what their text does not name, or that hide errors."""

LOOKS = {"get", "keys", "values", "items", "copy"}
"""Methods of a dictionary that change nothing."""

SPECIAL = {
    "__new__", "__setattr__", "__getattr__", "__getattribute__", "__delattr__", "__init_subclass__",
}  # fmt: skip
"""Methods of a class that Python calls where no call is written."""


class Unseen:
    """Looks for what acts: raises an error, or changes what the functions of a module share.

    Args:
        tree: of the module.
        holder: the class whose methods are commands; None for functions of the module.
        boxes: names of objects that keep states, filled by the reader: `attribute` or `item`.
    """

    def __init__(
        self, tree: ast.Module, holder: ast.ClassDef | None, boxes: Mapping[str, str]
    ) -> None:
        self.holder, self.boxes = holder, boxes
        self.helpers = _by_name(tree.body)
        self.methods = _by_name(holder.body) if holder else {}
        kinds = [one for one in ast.walk(tree) if isinstance(one, ast.ClassDef)]
        kept = {id(one) for kind in (tree, *kinds) for one in kind.body}
        self.odd = {  # functions that are defined within others, or if something holds
            one.name: [one]
            for one in ast.walk(tree)
            if isinstance(one, Function) and id(one) not in kept
        }
        self.others = {
            one.name: _by_name(one.body)
            for one in kinds
            if one is not holder and not _is_error(one)
        }
        self._active = dict[str, bool]()
        self.aliases = dict[str, ast.expr]()
        for body in (tree.body, holder.body if holder else []):
            self.aliases |= {
                name: value
                for name, value in assigned(body)
                if value is not None and not isinstance(value, ast.Constant)
            }

    def acts(self, node: ast.AST, local: Collection[str] = ()) -> bool:
        """Tell whether evaluating something may raise, or change a state.

        Args:
            node: an expression, or a statement whose plain assignments are not looked at.
            local: names that are those of a function alone.
        """
        match node:
            case ast.Attribute(value=ast.Name(id=box), attr=name) if box in self.boxes:
                if name.startswith("__") and name.endswith("__"):
                    return True
                if self.boxes[box] == "item":
                    return name not in LOOKS
                if box != "self":
                    return any(self.is_active(name, one) for one in self.others.values())
                return self.is_active(name, self.methods) or self._is_odd(name)
            case ast.Subscript(value=ast.Name(id=box), slice=ast.Constant(value=str())) if (
                self.boxes.get(box) == "item"
            ):
                return False
            case ast.Attribute(value=ast.Name(id=box), attr=name) if (
                self.holder is not None and box == self.holder.name
            ):
                stored = not isinstance(node.ctx, ast.Load)
                return stored or name.startswith("__") or self.is_active(name, self.methods)
            case ast.Name(id=name):
                if name in self.boxes:
                    return name == "self" or name not in local
                if name in local:
                    return False
                if name in HIDDEN or self.is_active(name, self.helpers) or self._is_odd(name):
                    return True
                if self.holder is not None and name == self.holder.name:
                    return True
                return any(self._shared(one) for one in self._methods_of(name))
            case ast.Attribute(attr=name) if name == "suppress":
                return True
            case ast.Attribute(attr=name) if any(
                self._shared(one) for kind in self.others.values() for one in kind.get(name, ())
            ):
                return True
            case ast.Yield() | ast.YieldFrom():
                return True
            case ast.Attribute() | ast.Subscript() if not isinstance(node.ctx, ast.Load):
                return root_of(node) in self.boxes or self._within(node, local)
            case _:
                return self._within(node, local)

    def _within(self, node: ast.AST, local: Collection[str]) -> bool:
        return any(self.acts(one, local) for one in ast.iter_child_nodes(node))

    def calls(self, node: ast.AST) -> bool:
        """Tell whether something calls what acts, as it stands: to name it is no call."""
        return any(
            isinstance(one, ast.Call) and self.acts(one.func)
            for one in ast.walk(node)
            if not isinstance(one, ast.Lambda)
        )

    def is_active(self, name: str, among: Mapping[str, Sequence[Function]]) -> bool:
        """Tell whether a function may raise, or change a state."""
        return any(self._acting(one) for one in among.get(name, ()))

    def _is_odd(self, name: str) -> bool:
        if self.is_active(name, self.odd):
            return True
        if (value := self.aliases.get(name)) is None:
            return False
        key = f"={name}"
        if key not in self._active:
            self._active[key] = False  # an alias of itself
            self._active[key] = self.acts(value) or (
                isinstance(value, ast.Name) and self.is_active(value.id, self.methods)
            )
        return self._active[key]

    def _acting(self, function: Function) -> bool:
        key = f"{id(function)}"
        if key not in self._active:
            self._active[key] = True  # until it is known: who calls itself is asked about
            self._active[key] = self._does(function)
        return self._active[key]

    def _does(self, function: Function) -> bool:
        local = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
        for one in ast.walk(function):
            if isinstance(one, ast.Raise | ast.Assert | ast.Global):
                return True
            if isinstance(one, ast.Attribute | ast.Subscript):
                stored = not isinstance(one.ctx, ast.Load)
                if stored and root_of(one) in {*self.boxes, "self"}:
                    return True
        marks = [name_of(one) for one in function.decorator_list]
        plain = {"property", "staticmethod", "classmethod", "cached_property", "setter"}
        return bool(set(marks) - plain) or any(self.acts(one, local) for one in function.body)

    def _methods_of(self, name: str) -> Iterator[Function]:
        for each in self.others.get(name, {}).values():
            yield from each

    def _shared(self, function: Function) -> bool:
        """Tell whether a method of another class changes names of the module."""
        return any(isinstance(one, ast.Global) for one in ast.walk(function)) or any(
            isinstance(one, ast.Name) and one.id in HIDDEN for one in ast.walk(function)
        )


def _by_name(body: Sequence[ast.stmt]) -> dict[str, list[Function]]:
    found = dict[str, list[Function]]()
    for one in body:
        if isinstance(one, Function):
            found.setdefault(one.name, []).append(one)
    return found


def _is_error(kind: ast.ClassDef) -> bool:
    names = [name_of(one) for one in kind.bases]
    return any(one.endswith(("Error", "Exception", "Warning")) for one in names)
