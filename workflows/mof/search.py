"""Frameworks that are not stored yet and may be built, found in the graph."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence

from ogm import Link
from ontologies.mof_proposals import (
    FrameworkProposals,
    FrameworkSelection,
    ProposedFramework,
    ProposedPlacement,
    SearchKind,
)
from ontologies.mofs import BuildingBlock, Framework, Net
from triplestore import Store
from triplestore.errors import InputError, NotFoundError
from workflows.text.words import count, listed

from .search_fits import Roles
from .search_graph import (
    CLOSEST,
    WIDEST_GAP,
    MofGraph,
    Place,
    framework_names,
    read_graph,
)
from .search_places import NOTHING, Candidates, Fitting, Restricted, candidates
from .search_rank import Combination, best_first

MOST = 1000
"""Proposals of a search that can be seen, by rank."""

RMSD_LIMIT = 0.3
"""How far a block may be from the figure that is asked for, of unit vectors, as those take it who
build with PORMAKE (S. Lee et al., ACS Appl. Mater. Interfaces 13, 23647 (2021)): it sets none."""


def search(
    store: Store,
    selection: FrameworkSelection,
    kind: SearchKind = "intra",
    *,
    rmsd_limit: float = RMSD_LIMIT,
    page: int = 1,
    limit: int = 20,
) -> FrameworkProposals:
    """Return frameworks that are not stored, the best first.

    Args:
        store: what is searched.
        selection: which nets and blocks take part.
        kind: `intra`: blocks that stand on that net, each in some framework, but never together;
            `cross`: blocks whose roles fit what the net asks for, whether they were seen there
            or not.
        rmsd_limit: of `cross`, how far a block may be from what is asked for.
        page: which page, from 1.
        limit: proposals of a page.

    Raises:
        NotFoundError: no framework is stored whose net and blocks are known.
        InputError: the page is beyond the last.
    """
    graph = read_graph(store, selection.net_symbols)
    if not graph.frameworks and not (kind == "cross" and graph.nets and graph.fits):
        on = f" on {listed(selection.net_symbols)}" if selection.net_symbols else ""
        raise NotFoundError(
            "new frameworks were searched for",
            f"none{on} is stored with its net and its blocks",
            "build some first, or take some apart",
        )
    only = Restricted(
        frozenset(one.iri for one in selection.nodes) or None,
        frozenset(one.iri for one in selection.linkers) or None,
    )
    roles = Roles(graph.fits, rmsd_limit) if kind == "cross" else None
    nets = {one.net.iri: one for one in candidates(graph, only, roles)}
    total = sum(one.count for one in nets.values())
    first, seen = (page - 1) * limit, min(total, MOST)
    if page > 1 and first >= seen:
        last = max(1, -(-seen // limit))
        raise InputError(
            f"page {page} of a search was asked for",
            f"there are {count(seen, 'proposal')} on {count(last, 'page')} of {limit}",
            f"ask for page {last} or less" if last > 1 else "ask for page 1",
        )
    ways = [way for one in nets.values() for way in one.ways]
    new = (one for one in best_first(ways) if one.blocks not in nets[one.net].known)
    chosen = list(itertools.islice(new, first, min(first + limit, seen)))
    names = framework_names(store, _proofs(chosen, nets))
    remarks = [] if total else [_why_none(graph, selection, only, kind, list(nets.values()))]
    if poor := sum(not one.sound for one in graph.frameworks):
        remarks.append(
            f"{count(poor, 'framework')} whose blocks do not go together (a gap above "
            f"{WIDEST_GAP} Å, or atoms nearer than {CLOSEST} Å) count as stored, not as seen"
        )
    if total > MOST:
        remarks.append(f"of {total:,} combinations the first {MOST:,} by rank can be seen")
    return FrameworkProposals(
        selection=selection,
        search_kind=kind,
        rmsd_limit=rmsd_limit if roles else None,
        combinations=total,
        frameworks_known=len(graph.frameworks),
        page_number=page,
        proposals=tuple(
            _proposal(graph, nets[one.net], one, number, names)
            for number, one in enumerate(chosen, first + 1)
        ),
        remarks=tuple(remarks),
    )


def _proofs(chosen: Sequence[Combination], nets: Mapping[str, Candidates]) -> Iterator[str]:
    """Iterate over the frameworks that are told as examples."""
    for one in chosen:
        net = nets[one.net]
        for place, block in zip(net.places, one.blocks, strict=True):
            if (place, block) in net.seen:
                yield net.seen[place, block][1]


def _proposal(
    graph: MofGraph, net: Candidates, one: Combination, rank: int, names: Mapping[str, str]
) -> ProposedFramework:
    return ProposedFramework(
        rank=rank,
        framework_name=one.name,
        net=Link[Net](net.net.iri),
        proposed=tuple(
            ProposedPlacement(
                block=Link[BuildingBlock](option.block),
                placed_on=place.on,
                kind_number=place.kind,
                rmsd_bound=round(option.deviation, 6),
                reason=_reason(graph, net, place, option.block, names),
                proven_by=_proof(net, place, option.block),
            )
            for place, option in zip(net.places, one.options, strict=True)
            if option.block != NOTHING
        ),
        worst_rmsd=round(one.deviation, 6),
    )


def _proof(net: Candidates, place: Place, block: str) -> Link[Framework] | None:
    found = net.seen.get((place, block))
    return Link[Framework](found[1]) if found else None


def _reason(
    graph: MofGraph, net: Candidates, place: Place, block: str, names: Mapping[str, str]
) -> str:
    """Return why a block is proposed at a place."""
    if (place, block) in net.seen:
        number, example = net.seen[place, block]
        some = count(number, "framework")
        return f"stands there in {some} on {net.net.name}, such as {names.get(example, example)}"
    if place.on == "edge" or not isinstance(net.filling, Fitting):
        return "has two connection points"
    chain = net.filling.chains(place)[block]
    if chain.measured:
        return f"was compared with what the net asks for: {chain.rmsd:.3f} apart"
    between = [graph.blocks[iri].formula for iri in chain.by[1:-1:2]]
    return f"at most {chain.rmsd:.3f} from what the net asks for: has a role of {listed(between)}"


def _why_none(
    graph: MofGraph,
    selection: FrameworkSelection,
    only: Restricted,
    kind: SearchKind,
    nets: Sequence[Candidates],
) -> str:
    """Return why there is no combination that is not stored."""
    if nets:
        return "nothing new: all combinations of these blocks are stored"
    where = f"on {listed(selection.net_symbols)}" if selection.net_symbols else "on any net"
    for blocks, noun in ((only.nodes, "metal nodes"), (only.linkers, "linkers")):
        stand = {iri for one in graph.frameworks for held in one.blocks.values() for iri in held}
        if kind == "intra" and blocks and not blocks & stand:
            return f"none of the {noun} that are named stands {where}"
    return (
        f"no net has a place for each of the blocks that are named: nothing fits {where}"
        if selection != FrameworkSelection()
        else "no net can be filled with the blocks that are stored"
    )
