"""Transition states: searched, verified, followed to both sides."""

from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "transition",
        "Find the transition state near GUESS, its path and its barriers.",
        "workflows.transition.workflow:TRANSITION",
        synonyms=("transition state", "ts", "saddle point", "reaction barrier", "irc", "neb"),
        subject=SubjectKind("guess"),
        call="GUESS(along[], product)",
    ),
)
