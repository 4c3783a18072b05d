"""Objects of metal-organic frameworks."""

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import (
    AccessibleSurface,
    AccessibleVolume,
    BlockGeometry,
    Channels,
    ConstructedFramework,
    EdgeKind,
    Fit,
    Framework,
    FrameworkDesign,
    MetalNode,
    Net,
    OrganicLinker,
    Placement,
    PoreAnalysis,
    PoreDiameters,
    PoreSettings,
    PowderComparison,
    PowderPattern,
    VertexKind,
    figure_of,
)

OCTAHEDRON = figure_of(np.array([*np.eye(3), *-np.eye(3)]))
PCU = Net(
    name="pcu",
    space_group="Pm-3m",
    vertex_kinds=(VertexKind(kind_number=0, figure=OCTAHEDRON, per_cell=1),),
    edge_kinds=(EdgeKind(kind_number=0, first_vertex=0, second_vertex=0, per_cell=3),),
)
NODE = MetalNode(block_code="Zn-6-0", formula="Zn", connections=6)
ACETYLENE = OrganicLinker(block_code="C2-2-0", formula="C2", connections=2)
GEOMETRY = BlockGeometry(
    block=ACETYLENE,
    atoms=ConceptualAtoms(numbers=[6, 6], positions=[[0, 0, 0], [1.2, 0, 0]]),
    connection_points=np.array([[-0.7, 0, 0], [1.9, 0, 0]]),
    connected_atoms=np.array([0, 1]),
    bonded=np.array([[0, 1]]),
    found_in="a test",
)
FIT = Fit(block=NODE, figure=OCTAHEDRON, figure_rmsd=0.012)
PLACEMENT = Placement(
    block=NODE,
    placed_on="vertex",
    kind_number=0,
    placements=1,
    figure=OCTAHEDRON,
    figure_rmsd=0.012,
)
LINKED = Placement(
    block=ACETYLENE, placed_on="edge", kind_number=0, placements=3, geometry=GEOMETRY
)
CRYSTAL = ConceptualAtoms(
    numbers=[30], positions=[[0, 0, 0]], cell=np.eye(3) * 6, periodic=[True] * 3
)
DESIGN = FrameworkDesign(net=PCU, blocks=(PLACEMENT, LINKED))
FRAMEWORK = Framework(
    framework_name="pcu Zn C2",
    atoms=CRYSTAL,
    framework_origin="built",
    net=PCU,
    other_nets=("dia",),
    blocks=(PLACEMENT, LINKED),
    bonded=np.array([[0, 0]]),
    catenation=1,
    framework_dimensionality=3,
    orientations="none",
    found_in="a test",
    relaxed_from=CRYSTAL,
    remarks=("not stable",),
)
BUILT = ConstructedFramework(
    framework=FRAMEWORK, net=PCU, twist_rms=0.1, gap_rms=0.01, closest=2.5
).identified("https://example.org/built")
SETTINGS = PoreSettings(radii_set="others")
DIAMETERS = PoreDiameters(largest_cavity=15.0, pore_limiting=8.0, largest_free_path=14.9)
SURFACE = AccessibleSurface(
    area_per_mass=3500.0,
    area_per_volume=2100.0,
    pocket_area_per_mass=1.0,
    pocket_area_per_volume=0.5,
)
VOLUME = AccessibleVolume(
    volume_per_mass=1.3, void_fraction=0.8, pocket_volume_per_mass=0.1, pocket_void_fraction=0.05
)
CHANNELS = Channels(one_dimensional=0, two_dimensional=0, three_dimensional=1)
PORES = PoreAnalysis(
    atoms=CRYSTAL,
    pore_settings=SETTINGS,
    crystal_density=1.2,
    diameters=DIAMETERS,
    surface=SURFACE,
    volume=VOLUME,
    channels=CHANNELS,
    framework_dimensionality=3,
    geometric_void_fraction=0.8,
    helium_void_fraction=0.82,
    remarks=("atoms were moved",),
).identified("https://example.org/pores")
PATTERN = PowderPattern(
    atoms=CRYSTAL,
    xray_wavelength=1.54184,
    diffraction_angles=np.array([6.8, 9.7]),
    relative_intensities=np.array([100.0, 20.0]),
    miller_indices=("1 0 0", "1 1 0"),
).identified("https://example.org/pattern")
COMPARED = PowderComparison(
    pattern=PATTERN,
    measured_angles=np.array([5.0, 6.0]),
    measured_intensities=np.array([10.0, 100.0]),
    peak_width=0.2,
    pattern_likeness=0.9,
).identified("https://example.org/compared")
EVERYTHING: list[GraphModel] = [
    OCTAHEDRON, *PCU.vertex_kinds, *PCU.edge_kinds, SETTINGS, DIAMETERS, SURFACE, VOLUME, CHANNELS,
    FIT, DESIGN, FRAMEWORK, GEOMETRY, BUILT, PORES, PATTERN, COMPARED, LINKED, PLACEMENT, PCU, NODE,
    ACETYLENE,
]  # fmt: skip
