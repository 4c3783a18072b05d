"""What other programs computed, read from their output files: found and shown, never an answer."""

from workflows.registry import Reader

READERS = (
    Reader(
        "imported",
        "an output of ORCA, Gaussian, Psi4, Q-Chem, NWChem or xtb",
        "workflows.outputs.bring:bring_in",
    ),
)
