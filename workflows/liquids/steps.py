"""Ordered steps: what the device, or a person beside it, does one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pydantic import Field

from triplestore.errors import InputError

from .amounts import Substances, doses
from .design import (
    CAPACITIES,
    NOT_CAPPED,
    Design,
    Dilute,
    Heat,
    Mix,
    Plate,
    Strict,
    Timed,
    places_of,
)
from .quantities import Quantity, read

FIRST, SECOND = "Plate 1", "Plate 2"
ROOM = 25.0
"""°C to which nothing has to be heated."""

FILL = (0.1, 0.8)
"""Of a vial's capacity: the least and the most that it holds."""

Action: TypeAlias = Literal["Add", "Set", "Transfer"]
Unit: TypeAlias = Literal["", "mg", "µL", "°C", "rpm", "min"]


@dataclass(frozen=True)
class Setting:
    """What a device sets of a whole plate.

    Attributes:
        unit: of its value.
        least: the smallest value.
        most: the largest one.
        rest: to which it is set back when it is over; None for what ends by itself.
    """

    unit: Unit
    least: float
    most: float
    rest: float | None


SETTINGS: Mapping[str, Setting] = {
    "StirRate": Setting("rpm", 0.0, 700.0, 0.0),
    "VortexRate": Setting("rpm", 0.0, 1000.0, 0.0),
    "HeatingTemp": Setting("°C", ROOM, 180.0, ROOM),
    "Delay": Setting("min", 0.0, 14 * 24 * 60.0, None),
}


class Step(Strict):
    """One line of a protocol.

    Attributes:
        action: what is done.
        parameter: the chemical that is added, what is set, or how is transferred.
        plate: where, `Plate 1` or `Plate 2`.
        unit: of the values.
        values: by vial, for what differs from vial to vial.
        value: for what is the same in the whole plate.
        to: the plate that is transferred to.
        note: such as `by hand`.
    """

    action: Action
    parameter: str
    plate: str
    unit: Unit = ""
    values: dict[str, float] = Field(default_factory=dict[str, float])
    value: float | None = None
    to: str = ""
    note: str = ""

    @property
    def key(self) -> tuple[str, str, str, float | None]:
        """What it does, without amounts: steps of one key do the same."""
        return self.action, self.parameter, self.plate, self.value

    @property
    def runs(self) -> bool:
        """Whether it begins what has to be set back: heat, stirring, vortexing."""
        one = SETTINGS.get(self.parameter)
        return one is not None and one.rest is not None and (self.value or 0.0) > one.rest

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        if self.action == "Add":
            return f"Add {self.parameter} ({self.unit}) to {_vials(self.values)} in {self.plate}"
        if self.action == "Transfer":
            parts = sorted({f"{one:g}" for one in self.values.values()})
            said = f", {' or '.join(parts)} {self.unit} of each" if parts else ""
            return f"{self.parameter} transfer from {self.plate} to {self.to}{said}{note}"
        if self.values:
            shown = ", ".join(f"{vial} {value:g}" for vial, value in self.values.items())
            return f"Set {self.parameter} ({self.unit}) in {self.plate}: {shown}"
        value = "" if self.value is None or not self.unit else f" to {self.value:g} {self.unit}"
        return f"Set {self.parameter}{value} in {self.plate}{note}"


def _vials(values: Mapping[str, float]) -> str:
    return f"{len(values)} vial{'s' if len(values) != 1 else ''}"


@dataclass(frozen=True)
class Sample:
    """A vial and what it is to hold.

    Attributes:
        vial: its name.
        targets: by name of a chemical or a stock.
        doses: mg or µL that are put into it, likewise.
        reference: that equivalents are of.
        group: the index of its group.
        index: of it in its group.
    """

    vial: str
    targets: Mapping[str, Quantity]
    doses: Mapping[str, float]
    reference: str | None
    group: int
    index: int


@dataclass(frozen=True)
class Laid:
    """A design, laid out in vials.

    Attributes:
        substances: what is known of its chemicals.
        plates: one or two, by name.
        samples: vial by vial.
    """

    substances: Substances
    plates: Mapping[str, Plate]
    samples: tuple[Sample, ...]

    @property
    def design(self) -> Design:
        """The design."""
        return self.substances.design

    @property
    def needed(self) -> dict[tuple[str, str], dict[str, float]]:
        """What is added, by plate and chemical, then by vial."""
        found = dict[tuple[str, str], dict[str, float]]()
        for sample in self.samples:
            for name, dose in sample.doses.items():
                if dose:
                    found.setdefault((FIRST, name), {})[sample.vial] = dose
        if (one := self.dilution) is not None:
            rest = one.volume.value * (1 - 1 / one.factor)
            found[SECOND, one.diluent] = {sample.vial: rest for sample in self.samples}
        return found

    @property
    def dilution(self) -> Dilute | None:
        """The step to a second plate, if there is one."""
        return next((one for one in self.design.process if isinstance(one, Dilute)), None)


