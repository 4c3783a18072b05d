"""What is meant by a sentence that names a correlated method."""

from __future__ import annotations

from workflows.registry.spoken import Sentence

from .levels import is_correlated


def settle(at: Sentence) -> None:
    """Ask for the dipole where it is wanted of a correlated method, which does not tell it."""
    asked = [str(one.get("method", "")) for one in at.asked.get("level", [])]
    if "dipole" in {name for _, name in at.reads} and any(map(is_correlated, asked)):
        at.ask("dipole", True)
