"""How objects stored by an earlier schema version become objects of the present one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .model import GraphModel


@dataclass(frozen=True)
class Upgrade:
    """How objects stored by an earlier schema version become objects of the present one.

    Attributes:
        former: a class with the fields of that version, declared with `former=True`; None where
            fields were added only, so that the present class reads what is there.
        function: gets such an object and returns the fields of the next version; None where the
            present class fills in by itself what was added.
    """

    former: type[GraphModel] | None
    function: Callable[[Any], Mapping[str, Any]] | None


ADDED = Upgrade(None, None)
"""Fields were added that the class makes of the others, so that queries find them."""


def upgrades(cls: type[GraphModel], version: int) -> list[Upgrade]:
    """Return the steps that make an object of a schema version into one of the present."""
    steps = cls._upgrades  # pyright: ignore[reportPrivateUsage]
    return [steps[number] for number in range(version, cls.schema_version()) if number in steps]
