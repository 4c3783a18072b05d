"""What is often asked for and no workflow does yet; an entry goes when a workflow has its name."""

from __future__ import annotations

from workflows.names import plain
from workflows.registry import workflows

LACKING = {
    "nmr": "NMR",
    "conformers": "conformer searches",
    "framework": "periodic solids (MOFs)",
    "dynamics": "molecular dynamics",
}
"""What is often asked for, by the name that its workflow would have."""


def lacking() -> list[str]:
    """Return what is often asked for and no workflow that is installed does."""
    names = {name for one in workflows().values() for name in one.names}
    return [text for name, text in LACKING.items() if plain(name) not in names]
