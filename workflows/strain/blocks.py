"""What is shown of ring strain."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.factors import HARTREE
from ontologies.strain import RingStrain
from workflows.reaction.blocks import changes_table
from workflows.show.blocks import Block, Fact
from workflows.show.object_blocks import Around, shows

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]


@shows(RingStrain, whole=True)
def _(found: RingStrain, around: Around) -> Iterator[Block]:
    del around
    than = f"relative to a ring of {found.reference_size}" if found.reference_size else ""
    head = "strain_energy" if found.strain_enthalpy is None else "strain_enthalpy"
    for label, name, value in (
        ("strain, ΔH", "strain_enthalpy", found.strain_enthalpy),
        ("strain, ΔG", "strain_gibbs", found.strain_gibbs),
        ("strain, ΔE", "strain_energy", found.strain_energy),
    ):
        if value is not None:
            yield Fact(
                label,
                value * KJ,
                "kJ/mol",
                name,
                digits=".2f",
                headline=name == head,
                note=than,
                also=(
                    Fact("", value, "Eh", name, digits=".8f"),
                    Fact("", value * KCAL, "kcal/mol", name, digits=".2f"),
                ),
            )
    yield Fact("scheme", found.scheme, name="scheme")
    yield Fact("ring of", found.ring_size, name="ring_size", minor=True)
    yield from changes_table(found.reactions)
