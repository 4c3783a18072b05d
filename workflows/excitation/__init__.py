"""Excitations: S1 and T1 of molecules beside each other."""

from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "excitations",
        "Find S1, T1 and their gap of MOLECULES.",
        "workflows.excitation.request:DEFINITION",
        verb="excite",
        synonyms=("S1-T1 gap", "excitation"),
        subject=SubjectKind("molecule set"),
        call="MOLECULES(order=as given|S1|T1|gap|strength)",
    ),
)
