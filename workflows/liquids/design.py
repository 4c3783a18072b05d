"""Typed designs: which samples are wanted, of what they are made, and what is done to them."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    StringConstraints,
    Tag,
    WithJsonSchema,
    field_serializer,
    model_validator,
)

from .quantities import (
    UNITS,
    Molarity,
    MolarMass,
    Quantity,
    Rate,
    Rho,
    Strength,
    Target,
    Temperature,
    Time,
    Volume,
    read,
)

PRINTABLE = r"^[\w(\[][^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]{0,79}$"
"""Names begin with a letter, a digit or a bracket, so that no table takes one for a formula."""

Name: TypeAlias = Annotated[
    str, StringConstraints(pattern=PRINTABLE), WithJsonSchema({"type": "string"})
]
Array: TypeAlias = Literal["8x12", "6x8", "4x6", "2x4"]

CAPACITIES: dict[Array, tuple[float, ...]] = {
    "8x12": (1.0, 1.2),
    "6x8": (2.0,),
    "4x6": (4.0, 8.0),
    "2x4": (20.0,),
}
"""mL of the vials of each array, as rows and columns."""

NOT_CAPPED = (1.0, 1.2, 125.0)
"""mL of vials that no device caps."""

PLACE = re.compile(r"([A-H])(\d{1,2})(?:\s*-\s*([A-H])(\d{1,2}))?")
MOST = 96


class Strict(BaseModel):
    """Takes nothing that it does not know."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, populate_by_name=True, hide_input_in_errors=True
    )


def _usual(text: str) -> Any:
    """Return the field of a quantity that is usually so, told as it is written."""
    return Field(default=read(text), json_schema_extra={"default": text})


class Density(Strict):
    """A density, the temperature that it holds for, and who says so."""

    value: Rho
    temperature: Temperature
    source: Name


class Chemical(Strict):
    """What stands in a bottle, neat.

    Attributes:
        state: at the bench.
        structure: SMILES; says the molar mass.
        molar_mass: where no structure is given, or to be compared with it.
        density: of a solid for the volume that it takes.
        volatile: stays capped.
        acid: goes into water, never water into it.
    """

    state: Literal["solid", "liquid"]
    structure: Annotated[str, Field(max_length=500)] = ""
    molar_mass: MolarMass | None = None
    density: Density | None = None
    volatile: bool = False
    acid: bool = False


class Stock(Strict):
    """A solution that stands in a bottle.

    Attributes:
        of: what is dissolved, one of the chemicals.
        solvent: likewise.
        concentration: of what is dissolved.
        density: of the solution.
        acid: as of chemicals.
    """

    of: Name
    solvent: Annotated[Name, Field(alias="in")]
    concentration: Strength
    density: Density | None = None
    acid: bool = False


class Plate(Strict):
    """Vials of one kind.

    Attributes:
        array: rows x columns.
        capacity: of a vial.
        septum: whether samples are drawn through the cap; else it comes off before.
        capped_by_hand: whether a person caps what the device cannot.
    """

    array: Array
    capacity: Volume
    septum: bool = False
    capped_by_hand: bool = False

    @model_validator(mode="after")
    def _made(self) -> Self:
        if self.capacity.value / 1000 not in CAPACITIES[self.array]:
            sizes = " or ".join(f"{one:g} mL" for one in CAPACITIES[self.array])
            raise ValueError(f"vials of an {self.array} plate hold {sizes}, not {self.capacity}")
        return self

    @property
    def places(self) -> list[str]:
        """Names of its vials, row by row."""
        rows, columns = map(int, self.array.split("x"))
        return [
            f"{'ABCDEFGH'[row]}{column + 1}" for row in range(rows) for column in range(columns)
        ]


class Series(Strict):
    """A dilution series: each member is the one before divided by `factor`."""

    start: Target
    factor: Annotated[float, Field(gt=1, le=1000, strict=False)]
    number: Annotated[int, Field(ge=1, le=MOST)]

    @property
    def members(self) -> tuple[Quantity, ...]:
        """Its quantities, the strongest first."""
        unit = next(
            name
            for name, (kind, factor) in UNITS.items()
            if (kind, factor)
            in ((self.start.kind, 1.0), (self.start.kind, 1e-2), (self.start.kind, 1e-3))
        )
        scale = UNITS[unit][1]
        values = (self.start.value / self.factor**step for step in range(self.number))
        return tuple(Quantity(self.start.kind, one, f"{one / scale:.6g} {unit}") for one in values)


class Ratio(Strict):
    """Two chemicals at several molar ratios and one molarity together.

    Attributes:
        of: the numerator.
        to: the denominator.
        values: ratios.
        total: molarity of both.
    """

    of: Name
    to: Name
    values: Annotated[
        tuple[Annotated[float, Field(gt=0, le=1e6, strict=False)], ...],
        Field(min_length=1, max_length=MOST, strict=False),
    ]
    total: Molarity


