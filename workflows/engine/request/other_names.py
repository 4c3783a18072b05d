"""What people call fields otherwise: taken where one field alone is meant, and not listed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic.fields import FieldInfo


@dataclass(frozen=True)
class OtherNames:
    """What else people call a field; taken, and not listed. It stands in the field's annotation.

    Attributes:
        names: such as `functional` of a method; where another field is called so, that is meant.
            One that begins with a hyphen, such as `-t`, is an option of the command line alone.
    """

    names: tuple[str, ...]


@dataclass(frozen=True)
class NumberNames:
    """What numbers of a field are called, such as `triplet`; it stands in the field's annotation.

    Attributes:
        names: the numbers by their names, in lower case.
    """

    names: Mapping[str, int]

    def __hash__(self) -> int:
        return hash(tuple(self.names.items()))


def number_named(field: FieldInfo, word: str) -> int | None:
    """Return the number of a field that a word means; None if it means none."""
    names = (rule.names for rule in field.metadata if isinstance(rule, NumberNames))
    return next((one[word.strip().lower()] for one in names if word.strip().lower() in one), None)


def other_names(fields: Mapping[str, FieldInfo]) -> dict[str, str]:
    """Return which of some fields is meant by what is none of their names: one alone can be."""
    meant: dict[str, set[str]] = {}
    for name, field in fields.items():
        for rule in field.metadata:
            for other in rule.names if isinstance(rule, OtherNames) else ():
                meant.setdefault(other, set()).add(name)
    return {
        other: names.pop()
        for other, names in meant.items()
        if len(names) == 1 and other not in fields
    }
