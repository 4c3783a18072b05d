"""All triples of a store, by subject, in a temporary database: memory stays flat.

The database has no name in any folder, so nothing of it is left however the process ends. It takes
about as much room as the quads have as text, where `SQLITE_TMPDIR` or `TMPDIR` says.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from ogm.literals import Term
from triplestore import Store
from triplestore.errors import ResourceError

from .closure import GENERATED

SUBJECTS = 200
"""Subjects of a page."""

MADE = f"<{GENERATED}>"
"""From an activity to its result, as a line has it."""

_ASKED = 500
"""Placeholders of one statement."""


class Sorted:
    """The triples of the default graph of a store at one moment.

    Attributes:
        triples: how many there are.
        elsewhere: how many quads are in other graphs or about blank nodes; they are left out.
    """

    def __init__(self, store: Store, tell: Callable[[str], None]) -> None:
        self.triples = self.elsewhere = 0
        with database_errors():
            self._base = sqlite3.connect("", isolation_level=None)
        try:
            with database_errors():
                self._load(store, tell)
        except BaseException:
            self._base.close()
            raise

    def _load(self, store: Store, tell: Callable[[str], None]) -> None:
        for statement in (
            "PRAGMA journal_mode=OFF",
            "PRAGMA cache_size=-32000",
            "CREATE TABLE triple (subject TEXT, line TEXT)",
            "CREATE TABLE array (name TEXT PRIMARY KEY, head TEXT, wrong TEXT)",
            "CREATE TABLE made (result TEXT PRIMARY KEY)",
            "BEGIN",
        ):
            self._base.execute(statement)
        for piece in store.dump():
            lines = [line for line in piece.decode().split("\n") if line]
            rows = [(line[1 : line.index(">")], line) for line in lines if _ordinary(line)]
            self._base.executemany("INSERT INTO triple VALUES (?, ?)", rows)
            terms = (line.split(" ", 3)[1:3] for _, line in rows)
            made = [(term[1:-1],) for predicate, term in terms if predicate == MADE]
            self._base.executemany("INSERT OR IGNORE INTO made VALUES (?)", made)
            self.triples += len(rows)
            self.elsewhere += len(lines) - len(rows)
            tell(f"sorting {self.triples:,} triples")
        self._base.execute("CREATE INDEX by_subject ON triple (subject)")
        self._base.execute("COMMIT")

    def pages(self) -> Iterator[dict[str, list[tuple[str, Term]]]]:
        """Iterate over all subjects with their triples, some at a time."""
        cursor = self._base.cursor()
        begun = ""
        while True:
            rows = cursor.execute(
                "SELECT DISTINCT subject FROM triple WHERE subject > ? ORDER BY subject LIMIT ?",
                (begun, SUBJECTS),
            )
            subjects = [row[0] for row in rows]
            if not subjects:
                return
            begun = subjects[-1]
            yield self.describe(subjects)

    def describe(self, iris: Sequence[str]) -> dict[str, list[tuple[str, Term]]]:
        """Return what is known of IRIs."""
        found: dict[str, list[tuple[str, Term]]] = {}
        lines = "\n".join(self._where("SELECT line FROM triple WHERE subject IN", iris))
        for quad in parse(lines, format=RdfFormat.N_QUADS):
            if isinstance(quad.subject, NamedNode):
                pair = quad.predicate.value, quad.object
                found.setdefault(quad.subject.value, []).append(pair)
        return found

    def not_made(self, iris: Sequence[str]) -> set[str]:
        """Return those IRIs that nothing has generated."""
        return {*iris} - {*self._where("SELECT result FROM made WHERE result IN", iris)}

    def missing(self, iris: Sequence[str]) -> set[str]:
        """Return those IRIs of which nothing is known."""
        present = self._where("SELECT DISTINCT subject FROM triple WHERE subject IN", iris)
        return {*iris} - {*present}

    def _where(self, statement: str, iris: Sequence[str]) -> Iterator[str]:
        for start in range(0, len(iris), _ASKED):
            page = iris[start : start + _ASKED]
            marks = ",".join("?" * len(page))
            yield from (row[0] for row in self._base.execute(f"{statement} ({marks})", page))

    # --- arrays ----------------------------------------------------------------------------

    def array(self, name: str) -> tuple[str, str] | None:
        """Return what was noted of an array: type and shape, and what is wrong with it."""
        statement = "SELECT head, wrong FROM array WHERE name = ?"
        return self._base.execute(statement, (name,)).fetchone()

    def note_array(self, name: str, head: str, wrong: str) -> None:
        """Note an array that something names."""
        self._base.execute("INSERT OR IGNORE INTO array VALUES (?, ?, ?)", (name, head, wrong))

    def note_names(self, names: Iterable[str]) -> None:
        """Note arrays that are named elsewhere than in the store."""
        for name in names:
            self.note_array(name, "", "")

    def close(self) -> None:
        """Drop everything."""
        self._base.close()


def _ordinary(line: str) -> bool:
    """Tell whether a line is a triple of the default graph about an IRI."""
    rest = line.split(" ", 2)[2]
    tail = rest[rest.rfind('"') + 1 :]  # neither an IRI nor a tag holds a quote or a blank
    return line[0] == "<" and tail.count(" ") == 1


def plain(term: Term) -> str:
    """Return the text of a term."""
    return term.value if isinstance(term, NamedNode | Literal) else str(term)


@contextmanager
def database_errors() -> Generator[None]:
    """Put what SQLite raises when its temporary file cannot grow into our tree."""
    try:
        yield
    except sqlite3.Error as error:
        raise ResourceError(
            "sort the triples of the store",
            str(error),
            "free space for temporary files, or set TMPDIR to another folder",
        ) from error
