"""A device file from a Python module of somebody else, which is read and never run.

Functions that are public, or the public methods of one class, are the commands. Their bodies are
followed in the head, line by line: what raises is a refusal, what is assigned to a state is an
effect, and what cannot be followed is a question to a person.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from pydantic import ValidationError

from triplestore.errors import InputError
from workflows.engine.devices.card import Argument, Card, CommandCard, Refusal, Source, StateCard
from workflows.engine.devices.terms import TermError, check, is_value, text_of
from workflows.engine.devices.terms import term as as_term
from workflows.text.safe_text import on_one_line

from .arguments import Declared, argument
from .beginnings import Beginnings
from .bodies import Body
from .docstrings import Told, demand, told
from .expressions import BodyPath
from .module import Module
from .syntax import (
    Function,
    annotated,
    digest_of,
    first_line,
    given_term,
    is_static,
    keeps_states,
    public,
    state_values,
    without_docstring,
)

LONGEST = 1_000_000
"""Bytes of a module."""

HALTING = ("emergency_stop", "halt", "stop", "abort")
"""Names of functions that end what a device does; the file says which, and a person can edit it."""


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
        reader = _Reader(Module(tree, _holder(tree, part, asked)))
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


class _Reader:
    def __init__(self, module: Module) -> None:
        self.module = module
        Beginnings(module).find()

    def card(self, text: str, file: str) -> Card:
        commands = {one.name: self._command(one) for one in public(self.module.body)}
        named = {
            one.id
            for command in commands.values()
            for term in (*(r.when for r in command.refused), *command.makes.values())
            for one in ast.walk(ast.parse(term, mode="eval"))
            if isinstance(one, ast.Name)
        } | {state for command in commands.values() for state in command.makes}
        file = on_one_line(file.replace("\\", "/").rsplit("/", 1)[-1])
        stem = re.sub(r"\.py$", "", file, flags=re.I)
        name = (self.module.holder.name if self.module.holder else stem)[:100].strip() or "device"
        about = ast.get_docstring(self.module.holder or self.module.tree) or ""
        return Card(
            name=name,
            about=first_line(about),
            source=Source(
                module=file[-100:],
                sha256=digest_of(text),
                part=self.module.holder.name if self.module.holder else "",
            ),
            states={
                state: StateCard(begins=begins, values=state_values(state, begins, commands))
                for state, begins in self.module.states.items()
                if state in named
            },
            commands=commands,
            halt=next((one for one in HALTING if self._halts(one)), ""),
            unknown=tuple(self.module.unknown[:1000]),
        )

    def _halts(self, name: str) -> bool:
        """Tell whether a function of that name needs no arguments."""
        if (found := self.module.functions.get(name)) is None:
            return False
        given = [*found.args.posonlyargs, *found.args.args]
        needed = len(given) - len(found.args.defaults) - (self.module.holder is not None)
        return needed <= 0 and None not in found.args.kw_defaults

    def _command(self, function: Function) -> CommandCard:
        self.module.where = function.name[:60]
        docstring = ast.get_docstring(function) or ""
        self.module.ask_signature(function)
        arguments = self._arguments(function, docstring)
        path = BodyPath(local={name: given_term(name) for name in arguments})
        body = Body(self.module, function)
        body.follow(without_docstring(function.body), path)
        if not body.refused and (said := demand(docstring)):
            self.module.ask(
                None, f"nothing is refused, but its docstring says: {said!r}; when is it"
            )
        refused = list[Refusal]()
        for when, because in body.refused:
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

    def _written(self, term: ast.expr, asks: str) -> str:
        """Return a term as text; empty, with a question, where it is too long."""
        try:
            check(term)
            text = text_of(term)
            as_term(text)
        except TermError:
            self.module.ask(None, asks)
            return ""
        return text

    def _arguments(self, function: Function, docstring: str) -> dict[str, Argument]:
        given, found = function.args, dict[str, Argument]()
        every = [*given.posonlyargs, *given.args]
        if self.module.holder is not None and not is_static(function):
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
                self.module.ask(None, f"what are the arguments *{one.arg}")
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
                self.module.ask(default, f"what is the default of {one.arg}")
                default, value = None, None
        optional = default is not None or may_be_none
        return argument(
            one.arg,
            Declared(kind, choices, low, high, optional, value),
            said,
            lambda asks: self.module.ask(None, asks),
            lambda asks: self.module.ask(one, asks),
        )
