"""What is told of a command that there is not."""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from .forms import FormCommand, SpelledChoice
from .meant import takes

if TYPE_CHECKING:
    from workflows.registry import Action, Workflow

ABOUT = ("for", "of", "about", "on", "subject", "input", "name")
"""Options that people type before what is asked about, where a command has none of that name."""

FEW = 5
"""Suggestions that are made at most."""


CALLED = {
    "withdraw": ("delete", "remove", "forget", "undo", "rm", "discard", "retract"),
    "runs": ("list", "history", "ls", "log", "status"),
    "jobs": ("status", "queue"),
    "du": ("clean", "purge", "disk"),
    "doctor": ("check", "info", "diagnose"),
    "--version": ("version",),
    "si": ("cite", "citations", "bibtex", "paper"),
    "convert": ("translate", "open", "view"),
    "write": ("input",),
}
"""What commands that no domain brings are called elsewhere."""


def no_command(group: click.Group, ctx: click.Context, args: Sequence[str]) -> str:
    """Return that a group has no command as the first word says, and what may have been meant."""
    told = f"there is no command {args[0]!r}."
    if ctx.parent is None and (same := _in_words(group, ctx, args)):
        return f"{told} {same}"
    near = list(dict.fromkeys(_near(group, ctx, args[0].lower())))[:FEW]
    if near:
        told += f" Near it: {'; '.join(near)}."
    return f"{told} `{ctx.command_path} --help` lists all."


def meant(group: click.Group, ctx: click.Context, args: Sequence[str]) -> list[str]:
    """Return the one command that plain words, with all options after them, come to; else none.

    Without options several are asked for in one.
    """
    words = [*takewhile(lambda one: not one.startswith("-"), args)]
    rest = [*args[len(words) :]]
    if len(words) == 1 and not _slip(group, ctx, words[0]):
        from workflows.registry import workflows

        words.insert(0, workflows().usual.command)  # a name alone, of what is known or of a file
    lines, text = _read(words)
    if not rest and (len(lines) > 1 or (not lines and _is_question(text))):
        return ["ask", text]
    if len(lines) != 1:
        return []
    line = shlex.split(lines[0])[1:]
    return [*line, *rest] if _taken(group, ctx, line[0], rest) == rest else []


def _slip(group: click.Group, ctx: click.Context, word: str) -> bool:
    """Tell whether a word is nearly that of a command, or what a command is called elsewhere."""
    called = {name for names in CALLED.values() for name in names}
    near = difflib.get_close_matches(word, group.list_commands(ctx), cutoff=0.75)
    return bool(near) or word.lower() in called


def written(args: Sequence[str]) -> list[str]:
    """Return the command that a sentence comes to which asks for a new file as well; else none."""
    line = [] if any(one.startswith("-") for one in args) else writing(" ".join(args))
    return [] if standing(line) else line


def standing(line: list[str]) -> str:
    """Return the file that a command would write, if it is there already; else nothing."""
    return line[-1] if line and Path(line[-1]).exists() else ""


def taken(verb: str, options: list[str]) -> list[str] | None:
    """Return options as a command takes them that are written behind; None if it lacks one."""
    root = click.get_current_context().find_root()
    kept = _taken(cast("click.Group", root.command), root, verb, options)
    return kept if kept == options else None


def writing(text: str) -> list[str]:
    """Return the command that writes the file which a sentence asks for; else none."""
    from ..agent.rules.pictures import picture_in

    if picture_in(text) is None:
        return []
    from ..agent.rules.reader import plan

    return shlex.split(plan(text).command)[1:]


def plain(text: str) -> list[str]:
    """Return the command lines that a sentence comes to, with a file if it asks for one."""
    from ..agent.rules.reader import lines_of, plan

    found = plan(text)
    return [found.command] if found.command else [*lines_of(found)]


def _read(words: Sequence[str]) -> tuple[list[str], str]:
    """Return the command lines that plain words come to, and the words as one text."""
    from ..agent.rules.reader import lines_of, plan

    text = " ".join(words)
    if len(text.split()) < 2:
        return [], ""  # a slip of the keyboard
    return [*lines_of(plan(text))], text


def _is_question(text: str) -> bool:
    """Tell whether a sentence asks for what no one command does, such as about what is stored."""
    from ..agent.rules.reader import plan

    found = plan(text) if len(text.split()) > 2 else None
    return found is not None and bool(found.calls) and not found.problem