def _shape(one: object) -> str:
    """Return which of the three ways to give an amount is meant."""
    if isinstance(one, list | tuple):
        return "list"
    return "series" if isinstance(one, dict | Series) else "one"


Levels: TypeAlias = Annotated[
    tuple[Target, ...], Field(min_length=1, max_length=MOST, strict=False)
]


Amount: TypeAlias = Annotated[
    Annotated[Target, Tag("one")]
    | Annotated[Levels, Tag("list")]
    | Annotated[Series, Tag("series")],
    Discriminator(_shape),
]


class Group(Strict):
    """Samples that belong together: what is the same in them, and what is varied.

    Attributes:
        amounts: of each chemical or stock; a list is a factor, and factors are crossed, the last
            one changing fastest.
        ratio: a factor too, the first one.
        reference: the chemical that equivalents are of.
        vials: where they go, such as `A1-A6` or `A1, A3`; the next free ones if empty.
        replicates: of each.
    """

    amounts: Annotated[dict[Name, Amount], Field(max_length=48)] = {}
    ratio: Ratio | None = None
    reference: Name | None = None
    vials: Annotated[str, Field(max_length=600)] = ""
    replicates: Annotated[int, Field(ge=1, le=MOST)] = 1

    @field_serializer("amounts")
    def _written(self, amounts: dict[str, Amount]) -> dict[str, object]:
        return {
            name: one.model_dump()
            if isinstance(one, Series)
            else [str(each) for each in one]
            if isinstance(one, tuple)
            else str(one)
            for name, one in amounts.items()
        }

    @property
    def number(self) -> int:
        """How many samples it has."""
        total = self.replicates * (len(self.ratio.values) if self.ratio else 1)
        for one in self.amounts.values():
            total *= 1 if isinstance(one, Quantity) else len(_members(one))
        return total

    def samples(self) -> Iterator[dict[str, Quantity]]:
        """Iterate over the targets of each sample."""
        names = list(self.amounts)
        levels = [
            (one,) if isinstance(one, Quantity) else _members(one) for one in self.amounts.values()
        ]
        for _ in range(self.replicates):
            for pair in _pairs(self.ratio):
                for chosen in itertools.product(*levels):
                    yield {**pair, **dict(zip(names, chosen, strict=True))}


def _members(one: tuple[Quantity, ...] | Series) -> tuple[Quantity, ...]:
    return one.members if isinstance(one, Series) else one


def _pairs(ratio: Ratio | None) -> Iterator[dict[str, Quantity]]:
    if ratio is None:
        yield {}
        return
    for value in ratio.values:
        lower = ratio.total.value / (value + 1)
        upper = ratio.total.value - lower
        yield {
            ratio.to: Quantity("molarity", lower, f"{lower:.6g} M"),
            ratio.of: Quantity("molarity", upper, f"{upper:.6g} M"),
        }


class Heat(Strict):
    """Heat capped vials, stirring, for a time; then cool them."""

    do: Literal["heat"]
    temperature: Temperature
    time: Time
    stir: Rate = _usual("0 rpm")
    cool: Temperature = _usual("25 °C")


class Mix(Strict):
    """Stir or vortex capped vials for a time."""

    do: Literal["stir", "vortex"]
    rate: Rate
    time: Time


class Dilute(Strict):
    """Move a part of each sample to a second plate, where it is diluted.

    Attributes:
        factor: the final volume by that of the part.
        volume: the final one.
        diluent: a liquid of the design.
        plate: to which it goes.
    """

    do: Literal["dilute"]
    factor: Annotated[float, Field(gt=1, le=1000, strict=False)]
    volume: Volume
    diluent: Annotated[Name, Field(alias="with")]
    plate: Plate


class Timed(Strict):
    """Heat each vial for a time of its own, at a second plate to which it is moved.

    Attributes:
        times: in the order of the samples of each group; repeated over the groups.
    """

    do: Literal["timed heat"]
    temperature: Temperature
    times: Annotated[tuple[Time, ...], Field(min_length=1, max_length=MOST, strict=False)]
    stir: Rate = _usual("0 rpm")
    cool: Temperature = _usual("25 °C")


Treatment: TypeAlias = Annotated[Heat | Mix | Dilute | Timed, Field(discriminator="do")]


