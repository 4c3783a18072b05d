"""Numbers with their units, as a design has them.

Base units: mg, µL, µmol, M (µmol/µL), mg/µL, g/mol, °C, min, rpm. Fractions are of one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

Strong: TypeAlias = Literal["molarity", "mass concentration", "weight fraction", "volume fraction"]
"""How much there is of something in a solution."""

Dosed: TypeAlias = Literal["mass", "volume", "amount", "equivalents"] | Strong
"""How much of something a sample has."""

Kind: TypeAlias = Dosed | Literal["density", "molar mass", "temperature", "time", "rate"]

UNITS: dict[str, tuple[Kind, float]] = {
    "µg": ("mass", 1e-3), "mg": ("mass", 1.0), "g": ("mass", 1e3),
    "µL": ("volume", 1.0), "mL": ("volume", 1e3), "L": ("volume", 1e6),
    "µmol": ("amount", 1.0), "mmol": ("amount", 1e3), "mol": ("amount", 1e6),
    "mM": ("molarity", 1e-3), "M": ("molarity", 1.0), "mol/L": ("molarity", 1.0),
    "mg/mL": ("mass concentration", 1e-3), "g/L": ("mass concentration", 1e-3),
    "wt%": ("weight fraction", 1e-2), "vol%": ("volume fraction", 1e-2),
    "eq": ("equivalents", 1.0), "g/mL": ("density", 1.0), "g/cm³": ("density", 1.0),
    "kg/m³": ("density", 1e-3), "g/mol": ("molar mass", 1.0), "°C": ("temperature", 1.0),
    "s": ("time", 1 / 60), "min": ("time", 1.0), "h": ("time", 60.0), "rpm": ("rate", 1.0),
}  # fmt: skip

SPELLINGS = {
    "ug": "µg", "ul": "µL", "uL": "µL", "µl": "µL", "ml": "mL", "l": "L", "umol": "µmol",
    "mmol/L": "mM", "% w/w": "wt%", "%w/w": "wt%", "wt %": "wt%", "% v/v": "vol%", "%v/v": "vol%",
    "vol %": "vol%", "g/cm3": "g/cm³", "kg/m3": "kg/m³", "C": "°C", "degC": "°C", "equiv": "eq",
}  # fmt: skip

WRITTEN = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*(\S.{0,9}|)")

LARGEST = 1e9
"""In base units: a tonne, a cubic metre."""


@dataclass(frozen=True)
class Quantity:
    """A number with its unit.

    Attributes:
        kind: of what.
        value: in the base unit of its kind.
        text: as it was written.
    """

    kind: Kind
    value: float
    text: str

    def __str__(self) -> str:
        return self.text


WRITE = "write it as in '5 mg', '2 mL' or '10 mM'"


def read(text: object) -> Quantity:
    """Return the quantity that is written.

    Raises:
        ValueError: it is no number with a known unit, or is negative, infinite or absurd.
    """
    if isinstance(text, Quantity):
        return text
    if not isinstance(text, str):
        raise ValueError(f"{text!r:.40} has no unit; {WRITE}")
    match = WRITTEN.fullmatch(text.strip().replace("μ", "µ"))
    if match is None:
        raise ValueError(f"{text[:40]!r} is no number with a unit; {WRITE}")
    number, unit = float(match[1]), SPELLINGS.get(match[2], match[2])
    if unit == "%":
        raise ValueError(f"{text[:40]!r} may be by weight or by volume; write wt% or vol%")
    if unit not in UNITS:
        what = f"the unit of {text[:40]!r} is not known" if unit else f"{text[:40]!r} has no unit"
        raise ValueError(f"{what}; there are {', '.join(UNITS)}")
    kind, factor = UNITS[unit]
    value = number * factor
    if kind != "temperature" and value < 0:
        raise ValueError(f"{text[:40]!r} is negative")
    if not math.isfinite(value) or abs(value) > LARGEST:
        raise ValueError(f"{text[:40]!r} is absurdly large")
    return Quantity(kind, value, text.strip())


def _of(*kinds: Kind, positive: bool = False) -> Callable[[object], Quantity]:
    def check(text: object) -> Quantity:
        found = read(text)
        if found.kind not in kinds:
            wanted = ", ".join(name for name, (kind, _) in UNITS.items() if kind in kinds)
            raise ValueError(f"{found.text!r} is a {found.kind}; give it in one of {wanted}")
        if positive and not found.value > 0:
            raise ValueError(f"{found.text!r} must be more than zero")
        return found

    return check


def _kinds(one: Any) -> tuple[Kind, ...]:
    """Return the kinds that a type names."""
    parts = get_args(one)
    return parts if parts and isinstance(parts[0], str) else sum(map(_kinds, parts), ())


_WRITE = PlainSerializer(str, return_type=str)


def _said(example: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "examples": [example]})


Volume: TypeAlias = Annotated[
    Quantity, BeforeValidator(_of("volume", positive=True)), _WRITE, _said("2 mL")
]
Molarity: TypeAlias = Annotated[
    Quantity, BeforeValidator(_of("molarity", positive=True)), _WRITE, _said("10 mM")
]
Rho: TypeAlias = Annotated[
    Quantity, BeforeValidator(_of("density", positive=True)), _WRITE, _said("0.79 g/mL")
]
MolarMass: TypeAlias = Annotated[
    Quantity, BeforeValidator(_of("molar mass", positive=True)), _WRITE, _said("58.44 g/mol")
]
Temperature: TypeAlias = Annotated[
    Quantity, BeforeValidator(_of("temperature")), _WRITE, _said("80 °C")
]
Time: TypeAlias = Annotated[
    Quantity, BeforeValidator(_of("time", positive=True)), _WRITE, _said("30 min")
]
Rate: TypeAlias = Annotated[Quantity, BeforeValidator(_of("rate")), _WRITE, _said("500 rpm")]
Target: TypeAlias = Annotated[Quantity, BeforeValidator(_of(*_kinds(Dosed))), _WRITE, _said("5 mg")]
Portion: TypeAlias = Annotated[
    Quantity,
    BeforeValidator(_of("mass", "volume", "amount", "equivalents", positive=True)),
    _WRITE,
    _said("5 mmol"),
]
"""How much of something comes into a flask."""

Strength: TypeAlias = Annotated[
    Quantity, BeforeValidator(_of(*_kinds(Strong), positive=True)), _WRITE, _said("0.5 M")
]
