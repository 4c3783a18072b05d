"""Between what bounds a pKa lies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ontologies.acidity import AcidityConstant
from triplestore.errors import ComponentError
from workflows.registry.outside import misfit
from workflows.registry.plausibility import Bounds, Doubt, doubts
from workflows.text.names import plain

ADVICE = "check the level, the solvent, the proton that leaves and what the references are"

WATER = Bounds(
    -15.0, 40.0, "", f"pKa in water, of the strongest superacids to ammonia and beyond; {ADVICE}"
)
ELSEWHERE = Bounds(-20.0, 60.0, "", f"pKa in solvents other than water; {ADVICE}")
"""Methane has about 56 in dimethyl sulfoxide."""


@doubts(AcidityConstant)
def _(found: AcidityConstant) -> Iterator[Doubt]:
    if found.calibration == "none":
        with suppress(ComponentError):  # what was stored before is looked at too
            if problem := misfit(found.level, "a proton"):
                yield Doubt(f"pKa of {found.acid.name}: {problem}", ("pka",))
    around = getattr(found.level, "solvation", None)
    bounds = WATER if plain(str(getattr(around, "solvent", ""))) == "water" else ELSEWHERE
    yield from bounds.doubt(found.acid.pka, "pKa", ("pka",))
