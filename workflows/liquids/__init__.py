"""Liquid handling: a typed design becomes a protocol that is checked; no device is driven."""

from workflows.registry import Action

ACTIONS = (
    Action(
        "protocol",
        "Plan the vials and steps of DESIGN.",
        "workflows.liquids.request:PROTOCOL",
    ),
)
