"""What taking a framework apart comes to."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from ogm import GraphModel, Link, Moves, Shaped, Unit

from .atoms import ConceptualAtoms
from .mofs import (
    AreaPerMass,
    AreaPerVolume,
    ConstructedFramework,
    Density,
    Framework,
    FrameworkDesign,
    PoreAnalysis,
)
from .units import Angstrom, Floats, Number

CellLengths: TypeAlias = Annotated[Floats, Shaped("3 axes"), Unit("ANGSTROM"), Moves("fixed")]

SolventChoice: TypeAlias = Literal["free", "all", "none"]
"""Which solvent is removed: what is not bonded, also what hangs on one metal alone, or none."""


class TakenApart(GraphModel, identity="result"):
    """A framework that was taken apart into the nodes and linkers of its net.

    Attributes:
        atoms: the crystal as it was given.
        framework: the crystal as it was cleaned, with its net and blocks.
        solvent_choice: which solvent was to be removed.
        removed: what was removed, each molecule with how many of it the cell had.
        net_key: equal for nets that are the same, with or without a name.
        key_is_exact: whether different nets have different keys.
        net_vertices: how many the smallest cell of the net has; 0 where that is not known.
        net_edges: how many the smallest cell of the net has; 0 where that is not known.
        lacking_hydrogens: how many carbon atoms of the cell lack them.
        designs: nets with blocks of the library that have the same bonds, where they end as they
            do there and not at the metals; blocks as at the metals come first.
        remarks: what a reader must know.
    """

    atoms: ConceptualAtoms
    framework: Framework
    solvent_choice: SolventChoice = "free"
    removed: tuple[str, ...] = ()
    net_key: str = ""
    key_is_exact: bool = True
    net_vertices: int = 0
    net_edges: int = 0
    lacking_hydrogens: int = 0
    designs: tuple[FrameworkDesign, ...] = ()
    remarks: tuple[str, ...] = ()


class CrystalEntry(GraphModel):
    """A crystal as an entry of a database.

    Attributes:
        atoms: the crystal, as it was read.
        reference_code: of the entry, such as DOTSOV01.
        entry_source: its file and folder, or its address.
    """

    atoms: ConceptualAtoms
    reference_code: str
    entry_source: str


class ComparedNumbers(GraphModel):
    """What is compared of two crystals: of one of them, or the differences; None for the unknown.

    Attributes:
        cell_lengths: of its cell, the shortest first.
        crystal_density: its mass over its volume.
        largest_cavity: diameter of the largest sphere that fits.
        pore_limiting: diameter of the largest sphere that can pass through.
        area_per_mass: accessible area.
        area_per_volume: accessible area.
        void_fraction: accessible volume, of the whole.
        helium_void_fraction: the mean of exp(-E/kT) of a helium atom over the cell.
        pores: where these numbers are from; None for differences.
    """

    cell_lengths: CellLengths | None = None
    crystal_density: Density | None = None
    largest_cavity: Angstrom | None = None
    pore_limiting: Angstrom | None = None
    area_per_mass: AreaPerMass | None = None
    area_per_volume: AreaPerVolume | None = None
    void_fraction: Number | None = None
    helium_void_fraction: Number | None = None
    pores: Link[PoreAnalysis] | None = None


class FrameworkComparison(GraphModel):
    """Two crystals beside each other, such as a measured one and what is built of its blocks.

    Attributes:
        first_label: what one is called.
        second_label: what the other is called.
        first_numbers: of one.
        second_numbers: of the other, measured in the same way.
        change: the second less the first; lengths where both cells hold the same atoms.
        built_again: what building the second came to; None where it was there.
        remarks: what a reader must know.
    """

    first_label: str
    second_label: str
    first_numbers: ComparedNumbers
    second_numbers: ComparedNumbers
    change: ComparedNumbers
    built_again: Link[ConstructedFramework] | None = None
    remarks: tuple[str, ...] = ()
