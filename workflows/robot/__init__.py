"""Syntheses on a robot with one flask: procedures that are verified, permitted and simulated."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "procedure",
        "Verify and repair the synthesis in PROCEDURE, and simulate it once permitted.",
        "workflows.robot.request:PROCEDURE",
        section="Laboratory",
        computes=True,
        personal=True,
        graphs=("procedure",),
    ),
)
