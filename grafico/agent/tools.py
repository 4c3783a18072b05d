"""All tools, by name. Each is called as `await TOOLS[name](desk, arguments)`."""

from __future__ import annotations

from .comparing import interaction, spin_states
from .computing import calculate, resume
from .deriving import convert_units, run_python
from .memory import find_results, get, ontology, query
from .synthesizer import microwave
from .telling import ask_user, report, show_structure
from .toolbox import Tool

TOOLS: dict[str, Tool] = {
    one.name: one
    for one in (
        calculate, resume, spin_states, interaction, convert_units, run_python, find_results, get,
        query, ontology, report, show_structure, ask_user, microwave,
    )
}  # fmt: skip
"""In the order in which a model sees them."""


def usable() -> dict[str, Tool]:
    """Return the tools that work here."""
    return {name: one for name, one in TOOLS.items() if one.off() is None}
