"""Export and import: objects with everything that they rest on, as one file.

::

    objects.trig             the objects, exactly as stored, in the default graph; what made what
                             in PROV-O, for other programs, in a graph of its own
    arrays/DIGEST.npy        the large arrays that they name
    ro-crate-metadata.json   the same for archives that read RO-Crate
    manifest.json            what it is, and checksums

Equal content gives an equal file, whoever writes it and when.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse, serialize

from ogm.array_storage import ARRAY_DATATYPE, ArrayFiles, digest
from ogm.arrays import AnyArray, locked
from ogm.collecting import Described
from ogm.graph import KnowledgeGraph
from ogm.terms import BASE, CONTENT, PREFIXES, RDF_TYPE, checked_iri
from triplestore.errors import InputError, NotFoundError, RecordError

from .admission import PAGE, admit, known_classes, says_only_whose
from .checksums import bring_in, checked_file, named_arrays
from .closure import Pairs, gather
from .container import (
    ContainerLimits,
    ContainerReader,
    Manifest,
    Tell,
    Writer,
    program,
    quiet,
    writing,
)
from .crate import crate
from .newcomers import insert, newcomers
from .provo import provenance
from .sorting import plain

FORMAT, VERSION = "grafico-bundle", 2
OBJECTS, CRATE = "objects.trig", "ro-crate-metadata.json"
PROVENANCE = BASE + "bundle/provenance"
"""The graph with PROV-O."""

MAX_TEXT = 256 << 20
MAX_TOTAL = 16 << 30
"""Bytes of a bundle, unpacked."""


@dataclass(frozen=True)
class Exported:
    """What an export came to.

    Attributes:
        file: where it lies.
        objects: how many objects it holds.
        triples: how many triples they have.
        arrays: how many array files they name.
        bytes: size of the file.
        unknown: IRIs that the objects link to and of which nothing is stored.
        left_out: objects of which only a part was asked for, with how many other parts of them it
            does not hold.
    """

    file: Path
    objects: int
    triples: int
    arrays: int
    bytes: int
    unknown: tuple[str, ...]
    left_out: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True)
class Imported:
    """What an import came to.

    Attributes:
        objects: how many objects the bundle holds.
        new: how many of them were not stored yet.
        arrays: how many array files it holds.
        roots: the objects that were asked for when it was written.
        warnings: what could not be checked, or should be known.
        held: objects of it that were held back; see `import_bundle`.
    """

    objects: int
    new: int
    arrays: int
    roots: tuple[str, ...]
    warnings: tuple[str, ...]
    held: tuple[str, ...] = ()


Hold: TypeAlias = Callable[[Mapping[str, Pairs], Collection[str]], Collection[str]]
"""Of objects, with their triples, and those of them that are new here: which are not stored."""


# --- out -----------------------------------------------------------------------------------


def export_bundle(
    kg: KnowledgeGraph,
    roots: Sequence[str],
    path: Path,
    *,
    overwrite: bool = False,
    author: str = "",
    licence: str = "",
    names: bool = True,
    tell: Tell = quiet,
) -> Exported:
    """Write objects and everything that they rest on into a file; see `gather` for what that is.

    Archives read from its RO-Crate metadata who publishes it (`author`) and under which terms
    (`licence`); see `crate`. Without `names` fields that are marked with `Whose` are left out, and
    objects that say nothing else.

    Raises:
        NotFoundError: nothing is stored of one of them.
        InputError: the file exists, or its folder does not.
        RecordError: an array that belongs to them is missing or damaged.
        ResourceError: the disk is full.
    """
    asked = f"export into {path}"
    roots = tuple(sorted({checked_iri(iri) for iri in roots}))
    if not roots:
        raise InputError(asked, "no object is named", "name one or more")
    gathered = gather(kg.store, roots, tell)
    objects = gathered.objects if names else _nameless(gathered.objects)
    for iri in roots:
        if iri not in objects:
            raise NotFoundError(asked, f"nothing is stored of {iri}", "see `grafico runs`")
    text = _trig(objects)
    arrays = sorted({*named_arrays(_lines(objects))})
    with writing(path, overwrite=overwrite, private=False) as writer:
        writer.text(OBJECTS, text)
        for number, name in enumerate(arrays, 1):
            tell(f"array {number:,} of {len(arrays):,}")
            _add_array(kg, name, writer)
        writer.text(CRATE, crate(roots, objects, arrays, author, licence))
        triples = sum(map(len, objects.values()))
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            program=program(),
            counts={"objects": len(objects), "triples": triples, "arrays": len(arrays)},
            parts=writer.parts,
            roots=roots,
        )
        writer.close(manifest)
    size = path.stat().st_size
    unknown = tuple(sorted(gathered.unknown))
    return Exported(
        path, len(objects), triples, len(arrays), size, unknown, dict(gathered.left_out)
    )


def _nameless(objects: Mapping[str, Pairs]) -> dict[str, Pairs]:
    """Return objects without who a person is, and without digests by which that could be tried."""
    classes = known_classes()
    said = {
        term: {plan.predicate for plan in cls.fields() if plan.whose}
        for term, cls in classes.items()
    }
    left_out = {term for term, cls in classes.items() if says_only_whose(cls)}
    found: dict[str, Pairs] = {}
    for iri, pairs in objects.items():
        terms = {plain(term) for predicate, term in pairs if predicate == RDF_TYPE}
        if terms & left_out:
            continue
        out = set[str]().union(*(said.get(term, ()) for term in terms))
        out |= {CONTENT} if out else set()
        found[iri] = [pair for pair in pairs if pair[0] not in out]
    return found


def _trig(objects: dict[str, Pairs]) -> bytes:
    """Write the objects and their PROV-O, sorted."""
    own = {
        Quad(NamedNode(iri), NamedNode(predicate), term)
        for iri, pairs in objects.items()
        for predicate, term in pairs
    }
    graph = NamedNode(PROVENANCE)
    said = {Quad(t.subject, t.predicate, t.object, graph) for t in provenance(objects)}
    quads = [*sorted(own, key=_place), *sorted(said, key=_place)]
    text = serialize(quads, format=RdfFormat.TRIG, prefixes=PREFIXES)
    assert text is not None
    return text


def _place(quad: Quad) -> tuple[str, bool, str, str]:
    predicate = quad.predicate.value
    return str(quad.subject), predicate != RDF_TYPE, predicate, str(quad.object)


def _lines(objects: dict[str, Pairs]) -> bytes:
    """Write the array literals of objects, for `named_arrays`."""
    terms = (term for pairs in objects.values() for _, term in pairs)
    return "\n".join(
        str(term)
        for term in terms
        if isinstance(term, Literal) and term.datatype.value == ARRAY_DATATYPE
    ).encode()


def _add_array(kg: KnowledgeGraph, name: str, writer: Writer) -> None:
    if kg.files is None:
        raise RecordError(f"array {name} cannot be read", "this store has no folder for arrays")
    try:
        checked_file(kg.files, name)
    except RecordError as error:
        advice = f"restore {kg.files.path(name)} from a backup; see `grafico fsck`"
        raise RecordError(error.asked, error.found, advice) from None
    with kg.files.path(name).open("rb") as file:
        writer.array(name, file, os.fstat(file.fileno()).st_size)


# --- in ------------------------------------------------------------------------------------


def import_bundle(
    kg: KnowledgeGraph,
    path: Path,
    *,
    trust: bool = False,
    max_bytes: int = MAX_TOTAL,
    hold: Hold | None = None,
    tell: Tell = quiet,
) -> Imported:
    """Bring the objects of a bundle into a store; importing again changes nothing.

    The file may come from anybody: it is checked as a whole before anything is stored, and it can
    add objects but change none. What it says that was computed is believed, as far as it does not
    contradict what is stored. Of what is stored without names, the names in it are left. See
    `admit` and `newcomers` for what is refused.

    Args:
        kg: where to.
        path: the file.
        trust: take values of earlier schema versions too, whose names cannot be checked any more.
        max_bytes: the most that it may unpack to.
        hold: says what is held back, such as what somebody else says of what was here before; None
            for nothing.
        tell: is told how far it is.

    Raises:
        InputError: the file is no bundle, damaged, too large, or holds what cannot be.
        ConflictError: it says something else of an object that is stored.
        ResourceError: the disk is full, or the store cannot be reached; ask again.
    """
    limits = ContainerLimits(
        total=max_bytes, text=min(MAX_TEXT, max_bytes), directory=16 << 20, ratio=200
    )
    with ContainerReader(path, FORMAT, VERSION, (OBJECTS, CRATE), limits) as reader:
        if OBJECTS not in reader.manifest.parts:
            raise InputError(f"cannot import {path}", f"it has no {OBJECTS}", "get the file again")
        reader.check(tell)
        admitted = admit(_Bundled(reader), trust=trust, tell=tell)
        if reader.arrays and kg.files is None:
            raise InputError(
                f"cannot import {path}",
                f"it has {len(reader.arrays)} array files, and this store has no folder for them",
                "import into a folder",
            )
        new, known_here = newcomers(kg.store, admitted, f"cannot import {path}")
        for number, name in enumerate(reader.arrays, 1):
            tell(f"array {number:,} of {len(reader.arrays):,}")
            assert kg.files is not None
            with reader.array(name) as file:
                bring_in(kg.files, name, file, reader.arrays[name].file_size)
        held = sorted(hold(admitted.objects, new)) if hold else []
        new -= {*held}
        insert(kg.store, admitted, new, tell)
        warnings, said = (*admitted.warnings, *known_here), reader.manifest
        objects, arrays = len(admitted.objects), len(reader.arrays)
        return Imported(objects, len(new), arrays, said.roots, warnings, tuple(held))


class _Bundled:
    """The objects of a bundle, whose checksums have been compared."""

    def __init__(self, reader: ContainerReader) -> None:
        self._reader = reader
        self.asked = f"cannot import {reader.path}"
        self.malformed = f"{OBJECTS} is not valid TriG"
        self.advice = "do not use this file"
        self.page = PAGE
        self.files: ArrayFiles = _Packed(reader)

    @property
    def arrays(self) -> Collection[str]:
        return self._reader.arrays

    def quads(self) -> Iterator[Quad]:
        text = b"".join(self._reader.pieces(OBJECTS))
        view = NamedNode(PROVENANCE)  # which says the same once more
        quads = parse(text, format=RdfFormat.TRIG)
        return (quad for quad in quads if quad.graph_name != view)

    def array_head(self, name: str) -> str:
        return self._reader.array_head(name)

    def beside(self, iris: Sequence[str]) -> Described:
        return {}


class _Packed(ArrayFiles):
    """The arrays of a container, as if they lay in a folder."""

    def __init__(self, reader: ContainerReader) -> None:
        super().__init__(reader.path)
        self._reader = reader

    def get(self, name: str) -> AnyArray:
        """Read an array and check it against its digest."""
        import numpy as np

        with self._reader.array(name) as file:
            array = locked(np.lib.format.read_array(file, allow_pickle=False))
        if digest(array) != name:
            raise RecordError(f"array {name} cannot be read", "it has negative zeros or odd NaNs")
        return array
