"""What a job has recorded, checked as somebody else's objects: a journal is a file like any other.

It may add objects, and tell of the runs of its own job. What is stored stays as it is, whatever the
journal says of what is settled: that is for the classes to say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from pyoxigraph import Quad, RdfFormat, parse

from ogm import GraphModel, KnowledgeGraph
from ogm.array_storage import ArrayFiles
from ogm.collecting import Described
from ogm.forms import form
from ogm.keeping.admission import NotAdmittedError, admit
from ogm.keeping.checksums import checked_file, named_arrays
from ogm.keeping.newcomers import Owner, insert, newcomers
from ogm.naming import content_digest
from ogm.reading import decode
from ogm.terms import checked_iri
from ontologies.provenance import Run
from triplestore import Table
from triplestore.errors import ConflictError, GraficoError, RecordError
from workflows.registry.packages import import_classes

from .packing import copy_arrays

PAGE = 500
"""Objects that are built at once."""


class RefusedJournalError(RecordError):
    """A journal holds what may not enter the store; nothing of it was stored."""


class _Both(ArrayFiles):
    """The arrays of a job, and those of the store."""

    def __init__(self, job: ArrayFiles, store: ArrayFiles | None) -> None:
        super().__init__(job.folder)
        self._store = store

    def path(self, name: str) -> Path:
        own = super().path(name)
        return own if self._store is None or own.exists() else self._store.path(name)


class Recorded:
    """Objects that a job has recorded.

    Args:
        kg: where they are to go.
        name: of the job.
        quads: as the journal holds them.
        arrays: of the job.

    Raises:
        RecordError: an array that they name is missing, or damaged: it may still be on its way.
    """

    def __init__(self, kg: KnowledgeGraph, name: str, quads: bytes, arrays: ArrayFiles) -> None:
        self.asked = f"what the job {name} has recorded is to be taken in"
        self.malformed = "they are no valid N-Quads"
        self.advice = "see what has changed it"
        self.page = PAGE
        self.files: ArrayFiles = _Both(arrays, kg.files)
        self._kg, self._quads = kg, quads
        self._heads = {one: checked_file(self.files, one) for one in {*named_arrays(quads)}}

    @property
    def arrays(self) -> Collection[str]:
        """See `Foreign`."""
        return self._heads

    def quads(self) -> Iterator[Quad]:
        """See `Foreign`."""
        return iter(parse(self._quads, format=RdfFormat.N_QUADS))

    def array_head(self, name: str) -> str:
        """See `Foreign`."""
        return self._heads[name]

    def beside(self, iris: Sequence[str]) -> Described:
        """Return what is stored of objects that the job has begun with."""
        return self._kg.describe(iris)


def take(kg: KnowledgeGraph, name: str, run: str, quads: bytes, arrays: ArrayFiles) -> None:
    """Store what a job has recorded, all of it or nothing.

    Args:
        kg: where it goes.
        name: of the job.
        run: IRI of the run that it goes on with.
        quads: what it has recorded.
        arrays: of the job.

    Raises:
        RefusedJournalError: something in it may not be stored; it says what.
        RecordError: an array is missing or damaged.
        GraficoError: it cannot be stored.
    """
    import_classes()
    source = Recorded(kg, name, quads, arrays)
    try:
        admitted = admit(source)
        owner = Owner(
            runs=lambda runs: _runs_of(kg, run, runs),
            upgraded=lambda iri: _same(kg, source, iri, dict(admitted.objects)),
        )
        new, _ = newcomers(kg.store, admitted, source.asked, owner)
    except (NotAdmittedError, ConflictError) as error:
        raise RefusedJournalError(source.asked, error.found, error.advice) from error
    if source.arrays:
        if kg.files is None:
            raise RecordError("a job has left arrays", "the store has no folder for them")
        copy_arrays(source.files, kg.files, source.arrays)
    insert(kg.store, admitted, new)


def _runs_of(kg: KnowledgeGraph, run: str, asked: Collection[str]) -> set[str]:
    """Return those of some runs that go on from that of a job, or are steps of one that does."""
    up = "|".join(
        f"<{plan.predicate}>" for plan in form(Run).links if plan.name in ("resumes", "parent")
    )
    values = " ".join(f"<{checked_iri(one)}>" for one in asked)
    answer = kg.store.query(
        f"SELECT DISTINCT ?one {{ VALUES ?one {{ {values} }} ?one ({up})* <{checked_iri(run)}> }}"
    )
    assert isinstance(answer, Table)
    return {str(getattr(row[0], "value", "")) for row in answer.rows}


def _same(kg: KnowledgeGraph, source: Recorded, iri: str, objects: Described) -> bool:
    """Tell whether what is stored of an earlier schema is what is given of the present one."""

    def given(iris: Sequence[str]) -> Described:
        return {**source.beside(iris), **{one: objects[one] for one in iris if one in objects}}

    try:
        [one] = decode(GraphModel, [iri], given, source.files)
        other = kg.pull(GraphModel, iri)
    except GraficoError:
        return False
    return type(one) is type(other) and content_digest(one) == content_digest(other)
