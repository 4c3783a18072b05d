"""All tools, by name. Each is called as `await tools()[name](desk, arguments)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .deriving import convert_units, run_python
from .memory import finding_tool, get, ontology, query
from .searching import web_search
from .telling import ask_user, report, show_structure
from .toolbox import Tool
from .workflows import workflow_tools

if TYPE_CHECKING:
    from grafico.session.settings import Settings


def tools() -> dict[str, Tool]:
    """Return the tools in the order in which a model sees them, made of what is installed."""
    every = (
        *workflow_tools(), convert_units, run_python, finding_tool(), get, query, ontology, report,
        show_structure, ask_user, web_search,
    )  # fmt: skip
    return {one.name: one for one in every}


def usable(settings: Settings) -> dict[str, Tool]:
    """Return the tools that work here, with these settings."""
    return {name: one for name, one in tools().items() if one.off(settings) is None}


def __getattr__(name: str) -> Any:
    """Return `TOOLS`, the tools as they are installed when somebody asks."""
    if name == "TOOLS":
        return tools()
    raise AttributeError(f"module {__name__} has no attribute {name}")
