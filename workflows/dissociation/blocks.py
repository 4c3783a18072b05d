"""What is shown of broken bonds."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.dissociation import BondDissociation
from ontologies.factors import HARTREE
from ontologies.reactions import ReactionEnergy
from workflows.reaction.blocks import changes_table
from workflows.show.blocks import Block, Fact, Note
from workflows.show.object_blocks import Around, shows

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]

WORDS = {
    "radicals": "both ends keep an electron",
    "hydride": "hydrogen leaves with the pair, as hydride",
    "proton": "hydrogen leaves without the pair, as a proton",
}


@shows(BondDissociation, whole=True)
def _(found: BondDissociation, around: Around) -> Iterator[Block]:
    del around
    weakest, label = min(zip(found.reactions, found.bond_labels, strict=True), key=_strength)
    value = _strength((weakest, label))
    word = "ΔE" if weakest.enthalpy_change is None else "ΔH"
    which = "weakest bond" + " of those with an energy" * bool(found.failures)
    yield Fact(
        f"{which}, {word}",
        value * KJ,
        "kJ/mol",
        "weakest",
        digits=".2f",
        headline=True,
        note=label,
        also=(Fact("", value * KCAL, "kcal/mol", "weakest", digits=".2f"),),
        fields=(),
    )
    yield Fact(which, label, name="weakest_bond")
    yield Fact("broken into", found.into, name="into", note=WORDS[found.into])
    yield from changes_table(found.reactions, ("bond", found.bond_labels))
    for text in found.failures:
        yield Note(f"no energy of the bond {text}")


def _strength(one: tuple[ReactionEnergy, str]) -> float:
    reaction = one[0]
    if reaction.enthalpy_change is None:
        return reaction.energy_change
    return reaction.enthalpy_change
