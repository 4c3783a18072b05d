"""`converge`: a setting is made better step by step, until the result has converged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, cast

from pydantic import Field

from triplestore.errors import InputError
from workflows.engine.request.form import Form
from workflows.engine.request.rules import OtherNames, ladder_of
from workflows.engine.request.wrapping import Asking, Rounds, WrapperDefinition
from workflows.registry import workflows
from workflows.show.blocks import Chart, Note, Section
from workflows.text.words import listed

from .comparing import Beside, asked_of_each, beside, varied
from .comparison import METHOD, Compared, Quantity

ENERGY = 4.0
"""kJ/mol by which an energy may still change, if nothing else is said: about 1 kcal/mol."""

SHARE = 0.01
"""Of the value by which anything else may still change."""


class ConvergeForm(Form):
    """What is asked of a series, beside what is computed."""

    quantity: Annotated[
        str,
        OtherNames(("property",)),
        Field(
            description="The property that is to converge, such as dipole; the first headline if "
            "not given."
        ),
    ] = ""
    tolerance: Annotated[
        float | None,
        Field(
            gt=0,
            allow_inf_nan=False,
            description="By which it may still change, in the unit of its differences; if not "
            "given 4 kJ/mol of an energy, else 1 %.",
        ),
    ] = None


@dataclass(frozen=True)
class Converged(Beside):
    """A series of settings, and whether the result has converged at one of them.

    Attributes:
        quantity: what is asked for; None where no setting came to it.
        tolerance: by which it may still change, in the unit of its differences.
        enough: the first setting that the next one changes by no more than that; None for none.
        caution: why the series may lead elsewhere, in words; empty for nothing.
        beyond: how to go on where it has not converged, in words; empty for nothing.
    """

    quantity: Quantity | None
    tolerance: float
    enough: Compared | None
    caution: str = ""
    beyond: str = ""

    @property
    def told(self) -> str:
        """What came of it, in words, how to go on, and where the series may lead elsewhere."""
        finished = self.comparison.rows[-1].status == "finished"
        further = self.beyond if finished and self.enough is None else ""
        return "; ".join(filter(None, [self._outcome, further, self.caution]))

    @property
    def _outcome(self) -> str:
        if self.quantity is None:
            return "no number came of it"
        rows, unit = self.comparison.rows, self.quantity.change
        allowed = f"{self.tolerance:.4g} {unit}".rstrip()
        last, label = rows[-1], self.quantity.label
        changed = last.differences.get(self.quantity.name)
        if changed is None:
            lacking = next((row for row in rows if self.quantity.name not in row.values), last)
            return f"{lacking.label} came to no value: whether {label} is converged is not known"
        step = f"{changed:+.4g} {unit}".rstrip()
        if same := repeated(rows):
            return (
                f"{last.label} means the same calculations as {same.label}: whether {label} is "
                "converged is not known; go on farther"
            )
        if self.enough is None:
            still = f"{last.label} still changes it by {step}"
            return f"{label} is not converged within {allowed}: {still}"
        value = f"{self.enough.values[self.quantity.name]:.6g} {self.quantity.unit}".rstrip()
        return (
            f"{label} is converged at {self.enough.label}: {value}, in "
            f"{self.enough.seconds:.1f} s; {last.label} changes it by {step} "
            f"(allowed: {allowed}) in {last.seconds:.1f} s"
        )

    def shown_sections(self) -> tuple[Section, ...]:
        """Return the table, a chart for each quantity, and what came of it."""
        [one] = super().shown_sections()
        charts = [
            replace(block, note=self.told)
            if isinstance(block, Chart) and self.quantity and block.name == self.quantity.name
            else block
            for block in one.blocks
        ]
        blocks = (*charts, Note(self.told, one.iri))
        return (Section("convergence", blocks, one.iri, "convergence"),)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON can hold it."""
        found = self.comparison.as_json()
        enough = self.enough.label if self.enough else None
        name = self.quantity.name if self.quantity else None
        return {
            "quantity": name,
            "tolerance": self.tolerance,
            "converged": enough is not None,
            "enough": enough,
            "told": self.told,
            **found,
        }


