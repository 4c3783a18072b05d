"""What molecules have in common: functional groups, similarity, and analogues of one."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "groups",
        "Name the functional groups of MOLECULE, with their atoms.",
        "workflows.analogues.grouping:GROUPS",
    ),
    Action(
        "similar",
        "Say how similar other molecules are to MOLECULE.",
        "workflows.analogues.similarity:SIMILAR",
    ),
    Action(
        "modify",
        "Write analogues of MOLECULE by published transformations.",
        "workflows.analogues.modifying:MODIFY",
    ),
)
