"""Between what bounds the energies of the bonds of a molecule lie."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.dissociation import BondDissociation
from workflows.reaction.plausible import bond_bounds, broken, change, of_ions
from workflows.registry.plausibility import Doubt, doubts


@doubts(BondDissociation)
def _(found: BondDissociation) -> Iterator[Doubt]:
    weakest = min(map(broken, found.reactions))
    for reaction, label in zip(found.reactions, found.bond_labels, strict=True):
        bounds, value = bond_bounds(reaction), broken(reaction)
        facts = ("weakest",) if value == weakest else ()
        yield from of_ions(reaction, facts)
        if bounds is not None:
            yield from bounds.doubt(value, f"{label}, {change(reaction)} of breaking it", facts)
