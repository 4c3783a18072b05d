"""Quantum chemistry: energies, geometries, vibrations."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Annotated, Any, ClassVar, Literal, Self, TypeAlias, cast

import numpy as np
from pydantic import model_validator

from ogm import ADDED, GraphModel, Motion, PartOf
from ogm.array_storage import StoredArray, touched

from .atoms import ConceptualAtoms
from .differences import ORBITAL_GAP, Difference
from .level import Level, LevelOfTheory
from .units import (
    Angles,
    Angstrom,
    AtomicCharges,
    AtomIndices,
    AtomPairs,
    AtomQuadruples,
    AtomTriples,
    Debye,
    Dipole,
    Distances,
    EnergySeries,
    Floats,
    Hartree,
    HartreePerBohr,
    Integers,
)

Convergence: TypeAlias = Literal["loose", "normal", "tight", "very tight"]
ROUNDING = 1e-9
"""Å. How far extents of one geometry are apart that two machines compute."""

StabilityLabel: TypeAlias = Literal["not analysed", "internally stable", "stable", "unstable"]


def with_derived(data: Any, source: str, **made: Callable[[Floats], float | None]) -> Any:
    """Return the values of an object with the numbers that are made of one of its arrays.

    People filter by a number, not by an array. One that was stored is kept as it is, unless the
    array has been changed.

    Args:
        data: what the object is made of.
        source: the field of the array; one that is large and was not read stays so.
        made: for each field how its number is made.
    """
    if not isinstance(data, Mapping):
        return data
    values = dict(cast("Mapping[str, Any]", data))
    array = values.get(source)
    if array is None or (isinstance(array, StoredArray) and all(n in values for n in made)):
        return values
    for name, function in made.items():
        with suppress(TypeError, ValueError):  # the fields say what is wrong
            new, old = function(np.asarray(touched(array), float)), values.get(name)
            if old is None or new is None or not math.isclose(new, old, rel_tol=1e-9):
                values[name] = new
    return values


def length(vector: Floats) -> float:
    """Return the length of a vector."""
    return math.hypot(*vector.tolist())


def least(values: Floats) -> float | None:
    """Return the smallest number; None if there is none."""
    return float(values.min()) if values.size else None


def most(values: Floats) -> float | None:
    """Return the largest number; None if there is none."""
    return float(values.max()) if values.size else None


class EnergyResult(GraphModel, identity="result"):
    """What every calculation of energies reports of its (last) geometry, whatever its level.

    Attributes:
        atoms: the geometry that the numbers belong to.
        level: the level of theory.
        energy: total energy, nuclear repulsion included.
        remarks: what a reader must know of these numbers, such as spin contamination.
    """

    atoms: ConceptualAtoms
    level: Level
    energy: Hartree
    remarks: tuple[str, ...] = ()


class ElectronicResult(EnergyResult):
    """What every calculation with Hartree–Fock or a functional reports of its (last) geometry.

    Attributes:
        level: Hartree–Fock or a functional, and a basis set.
        converged: whether the SCF reached its threshold (results that did not are never stored).
        scf_cycles: number of SCF cycles at this geometry.
        dipole: relative to the centre of mass, shape (3,).
        mulliken_charges: shape (atoms,).
        homo: energy of the highest occupied orbital, of either spin; None without electrons. For a
            restricted open-shell reference, whose orbital energies are a matter of convention, the
            expectation value of that spin's Fock operator.
        lumo: likewise of the lowest empty orbital; None if the basis has none.
        spin_squared: expectation value of S², exact for a restricted open-shell reference; None for
            a restricted one.
        dispersion_energy: what the correction for dispersion adds; None where there is none.
        solvation_energy: the part of the energy that the continuum's field gives, half the
            interaction of charges and reaction field, with its non-electrostatic terms where the
            model has them; None in the gas phase.
        scf_path: what was tried of the level's ladder, of which the last converged, and
            `instability followed` for each time that the solution was left for one below.
        stability: what an analysis of the solution said; `internally stable` where only solutions
            were looked at in which the spins share their orbitals too, `not analysed` if there was
            none.
        dipole_moment: the length of the dipole; derived, so that it can be queried.
    """

    differences: ClassVar[tuple[Difference, ...]] = (ORBITAL_GAP,)

    level: LevelOfTheory  # pyright: ignore[reportIncompatibleVariableOverride]  # it is frozen
    converged: bool
    scf_cycles: int
    dipole: Dipole
    mulliken_charges: AtomicCharges
    homo: Hartree | None = None
    lumo: Hartree | None = None
    spin_squared: float | None = None
    dispersion_energy: Hartree | None = None
    solvation_energy: Hartree | None = None
    scf_path: tuple[str, ...] = ("DIIS",)
    stability: StabilityLabel = "not analysed"
    dipole_moment: Debye | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive(cls, data: Any) -> Any:
        return with_derived(data, "dipole", dipole_moment=length)

    @property
    def homo_lumo_gap(self) -> float | None:
        """LUMO less HOMO, in Eh; None for open shells, where the two may differ in spin."""
        if self.level.reference != "restricted" or self.homo is None or self.lumo is None:
            return None
        return self.lumo - self.homo


class SinglePoint(ElectronicResult, schema=2, upgrades={1: ADDED}):
    """Electronic energy at a fixed geometry."""


class GeometryConstraints(GraphModel):
    """What an optimisation holds fixed; atoms are counted from 0.

    Attributes:
        frozen: atoms that stay where they are.
        distance_atoms: pairs of atoms, shape (n, 2).
        distances: what each pair is brought to and kept at, shape (n,).
        angle_atoms: triples of atoms, the apex in the middle, shape (n, 3).
        angles: likewise in degrees, shape (n,).
        dihedral_atoms: quadruples of atoms, shape (n, 4).
        dihedrals: likewise in degrees, shape (n,).
    """

    frozen: AtomIndices | None = None
    distance_atoms: AtomPairs | None = None
    distances: Distances | None = None
    angle_atoms: AtomTriples | None = None
    angles: Angles | None = None
    dihedral_atoms: AtomQuadruples | None = None
    dihedrals: Angles | None = None

    @model_validator(mode="before")
    @classmethod
    def _in_order(cls, data: Any) -> Any:
        """Put what is the same in whatever order into one order."""
        if not isinstance(data, Mapping):
            return data
        values = dict(cast("Mapping[str, Any]", data))
        if values.get("frozen") is not None:
            values["frozen"] = sorted(int(atom) for atom in values["frozen"])
        for kind in ("distance", "angle", "dihedral"):
            rows, held = values.get(f"{kind}_atoms"), values.get(f"{kind}s")
            if rows is None or held is None or len(rows) != len(held):
                continue
            ways = [[int(atom) for atom in row] for row in rows]
            pairs = sorted(
                (min(way, way[::-1]), float(value)) for way, value in zip(ways, held, strict=True)
            )
            values[f"{kind}_atoms"] = [way for way, _ in pairs]
            values[f"{kind}s"] = [value for _, value in pairs]
        return values

    def transformed(self, motion: Motion) -> Self:
        moved = super().transformed(motion)
        return type(self)(**{name: getattr(moved, name) for name in type(self).model_fields})


class RelaxedGeometry(EnergyResult):
    """A geometry relaxed to a stationary point at any level; `atoms` is where it ended.

    Attributes:
        initial: where it started.
        steps: number of optimisation steps.
        max_gradient: largest component of the gradient at the end, in the frame where it was
            computed (in a turned one, a component can be √3 times as large).
        energies: the energy at each step, shape (steps,).
        criteria: the thresholds that were met, by the optimiser's name for them.
        constraints: what was held fixed; None for nothing. With constraints that act, the
            geometry is not a stationary point.
        path: how the optimiser was restarted until it converged, the first try included.
        bonds_broken: pairs of atoms, counted from 0, that are bound at the start only, by their
            distances, shape (n, 2); None for none.
        bonds_formed: likewise at the end only.
        extent: of `atoms`, see `ConceptualAtoms.extent`; derived, so that copies can be queried.
        likeness: a text that copies of `atoms` share, see `ConceptualAtoms.likenesses`; derived:
            stores find a text at once, and would read all of a formula for an extent.
    """

    initial: ConceptualAtoms
    steps: int
    max_gradient: HartreePerBohr
    energies: EnergySeries
    criteria: str
    constraints: GeometryConstraints | None = None
    path: tuple[str, ...] = ()
    bonds_broken: AtomPairs | None = None
    bonds_formed: AtomPairs | None = None
    extent: Angstrom | None = None
    likeness: str = ""

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        values = dict(cast("Mapping[str, Any]", data))
        atoms = values.get("atoms")
        if not isinstance(atoms, ConceptualAtoms):
            return values
        if values.get("extent") is None:
            values["extent"] = atoms.extent
        if values.get("likeness") not in atoms.likenesses(ROUNDING):  # what was stored is kept
            values["likeness"] = atoms.likenesses()[0]
        return values

    @property
    def broken(self) -> list[str]:
        """The bonds that were broken, as in `O1-H2` with atoms counted from 1."""
        return self._bonds(self.bonds_broken)

    @property
    def formed(self) -> list[str]:
        """The bonds that were formed, likewise."""
        return self._bonds(self.bonds_formed)

    def _bonds(self, pairs: Integers | None) -> list[str]:
        names = [f"{symbol}{number}" for number, symbol in enumerate(self.atoms.symbols, 1)]
        if pairs is None:
            return []
        sorted_pairs = (sorted(int(atom) for atom in pair) for pair in pairs)
        return sorted("-".join(names[atom] for atom in pair) for pair in sorted_pairs)


class Optimisation(  # pyright: ignore[reportIncompatibleVariableOverride]  # levels are frozen
    ElectronicResult, RelaxedGeometry, schema=3, upgrades={1: ADDED, 2: ADDED}
):
    """A geometry relaxed with Hartree–Fock or a functional."""


class Embedding(GraphModel, identity="result"):
    """Three-dimensional atoms made from a notation.

    Attributes:
        notation: what was given.
        kind: how it was read.
        smiles: the canonical SMILES of it.
        atoms: the structure.
        method: how the coordinates were made, and what was assumed.
        told_by: who told what a name means: `the table`, `OPSIN` or `PubChem, CID …`.
        ordered_smiles: the SMILES in the order of the atoms; implied hydrogens come after the rest.
    """

    notation: str
    kind: Literal["smiles", "name", "inchi", "selfies"]
    smiles: str
    atoms: Annotated[ConceptualAtoms, PartOf()]
    method: str
    told_by: str = ""
    ordered_smiles: str = ""
