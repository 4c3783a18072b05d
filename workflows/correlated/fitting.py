"""Sets of functions that fit the integrals of the correlation energy."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from typing import Any

from triplestore.errors import InputError
from workflows.dft.level.bases import functions_of
from workflows.text.names import plain


def fitting_basis(basis: str) -> str:
    """Return the set that fits the correlation energy of an orbital basis, as Psi4 has it.

    Raises:
        InputError: there is none.
    """
    from pyscf.df import addons

    name = plain(basis)
    if re.match(r"\d", name):  # Pople's sets share one for all their polarisation functions
        name = name.split("g")[0] + "g"
    made: tuple[str, str] | None = addons.DEFAULT_AUXBASIS.get(name)
    if made is None or not functions_of(made[1], "C"):
        raise InputError(
            f"DF-MP2 with the basis set {basis} was asked for",
            "no functions are known that fit its correlation energy",
            "ask for cc-pVDZ, cc-pVTZ, aug-cc-pVTZ, def2-SVP or def2-TZVP, or for MP2",
        )
    return made[1].lower()


def functions_for(symbols: list[str], name: str, basis: str) -> dict[str, Any]:
    """Return the functions of a fitting set, element by element.

    Args:
        symbols: the elements.
        name: what `fitting_basis` returned.
        basis: the orbital basis, for the message.

    Raises:
        InputError: the set lacks an element.
    """
    sets = {symbol: functions_of(name, symbol) for symbol in symbols}
    if lacking := [symbol for symbol, found in sets.items() if not found]:
        raise InputError(
            f"DF-MP2 with the basis set {basis} was asked for",
            f"the set {name}, which fits its correlation energy, has no functions for "
            f"{', '.join(lacking)}",
            "ask for MP2, or for another basis set",
        )
    return sets
