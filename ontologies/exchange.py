"""Structures to and from ASE, QCElemental and pymatgen, and their comparison."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from ase import Atoms
from ase.data import atomic_masses
from pymatgen.core import Element, Lattice, Molecule, Structure

from triplestore.errors import InputError

from .alignment import superposed
from .factors import BOHR
from .units import Floats

if TYPE_CHECKING:
    from .atoms import ConceptualAtoms

NOTE = "grafico"
UNTOUCHED = 1e-8
"""Å. Positions that agree this well with the note were not changed on the way."""
SAME_MASS = 1e-3
"""A fraction. Within it lie the mean over the isotopes of an element and that of the lightest
elements' usual isotope (H, C, N, O), rounded or not; no wavenumber changes by more than 0.05 %."""
SAME_LENGTH, SAME_ANGLE = 0.01, 1.0
"""How far the cells of one crystal may differ: a fraction of the lengths, and degrees."""


def _note(atoms: ConceptualAtoms, keep_iri: bool) -> dict[str, Any]:
    """Return what another program's object carries along.

    An IRI is the name of exact content, and a change of units rounds the last digit; so a kept
    IRI travels with the exact positions, which are taken back only if nothing has moved.
    """
    note: dict[str, Any] = {"charge": atoms.charge, "multiplicity": atoms.multiplicity}
    if atoms.cell is not None and atoms.periodic is not None:
        note |= {"cell": atoms.cell.tolist(), "periodic": atoms.periodic.tolist()}
    if keep_iri:
        note |= {"iri": atoms.iri, "positions": atoms.positions.tolist()}
    return note


def _read(
    cls: type[ConceptualAtoms], numbers: Any, positions: Any, note: Mapping[str, Any], **own: Any
) -> ConceptualAtoms:
    current: Floats = np.array(positions, float)
    values = {
        key: note[key] for key in ("charge", "multiplicity", "cell", "periodic") if key in note
    }
    values |= own
    if "iri" in note:
        exact: Floats = np.array(note["positions"], float)
        if exact.shape == current.shape and np.abs(exact - current).max() < UNTOUCHED:
            kept = cls(**{**values, **_exact_cell(note, values)}, numbers=numbers, positions=exact)
            if kept.iri == note["iri"]:
                return kept
    return cls(**values, numbers=numbers, positions=current)


