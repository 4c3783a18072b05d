"""Which bond people mean: "the O-H bond dissociation energy of phenol"."""

from __future__ import annotations

from workflows.registry.spoken import Sentence


def settle(at: Sentence) -> None:
    """Break the bonds that are named by their elements or numbers, and no others."""
    parts = list(dict.fromkeys(at.parts))
    if at.workflow != "bond-dissociation" or not parts:
        return
    if len(parts) > 1 and len({one.given for one in at.subjects}) > 1:
        each = (f"{parts[0]} bond dissociation energy of {one.given}" for one in at.subjects[:1])
        at.refuse("which of the bonds is whose is not clear", *each, "ask in turn")
    at.ask("bonds", {"bonds": parts})
