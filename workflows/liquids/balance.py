"""The second path: what steps make of the vials, counted forwards in SI units.

It knows the steps, and of the design the bottles alone; amounts come from what was dispensed. What
it finds is compared with the targets, which the doses were computed from by another way round.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .design import Design
from .quantities import Quantity
from .steps import Laid, Sample, Step

AGREED = 1e-9
"""Relative: by how much the two paths may differ."""


@dataclass
class Contents:
    """What is in a vial.

    Attributes:
        kilograms: of each solid that was weighed in.
        cubic_metres: of each liquid.
    """

    kilograms: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    cubic_metres: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    def take(self, share: float) -> Contents:
        """Remove a share of all and return it."""
        taken = Contents()
        for mine, other in (
            (self.kilograms, taken.kilograms),
            (self.cubic_metres, taken.cubic_metres),
        ):
            for name, value in list(mine.items()):
                other[name] = value * share
                mine[name] = value - other[name]
        return taken

    def put(self, other: Contents) -> None:
        """Add what is in another."""
        for name, value in other.kilograms.items():
            self.kilograms[name] += value
        for name, value in other.cubic_metres.items():
            self.cubic_metres[name] += value


Ledger = dict[tuple[str, str], Contents]


def ledger(steps: Iterable[Step]) -> Ledger:
    """Return what is in each vial after some steps, by plate and vial.

    Raises:
        ValueError: as `enter`.
    """
    found: Ledger = defaultdict(Contents)
    for step in steps:
        enter(found, step)
    return found


def enter(found: Ledger, step: Step) -> None:
    """Enter into a ledger what a step does.

    Raises:
        ValueError: more is taken from a vial than is in it.
    """
    if step.action == "Add":
        for vial, dose in step.values.items():
            content = found[step.plate, vial]
            if step.unit == "mg":
                content.kilograms[step.parameter] += dose * 1e-6
            else:
                content.cubic_metres[step.parameter] += dose * 1e-9
    elif step.action == "Transfer":
        for vial, part in step.values.items():
            source = found[step.plate, vial]
            there = math.fsum(source.cubic_metres.values())
            if part * 1e-9 > there * (1 + AGREED):
                raise ValueError(
                    f"{part:g} µL are taken from vial {vial} of {step.plate}, which holds "
                    f"{there * 1e9:g} µL"
                )
            found[step.to, vial].put(source.take(part * 1e-9 / there))


def differences(laid: Laid, steps: Iterable[Step]) -> list[str]:
    """Return where the vials, as the steps fill them, are not as they were wanted."""
    steps = list(steps)
    before = [step for step in steps if step.action == "Add"]
    filled, after = ledger(before), ledger(steps)
    found = list[str]()
    for sample in laid.samples:
        content = filled.get(("Plate 1", sample.vial), Contents())
        for name, target in sample.targets.items():
            made, wanted = _made(name, target, sample, content, laid)
            if not _agrees(made, wanted):
                found.append(
                    f"vial {sample.vial}: {name} comes to {made / wanted if wanted else made:.9g} "
                    f"of the {target} that are wanted"
                )
        if (volume := laid.design.volume) is not None:
            whole = _space(content, laid) * 1e9
            if not _agrees(whole, volume.value):
                found.append(f"vial {sample.vial}: it holds {whole:.9g} µL of {volume}")
    for title, put in (("kilograms", filled), ("cubic_metres", filled)):
        total = _totals(put, title)
        for name, there in _totals(after, title).items():
            if not _agrees(there, total[name]):
                found.append(f"of {name} {there!r} is there, and {total[name]!r} was put in")
    return found


def _agrees(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=AGREED, abs_tol=1e-15)


def _totals(of: Ledger, title: str) -> dict[str, float]:
    found = defaultdict[str, list[float]](list)
    for content in of.values():
        for name, value in getattr(content, title).items():
            found[name].append(value)
    return {name: math.fsum(values) for name, values in found.items()}


def _space(content: Contents, laid: Laid) -> float:
    """Return m³ that are taken: of solids only where that is counted."""
    liquid = math.fsum(content.cubic_metres.values())
    if laid.design.solid_volume == "neglected":
        return liquid
    solid = (
        mass / (laid.substances.densities[name].value.value * 1000)
        for name, mass in content.kilograms.items()
        if mass
    )
    return liquid + math.fsum(solid)


def _density(name: str, laid: Laid) -> float:
    return laid.substances.densities[name].value.value * 1000  # kg/m³


def _mass(content: Contents, laid: Laid) -> float:
    """Return the kg of all that is in a vial."""
    weights = [volume * _density(n, laid) for n, volume in content.cubic_metres.items() if volume]
    return math.fsum([*content.kilograms.values(), *weights])


def _solute_mass(name: str, content: Contents, laid: Laid) -> float:
    """Return the kg of what is meant: of a chemical itself, of a stock what is dissolved in it."""
    design: Design = laid.design
    if name in content.kilograms:
        return content.kilograms[name]
    volume = content.cubic_metres.get(name, 0.0)
    if not volume:
        return 0.0
    if name not in design.stocks:
        return volume * _density(name, laid)
    stock = design.stocks[name]
    strength = stock.concentration.value
    match stock.concentration.kind:
        case "molarity":  # mol/L is 1000 mol/m³, and g/mol is kg/mol / 1000
            return volume * strength * 1000 * laid.substances.molar_masses[stock.of] / 1000
        case "mass concentration":  # mg/µL is 1000 kg/m³
            return volume * strength * 1000
        case "weight fraction":
            return volume * _density(name, laid) * strength
        case _:
            return volume * strength * _density(stock.of, laid)


def _moles(name: str, content: Contents, laid: Laid) -> float:
    stock = laid.design.stocks.get(name)
    if stock is not None and stock.concentration.kind == "molarity":
        return content.cubic_metres.get(name, 0.0) * stock.concentration.value * 1000
    of = stock.of if stock else name
    if not content.cubic_metres.get(name) and not content.kilograms.get(name):
        return 0.0
    return _solute_mass(name, content, laid) / (laid.substances.molar_masses[of] / 1000)


def _made(
    name: str, target: Quantity, sample: Sample, content: Contents, laid: Laid
) -> tuple[float, float]:
    """Return what a vial has of something, and what it was to have, both in SI units."""
    volume, stock = content.cubic_metres.get(name, 0.0), laid.design.stocks.get(name)
    match target.kind:
        case "volume":
            return volume, target.value * 1e-9
        case "mass":
            weight = content.kilograms.get(name, 0.0)
            if volume:
                weight = volume * _density(name, laid)
            return weight, target.value * 1e-6
        case "amount":
            return _moles(name, content, laid), target.value * 1e-6
        case "molarity":
            return _moles(name, content, laid) / _space(content, laid), target.value * 1000
        case "mass concentration":
            return _solute_mass(name, content, laid) / _space(content, laid), target.value * 1000
        case "weight fraction":
            return _solute_mass(name, content, laid) / _mass(content, laid), target.value
        case "volume fraction":
            pure = volume * (stock.concentration.value if stock else 1.0)
            return pure / _space(content, laid), target.value
        case _:
            reference = _moles(sample.reference or "", content, laid)
            return _moles(name, content, laid), target.value * reference


def fills(of: Ledger, laid: Laid) -> Mapping[tuple[str, str], float]:
    """Return µL in each vial, solids included where their densities are known."""
    densities = laid.substances.densities
    return {
        where: 1e9
        * math.fsum(
            [
                *content.cubic_metres.values(),
                *(
                    mass / (densities[name].value.value * 1000)
                    for name, mass in content.kilograms.items()
                    if name in densities
                ),
            ]
        )
        for where, content in of.items()
    }
