"""Energies in two basis sets taken to the limit of a complete one.

Hartree–Fock converges like exp(−α√X) with the cardinal number X of the basis set, correlation like
X^−β. For correlation-consistent sets α is 6.3 (A. Karton, J. M. L. Martin, Theor. Chem. Acc. 115,
330 (2006), doi:10.1007/s00214-005-0028-6) and β is 3 (T. Helgaker, W. Klopper, H. Koch, J. Noga, J.
Chem. Phys. 106, 9639 (1997), doi:10.1063/1.473863), as Psi4 has them. For def2 both were fitted by
F. Neese, E. F. Valeev, J. Chem. Theory Comput. 7, 33 (2011), doi:10.1021/ct100396y, to the pairs
def2-SVP, def2-TZVPP and def2-TZVPP, def2-QZVPP.
"""

from __future__ import annotations

import math
import re

from ontologies.correlated import BasisExtrapolation, BasisSetEnergy
from triplestore.errors import InputError
from workflows.dft.level.bases import usual_basis

from .correlation import Correlation

LIMIT = re.compile(r"(?i)(?:CBS|limit)\s*\(\s*([^(),/\s]+)\s*[,/]\s*([^(),/\s]+)\s*\)")
"""Two basis sets as people write them for the limit: `CBS(cc-pVTZ,cc-pVQZ)`."""

LETTERS = "DTQ56"
"""Letters of cardinal numbers from 2 on."""

PAIR = re.compile(r"(?i)(?P<before>.*)\[(?P<pair>[^\[\]]*)\](?P<after>.*)")

KARTON_MARTIN, CUBE = 6.3, 3.0

DEF2 = {2: (10.39, 2.40), 3: (7.88, 2.97)}
"""α and β by the smaller cardinal number."""

VALENCE = re.compile(r"def2-?(?P<letter>S|TZ|QZ)VP+D?")
CARDINALS = {"S": 2, "TZ": 3, "QZ": 4}

EXAMPLES = "write cc-pV[DT]Z, aug-cc-pV[TQ]Z, def2-[SVP,TZVPP] or def2-[TZVPP,QZVPP]"


def is_pair(basis: str) -> bool:
    """Return whether a basis set names two, to go on from to the limit."""
    return "[" in basis or "]" in basis or bool(LIMIT.fullmatch(basis.strip()))


def extrapolation_of(basis: str) -> BasisExtrapolation:
    """Return what a pair of basis sets such as `cc-pV[DT]Z` or `def2-[SVP,TZVPP]` means.

    Raises:
        InputError: there is no such pair.
    """
    asked = f"the basis set {basis!r} was asked for"
    names = [usual_basis(one) for one in _names(basis.strip(), asked)]
    numbers = [_cardinal(name) for name in names]
    if None in numbers:
        raise InputError(
            asked,
            "it is known of correlation-consistent sets and of def2 how they converge",
            EXAMPLES,
        )
    small, large = (number or 0 for number in numbers)
    family = [name.lower().startswith("def2") for name in names]
    if large != small + 1 or family[0] != family[1]:
        raise InputError(asked, f"{names[1]} is not the next larger set after {names[0]}", EXAMPLES)
    if family[0] and small not in DEF2:
        raise InputError(asked, "def2 ends with the quadruple-zeta sets", EXAMPLES)
    alpha, beta = DEF2[small] if family[0] else (KARTON_MARTIN, CUBE)
    return BasisExtrapolation(
        smaller_basis=names[0],
        larger_basis=names[1],
        smaller_cardinal=small,
        larger_cardinal=large,
        reference_exponent=alpha,
        correlation_exponent=beta,
    )


