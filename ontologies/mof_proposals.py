"""Frameworks that are proposed from what is stored, and what stored frameworks have in common."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from ogm import GraphModel, Link, Moves, Shaped, Unit

from .crystals import CrystalRelaxation
from .mofs import (
    AreaPerMass,
    BuildingBlock,
    ConstructedFramework,
    Framework,
    FrameworkOrigin,
    Net,
    PlacedOn,
    PoreAnalysis,
    PoreSettings,
)
from .units import Angstrom, Floats, Number

SearchKind: TypeAlias = Literal["intra", "cross"]
"""Blocks that stand on that net, but never together; or blocks that fit it, seen there or not."""

Diameters: TypeAlias = Annotated[Floats, Shaped("* frameworks"), Unit("ANGSTROM"), Moves("fixed")]
AreasPerMass: TypeAlias = Annotated[
    Floats, Shaped("* frameworks"), Unit("M2-PER-GM", own=True), Moves("fixed")
]


class FrameworkSelection(GraphModel):
    """Which nets and blocks are looked at; where none is named, all that are stored.

    Attributes:
        net_symbols: nets, by their names.
        nodes: metal nodes.
        linkers: organic linkers.
    """

    net_symbols: tuple[str, ...] = ()
    nodes: tuple[BuildingBlock, ...] = ()
    linkers: tuple[BuildingBlock, ...] = ()


class ProposedPlacement(GraphModel):
    """A building block on one kind of vertices or edges of a framework that is proposed.

    Attributes:
        block: which one.
        placed_on: vertices or edges.
        kind_number: which kind of them.
        rmsd_bound: how far it is at most from the figure that is asked for there; 0 for edges.
        reason: why it is proposed there.
        proven_by: a framework that shows it; None where the fit alone does.
    """

    block: Link[BuildingBlock]
    placed_on: PlacedOn
    kind_number: int
    rmsd_bound: Number = 0.0
    reason: str
    proven_by: Link[Framework] | None = None


class ProposedFramework(GraphModel):
    """A framework that is not stored, and that may be built.

    Attributes:
        rank: from 1, by how well the block fits that fits worst, then by all, then by name.
        framework_name: made of net and formulas.
        net: which one.
        proposed: what would stand where; an edge without one binds its ends directly.
        worst_rmsd: of the block that fits worst, at most.
        built_as: what building it came to, if that was asked for.
        relaxed_as: what leading it downhill came to, if that was asked for.
        framework_origin: what its geometry is then: `relaxed`, or `not relaxed` where that stopped
            at its limit; None where nothing of it was asked for.
        measured_as: what its pores came to, if that was asked for.
        failure: why it was not built, if that was asked for.
    """

    rank: int
    framework_name: str
    net: Link[Net]
    proposed: tuple[ProposedPlacement, ...]
    worst_rmsd: Number
    built_as: Link[ConstructedFramework] | None = None
    relaxed_as: Link[CrystalRelaxation] | None = None
    framework_origin: FrameworkOrigin | None = None
    measured_as: Link[PoreAnalysis] | None = None
    failure: str = ""


class FrameworkProposals(GraphModel):
    """What a search for frameworks proposes, one page of it.

    Attributes:
        selection: where it was looked.
        search_kind: how.
        rmsd_limit: how far a block may be from what is asked for; None where others stand there.
        combinations: how many there are; up to 1,000 of them by rank can be seen.
        frameworks_known: how many of the nets in question are stored, which are left out.
        page_number: from 1.
        proposals: those of this page, the best first.
        remarks: what a reader must know.
    """

    selection: FrameworkSelection
    search_kind: SearchKind
    rmsd_limit: Number | None = None
    combinations: int
    frameworks_known: int
    page_number: int = 1
    proposals: tuple[ProposedFramework, ...] = ()
    remarks: tuple[str, ...] = ()


class NetSurvey(GraphModel):
    """The frameworks on one net among those that are looked at.

    Attributes:
        net_symbol: name of the net; empty where it is not known.
        frameworks_known: how many there are.
        frameworks_measured: how many of them have pores with an area.
        mean_cavity: mean of the diameters of the largest spheres inside.
        cavity_spread: standard deviation of these in the population that they are a sample of; None
            for fewer than two.
        mean_limiting: mean of the diameters of the largest spheres that can pass.
        mean_area: mean of the accessible areas.
        area_spread: standard deviation, as that of the cavities.
    """

    net_symbol: str
    frameworks_known: int
    frameworks_measured: int
    mean_cavity: Angstrom | None = None
    cavity_spread: Angstrom | None = None
    mean_limiting: Angstrom | None = None
    mean_area: AreaPerMass | None = None
    area_spread: AreaPerMass | None = None


class FrameworkSurvey(GraphModel):
    """Stored frameworks by net, with their pores, and how pore size and area go together.

    Attributes:
        selection: which frameworks.
        groups: of each net, the most frameworks first.
        pore_settings: how the pores were measured; None where none were.
        frameworks: those with pores, by net and name.
        framework_labels: what these are called.
        framework_nets: their nets.
        framework_origins: where their geometries come from, see `Framework`.
        pores: where their numbers stand.
        cavities: diameters of the largest spheres inside; None where no pores are known.
        limiting: diameters of the largest spheres that can pass.
        areas: accessible areas.
        rank_correlation: of cavity and area (Spearman); None where there are too few.
        correlation_low: lower end of its interval of 95 %.
        correlation_high: upper end.
        remarks: what a reader must know.
    """

    selection: FrameworkSelection
    groups: tuple[NetSurvey, ...]
    pore_settings: PoreSettings | None = None
    frameworks: tuple[Link[Framework], ...] = ()
    framework_labels: tuple[str, ...] = ()
    framework_nets: tuple[str, ...] = ()
    framework_origins: tuple[str, ...] = ()
    pores: tuple[Link[PoreAnalysis], ...] = ()
    cavities: Diameters | None = None
    limiting: Diameters | None = None
    areas: AreasPerMass | None = None
    rank_correlation: Number | None = None
    correlation_low: Number | None = None
    correlation_high: Number | None = None
    remarks: tuple[str, ...] = ()
