"""Which substance a structure is."""

from __future__ import annotations

from typing import Annotated

from ogm import GraphModel, Link, PartOf

from .atoms import ConceptualAtoms


class Identification(GraphModel):
    """The substance that a structure is, concluded from its bonds, or why that cannot be said.

    It stands beside the structure, not in it: another rule for bonds concludes something else of
    the same atoms, and their IRI is their own.

    Attributes:
        identifies: the structure.
        perception: version of the rule that found the bonds; `as given` where they were known.
        inchi_key: standard InChIKey; empty where InChI cannot hold it. Mobile hydrogens and the
            bonds of metals take no part in it.
        skeleton: its first block: formula and connections, without stereochemistry, isotopes and
            protonation.
        smiles: canonical SMILES with the stereochemistry of the geometry.
        reason: why there is no SMILES; empty where there is one.

    Source: S. R. Heller et al., J. Cheminform. 7, 23 (2015), doi:10.1186/s13321-015-0068-4.
    """

    identifies: Annotated[Link[ConceptualAtoms], PartOf()]
    perception: str
    inchi_key: str = ""
    skeleton: str = ""
    smiles: str = ""
    reason: str = ""
