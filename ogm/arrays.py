"""Arrays that cannot change."""

from __future__ import annotations

import mmap
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Self, TypeAlias, cast

import numpy as np

AnyArray: TypeAlias = np.ndarray[Any, np.dtype[Any]]

KINDS = "?bhilqBHILQefdFD"
"""NumPy's codes of what can be stored: numbers whose bytes are the same on every machine."""


class Locked(bytes):
    """The memory of a locked array: immutable, so that NumPy refuses to make it writeable."""

    _dtype: np.dtype[Any]

    def __new__(cls, content: bytes, dtype: np.dtype[Any]) -> Self:
        """Keep the content of an array of this type."""
        memory = super().__new__(cls, content)
        memory._dtype = dtype
        return memory

    def array(self, shape: tuple[int, ...]) -> AnyArray:
        """Return a new array of this shape over the memory."""
        return np.ndarray(shape, self._dtype, buffer=self)


class Mapped:
    """The memory of an array in a file of ours, mapped to be read.

    NumPy sees its address and no more: whoever has the array cannot close the mapping under it.
    """

    __slots__ = ("_content",)

    def __init__(self, mapping: mmap.mmap, start: int, dtype: np.dtype[Any]) -> None:
        self._content: AnyArray = np.frombuffer(mapping, dtype, offset=start)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return self._content.__array_interface__

    def array(self, shape: tuple[int, ...]) -> AnyArray:
        """Return a new array of this shape over the memory."""
        return np.asarray(self).reshape(shape)


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
    # nobody has a masked array who has not imported `numpy.ma`, which takes long
    if "numpy.ma" in sys.modules and np.ma.isMaskedArray(value) and np.ma.is_masked(value):
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
    return Locked(array.tobytes(), array.dtype).array(array.shape)


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


def fresh(array: AnyArray) -> AnyArray | None:
    """Return a new array over the same memory, if nobody can write to that.

    Shape, type and strides of an array can be set in place, so an object keeps an array that
    nobody else has, and hands out another one each time. What is laid out otherwise than it is
    stored, or is of another type than its memory, is not shared: None.
    """
    memory: Any = array
    while isinstance(memory, np.ndarray):
        memory = cast(Any, memory).base
    if not isinstance(memory, Locked | Mapped) or type(array) is not np.ndarray:
        return None
    try:
        own = memory.array(array.shape)
    except (TypeError, ValueError):
        return None  # a part of it
    same_layout = own.dtype == array.dtype and own.strides == array.strides
    return own if same_layout and _place(own) == _place(array) else None


def _place(array: AnyArray) -> tuple[int, int]:
    return array.__array_interface__["data"][0], array.nbytes


def same(one: AnyArray, other: AnyArray) -> bool:
    """Compare bit by bit, so that NaN equals NaN."""
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )
