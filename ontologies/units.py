"""Numbers with units, as types of fields."""

from __future__ import annotations

import functools
from typing import Annotated, Any, TypeAlias

import numpy as np

from ogm import Moves, Shaped, Unit

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Booleans: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

Hartree: TypeAlias = Annotated[float, Unit("E_h")]
HartreePerBohr: TypeAlias = Annotated[float, Unit("E_h-PER-BOHR", own=True)]
CubicBohr: TypeAlias = Annotated[float, Unit("BOHR3", own=True)]
HartreePerKelvin: TypeAlias = Annotated[float, Unit("E_h-PER-K", own=True)]
Debye: TypeAlias = Annotated[float, Unit("DEBYE")]
ElectronVolt: TypeAlias = Annotated[float, Unit("EV")]
Kelvin: TypeAlias = Annotated[float, Unit("K")]
Pascal: TypeAlias = Annotated[float, Unit("PA")]
PerSecond: TypeAlias = Annotated[float, Unit("PER-SEC")]
Seconds: TypeAlias = Annotated[float, Unit("SEC")]
Hours: TypeAlias = Annotated[float, Unit("HR")]
CoreHours: TypeAlias = Annotated[float, Unit("HR")]
"""Hours times cores: those of one core that did all of it alone."""
Megabytes: TypeAlias = Annotated[float, Unit("MegaBYTE")]
Angstrom: TypeAlias = Annotated[float, Unit("ANGSTROM")]
Wavenumber: TypeAlias = Annotated[float, Unit("PER-CentiM")]
Nanometre: TypeAlias = Annotated[float, Unit("NanoM")]
KilojoulePerMole: TypeAlias = Annotated[float, Unit("KiloJ-PER-MOL")]
MolarAbsorption: TypeAlias = Annotated[float, Unit("L-PER-MOL-CentiM", own=True)]
Number: TypeAlias = Annotated[float, Unit("UNITLESS")]

