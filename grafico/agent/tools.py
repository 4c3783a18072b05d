"""All tools, by name. Each is called as `await TOOLS[name](desk, arguments)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .computing import calculate, interaction, microwave, resume, spin_states
from .deriving import convert_units, run_python
from .memory import find_results, get, ontology, query
from .searching import web_search
from .telling import ask_user, report, show_structure
from .toolbox import Tool

if TYPE_CHECKING:
    from grafico.settings import Settings

TOOLS: dict[str, Tool] = {
    one.name: one
    for one in (
        calculate, resume, spin_states, interaction, convert_units, run_python, find_results, get,
        query, ontology, report, show_structure, ask_user, microwave, web_search,
    )
}  # fmt: skip
"""In the order in which a model sees them."""


def usable(settings: Settings) -> dict[str, Tool]:
    """Return the tools that work here, with these settings."""
    return {name: one for name, one in TOOLS.items() if one.off(settings) is None}
