"""Between what bounds a potential lies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ontologies.redox import ReductionPotential
from triplestore.errors import ComponentError
from workflows.registry.outside import misfit
from workflows.registry.plausibility import Bounds, Doubt, doubts

POTENTIAL = Bounds(
    -6.0,
    6.0,
    "V",
    "lithium has -3.04 V and fluorine 2.87 V against SHE; check the level, the species and how "
    "many electrons they take up",
    ".3f",
)


@doubts(ReductionPotential)
def _(found: ReductionPotential) -> Iterator[Doubt]:
    what = f"a potential against {found.reference_electrode} of"
    with suppress(ComponentError):  # what was stored before is looked at too
        if problem := misfit(found.reaction_energy.level, "an electron"):
            yield Doubt(f"{found.half_reaction.name}: {problem}", ("potential",))
    yield from POTENTIAL.doubt(found.potential, what, ("potential",))
