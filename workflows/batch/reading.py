"""A source of many, read into the store: one collection, and an entry for each record."""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import json
import math
import re
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import ExitStack, aclosing, suppress
from pathlib import Path
from typing import Annotated, Any, BinaryIO, ClassVar, TypeVar

from pydantic import Field

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import PREFIXES, full_iri, with_prefixes
from ontologies.collection import Batch, Collection, Entry
from ontologies.provenance import Run
from triplestore import Table
from triplestore.bounds import Bounds
from triplestore.errors import (
    CrashError,
    InputError,
    MemoryLimitError,
    NotFoundError,
    TimeLimitError,
)
from triplestore.guard.check import QueryLimits, check_query
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import Form, fill
from workflows.engine.request.library import Library, Raw, Record
from workflows.engine.request.rules import Personal, Setting
from workflows.programs.isolated import in_subprocess
from workflows.registry import subject_of, subjects
from workflows.text.names import plain
from workflows.trust.caller import absent, located
from workflows.trust.caller import opened as read_here

from .entries import PAGE, Entries
from .listed import HEADING, Files, Listed
from .rows import rows
from .single import single
from .sources import QUERIES, Source, opened, records, spooled
from .tables import NAMES

T = TypeVar("T")

CHUNK = 5000
"""Records that are read in one process, and stored in one transaction."""

AHEAD = 2
"""Chunks that are read while another is stored."""

FIRST = 1000
"""Where no more entries are asked for, so many records of a longer source are read."""

LETTERS = 4_000_000
"""Characters of these at most, but for one record."""

SHORT = 2000
"""Characters of a source that is read in this process: a new one takes a second."""

QUERY_BEGIN = re.compile(
    r"(?i)\s*(#.*\n\s*)*(SELECT|ASK|CONSTRUCT|DESCRIBE|PREFIX|BASE|INSERT|DELETE)\b"
)
"""Also of those that are refused."""

LONGEST_QUERY = 1_000_000
"""Bytes of a file with a query."""

QUERY_TABLE = "query.csv"
"""What the answer of a query is called as a source."""

LIST_TABLE = "list.csv"
"""What a list of a program is called as a source."""

GEOMETRY = "geometry"
"""Column of what a calculation made of its subject."""

LONGEST_NAME = 40
"""Characters of a text that is what an entry is called, where nothing else says it."""

QUERY = QueryLimits()
ROWS = Bounds(600.0, 1_000_000, memory=2_000_000_000)
"""What a query for entries may take."""


class ReadingMany(Form):
    """How a source of many is read."""

    of: Annotated[
        str, Field(description="Kind of the entries, such as molecule; if not the usual one.")
    ] = ""
    column: Annotated[str, Field(description="Column of a table that says what is computed.")] = ""
    names: Annotated[str, Field(description="Column that says what an entry is called.")] = ""
    format: Annotated[
        str, Personal(), Field(description="Kind of the files, such as csv, smi, sdf or xyz.")
    ] = ""
    reading: dict[str, Any] = Field({}, description="How what is not clean is read, by option.")
    single: bool = Field(
        False, description="SOURCE is one subject, of whatever kind; reading is said of it."
    )
    defaults: Annotated[dict[str, Any], Setting()] = Field({})


