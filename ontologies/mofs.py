"""Metal-organic frameworks: nets, building blocks, frameworks, and what their pores measure."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import numpy as np

from ogm import GraphModel, Moves, Shaped, Unit

from .atoms import ConceptualAtoms
from .units import Angstrom, AtomIndices, AtomPairs, Floats, Number

ConnectionPoints: TypeAlias = Annotated[
    Floats, Shaped("* connections, 3 xyz"), Unit("ANGSTROM"), Moves("fixed point")
]
Cosines: TypeAlias = Annotated[Floats, Shaped("* angles"), Unit("UNITLESS"), Moves("fixed")]
DiffractionAngles: TypeAlias = Annotated[Floats, Shaped("* places"), Unit("DEG"), Moves("fixed")]
RelativeIntensities: TypeAlias = Annotated[
    Floats, Shaped("* places"), Unit("PERCENT"), Moves("fixed")
]
Density: TypeAlias = Annotated[float, Unit("GM-PER-CentiM3")]
AreaPerMass: TypeAlias = Annotated[float, Unit("M2-PER-GM", own=True)]
AreaPerVolume: TypeAlias = Annotated[float, Unit("M2-PER-CentiM3", own=True)]
VolumePerMass: TypeAlias = Annotated[float, Unit("CentiM3-PER-GM", own=True)]

BlockGeometries: TypeAlias = Literal["relaxed", "unrelaxed"]
"""Organic blocks are relaxed before they are used, or taken as they are kept."""

FrameworkOrigin: TypeAlias = Literal["built", "measured", "relaxed", "not relaxed"]
"""Built of blocks on a net, or read from a file; relaxed at a level of theory, or led downhill and
stopped before it was."""

PlacedOn: TypeAlias = Literal["vertex", "edge"]


# --- nets ----------------------------------------------------------------------------------


class ConnectionFigure(GraphModel):
    """The directions in which a vertex asks for connections, wherever it stands and is turned.

    Figures of several nets are one object if they have the same angles. Mirror images are one.

    Attributes:
        name: made of the number of connections and the angles.
        connections: how many.
        cosines: of the angles between each two directions, sorted, in steps of 0.02.
    """

    name: str
    connections: int
    cosines: Cosines


class VertexKind(GraphModel):
    """Vertices of a net that its symmetry makes equal.

    Attributes:
        kind_number: which of the kinds of its net, from 0.
        figure: the directions that they ask for.
        per_cell: how many there are in the cell of the net as its source describes it.
    """

    kind_number: int
    figure: ConnectionFigure
    per_cell: int


class EdgeKind(GraphModel):
    """Edges of a net between the same two kinds of vertices.

    Attributes:
        kind_number: which of the kinds of its net, from 0.
        first_vertex: the kind of vertex at one end, the lower number.
        second_vertex: that at the other end.
        per_cell: how many there are in the cell of the net as its source describes it.
    """

    kind_number: int
    first_vertex: int
    second_vertex: int
    per_cell: int


class Net(GraphModel):
    """A periodic net: what a framework is, if only connections count.

    Attributes:
        name: the symbol of the Reticular Chemistry Structure Resource, such as pcu.
        net_dimensionality: in how many directions it goes on without end.
        space_group: of its most symmetric form.
        vertex_kinds: its vertices.
        edge_kinds: its edges.
    """

    name: str
    net_dimensionality: int = 3
    space_group: str = ""
    vertex_kinds: tuple[VertexKind, ...] = ()
    edge_kinds: tuple[EdgeKind, ...] = ()

    @property
    def connections(self) -> tuple[int, ...]:
        """How many connections each kind of vertex asks for."""
        return tuple(kind.figure.connections for kind in self.vertex_kinds)


# --- building blocks -----------------------------------------------------------------------


class BuildingBlock(GraphModel, key=("block_code",)):
    """A node or a linker, whatever its atoms are numbered like and wherever they were found.

    Attributes:
        block_code: made of elements, bonds and connection points; where several blocks share
            these and are told apart by shape alone, with a number behind it.
        formula: of its atoms in the Hill order, without the connection points.
        connections: how many connection points it has.
    """

    block_code: str
    formula: str
    connections: int


class MetalNode(BuildingBlock):
    """A building block with a metal in it."""


class OrganicLinker(BuildingBlock):
    """A building block without a metal; one with more than two connections stands on vertices."""


class BlockGeometry(GraphModel):
    """The atoms of a building block, as they were found in one place.

    Attributes:
        block: which one.
        atoms: the real ones.
        connection_points: where it ends: the middle of the bonds to its neighbours, or near that.
        connected_atoms: for each connection point the atom that has the bond, counted from 0.
        bonded: pairs of bonded atoms, counted from 0.
        found_in: such as `PORMAKE N16`, or the name of a file.
    """

    block: BuildingBlock
    atoms: ConceptualAtoms
    connection_points: ConnectionPoints
    connected_atoms: AtomIndices
    bonded: AtomPairs
    found_in: str = ""


class Fit(GraphModel):
    """How well a building block has the directions that a figure asks for.

    Attributes:
        block: which one.
        figure: what is asked for.
        figure_rmsd: of the ends of unit vectors, after the best rotation, in thousandths.
    """

    block: BuildingBlock
    figure: ConnectionFigure
    figure_rmsd: Number


# --- frameworks ----------------------------------------------------------------------------


class Placement(GraphModel):
    """A building block on one kind of vertices or edges.

    Attributes:
        block: which one.
        placed_on: vertices or edges.
        placements: how many of it are in the framework's cell.
        kind_number: which kind of them; None where that is not known, as on a net without a name.
        geometry: its atoms as they were used or found.
        figure: what is asked for there; None for edges, and where that is not known.
        figure_rmsd: how far the block is from that; None where there is no figure.
    """

    block: BuildingBlock
    placed_on: PlacedOn
    placements: int
    kind_number: int | None = None
    geometry: BlockGeometry | None = None
    figure: ConnectionFigure | None = None
    figure_rmsd: Number | None = None


class FrameworkDesign(GraphModel):
    """What a framework is to be built of.

    Attributes:
        net: on which net.
        blocks: what stands on which kind of vertices and edges; nothing on other edges, so that
            the blocks at their ends are bonded to each other.
    """

    net: Net
    blocks: tuple[Placement, ...]

    @property
    def name(self) -> str:
        """Net and blocks."""
        blocks = [
            one.geometry.found_in.removeprefix("PORMAKE ")
            if one.geometry and one.geometry.found_in
            else one.block.formula
            for one in self.blocks
        ]
        return " ".join([self.net.name, *dict.fromkeys(blocks)])


class Framework(GraphModel):
    """A framework: a crystal, the net that it has and the blocks that it consists of.

    Attributes:
        framework_name: made of net and blocks, or that of its file.
        atoms: with their cell.
        framework_origin: whether it was built of blocks or read, or was relaxed since.
        net: None where it is not known.
        other_nets: names of further nets that it may have, where recognition leaves that open.
        blocks: what stands where.
        bonded: pairs of bonded atoms, counted from 0; across the sides of the cell too.
        catenation: how many nets go through each other; None where it is not known.
        framework_dimensionality: in how many directions it goes on; None where it is not known.
        orientations: how blocks were turned, where the net leaves that open.
        found_in: a file or a reference code, for what was read.
        relaxed_from: the geometry that was relaxed; None where none was.
        remarks: what a reader must know.
    """

    framework_name: str
    atoms: ConceptualAtoms
    framework_origin: FrameworkOrigin
    net: Net | None = None
    other_nets: tuple[str, ...] = ()
    blocks: tuple[Placement, ...] = ()
    bonded: AtomPairs | None = None
    catenation: int | None = None
    framework_dimensionality: int | None = None
    orientations: str = ""
    found_in: str = ""
    relaxed_from: ConceptualAtoms | None = None
    remarks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What it is called."""
        return self.framework_name


