"""Liquid handling: a typed design becomes a protocol that is checked, and carried out."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "protocol",
        "Plan the vials and steps of DESIGN.",
        "workflows.liquids.request:PROTOCOL",
        section="Laboratory",
        computes=True,
        graphs=("dispensing",),
    ),
)
