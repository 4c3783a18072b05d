"""What is shown of a framework that was taken apart."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.mof_parts import TakenApart
from workflows.molecule.blocks import structure
from workflows.show.blocks import Block, Column, Fact, Note, Table
from workflows.show.object_blocks import Around, shows


@shows(TakenApart, whole=True)
def _(found: TakenApart, around: Around) -> Iterator[Block]:
    del around
    framework = found.framework
    net = framework.net.name if framework.net else "without a name"
    yield Fact(
        "net",
        net,
        name="net",
        headline=True,
        note=f"also {', '.join(framework.other_nets)}" if framework.other_nets else "",
        fields=("framework",),
    )
    if framework.framework_dimensionality is not None:
        yield Fact(
            "repeats in",
            framework.framework_dimensionality,
            "directions",
            name="framework_dimensionality",
        )
    if framework.catenation is not None:
        yield Fact(
            "nets through each other",
            framework.catenation,
            name="catenation",
            headline=framework.catenation > 1,
        )
    yield Table(
        "Blocks",
        (
            Column("block", name="block_code"),
            Column("stands on", name="placed_on"),
            Column("kind", name="kind_number"),
            Column("RMSD", name="figure_rmsd", digits=".3f"),
            Column("connections", name="connections"),
            Column("in the cell", name="placements"),
            Column("object", name="block", minor=True),
        ),
        tuple(
            (
                one.block.block_code,
                one.placed_on,
                one.kind_number,
                one.figure_rmsd,
                one.block.connections,
                one.placements,
                one.block.iri,
            )
            for one in framework.blocks
        ),
        "blocks",
    )
    if found.designs:
        names = [one.name for one in found.designs]
        yield Fact(
            "as blocks of the library",
            names[0],
            name="design",
            fields=("designs",),
            note=f"also {', '.join(names[1:])}" if names[1:] else "",
            iri=found.designs[0].iri,
        )
    removed = ", ".join(found.removed) or "nothing"
    yield Fact(
        "removed from the cell",
        removed,
        name="removed",
        fields=("solvent_choice",),
        note=f"solvent: {found.solvent_choice}",
    )
    if found.lacking_hydrogens:
        yield Fact(
            "carbon atoms without their hydrogens",
            found.lacking_hydrogens,
            name="lacking_hydrogens",
        )
    size = f"{found.net_vertices} vertices and {found.net_edges} edges in the smallest cell"
    yield Fact(
        "key of the net",
        found.net_key or "none",
        name="net_key",
        minor=True,
        note=size if found.net_vertices else "",
        fields=("key_is_exact", "net_vertices", "net_edges"),
    )
    yield Fact("framework", framework.iri, name="framework", minor=True)
    yield structure(framework.atoms, "framework", "as it was cleaned")
    for text in found.remarks:
        yield Note(text)
