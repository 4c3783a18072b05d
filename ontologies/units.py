"""Numbers with units, as types of fields."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import numpy as np

from ogm import Moves, Shaped, Unit

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Integers: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]
Booleans: TypeAlias = np.ndarray[Any, np.dtype[np.bool_]]

Hartree: TypeAlias = Annotated[float, Unit("E_h")]
HartreePerBohr: TypeAlias = Annotated[float, Unit("E_h-PER-BOHR", own=True)]
HartreePerKelvin: TypeAlias = Annotated[float, Unit("E_h-PER-K", own=True)]
Kelvin: TypeAlias = Annotated[float, Unit("K")]
Pascal: TypeAlias = Annotated[float, Unit("PA")]
Seconds: TypeAlias = Annotated[float, Unit("SEC")]
Angstrom: TypeAlias = Annotated[float, Unit("ANGSTROM")]
Wavenumber: TypeAlias = Annotated[float, Unit("PER-CentiM")]

Positions: TypeAlias = Annotated[
    Floats, Shaped("* atoms, 3 xyz"), Unit("ANGSTROM"), Moves("item point")
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
