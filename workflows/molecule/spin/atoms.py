"""Unpaired electrons of a lone atom or ion in its ground state."""

from __future__ import annotations

from workflows.molecule.polyhedra import D_BLOCK, F_BLOCK

from .ground_states import of_atoms

CLOSED = (0, 2, 10, 18, 36, 54, 86)
"""Electrons of the noble gases."""


def unpaired_alone(number: int, charge: int) -> int | None:
    """Return the unpaired electrons of an atom or ion, None if unsure.

    The table decides first. What it lacks follows Hund's rules: main-group ions, and ions of
    metals of charge 2 or more, which have emptied s before d and f.

    Args:
        number: atomic number.
        charge: in e.
    """
    if (state := of_atoms().get((number, charge))) is not None:
        return state.multiplicity - 1
    electrons = number - charge
    if electrons < 0:
        return 0  # refused later, with its own message
    core = max(size for size in CLOSED if size <= electrons)
    outer = electrons - core
    metal = number in D_BLOCK or number in F_BLOCK
    if charge >= 2 and metal and core == max(size for size in CLOSED if size < number):
        return _of_shell(outer, number)
    inner = 24 if core >= 54 else 10 if core >= 18 else 0  # places in the d and f shells
    if outer <= 2:
        d_first = core >= 18 and number - core > 2
        return None if d_first and outer == 2 else outer % 2
    p = outer - 2 - inner
    if p > 0:
        return min(p, 6 - p)
    if p == -2 and charge <= 0:
        return None
    return {0: 0, -1: 1, -2: 0}.get(p)


def _of_shell(electrons: int, number: int) -> int | None:
    """Return the unpaired electrons of a d or f shell that is filled alone; None if it is not.

    Args:
        electrons: beyond those of the noble gas.
        number: atomic number.
    """
    places = 14 if number in F_BLOCK else 10
    if number in D_BLOCK and number > max(57, min(F_BLOCK)):
        electrons -= 14 if electrons >= 14 else 0
    return min(electrons, places - electrons) if electrons <= places else None