def _names(basis: str, asked: str) -> list[str]:
    """Return the two basis sets of a pair, as they are written.

    Raises:
        InputError: it is none.
    """
    if limit := LIMIT.fullmatch(basis):
        return [limit[1], limit[2]]
    match = PAIR.fullmatch(basis)
    if match is None:
        raise InputError(asked, "brackets hold two basis sets, for the limit of both", EXAMPLES)
    between = re.split(r"\s*,\s*", match["pair"].strip())
    if len(between) == 1:
        between = list(between[0].upper())
    if len(between) != 2:
        raise InputError(asked, "two basis sets are needed, no more and no fewer", EXAMPLES)
    return [match["before"] + one + match["after"] for one in between]


def pair_name(how: BasisExtrapolation) -> str:
    """Return the usual spelling of the two sets of an extrapolation, such as `cc-pV[DT]Z`."""
    small, large = how.smaller_basis, how.larger_basis
    same = 0
    while small[same] == large[same]:
        same += 1
    if small.startswith("def2"):
        return f"def2-[{small[5:]},{large[5:]}]"
    return f"{small[:same]}[{small[same]}{large[same]}]{small[same + 1 :]}"


def extrapolation_remarks(how: BasisExtrapolation) -> list[str]:
    """Return what a reader must know of an extrapolation."""
    said = [
        f"extrapolated from {how.smaller_basis} and {how.larger_basis}: Hartree–Fock like "
        f"exp(−{how.reference_exponent:g}√X), correlation like X^−{how.correlation_exponent:g}, "
        f"X = {how.smaller_cardinal} and {how.larger_cardinal}"
    ]
    names = (how.smaller_basis, how.larger_basis)
    if any(re.fullmatch("def2-[TQ]ZVP", name) for name in names):
        said.append("the exponents were fitted to def2-TZVPP and def2-QZVPP, which go together")
    if how.smaller_cardinal == 2 and not names[0].lower().startswith("def2"):
        said.append(
            "the double-zeta set is small for X^−3: the limit may be off by some mEh of the total "
            "energy; [TQ] is better"
        )
    return said


def energies(basis: str, cardinal: int, reference: float, found: Correlation) -> BasisSetEnergy:
    """Return the energies in one of the two basis sets as they are stored."""
    return BasisSetEnergy(
        basis=basis,
        cardinal_number=cardinal,
        reference_energy=reference,
        correlation_energy=found.total,
    )


def reference_limit(how: BasisExtrapolation, smaller: float, larger: float) -> float:
    """Return the limit of Hartree–Fock energies (Eh)."""
    decay = [
        math.exp(-how.reference_exponent * math.sqrt(number))
        for number in (how.smaller_cardinal, how.larger_cardinal)
    ]
    return larger - (smaller - larger) / (decay[0] - decay[1]) * decay[1]


def correlation_limit(how: BasisExtrapolation, smaller: float, larger: float) -> float:
    """Return the limit of correlation energies, or of a part of them (Eh)."""
    weights = [
        number**how.correlation_exponent for number in (how.smaller_cardinal, how.larger_cardinal)
    ]
    return (weights[1] * larger - weights[0] * smaller) / (weights[1] - weights[0])


def limit(how: BasisExtrapolation, smaller: Correlation, larger: Correlation) -> Correlation:
    """Return the limit of all parts; T1 and the number of cycles are those of the larger set."""

    def of(small: float | None, large: float | None) -> float | None:
        if small is None or large is None:
            return None
        return correlation_limit(how, small, large)

    return Correlation(
        correlation_limit(how, smaller.total, larger.total),
        of(smaller.opposite, larger.opposite),
        of(smaller.same, larger.same),
        of(smaller.triples, larger.triples),
        larger.t1,
        larger.cycles,
    )


def _cardinal(name: str) -> int | None:
    """Return the cardinal number of a basis set; None where it has none that is known."""
    if match := VALENCE.fullmatch(name):
        return CARDINALS[match["letter"]]
    if match := re.fullmatch(r"(?i)(aug-|jun-|heavy-aug-)?cc-pw?C?V\(?([DTQ56])(\+d\)?)?Z", name):
        return LETTERS.index(match[2].upper()) + 2
    return None
