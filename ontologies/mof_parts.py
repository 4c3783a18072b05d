"""What taking a framework apart comes to."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ogm import GraphModel

from .atoms import ConceptualAtoms
from .mofs import Framework

SolventChoice: TypeAlias = Literal["free", "all", "none"]
"""Which solvent is removed: what is not bonded, also what hangs on one metal alone, or none."""


class TakenApart(GraphModel, identity="result"):
    """A framework that was taken apart into the nodes and linkers of its net.

    Attributes:
        atoms: the crystal as it was given.
        framework: the crystal as it was cleaned, with its net and blocks.
        solvent_choice: which solvent was to be removed.
        removed: what was removed, each molecule with how many of it the cell had.
        net_key: equal for nets that are the same, with or without a name.
        key_is_exact: whether different nets have different keys.
        net_vertices: how many the smallest cell of the net has; 0 where that is not known.
        net_edges: how many the smallest cell of the net has; 0 where that is not known.
        lacking_hydrogens: how many carbon atoms of the cell lack them.
        remarks: what a reader must know.
    """

    atoms: ConceptualAtoms
    framework: Framework
    solvent_choice: SolventChoice = "free"
    removed: tuple[str, ...] = ()
    net_key: str = ""
    key_is_exact: bool = True
    net_vertices: int = 0
    net_edges: int = 0
    lacking_hydrogens: int = 0
    remarks: tuple[str, ...] = ()


class CrystalEntry(GraphModel):
    """A crystal as an entry of a database.

    Attributes:
        atoms: the crystal, as it was read.
        reference_code: of the entry, such as DOTSOV01.
        entry_source: its file and folder, or its address.
    """

    atoms: ConceptualAtoms
    reference_code: str
    entry_source: str
