"""Where the multiplicity of a structure is from."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ogm import GraphModel, Link

from .atoms import ConceptualAtoms

ToldBy: TypeAlias = Literal["table", "rule", "person", "file", "count"]


class SpinOrigin(GraphModel):
    """Who or what says the multiplicity of a structure.

    It stands beside the structure, not in it, as an `Identification` does: the same atoms in the
    same state are one object, however their state was told.

    Attributes:
        spin_of: the structure.
        told_spin: `table`: the table of ground states; `rule`: rules for free electrons; `person`:
            who asked for it; `file`: the file that it was read from; `count`: nobody, it is the
            lowest that the number of electrons allows.
        spin_smiles: the bonds that table or rules have read; empty for the others.
        spin_reason: what has decided, in words; empty where nothing was open.
    """

    spin_of: Link[ConceptualAtoms]
    told_spin: ToldBy
    spin_smiles: str = ""
    spin_reason: str = ""
