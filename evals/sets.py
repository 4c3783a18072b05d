"""Sets of cases by name, and what a module must have to be one.

``python -m evals --cases NAME`` takes a module of `KNOWN`, or a file of words in the folder
`evals/exercises` (`evals/exercises/tddft.yaml` is `tddft`; the word `exercises` stands for all of
them). It needs no registration and knows nothing of runner, store or report.
A set is a module with these functions; see `CaseSet` for their types:

- ``dataset(profile)`` returns a pydantic-evals `Dataset` with its evaluators. A case has a name
  that is unique in the set. Where its metadata has a `topic` (a word for cases alike), `--only`
  knows it; where it has a `level` (1 or 2), reports part them.
- ``task(session, model)`` returns the function that a case's inputs are given to. It may be a
  coroutine function or a plain one, which then runs in a thread of its own.
- ``conclude(outcomes, whole)``, if there is one, is called at the end with every outcome, and
  whether these are all that there are, to write what is written (a page); it returns what to say,
  and whether all is as it should be.

What evaluators return is read by its type:

- a truth value is a check; a run has to hold all of them to pass;
- a number named `numeric` or `judge`, from 0 to 1, is one of the two published scores: where it
  is there, `numeric` has to be 1 and `judge` 0.9 at least for a run to pass (the other criteria
  are reported beside it). Any other number is averaged and shown, and decides nothing;
- a text named `outcome` is the word that stands for the run (`right`, `declined`, `left out`);
  without one it is `passed` or `failed`. Other texts are kept.

What a task wants kept of a run it says with pydantic-evals' `set_eval_attribute(name, value)`
(JSON). Four names are known:

- `conversation`: JSON of pydantic-ai's messages, `Agent.messages`; tokens, money, requests and
  recovery are worked out from it;
- `metrics`: numbers by name, such as `cost_USD`, of which reports show means;
- `progress`: a few words for the line that tells of the run;
- `problem`: why there is no value, where that is no crash.

A task that raises is `broken`: it counts as 0 in every mean, and as not passed. So does an
evaluator that raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, cast

from pydantic_evals import Dataset

from triplestore.errors import InputError

if TYPE_CHECKING:
    from pydantic_ai.models import Model

    from grafico.session.client import Grafico

Profile: TypeAlias = Literal["small", "full"]
"""`small` runs on two cores in minutes: the same shape, fewer and smaller molecules."""

KNOWN = (
    "requests", "validation", "conformers", "conformer_energies", "robustness", "device",
    "workflows", "chemcrow",
)  # fmt: skip
EXERCISES = "exercises"


class CaseSet(Protocol):
    """A module that is a set of cases; `conclude` may be absent."""

    def dataset(self, profile: Profile) -> Dataset[Any, Any, Any]:
        """Return the cases of a profile, with what judges them."""
        ...

    def task(self, session: Grafico, model: Model[Any] | str) -> Callable[[Any], Any]:
        """Return what is done with the inputs of a case.

        Args:
            session: which asks nobody outside of this machine but the model.
            model: that answers; the rules, if none was named.
        """
        ...


def names() -> list[str]:
    """Return the names of all sets that there are."""
    return [*KNOWN, *_exercises()]


def load(name: str) -> CaseSet:
    """Return a set of cases by its name.

    Raises:
        InputError: there is none of this name.
    """
    if name in KNOWN:
        return cast("CaseSet", import_module(f"evals.{name}"))
    if name in _exercises():
        exercises = import_module(f"evals.{EXERCISES}._exercise")
        of = cast("Any", SimpleNamespace(task=exercises.task))
        of.dataset = partial(exercises.dataset, name)
        return cast("CaseSet", of)
    raise InputError(f"no cases are called {name!r}", f"there are {', '.join(names())}")


def expanded(asked: Sequence[str]) -> Iterator[str]:
    """Return names as they were written, `exercises` replaced by those that it stands for."""
    for name in asked:
        yield from _exercises() if name == EXERCISES else (name,)


def _exercises() -> list[str]:
    folder = Path(__file__).parent / EXERCISES
    return sorted(one.stem for one in folder.glob("*.yaml"))
