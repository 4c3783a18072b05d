"""What stands in a checkpoint of PyTorch, read without running anything that stands in it.

MACE saves whole modules: a pickle that names classes and functions to be called, with code of
TorchScript in it. A list of classes that may be loaded would not do, as those of e3nn load that
code when they are made. So nothing is made: of each object stands its picture here, which has a
name, what it was made of and its state. Numbers alone are read as what they are.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false
# pyright: reportMissingTypeArgument=false

from __future__ import annotations

import io
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np

STORAGES = {
    "DoubleStorage": np.dtype("<f8"),
    "FloatStorage": np.dtype("<f4"),
    "LongStorage": np.dtype("<i8"),
    "IntStorage": np.dtype("<i4"),
    "BoolStorage": np.dtype("?"),
}
"""Types of numbers, by the names that PyTorch has for them."""


class UnreadableError(Exception):
    """Why a file is no checkpoint that is read here."""


class Picture:
    """An object that was not made: its attributes are those of its state.

    Parts of a module are attributes too, and are counted as in a list.
    """

    def __new__(cls, *made_of: Any) -> Picture:
        self = object.__new__(cls)
        object.__setattr__(self, "_made_of", made_of)
        object.__setattr__(self, "_state", {})
        return self

    def __setstate__(self, state: Any) -> None:
        object.__setattr__(self, "_state", state if isinstance(state, dict) else {"state": state})

    def __setitem__(self, key: Any, value: Any) -> None:
        self._state[key] = value

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        parts = parts_of(self)
        if name in parts:
            return parts[name]
        if name in self._state:
            return self._state[name]
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(parts_of(self))

    def __getitem__(self, place: int) -> Any:
        return list(parts_of(self).values())[place]


def parts_of(picture: Picture) -> dict[str, Any]:
    """Return what a module consists of: parameters, buffers and modules, by name."""
    found: dict[str, Any] = {}
    for kind in ("_parameters", "_buffers", "_modules"):
        group = picture._state.get(kind)
        if isinstance(group, dict):
            found |= group
    return found


def weights_of(picture: Picture, before: str = "") -> Iterator[tuple[str, Any]]:
    """Iterate over parameters and buffers, by the names that PyTorch has for them."""
    state = picture._state
    passing = state.get("_non_persistent_buffers_set") or ()
    for kind in ("_parameters", "_buffers"):
        for name, value in (state.get(kind) or {}).items():
            if isinstance(value, np.ndarray) and name not in passing:
                yield before + name, value
    for name, part in (state.get("_modules") or {}).items():
        if isinstance(part, Picture):
            yield from weights_of(part, f"{before}{name}.")


def _tensor(storage: Any, offset: int, size: tuple, stride: tuple, *_: object) -> Any:
    """Return the numbers of a tensor: a copy, so that it is no larger than they are."""
    if not isinstance(storage, np.ndarray):
        raise UnreadableError("a tensor in it has no numbers")
    last = offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True))
    if any(n < 0 or step < 0 for n, step in zip(size, stride, strict=True)) or offset < 0:
        raise UnreadableError("a tensor in it has an impossible shape")
    if 0 in size:
        return np.zeros(size, storage.dtype)
    if last >= len(storage) or np.prod(size, dtype=float) > len(storage):
        raise UnreadableError("a tensor in it is larger than its numbers")
    steps = [step * storage.itemsize for step in stride]
    return np.lib.stride_tricks.as_strided(storage[offset:], size, steps).copy()


def _parameter(numbers: Any, *_: object) -> Any:
    return numbers


def _number(kind: Any, content: bytes = b"") -> Any:
    """Return a number of NumPy from its bytes."""
    if not isinstance(kind, np.dtype) or kind.kind not in "fiub" or len(content) != kind.itemsize:
        raise UnreadableError("a number in it is none")
    return np.frombuffer(content, kind)[0].item()


def _bytes(text: str, coding: str) -> bytes:
    return text.encode("latin-1" if coding != "ascii" else "ascii")


def _dtype(name: str, *_: object) -> np.dtype:
    return np.dtype(name) if name in ("f8", "f4", "i8", "i4", "b1") else np.dtype("V1")


class _Irrep(str):
    """An irreducible representation of e3nn, written as it is: `1o`."""

    __slots__ = ()

    def __new__(cls, made_of: tuple[int, int]) -> _Irrep:
        degree, parity = made_of
        return str.__new__(cls, f"{int(degree)}{'e' if parity == 1 else 'o'}")


class _Multiple(str):
    """Several of one: `8x1o`."""

    __slots__ = ()

    def __new__(cls, made_of: tuple[int, str]) -> _Multiple:
        count, one = made_of
        return str.__new__(cls, f"{int(count)}x{one}")


class _Irreps(str):
    """Several: `8x0e+8x1o`."""

    __slots__ = ()

    def __new__(cls, made_of: tuple[str, ...]) -> _Irreps:
        return str.__new__(cls, "+".join(made_of))


TAKEN: Mapping[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): OrderedDict,
    ("builtins", "set"): set,
    ("__builtin__", "set"): set,
    ("torch", "Size"): tuple,
    ("torch._utils", "_rebuild_tensor_v2"): _tensor,
    ("torch._utils", "_rebuild_parameter"): _parameter,
    ("_codecs", "encode"): _bytes,
    ("e3nn.o3._irreps", "Irrep"): _Irrep,
    ("e3nn.o3._irreps", "_MulIr"): _Multiple,
    ("e3nn.o3._irreps", "Irreps"): _Irreps,
    ("numpy", "dtype"): _dtype,
    ("numpy.core.multiarray", "scalar"): _number,
    ("numpy._core.multiarray", "scalar"): _number,
}
"""What is called while a checkpoint is read: functions of this module, and containers."""


class _Reader(pickle.Unpickler):
    """Reads a pickle as pictures."""

    def __init__(self, content: bytes, archive: zipfile.ZipFile, folder: str) -> None:
        super().__init__(io.BytesIO(content))
        self._archive, self._folder = archive, folder
        self._kinds: dict[str, type[Picture]] = {}

    def find_class(self, module: str, name: str, /) -> Any:
        if (module, name) in TAKEN:
            return TAKEN[module, name]
        if module == "torch" and name in STORAGES:
            return name
        place = f"{module}.{name}"
        if place not in self._kinds:
            short = name.rpartition(".")[2]
            self._kinds[place] = cast("type[Picture]", type(short, (Picture,), {"place": place}))
        return self._kinds[place]

    def persistent_load(self, pid: Any, /) -> Any:
        kind, storage, key, *_ = pid
        if kind != "storage" or storage not in STORAGES or not str(key).isalnum():
            raise UnreadableError(f"numbers in it are of the type {str(storage)[:60]}")
        return np.frombuffer(self._archive.read(f"{self._folder}/data/{key}"), STORAGES[storage])


def read_checkpoint(content: bytes) -> Picture:
    """Return the picture of the module in a checkpoint.

    Raises:
        UnreadableError: it is no checkpoint of a whole module, or one that is damaged.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
            if any(one.compress_type != zipfile.ZIP_STORED for one in archive.infolist()):
                raise UnreadableError("it is compressed, which PyTorch never does")
            if any("/code/" in name for name in names):
                raise UnreadableError("it is TorchScript, which is code and no weights")
            pickles = [
                name for name in names if name.count("/") == 1 and name.endswith("/data.pkl")
            ]
            if len(pickles) != 1:
                raise UnreadableError("it is no checkpoint of PyTorch")
            folder = pickles[0].partition("/")[0]
            found = _Reader(archive.read(pickles[0]), archive, folder).load()
    except UnreadableError:
        raise
    except zipfile.BadZipFile as error:
        raise UnreadableError("it is no checkpoint of PyTorch") from error
    except MemoryError:
        raise
    except Exception as error:  # a damaged pickle raises whatever it stumbles over
        raise UnreadableError(f"it is damaged: {type(error).__name__}") from error
    if not isinstance(found, Picture):
        raise UnreadableError("it holds no module: weights alone do not say what they are of")
    return found