def steps_of(
    workflow: str, asked: Mapping[str, Any], defaults: Mapping[str, Any]
) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """Return what varies, its values towards the limit, and what else is asked.

    Args:
        workflow: what is asked, by name; the usual one if empty.
        asked: its arguments; a list is the series, one value where a known series begins.
        defaults: of the settings, where a series begins if nothing is said.

    Raises:
        InputError: several things vary, or there is nothing that leads to a limit.
    """
    chosen = workflows().named(workflow) if workflow else workflows().usual
    said = {name: value for name, value in asked.items() if value is not None}
    several = varied(chosen, said)
    problem = f"a series of {chosen.command} was asked for"
    if len(several) > 1:
        found = f"{listed(several)} have several values"
        raise InputError(problem, found, "vary one of them, then the other at what it came to")
    if several:
        values = tuple(dict.fromkeys(cast("list[Any]", said.pop(several[0]))))
        return several[0], values, said
    for form in chosen.whole.all_forms:
        for name, field in form.offered().items():
            ladder = ladder_of(field)
            if ladder is None:
                continue
            begin = said.pop(name, defaults.get(name))
            values = ladder.steps(begin)
            if len(values) > 1:
                return name, values, said
            raise InputError(
                problem,
                f"nothing is known that leads on from {name} {begin}",
                f"give the series: {name} {','.join(map(str, ladder.series[0]))}",
            )
    raise InputError(problem, "nothing of it leads to a limit", "give an argument several values")


def climbed(asking: Asking, form: ConvergeForm) -> Rounds:
    """Ask for one setting after the other until a quantity has converged.

    Raises:
        InputError: see `steps_of`; nothing comes to such a quantity; or it is the total energy, of
            which each method has its own zero.
    """
    name, values, said = steps_of(asking.workflow, asking.said, asking.defaults)
    if len(values) < 2:
        asked_for = f"a series of {name} was asked for"
        raise InputError(asked_for, "it has one value", "give two or more, the best last")
    found: Converged | None = None
    for number in range(2, len(values) + 1):
        words = asked_of_each(asking.workflow, {**said, name: list(values[:number])})
        result = yield {"workflow": "batch", **words}
        found = _judged(beside(result, (form.quantity,) if form.quantity else ()), form.tolerance)
        if found.quantity and found.quantity.total and name == METHOD:
            raise InputError(
                f"a series of methods by their {found.quantity.label} was asked for",
                "total energies of different methods have no common zero, so that no step says "
                "how far it is",
                "name another quantity, such as dipole, ask for the energy of a reaction, or vary "
                "the basis set; a comparison has them side by side",
            )
        if found.enough is not None or found.comparison.rows[-1].status != "finished":
            break
    assert found is not None
    quantity = found.quantity.name if found.quantity else form.quantity
    caution, beyond = _advice(asking.workflow, name, values, quantity, said)
    return replace(found, caution=caution, beyond=beyond)


def _advice(
    workflow: str, name: str, values: Sequence[Any], quantity: str, said: Mapping[str, Any]
) -> tuple[str, str]:
    """Return why values of a field may have another limit, and how to go on; empty for nothing."""
    chosen = workflows().named(workflow) if workflow else workflows().usual
    fields = [form.offered().get(name) for form in chosen.whole.all_forms]
    ladders = [ladder_of(field) for field in fields if field is not None]
    known = [one for one in ladders if one]
    why = (one.caution(values, quantity, said) for one in known if one.caution)
    how = (one.beyond(values, quantity, said) for one in known if one.beyond)
    return "; ".join(filter(None, dict.fromkeys(why))), "; ".join(filter(None, dict.fromkeys(how)))


def repeated(rows: Sequence[Compared]) -> Compared | None:
    """Return the row before the last for which the very same was computed; None for none."""
    made = rows[-1].made
    return next((row for row in rows[:-1] if row.made == made), None) if made else None


def _judged(seen: Beside, tolerance: float | None) -> Converged:
    series = seen.comparison.stepwise()
    what = series.quantities[0] if series.quantities else None
    if what is None:
        return Converged(seen.result, series, None, tolerance or 0.0, None)
    last = series.rows[-1]
    if tolerance is None:
        tolerance = (
            ENERGY if what.change == "kJ/mol" else SHARE * abs(last.values.get(what.name, 0.0))
        )
    before = [row for row in series.rows[:-1] if what.name in row.values]
    change = last.differences.get(what.name)
    tried = repeated(series.rows) is None
    holds = bool(before) and tried and change is not None and abs(change) <= tolerance
    return Converged(seen.result, series, what, tolerance, before[-1] if holds else None)


CONVERGE = WrapperDefinition(
    ConvergeForm,
    climbed,
    Converged,
    help="An option with several values, the best last, is what varies; if there is none, the "
    "basis set goes on to the larger ones of its kind: def2-SVP, def2-TZVP, def2-QZVP. It ends at "
    "the first step that changes the result by no more than the tolerance, and says what it costs "
    "to be there.",
)
