"""Arrays that cannot change, and their two forms at rest: a literal or a file named by content."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.lib.format import read_array
from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema

from triplestore.errors import RecordError

from .terms import BASE

AnyArray: TypeAlias = np.ndarray[Any, np.dtype[Any]]

ARRAY_DATATYPE = BASE + "array"
INLINE_LIMIT = 64 * 1024
"""Arrays of more bytes go to a file: a large literal would be dragged along by every query."""

KINDS = "?bhilqBHILQefdFD"
"""NumPy's codes of what can be stored: numbers whose bytes are the same on every machine."""


class _Locked(bytes):
    """The memory of a locked array: immutable, so that NumPy refuses to make it writeable."""


def locked(value: AnyArray | Sequence[Any], dtype: Any = None) -> AnyArray:
    """Copy a value into an array that nobody can write to.

    The copy is C-ordered and little-endian; it has no negative zeros and one kind of NaN, so that
    equal content has equal bytes.

    Args:
        value: an array or nested sequences, any shape.
        dtype: the type wanted, or None for the value's own.

    Raises:
        ValueError: ragged, masked or not numeric, or a cast that would change a value (floats
            may be rounded to shorter floats).
    """
    if np.ma.isMaskedArray(value) and np.ma.is_masked(value):
        raise ValueError("an array with masked values cannot be stored")
    array: AnyArray = np.asarray(value)
    if array.dtype.char not in KINDS:
        raise ValueError(f"an array of {array.dtype} cannot be stored: it holds no numbers")
    if dtype is not None and array.dtype != np.dtype(dtype):
        array = _cast(array, np.dtype(dtype))
    array = np.array(array, array.dtype.newbyteorder("<"), order="C")
    if array.dtype.kind in "fc":
        real = np.dtype(f"<f{array.itemsize // (2 if array.dtype.kind == 'c' else 1)}")
        parts: AnyArray = array.reshape(-1).view(real)
        parts[np.isnan(parts)] = np.nan
        parts += real.type(0)
    return np.ndarray(array.shape, array.dtype, buffer=_Locked(array.tobytes()))


def _cast(array: AnyArray, dtype: np.dtype[Any]) -> AnyArray:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what is lost is looked for below
        cast = array.astype(dtype)
        if (array.dtype.kind, dtype.kind) in (("f", "f"), ("f", "c"), ("c", "c")):
            kept = np.isfinite(array) == np.isfinite(cast)
        else:
            kept = (cast == array) & (cast.astype(array.dtype) == array)
    if not np.all(kept):
        raise ValueError(f"{array[~kept].flat[0]!s} cannot be read as {dtype.name}")
    return cast


def is_locked(array: AnyArray) -> bool:
    """Tell whether an array came from `locked`, in which case it may be shared."""
    base: Any = array.base
    while isinstance(base, np.ndarray):
        base = cast(Any, base).base
    return isinstance(base, _Locked)


def digest(array: AnyArray) -> str:
    """Return the SHA-256 of type, shape and content."""
    head = f"{array.dtype.str} {','.join(map(str, array.shape))} "
    return hashlib.sha256(head.encode() + array.tobytes()).hexdigest()


def same(one: AnyArray, other: AnyArray) -> bool:
    """Compare bit by bit, so that NaN equals NaN."""
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )


class ArrayFiles:
    """Large arrays as `.npy` files named by their digest, in one folder.

    A file appears whole or not at all and is on disk before the triples that name it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return where the array of this digest lies."""
        return self.folder / name[:2] / f"{name}.npy"

    def put(self, array: AnyArray) -> str:
        """Store an array and return its digest; what is there already is left alone."""
        name = digest(array)
        path = self.path(name)
        if path.exists():
            return name
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.save(file, array, allow_pickle=False)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
            for folder in (path.parent, self.folder):  # the names must outlive a power cut too
                _sync(folder)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return name

    def get(self, name: str) -> AnyArray:
        """Read an array and check it against its digest.

        Raises:
            RecordError: the file is missing or its content has changed.
        """
        if not re.fullmatch(r"[0-9a-f]{64}", name):
            raise RecordError("an array cannot be read", f"{name[:80]!r} is no digest")
        path = self.path(name)
        try:
            with path.open("rb") as file:
                array = locked(read_array(file, allow_pickle=False))
        except Exception as error:  # a damaged header makes NumPy raise nearly anything
            raise RecordError(
                f"array {name} cannot be read", str(error), f"restore {path} from a backup"
            ) from error
        if digest(array) != name:
            raise RecordError(
                f"array {name} is damaged", "its checksum differs", f"restore {path} from a backup"
            )
        return array


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def to_text(array: AnyArray, files: ArrayFiles | None) -> str:
    """Write an array as the text of a literal: type, shape, then base64 or a file's digest."""
    head = f"{array.dtype.str} {','.join(map(str, array.shape))} "
    if files is not None and array.nbytes > INLINE_LIMIT:
        return head + "sha256:" + files.put(array)
    return head + base64.b64encode(array.tobytes()).decode("ascii")


def from_text(text: str, files: ArrayFiles | None) -> AnyArray:
    """Read what `to_text` wrote.

    Raises:
        RecordError: not an array literal, or its file is missing or damaged.
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
    return files.get(body.removeprefix("sha256:"))


@dataclass(frozen=True)
class Shaped:
    """The shape and type of an array field, in numpydantic's notation: `Shaped("* atoms, 3")`.

    Whatever is given is copied and locked on the way in, then checked by numpydantic.
    """

    shape: str
    dtype: type[np.generic] = np.float64

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        from numpydantic import NDArray, Shape

        checked = handler.generate_schema(cast(Any, NDArray)[Shape[self.shape], self.dtype])
        return core_schema.no_info_before_validator_function(
            self._lock,
            checked,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda array: array.tolist(), when_used="json"
            ),
        )

    def _lock(self, value: Any) -> AnyArray:
        if isinstance(value, np.ndarray):
            array = cast(AnyArray, value)
            if is_locked(array) and array.dtype == np.dtype(self.dtype):
                return array
        return locked(cast(Any, value), self.dtype)
