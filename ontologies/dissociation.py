"""Bond dissociation: what it takes to pull the two ends of a bond apart."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ogm import GraphModel

from .atoms import ConceptualAtoms
from .reactions import ReactionEnergy

Dissociation: TypeAlias = Literal["radicals", "hydride", "proton"]


class BondDissociation(GraphModel):
    """What it takes to break bonds of a molecule, one at a time.

    Attributes:
        dissociated: the molecule as given.
        into: whether both ends keep an electron, or hydrogen leaves with the pair or without.
        bond_labels: which bonds, such as `C1-H4`: symbols and numbers from 1.
        reactions: what breaking each takes, in the same order.
        failures: bonds without a result, each with the reason.
    """

    dissociated: ConceptualAtoms
    into: Dissociation
    bond_labels: tuple[str, ...]
    reactions: tuple[ReactionEnergy, ...]
    failures: tuple[str, ...] = ()
