"""What people write for clusters: their level is one word, and all of them are relaxed."""

from __future__ import annotations

import re

from workflows.registry.spoken import Sentence

OTHER = re.compile(r"(?i)\b(?P<count>\d{1,3}) (?:(?:of them|waters|water molecules|of these)\b)")


def wholes(at: Sentence) -> None:
    """Take out how many molecules are put around, where that is as before but for their number."""
    if at.before is None or at.before.workflow != "clusters":
        return
    water = at.before.asked.get("solvent") == [{"solvent": "water"}]
    for one in list(OTHER.finditer(at.rest)):
        if water or "water" not in one[0].lower():
            at.blank(*one.span())
            at.ask("count", int(one["count"]))


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
