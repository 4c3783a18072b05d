"""What correlation adds to a Hartree–Fock energy, in its parts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Correlation:
    """What correlation adds to a Hartree–Fock energy, in Eh.

    Attributes:
        total: all of it.
        opposite: the part of electrons of opposite spin; None where it was not told apart.
        same: likewise of the same spin.
        triples: the perturbative triples; None where the method has none.
        t1: the T1 diagnostic; None where there are no single excitations.
        cycles: of coupled cluster.
    """

    total: float
    opposite: float | None = None
    same: float | None = None
    triples: float | None = None
    t1: float | None = None
    cycles: int = 0
