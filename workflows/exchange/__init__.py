"""Results for other programs: their inputs, QCSchema and trajectories."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "write",
        "Write a result for another program: its input, QCSchema or frames.",
        "workflows.exchange.writing:WRITE",
    ),
)
