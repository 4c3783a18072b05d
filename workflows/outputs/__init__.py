"""What other programs computed, read from output files; an answer only where it is accepted."""

from workflows.registry import Reader

READERS = (
    Reader(
        "imported",
        "an output of ORCA, Gaussian, Psi4, Q-Chem, NWChem or xtb",
        "workflows.outputs.bring:bring_in",
        answers="workflows.outputs.answering:accepted",
    ),
)
