"""Whether two structures are the same molecule, and how far apart their atoms lie."""

# pyright: reportUnknownMemberType=false, reportMissingTypeStubs=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import numpy as np
from rdkit import Chem
from rdkit.Chem import rdDetermineBonds, rdMolAlign
from rdkit.Geometry import Point3D

from ontologies.atoms import ConceptualAtoms

MATCHES = 1_000_000
"""Renumberings that are tried at most."""


def distance(found: ConceptualAtoms, reference: ConceptualAtoms) -> float | None:
    """Return how far like atoms lie apart, in Å: the least root mean square, by RDKit.

    Turned, moved and renumbered structures are alike; mirror images are not.

    Returns:
        None if other atoms are bonded, or other elements are there.
    """
    if sorted(found.numbers) != sorted(reference.numbers):
        return None
    one, other = _graph(found), _graph(reference)
    if one.GetNumBonds() != other.GetNumBonds():
        return None
    if found.numbers.size == 1:
        return 0.0
    try:
        return float(rdMolAlign.GetBestRMS(one, other, maxMatches=MATCHES))
    except RuntimeError:  # no renumbering keeps the bonds
        return None


def _graph(atoms: ConceptualAtoms) -> Chem.Mol:
    mol = Chem.RWMol()
    places = Chem.Conformer(len(atoms.numbers))
    for n, (number, place) in enumerate(zip(atoms.numbers, atoms.positions, strict=True)):
        atom = Chem.Atom(int(number))
        atom.SetNoImplicit(True)
        mol.AddAtom(atom)
        places.SetAtomPosition(n, Point3D(*map(float, np.asarray(place))))
    mol.AddConformer(places, assignId=True)
    if len(atoms.numbers) > 1:
        rdDetermineBonds.DetermineConnectivity(mol)
    Chem.FastFindRings(mol)
    return mol.GetMol()
