"""Which options of a workflow take what a text states: told, to be typed by a person."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence

from triplestore.errors import InputError
from workflows.engine.request.with_units import in_unit, unit_of
from workflows.registry import workflows
from workflows.text.ranking import words_of

from .conditions import Condition


def lines(workflow: str, found: Sequence[Condition]) -> Iterator[str]:
    """Iterate over what a person types to use conditions: a command, and what of them is open.

    Args:
        workflow: its name or its verb.
        found: what texts state.

    Raises:
        NotFoundError: there is no such workflow.
    """
    whole = workflows().named(workflow)
    fields = {name: form.offered()[name] for name, form in whole.whole.fields.items()}
    units = {name: unit for name, field in fields.items() if (unit := unit_of(field))}
    taken: dict[str, list[Condition]] = {}
    left = list[str]()
    for one in found:
        names = [name for name, unit in units.items() if _takes(one, unit)]
        said = [name for name in names if _stem(name) in {_stem(w) for w in words_of(one.quote)}]
        if not names:
            left.append(f"[{one.number}] {one}: no option takes it")
        elif one.open or one.value is None:
            options = " or ".join(map(_option, said or names))
            left.append(f"[{one.number}] {one}: say the number, with {options}")
        elif len(said or names) > 1:
            options = " or ".join(map(_option, said or names))
            left.append(f"[{one.number}] {one}: with {options}")
        else:
            taken.setdefault((said or names)[0], []).append(one)
    typed, used = list[str](), list[Condition]()
    for name, each in taken.items():
        values: dict[float | None, list[Condition]] = {}
        for one in each:
            values.setdefault(in_unit(one.setting, units[name]), []).append(one)
        if len(values) > 1:
            told = ", ".join(f"{same[0].setting} {_numbers(same)}" for same in values.values())
            left.append(f"{_option(name)}: texts differ, {told}: choose one")
        else:
            typed.append(f"{_option(name)} {shlex.quote(each[0].setting)}")
            used += each
    if typed:
        yield f"to type: grafico {whole.command} … {' '.join(typed)}  # {_numbers(used)}"
    yield from left


def _numbers(found: Sequence[Condition]) -> str:
    return "".join(f"[{one.number}]" for one in found)


def _takes(one: Condition, unit: str) -> bool:
    """Tell whether a number in a unit measures what a condition states."""
    try:
        return bool(one.kind) and in_unit(f"1 {one.kind}", unit) is not None
    except InputError:
        return False


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _stem(word: str) -> str:
    """Return the beginning of a word that its forms share: `aspirated` and `aspirate`."""
    return word[:6]