class ConstructedFramework(GraphModel, identity="result"):
    """What building a framework came to.

    Attributes:
        framework: what was built.
        net: on which net.
        twist_rms: how far the planes of connected blocks are from each other, root mean square
            over the connections that have planes; None where none has.
        gap_rms: how far connection points that should meet are apart, root mean square.
        closest: the least distance of atoms of blocks that are not connected; None for one block.
    """

    framework: Framework
    net: Net
    twist_rms: Annotated[float, Unit("DEG")] | None = None
    gap_rms: Angstrom
    closest: Angstrom | None = None


# --- pores ---------------------------------------------------------------------------------


class PoreSettings(GraphModel):
    """How pores are measured.

    Attributes:
        program: that measures.
        radii_set: which radii atoms have.
        area_probe: radius of the probe for areas and channels, such as that of nitrogen.
        volume_probe: radius of the probe for volumes, such as that of helium.
        area_samples: points on each atom.
        volume_samples: points in the cell.
        high_accuracy: whether atoms are replaced by several small ones of one size.
    """

    program: str = "Zeo++"
    radii_set: str = "Zeo++ default"
    area_probe: Angstrom = 1.86
    volume_probe: Angstrom = 1.2
    area_samples: int = 2000
    volume_samples: int = 50_000
    high_accuracy: bool = False