Positions: TypeAlias = Annotated[
    Floats, Shaped("* atoms, 3 xyz"), Unit("ANGSTROM"), Moves("item point")
]
Trajectory: TypeAlias = Annotated[
    Floats, Shaped("* frames, * atoms, 3 xyz"), Unit("ANGSTROM"), Moves("fixed item point")
]
PathLengths: TypeAlias = Annotated[
    Floats, Shaped("* frames"), Unit("BOHR-DA0.5", own=True), Moves("fixed")
]
AtomicNumbers: TypeAlias = Annotated[Integers, Shaped("* atoms", np.int64), Moves("item")]
# a structure with a cell is never turned, see `ConceptualAtoms.motion_from`
Cell: TypeAlias = Annotated[
    Floats, Shaped("3 vectors, 3 xyz"), Unit("ANGSTROM"), Moves("fixed fixed")
]
Periodicity: TypeAlias = Annotated[Booleans, Shaped("3 axes", np.bool_), Moves("fixed")]
AtomicCharges: TypeAlias = Annotated[Floats, Shaped("* atoms"), Unit("E"), Moves("item")]
Dipole: TypeAlias = Annotated[Floats, Shaped("3 xyz"), Unit("DEBYE"), Moves("vector")]
EnergySeries: TypeAlias = Annotated[Floats, Shaped("* steps"), Unit("E_h"), Moves("fixed")]
Wavenumbers: TypeAlias = Annotated[Floats, Shaped("* modes"), Unit("PER-CentiM"), Moves("fixed")]
Modes: TypeAlias = Annotated[
    Floats, Shaped("* modes, * atoms, 3 xyz"), Unit("UNITLESS"), Moves("fixed item vector")
]
ReducedMasses: TypeAlias = Annotated[Floats, Shaped("* modes"), Unit("DA"), Moves("fixed")]
Hessian: TypeAlias = Annotated[
    Floats,
    Shaped("* atoms, * atoms, 3 xyz, 3 xyz"),
    Unit("E_h-PER-BOHR2", own=True),
    Moves("item item vector vector"),
]
OrbitalEnergies: TypeAlias = Annotated[Floats, Shaped("* orbitals"), Unit("E_h"), Moves("fixed")]
Occupations: TypeAlias = Annotated[Floats, Shaped("* orbitals"), Unit("UNITLESS"), Moves("fixed")]
OrbitalCoefficients: TypeAlias = Annotated[
    Floats, Shaped("* functions, * orbitals"), Unit("UNITLESS"), Moves("fixed fixed")
]
SpinPopulations: TypeAlias = Annotated[Floats, Shaped("* atoms"), Unit("UNITLESS"), Moves("item")]
BondOrders: TypeAlias = Annotated[
    Floats, Shaped("* atoms, * atoms"), Unit("UNITLESS"), Moves("item item")
]
Quadrupole: TypeAlias = Annotated[
    Floats, Shaped("3 xyz, 3 xyz"), Unit("DEBYE-ANGSTROM", own=True), Moves("vector vector")
]
PolarizabilityTensor: TypeAlias = Annotated[
    Floats, Shaped("3 xyz, 3 xyz"), Unit("BOHR3", own=True), Moves("vector vector")
]
RotationalConstants: TypeAlias = Annotated[Floats, Shaped("3 axes"), Unit("GigaHZ"), Moves("fixed")]
ExcitationEnergies: TypeAlias = Annotated[Floats, Shaped("* states"), Unit("EV"), Moves("fixed")]
OscillatorStrengths: TypeAlias = Annotated[
    Floats, Shaped("* states"), Unit("UNITLESS"), Moves("fixed")
]
TransitionDipoles: TypeAlias = Annotated[
    Floats, Shaped("* states, 3 xyz"), Unit("DEBYE"), Moves("fixed vector")
]
InfraredIntensities: TypeAlias = Annotated[
    Floats, Shaped("* modes"), Unit("KiloM-PER-MOL", own=True), Moves("fixed")
]
EnergyPlaces: TypeAlias = Annotated[Floats, Shaped("* places"), Unit("EV"), Moves("fixed")]
WavenumberPlaces: TypeAlias = Annotated[
    Floats, Shaped("* places"), Unit("PER-CentiM"), Moves("fixed")
]
MolarAbsorptions: TypeAlias = Annotated[
    Floats, Shaped("* places"), Unit("L-PER-MOL-CentiM", own=True), Moves("fixed")
]
AtomIndices: TypeAlias = Annotated[Integers, Shaped("* atoms", np.int64), Moves("index")]
AtomPairs: TypeAlias = Annotated[Integers, Shaped("* pairs, 2", np.int64), Moves("index")]
AtomTriples: TypeAlias = Annotated[Integers, Shaped("* triples, 3", np.int64), Moves("index")]
AtomQuadruples: TypeAlias = Annotated[Integers, Shaped("* quadruples, 4", np.int64), Moves("index")]
Distances: TypeAlias = Annotated[Floats, Shaped("* pairs"), Unit("ANGSTROM"), Moves("fixed")]
Angles: TypeAlias = Annotated[Floats, Shaped("* angles"), Unit("DEG"), Moves("fixed")]
GridAxes: TypeAlias = Annotated[
    Floats, Shaped("3 axes, 3 xyz"), Unit("ANGSTROM"), Moves("fixed vector")
]
Place: TypeAlias = Annotated[Floats, Shaped("3 xyz"), Unit("ANGSTROM"), Moves("point")]
GridDensity: TypeAlias = Annotated[
    Floats,
    Shaped("* first, * second, * third"),
    Unit("PER-BOHR3", own=True),
    Moves("fixed fixed fixed"),
]
GridAmplitudes: TypeAlias = Annotated[
    Floats,
    Shaped("* first, * second, * third"),
    Unit("PER-BOHR1.5", own=True),
    Moves("fixed fixed fixed"),
]
GridPotential: TypeAlias = Annotated[
    Floats,
    Shaped("* first, * second, * third"),
    Unit("E_h-PER-E", own=True),
    Moves("fixed fixed fixed"),
]

SYMBOLS = {
    "E_h": "Eh", "BOHR": "bohr", "DEBYE": "D", "ANGSTROM": "Å", "EV": "eV", "PA": "Pa", "SEC": "s",
    "MIN": "min", "HR": "h", "ATM": "atm", "DEG": "°", "DEG_C": "°C", "PERCENT": "%", "E": "e",
    "DA": "Da", "MegaBYTE": "MB", "GigaHZ": "GHz", "CentiM": "cm", "KiloM": "km", "NanoM": "nm",
    "L": "L", "GM": "g", "M": "m", "MOL": "mol", "J": "J", "KiloJ": "kJ", "UNITLESS": "",
    "GigaPA": "GPa", "KiloCAL": "kcal", "MilliM": "mm", "MilliL": "mL",
}  # fmt: skip
"""What people write for the parts of which QUDT's codes of units are made."""

_RAISED = str.maketrans("-0123456789.", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹·")


@functools.cache
def symbol(unit: Unit | None) -> str:
    """Return what people write for a unit, such as `Eh/bohr` for `E_h-PER-BOHR`; empty for none."""
    over, _, under = (unit.code if unit else "").partition("PER-")
    above = "·".join(_part(one) for one in over.strip("-").split("-") if one)
    below = [one for one in under.split("-") if one]
    if above:
        return "/".join([above, *map(_part, below)])
    return "·".join(_part(one, -1) for one in below)


def _part(code: str, sign: int = 1) -> str:
    """Return the symbol of one part of a code, raised to its power."""
    name = code.rstrip("0123456789.")
    power = code[len(name) :] or "1"
    power = f"-{power}" if sign < 0 else power
    return SYMBOLS.get(name, name) + ("" if power == "1" else power.translate(_RAISED))
