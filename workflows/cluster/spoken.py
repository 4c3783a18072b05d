"""What people write for clusters: their level is one word, and all of them are relaxed."""

from __future__ import annotations

from workflows.registry.spoken import Sentence


def settle(at: Sentence) -> None:
    """Let a method that was named be the level of a cluster."""
    if at.workflow == "clusters":
        if at.asked.get("task") == [{"task": "optimise"}]:
            del at.asked["task"]
        levels = at.asked.pop("level", [])
        at.asked |= (
            {"level": [{"level": one["method"]} if [*one] == ["method"] else one for one in levels]}
            if levels
            else {}
        )
