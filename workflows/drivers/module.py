"""A module that is read: what is found of it so far, and what has to be asked."""

from __future__ import annotations

import ast
from typing import Any, TypeAlias

from workflows.text.safe_text import on_one_line

from .arguments import SHOWN
from .syntax import Function, is_static
from .unseen import Unseen

PLAIN = {"staticmethod", "classmethod", "abstractmethod"}
"""Decorators that add nothing to what a function needs and makes."""

Terms: TypeAlias = dict[str, ast.expr]


class Module:
    """What the readers of a module share.

    Args:
        tree: the module.
        holder: the class whose methods are the commands; None for functions of the module.

    Attributes:
        functions: of the class, or the module, by name.
        helpers: functions of the module.
        constants: names of the module that stand for a value.
        boxes: names of objects that keep states: `attribute` or `item`.
        unseen: looks for what acts and is not followed.
        states: by name, with their values at first.
        unknown: the questions.
        where: which part of it is read now.
    """

    def __init__(self, tree: ast.Module, holder: ast.ClassDef | None) -> None:
        self.tree, self.holder = tree, holder
        self.body = tree.body if holder is None else holder.body
        self.functions = {one.name: one for one in self.body if isinstance(one, Function)}
        self.helpers = {one.name: one for one in tree.body if isinstance(one, Function)}
        self.constants, self.boxes = Terms(), dict[str, str]()
        self.unseen = Unseen(tree, holder, self.boxes)
        self.states = dict[str, Any]()
        self.unknown = list[str]()
        self.where = ""

    def ask(self, node: ast.AST | None, question: str) -> None:
        """Write a question down, with the line and the text that it is about."""
        line = getattr(node, "lineno", None)
        shown = ""
        if node is not None:
            shown = ": " + on_one_line(" ".join(ast.unparse(node).split()))[:SHOWN]
        place = f"{self.where}, line {line}" if line and self.where else self.where or "module"
        self.unknown.append(f"{place}: {question}{shown}"[:300])

    def ask_signature(self, function: Function) -> None:
        """Ask about decorators, and about names that hide what keeps states."""
        for one in function.decorator_list:
            if not (isinstance(one, ast.Name) and one.id in PLAIN):
                self.ask(one, "what does its decorator need and make")
        given = [one for one in ast.walk(function.args) if isinstance(one, ast.arg)]
        if self.holder is not None and self.functions.get(function.name) is function:
            first = given[0].arg if given else ""
            if not is_static(function) and first != "self":
                self.ask(None, f"its object is named {first or 'nothing'}, not self; what is made")
            given = given if is_static(function) else given[1:]
        for one in given:
            if one.arg in self.boxes:
                self.ask(one, "which of the two of this name is meant")
