"""What the twelve do: each compares spin states under a name of its own."""

from __future__ import annotations

from dataclasses import replace

from workflows.dft.graphs.spin_states import compare_states, compute_states
from workflows.dft.request.definitions import COMPARE_SPINS
from workflows.engine import StepGraph

from . import TITLES

for name in TITLES:
    globals()[name.replace("-", "_")] = replace(
        COMPARE_SPINS, graph=StepGraph(name, compute_states, compare_states)
    )
