"""Proposed frameworks are built, each as a run of its own, and what came of each is told."""

from __future__ import annotations

from collections.abc import Mapping

from ogm import KnowledgeGraph, Link
from ontologies.crystals import CrystalRelaxation
from ontologies.mof_proposals import FrameworkProposals, ProposedFramework
from ontologies.mofs import ConstructedFramework, Net, PoreAnalysis
from triplestore.errors import GraficoError
from workflows.engine import Executor, fan_out
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import Finished, completed, prepare
from workflows.registry import workflows
from workflows.text.words import count

MOST_BUILT = 100
"""Frameworks that one request builds: each takes some seconds, and its pores as many."""

BUILDS = "mof-build"
"""The workflow that builds them."""

NONE = "-"
"""What that workflow takes for an edge that binds its ends directly."""


async def built(
    found: FrameworkProposals, executor: Executor, wish: Mapping[str, object]
) -> FrameworkProposals:
    """Build all proposals of a page in parallel; one that fails leaves the others.

    Args:
        found: the proposals.
        executor: what builds them.
        wish: what is asked of each besides, as the workflow that builds takes it.
    """
    kg = executor.kg
    asked = {f"{one.rank}. {one.framework_name}": one for one in found.proposals}

    async def make(one: ProposedFramework) -> Finished:
        workflow = workflows().named(BUILDS)
        request = Request.of(workflow, (command(kg, one),), dict(wish))
        ready = await prepare(request, executor.unheard())
        return await completed(ready, executor)

    parts = await fan_out(executor, asked, make)
    told = tuple(_told(one, parts.results.get(key), parts.errors) for key, one in asked.items())
    remarks = found.remarks
    if parts.errors:
        remarks += (
            f"{count(len(parts.errors), 'proposal')} could not be built; reasons stand beside them",
        )
    if stopped := sum(one.framework_origin == "not relaxed" for one in told):
        remarks += (
            f"{count(stopped, 'framework')} stopped at the limit of steps: NOT RELAXED, and not "
            "measured; grafico mof build of it with more steps (max_steps) goes on",
        )
    return found.model_copy(update={"proposals": told, "remarks": remarks})


def command(kg: KnowledgeGraph, one: ProposedFramework) -> str:
    """Return how a proposal is named to the workflow that builds it: net, nodes, linkers."""
    net = kg.pull(Net, one.net.iri)
    held = {(part.placed_on, part.kind_number): part.block.iri for part in one.proposed}
    nodes = [held["vertex", kind.kind_number] for kind in net.vertex_kinds]
    linkers = [held.get(("edge", kind.kind_number), NONE) for kind in net.edge_kinds]
    return " ".join([net.name, *nodes, *(linkers if set(linkers) != {NONE} else ())])


def _told(
    one: ProposedFramework, done: Finished | None, errors: Mapping[str, GraficoError]
) -> ProposedFramework:
    """Return a proposal with what building it came to."""
    if done is None:
        error = errors[f"{one.rank}. {one.framework_name}"]
        return one.model_copy(update={"failure": str(error)})
    links: dict[str, object] = {}
    for answer in done.answers:
        if isinstance(answer.result, CrystalRelaxation):
            links["relaxed_as"] = Link[CrystalRelaxation](answer.recorded)
            links["framework_origin"] = "relaxed" if answer.result.converged else "not relaxed"
        if isinstance(answer.result, ConstructedFramework):
            links["built_as"] = Link[ConstructedFramework](answer.recorded)
        if isinstance(answer.result, PoreAnalysis):
            links["measured_as"] = Link[PoreAnalysis](answer.recorded)
    return one.model_copy(update=links)
