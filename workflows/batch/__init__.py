"""Batches: any workflow on each of many subjects, read from one source."""

from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "batch",
        "Compute each entry of SOURCE.",
        "workflows.batch.request:DEFINITION",
        synonyms=("screening", "screen"),
        subject=SubjectKind("source", sources=(".csv", ".tsv", ".tab", ".smi", ".smiles", ".ism")),
        call="SOURCE(each, arguments, columns, sort, top, where)",
    ),
)
