"""What is shown of proposed frameworks and of where they were looked for."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.mof_proposals import FrameworkProposals, FrameworkSelection, ProposedFramework
from workflows.show.blocks import Block, Column, Fact, Note, Table
from workflows.show.object_blocks import Around, shows
from workflows.text.words import listed


@shows(FrameworkSelection)
def _(found: FrameworkSelection, around: Around) -> Iterator[Block]:
    del around
    yield Fact("nets", listed(found.net_symbols) or "all", name="net_symbols")
    nodes = tuple(one.iri for one in found.nodes)
    yield Fact(
        "metal nodes",
        listed([one.formula for one in found.nodes]) or "all",
        name="nodes",
        iri=nodes[0] if len(nodes) == 1 else "",
    )
    linkers = tuple(one.iri for one in found.linkers)
    yield Fact(
        "linkers",
        listed([one.formula for one in found.linkers]) or "all",
        name="linkers",
        iri=linkers[0] if len(linkers) == 1 else "",
    )


@shows(FrameworkProposals, whole=True)
def _(found: FrameworkProposals, around: Around) -> Iterator[Block]:
    del around
    how = {
        "intra": "of blocks that stand on that net, never together",
        "cross": "of blocks whose roles fit the net",
    }[found.search_kind]
    yield Fact("new frameworks", found.combinations, name="combinations", headline=True, note=how)
    yield Fact("search", found.search_kind, name="search_kind", minor=True)
    if found.rmsd_limit is not None:
        yield Fact(
            "farthest",
            found.rmsd_limit,
            name="rmsd_limit",
            digits="g",
            note="root mean square of unit vectors",
        )
    yield Fact("stored", found.frameworks_known, name="frameworks_known", note="left out")
    if found.proposals:
        first, last = found.proposals[0].rank, found.proposals[-1].rank
        yield Fact("shown", f"{first} to {last}", name="page_number", minor=True)
        tried = any(one.built_as or one.failure for one in found.proposals)
        led = any(one.framework_origin for one in found.proposals)
        yield Table(
            "Proposals",
            (
                Column("rank", name="rank"),
                Column("framework", name="framework_name"),
                Column("worst fit", name="worst_rmsd", digits=".3f"),
                Column("why", name="reason"),
                *((Column("built", name="built_as"),) if tried else ()),
                *((Column("geometry", name="framework_origin"),) if led else ()),
                Column("net", name="net", minor=True),
                Column("blocks", name="proposed", minor=True),
                Column("proposal", name="iri", minor=True),
            ),
            tuple(
                (
                    one.rank,
                    one.framework_name,
                    one.worst_rmsd,
                    _why(one),
                    *((one.built_as.iri if one.built_as else one.failure,) if tried else ()),
                    *((_geometry(one),) if led else ()),
                    one.net.iri,
                    ", ".join(part.block.iri for part in one.proposed),
                    one.iri,
                )
                for one in found.proposals
            ),
            "proposals",
            fields=("proposals",),
            many=True,
            note="the worst fit is the root mean square distance of unit vectors, at most",
        )
    for text in found.remarks:
        yield Note(text)


def _geometry(one: ProposedFramework) -> str:
    return "NOT RELAXED" if one.framework_origin == "not relaxed" else one.framework_origin or ""


def _why(one: ProposedFramework) -> str:
    return "; ".join(f"{part.placed_on}: {part.reason}" for part in one.proposed)
