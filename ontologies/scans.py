"""Scans: a molecule relaxed at one value after the other of a coordinate."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from ogm import GraphModel, Link, Unit

from .atoms import ConceptualAtoms
from .level import Level
from .quantum import GeometryConstraints, RelaxedGeometry
from .units import Angstrom, AtomIndices, Hartree

Degrees: TypeAlias = Annotated[float, Unit("DEG")]
CoordinateKind: TypeAlias = Literal["distance", "angle", "dihedral"]


def unit_of(kind: CoordinateKind) -> str:
    """Return the unit of the values of a coordinate."""
    return "Å" if kind == "distance" else "°"


def label_of(kind: CoordinateKind, members: AtomIndices) -> str:
    """Return what a coordinate is called, such as `dihedral 1-2-3-4`, atoms counted from 1."""
    return f"{kind} {'-'.join(str(n + 1) for n in members.tolist())}"


class ScanPoint(GraphModel):
    """One value of the coordinate, and the optimisation in which it was held.

    Attributes:
        distance: the value, of a distance; None for angles.
        angle: the value, of an angle or a dihedral angle; None for distances.
        backward: whether it was reached from the far end of the scan.
        energy: total energy, nuclear repulsion included.
        atoms: the relaxed geometry.
        result: the optimisation.
    """

    distance: Angstrom | None = None
    angle: Degrees | None = None
    backward: bool = False
    energy: Hartree
    atoms: Link[ConceptualAtoms]
    result: Link[RelaxedGeometry]

    @property
    def value(self) -> float:
        """Of the coordinate, in Å or degrees."""
        return (self.angle if self.distance is None else self.distance) or 0.0


class RelaxedScan(GraphModel):
    """Energies of a molecule along a coordinate, all else relaxed at each point.

    Each point starts from the geometry of the one before, the first from `atoms`.

    Attributes:
        atoms: the structure as given.
        level: the level of theory.
        coordinate: which kind of coordinate is driven.
        members: the atoms that span it, counted from 0 and in order: two, three or four.
        points: in the order in which they were computed, those of the way back last.
        constraints: what was held besides, at its value in `atoms`; None for nothing.
        failures: values without a result, each with the reason.
        remarks: what a reader must know, such as jumps and bonds that changed.
    """

    atoms: ConceptualAtoms
    level: Level
    coordinate: CoordinateKind
    members: AtomIndices
    points: tuple[ScanPoint, ...]
    constraints: GeometryConstraints | None = None
    failures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """Of the values of the coordinate."""
        return unit_of(self.coordinate)

    @property
    def label(self) -> str:
        """The coordinate, such as `dihedral 1-2-3-4`, atoms counted from 1."""
        return label_of(self.coordinate, self.members)

    @property
    def lowest(self) -> ScanPoint:
        """The point of the lowest energy."""
        return min(self.points, key=lambda point: point.energy)

    @property
    def highest(self) -> ScanPoint:
        """The point of the highest energy."""
        return max(self.points, key=lambda point: point.energy)

    def ways(self) -> tuple[tuple[ScanPoint, ...], tuple[ScanPoint, ...]]:
        """Return the points of the way there, and of the way back."""
        there = tuple(point for point in self.points if not point.backward)
        return there, tuple(point for point in self.points if point.backward)
