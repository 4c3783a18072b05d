"""Conformers: the geometries that one molecule can take."""

from __future__ import annotations

from ogm import GraphModel

from .atoms import ConceptualAtoms


class Conformers(GraphModel, identity="result"):
    """Conformers of a molecule by a force field, of lowest energy first.

    Attributes:
        notation: the SMILES that they were made from.
        structures: their geometries.
        method: how they were made.
    """

    notation: str
    structures: tuple[ConceptualAtoms, ...]
    method: str
