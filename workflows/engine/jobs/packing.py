"""What a run needs elsewhere: all that it rests on, and what is remembered of that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pyoxigraph import NamedNode, Quad, RdfFormat, serialize

from ogm import PROV, GraphModel, KnowledgeGraph, Link
from ogm.array_storage import ArrayFiles
from ogm.forms import form
from ogm.keeping.checksums import bring_in, named_arrays
from ogm.keeping.closure import Pairs, describe, gather, sources
from ogm.model import storable, subclasses
from ogm.terms import RDF_TYPE
from ogm.writing import closure
from ontologies.level import Level
from ontologies.provenance import Outcome, Requested, Run, Transition
from triplestore import Store
from triplestore.errors import RecordError
from workflows.registry.packages import import_classes

from ..execution.answer import Answer
from ..execution.task import write
from .journal import read_records

SEED, ARRAYS = "seed.nq", "arrays"
"""In the folder of a job."""

ROUNDS = 5
"""How often it is looked what was computed of what was found: of a geometry, of the one relaxed
from it, of the one relaxed from that at another level, …"""

PIECE = 1 << 20
"""Bytes of a seed that are inserted at once."""

USED = PROV.term("used")


def pack(
    kg: KnowledgeGraph,
    run: str,
    folder: Path,
    besides: Iterable[Answer[Any]] = (),
    carried: Iterable[str] = (),
) -> int:
    """Write what a run goes on with into the folder of a job; return how many objects these are.

    Besides what the run rests on these are the members of its collections, how those of the same
    request ended before, and what was computed with nothing but such objects.

    Args:
        kg: where they are.
        run: IRI.
        folder: of the job.
        besides: what was computed to prepare the run, such as its level of theory; what has nothing
            to do with it stays here.
        carried: IRIs of activities that it needs, though it does not rest on them yet.

    Raises:
        RecordError: an array is missing or damaged.
        ResourceError: the disk is full, or the store does not answer.
    """
    import_classes()
    steps = [*_steps(kg, run)]
    held = {answer.activity.iri: closure([answer.result]).keys() for answer in besides}
    roots, objects = {run, *steps, *carried}, dict[str, Pairs]()
    for _ in range(ROUNDS):
        objects = gather(kg.store, sorted(roots), parts=False).objects
        more = {iri for iri, parts in held.items() if parts & objects.keys()}
        more |= {*_members(kg, objects), *_remembered(kg, objects), *_same(kg, objects)}
        if more <= objects.keys():
            break
        roots |= more
    quads = [
        Quad(NamedNode(iri), NamedNode(predicate), term)
        for iri, pairs in objects.items()
        for predicate, term in pairs
    ]
    text = serialize(quads, format=RdfFormat.N_QUADS)
    assert text is not None
    copy_arrays(kg.files, ArrayFiles(folder / ARRAYS), set(named_arrays(text)))
    write(folder / SEED, text)
    return len(objects)


def copy_arrays(source: ArrayFiles | None, target: ArrayFiles, names: Iterable[str]) -> None:
    """Copy the files of arrays, unless they are there.

    Raises:
        RecordError: one is missing or damaged.
        ResourceError: the disk is full.
    """
    for name in sorted(names):
        if source is None:
            raise RecordError(f"array {name} cannot be read", "there is no folder for arrays")
        path = source.path(name)
        try:
            with path.open("rb") as file:
                bring_in(target, name, file, path.stat().st_size)
        except FileNotFoundError:
            advice = f"restore {path} from a backup; see `grafico fsck`"
            asked = f"array {name} cannot be read"
            raise RecordError(asked, "its file is missing", advice) from None


def seed_of(folder: Path) -> Iterator[bytes]:
    """Iterate over what a job starts from, in pieces of N-Quads."""
    with (folder / SEED).open("rb") as seed:
        while lines := seed.readlines(PIECE):
            yield b"".join(lines)


def add_source(store: Store, source: Path, files: ArrayFiles) -> None:
    """Insert what another job starts from and has recorded, and copy its arrays.

    What is damaged there is left out: it is computed again.

    Args:
        store: of the job that needs it.
        source: folder of the other job.
        files: of the job that needs it.
    """
    theirs = ArrayFiles(source / ARRAYS)
    with suppress(FileNotFoundError, RecordError):
        for piece in seed_of(source):
            copy_arrays(theirs, files, set(named_arrays(piece)))
            store.insert(piece, durable=False)
    for path in sorted(source.glob("*/journal")):
        with suppress(RecordError):
            for record in read_records(path):
                copy_arrays(theirs, files, set(named_arrays(record.quads)))
                store.insert(record.quads, durable=False, settled=record.settled)


def _steps(kg: KnowledgeGraph, run: str) -> Iterator[str]:
    """Iterate over the steps and the ends of a run and of those before it that it goes on from."""
    link: Link[Run] | None = Link[Run](run)
    while link is not None:
        one = link.load(kg)
        yield from (step.iri for step in kg.find(Transition, run=one))
        yield from (end.iri for end in kg.find(Outcome, run=one))
        link = one.resumes


def _types(pairs: Pairs) -> set[str]:
    return {str(getattr(term, "value", "")) for predicate, term in pairs if predicate == RDF_TYPE}


def _members(kg: KnowledgeGraph, objects: dict[str, Pairs]) -> Iterator[str]:
    """Iterate over what is named by its place in an object, such as the entries of a collection."""
    for cls in storable(GraphModel):
        for plan in form(cls).links if cls.key_fields() else ():
            if plan.name in cls.key_fields():
                found = {iri for iri, _ in sources(kg.store, plan.predicate, objects)}
                described = describe(kg.store, found - objects.keys())
                yield from (iri for iri, one in described.items() if cls.term() in _types(one))


def _remembered(kg: KnowledgeGraph, objects: dict[str, Pairs]) -> Iterator[str]:
    """Iterate over the activities that used nothing but some objects.

    Those that used a level of theory are too many to ask for: they used a structure as well.
    """
    levels = {cls.term() for cls in (Level, *subclasses(Level))}
    asked = [iri for iri, pairs in objects.items() if not _types(pairs) & levels]
    found = {activity for activity, _ in sources(kg.store, USED, asked)} - objects.keys()
    pairs = sorted(found)
    used: dict[str, set[str]] = {}
    for activity, iri in _used(kg, pairs):
        used.setdefault(activity, set()).add(iri)
    yield from (activity for activity, all_of in used.items() if all_of <= objects.keys())


def _used(kg: KnowledgeGraph, activities: list[str]) -> Iterator[tuple[str, str]]:
    for iri, pairs in describe(kg.store, activities).items():
        for predicate, term in pairs:
            if predicate == USED:
                yield iri, str(getattr(term, "value", ""))


def _same(kg: KnowledgeGraph, objects: dict[str, Pairs]) -> Iterator[str]:
    """Iterate over the runs about the same request, such as a batch: how its parts ended."""
    whole = {cls.term() for cls in subclasses(GraphModel) if issubclass(cls, Requested)}
    asked = [iri for iri, pairs in objects.items() if _types(pairs) & whole]
    about = next(plan.predicate for plan in form(Run).links if plan.name == "about")
    yield from (run for run, _ in sources(kg.store, about, asked))
