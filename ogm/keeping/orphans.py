"""Orphans: arrays that nothing names, temporary files, task folders."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pyoxigraph import Literal as Text
from pyoxigraph import NamedNode

from ogm.array_storage import ARRAY_DATATYPE, ArrayFiles
from ogm.graph import KnowledgeGraph
from triplestore import Table
from triplestore.errors import InputError, RecordError

from .checksums import checked_file, named_arrays
from .container import Tell
from .sorting import Sorted

FRESH, OLD = 3600, 24 * 3600
"""Seconds: younger files are in flight, and not told; older ones may be removed, because nobody can
be about to name them any more."""

_NAME = re.compile(r"([0-9a-f]{64})\.npy")
_LEFT = re.compile(r".*\.part|store\.json\.\d+|.*\.npy\.pruned")


@dataclass(frozen=True)
class Orphan:
    """A file or folder that belongs to nothing in the store.

    Attributes:
        kind: what it is.
        path: where it is.
        found: more about it.
        removed: whether it was removed.
    """

    kind: Literal["unnamed", "leftover", "task"]
    path: str
    found: str
    removed: bool = False


def find_orphans(kg: KnowledgeGraph, base: Sorted, *, prune: bool, tell: Tell) -> Iterator[Orphan]:
    """Iterate over what belongs to nothing, after all of the store has been looked at.

    What is younger than an hour is in flight and left out. What is pruned is older than a day, and
    for an array the store is asked once more whether it is named by now: who writes names an array
    soon after its file was written. Arrays that the inputs and outputs of task folders name count
    as named. Task folders are never removed: the next run does, or takes their outputs in.

    Raises:
        InputError: to be pruned, the arrays would have to belong to this store alone.
    """
    home = kg.store.home
    if prune and (home is None or kg.files is None or kg.files.folder != home / "arrays"):
        raise InputError(
            "remove array files that nothing names",
            "the folder of arrays may belong to other stores too",
            "leave out --prune",
        )
    if home is not None:
        yield from _tasks(home / "tasks", base)
        yield from _leftovers(home, prune)
    if kg.files is not None and kg.files.folder.is_dir():
        for number, folder in enumerate(sorted(kg.files.folder.iterdir())):
            tell(f"array folder {number}")
            if folder.is_dir():
                yield from _unnamed(kg, base, folder, prune)
                yield from _leftovers(folder, prune)


def _tasks(folder: Path, base: Sorted) -> Iterator[Orphan]:
    for task in sorted(folder.iterdir()) if folder.is_dir() else ():
        if task.is_symlink():  # a calculation of a bundle, which has a folder itself
            continue
        for path in task.glob("*.nq"):
            with suppress(FileNotFoundError):
                base.note_names(named_arrays(path.read_bytes()))
        done = "has its result" if (task / "output.nq").exists() else "has no result yet"
        yield Orphan("task", str(task), f"{done}, {_age(task)}")


def _leftovers(folder: Path, prune: bool) -> Iterator[Orphan]:
    for path in sorted(folder.iterdir()):
        if path.is_file() and _LEFT.fullmatch(path.name) and _is_old(path, FRESH):
            if prune and path.suffix == ".pruned":  # of one who was killed before he was sure
                _put_back(path)
                continue
            yield Orphan("leftover", str(path), _age(path), prune and _remove(path))


def _unnamed(kg: KnowledgeGraph, base: Sorted, folder: Path, prune: bool) -> Iterator[Orphan]:
    for path in sorted(folder.iterdir()):
        name = _NAME.fullmatch(path.name)
        if name is None or base.array(name[1]) is not None or not _is_old(path, FRESH):
            continue
        with suppress(FileNotFoundError):
            size = path.stat().st_size
            removed = prune and _is_old(path) and not _named_by_now(kg, name[1]) and _remove(path)
            yield Orphan("unnamed", str(path), f"{size:,} bytes, {_age(path)}", removed)


def _named_by_now(kg: KnowledgeGraph, name: str) -> bool:
    """Ask the store whether the literal that names an array has come into being meanwhile."""
    assert kg.files is not None
    try:
        head = checked_file(ArrayFiles(kg.files.folder), name)
    except RecordError:
        return False  # damaged: what would name it could not be read
    term = Text(f"{head} sha256:{name}", datatype=NamedNode(ARRAY_DATATYPE))
    answer = kg.store.query(f"SELECT ?s {{ ?s ?p {term} }} LIMIT 1")
    assert isinstance(answer, Table)
    return bool(answer.rows)


def _remove(path: Path) -> bool:
    """Remove an old file, unless somebody touches it at this moment."""
    if not _is_old(path):
        return False
    aside = path.with_name(path.name + ".pruned")
    with suppress(FileNotFoundError):
        os.rename(path, aside)  # whoever looks for it from now on writes it anew
        if _is_old(aside):
            aside.unlink()
            return True
        _put_back(aside)
    return False


def _put_back(aside: Path) -> None:
    with suppress(FileExistsError):
        os.link(aside, aside.with_suffix(""))
    aside.unlink()


def _is_old(path: Path, seconds: float = OLD) -> bool:
    with suppress(FileNotFoundError):
        return time.time() - path.stat().st_mtime > seconds
    return False


def _age(path: Path) -> str:
    with suppress(FileNotFoundError):
        hours = (time.time() - path.stat().st_mtime) / 3600
        return f"{hours / 24:.0f} days old" if hours > 48 else f"{hours:.1f} hours old"
    return "gone"
