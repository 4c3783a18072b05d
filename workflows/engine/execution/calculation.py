"""`Calculation`: a function from typed objects to a typed result, and the key of one call of it."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import inspect
import itertools
import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast, get_type_hints

from ogm import GraphModel
from triplestore.errors import InputError

NEAR = 2.5e-5
"""How far the signatures of moved copies may be apart; the comparison of the objects decides."""

CELL = 1e-3
"""Width of the ranges of signatures that are looked up at once."""

Revision = Callable[[Sequence[GraphModel]], str]
"""Names the revision of a calculation's numbers for some inputs; empty for the first."""

P = ParamSpec("P")
ResultT = TypeVar("ResultT", bound=GraphModel)
ResultT_co = TypeVar("ResultT_co", bound=GraphModel, covariant=True)


@dataclass(frozen=True)
class Backend:
    """A program or library that computes.

    Attributes:
        name: its name.
        epoch: bumped by us when a release of it moves the numbers.
        preload: modules that a worker imports before it forks.
        packages: distributions whose versions belong in the record, where they are installed.
        gpu: module that lets it compute on a graphics card; empty if nothing does.
        threads: more than so many make it no faster; None where more do.
    """

    name: str
    epoch: str
    preload: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    gpu: str = ""
    threads: int | None = None


_TITLES: dict[str, str] = {}
"""What people call the calculations that are known here, by name."""


