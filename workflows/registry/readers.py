"""Readers: what brings files of other programs into the graph, each declared by its domain.

A package declares `READERS` beside its `WORKFLOWS`; nothing more of it is imported before a file is
given to one.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from triplestore.errors import InputError
from workflows.registry.packages import GROUP, declaring
from workflows.text.safe_text import on_one_line

if TYPE_CHECKING:
    from ogm import KnowledgeGraph
    from workflows.engine.execution.policy import Accepting

Fate: TypeAlias = Literal["new", "there", "failed run", "refused", "not known"]


@dataclass(frozen=True)
class Taken:
    """What came of a file, or of one of the jobs in it.

    Attributes:
        file: as it was named, or where it lies in a folder.
        job: which of the jobs in it, from 1; 0 for the file as a whole.
        fate: `new`, `there` already, a `failed run` (which is stored as such), `refused`, or `not
            known`, where it is no file that is read.
        message: in words; empty where `run` says it.
        run: IRI of what is stored of it; empty for nothing.
        level: label of its level.
        formula: of the molecule.
        energy: in Eh; None where there is none.
        results: IRIs of what was read.
    """

    file: str
    job: int
    fate: Fate
    message: str = ""
    run: str = ""
    level: str = ""
    formula: str = ""
    energy: float | None = None
    results: tuple[str, ...] = ()


Reads: TypeAlias = (
    "Callable[[KnowledgeGraph, Sequence[str], Callable[[str], None]], Iterator[Taken]]"
)
"""Reads files, and those in folders, and stores what they say; is told whom to tell how far it is.

What is wrong with one file is told of that one, and the others go on.
"""


@dataclass(frozen=True)
class Reader:
    """What reads a kind of files.

    Attributes:
        name: never changes: that of the graph of its runs.
        title: what it reads, in words.
        definition: where its function is, as `module:attribute`; imported when first needed.
        answers: where its `Accepting` is, by which what it has read may answer requests of those
            who accept it by its name; empty where it never does.
    """

    name: str
    title: str
    definition: str
    answers: str = ""

    @property
    def reads(self) -> Reads:
        """The function."""
        return _at(self.definition)

    @property
    def accepting(self) -> Accepting:
        """The function that looks for answers."""
        return _at(self.answers)


def _at(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)


@functools.cache
def readers() -> dict[str, Reader]:
    """Return the readers of what is installed, by name."""
    return {
        one.name: one
        for _, module in declaring(GROUP)
        for one in getattr(module, "READERS", ())
        if isinstance(one, Reader)
    }


def accepting(names: Sequence[str]) -> tuple[Accepting, ...]:
    """Return where those look for answers who accept what readers of some names have read.

    Raises:
        InputError: there is no such reader, or what it reads never answers.
    """
    known = {name: one for name, one in readers().items() if one.answers} if names else {}
    for name in names:
        if name not in known:
            raise InputError(
                f"results called {name!r} were to be accepted as answers",
                "there are none that can be",
                f"choose of: {', '.join(known) or 'none'}",
            )
    return tuple(known[name].accepting for name in dict.fromkeys(names))


def refusal_of(taken: Taken) -> InputError:
    """Return what is said of a file that was not taken in."""
    titles = ", or ".join(reader.title for reader in readers().values())
    known = f"give a file that `grafico export` has written, or {titles}"
    asked = f"{on_one_line(taken.file)} was to be imported"
    return InputError(asked, taken.message, "" if taken.fate == "refused" else known)


def read_files(
    kg: KnowledgeGraph, places: Sequence[str], tell: Callable[[str], None]
) -> Iterator[Taken]:
    """Bring files into the graph, each by the first reader that knows it; see `Reads`.

    Of a folder each reader takes what it knows.
    """
    left: dict[str, Taken | None] = dict.fromkeys(places)
    for reader in readers().values():
        unknown = dict[str, Taken]()
        known = set[str]()
        for one in reader.reads(kg, [*left], tell):
            if one.fate == "not known" and one.file in left:
                unknown[one.file] = one
            else:
                known.add(one.file)
                yield one
        left = {place: unknown.get(place) for place in left if place not in known}
    yield from (one for one in left.values() if one is not None)
