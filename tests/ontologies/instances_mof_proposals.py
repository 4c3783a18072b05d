"""Frameworks that are proposed, and a survey of some."""

import numpy as np

from ogm import GraphModel, Link
from ontologies.mof_proposals import (
    FrameworkProposals,
    FrameworkSelection,
    FrameworkSurvey,
    NetSurvey,
    ProposedFramework,
    ProposedPlacement,
)
from ontologies.mofs import BuildingBlock, ConstructedFramework, Framework, PoreAnalysis
from tests.ontologies.instances_mofs import ACETYLENE, BUILT, FRAMEWORK, NODE, PCU, PORES, SETTINGS

SELECTION = FrameworkSelection(net_symbols=("pcu",), nodes=(NODE,), linkers=(ACETYLENE,))
PLACED = ProposedPlacement(
    block=Link[BuildingBlock](NODE),
    placed_on="vertex",
    kind_number=0,
    rmsd_bound=0.012,
    reason="stands there",
    proven_by=Link[Framework](FRAMEWORK),
)
PROPOSED = ProposedFramework(
    rank=1,
    framework_name="pcu_Zn_C2",
    net=Link(PCU),
    proposed=(PLACED,),
    worst_rmsd=0.012,
    built_as=Link[ConstructedFramework](BUILT),
    measured_as=Link[PoreAnalysis](PORES),
    failure="none",
)
FOUND = FrameworkProposals(
    selection=SELECTION,
    search_kind="cross",
    rmsd_limit=0.3,
    combinations=1,
    frameworks_known=2,
    page_number=2,
    proposals=(PROPOSED,),
    remarks=("few",),
)
GROUP = NetSurvey(
    net_symbol="pcu",
    frameworks_known=3,
    frameworks_measured=2,
    mean_cavity=12.0,
    cavity_spread=1.0,
    mean_limiting=8.0,
    mean_area=3000.0,
    area_spread=100.0,
)
SURVEY = FrameworkSurvey(
    selection=SELECTION,
    groups=(GROUP,),
    pore_settings=SETTINGS,
    frameworks=(Link[Framework](FRAMEWORK),),
    framework_labels=("pcu_Zn_C2",),
    framework_nets=("pcu",),
    framework_origins=("built",),
    pores=(Link[PoreAnalysis](PORES),),
    cavities=np.array([12.0]),
    limiting=np.array([8.0]),
    areas=np.array([3000.0]),
    rank_correlation=0.5,
    correlation_low=-0.2,
    correlation_high=0.8,
    remarks=("few",),
)
EVERYTHING: list[GraphModel] = [SELECTION, PLACED, PROPOSED, FOUND, GROUP, SURVEY]
