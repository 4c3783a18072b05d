"""What a procedure says: chemicals, the reaction, and typed actions in order, each with units."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializeAsAny,
    model_validator,
)

from workflows.liquids.quantities import (
    Portion,
    Rate,
    Rho,
    Temperature,
    Time,
    Volume,
    read,
)
from workflows.text.safe_text import on_one_line

ROOM, STIRRED = read("20 °C"), read("300 rpm")


def _line(found: object) -> object:
    return on_one_line(found).strip() if isinstance(found, str) and len(found) < 1000 else found


Name: TypeAlias = Annotated[str, BeforeValidator(_line), Field(min_length=1, max_length=200)]


class Part(BaseModel):
    """A part of a procedure."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class SynthesisAction(Part):
    """What is done.

    Attributes:
        do: what.
    """

    opens: ClassVar[bool] = False
    do: str

    def __str__(self) -> str:
        said = self.model_dump(exclude={"do"}, exclude_none=True)
        told = [
            str(one) if name in ("chemical", "amount") else f"{name} {one}"
            for name, one in said.items()
            if one is not False
        ]
        return " ".join([self.do, ", ".join(told)]).strip()


class Dosing(SynthesisAction):
    """Something comes into the flask.

    Attributes:
        chemical: its name in the procedure, its name, or its SMILES.
        amount: mass, volume, amount of substance or equivalents.
    """

    chemical: Name
    amount: Portion | None = None


class Add(Dosing):
    """Add a chemical, dropwise where a time is given.

    Attributes:
        equivalents: those of the limiting reactant; with an amount, both must agree.
        over: for how long.
    """

    do: str = "add"
    equivalents: Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)] | None = None
    over: Time | None = None


class Quench(Dosing):
    """End the reaction by adding something."""

    opens: ClassVar[bool] = True
    do: str = "quench"
    over: Time | None = None


class Extract(Dosing):
    """Shake with a solvent some times, and keep the organic phases."""

    opens: ClassVar[bool] = True
    do: str = "extract"
    times: Annotated[int, Field(ge=1, le=6)] = 1


class Wash(Dosing):
    """Shake with something that takes up what is not wanted, and remove that phase."""

    opens: ClassVar[bool] = True
    do: str = "wash"
    times: Annotated[int, Field(ge=1, le=6)] = 1


class Dry(Dosing):
    """Add a drying agent; filter it off afterwards."""

    opens: ClassVar[bool] = True
    do: str = "dry"


class Filter(SynthesisAction):
    """Filter, and keep one of the two."""

    opens: ClassVar[bool] = True
    do: str = "filter"
    keep: Literal["filtrate", "solid"] = "filtrate"


class Concentrate(SynthesisAction):
    """Evaporate what boils below 150 °C, under reduced pressure.

    Attributes:
        temperature: of the bath.
    """

    do: str = "concentrate"
    temperature: Temperature = read("40 °C")


class Purify(SynthesisAction):
    """Purify the product.

    Attributes:
        method: how.
        chemical: a solvent to recrystallize from.
        amount: of that.
    """

    opens: ClassVar[bool] = True
    do: str = "purify"
    method: Name | None = None
    chemical: Name | None = None
    amount: Portion | None = None


class SetTemperature(SynthesisAction):
    """Heat or cool the flask.

    Attributes:
        to: the temperature.
        condenser: whether a condenser is on it.
    """

    do: str = "set_temperature"
    to: Temperature
    condenser: bool = False


class Stir(SynthesisAction):
    """Stir; for a time, or from now on.

    Attributes:
        rate: how fast; 0 rpm ends it.
        time: for how long; on as before where there is none.
    """

    do: str = "stir"
    rate: Rate = STIRRED
    time: Time | None = None


class Wait(SynthesisAction):
    """Let it be for a time."""

    do: str = "wait"
    time: Time


class Reflux(SynthesisAction):
    """Boil under a condenser for a time, and let it cool.

    Attributes:
        time: how long.
        temperature: at which the solvent boils; that which is known if none.
    """

    do: str = "reflux"
    time: Time
    temperature: Temperature | None = None