def lay(substances: Substances) -> Laid:
    """Return a design, laid out in the vials of its plates.

    Raises:
        InputError: there are too few vials, a place is taken twice, or amounts do not fit.
    """
    design = substances.design
    asked = f"the samples of {design.name} were to be laid out"
    made = [
        (number, index, group.reference, targets)
        for number, group in enumerate(design.samples)
        for index, targets in enumerate(group.samples())
    ]
    found = [doses(targets, substances, reference) for _, _, reference, targets in made]
    plate = design.plate or _smallest(design, substances, found)
    places = plate.places
    if len(made) > len(places):
        raise InputError(
            asked,
            f"there are {len(made)} samples and {len(places)} vials of {plate.capacity}",
            "choose a plate with more vials, or make fewer samples",
        )
    named = {number: _named(group.vials, asked) for number, group in enumerate(design.samples)}
    taken = [place for each in named.values() for place in each]
    if wrong := [place for place in taken if place not in places]:
        advice = f"its vials are {places[0]} to {places[-1]}"
        raise InputError(asked, f"an {plate.array} plate has no vial {wrong[0]}", advice)
    if twice := [place for place in taken if taken.count(place) > 1]:
        raise InputError(asked, f"vial {twice[0]} is named twice", "name another one")
    free = iter([place for place in places if place not in taken])
    samples = list[Sample]()
    for (number, index, reference, targets), each in zip(made, found, strict=True):
        if given := named[number]:
            wanted = design.samples[number].number
            if wanted != len(given):
                raise InputError(
                    asked,
                    f"group {number + 1} has {wanted} samples and names {len(given)} vials",
                    "name as many vials, or none",
                )
            vial = given[index]
        else:
            vial = next(free)
        samples.append(Sample(vial, targets, each, reference, number, index))
    plates = {FIRST: plate}
    second = [one for one in design.process if isinstance(one, Dilute | Timed)]
    if len(second) > 1:
        raise InputError(
            asked, "it would take more than two plates", "dilute, or heat by timers, once"
        )
    for one in second:
        plates[SECOND] = one.plate if isinstance(one, Dilute) else plate
    if laid_out := {one.vial for one in samples} - set(plates.get(SECOND, plate).places):
        raise InputError(
            asked,
            f"vial {min(laid_out)} has no fellow in {SECOND}, an {plates[SECOND].array} plate",
            "choose a second plate with as many rows and columns, or other vials",
        )
    return Laid(substances, plates, tuple(samples))


def _named(text: str, asked: str) -> list[str]:
    try:
        return places_of(text)
    except ValueError as error:
        raise InputError(asked, str(error), "correct `vials`") from None


def _smallest(
    design: Design, substances: Substances, found: Sequence[Mapping[str, float]]
) -> Plate:
    """Return the plate with the smallest vials that hold the samples, capped if need be."""
    liquid = [
        math.fsum(dose for name, dose in each.items() if not design.is_solid(name))
        for each in found
    ]
    capped = needs_caps(design)
    for array, capacities in CAPACITIES.items():
        for capacity in capacities:
            plate = Plate(array=array, capacity=read(f"{capacity} mL"))
            fits = all(FILL[0] * capacity <= one / 1000 <= FILL[1] * capacity for one in liquid)
            if fits and len(found) <= len(plate.places) and not (capped and not closes(plate)):
                return plate
    raise InputError(
        f"the samples of {design.name} were to be laid out",
        f"no plate has {len(found)} vials that {min(liquid):g} to {max(liquid):g} µL fill by 10 to "
        "80 %",
        "change the volume or the number of samples",
    )


def needs_caps(design: Design) -> bool:
    """Tell whether its vials have to be closed: for what is done to them, or what is in them."""
    return any(not isinstance(one, Dilute) for one in design.process) or any(
        one.volatile for one in design.chemicals.values()
    )


def closes(plate: Plate) -> bool:
    """Tell whether the device can cap the vials of a plate."""
    return plate.capacity.value / 1000 not in NOT_CAPPED


