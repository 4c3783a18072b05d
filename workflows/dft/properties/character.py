"""What excited states are: n → π*, π → π*, to Rydberg orbitals, with charge transfer or mixed.

A state is taken apart into natural transition orbitals: pairs of where an electron leaves (hole)
and where it goes to (electron). Both are projected on the free atoms' minimal basis, which tells
p functions along the local normal of a conjugated atom (π) from all else, whatever the basis set.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.units import Floats

from .conjugation import pi_planes
from .populations import half_power

PAIRS = 0.05
"""Weight from which a pair of natural transition orbitals counts."""

CLEAR = 0.6
"""Weight from which one kind of pairs stands for the whole state."""

HALF = 0.5
"""Share of an orbital from which it is π; and of the minimal basis, below which it is Rydberg."""

LONE = 0.4
"""Share on atoms with lone pairs from which a hole that is not π is n, not σ."""

FAR = 2.0
"""Å between the centres of hole and electron from which charge is said to be transferred."""

LONE_PAIRS = frozenset([7, 8, 9, 15, 16, 17, 33, 34, 35, 52, 53])
"""Numbers of the elements of groups 15 to 17."""


def characters(td: Any, atoms: ConceptualAtoms, states: Sequence[int]) -> tuple[str, ...]:
    """Return what states of a closed shell are, such as `n → π*`; none where that is not known.

    Args:
        td: solved response equations.
        atoms: the geometry.
        states: their numbers, from 0.

    Source: R. L. Martin, J. Chem. Phys. 118, 4775 (2003), for natural transition orbitals; C. A.
    Guido, P. Cortona, B. Mennucci, C. Adamo, J. Chem. Theory Comput. 9, 3118 (2013), for the
    distance between the centres of hole and electron, and that 2 Å are much.
    """
    mf = td._scf
    if np.ndim(mf.mo_occ) == 2:
        return ()
    minimal = _Minimal.of(mf.mol, atoms)
    if minimal is None:
        return ()
    orbitals, occupied = np.asarray(mf.mo_coeff), np.asarray(mf.mo_occ) > 0
    below, above = orbitals[:, occupied], orbitals[:, ~occupied]
    dipoles = np.asarray(mf.mol.intor("int1e_r"))
    return tuple(
        _character(np.asarray(td.xy[n][0], float), below, above, minimal, dipoles) for n in states
    )


def _character(
    amplitudes: Floats, below: Floats, above: Floats, minimal: _Minimal, dipoles: Floats
) -> str:
    left, values, right = np.linalg.svd(amplitudes, full_matrices=False)
    weights = values**2 / (values**2).sum()
    kinds: dict[str, float] = {}
    distance = 0.0
    for weight, from_, to in zip(weights, left.T, right, strict=True):
        if weight < PAIRS:
            break
        hole, electron = below @ from_, above @ to
        kind = f"{minimal.hole(hole)} → {minimal.electron(electron)}"
        kinds[kind] = kinds.get(kind, 0.0) + float(weight)
        centres = [np.einsum("i,xij,j->x", one, dipoles, one) for one in (hole, electron)]
        distance += float(weight) * float(np.linalg.norm(centres[1] - centres[0])) * BOHR
    ordered = sorted(kinds, key=lambda kind: -kinds[kind])
    best = ordered[0]
    if kinds[best] < CLEAR:
        shares = [f"{kind} {kinds[kind]:.0%}".replace("%", " %") for kind in ordered[:2]]
        return f"mixed: {', '.join(shares)}"
    distance /= sum(kinds.values())
    if distance >= FAR and "Rydberg" not in best:
        return f"{best}, charge over {distance:.1f} Å"
    return best


class _Minimal:
    """The minimal basis of free atoms: what orbitals are in it.

    Args:
        into: matrix that takes orbitals to its orthogonal functions.
        owners: the atom of each function.
        shells: of each p shell its atom and the places of its x, y and z.
        planes: directions of π functions by atom; two where all across an axis are.
        numbers: of the elements.
    """

    def __init__(
        self,
        into: Floats,
        owners: Floats,
        shells: Sequence[tuple[int, list[int]]],
        planes: dict[int, Floats],
        numbers: Sequence[int],
    ) -> None:
        self.into, self.owners, self.shells, self.planes = into, owners, shells, planes
        self.lone = np.isin(np.asarray(numbers)[owners.astype(int)], list(LONE_PAIRS))

    @staticmethod
    def of(mol: Any, atoms: ConceptualAtoms) -> _Minimal | None:
        """Return that of a molecule; None where an element has none."""
        from pyscf import gto, lo

        try:
            reference = lo.iao.reference_mol(mol)
        except (KeyError, RuntimeError, gto.basis.BasisNotFoundError):
            return None
        root = half_power(np.asarray(reference.intor_symmetric("int1e_ovlp"), float))
        cross = np.asarray(gto.intor_cross("int1e_ovlp", reference, mol), float)
        into: Floats = np.asarray(np.linalg.solve(root, cross), float)
        labels = reference.ao_labels(fmt=None)
        owners = np.array([label[0] for label in labels], float)
        places: dict[tuple[int, str], dict[str, int]] = {}
        for place, (atom, _, shell, axis) in enumerate(labels):
            if shell.endswith("p"):
                places.setdefault((int(atom), shell), {})[axis] = place
        shells = [(atom, [axes[x] for x in "xyz"]) for (atom, _), axes in places.items()]
        return _Minimal(into, owners, shells, pi_planes(atoms), atoms.numbers.tolist())

    def _pi(self, inside: Floats) -> float:
        found = 0.0
        for atom, axes in self.shells:
            if atom in self.planes:
                found += float(((self.planes[atom] @ inside[axes]) ** 2).sum())
        return found

    def hole(self, orbital: Floats) -> str:
        """Return `π`, `n` or `σ`."""
        inside = self.into @ orbital
        whole = float(inside @ inside)
        if self._pi(inside) >= HALF * whole:
            return "π"
        return "n" if float((inside[self.lone] ** 2).sum()) >= LONE * whole else "σ"

    def electron(self, orbital: Floats) -> str:
        """Return `π*`, `σ*` or `Rydberg`."""
        inside = self.into @ orbital
        whole = float(inside @ inside)
        if whole < HALF:
            return "Rydberg"
        return "π*" if self._pi(inside) >= HALF * whole else "σ*"
