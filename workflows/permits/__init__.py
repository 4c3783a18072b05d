"""What a person lets be made: statements on materials, and permissions to do a plan once.

Whatever makes something writes a `MakingPlan` and asks `permitted`; see `permission`.
"""

from workflows.registry import Action

ACTIONS = (
    Action(
        "statement",
        "State, as a person, what a material is, so that it may be part of a plan.",
        "workflows.permits.stating:STATEMENT",
        section="Laboratory",
        personal=True,
        graphs=("statement",),
    ),
    Action(
        "permit",
        "Ask a person to let a plan with CHEMICALS be done once.",
        "workflows.permits.planning:PERMITTING",
        section="Laboratory",
        graphs=("permit",),
    ),
)
