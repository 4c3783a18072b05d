"""Numbers that a search makes of two that are stored, such as a gap between orbitals."""

from __future__ import annotations

from dataclasses import dataclass

CLOSED = (
    "?result g:atoms/g:multiplicity 1 . FILTER NOT EXISTS "
    '{ ?result g:level/g:reference ?kind FILTER(?kind != "restricted") }'
)
"""A pattern of `?result`s whose electrons are paired."""


@dataclass(frozen=True)
class Difference:
    """A number of results that is one of theirs less another one.

    A class has those of its results in `differences`.

    Attributes:
        name: of the number.
        upper: the field of which is taken away.
        lower: the field that is taken away, of the same unit.
        otherwise: what else people call it.
        only: a pattern in SPARQL of `?result`s that have it; empty for all.
    """

    name: str
    upper: str
    lower: str
    otherwise: tuple[str, ...] = ()
    only: str = ""


ORBITAL_GAP = Difference(
    "homo_lumo_gap", "lumo", "homo", ("gap", "orbital_gap", "frontier_gap"), CLOSED
)
"""Between the highest occupied and the lowest empty orbital; of open shells it is not told."""