class Collections(Subject[Collection]):
    """Many subjects that were read from one source."""

    name: ClassVar[str] = "source"
    metavar: ClassVar[str] = "SOURCE"
    model = Collection
    form = ReadingMany
    help: ClassVar[str] = (
        "SOURCE is a file of many (CSV, TSV, SMI, SDF, XYZ, extended XYZ, CIF, each also as .gz), "
        "a folder of such files, a SPARQL query, - for standard input, or the IRI of a collection "
        "or a batch."
    )
    search_help: ClassVar[str] = "The IRI of a batch stands for all that its entries came to."

    def label(self, model: Collection) -> str:
        return model.source_name

    def argument(self, given: Given[Collection]) -> str:
        return given.model.iri

    def stored_object(self, kg: KnowledgeGraph, iri: str) -> Collection:
        found = kg.pull(GraphModel, full_iri(iri))
        batch = _batch_of(kg, found)
        if batch is not None:
            return kg.pull(Collection, batch.collection.iri)
        if isinstance(found, Collection):
            return found
        raise NotFoundError(
            f"a collection was asked for by {iri}",
            f"that is a {type(found).__name__}",
            "give the IRI of a collection, or of a run of a batch",
        )

    async def read(self, given: object, said: Form, executor: Executor) -> Given[Collection]:
        """Return the collection that a source holds.

        Of a file, `detail` stores its entries when it is awaited, as many as are needed, and
        returns the collection of these.
        """
        assert isinstance(said, ReadingMany)
        if isinstance(given, Collection):
            return Given(given, given.source_name)
        if isinstance(given, Listed):
            with spooled(given.rows) as table:
                if HEADING in given.rows[0] and HEADING not in library_of(said.of)[1].columns:
                    said = said.model_copy(update={"column": HEADING})
                whole = _Reading(LIST_TABLE, said, executor)
                found = await whole.stored(stream=table, name=LIST_TABLE)
            return Given(found, found.source_name)
        if isinstance(given, Files):
            found = await _Reading(given, said, executor).stored()
            return Given(found, found.source_name)
        if said.single:
            return await single(given, said.of, said.reading, said.defaults, executor)
        text = str(given).strip()
        if isinstance(given, str) and full_iri(text).partition(":")[0] in ("http", "https"):
            found = self.stored_object(executor.kg, text)
            batch = _batch_of(executor.kg, executor.kg.pull(GraphModel, full_iri(text)))
            if batch is not None and said.column:
                if said.column != GEOMETRY:
                    raise InputError(
                        f"the column {said.column} of {text} was asked for",
                        f"its entries are read already; only their last geometries ({GEOMETRY}) "
                        "can be asked for",
                        f"ask for the column {GEOMETRY}, for none, or for a file",
                    )
                with spooled(_geometries(executor.kg, batch)) as table:
                    name = f"geometries of {Path(found.source_name).stem}.csv"
                    found = await _Reading(text, said, executor).stored(stream=table, name=name)
            return Given(found, found.source_name)
        whole = _Reading(text, said, executor)
        if _is_query(text) or Path(text).suffix.lower() in QUERIES:
            with spooled(_asked(text, executor.kg)) as table:
                collection = await whole.stored(stream=table)
        elif (path := located(text)) is None or not path.is_file():
            collection = await whole.stored()  # it can be read but once, or is a folder
        else:
            collection = await whole.collection()
            return Given(collection, collection.source_name, detail=whole.stored)
        return Given(collection, collection.source_name)


def _batch_of(kg: KnowledgeGraph, found: GraphModel) -> Batch | None:
    """Return the batch that this is, or that this is a run of."""
    about = (
        kg.pull_all(GraphModel, sorted(link.iri for link in found.about))
        if isinstance(found, Run)
        else [found]
    )
    return next((one for one in about if isinstance(one, Batch)), None)


def _geometries(kg: KnowledgeGraph, batch: Batch) -> Iterator[Sequence[str]]:
    """Return the table of what the calculations of a batch made of their subjects.

    Names and columns of the source travel along, and so does what a grid says of each.
    """
    entries = Entries(kg, batch)
    ways = [json.loads(one) for one in batch.settings]
    grid = [name for name in ways[0] if any(way.get(name) != ways[0][name] for way in ways)]
    heads = dict.fromkeys(
        name
        for start in range(0, len(entries.indices), PAGE)
        for entry in entries.pages(entries.indices[start : start + PAGE])
        for name in json.loads(entry.columns or "{}")
    )
    named = [] if {plain(name) for name in heads} & {*NAMES} else ["name"]
    others = [name for name in (*heads, *grid) if name != GEOMETRY]
    yield [GEOMETRY, *named, *others]
    for row in rows(entries):
        said = {**row.said, **row.columns}
        own = [row.entry.name] if named else []
        yield [row.geometry, *own, *(str(said.get(name, "")) for name in others)]


def library_of(kind: str) -> tuple[str, Library]:
    """Return the name of a kind of subject and how many of it are read from one source.

    Raises:
        NotFoundError: there is no such kind, or many of it cannot be read.
    """
    subject = subject_of(kind)
    if subject is None or subject.library is None:
        if subject is not None and subject.several:
            raise NotFoundError(
                f"a batch of {subject.name}s was asked for",
                "one of these is several already",
                f"ask for them at once, without batch. {subject.help}",
            )
        known = [name for name, one in subjects().items() if one.library is not None]
        raise NotFoundError(
            f"a collection of {kind!r} was asked for",
            "many of these cannot be read",
            f"there are: {', '.join(known) or 'none'}",
        )
    return subject.name, subject.library


