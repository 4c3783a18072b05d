"""What is shown of clusters: how strongly they hold, their table, the lowest of them."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.clusters import SolventCluster
from ontologies.factors import HARTREE
from workflows.molecule.blocks import structure
from workflows.show.blocks import Block, Column, Fact, Note, Table
from workflows.show.object_blocks import Around, shows

KCAL = HARTREE["kcal/mol"]


@shows(SolventCluster, whole=True)
def _(found: SolventCluster, around: Around) -> Iterator[Block]:
    del around
    members = found.ensemble.conformers
    yield Fact(
        "cluster",
        f"{found.solute.formula} with {found.count} {found.solvent_name}",
        name="solvent_name",
        note=f"at {found.level.label}",
        headline=True,
        fields=("solvent_name", "count", "level"),
    )
    yield Fact(
        "association energy", KCAL * found.association_energy, "kcal/mol", "association_energy",
        digits=".2f", headline=True, note="the lowest cluster less its molecules alone, relaxed",
        also=(Fact("", found.association_energy, "Eh", "association_energy", digits=".6f"),
              Fact("", KCAL * found.energy_per_molecule, "kcal/mol", "energy_per_molecule",
                   digits=".2f", note=f"for each {found.solvent_name}"),),
    )  # fmt: skip
    yield Fact("geometries", len(members), name="geometries", note=found.engine, fields=("engine",))
    yield Fact("ensemble", found.ensemble.iri, name="ensemble", minor=True)
    yield Fact("solute alone", found.solute_energy, "Eh", "solute_energy", digits=".8f", minor=True)
    yield Fact(
        "solvent alone", found.solvent_energy, "Eh", "solvent_energy", digits=".8f", minor=True
    )
    alone = found.solute_energy + found.count * found.solvent_energy
    yield Table(
        "Clusters",
        (
            Column("cluster", name="number"),
            Column("energy", "Eh", "energy", ".8f"),
            Column("above", "kcal/mol", "relative_energy", ".2f"),
            Column("association", "kcal/mol", "association_energy", ".2f"),
            Column("degeneracy", name="degeneracy", minor=True),
            Column("weight", "%", "share", ".1f"),
            Column("geometry", name="atoms", minor=True),
            Column("result", name="result", minor=True),
        ),
        tuple(
            (
                one.number,
                one.energy,
                KCAL * (one.energy - members[0].energy),
                KCAL * (one.energy - alone),
                one.degeneracy,
                100 * one.weight,
                one.atoms.iri,
                one.result.iri,
            )
            for one in members
        ),
        "clusters",
        fields=("ensemble",),
    )
    yield structure(found.ensemble.lowest.atoms, "lowest cluster", "of the lowest energy")
    for text in found.ensemble.left_out:
        yield Note(f"left out: {text}")
    for text in (*found.remarks, *found.ensemble.remarks):
        yield Note(text)
