"""Pi electrons by Hückel's method."""

from workflows.registry import Workflow

LEVELS = {"Huckel": "huckel.program:HUCKEL"}

WORKFLOWS = (
    Workflow(
        "pi-electrons", "Find the pi orbitals of a chain or ring of carbon atoms.",
        "huckel.workflow:PI_ELECTRONS", verb="pi", synonyms=("huckel",),
    ),
)  # fmt: skip
