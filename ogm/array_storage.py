"""Arrays at rest: a literal, or a file named by content.

Arrays in files are read when they are touched: until then a `StoredArray` stands in their place,
which knows type and shape. Nobody sees it: the field of a model gives the array itself.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import io
import math
import mmap
import os
import re
import resource
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from triplestore.disk import synchronise
from triplestore.errors import RecordError, ResourceError
from triplestore.quads import disk_error

from .arrays import KINDS, AnyArray, Locked, Mapped, locked
from .terms import BASE

ARRAY_DATATYPE = BASE + "array"
INLINE_LIMIT = 64 * 1024
"""Arrays of more bytes go to a file: a large literal would be dragged along by every query."""

MAPPED = 1024 * 1024
"""Files of at least so many bytes are mapped into memory instead of read. A mapping costs a file
descriptor as long as somebody holds the array, so it is done while these are plenty."""


def _head(dtype: np.dtype[Any], shape: tuple[int, ...]) -> str:
    return f"{dtype.str} {','.join(map(str, shape))} "


def digest(array: AnyArray | StoredArray) -> str:
    """Return the SHA-256 of type, shape and content; what is stored is named after it."""
    if isinstance(array, StoredArray):
        return array.name
    made = hashlib.sha256(_head(array.dtype, array.shape).encode())
    if array.size:
        made.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
    return made.hexdigest()


@dataclass(frozen=True)
class StoredArray:
    """An array that lies in a file and has not been read.

    Attributes:
        dtype: type of its elements.
        shape: its shape.
        name: its digest.
        files: where it lies.
        owner: whose it is, for errors.
    """

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    name: str
    files: ArrayFiles
    owner: str = ""

    def load(self) -> AnyArray:
        """Read or map the array and check it against its digest.

        Raises:
            RecordError: the file is missing, damaged or another array's.
            ResourceError: memory or file descriptors have run out, or the disk does not answer.
        """
        try:
            array = self.files.get(self.name)
            if (array.dtype, array.shape) != (self.dtype, self.shape):
                found, said = _head(array.dtype, array.shape), _head(self.dtype, self.shape)
                raise RecordError(f"array {self.name} is another", f"{found}instead of {said}")
        except RecordError as error:
            reason = f"{error.asked}: {error.found}"
            asked = f"{self.owner or 'an array'} cannot be read"
            raise RecordError(asked, reason, error.advice) from error
        return array


def same_array(
    one: AnyArray | StoredArray, other: AnyArray | StoredArray
) -> AnyArray | StoredArray:
    """Return one of two forms at rest of an array, which must be the same array.

    Raises:
        ValueError: they are different arrays.
    """
    names = [digest(one), digest(other)]
    if names[0] != names[1]:
        raise ValueError(f"several values for one field: arrays {names[0]} and {names[1]}")
    return other if isinstance(one, StoredArray) else one  # what is at hand needs no file


def touched(value: Any) -> Any:
    """Return the array where a stored one stands, and anything else as it is."""
    return value.load() if isinstance(value, StoredArray) else value


class ArrayFiles:
    """Large arrays as `.npy` files named by their digest, in one folder.

    A file appears whole or not at all, is on disk before the triples that name it, and is never
    written again. Several stores and hosts may share a folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return where the array of this digest lies."""
        return self.folder / name[:2] / f"{name}.npy"

    def put(self, array: AnyArray) -> str:
        """Store an array and return its digest; what is there already is left alone.

        A file of another length, which only damage can leave, is replaced.

        Raises:
            ResourceError: the disk is full or may not be written.
        """
        array = np.asarray(array, order="C")
        name = digest(array)
        path = self.path(name)
        with suppress(OSError):
            if path.stat().st_size == _file_size(array):
                os.utime(path)  # young again: who clears away what nothing names spares it
                return name
        with self.placing(name) as file:
            npy.write_array(file, array, version=(1, 0), allow_pickle=False)
        return name

    @contextmanager
    def placing(self, name: str, *, parents: bool = False) -> Generator[IO[bytes]]:
        """Open the file of the array of this digest, to be written.

        It is in its place, and on disk, when the block has ended without an error.

        Args:
            name: the digest.
            parents: make the folders above this one too.

        Raises:
            ResourceError: the disk is full or may not be written.
        """
        path = self.path(name)
        try:
            # else not its parents: a removed store stays removed
            self.folder.mkdir(exist_ok=True, parents=parents)
            path.parent.mkdir(exist_ok=True)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    yield file
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(temporary, path)
                for folder in (path.parent, self.folder):  # names must outlive a power cut too
                    synchronise(folder)
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise disk_error(f"store an array in {path}", error) from error

    def get(self, name: str) -> AnyArray:
        """Read or map an array and check it against its digest.

        Raises:
            RecordError: the file is missing or its content has changed.
            ResourceError: memory or file descriptors have run out, or the disk does not answer.
        """
        if not re.fullmatch(r"[0-9a-f]{64}", name):
            raise RecordError("an array cannot be read", f"{name[:80]!r} is no digest")
        path = self.path(name)
        asked, advice = f"array {name} cannot be read", f"restore {path} from a backup"
        try:
            with path.open("rb") as file:
                array = _read(file)
        except (OSError, MemoryError) as error:
            if isinstance(error, FileNotFoundError):
                raise RecordError(asked, str(error), advice) from error
            raise _unread(asked, error) from error
        except Exception as error:  # a damaged header makes NumPy raise nearly anything
            raise RecordError(asked, str(error), advice) from error
        if digest(array) != name:
            raise RecordError(f"array {name} is damaged", "its checksum differs", advice)
        return array


def _read(file: IO[bytes]) -> AnyArray:
    if npy.read_magic(file) != (1, 0):
        raise ValueError("it is of another version of the format")
    shape, fortran, dtype = npy.read_array_header_1_0(file)
    size = os.fstat(file.fileno()).st_size
    start = file.tell()
    expected = start + math.prod(shape) * dtype.itemsize
    if dtype.char not in KINDS or size != expected:
        raise ValueError(f"{size} bytes, {expected} expected, of {dtype}")
    if fortran:
        array: AnyArray = np.ndarray(shape, dtype, buffer=file.read(), order="F")
        return Locked(array.tobytes(), dtype).array(shape)
    if size >= MAPPED and _plenty(file.fileno()):
        with suppress(OSError):  # there may be no more mappings
            mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return Mapped(mapping, start, dtype).array(shape)
    return Locked(file.read(), dtype).array(shape)


def _plenty(descriptor: int) -> bool:
    """Tell whether a mapping, which keeps a descriptor, leaves half of them to others."""
    try:
        lowest = os.dup(descriptor)  # the one that a mapping would get
    except OSError:
        return False
    os.close(lowest)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return most == resource.RLIM_INFINITY or lowest < most // 2


def _unread(asked: str, error: OSError | MemoryError) -> ResourceError:
    """Return the error of an array that is whole, for all that is known."""
    if isinstance(error, MemoryError):
        return ResourceError(asked, "there is not enough memory for it", "free some")
    if error.errno in (errno.EMFILE, errno.ENFILE):
        advice = "let go of large arrays, or raise the limit (`ulimit -n`)"
        return ResourceError(asked, "too many files are open", advice)
    return ResourceError(asked, str(error), "mend the disk or its permissions")


def _file_size(array: AnyArray) -> int:
    head = io.BytesIO()
    npy.write_array_header_1_0(head, npy.header_data_from_array_1_0(array))
    return head.tell() + array.nbytes


def to_text(array: AnyArray | StoredArray, files: ArrayFiles | None) -> str:
    """Write an array as the text of a literal: type, shape, then base64 or a file's digest."""
    head = _head(array.dtype, array.shape)
    if isinstance(array, StoredArray):
        if files is not None and array.files.folder == files.folder:
            return head + "sha256:" + array.name
        array = array.load()
    if files is not None and array.nbytes > INLINE_LIMIT:
        return head + "sha256:" + files.put(array)
    return head + base64.b64encode(array.tobytes()).decode("ascii")


def from_text(text: str, files: ArrayFiles | None, owner: str = "") -> AnyArray | StoredArray:
    """Read what `to_text` wrote; an array in a file is not read yet.

    Args:
        text: of the literal.
        files: where large arrays lie.
        owner: whose array it is, for errors that come later.

    Raises:
        RecordError: not an array literal, or it names a file and there is no folder for arrays.
    """
    try:
        kind, shape_text, body = text.split(" ", 2)
        dtype = np.dtype(kind)
        shape = tuple(int(n) for n in shape_text.split(",") if n)
        if not body.startswith("sha256:"):
            content = base64.b64decode(body, validate=True)
            return locked(np.frombuffer(content, dtype).reshape(shape))
    except (ValueError, TypeError) as error:
        raise RecordError("an array literal cannot be read", f"{text[:60]!r}: {error}") from error
    if files is None:
        raise RecordError("an array lies in a file", "this store has no folder for arrays")
    return StoredArray(dtype, shape, body.removeprefix("sha256:"), files, owner)
