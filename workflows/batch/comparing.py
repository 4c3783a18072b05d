"""`compare`: the same question at several settings, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, cast, get_origin

from pydantic import BeforeValidator, Field

from ogm import KnowledgeGraph
from triplestore.errors import InputError
from workflows.engine.request.form import Form
from workflows.engine.request.refusals import refuse_unknown
from workflows.engine.request.rules import OtherNames
from workflows.engine.request.wrapping import Asking, Rounds, WrapperAnswer, WrapperDefinition
from workflows.registry import Workflow, workflows
from workflows.show.blocks import Section
from workflows.text.names import named
from workflows.text.words import first_line

from .comparison import Comparison, compared_runs
from .result import BatchResult

if TYPE_CHECKING:
    import pandas as pd


def _apart(names: object) -> object:
    """Return names that stand between commas one by one."""
    if isinstance(names, str):
        names = (names,)
    if not isinstance(names, list | tuple):
        return names
    each = (
        one.split(",") if isinstance(one, str) else [one] for one in cast("list[object]", names)
    )
    return tuple(one.strip() if isinstance(one, str) else one for many in each for one in many)


class CompareForm(Form):
    """What is asked of a comparison, beside what is compared."""

    columns: Annotated[
        tuple[str, ...],
        BeforeValidator(_apart),
        OtherNames(("quantity", "quantities", "property", "properties", "column")),
        Field(description="Quantities to compare, set apart by commas; the headlines if none."),
    ] = ()


@dataclass(frozen=True)
class Beside(WrapperAnswer):
    """What the same question came to at several settings, or stored runs beside each other.

    Attributes:
        result: of the batch that it is: run, status, all rows with all facts; None of stored runs.
        comparison: what is compared, row by row, with differences from the first.
    """

    result: BatchResult | None
    comparison: Comparison

    @property
    def run(self) -> str:
        """IRI of the run that asked for all of them; empty of stored runs."""
        return self.result.run if self.result else ""

    @property
    def status(self) -> str:
        """How the batch ended."""
        return self.result.status if self.result else "finished"

    @property
    def complete(self) -> bool:
        """Whether each setting came to something."""
        return all(row.status == "finished" for row in self.comparison.rows)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was assumed, in words."""
        if self.result is None:
            return ()
        standing = (f"{one.label}: {one.value}" for one in self.result.standing())
        return (*standing, *self.result.remarks)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        return {"batch": self._batch, **self.comparison.as_json()}

    def shown_sections(self) -> tuple[Section, ...]:
        """Return the table, and a chart for each quantity."""
        return (self.comparison.section(self._batch),)

    @property
    def _batch(self) -> str:
        return self.result.batch.iri if self.result else ""

    def frame(self) -> pd.DataFrame:
        """Return a row for each setting as a table of pandas; units are in the names of columns."""
        import pandas as pd

        found: list[dict[str, Any]] = []
        for row in self.comparison.rows:
            line: dict[str, Any] = {name: first_line(value) for name, value in row.said.items()}
            for one in self.comparison.quantities:
                line[named(one.name, one.unit)] = row.values.get(one.name)
                change = row.differences.get(one.name)
                line[named(f"{one.name}_difference", one.change)] = change
            spent = {} if self.comparison.stored else {"seconds": row.seconds}
            line |= {**spent, "status": row.status, "run": row.run}
            found.append(line)
        return pd.DataFrame(found)


def beside(result: BatchResult, quantities: Sequence[str] = ()) -> Beside:
    """Return what a batch of one subject came to at several settings, side by side.

    Raises:
        InputError: all of them mean the same, or there is no such quantity.
    """
    found = result.comparison(quantities)
    if found is None:
        raise InputError(
            f"a comparison of {result.collection.source_name} was asked for",
            "all that was to be compared means the same",
            "vary what has an effect",
        )
    return Beside(result, found)


def asked_of_each(workflow: str, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return a comparison as the fields of the forms of a batch of one subject.

    Args:
        workflow: what is asked, by name; the usual one if empty.
        asked: its arguments and those of its subject; a list stands for values to compare, where
            no list can stand.

    Raises:
        InputError: nothing varies, or something that says which subject it is.
        NotFoundError: there is no such workflow.
    """
    chosen = workflows().named(workflow) if workflow else workflows().usual
    whole, about = chosen.whole, chosen.whole.subject.form.offered()
    said = {name: value for name, value in asked.items() if value is not None}
    refuse_unknown(whole.sayable, said)
    several = dict[str, tuple[Any, ...]]()
    order = whole.sayable
    for name in sorted(varied(chosen, said), key=order.index):
        many = tuple(dict.fromkeys(cast("list[Any]", said.pop(name))))
        if len(many) == 1:
            said[name] = many[0]
        else:
            several[name] = many
    wrong = sorted(several.keys() & about.keys())
    if wrong:
        raise InputError(
            f"a comparison of several values of {', '.join(wrong)} was asked for",
            f"that says which {whole.subject.name} it is: these are several",
            f"ask for each of them, or vary another argument of {chosen.command}",
        )
    if not several:
        raise InputError(
            f"a comparison of {chosen.command} was asked for",
            "each argument has one value",
            "give one of them several, such as method B3LYP,PBE0; of a file of several "
            f"{whole.subject.name}s a table is made by grafico batch FILE, sorted by the energy",
        )
    return {
        "each": chosen.name,
        "of": whole.subject.name,
        "single": True,
        "retry": "failed",
        "reading": {name: value for name, value in said.items() if name in about},
        "arguments": {name: value for name, value in said.items() if name not in about},
        "grid": several,
    }


def varied(workflow: Workflow, asked: Mapping[str, Any]) -> list[str]:
    """Return the arguments that have several values where one can stand."""
    return [
        name
        for name, value in asked.items()
        if isinstance(value, list | tuple)
        and name in workflow.whole.sayable
        and not takes_several(workflow, name)
    ]


def takes_several(workflow: Workflow, name: str) -> bool:
    """Tell whether an argument of a workflow takes a list by itself, such as constraints."""
    form = workflow.whole.fields.get(name)
    if form is None:
        return False
    return get_origin(form.offered()[name].annotation) is tuple


def compared_at_once(asking: Asking, form: CompareForm) -> Rounds:
    """Ask all settings as one batch of one subject, and put them side by side.

    Raises:
        InputError: see `asked_of_each` and `beside`.
        NotFoundError: there is no such workflow.
    """
    result = yield {"workflow": "batch", **asked_of_each(asking.workflow, asking.said)}
    return beside(result, form.columns)


def compared_stored(kg: KnowledgeGraph, names: Mapping[str, str], form: CompareForm) -> Beside:
    """Put stored runs side by side; see `compared_runs`.

    Raises:
        GraficoError: see there.
    """
    return Beside(None, compared_runs(kg, names, form.columns))


COMPARE = WrapperDefinition(
    CompareForm,
    compared_at_once,
    Beside,
    help="Each combination of what has several values is asked, as if alone: what is remembered is "
    "not computed. The table has what each comes to and how far it is from the first. An option "
    "that some methods do not take, such as a basis set, is left out of these. Names of runs, such "
    "as #17 and last, are put side by side as they are stored, also those read from files.",
    stored=compared_stored,
)
