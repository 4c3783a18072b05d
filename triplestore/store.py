"""What a store is: a few verbs over quads, and the shapes of their answers.

A store is append-only through this interface. An insertion is a set insertion and a query changes
nothing, so every request may be repeated, and a lost connection is never a reason to fail.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TypeAlias
from urllib.parse import unquote, urlsplit

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from triplestore.bounds import Bounds
from triplestore.errors import InputError

Term: TypeAlias = NamedNode | Literal | BlankNode


@dataclass(frozen=True)
class Table:
    """The solutions of a SELECT query.

    Args:
        variables: the projected variables, without the question mark.
        rows: one tuple a solution, in the order of `variables`; None where a variable is unbound.
        cut: what was left out and by which limit, or None when the answer is whole.
    """

    variables: tuple[str, ...]
    rows: list[tuple[Term | None, ...]]
    cut: str | None = None


class Triples(list[Triple]):
    """The triples of a CONSTRUCT or DESCRIBE query: a list that also knows what was left out."""

    cut: str | None = None


Answer: TypeAlias = Table | bool | list[Triple]


class Store(Protocol):
    """A set of quads that can be asked and added to; usable from several threads."""

    @property
    def url(self) -> str:
        """What `open_store` was given, made absolute: it opens the same store again."""
        ...

    @property
    def home(self) -> Path | None:
        """The folder for journals and array files beside the quads; None for memory."""
        ...

    def query(self, sparql: str, *, timeout: float = 45.0, max_rows: int | None = None) -> Answer:
        """Answer a SELECT, ASK, CONSTRUCT or DESCRIBE query of our own; it can never write.

        Its default graph is the unnamed one. What somebody else wrote goes to `query_guarded`.

        Args:
            sparql: the query.
            timeout: seconds after which it is stopped.
            max_rows: rows (or triples) after which the answer is cut, with a note in `cut`.

        Raises:
            QueryError: the query is malformed or calls another server (SERVICE).
            TimeLimitError: it took longer than `timeout`.
            ResourceError: the store cannot be reached, or is busy.
        """
        ...

    def query_guarded(self, sparql: str, bounds: Bounds) -> Answer:
        """Answer a query that somebody else wrote and that has passed `check_query`.

        It is evaluated in another process, which may end on the way: what it costs in time and
        memory is bounded, and what it ended is not asked again.

        Args:
            sparql: the query.
            bounds: its limits; `memory` is None for `spare_memory()`. A server has a limit of its
                own for memory.

        Raises:
            QueryError: the query is malformed.
            TimeLimitError: it took too long.
            MemoryLimitError: it took too much memory, or another one in flight did.
            ResourceError: the store cannot be reached, or is busy.
        """
        ...

    def reach(self, iris: Sequence[str], along: Sequence[str] | None = ()) -> Table:
        """Return the triples of subjects, and of all that can be reached from them.

        Args:
            iris: the subjects.
            along: the properties that are followed, any number of times; None for all. A store
                may give more than was asked for.

        Returns:
            Rows of subject, predicate and object of the default graph.

        Raises:
            TimeLimitError: it took longer than 45 s.
            ResourceError: the store cannot be reached, or is busy.
        """
        ...

    def insert(self, quads: bytes, *, durable: bool = True, settled: Collection[str] = ()) -> None:
        """Add N-Quads in one transaction; what is there already stays as it is.

        Args:
            quads: N-Quads in UTF-8. Labels of blank nodes are kept, so repeating changes nothing.
            durable: flush to disk before returning. Otherwise the quads are committed (they
                survive the death of any process) and flushed about a second later.
            settled: IRIs of subjects of which a property is said once. Where the default graph
                has values of a property of such a subject, the values inserted (if there are any)
                must be the same; the check and the insertion are one transaction.

        Raises:
            ConflictError: a settled subject has another value; nothing was stored.
            InputError: the N-Quads are malformed; nothing was stored.
            ResourceError: the disk is full or the store cannot be reached; nothing was stored,
                unless the message says that the outcome is open. Asking again is always safe.
        """
        ...

    def flush(self) -> None:
        """Flush to disk what was inserted so far.

        Raises:
            ResourceError: the disk is full or the store cannot be reached.
        """
        ...

    def dump(self) -> Iterator[bytes]:
        """Iterate over all quads as pieces of N-Quads, each of whole lines.

        What is written by others meanwhile takes no part: it is the state of one moment, where
        the store can give that (memory and folders can).

        Raises:
            ResourceError: the store cannot be reached, or went away in the middle.
        """
        ...

    def damage(
        self, tell: Callable[[str], None] = lambda _: None, patience: float | None = None
    ) -> list[str]:
        """Return what is wrong with how the quads are kept, in words; nothing if all is well.

        A server looks after its own; what is in memory has no files that a disk could change.

        Args:
            tell: is told how far it is.
            patience: seconds that it may take.

        Raises:
            TimeLimitError: it took longer.
            ResourceError: there is no room or memory for it, or the store cannot be reached.
        """
        return []

    def close(self) -> None:
        """Let go of the store; a later request raises `InputError`."""
        ...

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None:
        self.close()


def is_remote(url: str) -> bool:
    """Whether a URL names a SPARQL server."""
    return re.match(r"https?:", url, re.IGNORECASE) is not None


def folder_of(url: str) -> Path:
    """Return the folder that a path or a file URL names.

    Raises:
        InputError: it names something else.
    """
    asked = f"cannot open the store {url!r}"
    if not url.strip() or "\0" in url:
        raise InputError(asked, "it names no folder", "give a folder, or 'memory:'")
    if url.lower().startswith("file:"):
        parts = urlsplit(url)
        if parts.netloc not in ("", "localhost") or not parts.path.startswith("/"):
            raise InputError(
                asked,
                "a file URL names an absolute path on this host",
                "write file:///absolute/path",
            )
        return Path(unquote(parts.path))
    path = Path(url).expanduser()
    # A single letter may be the drive of another system's path, which is as good a name as any.
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*)://|([A-Za-z][A-Za-z0-9+.-]+):", url)
    if scheme and (scheme[1] or not os.path.exists(path)):
        # The rest is not repeated: it may hold a password.
        raise InputError(
            f"cannot open the store {scheme[0]}…",
            f"{scheme[1] or scheme[2]} is not a kind of store",
            "give a folder (with ./ before it, if its name begins like that), 'memory:', file:///…,"
            " http://… or https://…",
        )
    return path
