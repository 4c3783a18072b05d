"""Bodies of functions, followed line by line: what they make of states, and when they refuse."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from workflows.text.safe_text import on_one_line

from .expressions import UNREADABLE, BodyPath, Expressions
from .module import Module, Terms
from .syntax import (
    Function,
    both,
    is_property,
    is_static,
    message_of,
    raises,
    text_returned,
    without_docstring,
)

INLINED = 4
"""Functions within functions that are followed."""


class Body:
    """Follows a function, and those that it calls.

    Args:
        module: in which it stands.
        function: it.

    Attributes:
        refused: when it raises an error, and what is said then.
    """

    def __init__(self, module: Module, function: Function) -> None:
        self.module, self.expressions = module, Expressions(module)
        self.refused = list[tuple[ast.expr, str]]()
        self.following = [function]

    def follow(self, body: Sequence[ast.stmt], path: BodyPath, depth: int = 0) -> None:
        """Follow a body.

        Args:
            body: its statements.
            path: where it stands; what it makes is added.
            depth: functions within functions.
        """
        for one in body:
            if path.ended:
                return
            match one:
                case ast.Raise(exc=error):
                    self._refuse(ast.Constant(True), message_of(error), path)
                    path.over, path.raised = ast.Constant(True), path.over is None
                case ast.Return(value=value):
                    if self._evaluate(value, path, depth):
                        path.over = ast.Constant(True)
                case ast.Assert(test=test, msg=message):
                    self._evaluate(test, path, depth)
                    if (when := self._term(test, path, "it is refused unless")) is not None:
                        because = message_of(message) or f"not {ast.unparse(test)}"
                        self._refuse(ast.UnaryOp(ast.Not(), when), because, path)
                case ast.If():
                    self._branch(one, path, depth)
                case ast.Assign(targets=targets, value=value):
                    if self._evaluate(value, path, depth):
                        before = path.copy()
                        for target in targets:
                            self._assign(target, value, before, path)
                case ast.AnnAssign(target=target, value=ast.expr() as value):
                    if self._evaluate(value, path, depth):
                        self._assign(target, value, path.copy(), path)
                case ast.AugAssign(target=target, op=op, value=value):
                    self._overlooked(value, path)
                    before = copy.deepcopy(target)
                    self._assign(target, ast.BinOp(before, op, value), path.copy(), path)
                case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
                    for item in items:
                        self._overlooked(item, path)
                        self._forget(item, path)
                    self.follow(inner, path, depth)
                case ast.Global(names=names):
                    path.shared.update(names)
                case ast.Import(names=names) | ast.ImportFrom(names=names):
                    for name in names:
                        self._keep(ast.Name(name.asname or name.name), None, one, path)
                case ast.Nonlocal() | ast.Pass():
                    pass
                case ast.Expr(value=value):
                    self._evaluate(value, path, depth)
                case _:
                    self._forget(one, path)
                    if self.expressions.matters(one, path):
                        self.module.ask(one, "what does this need and make")

    def _evaluate(self, value: ast.expr | None, path: BodyPath, depth: int) -> bool:
        """Follow a call that is a whole expression, ask about others; tell whether it goes on."""
        awaited = isinstance(value, ast.Await)
        inner = value.value if isinstance(value, ast.Await) else value
        if not (isinstance(inner, ast.Call) and self._call(inner, path, depth, awaited)):
            self._overlooked(value, path)
        return not path.ended

    def _overlooked(self, node: ast.AST | None, path: BodyPath) -> None:
        """Ask about what acts within something that is not followed."""
        if node is None:
            return
        for one in ast.walk(node):
            if isinstance(one, ast.NamedExpr):
                self._keep(one.target, None, one, path)
        if self.module.unseen.acts(node, path.local):
            self.module.ask(node, "what does this need and make")

    def _forget(self, one: ast.AST, path: BodyPath) -> None:
        """Take the names that a statement assigns, and that is not followed, for unreadable."""
        for part in ast.walk(one):
            name = part.id if isinstance(part, ast.Name) else getattr(part, "name", None)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                continue
            if isinstance(name, str) and name not in path.shared:
                path.local[name] = UNREADABLE

    def _branch(self, one: ast.If, path: BodyPath, depth: int) -> None:
        """Follow both ways of a condition, and join them."""
        if (test := self.expressions.read(one.test, path)) is None:
            self._forget(one, path)
            if self.expressions.matters(one, path):
                asks = "it is refused when" if raises(one) else "what does this need and make"
                self.module.ask(one.test if raises(one) else one, asks)
            return
        self._overlooked(one.test, path)
        yes, no, outer = path.copy(), path.copy(), self.refused
        self.refused = list[tuple[ast.expr, str]]()
        self.follow(one.body, yes, depth)
        outer += [(both(test, when), because) for when, because in self.refused]
        self.refused = list[tuple[ast.expr, str]]()
        self.follow(one.orelse, no, depth)
        negated = ast.UnaryOp(ast.Not(), test)
        outer += [(both(negated, when), because) for when, because in self.refused]
        self.refused = outer
        for when, way, body in ((test, yes, one.body), (negated, no, one.orelse)):
            if not (way.ended and body and isinstance(body[-1], ast.Return)):
                continue
            if way.made == path.made and (said := text_returned(body)):
                # it does nothing and says so: what raises in other drivers
                self._refuse(when, said, path)
                self.module.ask(
                    one.test, f"it returns {said[:60]!r}, read as a refusal; is it one, when"
                )
                way.raised = True
            elif not self._returns_alike(body[-1]):
                shown = ast.unparse(body[-1])[:60]
                self.module.ask(one.test, f"it ends with {shown}; is that a refusal, when")
        if yes.raised or no.raised:
            left = no if yes.raised else yes
            path.made, path.local, path.over = left.made, left.local, left.over
            path.raised = left.raised
            return
        path.made = self._merged(test, yes.made, no.made)
        common = yes.local.keys() & no.local.keys()
        path.local = self._merged(
            test,
            {name: term for name, term in yes.local.items() if name in common},
            {name: term for name, term in no.local.items() if name in common},
        )
        if yes.ended and no.ended:
            path.over = yes.over
        elif yes.over is not None or no.over is not None:
            never = ast.Constant(False)
            if yes.ended and no.over is None:
                path.over = test
            elif no.ended and yes.over is None:
                path.over = negated
            else:
                path.over = ast.IfExp(test, yes.over or never, no.over or never)

    def _merged(self, test: ast.expr, yes: Terms, no: Terms) -> Terms:
        found = Terms()
        for state in [*yes, *(one for one in no if one not in yes)]:
            first = yes.get(state, ast.Name(state))
            second = no.get(state, ast.Name(state))
            same = ast.dump(first) == ast.dump(second)
            found[state] = first if same else ast.IfExp(test, first, second)
        return found

    def _refuse(self, when: ast.expr, because: str, path: BodyPath) -> None:
        if path.over is not None:
            when = both(ast.UnaryOp(ast.Not(), path.over), when)
        self.refused.append((when, on_one_line(because) or "it is refused"))

    def _returns_alike(self, end: ast.Return) -> bool:
        """Tell whether a function ends with nothing, or as it ends elsewhere."""
        if isinstance(end.value, ast.Constant | None) and getattr(end.value, "value", None) is None:
            return True
        last = self.following[-1].body[-1]
        return isinstance(last, ast.Return) and ast.dump(last) == ast.dump(end)

    def _assign(self, target: ast.expr, value: ast.expr, before: BodyPath, path: BodyPath) -> None:
        """Assign a value, of what was so before, to a target, or its parts to those of it."""
        if isinstance(target, ast.Tuple | ast.List):
            parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            alike = len(parts) == len(target.elts) and not any(
                isinstance(one, ast.Starred) for one in (*parts, *target.elts)
            )
            for number, one in enumerate(target.elts):
                if alike:
                    self._assign(one, parts[number], before, path)
                else:
                    self._lose(one, value, path)
            return
        self._keep(target, self.expressions.read(value, before), value, path)

    def _lose(self, target: ast.expr, value: ast.AST, path: BodyPath) -> None:
        """Assign what cannot be read to a target, or to its parts."""
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for one in parts:
                    self._lose(one, value, path)
            case ast.Starred(value=one):
                self._lose(one, value, path)
            case _:
                self._keep(target, None, value, path)

    def _keep(self, target: ast.expr, term: ast.expr | None, said: ast.AST, path: BodyPath) -> None:
        state = self.expressions.state(target)
        if isinstance(target, ast.Name):
            if target.id not in path.shared:
                if target.id in self.module.boxes:
                    self.module.ask(said, f"which {target.id} is meant from here on")
                path.local[target.id] = UNREADABLE if term is None else term
                return
            state = target.id
        elif self.module.unseen.acts(target, path.local):
            self.module.ask(target, "what does this need and make")
            return
        if state is None:
            return
        if state in self.module.functions or state in self.module.helpers:
            self.module.ask(said, f"what does {state} need and make when it is assigned")
            return
        if state not in self.module.states:  # it comes into being here
            self.module.states[state] = None
            self.module.ask(said, f"what does the state {state} begin as")
        if term is None:
            self.module.ask(said, f"what does the state {state} become")
            path.made.pop(state, None)
            return
        if path.over is not None:
            term = ast.IfExp(path.over, path.made.get(state, ast.Name(state)), term)
        path.made[state] = term

    def _call(self, call: ast.Call, path: BodyPath, depth: int, awaited: bool) -> bool:
        """Follow a function of the module; tell whether it has been followed."""
        match call.func:
            case ast.Name(id=name) if name not in path.local and name not in path.shared:
                function = self.module.helpers.get(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.module.holder:
                function = self.module.functions.get(name)
            case _:
                return False
        if function is None or depth >= INLINED or is_property(function):
            return False
        if isinstance(function, ast.AsyncFunctionDef) is not awaited:
            return False
        if not self.module.unseen.is_active(name, {name: [function]}):
            return False
        given = self._given(call, function)
        if given is None:
            return False
        local = Terms()
        for one, value in given.items():
            self._overlooked(value, path)
            term = self.expressions.read(value, path)
            local[one] = UNREADABLE if term is None else term
        self.module.ask_signature(function)
        inner = BodyPath(path.made, local, over=path.over)
        self.following.append(function)
        self.follow(without_docstring(function.body), inner, depth + 1)
        self.following.pop()
        path.made = inner.made
        if inner.raised:
            path.over, path.raised = inner.over, True
        return True

    def _given(self, call: ast.Call, function: Function) -> dict[str, ast.expr] | None:
        """Return what a call gives to each argument; None where that is not plain."""
        had = function.args
        if had.vararg or had.kwarg or any(isinstance(one, ast.Starred) for one in call.args):
            return None
        names = [one.arg for one in (*had.posonlyargs, *had.args)]
        found = dict[str, ast.expr]()
        if had.defaults:
            found |= dict(zip(names[-len(had.defaults) :], had.defaults, strict=True))
        found |= {
            one.arg: value
            for one, value in zip(had.kwonlyargs, had.kw_defaults, strict=True)
            if value is not None
        }
        if not all(isinstance(one, ast.Constant) for one in found.values()):
            return None
        if isinstance(call.func, ast.Attribute) and not is_static(function):
            names = names[1:]
        every = [*names, *(one.arg for one in had.kwonlyargs)]
        if len(call.args) > len(names):
            return None
        said = dict(zip(names, call.args, strict=False))
        for word in call.keywords:
            if word.arg is None or word.arg not in every or word.arg in said:
                return None
            said[word.arg] = word.value
        found |= said
        return found if found.keys() == set(every) else None

    def _term(self, node: ast.expr, path: BodyPath, asks: str) -> ast.expr | None:
        if (found := self.expressions.read(node, path)) is None and asks:
            self.module.ask(node, asks)
        return found
