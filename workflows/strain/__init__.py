"""Ring strain: reactions that open a ring into chains of the same links."""

from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "strain",
        "Find the ring strain of MOLECULE.",
        "workflows.strain.request:STRAIN",
        synonyms=("ring strain",),
    ),
)
