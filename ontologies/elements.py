"""Symbols of the elements and formulas in the Hill order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

_SYMBOLS = (
    "X H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As "
    "Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd "
    "Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am "
    "Cm Bk Cf Es Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og"
)

SYMBOLS = tuple(_SYMBOLS.split())
"""Symbol by atomic number; 0 is a place without an element."""


def hill_formula(numbers: Iterable[int]) -> str:
    """Return the formula with carbon first, hydrogen second, the rest by symbol.

    Source: E. A. Hill, J. Am. Chem. Soc. 22, 478 (1900).
    """
    return hill_order(Counter(SYMBOLS[number] for number in numbers))


def hill_order(counts: Mapping[str, int]) -> str:
    """Return a formula in the Hill order, from how often each element is in it, by symbol."""
    first = [symbol for symbol in ("C", "H") if "C" in counts and symbol in counts]
    order = first + sorted(symbol for symbol in counts if symbol not in first)
    return "".join(f"{s}{counts[s] if counts[s] > 1 else ''}" for s in order)
