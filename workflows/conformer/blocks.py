"""What is shown of conformers: the table, their levels, the lowest geometry."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.conformers import Conformer, ConformerEnsemble, SamenessThresholds
from ontologies.factors import HARTREE
from workflows.molecule.blocks import structure
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Note, Series, Table
from workflows.show.object_blocks import Around, shows
from workflows.text.words import count

from .weights import told

KCAL, JOULE = HARTREE["kcal/mol"], HARTREE["kJ/mol"] * 1000


@shows(ConformerEnsemble, whole=True)
def _(found: ConformerEnsemble, around: Around) -> Iterator[Block]:
    del around
    low, gibbs = found.lowest.energy, [one.gibbs_energy for one in found.conformers]
    lowest = min((one for one in gibbs if one is not None), default=0.0)
    vibrating = None not in gibbs
    yield Fact(
        "conformers",
        len(found.conformers),
        name="conformers",
        headline=True,
        note=f"at {found.level.label}",
        fields=("conformers", "level"),
    )
    yield Fact(
        "lowest conformer",
        100 * found.lowest.weight,
        "%",
        "share",
        digits=".1f",
        headline=True,
        note="of the molecules",
        fields=(),
    )
    yield Fact(
        "weighted by",
        found.weighted_by,
        name="weighted_by",
        at=(Fact("at", found.temperature, "K", "temperature", digits="g"),),
    )
    if found.mean_energy is not None:
        yield Fact("mean energy", found.mean_energy, "Eh", "mean_energy", digits=".8f")
    if found.conformational_entropy is not None:
        yield Fact(
            "conformational entropy",
            found.conformational_entropy * JOULE,
            "J/(mol K)",
            "conformational_entropy",
            digits=".2f",
            also=(
                Fact(
                    "", found.conformational_entropy, "Eh/K", "conformational_entropy", digits=".3e"
                ),
            ),
        )
    if found.ensemble_gibbs is not None:
        yield Fact(
            "Gibbs energy",
            found.ensemble_gibbs,
            "Eh",
            "ensemble_gibbs",
            digits=".8f",
            note="of all together, mixing included",
        )
    yield Fact("starts", found.sampler, name="sampler", minor=True)
    if found.refined is not None:
        yield Fact("refined from", found.refined.iri, name="refined", minor=True)
    near = found.thresholds
    yield Fact(
        "one conformer",
        f"within {near.energy_gap * KCAL:.3g} kcal/mol, {near.deviation:g} Å (RMSD) and "
        f"{100 * near.rotation:g} % (rotational constants)" + _close(near),
        name="thresholds",
        minor=True,
    )
    yield Table(
        "Conformers",
        (
            Column("conformer", name="number"),
            Column("energy", "Eh", "energy", ".8f"),
            Column("above", "kcal/mol", "relative_energy", ".2f"),
            *((Column("ΔG", "kcal/mol", "relative_gibbs", ".2f"),) if vibrating else ()),
            Column("degeneracy", name="degeneracy"),
            Column("weight", "%", "share", ".1f"),
            Column("geometry", name="atoms", minor=True),
            Column("result", name="result", minor=True),
        ),
        tuple(
            (
                one.number,
                one.energy,
                (one.energy - low) * KCAL,
                *(
                    ((one.gibbs_energy - lowest) * KCAL,)
                    if one.gibbs_energy is not None and vibrating
                    else ()
                ),
                one.degeneracy,
                100 * one.weight,
                one.atoms.iri,
                one.result.iri,
            )
            for one in found.conformers
        ),
        "ensemble",
        fields=("conformers",),
    )
    if len(found.conformers) > 1:
        yield _levels(found)
    yield structure(found.lowest.atoms, "lowest conformer", "of the lowest energy")
    for text in found.left_out:
        yield Note(f"left out: {text}")
    for text in told(found):
        yield Note(text)


@shows(Conformer)
def _(found: Conformer, around: Around) -> Iterator[Block]:
    del around
    yield Fact("conformer", found.number, name="number", headline=True)
    yield Fact("energy", found.energy, "Eh", "energy", digits=".8f", headline=True)
    if found.gibbs_energy is not None:
        yield Fact("Gibbs energy", found.gibbs_energy, "Eh", "gibbs_energy", digits=".8f")
    yield Fact(
        "weight",
        100 * found.weight,
        "%",
        "weight",
        digits=".1f",
        headline=True,
        note=f"degeneracy {found.degeneracy}",
        fields=("weight", "degeneracy"),
    )


def _close(near: SamenessThresholds) -> str:
    if near.close_gap is None or near.close_deviation is None:
        return ""
    return (
        f", or within {near.close_gap * KCAL:.3g} kcal/mol and {near.close_deviation:g} Å whatever "
        "the rotational constants"
    )


def _levels(found: ConformerEnsemble) -> Chart:
    """Return the share of the molecules in each conformer, over its energy."""
    low = found.lowest.energy
    energies = tuple((one.energy - low) * KCAL for one in found.conformers)
    shares = tuple(100 * one.weight for one in found.conformers)
    labels = tuple(str(one.number) for one in found.conformers)
    return Chart(
        "Populations",
        Axis("ΔE", "kcal/mol"),
        Axis("weight", "%"),
        (Series("", energies, shares, "sticks", labels),),
        "populations",
        note=f"Boltzmann weights by {found.weighted_by} at {found.temperature:g} K; numbers are "
        f"those of {count(len(shares), 'conformer')}",
    )
