"""Results for other programs: their inputs, orbitals, QCSchema and trajectories."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "write",
        "Write a result for another program: its input, orbitals, QCSchema or frames.",
        "workflows.exchange.writing:WRITE",
        computes=True,
        of_results=True,
    ),
)
