"""Whether array files match the checksums in their names; read in pieces."""

from __future__ import annotations

import hashlib
import math
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import IO

from numpy.lib import format as npy

from ogm.array_storage import ARRAY_DATATYPE, ArrayFiles
from ogm.arrays import KINDS
from triplestore.errors import RecordError

PIECE = 1 << 20
"""Bytes that are read and written at once."""

_LITERAL = re.compile(rb'sha256:([0-9a-f]{64})"\^\^<' + re.escape(ARRAY_DATATYPE).encode() + b">")


def named_arrays(quads: bytes) -> Iterator[str]:
    """Iterate over the digests of the array files that N-Quads name."""
    for found in _LITERAL.finditer(quads):
        yield found[1].decode()


def checked_array(file: IO[bytes], size: int, name: str) -> str:
    """Read the file of an array in pieces and check it against its digest.

    Args:
        file: at its beginning.
        size: its length in bytes.
        name: the digest.

    Returns:
        Type and shape, as a literal says them: ``<f8 3,3``.

    Raises:
        RecordError: it is not the file that Grafico writes of an array, or is another array's.
    """
    asked = f"array {name} cannot be read"
    try:
        if npy.read_magic(file) != (1, 0):
            raise ValueError("it is of another version of the format")
        shape, fortran, dtype = npy.read_array_header_1_0(file)
    except Exception as error:  # a damaged header makes NumPy raise nearly anything
        raise RecordError(asked, f"its header is damaged: {error}") from error
    if fortran or dtype.char not in KINDS or dtype.str[0] not in "<|":
        raise RecordError(asked, f"it is no array of little-endian numbers but {dtype}")
    if any(length < 0 for length in shape):
        raise RecordError(asked, f"its shape is {shape}")
    head = f"{dtype.str} {','.join(map(str, shape))}"
    checksum, read = hashlib.sha256(f"{head} ".encode()), 0
    expected = math.prod(shape) * dtype.itemsize
    while piece := file.read(PIECE):
        read += len(piece)
        if read > expected:
            break
        checksum.update(piece)
    if read != expected:
        raise RecordError(asked, f"{size} bytes, where {size - read + expected} are expected")
    if checksum.hexdigest() != name:
        raise RecordError(asked, "its checksum differs")
    return head


def checked_file(files: ArrayFiles, name: str) -> str:
    """Check the file of an array in a folder; return its type and shape as a literal says them.

    Raises:
        RecordError: it is missing, damaged or another array's.
    """
    try:
        with files.path(name).open("rb") as file:
            return checked_array(file, os.fstat(file.fileno()).st_size, name)
    except FileNotFoundError:
        raise RecordError(f"array {name} cannot be read", "its file is missing") from None
    except OSError as error:
        raise RecordError(f"array {name} cannot be read", str(error)) from error


def bring_in(files: ArrayFiles, name: str, source: IO[bytes], size: int) -> bool:
    """Copy the file of an array into a folder, unless it is there unharmed.

    It appears whole or not at all, after it has been checked once more, and is on disk then.

    Returns:
        Whether it was copied.

    Raises:
        RecordError: what is copied is another array.
        ResourceError: the disk is full.
    """
    if files.path(name).exists():
        with suppress(RecordError):
            checked_file(files, name)
            return False
    with files.placing(name, parents=True) as file:
        while piece := source.read(PIECE):
            file.write(piece)
        file.flush()
        with open(file.fileno(), "rb", closefd=False) as written:
            written.seek(0)
            checked_array(written, size, name)
    return True
