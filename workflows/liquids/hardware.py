"""The hardware file: a protocol as JSON for a device's own program. No device is driven here."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field

from .design import Strict
from .steps import Laid, Step

VERSION = "grafico-liquids/1"

TIP = 1000.0
"""µL that a common tip holds."""


class HardwarePlate(Strict):
    """A plate on the deck."""

    array: str
    capacity_uL: float = Field(gt=0)
    capped: Literal["by the device", "by hand"]


class HardwareChemical(Strict):
    """A bottle. Of a solution the structure is that of what is dissolved."""

    state: Literal["solid", "liquid"]
    structure: str = ""
    inchi_key: str = ""
    needed: float = Field(ge=0)
    unit: Literal["mg", "uL"]


class HardwareDose(Strict):
    """What goes into one vial.

    Attributes:
        amount: in all, in the unit of its command.
        strokes: of one tip, which add up to the amount.
    """

    vial: str
    amount: float = Field(ge=0)
    strokes: list[float]


class HardwareCommand(Strict):
    """One step."""

    number: int = Field(ge=1)
    action: Literal["Add", "Set", "Transfer"]
    parameter: str
    plate: str
    to: str = ""
    unit: str = ""
    value: float | None = None
    doses: list[HardwareDose] = Field(default_factory=list[HardwareDose])
    note: str = ""


class HardwareFile(Strict):
    """A whole protocol. It is a plan: nothing in it has been carried out."""

    format: Literal["grafico-liquids/1"] = VERSION
    name: str
    status: Literal["planned"] = "planned"
    plates: dict[str, HardwarePlate]
    chemicals: dict[str, HardwareChemical]
    steps: list[HardwareCommand]

    @property
    def vials(self) -> dict[str, tuple[int, int, float]]:
        """Rows, columns, and the capacity of a vial in µL, by plate."""
        found = dict[str, tuple[int, int, float]]()
        for name, one in self.plates.items():
            rows, columns = map(int, one.array.split("x"))
            found[name] = rows, columns, one.capacity_uL
        return found

    @property
    def liquids(self) -> dict[str, float]:
        """µL that are needed of each."""
        return {name: one.needed for name, one in self.chemicals.items() if one.unit == "uL"}

    @property
    def tip(self) -> float:
        """µL that a tip has to hold, at least `TIP`."""
        doses = (dose for one in self.steps if one.unit == "uL" for dose in one.doses)
        return max([TIP, *(max(dose.strokes, default=0.0) for dose in doses)])


def strokes(amount: float, tip: float) -> list[float]:
    """Return an amount, split into equal strokes of at most a tip's volume."""
    number = max(1, math.ceil(amount / tip * (1 - 1e-12)))
    return [amount / number] * number


def command_of(number: int, step: Step, tip: float) -> HardwareCommand:
    """Return a step as a device is told it, in strokes of at most a tip's volume in µL."""
    return HardwareCommand(
        number=number,
        action=step.action,
        parameter=step.parameter,
        plate=step.plate,
        to=step.to,
        unit=step.unit.replace("µ", "u"),
        value=step.value,
        doses=[
            HardwareDose(
                vial=vial,
                amount=amount,
                strokes=strokes(amount, tip) if step.unit == "µL" else [amount],
            )
            for vial, amount in step.values.items()
        ],
        note=step.note,
    )


def hardware_file(laid: Laid, steps: list[Step], inchi_keys: dict[str, str]) -> HardwareFile:
    """Return the hardware file of a protocol.

    Args:
        laid: the design, laid out.
        steps: verified ones.
        inchi_keys: of chemicals with a structure.
    """
    design, needed = laid.design, dict[str, float]()
    for (_, name), doses in laid.needed.items():
        needed[name] = needed.get(name, 0.0) + math.fsum(doses.values())
    chemicals = dict[str, HardwareChemical]()
    for name, amount in needed.items():
        neat = design.stocks[name].of if name in design.stocks else name
        solid = design.is_solid(name)
        chemicals[name] = HardwareChemical(
            state="solid" if solid else "liquid",
            structure=design.chemicals[neat].structure,
            inchi_key=inchi_keys.get(neat, ""),
            needed=amount,
            unit="mg" if solid else "uL",
        )
    return HardwareFile(
        name=design.name,
        plates={
            name: HardwarePlate(
                array=plate.array,
                capacity_uL=plate.capacity.value,
                capped="by hand" if plate.capped_by_hand else "by the device",
            )
            for name, plate in laid.plates.items()
        },
        chemicals=chemicals,
        steps=[command_of(number, step, design.tip.value) for number, step in enumerate(steps, 1)],
    )
