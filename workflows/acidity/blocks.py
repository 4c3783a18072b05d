"""What is shown of a pKa: its uncertainty, the acids beside it, and the line through them."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.acidity import AcidDissociation, AcidityConstant
from ontologies.factors import HARTREE
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Note, Series, Table
from workflows.show.object_blocks import Around, shows

from .calibration import CLOSE, FREE

KCAL = HARTREE["kcal/mol"]

WORDS = {
    "none": "by the Gibbs energy of a proton in solution",
    "fixed slope": "that of theory; average of the reference acids",
    "regression": "of the line through the reference acids",
}


@shows(AcidityConstant, whole=True)
def _(found: AcidityConstant, around: Around) -> Iterator[Block]:
    del around
    acid, base = (one.species.name for one in found.acid.species_energies)
    also = ()
    if found.standard_error is not None:
        also = (Fact("standard error", found.standard_error, "", "standard_error", digits=".2f"),)
    if found.half_interval is not None and _freedom(found) >= FREE:
        half = found.half_interval
        also += (Fact("95 % interval ±", half, "", "half_interval", digits=".2f"),)
    temperature = Fact("", found.temperature, "K", "temperature", digits=".2f")
    direct = found.calibration == "none"
    if direct:  # it may be off by ten and more: the number itself is no answer
        yield Fact(
            "ΔG of deprotonation" if found.thermal else "ΔE of deprotonation, with the proton's G",
            (found.acid.deprotonation_energy + found.proton_gibbs_energy) * KCAL,
            "kcal/mol",
            "gibbs_energy_of_deprotonation",
            digits=".2f",
            headline=True,
            at=(temperature,),
            note="in solution, not calibrated: no pKa follows without acids of known pKa",
            fields=(),
        )
    lone = _lone(found)
    if lone is not None:  # energies of unlike acids may be off by as much as they differ
        yield Fact(
            f"{'ΔG' if found.thermal else 'ΔE'} of deprotonation, less that of {lone.name}",
            (found.acid.deprotonation_energy - lone.deprotonation_energy) * KCAL,
            "kcal/mol",
            "relative_deprotonation_energy",
            digits="+.2f",
            headline=True,
            at=(temperature,),
            note=f"too far for a pKa from one acid: give more, of pKa on both sides of {acid}'s",
            fields=(),
        )
    doubt = "not calibrated" if direct else "extrapolated from one acid" if lone else ""
    yield Fact(
        f"pKa, {doubt}" if doubt else "pKa",
        found.acid.pka,
        "",
        "pka",
        digits=".2f",
        headline=not doubt,
        also=also,
        at=(temperature,),
        note="not to be compared with measured ones" if doubt else "",
    )
    yield Fact("acid", acid, name="acid", note=f"becomes {base}", fields=("acid", "atoms"))
    yield Fact("calibration", found.calibration, name="calibration", note=WORDS[found.calibration])
    if found.calibration == "regression":
        yield Fact(
            "slope",
            found.relative_slope,
            "",
            "relative_slope",
            digits=".3f",
            note="of the theoretical one",
        )
    note = "as it was given" if found.calibration == "none" else "as the acids have it"
    yield Fact(
        "G of the proton",
        found.proton_gibbs_energy * KCAL,
        "kcal/mol",
        "proton_gibbs_energy",
        digits=".2f",
        note=f"in solution, 1 mol/L; {note}",
        also=(Fact("", found.proton_gibbs_energy, "Eh", "proton_gibbs_energy", digits=".6f"),),
    )
    thermal = "Gibbs energies" if found.thermal else "total energies, without vibrations"
    yield Fact(
        "energies", found.level.label, name="level", note=thermal, fields=("level", "thermal")
    )
    if found.geometry_level.iri != found.level.iri:
        yield Fact("geometries", found.geometry_level.label, name="geometry_level", minor=True)
    yield Fact("temperature", found.temperature, "K", "temperature", digits=".2f", minor=True)
    change = "ΔG" if found.thermal else "ΔE"
    columns = (
        Column("acid", name="name"),
        Column("base", name="base", minor=True),
        Column(change, "kcal/mol", "deprotonation_energy", ".2f", lead=f"  {change} "),
        Column("pKa", "", "pka", ".2f", lead="  pKa "),
        Column("measured", "", "measured_pka", ".2f", lead="  measured "),
        Column("residual", "", "residual", "+.2f", lead="  residual "),
    )
    acids = (found.acid, *found.calibrating_acids)
    rows = tuple(
        (
            one.name,
            one.species_energies[1].species.name,
            one.deprotonation_energy * KCAL,
            one.pka,
            one.measured_pka,
            one.residual,
        )
        for one in acids
    )
    yield Table(
        "Acids",
        columns,
        rows,
        "acids",
        lines="rows",
        fields=("calibrating_acids",),
        note=f"{change}: base less acid, without the proton",
    )
    if found.calibrating_acids:
        yield from _charts(found, acids)
    if found.thermal:
        yield Note("ideal gas, rigid rotor, harmonic oscillator", minor=True)


def _lone(found: AcidityConstant) -> AcidDissociation | None:
    """Return the only acid of known pKa, where that of the other is far from it."""
    known = found.calibrating_acids
    if len(known) != 1 or abs(found.acid.pka - (known[0].measured_pka or 0.0)) <= CLOSE:
        return None
    return known[0]


def _freedom(found: AcidityConstant) -> int:
    """Return how many acids there are beyond those that were fitted."""
    return len(found.calibrating_acids) - (2 if found.calibration == "regression" else 1)


def _charts(found: AcidityConstant, acids: tuple[AcidDissociation, ...]) -> Iterator[Chart]:
    """Return the line with its acids, and what is left of them."""
    line = sorted((one.deprotonation_energy * KCAL, one.pka) for one in acids)
    known = found.calibrating_acids
    x = tuple(one.deprotonation_energy * KCAL for one in known)
    names = tuple(one.name for one in known)
    across = Axis(f"{'ΔG' if found.thermal else 'ΔE'} of base less acid", "kcal/mol")
    yield Chart(
        "Calibration", across, Axis("pKa"),
        (
            Series("line", tuple(at for at, _ in line), tuple(pka for _, pka in line)),
            Series("measured", x, tuple(one.measured_pka or 0.0 for one in known), "points",
                   labels=names),
            Series("computed", (acids[0].deprotonation_energy * KCAL,), (acids[0].pka,), "points",
                   labels=(acids[0].name,)),
        ),
        "calibration",
    )  # fmt: skip
    left = tuple(one.residual or 0.0 for one in known)
    yield Chart(
        "Residuals",
        across,
        Axis("measured less computed pKa"),
        (Series("", x, left, "sticks", labels=names),),
        "residuals",
    )
