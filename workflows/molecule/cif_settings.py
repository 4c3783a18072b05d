"""Operations of space groups that have two origins or axes, which a name alone leaves open.

Source: International Tables for Crystallography A (2016), chapter 1.5; the operations are ASE's.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

TWO_ORIGINS = frozenset(
    (48, 50, 59, 68, 70, 85, 86, 88, 125, 126, 129, 130, 133, 134, 137, 138, 141, 142, 201, 203)
) | {222, 224, 227, 228}
RHOMBOHEDRAL = frozenset((146, 148, 155, 160, 161, 166, 167))

NUMBERS = ("_symmetry_Int_Tables_number", "_space_group_IT_number")
NAMES = ("_symmetry_space_group_name_H-M", "_space_group_name_H-M_alt")
CHOICE = re.compile(r"(?i)^(?P<name>.*?)(?:\s*:\s*(?P<one>[12HR])|\s+(?P<other>[SZ]))$")
"""How a name says which is meant: `F d -3 m :2`, `F d -3 m Z`, `R -3 m :R`."""

SECOND = ("2", "Z", "R")


def operations(rows: Mapping[str, Any]) -> tuple[list[Any], str] | None:
    """Return the operations of such a group, and what was assumed; None for any other group.

    Args:
        rows: what a file says, by its names.
    """
    from ase.spacegroup import Spacegroup
    from pymatgen.core.operations import SymmOp

    said = next((one for name in NAMES if (one := str(rows.get(name, "")).strip(" '\""))), "")
    choice = CHOICE.match(said)
    number = next((int(one) for name in NUMBERS if (one := str(rows.get(name, ""))).isdecimal()), 0)
    if not number and said:
        try:
            number = int(Spacegroup(choice["name"] if choice else said).no)
        except Exception:  # a name that it does not have: the other reader says so
            return None
    if number not in TWO_ORIGINS | RHOMBOHEDRAL:
        return None
    remark = ""
    if choice:
        setting = 1 + ((choice["one"] or choice["other"]).upper() in SECOND)
    elif number in RHOMBOHEDRAL:
        setting = 1 + _is_rhombohedral(rows)
    else:
        setting = 1
        name = said or f"number {number}"
        remark = (
            f"the space group {name} has two origins, and the file lists no operations: the first "
            f"was taken; for the second write '{name} :2' in the file"
        )
    each = Spacegroup(number, setting).get_symop()
    return [SymmOp.from_rotation_and_translation(turn, shift) for turn, shift in each], remark


def _is_rhombohedral(rows: Mapping[str, Any]) -> bool:
    """Return whether the angles of a cell are three times the same, and no right ones."""
    angles = [str(rows.get(f"_cell_angle_{name}", "")) for name in ("alpha", "beta", "gamma")]
    bare = {re.sub(r"\(\d+\)$", "", one) for one in angles}
    try:
        sizes = [float(one) for one in bare]
    except ValueError:
        return False
    return max(sizes) - min(sizes) < 0.01 and abs(sizes[0] - 90) > 0.01
