"""A framework taken apart."""

import numpy as np

from ogm import GraphModel, Link
from ontologies.mof_parts import (
    ComparedNumbers,
    CrystalEntry,
    FrameworkComparison,
    TakenApart,
)
from ontologies.mofs import ConstructedFramework, PoreAnalysis
from tests.ontologies.instances_mofs import BUILT, CRYSTAL, DESIGN, FRAMEWORK, PORES

APART = TakenApart(
    atoms=CRYSTAL,
    framework=FRAMEWORK,
    solvent_choice="all",
    removed=("2 H2O",),
    net_key="abc",
    key_is_exact=False,
    net_vertices=1,
    net_edges=3,
    lacking_hydrogens=4,
    designs=(DESIGN,),
    remarks=("a remark",),
).identified("https://example.org/apart")
ENTRY = CrystalEntry(
    atoms=CRYSTAL, reference_code="SAHYIK", entry_source="SAHYIK_clean.cif in CoRE"
)
NUMBERS = ComparedNumbers(
    cell_lengths=np.array([12.0, 12.5, 13.0]),
    crystal_density=0.6,
    largest_cavity=15.0,
    pore_limiting=8.0,
    area_per_mass=3600.0,
    area_per_volume=2100.0,
    void_fraction=0.5,
    helium_void_fraction=0.8,
    pores=Link[PoreAnalysis](PORES),
)
COMPARISON = FrameworkComparison(
    first_label="a.cif",
    second_label="a.cif, built again",
    first_numbers=NUMBERS,
    second_numbers=NUMBERS,
    change=ComparedNumbers(crystal_density=0.1),
    built_again=Link[ConstructedFramework](BUILT),
    remarks=("a remark",),
)
EVERYTHING: list[GraphModel] = [APART, ENTRY, NUMBERS, COMPARISON]