def _in_words(group: click.Group, ctx: click.Context, args: Sequence[str]) -> str:
    """Return what plain words, with the options after them, come to; nothing is run."""
    from workflows.registry.spoken import absent

    words = [*takewhile(lambda one: not one.startswith("-"), args)]
    lines, text = _read(words)
    rest = args[len(words) :]
    each = [(line, _taken(group, ctx, line.split()[1], rest)) for line in lines[:FEW]]
    same = "; ".join(f"`{' '.join(filter(None, [line, shlex.join(one)]))}`" for line, one in each)
    if same:
        return f"Read as plain words it is {same}."
    if line := writing(text):
        there = Path(line[-1]).exists()
        why = (
            f", but {line[-1]} is there already; give another name, or replace it:" if there else ""
        )
        return f"Read as plain words it is{why} `{shlex.join(['grafico', *line])}`."
    if text and (missing := absent(text)):
        return f"Read as plain words: {missing.problem}; near it: `{missing.line}`."
    return ""


def _taken(group: click.Group, ctx: click.Context, verb: str, options: Sequence[str]) -> list[str]:
    """Return those of some options, with their values, that a command has."""
    command = group.get_command(ctx, verb)
    if command is None:
        return [*options]
    within = click.Context(command, parent=ctx)
    params = command.get_params(within)
    kept: list[str] = []
    keeps = False
    for word in options:
        keeps = takes(params, word.partition("=")[0]) if word.startswith("-") else keeps
        kept += [word] if keeps else []
    return kept


def no_option(error: click.NoSuchOption) -> str:
    """Return that there is no such option, which are near it, and which commands have one."""
    said, ctx = error.option_name, error.ctx
    from workflows.registry.spoken import absent

    word = said.lstrip("-").replace("-", " ")
    for one in ctx.command.get_params(ctx) if ctx else ():
        kind = one.type
        if isinstance(kind, SpelledChoice) and kind.of and (value := kind.meaning(word)):
            return f"No such option '{said}'. Near it: {kind.of} … {one.opts[0]} {value}"
    if ctx and ctx.parent and ctx.parent.parent is None and (of_it := _verb_of(ctx, word)):
        return f"No such option '{said}': `{of_it.command}` is a command of its own: {of_it.title}"
    if missing := absent(word):  # as in a plain sentence
        return f"No such option '{said}': {missing.problem}. Near it: {missing.line}"
    asked = getattr(ctx.command, "asked", None) if ctx else None
    if asked is not None and said.lstrip("-") in _of_one_subject():
        return f"No such option '{said}': it is said of each of several. {asked.whole.subject.help}"
    if ctx is not None and _is_about(said.lstrip("-")) and (place := _place(ctx)):
        return f"No such option '{said}': {place}"
    telling = [*_telling(ctx, said.lstrip("-"))]
    if 1 <= len(telling) <= 2:  # what stands everywhere says nothing
        told = "; ".join(f"`{one.opts[0]}`: {one.help}" for one in telling)
        return f"No such option '{said}'. Near it: {told}"
    from workflows.text.words import listed

    root = ctx.find_root() if ctx else None
    if ctx is None or root is None or not isinstance(group := root.command, click.Group):
        return error.format_message()
    having = [
        name
        for name in group.list_commands(root)
        if (one := group.get_command(root, name)) is not None
        and any(said in param.opts for param in one.get_params(click.Context(one, parent=root)))
    ]
    from workflows.registry import workflows

    usual = workflows().usual.command
    if asked is not None and asked.whole.subject.stored and usual in having:
        return (
            f"No such option '{said}': {asked.whole.subject.help} It is computed before: "
            f"`grafico {usual} … {said} …`, then `{ctx.command_path} last`"
        )
    if not 1 <= len(having) <= FEW:
        return error.format_message()
    others = listed([f"`grafico {one}`" for one in having])
    return f"No such option '{said}'; {others} {'has' if len(having) == 1 else 'have'} it."


def _verb_of(ctx: click.Context, word: str) -> Workflow | Action | None:
    """Return what another command does that is called so."""
    from workflows.registry import workflows

    found = workflows().verb(word)
    return None if found is None or found is getattr(ctx.command, "asked", None) else found


def _is_about(word: str) -> bool:
    """Tell whether a word stands before what is asked about, such as what that is."""
    from workflows.registry import workflows

    kinds = {one.subject.name for one in workflows().values() if one.subject is not None}
    return word in ABOUT or word in kinds


