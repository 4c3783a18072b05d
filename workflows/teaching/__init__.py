"""A person teaches the order of a device's commands: words become a rule that planners keep."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "teach",
        "Teach a rule on a device's commands, as CORRECTION says it.",
        "workflows.teaching.asking:TEACH",
        section="Laboratory",
        personal=True,
        graphs=("teaching", "memo"),
    ),
)