class Calculation(Generic[P, ResultT_co]):
    """A function that an executor can run, remember and record.

    Calling it runs the function here and now and remembers nothing.
    """

    def __init__(
        self,
        function: Callable[P, ResultT_co],
        name: str,
        version: str,
        backend: Backend,
        patience: float | None = None,
        limits: tuple[str, ...] = (),
        gpu: bool = True,
        brief: bool = False,
        finer: Mapping[str, Sequence[Any]] | None = None,
        revision: Revision | None = None,
        title: str = "",
    ) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.name = name
        self.version = version
        self.backend = backend
        self.patience = patience
        self.limits = limits
        self.gpu = gpu
        self.brief = brief
        self.finer = finer or {}
        self.revision = revision
        self.title = title or function.__name__.replace("_", " ")
        _TITLES[name] = self.title
        self.reference = f"{function.__module__}:{function.__qualname__}"

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> ResultT_co:
        return self.function(*args, **kwargs)

    @property
    def wants_card(self) -> bool:
        """Whether a graphics card would be of use to it with what is installed."""
        module = self.backend.gpu
        return self.gpu and bool(module) and importlib.util.find_spec(module) is not None

    def version_for(self, inputs: Iterable[GraphModel]) -> str:
        """Return its version, and the revision of its numbers that counts for some inputs."""
        revision = self.revision(list(inputs)) if self.revision else ""
        return f"{self.version}+{revision}" if revision else self.version

    @functools.cached_property
    def result_type(self) -> type[ResultT_co]:
        """The class of the result, read from the annotation."""
        return cast("type[ResultT_co]", get_type_hints(self.function)["return"])

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        """The parameters of the function."""
        return inspect.signature(self.function)

    @functools.cached_property
    def home(self) -> str:
        """The folder that a worker imports it from.

        Raises:
            InputError: there is none.
        """
        name, _, place = self.reference.partition(":")
        module = sys.modules.get(name)
        try:
            target = attrgetter(place)(module)
            where = Path(getattr(module, "__file__", None) or "")
        except AttributeError:  # it stands within a function
            target, where = None, Path()
        if name == "__main__" or not where.name or getattr(target, "name", None) != self.name:
            raise InputError(
                f"cannot run the calculation {self.name}",
                f"the processes that compute cannot import it: it is {place} of {name}"
                + (", a script or notebook" if name == "__main__" else ""),
                "define it at the top level of a module, such as a file beside the script, and "
                "import it from there",
            )
        return str(where.resolve().parents[name.count(".") + hasattr(module, "__path__")])

    def bind(self, *args: P.args, **kwargs: P.kwargs) -> Call[ResultT_co]:
        """Return a call that can be run later."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return Call(cast("Calculation[..., ResultT_co]", self), dict(bound.arguments))


def calculation(
    name: str,
    *,
    version: str,
    backend: Backend,
    patience: float | None = None,
    limits: tuple[str, ...] = (),
    gpu: bool = True,
    brief: bool = False,
    finer: Mapping[str, Sequence[Any]] | None = None,
    revision: Revision | None = None,
    title: str = "",
) -> Callable[[Callable[P, ResultT]], Calculation[P, ResultT]]:
    """Declare a function to be a calculation.

    Args:
        name: stable name; part of the key, so it outlives moves of the code.
        version: bumped when a change of the code moves the numbers.
        backend: what computes.
        patience: seconds without a sign of life after which it is given up; None for the slots'.
        limits: parameters that decide whether there is a result, and never which, such as a step
            limit: in the key they stand with their defaults. What ended at a limit and left a
            checkpoint goes on from it when it is asked again with a wider one.
        gpu: whether it gains by a graphics card, where its backend can use one.
        brief: whether it takes a moment, so that it does not queue with what takes hours.
        finer: parameters, and their values in an order in which a result for a later one serves who
            asks for an earlier one, such as the thresholds of an iteration.
        revision: where numbers were wrong for some inputs only: is given those that are objects,
            and names the revision that counts for them; empty for those whose numbers stay as they
            are, so that they stay remembered.
        title: what people call it while it runs; the name of the function if empty. It is part of
            no key.
    """

    def declare(function: Callable[P, ResultT]) -> Calculation[P, ResultT]:
        return Calculation(
            function,
            name,
            version,
            backend,
            patience,
            limits,
            gpu,
            brief,
            finer,
            revision,
            title,
        )

    return declare


def title_of(name: str) -> str:
    """Return what people call a calculation, by its name; the name where it is not known here."""
    return _TITLES.get(name, name)


def load(reference: str, home: str = "") -> Calculation[..., Any]:
    """Import a calculation by its reference `module:name`, from its folder if need be."""
    module, name = reference.split(":")
    if home and home not in sys.path:
        sys.path.append(home)
    return cast("Calculation[..., Any]", attrgetter(name)(importlib.import_module(module)))


@dataclass(frozen=True)
class Call(Generic[ResultT_co]):
    """A calculation with its inputs.

    Its `key` names exactly these inputs, but for limits. Of keyword-only parameters, those that
    have their default are left out, so that one added later leaves old keys as they are.

    Its `family` is shared by calls that differ by a motion of a structure only and by others that
    resemble them, and their `signature` is nearly the same, so that they propose candidates; they
    prove nothing.
    """

    calculation: Calculation[..., ResultT_co]
    arguments: Mapping[str, Any]

    @property
    def objects(self) -> dict[str, GraphModel]:
        """The arguments that are objects of the graph."""
        return {n: a for n, a in self.arguments.items() if isinstance(a, GraphModel)}

    @functools.cached_property
    def version(self) -> str:
        """The version of the calculation that counts for these inputs."""
        return self.calculation.version_for(self.objects.values())

    @functools.cached_property
    def key(self) -> str:
        """Digest of the calculation, its version, its backend's epoch and the exact inputs."""
        return self.key_with({name: model.iri for name, model in self.objects.items()})

    def key_with(self, iris: Mapping[str, str]) -> str:
        """Return the key that the call would have with other objects, by their IRIs."""
        return self._digest(iris)

    @property
    def served_by(self) -> Iterator[Call[ResultT_co]]:
        """The call itself, and then those whose results serve it too, the nearest first."""
        yield self
        scales = {name: list(order) for name, order in self.calculation.finer.items()}
        places = {
            name: order.index(self.arguments[name])
            for name, order in scales.items()
            if self.arguments[name] in order
        }
        ways = itertools.product(*(range(at, len(scales[name])) for name, at in places.items()))
        for way in sorted(ways, key=sum):
            values = {name: scales[name][at] for name, at in zip(places, way, strict=True)}
            if any(self.arguments[name] != value for name, value in values.items()):
                yield Call(self.calculation, {**self.arguments, **values})

    @functools.cached_property
    def _coarse(self) -> dict[str, tuple[str, float]]:
        return {name: model.coarse() for name, model in self.objects.items()}

    @functools.cached_property
    def family(self) -> str:
        """The same digest with labels in the place of exact objects, and the signature's range."""
        return self._family(self.signature)

    @functools.cached_property
    def families(self) -> tuple[str, ...]:
        """The families that moved copies can be of: its own, and the next if that is near."""
        places = (self.signature - NEAR, self.signature + NEAR)
        return tuple(dict.fromkeys(self._family(place) for place in places))

    @property
    def signature(self) -> float:
        """A number that is nearly the same where calls differ by a motion only."""
        return sum(number for _, number in self._coarse.values())

    def _family(self, signature: float) -> str:
        labels = {name: label for name, (label, _) in self._coarse.items()}
        return self._digest(labels, math.floor(signature / CELL))

    def _inputs(self) -> Iterator[tuple[str, Any]]:
        """Yield the arguments that count, by name."""
        for name, value in self.arguments.items():
            parameter = self.calculation.signature.parameters[name]
            usual = not isinstance(value, GraphModel) and value == parameter.default
            if name in self.calculation.limits:
                yield name, parameter.default
            elif parameter.kind is not parameter.KEYWORD_ONLY or not usual:
                yield name, value

    def _digest(self, names: Mapping[str, str], *more: int) -> str:
        calculation = self.calculation
        inputs = {
            name: {"object": names[name]} if name in names else {"value": value}
            for name, value in self._inputs()
        }
        parts = [calculation.name, self.version, calculation.backend.name]
        text = json.dumps([*parts, calculation.backend.epoch, inputs, *more], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:40]