def _place(ctx: click.Context) -> str:
    """Return where a command is told what it is about; of a list of runs, who is asked instead."""
    words = [one for one in ctx.command.get_params(ctx) if isinstance(one, click.Argument)]
    if words:
        name = words[0].make_metavar(ctx).strip("[].")
        return f"what it is about stands by itself, as in {ctx.command_path} {name.rstrip(']')}"
    if ctx.command.name == "runs":
        return "the results of something are listed by `grafico find`"
    return ""


EXTRA = re.compile(r"Got unexpected extra arguments? \((.*)\)")


def too_many(error: click.UsageError) -> str:
    """Return that there are too many words, and how a name of several words is written."""
    told, ctx = error.format_message(), error.ctx
    found = EXTRA.match(told)
    command = ctx.command if ctx else None
    words = [one for one in command.params if isinstance(one, click.Argument)] if command else []
    if ctx is not None and found is not None and not words and (place := _place(ctx)):
        return f"{told}: {place}: grafico find {shlex.quote(found[1])}"
    first = ctx.params.get(words[0].name or "") if ctx and len(words) == 1 else None
    if ctx is None or found is None or not isinstance(first, str):
        return told
    words = [first, *found[1].split()]
    for option in ctx.command.get_params(ctx):
        for word in words if isinstance(option.type, SpelledChoice) else ():
            if meant := _with(option, ctx.params.get(option.name or ""), word):
                subject = " ".join(one for one in words if one != word)
                asked = [*ctx.command_path.split(), subject, option.opts[0], meant]
                line = shlex.join([*asked, *typed(ctx, option)])
                return f"{told}. {option.opts[0]} takes one value: {line}"
    writes = [one for one in ctx.command.params if "--output" in one.opts]
    if writes and Path(found[1]).suffix and not Path(found[1]).exists():
        line = [*ctx.command_path.split(), first, writes[0].opts[0], found[1]]
        return f"{told}. A file is written by {shlex.join([*line, *typed(ctx)])}"
    name = shlex.quote(f"{first} {found[1]}")
    told = f"{told}. If it is one name, write it in quotation marks: {ctx.command_path} {name}"
    telling = [*_telling(ctx, found[1])]
    if len(telling) == 1 and not telling[0].is_flag:
        line = [*ctx.command_path.split(), first, telling[0].opts[0], found[1]]
        told += f"; if not: {shlex.join([*line, *typed(ctx, telling[0])])}"
    return told


def _telling(ctx: click.Context | None, word: str) -> Iterator[click.Option]:
    """Iterate over the options whose help has a word, but for a number behind it (`lumo+2`)."""
    plain = re.sub(r"(?<=[A-Za-z])[+-]\d+$", "", word)
    if ctx is not None and len(plain) > 2:
        rule = re.compile(rf"\b{re.escape(plain)}\b", re.IGNORECASE)
        for one in ctx.command.get_params(ctx):
            if isinstance(one, click.Option) and rule.search(one.help or ""):
                yield one


def typed(ctx: click.Context, but: click.Parameter | None = None) -> list[str]:
    """Return the options that were given, but one, as they are written."""
    said: list[str] = []
    for one in ctx.command.get_params(ctx):
        source = ctx.get_parameter_source(one.name or "")
        value = ctx.params.get(one.name or "")
        if (
            not isinstance(one, click.Option)
            or source is not click.core.ParameterSource.COMMANDLINE
        ):
            continue
        if one is not but and isinstance(value, bool):
            said.append((one.opts if value else one.secondary_opts or one.opts)[0])
        elif one is not but:
            many = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
            said += [word for each in many for word in (one.opts[0], _written(each))]
    return said


def _written(value: object) -> str:
    """Return a value as it is typed; several with commas between."""
    if isinstance(value, tuple):
        return ",".join(map(str, cast("tuple[object, ...]", value)))
    return str(value)


def _with(option: click.Parameter, value: object, word: str) -> str:
    """Return the choice of an option that a word means, behind what it was given or by itself."""
    assert isinstance(option.type, SpelledChoice)
    both = (f"{value} {word}", word) if isinstance(value, str) else (word,)
    return next((meant for one in both if (meant := option.type.meaning(one))), "")


