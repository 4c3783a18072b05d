"""What is shown of a potential: against what it is told, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.factors import HARTREE
from ontologies.redox import HalfReaction, ReductionPotential
from workflows.show.blocks import Block, Column, Fact, Note, Table
from workflows.show.object_blocks import Around, shows

ROOM = 298.15
"""K: of the constants, where energies have no temperature."""

KJ, KCAL, EV = (HARTREE[unit] for unit in ("kJ/mol", "kcal/mol", "eV"))


@shows(HalfReaction, whole=True)
def _(found: HalfReaction, around: Around) -> Iterator[Block]:
    del around
    yield Fact("half reaction", found.name, name="half_reaction", headline=True)
    yield Fact("electrons", found.electrons, name="electrons", digits="g")
    if found.protons:
        yield Fact("protons", found.protons, name="protons", digits="+g")


@shows(ReductionPotential, whole=True)
def _(found: ReductionPotential, around: Around) -> Iterator[Block]:
    del around
    half, change = found.half_reaction, found.reaction_energy
    told = ROOM if change.temperature is None else change.temperature
    temperature = Fact("", told, "K", "temperature", digits=".2f")
    yield Fact(
        "E",
        found.potential,
        "V",
        "potential",
        digits=".3f",
        headline=True,
        note=f"against {found.reference_electrode}",
        at=(temperature,),
    )
    yield Fact("half reaction", half.name, name="half_reaction")
    yield Fact("pH", found.acidity, name="acidity", digits="g", minor=not half.protons)
    yield Fact(
        "reference electrode",
        found.reference_electrode,
        name="reference_electrode",
        at=(Fact("", found.electrode_potential, "V", "electrode_potential", digits=".3f"),),
        note="against SHE",
    )
    yield Fact(
        "SHE",
        found.absolute_potential,
        "V",
        "absolute_potential",
        digits=".3f",
        note="absolute; an electron at rest in vacuum has no energy",
    )
    yield Fact(
        "G of a proton in water",
        found.proton_in_water * KCAL,
        "kcal/mol",
        "proton_in_water",
        digits=".2f",
        note="1 mol/L; goes with the potential of the SHE",
        also=(Fact("", found.proton_in_water, "Eh", "proton_in_water", digits=".6f"),),
        minor=not half.protons,
    )
    gibbs = found.gibbs_energy_of_reduction
    yield Fact(
        "ΔG of reduction",
        gibbs * KJ,
        "kJ/mol",
        "gibbs_energy_of_reduction",
        digits=".2f",
        also=(
            Fact("", gibbs * EV, "eV", "gibbs_energy_of_reduction", digits=".4f"),
            Fact("", gibbs, "Eh", "gibbs_energy_of_reduction", digits=".8f"),
        ),
        note="species at 1 mol/L, electrons in vacuum",
    )
    yield Fact("energies", change.level.label, name="level", fields=("reaction_energy",))
    if change.geometry_level.iri != change.level.iri:
        yield Fact("geometries", change.geometry_level.label, name="geometry_level", minor=True)
    columns = (
        Column("count", name="coefficient", digits="+g"),
        Column("species", name="species", lead=" "),
        Column("charge", name="charge", digits="+d", lead="  charge "),
        Column("multiplicity", name="multiplicity", lead="  multiplicity "),
        Column("energy", "Eh", "energy", ".8f", lead="  E "),
        Column("Gibbs energy", "Eh", "gibbs_energy", ".6f", lead="  G "),
        Column("note", name="note"),
    )
    rows = tuple(
        (
            one.species.coefficient,
            one.species.name,
            one.species.atoms.charge,
            one.species.atoms.multiplicity,
            one.energy,
            one.gibbs_energy,
            "HOMO above zero" if one.unbound else None,
        )
        for one in change.species_energies
    )
    yield Table("Species", columns, rows, "species", lines="rows", note="per particle")
    if change.temperature is not None:
        yield Note("ideal gas, rigid rotor, harmonic oscillator", minor=True)
