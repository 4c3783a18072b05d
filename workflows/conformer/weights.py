"""How much of a molecule is in each of its conformers."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerEnsemble
from ontologies.factors import GAS_CONSTANT, HARTREE
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.geometry.symmetry import rotor

from .numbering import numbered
from .stereo import is_chiral

TOLERANCE = 0.1
"""Å. How far a symmetry operation may miss an atom: soft rotors are relaxed to within this."""

BOLTZMANN = GAS_CONSTANT / (1000 * HARTREE["kJ/mol"])
"""Eh/K."""


def mirror_images(atoms: ConceptualAtoms, smiles: str) -> int:
    """Return how many geometries of a molecule a conformer and its mirror image are.

    2 if the mirror image is another geometry of the same molecule; 1 if a rotation lays the two
    upon each other, or if the mirror image is another molecule, the enantiomer. What is chiral
    without stereocentres (a biaryl, a helix) counts as one molecule with its mirror image.

    Args:
        atoms: the conformer.
        smiles: its bonds; where they are not known (""), a mirror image may be another molecule,
            and does not count.

    Raises:
        InputError: the structure is periodic, or its bonds are not those of the SMILES.
    """
    if not smiles or not _is_chiral_group(rotor(atoms, TOLERANCE)[0]):
        return 1
    return 1 if is_chiral(numbered(atoms, smiles)) else 2


def _is_chiral_group(name: str) -> bool:
    """Tell whether a point group has rotations alone: Cn, Dn, T, O, I."""
    return name in ("T", "O", "I") or (name[0] in "CD" and name[1:].isdigit())


def symmetry_number(atoms: ConceptualAtoms) -> int:
    """Return the rotational symmetry number, with a tolerance of 0.1 Å.

    Raises:
        InputError: the structure is periodic.
    """
    return rotor(atoms, TOLERANCE)[1]


def degeneracies(mirror_images: Sequence[int], symmetry_numbers: Sequence[int]) -> list[int]:
    """Return how many geometries of the numbered atoms each conformer stands for.

    That is in proportion to mirror images over symmetry number; the smallest integers are taken.
    Of n-pentane, trans-trans (C2v), trans-gauche (C1) and gauche-gauche (C2) are 1 : 4 : 2.

    Args:
        mirror_images: 1 or 2 each.
        symmetry_numbers: rotational, one each.
    """
    shares = [Fraction(m, s) for m, s in zip(mirror_images, symmetry_numbers, strict=True)]
    scale = math.lcm(*(one.denominator for one in shares))
    counts = [int(one * scale) for one in shares]
    common = math.gcd(*counts) or 1
    return [one // common for one in counts]


def weights(energies: Sequence[float], counts: Sequence[int], temperature: float) -> Floats:
    """Return Boltzmann weights, which add up to 1.

    Args:
        energies: in Eh. With Gibbs energies, symmetry numbers are inside already.
        counts: how many geometries each stands for.
        temperature: in K.

    Returns:
        Shape (conformers,).

    Raises:
        InputError: the temperature is not above 0, or a number is not finite.
    """
    values, times = np.asarray(energies, float), np.asarray(counts, float)
    if not (temperature > 0 and np.isfinite(values).all() and math.isfinite(temperature)):
        raise InputError(
            f"Boltzmann weights at {temperature:g} K were asked for",
            "the temperature is not above 0" if not temperature > 0 else "a number is not finite",
            "give energies in Eh and a `temperature` in K",
        )
    exponents = -(values - values.min()) / (BOLTZMANN * temperature) + np.log(times)
    factors = np.exp(exponents - exponents.max())
    return factors / factors.sum()


def told(found: ConformerEnsemble) -> tuple[str, ...]:
    """Return what to know of an ensemble, and whether its conformers are known to be minima.

    That is made from what is stored, so that it is said of ensembles of earlier versions too.
    """
    many, all_of_them = found.unverified, len(found.conformers)
    if not many:
        return found.remarks
    which = (
        "the conformer is"
        if all_of_them == 1
        else (
            "the conformers are"
            if many == all_of_them
            else f"{many} of {all_of_them} conformers are"
        )
    )
    unverified = (
        f"not verified as minima: no vibrations were computed, so {which} not known to be minima; "
        "a saddle point would carry a weight like any other (weights from Gibbs energies find "
        "them and push them off)"
    )
    return (unverified, *found.remarks)


def average(values: Sequence[float] | Floats, weights: Sequence[float] | Floats) -> float:
    """Return the mean of a scalar property over conformers.

    A vector in the frame of a conformer has no mean: give its length.

    Args:
        values: of each conformer, in any unit.
        weights: of each; they need not add up to 1.
    """
    return float(np.average(np.asarray(values, float), weights=np.asarray(weights, float)))


def conformational_entropy(
    weights: Sequence[float] | Floats, counts: Sequence[int] | Floats
) -> float:
    """Return the entropy of mixing of conformers, −k Σ p ln(p/g), in Eh/K a molecule.

    Each of the g geometries that a conformer stands for has p/g of the molecules. With the counts
    of `degeneracies`, which are scaled, it is that above the least degenerate: of one conformer
    alone 0. It leaves out what differs among the vibrations of conformers.

    Args:
        weights: the fraction of molecules in each conformer.
        counts: how many geometries each stands for.

    Source: P. Pracht, S. Grimme, Chem. Sci. 12, 6551 (2021), doi:10.1039/D1SC00621E.
    """
    shares, times = np.asarray(weights, float), np.asarray(counts, float)
    present = shares > 0
    shares, times = shares[present], times[present]
    return float(BOLTZMANN * (shares * np.log(times / shares)).sum())
