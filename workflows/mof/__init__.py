"""Metal-organic frameworks: built of nodes and linkers on nets, taken apart, measured, searched."""

from workflows.registry import Workflow

WORKFLOWS = (
    Workflow(
        "mof-search", "Propose frameworks that are not stored yet, by what is.",
        "workflows.mof.search_request:DEFINITION", verb="mof search",
        synonyms=("framework search", "combinatorial search"),
    ),
    Workflow(
        "mof-explore", "Tell what stored frameworks have in common: pores by net.",
        "workflows.mof.explore_request:DEFINITION", verb="mof explore",
        synonyms=("explore frameworks", "framework survey"),
    ),
)  # fmt: skip
