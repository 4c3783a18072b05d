"""A framework taken apart."""

from ogm import GraphModel
from ontologies.mof_parts import CrystalEntry, TakenApart
from tests.ontologies.instances_mofs import CRYSTAL, FRAMEWORK

APART = TakenApart(
    atoms=CRYSTAL, framework=FRAMEWORK, solvent_choice="all", removed=("2 H2O",), net_key="abc",
    key_is_exact=False, net_vertices=1, net_edges=3, lacking_hydrogens=4, remarks=("a remark",),
).identified("https://example.org/apart")  # fmt: skip
ENTRY = CrystalEntry(
    atoms=CRYSTAL, reference_code="SAHYIK", entry_source="SAHYIK_clean.cif in CoRE"
)
EVERYTHING: list[GraphModel] = [APART, ENTRY]
