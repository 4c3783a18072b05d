"""All tools, by name. Each is called as `await tools()[name](context, arguments)`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .job_tools import cancel_job, jobs
from .number_tools import convert_units, run_python
from .show_tools import ask_user, report, show_structure
from .store_tools import finding_tool, get, query
from .toolbox import Tool
from .web_tools import web_search
from .workflow_tools import workflow_tools

if TYPE_CHECKING:
    from grafico.session.settings import Settings


def tools(own_skills: str = "") -> dict[str, Tool]:
    """Return the tools in the order in which a model sees them, made of what is installed.

    Args:
        own_skills: the person's folder of skills; empty for none.
    """
    every = (
        *workflow_tools(own_skills), jobs, cancel_job, convert_units, run_python, finding_tool(),
        get, query, report, show_structure, ask_user, web_search,
    )  # fmt: skip
    return {one.name: one for one in every}


def usable(settings: Settings) -> dict[str, Tool]:
    """Return the tools that work here, with these settings."""
    return {
        name: one for name, one in tools(settings.skill_folder).items() if one.off(settings) is None
    }


def __getattr__(name: str) -> Any:
    """Return `TOOLS`, the tools as they are installed when somebody asks."""
    if name == "TOOLS":
        return tools()
    raise AttributeError(f"module {__name__} has no attribute {name}")
