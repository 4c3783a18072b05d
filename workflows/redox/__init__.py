"""Redox: the potential at which a half reaction takes up its electrons."""

from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "redox",
        "Find the potential of HALF_REACTION.",
        "workflows.redox.request:DEFINITION",
        synonyms=("reduction potential", "redox potential"),
        subject=SubjectKind("half reaction"),
        call="HALF_REACTION(electrode=SHE|SCE|Fc+/Fc, electrode_potential)",
    ),
)
