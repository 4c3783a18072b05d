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
from workflows.show.object_blocks import doubtful, load_hooks


@dataclass(frozen=True)
class Notice:
    """What is to be known of a stored object.

    Attributes:
        subject: its IRI.
        found: in words.
        runs: IRIs of runs that give other numbers today because of it; they are listed as outdated.
    """

    subject: str
    found: str
    runs: tuple[str, ...] = ()


Look: TypeAlias = Callable[[KnowledgeGraph], Iterator[Notice]]


@dataclass(frozen=True)
class Kind:
    """A kind of notices.

    Attributes:
        name: in one word.
        title: what they are, in words.
        look: finds them in a store, in a moment also in a large one.
    """

    name: str
    title: str
    look: Look


_KINDS: dict[str, Kind] = {}


def notices(name: str, title: str) -> Callable[[Look], Look]:
    """Have a function find notices of a kind; see `Kind`."""

    def keep(look: Look) -> Look:
        _KINDS[name] = Kind(name, title, look)
        return look

    return keep


def kinds() -> tuple[Kind, ...]:
    """Return the kinds of notices that the domains know."""
    load_hooks(("keeping",))
    return tuple(_KINDS.values())


def runs_in_doubt(kg: KnowledgeGraph) -> frozenset[str]:
    """Return the runs that give other numbers today because of what there is a notice of."""
    return frozenset(run for kind in kinds() for notice in kind.look(kg) for run in notice.runs)


@notices("implausible", "results with numbers that are not to be believed")
def _(kg: KnowledgeGraph) -> Iterator[Notice]:
    yield from (Notice(iri, why) for iri, why in sorted(doubtful(kg).items()))
