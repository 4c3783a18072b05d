"""Results for other programs: their inputs, orbitals, QCSchema and trajectories."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "write",
        "Write a result for another program, or its input for a molecule that nobody computes.",
        "workflows.exchange.writing:WRITE",
        computes=True,
        of_results=True,
    ),
)
