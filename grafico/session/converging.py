"""A setting that is made better step by step, until what is asked for stands."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from triplestore.errors import InputError
from workflows.batch.comparison import Compared, Quantity
from workflows.engine.request.form import ladder_of
from workflows.registry import workflows
from workflows.show.blocks import Note, Section
from workflows.text.words import listed

from .comparing import Beside, asked_of_each, beside, varied

if TYPE_CHECKING:
    from workflows.batch.result import BatchResult

ENERGY = 4.0
"""kJ/mol by which an energy may still change, if nothing else is said: about 1 kcal/mol."""

SHARE = 0.01
"""Of the value by which anything else may still change."""


@dataclass(frozen=True)
class Converged(Beside):
    """A series of settings, and whether what is asked for stands at one of them.

    Attributes:
        quantity: what is asked for; None where no setting came to it.
        tolerance: by which it may still change, in the unit of its differences.
        enough: the first setting that the next one changes by no more than that; None for none.
    """

    quantity: Quantity | None
    tolerance: float
    enough: Compared | None

    @property
    def told(self) -> str:
        """What came of it, in words."""
        if self.quantity is None:
            return "no number came of it"
        rows, unit = self.comparison.rows, self.quantity.change
        allowed = f"{self.tolerance:.4g} {unit}".rstrip()
        last, label = rows[-1], self.quantity.label
        changed = last.differences.get(self.quantity.name)
        if changed is None:
            return f"{last.label} came to no value, so that nobody knows if {label} stands"
        step = f"{changed:+.4g} {unit}".rstrip()
        if self.enough is None:
            return (
                f"{label} does not stand within {allowed}: {last.label} still changes it by {step}"
            )
        value = f"{self.enough.values[self.quantity.name]:.6g} {self.quantity.unit}".rstrip()
        return (
            f"{label} stands at {self.enough.label}: {value}, in {self.enough.seconds:.1f} s; "
            f"{last.label} changes it by {step} (allowed: {allowed}) in {last.seconds:.1f} s"
        )

    def shown_sections(self) -> tuple[Section, ...]:
        """Return the table, a chart for each quantity, and what came of it."""
        [one] = super().shown_sections()
        blocks = (*one.blocks, Note(self.told, one.iri))
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


def climbed(
    run: Callable[[dict[str, Any]], BatchResult],
    workflow: str,
    asked: Mapping[str, Any],
    defaults: Mapping[str, Any],
    quantity: str = "",
    tolerance: float | None = None,
) -> Converged:
    """Compute one setting after the other until a quantity stands.

    Args:
        run: computes a batch of one subject.
        workflow: see `steps_of`.
        asked: see `steps_of`.
        defaults: see `steps_of`.
        quantity: which, by name; the first headline if empty.
        tolerance: see `Converged`; if None 4 kJ/mol of an energy, a hundredth of anything else.

    Raises:
        InputError: see `steps_of`; or nothing comes to such a quantity.
    """
    name, values, said = steps_of(workflow, asked, defaults)
    if len(values) < 2:
        asked_for = f"a series of {name} was asked for"
        raise InputError(asked_for, "it has one value", "give two or more, the best last")
    if tolerance is not None and not 0 < tolerance < math.inf:
        asked_for = f"a change of at most {tolerance:g} was asked for"
        raise InputError(asked_for, "no step changes as little", "give a tolerance above zero")
    found: Converged | None = None
    for number in range(2, len(values) + 1):
        one = run(asked_of_each(workflow, {**said, name: list(values[:number])}))
        wanted: Sequence[str] = (quantity,) if quantity else ()
        seen = beside(one, wanted)
        found = _judged(seen, tolerance)
        if found.enough is not None or seen.comparison.rows[-1].status != "finished":
            break
    assert found is not None
    return found


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
    stands = bool(before) and change is not None and abs(change) <= tolerance
    return Converged(seen.result, series, what, tolerance, before[-1] if stands else None)
