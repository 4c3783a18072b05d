"""Basis sets towards the limit, and what is to be known of a series that has not come to it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from workflows.engine.request.rules import Ladder

DIFFUSE = re.compile(r"(?i)aug|jun|jul|\+|^ma-|^def2-\w+D$")
"""How names of basis sets with diffuse functions are written."""

FAR_OUT = re.compile(r"dipole|polari[sz]|affinity|excit|bright|singlet|triplet")
"""Quantities that rest on the density far from the nuclei, by their names."""


def _without_diffuse(values: Sequence[Any], quantity: str, said: Mapping[str, Any]) -> str:
    """Say where basis sets without diffuse functions lead to another limit.

    Source: T. H. Dunning's augmented sets are made for this: R. A. Kendall, T. H. Dunning, R. J.
    Harrison, J. Chem. Phys. 96, 6796 (1992); for dipoles and polarisabilities D. Rappoport, F.
    Furche, J. Chem. Phys. 133, 134105 (2010).
    """
    anion = int(said.get("charge") or 0) < 0
    far = bool(FAR_OUT.search(quantity) or said.get("states"))
    if any(DIFFUSE.search(str(one)) for one in values) or not (anion or far):
        return ""
    return (
        f"none of these basis sets has diffuse functions, which {'an anion' if anion else quantity}"
        " needs: the series may lead to another value; go from def2-SVPD or aug-cc-pVDZ on"
    )


CORRELATED = re.compile(r"(?i)(DF-)?MP2|CCSD")
"""Methods whose energies are extrapolated to the limit of the basis set."""

ZETA = re.compile(
    r"(?P<before>(?:aug-)?cc-pV)(?P<n>[DTQ5])(?P<behind>Z)|(?P<def2>def2-)(?P<set>\w+)"
)
"""Names of basis sets from two of which such a limit is had."""


def _after_the_largest(values: Sequence[Any], quantity: str, said: Mapping[str, Any]) -> str:
    """Say how to go on from basis sets that have not come to the limit."""
    names = [str(one) for one in values]
    larger = next(
        (one[one.index(names[-1]) + 1 :] for one in BASIS_SETS.series if names[-1] in one), ()
    )
    told = [f"go on with `basis` {','.join([names[-1], *larger])}"] if larger else []
    if quantity != "energy":
        return told[0] if told else ""
    small, large = (ZETA.fullmatch(one) for one in names[-2:])
    if not CORRELATED.match(str(said.get("method") or "")):
        told.append("differences, such as the energy of a reaction, converge sooner (react)")
    elif small and large and small["before"] == large["before"] and small["def2"] == large["def2"]:
        pair = f"def2-[{small['set']},{large['set']}]"
        if small["n"]:
            pair = f"{small['before']}[{small['n']}{large['n']}]{small['behind']}"
        told.append(f"`basis` '{pair}' goes from the last two to the limit")
    return "; ".join(reversed(told))


BASIS_SETS = Ladder(
    (
        ("def2-SVP", "def2-TZVP", "def2-QZVP"),
        ("def2-SVPD", "def2-TZVPD", "def2-QZVPD"),
        ("def2-SVP", "def2-TZVPP", "def2-QZVPP"),
        ("def2-SVPD", "def2-TZVPPD", "def2-QZVPPD"),
        ("cc-pVDZ", "cc-pVTZ", "cc-pVQZ", "cc-pV5Z"),
        ("aug-cc-pVDZ", "aug-cc-pVTZ", "aug-cc-pVQZ", "aug-cc-pV5Z"),
        ("STO-3G", "3-21G", "6-31G*", "6-311G**", "6-311++G(2d,p)"),
    ),
    _without_diffuse,
    _after_the_largest,
)
"""Basis sets towards the limit, family by family."""