def _is_query(text: str) -> bool:
    return QUERY_BEGIN.match(text) is not None and "{" in text


def _asked(text: str, kg: KnowledgeGraph) -> Iterator[Sequence[str]]:
    """Return the rows of a query, headings first."""
    sparql = text
    if not _is_query(text):
        try:
            with read_here(text) as stream:
                sparql = stream.read(LONGEST_QUERY).decode("utf-8")
        except UnicodeDecodeError as error:
            raise InputError(
                f"the query in {text} was asked for", "it is no text in UTF-8", "give another file"
            ) from error
        except (OSError, ValueError) as error:
            raise absent(f"the query in {text} was asked for") from error
    check_query(sparql, QUERY, PREFIXES)
    answer = kg.store.query_guarded(with_prefixes(sparql), ROWS)
    if not isinstance(answer, Table):
        raise InputError(
            "a batch of what a query finds was asked for",
            "it gives no table",
            "begin it with SELECT",
        )
    if not answer.rows:
        raise InputError(
            "a batch of what a query finds was asked for", "it finds nothing", "ask another one"
        )
    if answer.cut:
        raise InputError(
            "a batch of what a query finds was asked for",
            f"its answer was {answer.cut}",
            "ask for less at once",
        )
    yield [str(name) for name in answer.variables]
    for row in answer.rows:
        yield [str(getattr(term, "value", "") if term is not None else "") for term in row]


class _Reading:
    """How a source is read into the store.

    Args:
        given: what a person calls it.
        said: how it is to be read.
        executor: whose store it is read into.
    """

    def __init__(self, given: str | Files, said: ReadingMany, executor: Executor) -> None:
        self._given, self._said, self._executor = given, said, executor
        self._kind, self._library = library_of(said.of)
        self._options = fill(self._library.form, said.reading)

    async def collection(self) -> Collection:
        """Return what all of it would be; it need not be stored."""
        with ExitStack() as stack:
            return self._collection(await self._opened(stack, self._given))

    async def _opened(
        self, stack: ExitStack, given: str | Files, stream: BinaryIO | None = None
    ) -> Source:
        """Open the source in a thread of its own: a pipe may keep that waiting for ever."""
        return await aside(lambda: stack.enter_context(opened(given, self._library, stream)))

    async def stored(
        self, limit: int | None = None, stream: BinaryIO | None = None, name: str = QUERY_TABLE
    ) -> Collection:
        """Return the entries of the source; they are stored, if they are not already.

        Args:
            limit: how many are needed; None for all.
            stream: what holds the source, if no file does.
            name: what that is called.
        """
        given = self._given if stream is None else name
        with ExitStack() as stack:
            source = await self._opened(stack, given, stream)
            collection, raws = self._collection(source), self._records(source)
            if self._is_stored(collection):
                return collection
            if limit is not None:
                enough = math.ceil(limit / FIRST) * FIRST
                if any(True for _ in itertools.islice(self._records(source), enough, None)):
                    collection = self._collection(source, first=enough)
                    raws = itertools.islice(raws, enough)
                    if self._is_stored(collection):
                        return collection
            await self._store(collection, raws)
        return collection

    def _collection(self, source: Source, **only: int) -> Collection:
        said = self._said.model_dump(exclude={"of", "reading", "single", "defaults"})
        how = {**said, **self._options.model_dump(), **only}
        first = next(self._records(source), None)
        heads = () if first is None else self._library.headings(first)
        meant = {one: name for one in heads if (name := self._library.field_of(one))}
        if other := {one: name for one, name in meant.items() if plain(one) != name}:
            how["fields"] = other  # it was not read so before: what was stored stays as it is
        return Collection(
            source_name=source.name,
            digest=source.digest,
            kind=self._kind,
            reading=json.dumps(how, sort_keys=True),
        )

    def _records(self, source: Source) -> Iterator[Raw]:
        said = self._said
        return records(
            source, self._library, kind=said.format, column=said.column, names=said.names
        )

    def _is_stored(self, collection: Collection) -> bool:
        with suppress(NotFoundError):
            self._executor.kg.pull(Collection, collection.iri)
            return True
        return False

    async def _store(self, collection: Collection, raws: Iterator[Raw]) -> None:
        link, name = Link[Collection](collection), collection.source_name
        number, names = 0, set[int]()
        async with aclosing(self._read_ahead(name, raws)) as chunks:
            async for read in chunks:
                self._executor.record(*_entries(link, number, read, names), durable=False)
                number += len(read)
                self._executor.emit("progress", name, done=number, failed=0, total=0)
        if not number:
            raise InputError(
                f"a batch of {name} was asked for", "no entry stands in it", "add some"
            )
        self._executor.record(collection)

    async def _read_ahead(self, name: str, raws: Iterator[Raw]) -> AsyncGenerator[list[Record]]:
        """Iterate over what records mean, a chunk after the other; some are read ahead."""
        ahead = deque[asyncio.Task[list[Record]]]()
        try:
            for number, chunk in enumerate(_chunks(raws)):
                reading = _read(self._library, chunk, self._options, name, first=number == 0)
                ahead.append(asyncio.create_task(reading))
                if len(ahead) > AHEAD:
                    yield await ahead.popleft()
            while ahead:
                yield await ahead.popleft()
        finally:
            for task in ahead:
                task.cancel()
            await asyncio.gather(*ahead, return_exceptions=True)  # their processes have ended


