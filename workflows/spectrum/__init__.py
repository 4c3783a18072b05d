"""Spectra of ensembles of conformers: each conformer's lines, summed by its weight."""

from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "spectra",
        "Find UV-Vis or IR spectra of ENSEMBLES.",
        "workflows.spectrum.request:DEFINITION",
        verb="spectrum",
        synonyms=("ensemble spectrum",),
        subject=SubjectKind("ensemble set"),
        call="ENSEMBLES(kind=uv|ir, up_to)",
    ),
)
