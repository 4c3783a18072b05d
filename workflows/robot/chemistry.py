"""What is known of the chemicals of a procedure, and how much of each there is."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from triplestore.errors import ComponentError, InputError
from workflows.controlled.gate import noted
from workflows.controlled.naming import Screened, screen
from workflows.liquids.quantities import Quantity
from workflows.liquids.substances import looked_up
from workflows.molecule.cas import registry_number
from workflows.molecule.looking_up import inchi_key_of, registered
from workflows.molecule.notation import read_smiles
from workflows.safety.chart import WATER, groups_of, meets_no_water, separate
from workflows.safety.tables import known

from .actions import Add, Dosing, Procedure, Purify, SynthesisAction

MINERAL_ACIDS = frozenset({1, 2})
ALCOHOLS = 4
ORGANIC = frozenset({"C", "H", "N", "O", "S", "P", "F", "Cl", "Br", "I"})
AGREE = 0.02
"""Relative: by how much an amount may differ from the equivalents beside it."""

COUNTED = 1e-3
"""Relative: by how much the two ways of counting may differ; atomic masses differ by less."""


@dataclass(frozen=True)
class Substance:
    """What is known of a chemical.

    Attributes:
        name: in the procedure.
        smiles: of all of it.
        molar_mass: in g/mol; of a mixture none.
        density: of a liquid in g/mL; None where it is not known.
        boiling: in °C; likewise.
        liquid: whether it is one.
        groups: of the chart of what must not meet.
        wet: whether it has water in it.
        dry: the group for which it must not meet water; empty for none.
        organic: whether it is made of carbon and what organic chemistry has, without metals.
    """

    name: str
    smiles: str
    molar_mass: float | None
    density: float | None
    boiling: float | None
    liquid: bool
    groups: frozenset[int]
    wet: bool
    dry: str
    organic: bool


@dataclass(frozen=True)
class Materials:
    """The chemicals of a procedure.

    Attributes:
        of: the procedure.
        known: each by its name there.
        notes: what lists warn of.
    """

    of: Procedure
    known: Mapping[str, Substance]
    notes: tuple[str, ...]

    def limiting(self) -> tuple[str, float]:
        """Return the limiting reactant, and how many mmol of the product there can be.

        Raises:
            InputError: no reactant has an amount of its own, or one is not added.
        """
        absolute = Counter[str]()
        asked = f"the amounts of {self.of.name} were asked for"
        adds = [one for one in self.of.steps if isinstance(one, Add)]
        for name in self.of.reactants:
            mine = [one for one in adds if one.chemical == name]
            if not mine:
                raise InputError(asked, f"nothing adds the reactant {name}", "add it in a step")
            each = [one.amount for one in mine if one.amount]
            if each and all(one.kind != "equivalents" for one in each) and len(each) == len(mine):
                absolute[name] = sum(self.mmol(name, one) for one in each)  # pyright: ignore[reportArgumentType]
        if not absolute:
            found = "no reactant has an amount of its own"
            raise InputError(asked, found, "give one of them in mmol, g or mL")
        name = min(absolute, key=lambda one: absolute[one] / self.of.reactants[one])
        return name, absolute[name] / self.of.reactants[name]

    def mmol(self, name: str, amount: Quantity) -> float:
        """Return how many mmol an amount is.

        Raises:
            InputError: that is not known.
        """
        one = self.known[name]
        if amount.kind == "amount":
            return amount.value / 1e3
        if one.molar_mass is None:
            raise InputError(*_lacks(one, amount, "it is a mixture", "give it in mL"))
        if amount.kind == "mass":
            return amount.value / one.molar_mass
        return amount.value * self._density(one, amount) / one.molar_mass

    def milligrams(self, name: str, amount: Quantity) -> float:
        """Return how many mg an amount is; see `mmol` for errors."""
        one = self.known[name]
        if amount.kind == "mass":
            return amount.value
        if amount.kind == "amount":
            if one.molar_mass is None:
                raise InputError(*_lacks(one, amount, "it is a mixture", "give it in mL"))
            return amount.value / 1e3 * one.molar_mass
        return amount.value * self._density(one, amount)

    def millilitres(self, name: str, amount: Quantity) -> float:
        """Return how many mL of liquid an amount is; of a solid nought. See `mmol` for errors."""
        one = self.known[name]
        if amount.kind == "volume":
            return amount.value / 1e3
        if not one.liquid:
            return 0.0
        return self.milligrams(name, amount) / self._density(one, amount) / 1e3

    def _density(self, one: Substance, amount: Quantity) -> float:
        if one.density is None:
            found = "its density is not known here"
            advice = f"give `density` of {one.name} under chemicals"
            raise InputError(*_lacks(one, amount, found, advice))
        return one.density


def _lacks(one: Substance, amount: Quantity, found: str, advice: str) -> tuple[str, str, str]:
    return f"{amount} of {one.name} was asked for", found, advice


def resolved(given: Procedure) -> Materials:
    """Find out what the chemicals are; of each the lists are asked.

    Raises:
        InputError: the structure of one is not known, or contradicts something.
    """
    found, notes = dict[str, Substance](), list[str]()
    asked = f"the synthesis {given.name} was asked for"
    if odd := [one for one in given.chemicals if one not in given.names]:
        raise InputError(asked, f"nothing uses the chemical {odd[0]}", "leave it out, or add it")
    for name in given.names:
        said = given.chemicals.get(name)
        structure = said.structure if said else None
        screened = screen(structure, "smiles", "", name) if structure else screen(name)
        if not screened.structure:
            why = "; ".join(screened.verdict.unread.values()) or "; ".join(
                map(str, screened.verdict.findings)
            )
            advice = f"check its spelling, or give `structure` of {name[:60]} under chemicals"
            raise InputError(asked, f"{name}: {why}", advice)
        notes += noted(screened.verdict)
        found[name] = _substance(given, name, screened)
    _balanced(asked, given, found)
    return Materials(given, found, tuple(dict.fromkeys(notes)))


def _substance(given: Procedure, name: str, screened: Screened) -> Substance:
    from rdkit.Chem import rdMolDescriptors

    weights: Any = rdMolDescriptors
    smiles, said = screened.structure, given.chemicals.get(name)
    mol: Any = read_smiles(smiles, name)
    key, parts = inchi_key_of(mol), separate(smiles)
    told = {one.name: one.value for one in registered(key)}
    number = registry_number(str(told.get("CAS", "")))
    density = said.density.value if said and said.density else None
    if density is None and (dense := looked_up(key)):
        density = dense.value.value
    wet = any(WATER in one.split(".") for one in parts)
    if wet and density is None and len(parts) == 1:
        density = 0.998 if smiles == WATER else None  # CRC Handbook, water at 20 °C
    boiling = said.boiling.value if said and said.boiling else _boiling(number)
    liquid = density is not None or wet or bool(said and said.state == "liquid")
    if said and said.state == "solid":
        liquid = False
    return Substance(
        name=name,
        smiles=smiles,
        molar_mass=float(weights._CalcMolWt(mol)) if len(parts) == 1 else None,
        density=density,
        boiling=boiling,
        liquid=liquid,
        groups=frozenset(one.number for one in groups_of(smiles)),
        wet=wet,
        dry=meets_no_water(smiles),
        organic=(elements := formula(smiles).keys()) <= ORGANIC and "C" in elements,
    )


def _boiling(number: str) -> float | None:
    if not number:
        return None
    try:
        every = list(known(number))
    except ComponentError:
        return None
    found = (one.value for one in every if one.name == "boiling point")
    return next((one for one in found if isinstance(one, float)), None)


def formula(smiles: str) -> Counter[str]:
    """Return how many atoms of each element a structure has."""
    from rdkit import Chem

    mol: Any = Chem.AddHs(read_smiles(smiles, smiles[:80]))
    return Counter(atom.GetSymbol() for atom in mol.GetAtoms())


def _balanced(asked: str, given: Procedure, found: Mapping[str, Substance]) -> None:
    """Refuse a product that has more heavy atoms than its reactants.

    Raises:
        InputError: that is so.
    """
    there = Counter[str]()
    for name, times in given.reactants.items():
        there.update({one: n * times for one, n in formula(found[name].smiles).items()})
    lacking = formula(found[given.product].smiles) - there
    lacking.pop("H", 0)
    if lacking:
        told = ", ".join(f"{n} {one}" for one, n in lacking.items())
        raise InputError(asked, f"the product has {told} more than the reactants", "name all")


def amounts(materials: Materials) -> tuple[SynthesisAction, ...]:
    """Return the steps with amounts of their own in place of equivalents.

    Raises:
        InputError: an amount is not said, or two of a step contradict each other.
    """
    _, limit = materials.limiting()
    return tuple(_amount(materials, one, limit) for one in materials.of.steps)


def _amount(materials: Materials, one: SynthesisAction, limit: float) -> SynthesisAction:
    if not isinstance(one, Dosing | Purify) or not one.chemical:
        return one
    asked, amount = f"{one} was asked for", one.amount
    equivalents = one.equivalents if isinstance(one, Add) else None
    if amount is None and equivalents is None:
        raise InputError(asked, "it does not say how much", "give amount, such as 5 mL or 2 mmol")
    if amount is None or amount.kind == "equivalents":
        wanted = equivalents if amount is None else amount.value
        assert wanted is not None
        if equivalents and abs(wanted / equivalents - 1) > AGREE:
            raise InputError(asked, "it says two different equivalents", "correct one of them")
        mmol = Quantity("amount", wanted * limit * 1e3, f"{wanted * limit:.6g} mmol")
        return one.model_copy(update={"amount": mmol})
    there = materials.mmol(one.chemical, amount) / limit if equivalents else None
    if equivalents and there is not None and abs(there / equivalents - 1) > AGREE:
        found = f"{amount} are {there:.3g} equivalents, and it says {equivalents:g}"
        raise InputError(asked, found, "correct one of the two")
    return one


def counted_again(materials: Materials, told: Sequence[tuple[str, str, float]]) -> None:
    """Count the equivalents again from what the robot is told, by other atomic masses.

    Args:
        materials: the chemicals.
        told: name, `mg` or `mL`, and how much, of all that comes into the flask.

    Raises:
        InputError: the two ways disagree.
    """
    from ase.data import atomic_masses, atomic_numbers

    _, limit = materials.limiting()
    asked = f"the amounts of {materials.of.name} were counted again"
    second = dict.fromkeys(materials.of.reactants, 0.0)
    for name, unit, value in told:
        one = materials.known[name]
        if name in second:
            atoms = formula(one.smiles)
            mass = sum(float(atomic_masses[atomic_numbers[e]]) * n for e, n in atoms.items())
            second[name] += value * (1e3 * (one.density or 0) if unit == "mL" else 1) / mass
    least = min(second[name] / times for name, times in materials.of.reactants.items())
    if abs(least / limit - 1) > COUNTED:
        found = f"{limit:.6g} mmol by the actions, {least:.6g} mmol by what the robot is told"
        raise InputError(asked, found, "a reactant runs out sooner than its equivalents say")