def _exact_cell(note: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    if "cell" not in note or values.get("cell") is None:
        return {}
    same = np.abs(np.array(values["cell"]) - np.array(note["cell"])).max() < UNTOUCHED
    return {"cell": note["cell"]} if same else {}


def _whole(value: Any, name: str) -> int:
    if value != int(value):
        raise InputError(f"read a {name} of {value}", "it is no whole number")
    return int(value)


def _check_masses(symbols: Sequence[str], masses: Sequence[float], usual: Sequence[float]) -> None:
    """Refuse isotopes, which a structure cannot say (yet): they must not get lost on the way."""
    for place, (symbol, mass, normal) in enumerate(zip(symbols, masses, usual, strict=True), 1):
        if not abs(mass - normal) <= SAME_MASS * normal:
            raise InputError(
                "read these atoms",
                f"atom {place} ({symbol}) has a mass of {mass:g} Da, and that of the element is"
                f" {normal:g} Da",
                "isotopes and masses of one's own are not supported yet: leave them out",
            )


def to_ase(atoms: ConceptualAtoms, keep_iri: bool) -> Atoms:
    """Return ASE Atoms."""
    note = _note(atoms, keep_iri)
    info: dict[str, Any] = {"charge": note["charge"], "multiplicity": note["multiplicity"]}
    if keep_iri:
        info[NOTE] = {"iri": note["iri"], "positions": note["positions"]}
    return Atoms(
        numbers=atoms.numbers,
        positions=atoms.positions,
        cell=atoms.cell,
        pbc=False if atoms.periodic is None else atoms.periodic,
        info=info,
    )


def from_ase(
    cls: type[ConceptualAtoms], atoms: Atoms, changes: Mapping[str, Any]
) -> ConceptualAtoms:
    """Read ASE Atoms; ASE's cell of zeros means that there is none. Isotopes are refused."""
    if atoms.has("masses"):
        usual = atomic_masses[atoms.numbers].tolist()
        _check_masses(list(atoms.symbols), atoms.get_masses().tolist(), usual)
    note: dict[str, Any] = {**atoms.info.get(NOTE, {})}
    for key in ("charge", "multiplicity"):
        if key in atoms.info:
            note[key] = _whole(atoms.info[key], key)
    note |= {key: value for key, value in changes.items() if value is not None}
    own: dict[str, Any] = {}
    if atoms.cell.rank == 3:
        own = {"cell": atoms.cell.array, "periodic": atoms.pbc}
    elif atoms.pbc.any():
        raise InputError(
            "read these ASE Atoms",
            "they are periodic, but their lattice vectors span no volume",
            "give the other directions a vector too, of any length that leaves room",
        )
    return _read(cls, atoms.numbers, atoms.positions, note, **own)


def to_qcelemental(atoms: ConceptualAtoms, keep_iri: bool) -> Any:
    """Return a QCElemental Molecule in its own frame and order (nothing is reoriented)."""
    from qcelemental.models import Molecule as QCMolecule  # pyright: ignore[reportAttributeAccessIssue]

    return QCMolecule(
        symbols=atoms.symbols,
        geometry=atoms.positions / BOHR,
        molecular_charge=atoms.charge,
        molecular_multiplicity=atoms.multiplicity,
        fix_com=True,
        fix_orientation=True,
        extras={NOTE: _note(atoms, keep_iri)},
    )


def from_qcelemental(cls: type[ConceptualAtoms], molecule: Any) -> ConceptualAtoms:
    """Read a QCElemental Molecule; isotopes are refused."""
    from qcelemental import periodictable

    symbols: list[str] = molecule.symbols.tolist()
    usual = [float(periodictable.to_mass(symbol)) for symbol in symbols]
    _check_masses(symbols, molecule.masses.tolist(), usual)
    note = dict((molecule.extras or {}).get(NOTE, {}))
    charge = _whole(molecule.molecular_charge, "charge")
    multiplicity = _whole(molecule.molecular_multiplicity, "multiplicity")
    return _read(
        cls,
        molecule.atomic_numbers,
        np.array(molecule.geometry).reshape(-1, 3) * BOHR,
        note,
        charge=charge,
        multiplicity=multiplicity,
    )


def to_pymatgen(atoms: ConceptualAtoms, keep_iri: bool) -> Molecule | Structure:
    """Return a pymatgen Molecule, or a Structure where there is a cell."""
    note = _note(atoms, keep_iri)
    if atoms.cell is None or atoms.periodic is None:
        return Molecule(
            atoms.symbols,
            atoms.positions,
            charge=atoms.charge,
            spin_multiplicity=atoms.multiplicity,
            properties={NOTE: note},
        )
    a, b, c = (bool(flag) for flag in atoms.periodic)
    return Structure(
        Lattice(atoms.cell, pbc=(a, b, c)),
        atoms.symbols,
        atoms.positions,
        coords_are_cartesian=True,
        charge=atoms.charge,
        properties={NOTE: note},
    )


def from_pymatgen(cls: type[ConceptualAtoms], structure: Any) -> ConceptualAtoms:
    """Read a pymatgen Molecule or Structure; mixed occupation and isotopes are refused."""
    note = dict(structure.properties.get(NOTE, {}))
    if not structure.is_ordered:
        raise InputError(
            "read this pymatgen structure",
            "a place is taken by several elements, or in part",
            "make an ordered structure of it",
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that no oxidation states add up to the charge
        charge = _whole(structure.charge, "charge")
    kinds = [getattr(site.specie, "element", site.specie) for site in structure]
    known = [kind for kind in kinds if isinstance(kind, Element)]
    _check_masses(
        [kind.name for kind in known],
        [float(kind.atomic_mass) for kind in known],
        [float(Element(kind.symbol).atomic_mass) for kind in known],
    )
    numbers = [site.specie.Z for site in structure]
    if isinstance(structure, Molecule):
        own: dict[str, Any] = {"multiplicity": structure.spin_multiplicity}
    else:
        own = {"cell": structure.lattice.matrix, "periodic": structure.lattice.pbc}
    return _read(cls, numbers, structure.cart_coords, note, charge=charge, **own)


def equivalent(one: ConceptualAtoms, other: ConceptualAtoms, tolerance: float) -> bool:
    """Compare two structures; see `ConceptualAtoms.equivalent`."""
    if _repeats(one) != _repeats(other):
        return False
    if not one.is_periodic:
        kinds = [(a.formula, a.charge, a.multiplicity) for a in (one, other)]
        return kinds[0] == kinds[1] and superposed(one, other, tolerance)
    from pymatgen.analysis.structure_matcher import StructureMatcher

    sizes = len(one.numbers), len(other.numbers)
    if one.charge * sizes[1] != other.charge * sizes[0]:
        return False
    if sizes[0] == sizes[1] and one.multiplicity != other.multiplicity:
        return False
    first, second = (_primitive(atoms, tolerance) for atoms in (one, other))
    spacing = (abs(float(np.linalg.det(np.array(one.cell)))) / sizes[0]) ** (1 / 3)
    matcher = StructureMatcher(
        ltol=SAME_LENGTH, angle_tol=SAME_ANGLE, stol=tolerance / spacing, scale=False
    )
    return bool(matcher.fit(first, second, skip_structure_reduction=True))


def _primitive(atoms: ConceptualAtoms, tolerance: float) -> Structure:
    # not by the matcher: it forgives 0.25 Å here, and its Niggli reduction fails on long cells
    structure = cast(Structure, to_pymatgen(atoms, False))
    return structure.get_primitive_structure(tolerance).get_reduced_structure("LLL")


def _repeats(atoms: ConceptualAtoms) -> int:
    return 0 if atoms.periodic is None else int(atoms.periodic.sum())