async def aside(function: Callable[[], T]) -> T:
    """Return what a function returns, called in a thread that keeps no program from its end."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def tell(outcome: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # nobody waits any more
            loop.call_soon_threadsafe(lambda: None if future.done() else outcome())

    def work() -> None:
        try:
            result = function()
        except BaseException as error:
            told = error
            tell(lambda: future.set_exception(told))
        else:
            tell(lambda: future.set_result(result))

    here = contextvars.copy_context()  # who asks, among others
    threading.Thread(target=lambda: here.run(work), daemon=True).start()
    return await future


def _chunks(raws: Iterator[Raw]) -> Iterator[list[Raw]]:
    chunk, letters = list[Raw](), 0
    for raw in raws:
        chunk.append(raw)
        letters += len(raw.text)
        if len(chunk) >= CHUNK or letters > LETTERS:
            yield chunk
            chunk, letters = [], 0
    if chunk:
        yield chunk


def read_chunk(library: Library, raws: Sequence[Raw], options: Form) -> list[Record]:
    """Return what records mean; called in a process of its own."""
    found: list[Record] = []
    for raw in raws:
        if raw.problem:
            found.append(Record(raw, problem=raw.problem))
        else:
            found += library.read([raw], options)
    return found


async def _read(
    library: Library, raws: Sequence[Raw], options: Form, source: str, *, first: bool = False
) -> list[Record]:
    """Read records in a process of its own; what it does not survive is found by halves."""
    if first and sum(len(raw.text) for raw in raws) <= SHORT:
        return await asyncio.to_thread(read_chunk, library, raws, options)
    try:
        return await in_subprocess(f"cannot read {source}", read_chunk, library, raws, options)
    except (CrashError, MemoryLimitError, TimeLimitError) as error:
        if len(raws) == 1:
            return [Record(raws[0], problem=error.found)]
        half = len(raws) // 2
        return [
            *await _read(library, raws[:half], options, source),
            *await _read(library, raws[half:], options, source),
        ]


def _short(raw: Raw) -> str:
    """Return the text of a record where it can be a name."""
    return "" if raw.suffix or len(raw.text) > LONGEST_NAME else raw.text


def _entries(
    link: Link[Collection], number: int, read: Sequence[Record], names: set[int]
) -> Iterator[Entry]:
    """Iterate over entries; `names` holds the hashes of what those before them are called."""
    for index, one in zip(itertools.count(number), read, strict=False):
        columns = {**one.raw.columns, **one.columns}
        name = one.name or one.raw.name
        notes = (*one.raw.remarks, *one.remarks)
        if name:
            if hash(name) in names:
                notes = (*notes, "an entry before it has the same name")
            names.add(hash(name))
        yield Entry(
            collection=link,
            index=index,
            name=name or _short(one.raw) or one.raw.place,
            place=one.raw.place,
            text=one.given,
            structure=Link[GraphModel](one.model) if one.model is not None else None,
            columns=json.dumps(columns, ensure_ascii=False) if columns else "",
            arguments=json.dumps(dict(one.arguments)) if one.arguments else "",
            size=one.size,
            canonical=one.canonical,
            notes=notes,
            problem=one.problem,
        )
