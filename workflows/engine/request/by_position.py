"""What is said without the name of its field: `run("water", "GFN2-xTB", "optimise")` in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast, get_args

from pydantic.fields import FieldInfo

from triplestore.errors import GraficoError, InputError

from .definition import Fields
from .form import Form, fill
from .rules import Second, Short, understood, words_of


def by_position(whole: Fields, texts: Sequence[object], said: Sequence[str] = ()) -> dict[str, Any]:
    """Return which fields texts are the values of that stand behind a subject.

    One that is a choice of a field of the first form alone is the value of that. The first other is
    that of the field marked `Second`, or of the form's first where that takes any text. The rest is
    what is said as one word, such as a level: `"B3LYP", "def2-SVP"` is `"B3LYP/def2-SVP"`.

    Args:
        whole: what is asked.
        texts: in the order in which they stand.
        said: names of fields that are said besides.

    Raises:
        InputError: no field takes them.
    """
    found, rest = dict[str, Any](), list[str]()
    fields = whole.forms[0].offered() if whole.forms else {}
    open_to_all = next(iter([*_second(fields), *fields]), "")
    shorts: Mapping[str, Short] = whole.forms[-1].shorts if whole.forms else {}
    told = [name for name, one in shorts.items() if one.description]
    for one in texts:
        if not isinstance(one, str):
            raise nameless(whole, one)
        there = {name: field for name, field in fields.items() if name not in {*found, *said}}
        chosen = [name for name, field in there.items() if _is_choice(field, one)]
        if len(chosen) == 1:
            found[chosen[0]] = one
        elif (
            open_to_all in there
            and _takes_text(there[open_to_all])
            and not (len(told) == 1 and _is_whole(whole.forms[-1], shorts[told[0]], one))
        ):
            found[open_to_all] = one
        else:
            rest.append(one)
    if rest and (len(told) != 1 or told[0] in said):
        raise nameless(whole, rest[0])
    return found | ({told[0]: "/".join(rest)} if rest else {})


def choice_of(whole: Fields, word: str) -> dict[str, Any]:
    """Return the first field of what is asked with a word that is a choice of it, else nothing."""
    first = next(iter(whole.forms[0].offered().items()), None) if whole.forms else None
    return {first[0]: word} if first and _is_choice(first[1], word) else {}


def each_by_position(
    whole: Fields, given: Sequence[object], said: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the same where a list stands for each of its texts in turn: its field has a list."""
    found: dict[str, Any] = {}
    for one in given:
        if not isinstance(one, list | tuple):
            found |= by_position(whole, [one], [*said, *found])
            continue
        each = [by_position(whole, [text], said) for text in cast("Sequence[object]", one)]
        for name in dict.fromkeys(name for values in each for name in values):
            found[name] = [values[name] for values in each if name in values]
    return found


def _takes_text(field: FieldInfo) -> bool:
    kind: object = field.annotation
    return kind is str or kind == tuple[str, ...]


def _is_whole(form: type[Form], short: Short, text: str) -> bool:
    """Return whether a text fills in a form, such as the name of a method that of a level."""
    try:
        fill(form, short.means(text))
    except GraficoError:
        return False
    return True


def _second(fields: Mapping[str, FieldInfo]) -> Iterator[str]:
    for name, field in fields.items():
        if any(isinstance(rule, Second) for rule in field.metadata):
            yield name


def _is_choice(field: FieldInfo, text: str) -> bool:
    choices = [one for one in get_args(field.annotation) if isinstance(one, str)]
    return understood(text, choices, words_of(field)) in choices


def nameless(whole: Fields, given: object) -> InputError:
    """Return what is said of something of which no field is the value."""
    text = repr(given)
    return InputError(
        f"{text if len(text) <= 80 else text[:80] + '…'} was asked for",
        "nothing says of what it is the value",
        f"name it: {', '.join(f'{name}=…' for name in whole.sayable[:12])}, …"
        if whole.sayable
        else "leave it out",
    )
