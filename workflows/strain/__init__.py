"""Ring strain: reactions that open a ring into chains of the same links."""

from workflows.molecule import MOLECULE
from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "strain",
        "Find the ring strain of MOLECULE.",
        "workflows.strain.request:STRAIN",
        synonyms=("ring strain",),
        subject=MOLECULE,
        call="MOLECULE(scheme=isodesmic|homodesmotic|hyperhomodesmotic|contraction, "
        "reference_ring)",
    ),
)
