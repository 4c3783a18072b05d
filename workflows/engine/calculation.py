"""`Calculation`: a function from typed objects to a typed result, and the key of one call of it."""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec, TypeVar, cast, get_type_hints

from ogm import GraphModel

NEAR = 2.5e-5
"""How far the signatures of moved copies may be apart; the comparison of the objects decides."""

CELL = 1e-3
"""Width of the ranges of signatures that are looked up at once."""

P = ParamSpec("P")
ResultT = TypeVar("ResultT", bound=GraphModel)


@dataclass(frozen=True)
class Backend:
    """A program or library that computes.

    Attributes:
        name: its name.
        epoch: bumped by us when a release of it moves the numbers.
        preload: modules that a worker imports before it forks.
        packages: distributions whose versions belong in the record.
    """

    name: str
    epoch: str
    preload: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()


class Calculation(Generic[P, ResultT]):
    """A function that an executor can run, remember and record.

    Calling it runs the function here and now and remembers nothing.
    """

    def __init__(
        self,
        function: Callable[P, ResultT],
        name: str,
        version: str,
        backend: Backend,
        patience: float | None = None,
    ) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.name = name
        self.version = version
        self.backend = backend
        self.patience = patience
        self.reference = f"{function.__module__}:{function.__qualname__}"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> ResultT:
        return self.function(*args, **kwargs)

    @functools.cached_property
    def result_type(self) -> type[ResultT]:
        """The class of the result, read from the annotation."""
        return cast("type[ResultT]", get_type_hints(self.function)["return"])

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """The parameters of the function."""
        return inspect.signature(self.function)

    def bind(self, *args: P.args, **kwargs: P.kwargs) -> Call[ResultT]:
        """Return a call that can be run later."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return Call(cast("Calculation[..., ResultT]", self), dict(bound.arguments))


def calculation(
    name: str, *, version: str, backend: Backend, patience: float | None = None
) -> Callable[[Callable[P, ResultT]], Calculation[P, ResultT]]:
    """Declare a function to be a calculation.

    Args:
        name: stable name; part of the key, so it outlives moves of the code.
        version: bumped when a change of the code moves the numbers.
        backend: what computes.
        patience: seconds without a sign of life after which it is given up; None for the slots'.
    """

    def declare(function: Callable[P, ResultT]) -> Calculation[P, ResultT]:
        return Calculation(function, name, version, backend, patience)

    return declare


def load(reference: str) -> Calculation[..., Any]:
    """Import a calculation by its reference `module:name`."""
    module, name = reference.split(":")
    return cast("Calculation[..., Any]", getattr(importlib.import_module(module), name))


@dataclass(frozen=True)
class Call(Generic[ResultT]):
    """A calculation with its inputs.

    Its `key` names exactly these inputs. Its `family` is shared by calls that differ by a motion of
    a structure only and by others that resemble them, and their `signature` is nearly the same, so
    that they propose candidates; they prove nothing.
    """

    calculation: Calculation[..., ResultT]
    arguments: Mapping[str, Any]

    @property
    def objects(self) -> dict[str, GraphModel]:
        """The arguments that are objects of the graph."""
        return {n: a for n, a in self.arguments.items() if isinstance(a, GraphModel)}

    @functools.cached_property
    def key(self) -> str:
        """Digest of the calculation, its version, its backend's epoch and the exact inputs."""
        return self.key_with({name: model.iri for name, model in self.objects.items()})

    def key_with(self, iris: Mapping[str, str]) -> str:
        """Return the key that the call would have with other objects, by their IRIs."""
        return self._digest(iris)

    @functools.cached_property
    def _coarse(self) -> dict[str, tuple[str, float]]:
        return {name: model.coarse() for name, model in self.objects.items()}

    @property
    def family(self) -> str:
        """The same digest with labels in the place of exact objects, and the signature's range."""
        return self._family(self.signature)

    @property
    def families(self) -> list[str]:
        """The families that moved copies can be of: its own, and the next if that is near."""
        places = (self.signature - NEAR, self.signature + NEAR)
        return list(dict.fromkeys(self._family(place) for place in places))

    @property
    def signature(self) -> float:
        """A number that is nearly the same where calls differ by a motion only."""
        return sum(number for _, number in self._coarse.values())

    def _family(self, signature: float) -> str:
        labels = {name: label for name, (label, _) in self._coarse.items()}
        return self._digest(labels, math.floor(signature / CELL))

    def _digest(self, names: Mapping[str, str], *more: int) -> str:
        calculation = self.calculation
        inputs = {
            name: {"object": names[name]} if name in names else {"value": value}
            for name, value in self.arguments.items()
        }
        parts = [calculation.name, calculation.version, calculation.backend.name]
        text = json.dumps([*parts, calculation.backend.epoch, inputs, *more], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:40]
