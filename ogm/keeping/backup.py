"""Backup and restore: everything that a store holds, as one file.

The quads of one moment and the arrays that they name. Others may write meanwhile: an array is on
disk before the quads that name it, and is never removed while a quad names it, so the arrays are
read after the quads and none is missing. What is in flight (task folders) takes no part.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ogm.graph import KnowledgeGraph
from triplestore.errors import InputError, RecordError

from .checksums import bring_in, checked_file, named_arrays
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

FORMAT, VERSION = "grafico-backup", 1
QUADS = "quads.nq"
BATCH = 1 << 20
"""Bytes of N-Quads that are inserted in one transaction."""


@dataclass(frozen=True)
class Saved:
    """What a backup came to.

    Attributes:
        file: where it lies.
        quads: how many there are.
        arrays: how many array files.
        bytes: size of the file.
        missing: what is wrong with arrays that the quads name and that could not be saved, by
            digest. They were missing or damaged in the store already.
    """

    file: Path
    quads: int
    arrays: int
    bytes: int
    missing: dict[str, str]


@dataclass(frozen=True)
class Restored:
    """What was restored.

    Attributes:
        quads: how many quads the backup has; those that were there already are counted too.
        arrays: how many arrays it has.
        created: when the backup was made.
        missing: digests of arrays that were missing already when it was made.
    """

    quads: int
    arrays: int
    created: str
    missing: tuple[str, ...]


def backup(kg: KnowledgeGraph, path: Path, *, overwrite: bool = False, tell: Tell = quiet) -> Saved:
    """Save a store into one file, while others may write to it.

    Memory stays flat but for about 1 kB an array file.

    Args:
        kg: the store and its arrays.
        path: the file; it appears whole or not at all, readable by its owner alone.
        overwrite: replace a file that exists.
        tell: is told how far it is.

    Raises:
        InputError: the file exists, or its folder does not.
        ResourceError: the disk is full, or the store went away.
    """
    created = datetime.now(UTC).isoformat(timespec="seconds")
    with writing(path, overwrite=overwrite, private=True) as writer:
        named: set[bytes] = set()
        count = 0
        with writer.part(QUADS) as add:
            for piece in kg.store.dump():
                add(piece)
                count += piece.count(b"\n")
                named.update(map(bytes.fromhex, named_arrays(piece)))
                tell(f"{count:,} quads")
        missing: dict[str, str] = {}
        for number, digest in enumerate(sorted(named), 1):
            tell(f"array {number:,} of {len(named):,}")
            _save_array(kg, digest.hex(), writer, missing)
        arrays = len(named) - len(missing)
        manifest = Manifest(
            format=FORMAT,
            version=VERSION,
            program=program(),
            created=created,
            counts={"quads": count, "arrays": arrays},
            parts=writer.parts,
            missing=tuple(missing),
        )
        writer.close(manifest)
    return Saved(path, count, arrays, path.stat().st_size, missing)


def _save_array(kg: KnowledgeGraph, name: str, writer: Writer, missing: dict[str, str]) -> None:
    if kg.files is None:
        missing[name] = "this store has no folder for arrays"
        return
    try:
        checked_file(kg.files, name)
    except RecordError as error:
        missing[name] = error.found
        return
    with kg.files.path(name).open("rb") as file:
        writer.array(name, file, os.fstat(file.fileno()).st_size)


def restore(kg: KnowledgeGraph, path: Path, *, tell: Tell = quiet) -> Restored:
    """Bring everything from a backup into a store, which may be new or hold something already.

    The whole file is checked before anything is written. What is there already stays as it is, so
    restoring again changes nothing, and after an interruption it goes on where it was.

    Raises:
        InputError: the file is no backup, damaged, or of a newer version; nothing was stored.
        ResourceError: the disk is full, or the store cannot be reached; ask again.
    """
    with ContainerReader(path, FORMAT, VERSION, (QUADS,), ContainerLimits()) as reader:
        reader.check(tell)
        arrays = _compare(reader)
        if arrays and kg.files is None:
            raise InputError(
                f"cannot restore {path}",
                f"it has {arrays} array files, and this store has no folder for arrays",
                "restore into a folder",
            )
        for number, name in enumerate(reader.arrays, 1):
            tell(f"array {number:,} of {arrays:,}")
            assert kg.files is not None
            with reader.array(name) as file:
                bring_in(kg.files, name, file, reader.arrays[name].file_size)
        count, total = 0, reader.manifest.counts.get("quads", 0)
        for lines in _batches(reader):
            kg.store.insert(lines, durable=False)
            count += lines.count(b"\n")
            tell(f"{count:,} of {total:,} quads")
        kg.store.flush()
        said = reader.manifest
        return Restored(count, arrays, said.created, said.missing)


def _compare(reader: ContainerReader) -> int:
    """Check that quads, arrays and manifest belong together; return how many arrays there are."""
    asked = f"cannot restore {reader.path}"
    named: set[bytes] = set()
    count = 0
    for lines in _batches(reader):
        count += lines.count(b"\n")
        named.update(map(bytes.fromhex, named_arrays(lines)))
    there = {bytes.fromhex(name) for name in reader.arrays}
    gone = {*reader.manifest.missing}
    for digest in sorted(named ^ there):
        if digest in there or digest.hex() not in gone:
            which = "which nothing names" if digest in there else "but has it not"
            raise InputError(asked, f"it names array {digest.hex()} {which}", "get the file again")
    said = reader.manifest.counts
    if (count, len(there)) != (said.get("quads"), said.get("arrays")):
        raise InputError(
            asked,
            f"{count} quads and {len(there)} arrays, but it says {said}",
            "get the file again",
        )
    return len(there)


def _batches(reader: ContainerReader) -> Iterator[bytes]:
    """Iterate over the quads in pieces of whole lines, of about `BATCH` bytes."""
    rest: list[bytes] = []
    size = 0
    for piece in reader.pieces(QUADS):
        end = piece.rfind(b"\n") + 1
        rest.append(piece[:end])
        size += end
        if end and size >= BATCH:
            yield b"".join(rest)
            rest, size = [], 0
        if end < len(piece):
            rest.append(piece[end:])
            size += len(piece) - end
    if size:
        yield b"".join(rest)
