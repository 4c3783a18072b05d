"""What is shown of reactions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ontologies.factors import GAS_CONSTANT, HARTREE
from ontologies.reactions import Reaction, ReactionEnergy, SpeciesEnergy
from workflows.registry.levels import on_reactions
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Note, Series, Table
from workflows.show.object_blocks import Around, shows, shows_runs

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]

MOST_POWER = 300
"""Of ten, of an equilibrium constant that is shown."""

ZERO_POINT = "energy_change_with_zero_point"
"""What ΔE + ΔZPE is called where its label is not seen: its field could pass for ΔZPE alone."""

CANCEL = {
    "bond types and hybridisation": "homodesmotic: errors of the level cancel well",
    "bond types": "isodesmic: errors of the level cancel in part",
    "unpaired electrons": "isogyric: errors of the level hardly cancel",
    "nothing": "errors of the level do not cancel",
}


@shows(Reaction, whole=True)
def _(found: Reaction, around: Around) -> Iterator[Block]:
    del around
    yield Fact("reaction", found.name, name="reaction", headline=True)


@shows(ReactionEnergy, whole=True)
def _(found: ReactionEnergy, around: Around) -> Iterator[Block]:
    del around
    for label, name, value in (
        ("ΔG", "gibbs_change", found.gibbs_change),
        ("ΔH", "enthalpy_change", found.enthalpy_change),
        ("ΔE + ΔZPE", ZERO_POINT, found.zero_point_change),
        ("ΔE", "energy_change", found.energy_change),
    ):
        if value is not None:
            yield _change(label, name, value, found)
    yield from _constants(found)
    if found.gibbs_change_molar is not None and found.reaction.gain:
        value = found.gibbs_change_molar
        yield _change("ΔG, each at 1 mol/L", "gibbs_change_molar", value, found)
    if found.spin_orbit_change:
        told = "in ΔH and ΔG" if found.spin_orbit else "not in ΔH and ΔG (option spin_orbit)"
        yield _change(
            "ΔE of spin–orbit coupling", "spin_orbit_change", found.spin_orbit_change, found, told
        )
    yield from _level(found)
    yield Fact("kept", found.conserved, name="conserved", note=CANCEL[found.conserved])
    yield _species(found.species_energies, counts=True)
    yield _levels(found)
    yield from _of_levels((found,))
    if found.temperature is not None:
        yield Note("ideal gas, rigid rotor, harmonic oscillator", minor=True)


@shows_runs
def _(around: Around) -> Iterator[Block]:
    reactions = [one for one in around.results if isinstance(one, ReactionEnergy)]
    if reactions and not any(one.relaxed for one in reactions):
        word = f"{around.built}, not relaxed" if around.built else "as given"
        yield Fact("geometry", word, name="geometry")


def changes_table(
    reactions: Sequence[ReactionEnergy], labels: tuple[str, Sequence[str]] | None = None
) -> Iterator[Block]:
    """Return what is shown of several reactions on which something rests.

    Args:
        reactions: which.
        labels: a heading, and what stands under it for each reaction; None for nothing.
    """
    yield from _level(reactions[0])
    heats = reactions[0].enthalpy_change is not None
    columns = (
        *((Column(labels[0], name=labels[0]),) if labels else ()),
        Column("reaction", name="reaction", lead=" " if labels else ", "),
        Column("ΔE", "kJ/mol", "energy_change", ".2f", lead=", ΔE "),
        *(
            (
                Column("ΔH", "kJ/mol", "enthalpy_change", ".2f", lead=", ΔH "),
                Column("ΔG", "kJ/mol", "gibbs_change", ".2f", lead=", ΔG "),
            )
            if heats
            else ()
        ),
        Column("kept", name="conserved", minor=True),
        Column("object", name="object", minor=True),
    )
    rows = tuple(
        (
            *((labels[1][place],) if labels else ()),
            one.reaction.name,
            one.energy_change * KJ,
            *(((one.enthalpy_change or 0.0) * KJ, (one.gibbs_change or 0.0) * KJ) if heats else ()),
            one.conserved,
            one.iri,
        )
        for place, one in enumerate(reactions)
    )
    yield Table("Reactions", columns, rows, "reactions", lines="rows", fields=("reactions",))
    every = {part.species.atoms.iri: part for one in reactions for part in one.species_energies}
    yield _species([*every.values()])
    yield from _of_levels(reactions)
    for text in dict.fromkeys(remark for one in reactions for remark in one.remarks):
        yield Note(text)


def _of_levels(reactions: Sequence[ReactionEnergy]) -> Iterator[Note]:
    """Return what the programs say of such reactions at their levels, each once."""
    texts = (text for one in reactions for text in on_reactions(one.level, one.conserved))
    yield from map(Note, dict.fromkeys(texts))


def _level(found: ReactionEnergy) -> Iterator[Fact]:
    where = "at relaxed geometries" if found.relaxed else "at the geometries as given"
    yield Fact("energies", found.level.label, name="level", note=where)
    if found.geometry_level.iri != found.level.iri:
        yield Fact("geometries", found.geometry_level.label, name="geometry_level", minor=True)


def _species(energies: Sequence[SpeciesEnergy], *, counts: bool = False) -> Table:
    heats = any(one.enthalpy is not None for one in energies)
    columns = (
        *((Column("count", name="coefficient", digits="+g"),) if counts else ()),
        Column("species", name="species", lead=" "),
        Column("charge", name="charge", digits="+d", lead="  charge ", minor=True),
        Column("multiplicity", name="multiplicity", lead="  multiplicity "),
        Column("energy", "Eh", "energy", ".8f", lead=", E "),
        *(
            (
                Column("enthalpy", "Eh", "enthalpy", ".6f", lead=", H "),
                Column("Gibbs energy", "Eh", "gibbs_energy", ".6f", lead=", G "),
            )
            if heats
            else ()
        ),
        Column("note", name="note"),
        Column("result", name="result", minor=True),
    )
    rows = tuple(
        (
            *((one.species.coefficient,) if counts else ()),
            one.species.name,
            one.species.atoms.charge,
            one.species.atoms.multiplicity,
            one.energy,
            *((one.enthalpy, one.gibbs_energy) if heats else ()),
            "bonds changed" if one.bonds_changed else "HOMO above zero" if one.unbound else None,
            one.result.iri,
        )
        for one in energies
    )
    fields = ("species_energies",) if counts else ()
    return Table(
        "Species", columns, rows, "species", lines="rows", fields=fields, note="per particle"
    )


def _change(label: str, name: str, value: float, found: ReactionEnergy, note: str = "") -> Fact:
    at: tuple[Fact, ...] = ()
    if found.temperature is not None and name in ("gibbs_change", "enthalpy_change"):
        at = (
            Fact("", found.temperature, "K", "temperature", digits=".2f"),
            Fact("", found.pressure or 0.0, "Pa", "pressure", digits=".0f"),
        )
    elif name == "gibbs_change_molar":
        at = (Fact("", found.temperature or 0.0, "K", "temperature", digits=".2f"),)
    also = (
        Fact("", value, "Eh", name, digits=".8f"),
        Fact("", value * KCAL, "kcal/mol", name, digits=".2f"),
    )
    best = "energy_change" if found.gibbs_change is None else "enthalpy_change"
    head = name in (best, "gibbs_change")
    fields = ("zero_point_change",) if name == ZERO_POINT else ()
    return Fact(
        label,
        value * KJ,
        "kJ/mol",
        name,
        digits=".2f",
        also=also,
        at=at,
        note=note,
        headline=head,
        fields=fields,
    )


def _constants(found: ReactionEnergy) -> Iterator[Fact]:
    """Return the equilibrium constant: of partial pressures, in a solvent of concentrations."""
    if found.gibbs_change is None or not (found.temperature and found.pressure):
        return
    if not getattr(found.level, "solvation", None):
        units = f"partial pressures in units of {found.pressure:.0f} Pa"
        yield from _constant(found.gibbs_change * KJ, found.temperature, units)
    elif found.gibbs_change_molar is not None:
        change = found.gibbs_change_molar * KJ
        yield from _constant(change, found.temperature, "concentrations in mol/L")


def _constant(change: float, temperature: float, units: str) -> Iterator[Fact]:
    """Return the equilibrium constant of a ΔG in kJ/mol, as far as a number can hold it."""
    power = -change * 1000 / (GAS_CONSTANT * temperature * math.log(10))
    step = GAS_CONSTANT * temperature * math.log(10) / 1000
    if abs(power) < MOST_POWER:
        note = f"log10 K = {power:.2f}; {units}; "
        note += f"an error of {step:.1f} kJ/mol in ΔG is a factor of 10"
        yield Fact("K", 10**power, name="equilibrium_constant", digits=".2e", note=note)


def _levels(found: ReactionEnergy) -> Chart:
    """Return reactants and products as levels."""
    kinds = [("ΔE", found.energy_change), ("ΔH", found.enthalpy_change), ("ΔG", found.gibbs_change)]
    series = tuple(
        Series(name, (0.0, 1.0), (0.0, value * KJ), "levels", joined=True)
        for name, value in kinds
        if value is not None
    )
    ticks = ((0.0, "reactants"), (1.0, "products"))
    return Chart(
        "Levels",
        Axis("", ticks=ticks),
        Axis("above the reactants", "kJ/mol"),
        series,
        "levels",
    )
