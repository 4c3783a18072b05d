"""What the name of a tight-binding method and its options mean."""

from __future__ import annotations

import math
import re

from ontologies.tightbinding import TightBinding, TightBindingResolution
from triplestore.errors import InputError
from workflows.engine import Backend, calculation
from workflows.text.names import plain

from .solvents import GAS, solvation_of

TBLITE = Backend(
    name="tblite",
    epoch="1",
    threads=1,  # two are no faster, from 14 to 300 atoms, and slower where others compute too
    preload=(
        "tblite.interface",
        "pyscf.hessian.thermo",
        "workflows.tightbinding.calculations",
    ),
    packages=("tblite", "geometric", "numpy", "scipy", "pyscf"),
)

METHODS = {
    "gfn1xtb": "GFN1-xTB",
    "gfn2xtb": "GFN2-xTB",
    "gfn1": "GFN1-xTB",
    "gfn2": "GFN2-xTB",
    "xtb": "GFN2-xTB",
}
"""Methods by their plain spellings; the program by itself takes GFN2."""

FAMILY = re.compile(r"gfn(?!ff)|xtb|ipea")
"""What the plain spelling of a method of this family begins with."""

HOTTEST = 20_000.0
"""K. Beyond it no electron knows its orbital any more."""


def is_tight_binding(method: str) -> bool:
    """Whether a method is one of this family, computed here or not."""
    return bool(FAMILY.match(plain(method)))


def usual_method(method: str) -> str:
    """Return the usual spelling of a method.

    Raises:
        InputError: it is none of those that are computed here.
    """
    method_name = METHODS.get(plain(method))
    if method_name is None:
        raise InputError(
            f"the method {method!r} was asked for",
            f"of tight binding there are {' and '.join(dict.fromkeys(METHODS.values()))}",
            "choose one of them",
        )
    return method_name


@calculation(
    "tightbinding.resolve_level", version="1", backend=TBLITE, brief=True, title="level of theory"
)
def resolve_level(
    method: str,
    *,
    solvation: str = "",
    solvent: str = "",
    electronic_temperature: float | None = None,
    accuracy: float | None = None,
    supercell: tuple[int, int, int] | None = None,
) -> TightBindingResolution:
    """Find out what tblite computes for a method and its options.

    Args:
        method: `GFN2-xTB` or `GFN1-xTB`; case and hyphens do not matter.
        solvation: `ALPB` or `GBSA`; empty for the gas phase, or for ALPB where a solvent is given.
        solvent: a name such as `water`, `MeCN` or `toluene`.
        electronic_temperature: of the electrons in K; None for 300.
        accuracy: factor on the thresholds of self-consistency; None for 0.01.
        supercell: of a crystal, how many cells along each lattice vector; None for a molecule.

    Raises:
        InputError: there is no such method, solvent or value; says what there is.
    """
    name = usual_method(method)
    if electronic_temperature is not None and not 0 <= electronic_temperature <= HOTTEST:
        raise InputError(
            f"an electronic temperature of {electronic_temperature:g} K was asked for",
            f"it is 0 to {HOTTEST:g} K",
            "leave it out for 300 K",
        )
    if accuracy is not None and not (math.isfinite(accuracy) and 1e-4 <= accuracy <= 1000):
        raise InputError(
            f"the accuracy {accuracy:g} was asked for",
            "it is a factor on thresholds, from 0.0001 (fine) to 1000",
            "leave it out for 0.01",
        )
    level = TightBinding(method=name, solvation=solvation_of(name, solvation, solvent))
    more = {
        "electronic_temperature": electronic_temperature,
        "accuracy": accuracy,
        "supercell": supercell,
    }
    level = level.model_copy(update={key: one for key, one in more.items() if one is not None})
    remarks = list[str]()
    if level.solvation is None and plain(solvation) not in GAS:
        remarks.append(f"gas phase, as the solvent is {solvent}: {solvation} is left out")
    return TightBindingResolution(method=method, level=level, remarks=tuple(remarks))
