"""Metal-organic frameworks: built of nodes and linkers on nets, taken apart, measured, searched."""

from workflows.molecule import MOLECULE
from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "mof-process", "Take a framework apart into its net, nodes and linkers.",
        "workflows.mof.process:PROCESS", verb="mof process",
        synonyms=("process mof", "take a framework apart", "mof decomposition"),
        subject=MOLECULE,
    call="CRYSTAL",),
    Workflow(
        "mof-search", "Propose frameworks that are not stored yet, by what is.",
        "workflows.mof.search_request:DEFINITION", verb="mof search",
        synonyms=("framework search", "combinatorial search"),
        subject=SubjectKind(),
    call="(net[], nodes[])",),
    Workflow(
        "mof-explore", "Tell what stored frameworks have in common: pores by net.",
        "workflows.mof.explore_request:DEFINITION", verb="mof explore",
        synonyms=("explore frameworks", "framework survey"),
        subject=SubjectKind(),
    call="(net[], nodes[])",),
    Workflow(
        "mof-build", "Build a framework of building blocks on a net.",
        "workflows.mof.request:BUILD", verb="mof build",
        synonyms=("build mof", "build framework", "run_mof_workflow"),
        subject=SubjectKind("framework design"),
    call="BLOCKS(powder, measure)",),
    Workflow(
        "mof-compare", "Compare a crystal with another, or with what its blocks build.",
        "workflows.mof.compare_request:COMPARE", verb="mof compare",
        synonyms=("compare frameworks", "rebuild framework"),
        subject=MOLECULE,
    call="CRYSTAL(other, shapes=relaxed|unrelaxed)",),
    Workflow(
        "mof-measure", "Measure the pores of a crystal.",
        "workflows.mof.request:MEASURE", verb="mof measure",
        synonyms=("measure mof", "pores"),
        subject=MOLECULE,
    call="CRYSTAL(powder)",),
)  # fmt: skip
