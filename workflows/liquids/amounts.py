"""The chemistry of amounts: from what a sample is to hold to what is put into its vial.

Pure functions; mg, µL, µmol, M, mg/µL and g/mol throughout. Volumes are taken to add up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from triplestore.errors import InputError

from .design import Chemical, Density, Design, Stock
from .quantities import Quantity

TOLERANCE = 1e-9
"""Of a volume: what rounding may leave."""


@dataclass(frozen=True)
class Substances:
    """What is known of what stands in the bottles.

    Attributes:
        design: the design.
        molar_masses: in g/mol, by name of a chemical.
        densities: likewise, with temperature and source.
    """

    design: Design
    molar_masses: Mapping[str, float]
    densities: Mapping[str, Density]

    def molar_mass(self, name: str) -> float:
        """Return a molar mass in g/mol.

        Raises:
            InputError: it is not known.
        """
        if name in self.molar_masses:
            return self.molar_masses[name]
        raise lacking(name, "its molar mass is missing", "give its `structure` or `molar_mass`")

    def density(self, name: str) -> float:
        """Return a density in mg/µL, of a chemical or a stock.

        Raises:
            InputError: it is not known.
        """
        if name in self.densities:
            return self.densities[name].value.value
        raise lacking(
            name, "its density is missing", "give `density` with value, temperature and source"
        )

    def stock_molarity(self, name: str) -> float:
        """Return the molarity of a stock in M.

        Raises:
            InputError: a molar mass or a density that it takes is not known.
        """
        stock = self.design.stocks[name]
        value = stock.concentration.value
        match stock.concentration.kind:
            case "molarity":
                return value
            case "mass concentration":
                return value * 1000 / self.molar_mass(stock.of)
            case "weight fraction":
                return value * self.density(name) * 1000 / self.molar_mass(stock.of)
            case _:
                return value * self.density(stock.of) * 1000 / self.molar_mass(stock.of)


def lacking(name: str, found: str, advice: str) -> InputError:
    """Return why something cannot be dispensed."""
    return InputError(f"{name} is to be dispensed", found, advice)


def doses(
    targets: Mapping[str, Quantity], substances: Substances, reference: str | None = None
) -> dict[str, float]:
    """Return what is put into a vial: mg of solids, µL of liquids, by name.

    Args:
        targets: of the sample, by name of a chemical or a stock; of a stock what is dissolved in it
            is meant, unless a volume or a mass is given.
        substances: what is known of them.
        reference: the chemical that equivalents are of.

    Raises:
        InputError: something is missing, or more is asked for than fits.
    """
    design = substances.design
    volume = design.volume.value if design.volume else None
    found = dict[str, float]()
    shares = dict[str, float]()  # of the mass of the sample
    for name, target in targets.items():
        if target.kind == "weight fraction":
            shares[name] = _share(name, target, substances)
        elif target.kind == "equivalents":
            number = target.value * _reference(reference, targets, volume, substances)
            found[name] = dispensed(name, number, substances)
        else:
            found[name] = _dose(name, target, volume, substances)
    if shares:
        found |= _by_weight(shares, found, volume, substances)
    if design.solvent is not None and volume is not None:
        taken = math.fsum(space(name, dose, substances) for name, dose in found.items())
        left = volume - taken
        if left < -TOLERANCE * volume:
            raise InputError(
                f"a sample of {volume:g} µL was asked for",
                f"without solvent its parts take {taken:.6g} µL: {_listed(found, design)}",
                "take less of them, a stronger stock or a larger volume",
            )
        found[design.solvent] = found.get(design.solvent, 0.0) + max(left, 0.0)
    return found


def dispensed(name: str, number: float, substances: Substances) -> float:
    """Return mg or µL that hold so many µmol, of a solid, a liquid or a stock.

    Raises:
        InputError: what that takes is not known.
    """
    if name in substances.design.stocks:
        return number / substances.stock_molarity(name)
    return weighed(name, number * substances.molar_mass(name) / 1000, substances)


def weighed(name: str, mass: float, substances: Substances) -> float:
    """Return mg of a solid, µL of a liquid or a stock, that weigh so many mg.

    Raises:
        InputError: a density is missing.
    """
    return mass if substances.design.is_solid(name) else mass / substances.density(name)


def space(name: str, dose: float, substances: Substances) -> float:
    """Return the µL that a dose takes.

    Raises:
        InputError: the density of a solid is missing that counts.
    """
    if not substances.design.is_solid(name):
        return dose
    if substances.design.solid_volume == "neglected" or not dose:
        return 0.0
    if name not in substances.densities:
        raise lacking(
            name,
            "the volume that it takes is counted, and its density is missing",
            "give its `density`, or say `solid_volume: neglected`",
        )
    return dose / substances.density(name)


def _dose(name: str, target: Quantity, volume: float | None, substances: Substances) -> float:
    design = substances.design
    if target.kind == "mass":
        return weighed(name, target.value, substances)
    if target.kind == "volume":
        if design.is_solid(name):
            raise lacking(name, f"{target} is a volume of a solid", "give mg, mmol or M")
        return target.value
    if target.kind == "amount":
        return dispensed(name, target.value, substances)
    if volume is None:
        raise lacking(name, f"{target} is of a volume, which is missing", "give `volume`")
    item: Chemical | Stock = design.stock_or_chemical(name)
    if target.kind == "molarity":
        return dispensed(name, target.value * volume, substances)
    if target.kind == "mass concentration":
        if not isinstance(item, Stock):
            return weighed(name, target.value * volume, substances)
        if item.concentration.kind == "mass concentration":
            return target.value * volume / item.concentration.value
        number = target.value * volume * 1000 / substances.molar_mass(item.of)
        return dispensed(name, number, substances)
    if not isinstance(item, Stock):
        if item.state == "solid":
            raise lacking(name, f"{target} is a share of volume of a solid", "give wt%, M or mg/mL")
        return target.value * volume
    if item.concentration.kind != "volume fraction":
        raise lacking(
            name,
            f"{target} is asked of a stock whose strength is {item.concentration}",
            "give both in vol%",
        )
    return target.value / item.concentration.value * volume


def _reference(
    name: str | None,
    targets: Mapping[str, Quantity],
    volume: float | None,
    substances: Substances,
) -> float:
    """Return µmol of the chemical that equivalents are of."""
    if name is None or name not in targets or targets[name].kind == "equivalents":
        raise InputError(
            "equivalents were asked for",
            "the chemical that they are of is missing, or has no amount",
            "name it as `reference`, and give it in mmol, M, mg or µL",
        )
    dose = _dose(name, targets[name], volume, substances)
    if name in substances.design.stocks:
        return dose * substances.stock_molarity(name)
    mass = dose if substances.design.is_solid(name) else dose * substances.density(name)
    return mass * 1000 / substances.molar_mass(name)


def _share(name: str, target: Quantity, substances: Substances) -> float:
    """Return which share of the sample's mass is dispensed of something."""
    if name not in substances.design.stocks:
        return target.value
    stock = substances.design.stocks[name]
    if stock.concentration.kind == "weight fraction":
        return target.value / stock.concentration.value
    solute = substances.stock_molarity(name) * substances.molar_mass(stock.of) / 1000
    return target.value * substances.density(name) / solute