class PoreDiameters(GraphModel):
    """Spheres that have room in a framework.

    Attributes:
        largest_cavity: diameter of the largest sphere that fits.
        pore_limiting: diameter of the largest sphere that can pass through.
        largest_free_path: diameter of the largest sphere on the way of that one.
    """

    largest_cavity: Angstrom
    pore_limiting: Angstrom
    largest_free_path: Angstrom


class AccessibleSurface(GraphModel):
    """The surface that the middle of a probe can touch.

    Attributes:
        area_per_mass: that of channels.
        area_per_volume: that of channels.
        pocket_area_per_mass: that which cannot be reached from outside.
        pocket_area_per_volume: that which cannot be reached from outside.
    """

    area_per_mass: AreaPerMass
    area_per_volume: AreaPerVolume
    pocket_area_per_mass: AreaPerMass
    pocket_area_per_volume: AreaPerVolume


class AccessibleVolume(GraphModel):
    """The volume that the middle of a probe can reach.

    Attributes:
        volume_per_mass: that of channels.
        void_fraction: that of channels, of the whole.
        pocket_volume_per_mass: that which cannot be reached from outside.
        pocket_void_fraction: that which cannot be reached from outside, of the whole.
    """

    volume_per_mass: VolumePerMass
    void_fraction: Number
    pocket_volume_per_mass: VolumePerMass
    pocket_void_fraction: Number


class Channels(GraphModel):
    """Channels that a probe can pass through.

    Attributes:
        one_dimensional: channels that go on in one direction.
        two_dimensional: in two.
        three_dimensional: in three.
    """

    one_dimensional: int
    two_dimensional: int
    three_dimensional: int


class PoreAnalysis(GraphModel, identity="result"):
    """What the pores of a crystal measure; what could not be found is None, and remarks say why.

    Attributes:
        atoms: the crystal as it was measured.
        pore_settings: how.
        crystal_density: its mass over its volume.
        diameters: of spheres in it.
        surface: for the probe for areas.
        volume: for the probe for volumes.
        channels: for the probe for areas.
        framework_dimensionality: in how many directions bonds go on.
        geometric_void_fraction: the part of the cell outside of all atoms.
        helium_void_fraction: the mean of exp(-E/kT) of a helium atom over the cell.
        remarks: what a reader must know, failures in the words of the program.
    """

    atoms: ConceptualAtoms
    pore_settings: PoreSettings
    crystal_density: Density
    diameters: PoreDiameters | None = None
    surface: AccessibleSurface | None = None
    volume: AccessibleVolume | None = None
    channels: Channels | None = None
    framework_dimensionality: int | None = None
    geometric_void_fraction: Number | None = None
    helium_void_fraction: Number | None = None
    remarks: tuple[str, ...] = ()


# --- powder patterns -----------------------------------------------------------------------


class PowderPattern(GraphModel, identity="result"):
    """Reflections of a powder, as computed from a crystal.

    Attributes:
        atoms: the crystal.
        xray_wavelength: of the X-rays.
        diffraction_angles: 2θ of each reflection, ascending.
        relative_intensities: the highest is 100.
        miller_indices: of each reflection, the first of those that fall together.
    """

    atoms: ConceptualAtoms
    xray_wavelength: Angstrom
    diffraction_angles: DiffractionAngles
    relative_intensities: RelativeIntensities
    miller_indices: tuple[str, ...]


class PowderComparison(GraphModel, identity="result"):
    """A computed powder pattern beside one that was measured.

    Attributes:
        pattern: the computed one.
        measured_angles: 2θ of the measured points.
        measured_intensities: the highest is 100.
        peak_width: full width at half maximum that computed reflections were given.
        pattern_likeness: cosine of the two curves without their means: 1 for the same shape.
    """

    pattern: PowderPattern
    measured_angles: DiffractionAngles
    measured_intensities: RelativeIntensities
    peak_width: Annotated[float, Unit("DEG")]
    pattern_likeness: Number


COSINE_STEP = 0.02
COSINE_SHIFT = 0.00317
"""Angles of ideal figures, such as 60 or 90°, lie within the steps, not at their borders."""


def figure_of(directions: Floats) -> ConnectionFigure:
    """Return the figure of directions, shape (connections, 3), of any length."""
    import hashlib

    units = directions / np.linalg.norm(directions, axis=1)[:, None]
    first, second = np.triu_indices(len(units), 1)
    cosines = np.sort((units @ units.T)[first, second])
    steps = np.rint((cosines + COSINE_SHIFT) / COSINE_STEP).astype(np.int64)
    steps.sort()
    code = hashlib.sha256(",".join(map(str, steps)).encode()).hexdigest()[:8]
    return ConnectionFigure(
        name=f"{len(units)}-{code}",
        connections=len(units),
        cosines=np.array([round(step * COSINE_STEP, 2) for step in steps.tolist()]),
    )
