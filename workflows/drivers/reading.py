"""A device file from a Python module of somebody else, which is read and never run.

Functions that are public, or the public methods of one class, are the commands. Their bodies are
followed in the head, line by line: what raises is a refusal, what is assigned to a state is an
effect, and what cannot be followed is a question to a person.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from pydantic import ValidationError

from triplestore.errors import InputError
from workflows.engine.devices.card import Argument, Card, CommandCard, Refusal, Source, StateCard
from workflows.engine.devices.terms import TermError, check, is_value, text_of
from workflows.engine.devices.terms import term as as_term
from workflows.text.safe_text import on_one_line

from .arguments import SHOWN, Declared, argument
from .docstrings import Told, demand, told
from .syntax import (
    Function,
    annotated,
    assigned,
    both,
    digest_of,
    first_line,
    given_term,
    is_kept,
    is_property,
    is_read,
    is_static,
    keeps_states,
    message_of,
    name_of,
    public,
    raises,
    root_of,
    state_values,
    text_returned,
    without_docstring,
)
from .unseen import SPECIAL, Unseen

LONGEST = 1_000_000
"""Bytes of a module."""

INLINED = 4
"""Functions within functions that are followed."""

PLAIN = {"staticmethod", "classmethod", "abstractmethod"}
"""Decorators that add nothing to what a function needs and makes."""

KINDS = {"dataclass", "final", "runtime_checkable"}
"""Decorators of a class that leave it as it is."""

HALTING = ("emergency_stop", "halt", "stop", "abort")
"""Names of functions that end what a device does; the file says which, and a person can edit it."""

BASES = {"object", "ABC", "Protocol"}
"""Classes that bring no commands."""

Terms: TypeAlias = dict[str, ast.expr]


def read_module(text: str, file: str, part: str = "") -> Card:
    """Return the device that a module drives, as far as it can be read.

    Args:
        text: of the module, which is parsed and never run.
        file: its name.
        part: name of the class whose methods are the commands; empty for what is there.

    Raises:
        InputError: it is no Python, or has no commands.
    """
    asked = f"a device was to be read from {on_one_line(file)[:100]}"
    if len(text.encode(errors="replace")) > LONGEST:
        found = f"it has more than {LONGEST:,} bytes"
        raise InputError(asked, found, "give the module with the driver's functions alone")
    try:
        tree = ast.parse(text)
    except SyntaxError as error:
        found = f"it is no Python: line {error.lineno or 1}: {on_one_line(str(error.msg))[:100]}"
        raise InputError(asked, found, "correct it; Python 2 is not read") from error
    except (ValueError, MemoryError, RecursionError) as error:
        found = "it is no Python that can be parsed: it has zero bytes, or is too deep"
        raise InputError(asked, found, "give the module as it was written") from error
    try:
        reader = _Reader(tree, _holder(tree, part, asked))
        return reader.card(text, file)
    except RecursionError as error:
        raise InputError(asked, "it is too deep", "make its functions simpler") from error
    except ValidationError as error:
        one = error.errors(include_url=False, include_input=False)[0]
        place = ", ".join(map(str, one["loc"])) or "the whole"
        found = f"{on_one_line(place)[:100]}: {on_one_line(one['msg'])[:300]}"
        raise InputError(asked, found, "rename it, or write the device file by hand") from error


def _holder(tree: ast.Module, part: str, asked: str) -> ast.ClassDef | None:
    """Return the class whose methods are the commands; None for functions of the module.

    Raises:
        InputError: there is none, or several.
    """
    classes = {
        one.name: one
        for one in tree.body
        if isinstance(one, ast.ClassDef) and any(public(one.body))
    }
    functions = [one.name for one in public(tree.body)]
    if part:
        if part in classes:
            return classes[part]
        known = ", ".join(classes)[:200] or "none"
        raise InputError(asked, f"it has no class {on_one_line(part)[:60]}", f"there are: {known}")
    if functions and not any(keeps_states(one) for one in classes.values()):
        return None
    if len(classes) == 1 and not functions:
        return next(iter(classes.values()))
    if not classes and not functions:
        found = "it has no public function, and no class with public methods"
        raise InputError(asked, found, "give the module with the driver's functions")
    told = ", ".join([*classes, *functions])[:200]
    raise InputError(asked, f"several could be the device: {told}", "name its class with `part`")


@dataclass
class _Path:
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

    def copy(self) -> _Path:
        return _Path(dict(self.made), dict(self.local), self.shared, self.over, self.raised)

    @property
    def ended(self) -> bool:
        return isinstance(self.over, ast.Constant) and bool(self.over.value)


UNREADABLE = ast.Constant(...)
"""What a name is that was assigned something which is no term."""


class _UnreadableError(Exception):
    """Something cannot be said as a term."""


class _Reader:
    def __init__(self, tree: ast.Module, holder: ast.ClassDef | None) -> None:
        self.tree, self.holder = tree, holder
        self.body = tree.body if holder is None else holder.body
        self.functions = {one.name: one for one in self.body if isinstance(one, Function)}
        self.helpers = {one.name: one for one in tree.body if isinstance(one, Function)}
        self.constants, self.boxes = Terms(), dict[str, str]()
        self.unseen = Unseen(tree, holder, self.boxes)
        self.states = dict[str, Any]()
        self.unknown = list[str]()
        self.refused = list[tuple[ast.expr, str]]()
        self.where = ""
        self.following = list[Function]()
        self._find_states()

    # --- states -------------------------------------------------------------------------------

    def _find_states(self) -> None:
        written = {
            name for one in ast.walk(self.tree) if isinstance(one, ast.Global) for name in one.names
        }
        for name, found in assigned(self.tree.body):
            if name in written:
                self._begin(name, found)
            elif isinstance(found, ast.Dict) and is_kept(self.tree, name):
                self.boxes[name] = "item"
                for key, inner in zip(found.keys, found.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        self._begin(key.value, inner)
            elif isinstance(found, ast.Call) and is_kept(self.tree, name):
                self.boxes[name] = "attribute"
                self._find_fields(found)
            elif isinstance(found, ast.Constant) and is_value(found.value):
                self.constants[name] = found
        self._ask_begun(self.tree.body)
        if self.holder is not None:
            self.boxes["self"] = "attribute"
            self.where = self.holder.name[:60]
            for one in self.holder.bases:
                if not (isinstance(one, ast.Name) and one.id in BASES):
                    self._ask(one, "which commands and states come from its base")
            for one in self.holder.keywords:
                self._ask(one.value, "what does its metaclass make")
            for one in self.holder.decorator_list:
                if name_of(one) not in KINDS:
                    self._ask(one, "what does its decorator make")
            for name in sorted(SPECIAL & self.functions.keys()):
                self._ask(None, f"what does {name} need and make")
            for name, found in assigned(self.holder.body):
                self._begin(name, found)
            self._ask_begun(self.holder.body)
            for name in ("__init__", "__post_init__"):
                if (begun := self.functions.get(name)) is not None:
                    self._begin_within(begun)

    def _begin_within(self, function: Function) -> None:
        """Find the states that a method begins."""
        self.where = function.name
        for name, found in assigned(function.body, "self"):
            self._begin(name, found)
        self._ask_begun(without_docstring(function.body))

    def _ask_begun(self, body: Sequence[ast.stmt]) -> None:
        """Ask about what begins states and is no plain assignment of a body."""
        within = bool(self.where) and self.where.startswith("__")
        for one in body:
            match one:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Pass():
                    continue
                case ast.Import() | ast.ImportFrom() | ast.Global():
                    continue
                case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
                    continue
                case ast.Assign(targets=targets, value=value):
                    acting = any(map(self.unseen.acts, targets)) if within else False
                    acting |= self.unseen.acts(value) if within else self.unseen.calls(value)
                case ast.AnnAssign(value=value):
                    acting = value is not None and self.unseen.calls(value)
                case _:
                    acting = self.unseen.acts(one) if within else self.unseen.calls(one)
                    acting |= within and any(isinstance(x, ast.Return) for x in ast.walk(one))
                    acting |= any(map(self._begins_again, ast.walk(one)))
            for part in ast.walk(one):
                stored = isinstance(getattr(part, "ctx", None), ast.Store | ast.Del)
                if isinstance(part, ast.Name) and stored and not within:
                    acting |= part.id in self.functions or part.id in self.helpers
                elif stored and isinstance(part, ast.Attribute) and self.holder is not None:
                    acting |= isinstance(part.value, ast.Name) and part.value.id == self.holder.name
            if acting:
                self._ask(one, "what does this begin or change")

    def _begins_again(self, part: ast.AST) -> bool:
        """Tell whether a part assigns a state, and forget a constant that it assigns."""
        if not isinstance(getattr(part, "ctx", None), ast.Store | ast.Del):
            return False
        if isinstance(part, ast.Name) and self.constants.pop(part.id, None):
            return False
        if isinstance(part, ast.Name):
            return part.id in self.states
        if isinstance(part, ast.Attribute):
            return part.attr in self.states or is_read(self.body, part.attr)
        return root_of(part) in self.boxes

    def _find_fields(self, call: ast.Call) -> None:
        """Find the states that an object of the module has, or one with fields by name."""
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        kinds = [one for one in self.tree.body if isinstance(one, ast.ClassDef)]
        for kind in kinds:
            if kind.name == name:
                for state, found in assigned(kind.body):
                    self._begin(state, found)
                for one in kind.body:
                    if isinstance(one, Function) and one.name in ("__init__", "__post_init__"):
                        self._begin_within(one)
                        self.where = ""
        for one in call.keywords:
            if one.arg:
                self._begin(one.arg, one.value)

    def _begin(self, name: str, found: ast.expr | None) -> None:
        if (name.startswith("__") and name.endswith("__")) or found is None:
            return
        if self.holder is not None and name in self.functions:
            self._ask(found, f"what does {name} begin as, which is a property")
            return
        with_value = isinstance(found, ast.Constant | ast.UnaryOp)
        try:
            begins = ast.literal_eval(found) if with_value else ...
        except (ValueError, TypeError, SyntaxError):
            begins = ...
        if begins is ... or not is_value(begins):
            if is_read(self.body, name):
                self.states[name] = None
                self._ask(found, f"what does the state {name} begin as")
            return
        self.states[name] = begins

    # --- commands -----------------------------------------------------------------------------

    def card(self, text: str, file: str) -> Card:
        commands = {one.name: self._command(one) for one in public(self.body)}
        named = {
            one.id
            for command in commands.values()
            for term in (*(r.when for r in command.refused), *command.makes.values())
            for one in ast.walk(ast.parse(term, mode="eval"))
            if isinstance(one, ast.Name)
        } | {state for command in commands.values() for state in command.makes}
        file = on_one_line(file.replace("\\", "/").rsplit("/", 1)[-1])
        stem = re.sub(r"\.py$", "", file, flags=re.I)
        name = (self.holder.name if self.holder else stem)[:100].strip() or "device"
        about = ast.get_docstring(self.holder or self.tree) or ""
        return Card(
            name=name,
            about=first_line(about),
            source=Source(
                module=file[-100:],
                sha256=digest_of(text),
                part=self.holder.name if self.holder else "",
            ),
            states={
                state: StateCard(begins=begins, values=state_values(state, begins, commands))
                for state, begins in self.states.items()
                if state in named
            },
            commands=commands,
            halt=next((one for one in HALTING if self._halts(one)), ""),
            unknown=tuple(self.unknown[:1000]),
        )

    def _halts(self, name: str) -> bool:
        """Tell whether a function of that name needs no arguments."""
        if (found := self.functions.get(name)) is None:
            return False
        given = [*found.args.posonlyargs, *found.args.args]
        needed = len(given) - len(found.args.defaults) - (self.holder is not None)
        return needed <= 0 and None not in found.args.kw_defaults

    def _ask(self, node: ast.AST | None, question: str) -> None:
        line = getattr(node, "lineno", None)
        shown = ""
        if node is not None:
            shown = ": " + on_one_line(" ".join(ast.unparse(node).split()))[:SHOWN]
        place = f"{self.where}, line {line}" if line and self.where else self.where or "module"
        self.unknown.append(f"{place}: {question}{shown}"[:300])

    def _command(self, function: Function) -> CommandCard:
        self.where, self.refused = function.name[:60], list[tuple[ast.expr, str]]()
        docstring = ast.get_docstring(function) or ""
        self._ask_signature(function)
        arguments = self._arguments(function, docstring)
        path = _Path(local={name: given_term(name) for name in arguments})
        self.following = [function]
        self._follow(without_docstring(function.body), path, 0)
        if not self.refused and (said := demand(docstring)):
            self._ask(None, f"nothing is refused, but its docstring says: {said!r}; when is it")
        refused = list[Refusal]()
        for when, because in self.refused:
            if text := self._written(when, f"when is it refused with {because[:60]!r}"):
                refused.append(Refusal(when=text, because=because[:300]))
        texts = {
            state: self._written(term, f"what does the state {state} become")
            for state, term in path.made.items()
            if not (isinstance(term, ast.Name) and term.id == state)
        }
        makes = {state: text for state, text in texts.items() if text}
        return CommandCard(
            about=first_line(docstring), arguments=arguments, refused=tuple(refused), makes=makes
        )

    def _ask_signature(self, function: Function) -> None:
        """Ask about decorators, and about names that hide what keeps states."""
        for one in function.decorator_list:
            if not (isinstance(one, ast.Name) and one.id in PLAIN):
                self._ask(one, "what does its decorator need and make")
        given = [one for one in ast.walk(function.args) if isinstance(one, ast.arg)]
        if self.holder is not None and self.functions.get(function.name) is function:
            first = given[0].arg if given else ""
            if not is_static(function) and first != "self":
                self._ask(None, f"its object is named {first or 'nothing'}, not self; what is made")
            given = given if is_static(function) else given[1:]
        for one in given:
            if one.arg in self.boxes:
                self._ask(one, "which of the two of this name is meant")

    def _written(self, term: ast.expr, asks: str) -> str:
        """Return a term as text; empty, with a question, where it is too long."""
        try:
            check(term)
            text = text_of(term)
            as_term(text)
        except TermError:
            self._ask(None, asks)
            return ""
        return text

    def _arguments(self, function: Function, docstring: str) -> dict[str, Argument]:
        given, found = function.args, dict[str, Argument]()
        every = [*given.posonlyargs, *given.args]
        if self.holder is not None and not is_static(function):
            every = every[1:]
        defaults: list[ast.expr | None] = [None] * (len(every) - len(given.defaults))
        defaults += given.defaults[-len(every) :] if every else []
        pairs = [
            *zip(every, defaults, strict=False),
            *zip(given.kwonlyargs, given.kw_defaults, strict=True),
        ]
        said = told(docstring, [one.arg for one, _ in pairs])
        for one, default in pairs:
            found[one.arg] = self._argument(one, default, said.get(one.arg, Told()))
        for one in (given.vararg, given.kwarg):
            if one is not None:
                self._ask(None, f"what are the arguments *{one.arg}")
        return found

    def _argument(self, one: ast.arg, default: ast.expr | None, said: Told) -> Argument:
        kind, choices, may_be_none, low, high = annotated(one.annotation)
        value: Any = None
        if default is not None:
            try:
                value = ast.literal_eval(default)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                value = ...
            if value is ... or not is_value(value):
                self._ask(default, f"what is the default of {one.arg}")
                default, value = None, None
        optional = default is not None or may_be_none
        return argument(
            one.arg,
            Declared(kind, choices, low, high, optional, value),
            said,
            lambda asks: self._ask(None, asks),
            lambda asks: self._ask(one, asks),
        )

    # --- bodies -------------------------------------------------------------------------------

    def _follow(self, body: Sequence[ast.stmt], path: _Path, depth: int) -> None:
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
                    self._follow(inner, path, depth)
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
                    if self._matters(one, path):
                        self._ask(one, "what does this need and make")

    def _evaluate(self, value: ast.expr | None, path: _Path, depth: int) -> bool:
        """Follow a call that is a whole expression, ask about others; tell whether it goes on."""
        awaited = isinstance(value, ast.Await)
        inner = value.value if isinstance(value, ast.Await) else value
        if not (isinstance(inner, ast.Call) and self._call(inner, path, depth, awaited)):
            self._overlooked(value, path)
        return not path.ended

    def _overlooked(self, node: ast.AST | None, path: _Path) -> None:
        """Ask about what acts within something that is not followed."""
        if node is None:
            return
        for one in ast.walk(node):
            if isinstance(one, ast.NamedExpr):
                self._keep(one.target, None, one, path)
        if self.unseen.acts(node, path.local):
            self._ask(node, "what does this need and make")

    def _forget(self, one: ast.AST, path: _Path) -> None:
        """Take the names that a statement assigns, and that is not followed, for unreadable."""
        for part in ast.walk(one):
            name = part.id if isinstance(part, ast.Name) else getattr(part, "name", None)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
                continue
            if isinstance(name, str) and name not in path.shared:
                path.local[name] = UNREADABLE

    def _branch(self, one: ast.If, path: _Path, depth: int) -> None:
        """Follow both ways of a condition, and join them."""
        if (test := self._try(one.test, path)) is None:
            self._forget(one, path)
            if self._matters(one, path):
                asks = "it is refused when" if raises(one) else "what does this need and make"
                self._ask(one.test if raises(one) else one, asks)
            return
        self._overlooked(one.test, path)
        yes, no, outer = path.copy(), path.copy(), self.refused
        self.refused = list[tuple[ast.expr, str]]()
        self._follow(one.body, yes, depth)
        outer += [(both(test, when), because) for when, because in self.refused]
        self.refused = list[tuple[ast.expr, str]]()
        self._follow(one.orelse, no, depth)
        negated = ast.UnaryOp(ast.Not(), test)
        outer += [(both(negated, when), because) for when, because in self.refused]
        self.refused = outer
        for when, way, body in ((test, yes, one.body), (negated, no, one.orelse)):
            if not (way.ended and body and isinstance(body[-1], ast.Return)):
                continue
            if way.made == path.made and (said := text_returned(body)):
                # it does nothing and says so: what raises in other drivers
                self._refuse(when, said, path)
                self._ask(one.test, f"it returns {said[:60]!r}, read as a refusal; is it one, when")
                way.raised = True
            elif not self._returns_alike(body[-1]):
                shown = ast.unparse(body[-1])[:60]
                self._ask(one.test, f"it ends with {shown}; is that a refusal, when")
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

    def _refuse(self, when: ast.expr, because: str, path: _Path) -> None:
        if path.over is not None:
            when = both(ast.UnaryOp(ast.Not(), path.over), when)
        self.refused.append((when, on_one_line(because) or "it is refused"))

    def _returns_alike(self, end: ast.Return) -> bool:
        """Tell whether a function ends with nothing, or as it ends elsewhere."""
        if isinstance(end.value, ast.Constant | None) and getattr(end.value, "value", None) is None:
            return True
        last = self.following[-1].body[-1]
        return isinstance(last, ast.Return) and ast.dump(last) == ast.dump(end)

    def _assign(self, target: ast.expr, value: ast.expr, before: _Path, path: _Path) -> None:
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
        self._keep(target, self._try(value, before), value, path)

    def _lose(self, target: ast.expr, value: ast.AST, path: _Path) -> None:
        """Assign what cannot be read to a target, or to its parts."""
        match target:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                for one in parts:
                    self._lose(one, value, path)
            case ast.Starred(value=one):
                self._lose(one, value, path)
            case _:
                self._keep(target, None, value, path)

    def _keep(self, target: ast.expr, term: ast.expr | None, said: ast.AST, path: _Path) -> None:
        state = self._state(target)
        if isinstance(target, ast.Name):
            if target.id not in path.shared:
                if target.id in self.boxes:
                    self._ask(said, f"which {target.id} is meant from here on")
                path.local[target.id] = UNREADABLE if term is None else term
                return
            state = target.id
        elif self.unseen.acts(target, path.local):
            self._ask(target, "what does this need and make")
            return
        if state is None:
            return
        if state in self.functions or state in self.helpers:
            self._ask(said, f"what does {state} need and make when it is assigned")
            return
        if state not in self.states:  # it comes into being here
            self.states[state] = None
            self._ask(said, f"what does the state {state} begin as")
        if term is None:
            self._ask(said, f"what does the state {state} become")
            path.made.pop(state, None)
            return
        if path.over is not None:
            term = ast.IfExp(path.over, path.made.get(state, ast.Name(state)), term)
        path.made[state] = term

    def _call(self, call: ast.Call, path: _Path, depth: int, awaited: bool) -> bool:
        """Follow a function of the module; tell whether it has been followed."""
        match call.func:
            case ast.Name(id=name) if name not in path.local and name not in path.shared:
                function = self.helpers.get(name)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.holder:
                function = self.functions.get(name)
            case _:
                return False
        if function is None or depth >= INLINED or is_property(function):
            return False
        if isinstance(function, ast.AsyncFunctionDef) is not awaited:
            return False
        if not self.unseen.is_active(name, {name: [function]}):
            return False
        given = self._given(call, function)
        if given is None:
            return False
        local = Terms()
        for one, value in given.items():
            self._overlooked(value, path)
            term = self._try(value, path)
            local[one] = UNREADABLE if term is None else term
        self._ask_signature(function)
        inner = _Path(path.made, local, over=path.over)
        self.following.append(function)
        self._follow(without_docstring(function.body), inner, depth + 1)
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

    # --- terms --------------------------------------------------------------------------------

    def _state(self, node: ast.expr) -> str | None:
        """Return the state that an expression of the module is; None for none."""
        match node:
            case ast.Attribute(value=ast.Name(id=box), attr=name) if (
                self.boxes.get(box) == "attribute"
            ):
                return name
            case ast.Subscript(value=ast.Name(id=box), slice=ast.Constant(value=str(name))) if (
                self.boxes.get(box) == "item"
            ):
                return name
            case ast.Name(id=name) if name in self.states and self._is_global(name):
                return name
            case _:
                return None

    def _is_global(self, name: str) -> bool:
        return any(isinstance(one, ast.Global) and name in one.names for one in ast.walk(self.tree))

    def _term(self, node: ast.expr, path: _Path, asks: str) -> ast.expr | None:
        if (found := self._try(node, path)) is None and asks:
            self._ask(node, asks)
        return found

    def _try(self, node: ast.expr, path: _Path) -> ast.expr | None:
        try:
            found = self._said(node, path)
            check(found)
        except (_UnreadableError, TermError):
            return None
        return found

    def _said(self, node: ast.expr, path: _Path) -> ast.expr:
        match node:
            case ast.Name(id=name) if name in path.local:
                return path.local[name]
            case _ if (state := self._state(node)) is not None:
                if state not in self.states:
                    raise _UnreadableError
                return path.made.get(state, ast.Name(state))
            case ast.Name(id=name) if name in self.constants:
                return self.constants[name]
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
                raise _UnreadableError

    def _matters(self, node: ast.AST, path: _Path) -> bool:
        """Tell whether a part of a body may refuse, or change a state."""
        if self.unseen.acts(node, path.local):
            return True
        for one in ast.walk(node):
            if isinstance(one, ast.Raise | ast.Assert | ast.Return):
                return True
            stored = isinstance(getattr(one, "ctx", None), ast.Store | ast.Del)
            if stored and isinstance(one, ast.expr) and self._state(one) is not None:
                return True
            if stored and isinstance(one, ast.Name) and one.id in path.shared:
                return True
        return False
