"""What `fsck` and `runs` say of stored objects beyond their form, as the domains know it.

A domain says it in a module `keeping` of its folder:

    @notices("spin", "species whose spin would be read otherwise today")
    def _(kg: KnowledgeGraph) -> Iterator[Notice]:
        yield Notice(iri, "multiplicity 4 was read of [C]F; today it is 2")
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from ogm import KnowledgeGraph

from .engine.execution.resting import resting_on
from .object_blocks import load_hooks


@dataclass(frozen=True)
class Notice:
    """What is to be known of a stored object.

    Attributes:
        subject: its IRI.
        found: in words.
    """

    subject: str
    found: str


Look: TypeAlias = Callable[[KnowledgeGraph], Iterator[Notice]]


@dataclass(frozen=True)
class Kind:
    """A kind of notices.

    Attributes:
        name: in one word.
        title: what they are, in words.
        look: finds them in a store, in a moment also in a large one.
        outdates: whether runs that rest on such an object count as outdated.
    """

    name: str
    title: str
    look: Look
    outdates: bool


_KINDS: dict[str, Kind] = {}


def notices(name: str, title: str, *, outdates: bool = False) -> Callable[[Look], Look]:
    """Have a function find notices of a kind; see `Kind`."""

    def keep(look: Look) -> Look:
        _KINDS[name] = Kind(name, title, look, outdates)
        return look

    return keep


def kinds() -> tuple[Kind, ...]:
    """Return the kinds of notices that the domains know."""
    load_hooks(("keeping",))
    return tuple(_KINDS.values())


def runs_in_doubt(kg: KnowledgeGraph) -> frozenset[str]:
    """Return the runs that rest on an object of which there is a notice that outdates them."""
    named = {one.subject for kind in kinds() if kind.outdates for one in kind.look(kg)}
    return frozenset(resting_on(kg, named).runs) if named else frozenset()
