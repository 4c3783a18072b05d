"""What a verb about other verbs is made of: it asks them several times, and makes one answer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from workflows.show.blocks import Displayed

from .form import Form

if TYPE_CHECKING:
    import pandas as pd


class Offering(Protocol):
    """What has fields that people fill in."""

    @property
    def all_forms(self) -> tuple[type[Form], ...]:
        """Its forms."""
        ...


class WrapperAnswer(Displayed):
    """What a verb that asks another has made of what that came to."""

    @property
    def run(self) -> str:
        """IRI of the run that asked for it."""
        raise NotImplementedError

    @property
    def status(self) -> str:
        """How that ended: `finished`, or why not."""
        raise NotImplementedError

    @property
    def complete(self) -> bool:
        """Whether it came to what was asked; a command ends with an error where it did not."""
        raise NotImplementedError

    @property
    def remarks(self) -> tuple[str, ...]:
        """What to know of it, in words."""
        return ()

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        raise NotImplementedError

    def frame(self) -> pd.DataFrame:
        """Return it as a table of pandas; units are in the names of columns."""
        raise NotImplementedError

    def to_pandas(self) -> pd.DataFrame:
        """Return the same as `frame`, by the name that other libraries have for it."""
        return self.frame()


Rounds: TypeAlias = Generator[Mapping[str, Any], Any, WrapperAnswer]
"""Yields arguments of a session's `run`, is sent what each came to, and returns its answer."""


@dataclass(frozen=True)
class Asking:
    """What a verb that asks another was given.

    Attributes:
        workflow: what is asked, by name; the usual one if empty.
        said: its arguments and those of its subject, such as `method`.
        defaults: of the settings.
    """

    workflow: str
    said: Mapping[str, Any]
    defaults: Mapping[str, Any]


@dataclass(frozen=True)
class WrapperDefinition:
    """The rest of a `Wrapper`.

    Attributes:
        form: what it asks besides what the other verb takes.
        rounds: `rounds(asking, form)` with an `Asking` and the form, filled in, returns `Rounds`.
        answer: what these return.
        help: what a person should know of it besides its title.
        stored: `stored(kg, names, form)` with what runs are called, by their IRIs, returns its
            answer on runs that are there already; None where it has none.
    """

    form: type[Form]
    rounds: Callable[..., Rounds]
    answer: type[WrapperAnswer]
    help: str = ""
    stored: Callable[..., WrapperAnswer] | None = None

    @property
    def all_forms(self) -> tuple[type[Form], ...]:
        """Its form."""
        return (self.form,)
