"""Metal-organic frameworks: built of nodes and linkers on nets, taken apart, measured, searched."""

from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "mof-search", "Propose frameworks that are not stored yet, by what is.",
        "workflows.mof.search_request:DEFINITION", verb="mof search",
        synonyms=("framework search", "combinatorial search"),
    ),
)  # fmt: skip