def no_argument(error: click.MissingParameter) -> str:
    """Return which argument is missing, and what it is."""
    ctx, told = error.ctx, error.format_message()
    asked = getattr(ctx.command, "asked", None) if ctx else None
    if asked is None or not isinstance(error.param, click.Argument):
        return told
    return f"{told} {asked.whole.subject.help}"


def _of_one_subject() -> set[str]:
    """Return what can be said of the usual subject, by the names of options."""
    from workflows.registry import workflows

    offered = workflows().usual.whole.subject.form.offered()
    return {name.replace("_", "-") for name in offered}


def no_choice(error: click.BadParameter) -> str:
    """Return that an option does not take a value, and which option with a longer name may."""
    param, ctx = error.param, error.ctx
    if ctx is None or not (
        isinstance(param, click.Option) and isinstance(param.type, click.Choice)
    ):
        return error.format_message()
    longer = [
        f"`{one.opts[0]}`: {one.help}"
        for one in ctx.command.get_params(ctx)
        if isinstance(one, click.Option) and one.opts[0].startswith(f"{param.opts[0]}-")
    ]
    said = re.search(r"'([^']*)' is not one of", error.format_message())
    if not longer and said:
        longer = [*_taking(ctx.find_root(), param.opts[0], said[1])]
    return " Near it: ".join([error.format_message(), *longer[:1]])


def _taking(root: click.Context, name: str, value: str) -> Iterator[str]:
    """Iterate over the commands whose option of a name takes a value."""
    from workflows.registry import workflows

    group = root.command
    assert isinstance(group, click.Group)
    for one in workflows().verbs:
        command = group.get_command(root, one.command)
        for param in command.get_params(click.Context(command, parent=root)) if command else ():
            choices = getattr(param.type, "choices", ())
            if name in param.opts and value in map(str, choices):
                yield f"`grafico {one.command} … {name} {value}`"


def _near(group: click.Group, ctx: click.Context, word: str) -> list[str]:
    """Return commands that are spelled nearly so, are called so too, or have an option like it."""
    if ctx.parent is not None:
        return difflib.get_close_matches(word, group.list_commands(ctx))
    from workflows.registry import workflows

    names = group.list_commands(ctx)
    usual = workflows().usual.command
    having = [name for name in names if f"--{word}" in _own_options(group, ctx, name)]
    command = group.get_command(ctx, usual)
    if command and any(f"--{word}" in one.opts for one in command.get_params(ctx)):
        having.append(usual)
    having = list(dict.fromkeys(having))
    having.sort(
        key=lambda name: (name != usual, bool(workflows().verb(name) or workflows().wrapper(name)))
    )
    from .settings_help import told_of

    found = [f"grafico help {word}"] if told_of(word) else []
    found += [f"grafico {name}" for name, others in CALLED.items() if word in others]
    found += [f"grafico {name} … --{word}" for name in having]
    found += [f"grafico {name}" for name in difflib.get_close_matches(word, names)]
    kept = [name for name in names if len(word) > 2 and (name.startswith(word) or word in name)]
    found += [f"grafico {name}" for name in kept]
    for one in (*workflows().verbs, *workflows().wrappers):
        called = {name.lower().replace("_", " ") for name in (one.name, *one.synonyms)}
        if word in one.command.split()[1:] or difflib.get_close_matches(word, called, cutoff=0.8):
            title = one.title[:1].lower() + one.title[1:].partition(": ")[0].rstrip(".")
            if f"grafico {one.command}" not in found:
                found.append(f"grafico {one.command} ({title})")
    for param in command.get_params(ctx) if command else ():
        found += [f"grafico {usual} … {value}" for value in _values(param, word)]
    return found


def _values(param: click.Parameter, word: str) -> list[str]:
    """Return how an option is written with a value that begins so, or that is spelled nearly so."""
    if not isinstance(param, click.Option):
        return []
    choices = [str(one) for one in getattr(param.type, "choices", ())]
    begun = [one for one in choices if len(word) > 2 and one.startswith(word)]
    close = difflib.get_close_matches(word, choices, cutoff=0.7)
    return [f"{param.opts[0]} {one}" for one in dict.fromkeys([*begun, *close])]


def _own_options(group: click.Group, ctx: click.Context, name: str) -> set[str]:
    command = group.get_command(ctx, name)
    params = [*command.params] if command else []
    if isinstance(command, FormCommand):
        params += command.own_params()
    return {opt for one in params for opt in one.opts}