def _by_weight(
    shares: Mapping[str, float],
    others: Mapping[str, float],
    volume: float | None,
    substances: Substances,
) -> dict[str, float]:
    """Return the doses of what is given as a share of the sample's mass.

    With the mass M of the sample, its solvent takes V - V_others - M Σ w/ρ, which weighs
    M - m_others - M Σ w; that is linear in M.
    """
    design = substances.design
    solvent = design.solvent
    if volume is None or solvent is None:
        raise InputError(
            "a share of the weight was asked for",
            "no volume that a solvent fills up is there",
            "give `volume` and `solvent`",
        )
    whole = math.fsum(shares.values())
    if whole > 1:
        found = f"the shares come to {whole * 100:.6g} wt%"
        raise InputError("shares of the weight were asked for", found, "take less of them")
    filling = substances.density(solvent)
    mass = math.fsum(
        dose if design.is_solid(name) else dose * substances.density(name)
        for name, dose in others.items()
    )
    room = volume - math.fsum(space(name, dose, substances) for name, dose in others.items())
    taken = math.fsum(
        space(name, weighed(name, share, substances), substances) for name, share in shares.items()
    )
    total = (mass + filling * room) / (1 - whole + filling * taken)
    return {name: weighed(name, share * total, substances) for name, share in shares.items()}


def _listed(found: Mapping[str, float], design: Design) -> str:
    units = {name: "mg" if design.is_solid(name) else "µL" for name in found}
    return ", ".join(f"{name} {dose:.6g} {units[name]}" for name, dose in found.items() if dose)