def rank(laid: Laid, plate: str, name: str) -> tuple[float, ...]:
    """Return when something is added: solids, solvent, by volume, acid last; or as designed."""
    design = laid.design
    if design.order:
        return (design.order.index(name) if name in design.order else len(design.order),)
    amount = math.fsum(laid.needed.get((plate, name), {}).values())
    item = design.stock_or_chemical(name)
    solvent = name == design.solvent or plate == SECOND
    return (not design.is_solid(name), item.acid, not solvent, -amount)


def additions(laid: Laid, plate: str) -> list[Step]:
    """Return one `Add` a chemical, in order."""
    design, needed = laid.design, laid.needed
    names = sorted((name for at, name in needed if at == plate), key=lambda n: rank(laid, plate, n))
    return [
        Step(
            action="Add",
            parameter=name,
            plate=plate,
            unit="mg" if design.is_solid(name) else "µL",
            values=needed[plate, name],
        )
        for name in names
    ]


def setting(what: str, plate: str, value: float | None = None, note: str = "") -> Step:
    """Return a step that sets something of a whole plate."""
    unit: Unit = SETTINGS[what].unit if what in SETTINGS else ""
    return Step(action="Set", parameter=what, plate=plate, unit=unit, value=value, note=note)


def cap(laid: Laid, plate: str) -> Step:
    """Return the step that closes the vials of a plate."""
    return setting("Cap", plate, 1.0, "" if closes(laid.plates[plate]) else "by hand")


def planned(laid: Laid) -> list[Step]:
    """Return the steps of a design, in order."""
    steps = additions(laid, FIRST)
    capped, at = {FIRST: False, SECOND: False}, FIRST

    def close() -> Iterator[Step]:
        if not capped[at]:
            capped[at] = True
            yield cap(laid, at)

    if needs_caps(laid.design) and (
        not laid.design.process or any(one.volatile for one in laid.design.chemicals.values())
    ):
        steps += close()
    for one in laid.design.process:
        match one:
            case Heat() | Mix():
                steps += close()
                steps += _during(at, one)
            case Dilute():
                steps += additions(laid, SECOND)
                if capped[FIRST] and not laid.plates[FIRST].septum:
                    capped[FIRST] = False
                    steps.append(setting("Uncap", FIRST, 0.0))
                steps.append(_transfer(laid, one))
                volatile = any(each.volatile for each in laid.design.chemicals.values())
                if volatile and not capped[FIRST]:
                    steps += close()
                at = SECOND
                if volatile:
                    steps += close()
            case Timed():
                steps += close()
                steps += _timed(laid, one)
    return steps


def _during(plate: str, one: Heat | Mix) -> Iterator[Step]:
    """Iterate over what is set, waited for and set back, the last first."""
    if isinstance(one, Heat):
        begun = [("StirRate", one.stir.value, 0.0)] if one.stir.value else []
        begun.append(("HeatingTemp", one.temperature.value, one.cool.value))
    else:
        begun = [("StirRate" if one.do == "stir" else "VortexRate", one.rate.value, 0.0)]
    yield from (setting(what, plate, value) for what, value, _ in begun)
    yield setting("Delay", plate, one.time.value)
    yield from (setting(what, plate, rest) for what, _, rest in reversed(begun))


def _transfer(laid: Laid, one: Dilute) -> Step:
    part = one.volume.value / one.factor
    values = {sample.vial: part for sample in laid.samples}
    return Step(
        action="Transfer",
        parameter="Discrete",
        plate=FIRST,
        to=SECOND,
        unit="µL",
        values=values,
        note="through the septum" if laid.plates[FIRST].septum else "",
    )


def _timed(laid: Laid, one: Timed) -> Iterator[Step]:
    minutes = {
        sample.vial: one.times[sample.index % len(one.times)].value for sample in laid.samples
    }
    yield setting("HeatingTemp", SECOND, one.temperature.value)
    yield Step(action="Set", parameter="VialTimers", plate=FIRST, unit="min", values=minutes)
    if one.stir.value:
        yield setting("StirRate", SECOND, one.stir.value)
    for start, end, note in (
        (FIRST, SECOND, "MoveVial, StartVialTimer"),
        (SECOND, FIRST, "MoveVial, WaitVialTimer"),
    ):
        yield Step(action="Transfer", parameter="Uniform", plate=start, to=end, note=note)
    if one.stir.value:
        yield setting("StirRate", SECOND, 0.0)
    yield setting("HeatingTemp", SECOND, one.cool.value)
