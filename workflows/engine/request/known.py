"""What a field can be given, where that is a list too long for its description."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic.fields import FieldInfo


@dataclass(frozen=True)
class Known:
    """Where the values of a field are listed; it stands in the field's annotation.

    Attributes:
        place: a function, as `module:function`, that returns their names under heads. It is
            imported when somebody asks, so that help is quick.
    """

    place: str

    def names(self) -> Mapping[str, Sequence[str]]:
        """Return the names, under heads."""
        module, _, name = self.place.partition(":")
        found = getattr(importlib.import_module(module), name)
        return cast("Callable[[], Mapping[str, Sequence[str]]]", found)()


def known(field: FieldInfo) -> Mapping[str, Sequence[str]]:
    """Return what can be given to a field, under heads; nothing where no list is declared."""
    for rule in field.metadata:
        if isinstance(rule, Known):
            return rule.names()
    return {}
