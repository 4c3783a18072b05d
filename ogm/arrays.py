"""Arrays that cannot change."""

from __future__ import annotations

import mmap
import warnings
from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import numpy as np

AnyArray: TypeAlias = np.ndarray[Any, np.dtype[Any]]

KINDS = "?bhilqBHILQefdFD"
"""NumPy's codes of what can be stored: numbers whose bytes are the same on every machine."""


class Locked(bytes):
    """The memory of a locked array: immutable, so that NumPy refuses to make it writeable."""


class Mapped(mmap.mmap):
    """The memory of an array in a file of ours, mapped to be read."""


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
    return np.ndarray(array.shape, array.dtype, buffer=Locked(array.tobytes()))


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
    """Tell whether an array came from `locked` or a file, in which case it may be shared."""
    if type(array) is not np.ndarray or not array.flags.c_contiguous:
        return False  # masked, or laid out otherwise than it is stored
    base: Any = array.base
    while isinstance(base, np.ndarray):
        base = cast(Any, base).base
    return isinstance(base, Locked | Mapped)


def same(one: AnyArray, other: AnyArray) -> bool:
    """Compare bit by bit, so that NaN equals NaN."""
    return (
        one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    )
