"""Options of the command line from the fields of a form: what is asked is described once."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

import click

from .meant import Command, Option, Worded

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from workflows.engine.request.form import Form

T = TypeVar("T")

Forms: TypeAlias = "tuple[Sequence[type[Form]], Mapping[str, str]]"


class FormCommand(Command):
    """A command whose options are, besides its own, the fields of forms.

    They are looked at only when the command is, so that the help of the others stays quick.

    Args:
        forms: returns the forms, and what to show as the defaults of fields that they leave open.
    """

    def __init__(self, *args: Any, forms: Callable[[], Forms], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._forms = forms
        self._added = False

    def own_params(self) -> list[click.Parameter]:
        """Return its own options and arguments, beside those that it was made with."""
        return []

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        if not self._added:
            self._added = True
            self.params += self.own_params()
            added = added_options(self, *self._forms())
            first = [one for one in self.params if isinstance(one, click.Argument)]
            self.params = [*first, *added, *(one for one in self.params if one not in first)]
        return super().get_params(ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self._with_needed(ctx, args))

    def _with_needed(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Return what was typed; one word too many is the only option that must be given.

        So `grafico rmsd a.xyz b.xyz` is `grafico rmsd a.xyz --structure b.xyz`.
        """
        from workflows.engine.request.rules import Second

        params = {one.name: one for one in self.get_params(ctx)}
        forms, shown = self._forms()
        fields = {name: field for form in forms for name, field in form.offered().items()}
        there = {name: field for name, field in fields.items() if name in params}
        needed = [
            params[name]
            for name, field in there.items()
            if any(isinstance(one, Second) for one in field.metadata)
        ] or [
            params[name]
            for name, field in there.items()
            if field.is_required() and name not in shown
        ]
        if len(needed) != 1:
            return args
        try:
            said, (word,), _ = self.make_parser(ctx).parse_args(list(args))
        except (click.UsageError, ValueError):  # told by what parses it in earnest
            return args
        if needed[0].name in said or word not in args:
            return args
        place = args.index(word)
        if args[:place] and args[place - 1].startswith("-"):  # the value of another option
            place = len(args) - 1 - args[::-1].index(word)
        return [*args[:place], needed[0].opts[0], word, *args[place + 1 :]]


def added_options(
    command: click.Command, forms: Sequence[type[Form]], shown: Mapping[str, str]
) -> list[click.Option]:
    """Return the options that fill in forms, but those that a command has of its own.

    Args:
        command: which.
        forms: whose fields are filled in.
        shown: as their defaults; their own for what is not in it.
    """
    mine = {param.name for param in command.params}
    fields = {name: field for form in forms for name, field in form.offered().items()}
    shorts = {name: one for form in forms for name, one in form.shorts.items()}
    return [
        *(
            Option(
                [f"--{name}"],
                help=one.description,
                hidden=not one.description,
                numbers=one.numbers,
            )
            for name, one in shorts.items()
            if not {name} & {*mine, *fields}
        ),
        *(
            one
            for name, field in fields.items()
            if name not in mine
            for one in options_of(name, field, shown.get(name))
        ),
    ]


def options_of(name: str, field: FieldInfo, shown: str | None) -> list[click.Option]:
    """Return the options that fill in a field: one, or one for each of its choices."""
    from workflows.engine.request.rules import Flags

    for rule in field.metadata:
        if isinstance(rule, Flags):
            return [
                click.Option([flag, name], flag_value=choice, help=field.description or "")
                for choice, flag in rule.options.items()
            ]
    return [option(name, field, shown)]


class Plain(Worded, click.ParamType[Any, Any]):
    """A number in the digits 0 to 9: `1_0` and digits of other scripts are Python's alone.

    Where it has a unit, it is also read with another one behind it: `25C`, `1 atm`.
    """

    def __init__(
        self, kind: click.ParamType[Any, Any], unit: str = "", field: FieldInfo | None = None
    ) -> None:
        self._kind, self.name, self._unit, self._field = kind, kind.name, unit, field

    def meaning(self, value: str) -> str:
        """Return the number that a value means, such as `triplet`; empty for none."""
        from workflows.engine.request.rules import number_named

        number = None if self._field is None else number_named(self._field, value)
        return "" if number is None else str(number)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str):
            value = self.meaning(value) or value
        if self._unit and isinstance(value, str):
            from triplestore.errors import InputError
            from workflows.engine.request.with_units import in_unit

            try:
                number = in_unit(value, self._unit)
            except InputError as error:
                self.fail(f"{error.found}; {error.advice}.", param, ctx)
            value = value if number is None else number
        if isinstance(value, str) and (not value.isascii() or "_" in value):
            self.fail(f"{value!r} is not a number in the digits 0 to 9.", param, ctx)
        try:
            return self._kind.convert(value, param, ctx)
        except click.BadParameter:
            whole = " whole" if self._kind is click.INT else ""
            self.fail(f"{value!r} is not a{whole} number.", param, ctx)


