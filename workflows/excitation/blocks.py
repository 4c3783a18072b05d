"""What is shown of singlet–triplet gaps: the table, and the levels of each molecule."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.factors import EV_NM, HARTREE
from ontologies.gaps import MoleculeSet, SingletTripletGap, SingletTripletGaps
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Note, Series, Table
from workflows.show.object_blocks import Around, shows

KCAL = HARTREE["kcal/mol"] / HARTREE["eV"]
"""kcal/mol in an eV."""


@shows(MoleculeSet)
def _(found: MoleculeSet, around: Around) -> Iterator[Block]:
    del around
    yield Fact("molecules", "; ".join(found.names), name="names", headline=True)


@shows(SingletTripletGap)
def _(found: SingletTripletGap, around: Around) -> Iterator[Block]:
    del around
    yield Fact("molecule", found.name, name="name")
    yield _energy("S1", "singlet_energy", found.singlet_energy, found.singlet_character)
    strength = found.singlet_strength
    yield Fact("f of S1", strength, name="singlet_strength", digits=".4f", headline=True)
    if found.triplet_energy is not None:
        yield _energy("T1", "triplet_energy", found.triplet_energy, found.triplet_character)
    if found.singlet_triplet_gap is not None:
        yield _gap("S1 − T1", "singlet_triplet_gap", found.singlet_triplet_gap)
    if found.paired_gap is not None and found.paired_triplet is not None:
        label = f"S1 − T{found.paired_triplet}, of one character"
        yield _gap(label, "paired_gap", found.paired_gap)
        yield Fact(
            "triplet of its character",
            found.paired_triplet,
            name="paired_triplet",
            digits="T{}",
            minor=True,
        )
    if found.bright_state is not None:
        yield Fact("first that absorbs", found.bright_state, name="bright_state", digits="S{}")
        yield _energy("  its energy", "bright_energy", found.bright_energy or 0.0)
        yield Fact("  its f", found.bright_strength or 0.0, name="bright_strength", digits=".4f")


def _energy(label: str, name: str, value: float, note: str = "") -> Fact:
    also = (Fact("", EV_NM / value, "nm", name, digits=".1f"),) if value > 0 else ()
    return Fact(label, value, "eV", name, digits=".3f", note=note, also=also, headline=True)


def _gap(label: str, name: str, value: float) -> Fact:
    also = (Fact("", value * KCAL, "kcal/mol", name, digits=".2f"),)
    return Fact(label, value, "eV", name, digits=".3f", also=also, headline=True)


@shows(SingletTripletGaps, whole=True)
def _(found: SingletTripletGaps, around: Around) -> Iterator[Block]:
    del around
    where = "at the geometries as given"
    if found.relaxed:
        shown = "a minimum" if found.minima else "not verified to be a minimum"
        where = f"each at its relaxed geometry, {shown}"
    yield Fact(
        "vertical excitations",
        found.response,
        name="response",
        note=where,
        fields=("response", "relaxed", "minima"),
    )
    assigned = any(one.singlet_character for one in found.gaps)
    yield Table(
        "S1 and T1",
        (
            Column("molecule", name="molecule"),
            Column("S1", "eV", "singlet_energy", ".3f"),
            Column("S1", "nm", "singlet_wavelength", ".1f"),
            Column("f", name="singlet_strength", digits=".4f"),
            *((Column("S1 is", name="singlet_character"),) if assigned else ()),
            Column("T1", "eV", "triplet_energy", ".3f"),
            *((Column("T1 is", name="triplet_character"),) if assigned else ()),
            Column("S1 − T1", "eV", "singlet_triplet_gap", ".3f"),
            Column("S1 − T1", "kcal/mol", "singlet_triplet_gap", ".2f"),
            Column("absorbs", name="bright", lead=", absorbs "),
            Column("level of theory", name="level", minor=True),
            Column("geometry", name="atoms", minor=True),
            Column("singlets", name="singlets", minor=True),
            Column("triplets", name="triplets", minor=True),
        ),
        tuple(
            (
                one.name,
                one.singlet_energy,
                EV_NM / one.singlet_energy,
                one.singlet_strength,
                *((one.singlet_character or None,) if assigned else ()),
                one.triplet_energy,
                *((one.triplet_character or None,) if assigned else ()),
                one.singlet_triplet_gap,
                None if one.singlet_triplet_gap is None else one.singlet_triplet_gap * KCAL,
                _bright(one),
                one.level.label,
                one.atoms.iri,
                one.singlets.iri,
                one.triplets.iri if one.triplets else None,
            )
            for one in found.gaps
        ),
        "gaps",
        fields=("gaps",),
    )
    yield _levels(found)
    for one in found.gaps:
        for remark in one.remarks:
            yield Note(f"{one.name}: {remark}")
    known = {one.name for one in found.gaps}
    for text in found.failures:
        which, _, why = text.partition(": ")
        what = "T1" if which in known else "all"
        yield Note(f"{which}, {what} of it is missing: {why}; resume the run, with what it needs")


def _bright(one: SingletTripletGap) -> str | None:
    if one.bright_state is None or one.bright_energy is None:
        return None
    return f"S{one.bright_state} at {one.bright_energy:.3f} eV (f {one.bright_strength:.3f})"


def _levels(found: SingletTripletGaps) -> Chart:
    """Return S1, T1 and the first state that absorbs as levels beside each other."""
    places = range(len(found.gaps))
    ticks = tuple((float(at), one.name) for at, one in zip(places, found.gaps, strict=True))

    def series(label: str, values: list[float | None], *, dashed: bool = False) -> Series:
        known = [(float(at), value) for at, value in enumerate(values) if value is not None]
        x, y = tuple(at for at, _ in known), tuple(value for _, value in known)
        return Series(label, x, y, "levels", dashed=dashed)

    bright = [one.bright_energy if one.bright_state != 1 else None for one in found.gaps]
    return Chart(
        "Lowest excited states",
        Axis("", ticks=ticks),
        Axis("above the ground state", "eV"),
        tuple(
            one
            for one in (
                series("S1", [gap.singlet_energy for gap in found.gaps]),
                series("T1", [gap.triplet_energy for gap in found.gaps], dashed=True),
                series("first that absorbs, above S1", bright),
            )
            if one.x
        ),
        "levels",
        note="Vertical, at the geometry of the ground state",
    )
