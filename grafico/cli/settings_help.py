"""What a setting takes, whatever command has it: `grafico help solvents`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

WIDTH = 100

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from workflows.registry import Action, Workflow


def told_of(word: str) -> str:
    """Return what a setting is for and takes, by its name or another one; empty where none is."""
    from workflows.engine.request.rules import choices_of

    wanted = _plain(word)
    of: dict[str, list[str]] = {}
    first: tuple[str, FieldInfo] | None = None
    if told := _short(wanted):
        return told
    for verb, name, field in _fields():
        if _plain(name) == wanted or wanted in map(_plain, _other_names(field)):
            first = first or (name, field)
            of.setdefault(name, []).append(verb.command)
    if first is None:
        return ""
    name, field = first
    lines = [
        *textwrap.wrap(f"--{name.replace('_', '-')}: {field.description or 'a setting'}", WIDTH)
    ]
    lines += textwrap.wrap(f"Of grafico {', '.join(of[name])}.", WIDTH, break_on_hyphens=False)
    choices = choices_of(field.annotation)
    for head, names in {**_known(name), **({"One of": choices} if choices else {})}.items():
        lines += ["", *textwrap.wrap(f"{head}:", WIDTH)]
        text = ", ".join(names)
        lines += textwrap.wrap(
            text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False
        )
    return "\n".join(lines)


def _short(wanted: str) -> str:
    """Return what several settings in a word are for, and where their lists are."""
    from workflows.registry import workflows

    for form in workflows().usual.whole.all_forms:
        for name, short in form.shorts.items():
            if _plain(name) == wanted and short.description:
                lists = [f"grafico help {one}" for one in form.offered() if _known(one)]
                return f"--{name}: {short.description}\nLists: {', '.join(lists)}."
    return ""


def _known(name: str) -> Mapping[str, Sequence[str]]:
    """Return what can be given to a setting of that name, as the first form says that lists it."""
    from workflows.engine.request.rules import known
    from workflows.registry import workflows

    for form in workflows().usual.whole.all_forms:
        for variant in form.variants():
            if name in variant.model_fields and (heads := known(variant.model_fields[name])):
                return heads
    return {}


def _fields() -> Iterator[tuple[Workflow | Action, str, FieldInfo]]:
    """Iterate over the fields of what there is, the usual workflow first."""
    from workflows.registry import workflows

    usual = workflows().usual
    for verb in (usual, *(one for one in workflows().verbs if one is not usual)):
        for form in verb.whole.all_forms:
            for name, field in form.offered().items():
                yield verb, name, field


def _other_names(field: FieldInfo) -> Iterator[str]:
    from workflows.engine.request.rules import OtherNames

    for rule in field.metadata:
        yield from rule.names if isinstance(rule, OtherNames) else ()


def _plain(word: str) -> str:
    """Return a word without hyphens before it, in the singular."""
    plain = word.lower().lstrip("-").replace("-", "_")
    return plain.removesuffix("s") if plain not in ("basis", "bas") else plain