class Atmosphere(SynthesisAction):
    """Have a gas over the mixture."""

    do: str = "atmosphere"
    gas: Literal["nitrogen", "argon", "air"] = "nitrogen"


class Degas(SynthesisAction):
    """Evacuate, and fill with a gas, some times."""

    do: str = "degas"
    gas: Literal["nitrogen", "argon"] = "nitrogen"
    cycles: Annotated[int, Field(ge=1, le=10)] = 3


class Collect(SynthesisAction):
    """Give the product out; nothing follows it."""

    opens: ClassVar[bool] = True
    do: str = "collect"


class Other(SynthesisAction):
    """What no robot here does.

    Attributes:
        time: how long, where that is said.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")
    do: Name
    time: Time | None = None


KINDS: Mapping[str, type[SynthesisAction]] = {
    kind.model_fields["do"].default: kind
    for kind in (
        Add, SetTemperature, Stir, Wait, Reflux, Atmosphere, Degas, Quench, Extract, Wash, Dry,
        Filter, Concentrate, Purify, Collect,
    )
}  # fmt: skip
"""The actions, by what each is called."""

WORK_UP = (Extract, Wash, Dry, Filter)


def _action(found: object) -> object:
    if isinstance(found, SynthesisAction):
        return found
    if isinstance(found, str):
        found = {"do": found}
    if not isinstance(found, dict) or not isinstance(found.get("do"), str):  # pyright: ignore[reportUnknownMemberType]
        raise ValueError("an action says what to `do`, as in {do: stir, time: 2 h}")
    said = cast("dict[str, Any]", found)
    name = said["do"].strip().lower()[:200]
    return KINDS.get(name, Other).model_validate(said | {"do": name})


Step: TypeAlias = Annotated[SerializeAsAny[SynthesisAction], BeforeValidator(_action)]


class Chemical(Part):
    """What is said of a chemical besides its name.

    Attributes:
        structure: SMILES; of a solution, that of all of it: `Cl.O` for hydrochloric acid.
        state: whether it is a solid or a liquid; a liquid if its density is known.
        density: of a liquid.
        boiling: where it boils.
    """

    structure: Name | None = None
    state: Literal["solid", "liquid"] | None = None
    density: Rho | None = None
    boiling: Temperature | None = None


Coefficient: TypeAlias = Annotated[int, Field(ge=1, le=20)]


class Procedure(Part):
    """A synthesis in one flask.

    Attributes:
        name: what it is called.
        product: its name or SMILES.
        reactants: by name, how many of each make one product; a list for one of each.
        flask: volume of the flask.
        chemicals: what is said of some.
        steps: in order.
    """

    name: Name
    product: Name
    reactants: Annotated[dict[Name, Coefficient], Field(min_length=1, max_length=6)]
    flask: Volume
    chemicals: Annotated[dict[Name, Chemical], Field(max_length=40)] = {}
    steps: Annotated[tuple[Step, ...], Field(min_length=1, max_length=100)]

    @model_validator(mode="before")
    @classmethod
    def _listed(cls, found: Any) -> Any:
        said = dict(cast("Mapping[str, Any]", found)) if isinstance(found, Mapping) else {}
        reactants = said.get("reactants")
        if isinstance(reactants, list | tuple):
            names = map(str, cast("Sequence[object]", reactants))
            return said | {"reactants": dict.fromkeys(names, 1)}
        return cast("Any", found)

    @model_validator(mode="after")
    def _said_once(self) -> Self:
        for first, second in zip(self.steps, self.steps[1:], strict=False):
            if isinstance(first, SetTemperature) and isinstance(second, SetTemperature):
                found = f"{first} is followed by {second} at once"
                raise ValueError(f"{found}: leave one out, or say for how long")
        return self

    @property
    def names(self) -> list[str]:
        """All chemicals, as the procedure calls them."""
        used = (getattr(one, "chemical", None) for one in self.steps)
        every = (*self.reactants, *used, self.product)
        return list(dict.fromkeys(one for one in every if one))


def millilitres(amount: float) -> str:
    """Return a volume of some mL, rounded up to a whole one."""
    return f"{math.ceil(amount - 1e-9):d} mL"
