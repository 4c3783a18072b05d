"""Metals of the first row among weak ligands, whose electrons stay as parallel as they can.

Four or six halides, waters or hydroxides around a metal of the oxidation state 2 or 3 split its d
shell by less than pairing takes: FeCl4⁻ is a sextet, [Fe(H2O)6]²⁺ a quintet. With ammonia and
amines that holds for the oxidation state 2. Not meant is cobalt(III), but among fluorides: its
aqua ion is a singlet. In an octahedron two or three electrons have no choice, whatever the ligands.
What stronger ligands do (CO, CN⁻, phosphines), or metals below, is not said.

Source: N. N. Greenwood, A. Earnshaw, Chemistry of the Elements, 2nd ed. (1997), ch. 19 and 21–28.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..polyhedra import D_BLOCK, oxidation_state

FIRST_ROW = range(22, 30)
HALOGENS, OXYGEN, NITROGEN, FLUORINE, COBALT = (9, 17, 35, 53), 8, 7, 9, 27
NEIGHBOURS = (4, 6)
STATES = (2, 3)
PLACES = 10
LOWER = 3
"""Electrons that the lower three orbitals of an octahedron take without pairing."""


def weak_field(part: Sequence[Any]) -> tuple[int, str]:
    """Return how many electrons of a complex are parallel and why; no words where it is not told.

    Args:
        part: RDKit's atoms of one molecule.
    """
    metals = [atom for atom in part if atom.GetAtomicNum() in D_BLOCK]
    if len(metals) != 1 or metals[0].GetAtomicNum() not in FIRST_ROW:
        return 0, ""
    metal, state = metals[0], oxidation_state(metals[0])
    near: list[Any] = [atom for atom in metal.GetNeighbors() if atom.GetAtomicNum() > 1]
    if state not in STATES or len(near) not in NEIGHBOURS or metal.GetDegree() != len(near):
        return 0, ""
    if any(atom.GetNumRadicalElectrons() for atom in part if atom is not metal and atom in near):
        return 0, ""
    count = D_BLOCK[metal.GetAtomicNum()] - state
    if not all(_is_weak(metal, atom, state) for atom in near):
        few = len(near) == max(NEIGHBOURS) and 1 < count <= LOWER
        symbol = metal.GetSymbol()
        return (count, f"{symbol} is d{count} in an octahedron") if few else (0, "")
    fluorides = all(atom.GetAtomicNum() == FLUORINE for atom in near)
    if metal.GetAtomicNum() == COBALT and state == max(STATES) and not fluorides:
        return 0, ""
    unpaired = min(count, PLACES - count)
    kinds = ", ".join(dict.fromkeys(atom.GetSymbol() for atom in near))
    symbol = metal.GetSymbol()
    return unpaired, f"{symbol} is d{count} among weak ligands ({kinds}): high spin"


def _is_weak(metal: Any, atom: Any, state: int) -> bool:
    bond = metal.GetOwningMol().GetBondBetweenAtoms(metal.GetIdx(), atom.GetIdx())
    if bond.GetBondTypeAsDouble() > 1:
        return False
    number, others = atom.GetAtomicNum(), atom.GetDegree() + atom.GetNumImplicitHs() - 1
    if number in HALOGENS:
        return not others
    single = all(one.GetBondTypeAsDouble() == 1 for one in atom.GetBonds())
    if number == OXYGEN:
        return single and atom.GetTotalNumHs(includeNeighbors=True) >= 1
    return number == NITROGEN and state == min(STATES) and single and others >= 3
