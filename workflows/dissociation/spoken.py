"""Which bond people mean: "the O-H bond dissociation energy of phenol"."""

from __future__ import annotations

from workflows.registry.spoken import Sentence


def settle(at: Sentence) -> None:
    """Break the bonds that are named by their elements or numbers, and no others."""
    if at.workflow == "bond-dissociation" and at.parts:
        at.ask("bonds", {"bonds": list(dict.fromkeys(at.parts))})
