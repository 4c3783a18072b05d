"""What the name of a force field and its options mean."""

from __future__ import annotations

from ontologies.forcefield import ForceField, ForceFieldResolution
from triplestore.errors import InputError
from workflows.engine import calculation
from workflows.programs.xtb import BACKEND
from workflows.text.names import plain
from workflows.tightbinding.solvents import solvation_of

NAMES = ("gfnff", "gfnforcefield")
"""Plain spellings of GFN-FF."""


def is_force_field(method: str) -> bool:
    """Whether a method is computed here."""
    return plain(method) in NAMES


@calculation(
    "forcefield.resolve_level", version="1", backend=BACKEND, brief=True, title="level of theory"
)
def resolve_level(
    method: str, version: str, *, solvation: str = "", solvent: str = ""
) -> ForceFieldResolution:
    """Find out what xtb computes for a force field and its options.

    Args:
        method: `GFN-FF`; case and hyphens do not matter.
        version: of xtb.
        solvation: `ALPB`; empty for the gas phase, or for ALPB where a solvent is given.
        solvent: a name such as `water`, `MeCN` or `toluene`.

    Raises:
        InputError: there is no such method or solvent; says what there is.
    """
    if not is_force_field(method):
        raise InputError(
            f"the force field {method!r} was asked for", "there is GFN-FF", "choose it, or GFN2-xTB"
        )
    around = solvation_of("GFN-FF", solvation, solvent)
    if around is not None and around.model != "ALPB":
        raise InputError(
            f"{around.model} was asked for with GFN-FF", "it has ALPB only", "leave the model out"
        )
    level = ForceField(method="GFN-FF", program_version=version, solvation=around)
    return ForceFieldResolution(method=method, level=level)
