"""Lists of chemicals that are controlled, and of explosives: what is on them is not made."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "controlled",
        "Say on which lists of controlled chemicals and explosives CHEMICALS stand.",
        "workflows.controlled.screening:CONTROLLED",
    ),
)
