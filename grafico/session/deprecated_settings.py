"""Settings whose names have changed: for one release the old name does what it did, and says so."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Any

RENAMED = {
    "cores": ("threads_per_calculation", "the threads of each calculation"),
    "threads": ("total_cores", "the cores that may be used in all"),
}
"""The name of today for each old one, and what both mean."""


class OldNameWarning(DeprecationWarning):
    """A setting was given by its old name."""


def by_new_names(given: Mapping[str, Any], spelled: Callable[[str], str]) -> dict[str, Any]:
    """Return settings of one source by the names of today, with a warning for each old one.

    Args:
        given: what the source says.
        spelled: returns a name as people write it there, such as ``GRAFICO_CORES``.

    Raises:
        InputError: the source gives a setting by both names, with two values.
    """
    values = {name: value for name, value in given.items() if name not in RENAMED}
    for old, (new, meaning) in RENAMED.items():
        if old not in given:
            continue
        if values.setdefault(new, given[old]) != given[old]:
            from triplestore.errors import InputError  # the help of commands needs none

            raise InputError(
                f"{spelled(old)} is {given[old]} and {spelled(new)} is {values[new]}",
                f"both are {meaning}; the first is the old name",
                f"keep {spelled(new)} alone",
            )
        text = f"{spelled(old)} ({meaning}) is now called {spelled(new)}"
        warnings.warn(
            f"{text}; the old name goes with the next release", OldNameWarning, _outside()
        )
    return values


def _outside() -> int:
    """Return how many calls up the code lies that uses Grafico: a warning should point there."""
    level, frame = 0, inspect.currentframe()
    ours = (__name__.partition(".")[0], "pydantic", "pydantic_settings")
    while frame is not None and frame.f_globals["__name__"].partition(".")[0] in ours:
        level, frame = level + 1, frame.f_back
    return level


@contextmanager
def telling(tell: Callable[[str], None]) -> Generator[None]:
    """Tell a person of each old name, once, where a program is warned."""
    told: set[str] = set()
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
            if not issubclass(category, OldNameWarning):
                others(message, category, *where)
            elif (text := str(message)) not in told:
                told.add(text)
                tell(text)

        warnings.simplefilter("always", OldNameWarning)
        warnings.showwarning = show
        yield