class Design(Strict):
    """A whole experiment.

    Attributes:
        name: what it is called.
        chemicals: by their names.
        stocks: by their names.
        samples: in the order of the vials.
        volume: of each sample.
        solvent: that fills it up; None if the amounts make up the volume by themselves.
        solid_volume: whether the volume that solids take is counted, or neglected.
        plate: the smallest that suits if None.
        process: what is done to the samples, in order.
        order: of the additions, by names; the planner's if empty.
        tip: the largest volume of one stroke.
    """

    name: Name
    chemicals: Annotated[dict[Name, Chemical], Field(min_length=1, max_length=48)]
    stocks: Annotated[dict[Name, Stock], Field(max_length=48)] = {}
    samples: Annotated[tuple[Group, ...], Field(min_length=1, max_length=MOST, strict=False)]
    volume: Volume | None = None
    solvent: Name | None = None
    solid_volume: Literal["counted", "neglected"] = "counted"
    plate: Plate | None = None
    process: Annotated[tuple[Treatment, ...], Field(max_length=12, strict=False)] = ()
    order: Annotated[tuple[Name, ...], Field(max_length=96, strict=False)] = ()
    tip: Volume = _usual("1000 µL")

    @model_validator(mode="after")
    def _named(self) -> Self:
        if both := self.chemicals.keys() & self.stocks.keys():
            raise ValueError(f"{min(both)!r} is a chemical and a stock; give one another name")
        for where, name, pool in self._mentioned():
            if name not in pool:
                raise ValueError(
                    f"{where} names {name!r}, which is not there; there are {', '.join(pool)}"
                )
        if self.solvent and self.solvent in self.chemicals:
            if self.chemicals[self.solvent].state == "solid":
                raise ValueError(f"the solvent {self.solvent!r} is a solid")
            if self.volume is None:
                raise ValueError("a solvent fills up to a volume, which is missing; give `volume`")
        number = sum(one.number for one in self.samples)
        if number > MOST:
            told = f"{number:,}" if number < 1_000_000 else "a million and more"
            raise ValueError(f"it has {told} samples; a plate has at most {MOST} vials")
        for name, stock in self.stocks.items():
            if self.chemicals[stock.solvent].state == "solid":
                raise ValueError(f"the stock {name!r} is in {stock.solvent!r}, a solid")
            if stock.concentration.kind.endswith("fraction") and stock.concentration.value > 1:
                raise ValueError(f"the stock {name!r} has {stock.concentration}, more than all")
        if self.tip.value < 1:
            raise ValueError(f"a tip of {self.tip} is too small; give 1 µL or more")
        if len(set(self.order)) != len(self.order):
            raise ValueError("`order` names something twice")
        return self

    def _mentioned(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        neat, every = tuple(self.chemicals), (*self.chemicals, *self.stocks)
        for name, stock in self.stocks.items():
            yield f"the stock {name!r}", stock.of, neat
            yield f"the stock {name!r}", stock.solvent, neat
        for index, group in enumerate(self.samples, 1):
            ratio = (group.ratio.of, group.ratio.to) if group.ratio else ()
            for name in (*group.amounts, *ratio):
                yield f"group {index} of the samples", name, every
            if group.reference:
                yield f"group {index} of the samples", group.reference, every
            if again := set(ratio) & group.amounts.keys():
                raise ValueError(f"group {index} gives {min(again)!r} twice")
            if self.solvent and self.solvent in (*ratio, *group.amounts):
                raise ValueError(
                    f"group {index} gives an amount of the solvent {self.solvent!r}, which fills up"
                )
        if self.solvent:
            yield "`solvent`", self.solvent, neat
        for one in self.process:
            if isinstance(one, Dilute):
                yield "the dilution", one.diluent, neat
        for name in self.order:
            yield "`order`", name, every

    def stock_or_chemical(self, name: str) -> Chemical | Stock:
        """Return what stands in a bottle of that name."""
        return self.stocks[name] if name in self.stocks else self.chemicals[name]

    def is_solid(self, name: str) -> bool:
        """Tell whether it is weighed."""
        return name in self.chemicals and self.chemicals[name].state == "solid"

    def is_water(self, name: str) -> bool:
        """Tell whether it is water, or a solution in water."""
        if name in self.stocks:
            return self.is_water(self.stocks[name].solvent)
        structure = self.chemicals[name].structure
        return _is_water(structure) if structure else name.lower() in ("water", "deionised water")


@functools.cache
def _is_water(structure: str) -> bool:
    """Tell whether a SMILES is that of water."""
    from rdkit import Chem, rdBase
    from rdkit.Chem import rdMolDescriptors

    formulas: Any = rdMolDescriptors
    with rdBase.BlockLogs():
        mol: Any = Chem.MolFromSmiles(structure)
    return mol is not None and str(formulas.CalcMolFormula(mol)) == "H2O"


def places_of(text: str) -> list[str]:
    """Return the vials that are named, such as by `A1-A3, B2`.

    Raises:
        ValueError: that names no vials.
    """
    found = list[str]()
    for part in filter(None, re.split(r"[,;\s]+(?!-)(?<!-)", text.strip())):
        match = PLACE.fullmatch(part)
        if match is None:
            raise ValueError(f"{part[:20]!r} names no vial; write A1, or A1-A6 in one row")
        row, first, end_row, last = (
            match[1],
            int(match[2]),
            match[3] or match[1],
            int(match[4] or match[2]),
        )
        if end_row != row or last < first:
            raise ValueError(f"{part!r} does not go along one row; write A1-A6")
        found += [f"{row}{column}" for column in range(first, last + 1)]
    return found
