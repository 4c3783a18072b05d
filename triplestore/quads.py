"""What the two stores do alike: read N-Quads, and put pyoxigraph's errors into our tree."""

from __future__ import annotations

import errno
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import pyoxigraph as ox

from triplestore.bounds import LARGEST_TERM
from triplestore.errors import (
    DiskFullError,
    GraficoError,
    InputError,
    MemoryLimitError,
    QueryError,
    RecordError,
    ResourceError,
)

WRITABLE = (
    "a store must be writable even for reading, for its locks and its journal: copy the folder to"
    " where you may write (while nobody uses it), or restore a backup there, and open that"
)


def parse_quads(quads: bytes) -> list[ox.Quad]:
    """Read N-Quads, keeping the labels of blank nodes.

    `pyoxigraph.Store.load` would rename blank nodes, and repeating it would add them again.

    Raises:
        InputError: the text is not N-Quads.
    """
    try:
        found = list(_quads(quads))
    except SyntaxError as error:
        raise _malformed(error) from None
    except MemoryError as error:
        raise _too_large(quads, error) from None
    if any(isinstance(quad.object, ox.Triple) for quad in found):
        raise InputError(
            "insert quads",
            "one of them has a triple as its object, which is not part of RDF 1.1",
            "say it of a resource of its own; nothing was stored",
        )
    return found


def load_quads(store: ox.Store, quads: bytes) -> None:
    """Add N-Quads to a store in one transaction, keeping the labels of blank nodes.

    Without those, and without triples as terms, the text goes to the engine as it is, which takes
    a quarter less time.

    Raises:
        InputError: the text is not N-Quads; nothing was stored.
    """
    if b"_:" in quads or b"<<(" in quads:
        store.extend(parse_quads(quads))
        return
    try:
        store.load(quads, ox.RdfFormat.N_QUADS)
    except SyntaxError as error:
        raise _malformed(error) from None
    except MemoryError as error:
        raise _too_large(quads, error) from None


def _too_large(quads: bytes, error: MemoryError) -> GraficoError:
    """The error for a term that the engine cannot read, or for memory that really ran out."""
    if max(map(len, quads.split(b"\n")), default=0) <= LARGEST_TERM:
        return MemoryLimitError(
            "insert quads", f"memory ran out: {error}", "free some, or insert less at once"
        )
    return InputError(
        "insert quads",
        f"one of them has more than {LARGEST_TERM >> 20} MiB, which no store can read back",
        "keep what is that large in a file and store its name; nothing was stored",
    )


def _malformed(error: SyntaxError) -> InputError:
    return InputError(
        "insert quads", f"they are not valid N-Quads: {error.msg}", "nothing was stored"
    )


def _quads(quads: bytes) -> Iterator[ox.Quad]:
    return ox.parse(quads, ox.RdfFormat.N_QUADS)


@contextmanager
def query_errors(sparql: str) -> Generator[None]:
    """Turn what pyoxigraph raises on a query into a `QueryError` or a `ResourceError`."""
    try:
        yield
    except GraficoError:
        raise
    except SyntaxError as error:
        asked = f"parse the query {_short(sparql)!r}"
        raise QueryError(asked, str(error.msg or error), "mend it there") from None
    except OSError as error:
        raise disk_error("read from the store", error) from error
    except RuntimeError as error:
        if "is not supported" in str(error):  # a function that only other engines know
            raise QueryError(f"evaluate the query {_short(sparql)!r}", str(error)) from None
        raise disk_error("read from the store", error) from error
    except ValueError as error:
        raise QueryError(f"evaluate the query {_short(sparql)!r}", str(error)) from error


def _short(text: str) -> str:
    return text if len(text) <= 200 else text[:200] + "…"


def disk_error(asked: str, error: OSError | RuntimeError) -> GraficoError:
    """Sort an error of the file system or of RocksDB by what helps.

    RocksDB gives text without an error number, so the text is read as well.
    """
    text = str(error)
    low = text.lower()

    def is_any(numbers: tuple[int, ...], *words: str) -> bool:
        number = error.errno if isinstance(error, OSError) else None
        return number in numbers or any(word in low for word in words)

    if is_any((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), "no space left", "quota", "too large"):
        return DiskFullError(asked, f"the disk is full: {text}", "free some space and ask again")
    if is_any((errno.EACCES, errno.EPERM), "permission denied", "not permitted"):
        return InputError(asked, f"no permission: {text}", WRITABLE)
    if is_any((errno.EROFS,), "read-only file system"):
        return InputError(asked, f"the file system is read-only: {text}", WRITABLE)
    if is_any((errno.ENOTDIR, errno.EEXIST, errno.EISDIR, errno.ENAMETOOLONG), "not a directory"):
        is_file = isinstance(error, OSError) and error.errno in (errno.EEXIST, errno.ENOTDIR)
        why = "a file stands there, or on the way to it" if is_file else text
        return InputError(asked, f"that is no folder: {why}", "choose another path")
    if is_any((errno.ENOENT,)):
        return ResourceError(
            asked,
            f"it is gone, removed or renamed, or its disk is no longer there: {text}",
            "put it back where it was, or restore a backup there",
        )
    if is_any((errno.ENOLCK, errno.EOPNOTSUPP)):
        return InputError(
            asked, f"the file system has no locks: {text}", "choose a folder on a local disk"
        )
    if is_any((), "corruption", "invalid data", "unexpected"):
        return RecordError(
            asked, f"the store is damaged: {text}", "restore a backup into a new folder"
        )
    return ResourceError(asked, text, "see the cause and ask again")
