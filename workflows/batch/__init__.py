"""Batches: any workflow on each of many subjects, read from one source."""

from workflows.registry import SubjectKind, Workflow, Wrapper

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

WRAPPERS = (
    Wrapper(
        "compare",
        "Ask the same at several levels or other settings: grafico compare water --method HF,PBE0.",
        "workflows.batch.comparing:COMPARE",
        synonyms=("comparison",),
        at_once=True,
    ),
    Wrapper(
        "converge",
        "Go to better settings until a result is converged: grafico converge O --quantity dipole.",
        "workflows.batch.converging:CONVERGE",
        synonyms=("convergence",),
    ),
)