PLAIN: dict[type, click.ParamType[Any, Any]] = {int: click.INT, float: click.FLOAT}


def option(name: str, field: FieldInfo, shown: str | None) -> click.Option:
    """Return the option that fills in a field.

    Args:
        name: of the field.
        field: what it takes.
        shown: as its default; None for its own.
    """
    flags = [f"--{name.replace('_', '-')}", name]
    from workflows.engine.request.rules import OtherNames
    from workflows.engine.request.with_units import unit_of

    text, default, kind = field.description or "", field.default, _kind(field.annotation)
    rules = (rule.names for rule in field.metadata if isinstance(rule, OtherNames))
    otherwise = [other for names in rules for other in names]
    flags += [other for other in otherwise if other.startswith("-")]
    if kind is bool and default is True:
        both = f"--{name.replace('_', '-')}/--no-{name.replace('_', '-')}"
        return Option([both, name], default=None, help=text, otherwise=otherwise)
    if kind is bool or get_args(kind) == (True,):
        return Option(flags, is_flag=True, default=None, help=text, otherwise=otherwise)
    if get_origin(kind) is Literal and shown not in (None, *get_args(kind)):
        shown = None  # the usual one of other workflows
    if shown is None and not field.is_required() and default not in (None, (), ""):
        shown = str(default)
    if shown:
        text += f"  [default: {shown}]"
    if get_origin(kind) is tuple:
        return Option(flags, multiple=True, help=text, otherwise=otherwise)
    choice = Plain(PLAIN[kind], field=field) if kind in PLAIN else kind
    if kind is float and (unit := unit_of(field)):
        choice = Plain(click.FLOAT, unit, field)
    if get_origin(kind) is Literal:
        choice = SpelledChoice(get_args(kind), field)
    return Option(flags, type=choice, help=text, otherwise=otherwise)


class SpelledChoice(Worded, click.Choice[str]):
    """Words to choose from, as people write them: `optimize`, `quasi-rrho`."""

    def __init__(self, choices: Sequence[str], field: FieldInfo) -> None:
        from workflows.engine.request.rules import For

        super().__init__(choices, case_sensitive=False)
        self._field = field
        needs = (one for one in field.metadata if isinstance(one, For) and not one.values)
        self.of = next((f"--{one.field.replace('_', '-')}" for one in needs), "")

    def meaning(self, value: str) -> str:
        """Return the choice that a person means; empty for none."""
        meant = self._understood(value)
        return str(meant) if meant in self.choices else ""

    def _understood(self, value: Any) -> object:
        from workflows.engine.request.rules import understood, words_of

        return understood(value, tuple(self.choices), words_of(self._field))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from workflows.engine.request.rules import elsewhere

        meant = self._understood(value)
        if elsewhere(self._field, meant):
            return value  # the form refuses it, and says how what it means is asked for
        return super().convert(meant, param, ctx)


def _kind(annotation: Any) -> Any:
    """Return the type that an option has to read: without None and without what annotates it."""
    while get_origin(annotation) in (Union, types.UnionType, Annotated):
        annotation = next(part for part in get_args(annotation) if part is not type(None))
    return annotation


def given(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of options that were given."""
    return {name: value for name, value in values.items() if value not in (None, ())}


threads_option = click.option(
    "-t",
    "--threads-per-calculation",
    "threads",
    cls=Option,
    otherwise=("threads", "nthreads", "nproc", "nprocs", "cores", "ncores", "cpus"),
    type=int,
    metavar="N",
    help="Threads of each calculation.  [default: all cores, shared out]",
)
