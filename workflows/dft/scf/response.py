"""How the orbitals follow a move of each atom: the coupled-perturbed equations.

They are solved here and not by PySCF, whose solver can stop far from the solution without a word
(docs/why.md). What is asked for is that the equations are fulfilled, and that is looked at.

Source: J. A. Pople, R. Krishnan, H. B. Schlegel, J. S. Binkley, Int. J. Quantum Chem. Symp. 13, 225
(1979).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from triplestore.errors import NotConvergedError

from .equations import solve, solve_directly

RESIDUAL = 1e-7
"""By how much the equations may be missed: the norm of what is left for one move of one atom, over
the orbitals' energies. Second derivatives (Eh/bohr²) and those of the dipole (e) are off by about
as much."""

DIRECTLY = 4000
"""Pairs of an occupied and an empty orbital up to which equations may be solved as a whole."""

SHARE = 0.4
"""Of the memory that a mean field may have, what the solver takes at most."""

EXPECTED = 16
"""Trial vectors for each of the equations, at most, in sound cases."""

REVISION = "response 2"
"""Of what rests on the response of Kohn–Sham orbitals: PySCF's solver left out parts of it, more or
less by chance, as derivatives on a grid do not quite obey that a molecule moved as a whole stays
the same. Hartree–Fock's do, and were right."""

Respond = Callable[[Floats], Floats]
"""Gives the potential that changed densities bring about, both over basis functions: shape (n,
functions, functions), for unrestricted orbitals (2, n, functions, functions)."""


@dataclass(frozen=True)
class Channel:
    """The orbitals of one spin, or of both if they share them.

    Attributes:
        orbitals: shape (functions, orbitals).
        energies: of the orbitals, in Eh.
        filled: whether each is occupied.
        electrons: in each occupied orbital, 1 or 2.
    """

    orbitals: Floats
    energies: Floats
    filled: np.ndarray
    electrons: int

    @property
    def below(self) -> Floats:
        """The occupied orbitals."""
        return self.orbitals[:, self.filled]

    @property
    def gaps(self) -> Floats:
        """Energies of empty less those of occupied orbitals, shape (empty, occupied)."""
        return self.energies[~self.filled][:, None] - self.energies[self.filled]

    def inside(self, matrices: Floats) -> Floats:
        """Return matrices over basis functions as ones over all and the occupied orbitals."""
        return np.einsum("pa,...pq,qi->...ai", self.orbitals, matrices, self.below, optimize=True)

    def density(self, change: Floats) -> Floats:
        """Return the change of the density that belongs to one of the orbitals, (n, …, …)."""
        half = self.electrons * (self.orbitals @ change) @ self.below.T
        return half + half.transpose(0, 2, 1)


def is_solved(level: LevelOfTheory, electrons: Sequence[int]) -> bool:
    """Whether second derivatives at a level are made from the response of the orbitals.

    Otherwise PySCF has none, and they are differences of gradients.

    Args:
        level: the level of theory.
        electrons: of alpha and of beta spin.
    """
    if level.reference == "restricted open-shell" or not all(electrons):
        return False
    return not (level.nonlocal_correlation and level.reference == "unrestricted")


def revision(inputs: Sequence[GraphModel]) -> str:
    """Return the revision of what rests on the response, for atoms at a level."""
    level = next(one for one in inputs if isinstance(one, LevelOfTheory))
    atoms = next(one for one in inputs if isinstance(one, ConceptualAtoms))
    electrons = int(sum(atoms.numbers)) - atoms.charge
    beta = (electrons - atoms.multiplicity + 1) // 2
    solved = len(atoms.numbers) > 1 and is_solved(level, (electrons - beta, beta))
    return REVISION if level.functional and solved else ""


def channels_of(mf: Any) -> list[Channel]:
    """Return the spins of a mean field, restricted or unrestricted."""
    if np.ndim(mf.mo_occ) == 1:
        return [Channel(mf.mo_coeff, mf.mo_energy, mf.mo_occ > 0, 2)]
    parts = zip(mf.mo_coeff, mf.mo_energy, mf.mo_occ, strict=True)
    return [Channel(orbitals, energies, filled > 0, 1) for orbitals, energies, filled in parts]


class Hessian:
    """PySCF's second derivatives of the energy, with the response of the orbitals from here.

    Args:
        solver: PySCF's, on the processor.

    Attributes:
        changes: the response of the orbitals, for each spin; see `orbital_response`.
    """

    def __init__(self, solver: Any) -> None:
        self.solver = solver
        self.changes: list[Floats] = []

    def kernel(self) -> Floats:
        """Return them in Eh/bohr², shape (atoms, atoms, 3, 3).

        Raises:
            NotImplementedError: PySCF has none for the mean field.
            NotConvergedError: the response could not be found.
        """
        self.solver.solve_mo1 = self._solve
        return np.asarray(self.solver.kernel(), float)

    def _solve(self, _e: Any, orbitals: Any, _n: Any, forces: Any, *_: Any, **__: Any) -> Any:
        mf = self.solver.base
        closed = np.ndim(orbitals) == 2
        channels = channels_of(mf)
        given = [forces] if closed else forces
        sorted_ = [c.inside(np.asarray(one)) for c, one in zip(channels, given, strict=True)]
        respond = mf.gen_response(mf.mo_coeff, mf.mo_occ, hermi=1)
        self.changes, shifts = orbital_response(mf, sorted_, respond)
        over = [c.orbitals @ one for c, one in zip(channels, self.changes, strict=True)]
        return (over[0], shifts[0]) if closed else (tuple(over), tuple(shifts))


def orbital_response(
    mf: Any, forces: Sequence[Floats], respond: Respond, start: Sequence[Floats] | None = None
) -> tuple[list[Floats], list[Floats]]:
    """Return how orbitals and their energies follow each move of an atom, for each spin.

    Args:
        mf: a converged mean field.
        forces: for each spin the change of the Fock matrix that a move of an atom brings about
            while orbitals stay, over all and the occupied orbitals, in Eh/bohr; shape (atoms, 3,
            orbitals, occupied).
        respond: see there.
        start: a solution that may be near, in orbitals.

    Returns:
        The orbitals' change in terms of orbitals, shape (atoms, 3, orbitals, occupied), in 1/bohr;
        and that of the energies, shape (atoms, 3, occupied, occupied), in Eh/bohr.

    Raises:
        NotConvergedError: the equations could not be solved.
    """
    channels = channels_of(mf)
    overlaps = [channel.inside(_overlaps(mf.mol)) for channel in channels]
    count = mf.mol.natm
    pairs = sum(channel.gaps.size for channel in channels)
    room = int(SHARE * mf.max_memory * 1e6) // (8 * 2 * 3 * EXPECTED * max(pairs, 1))
    found: list[list[Floats]] = []
    energies: list[list[Floats]] = []
    for first in range(0, count, max(1, room)):
        atoms = slice(first, first + max(1, room))

        def rows(parts: Sequence[Floats], atoms: slice = atoms) -> list[Floats]:
            return [part[atoms].reshape(-1, *part.shape[2:]) for part in parts]

        equations = _Equations(channels, rows(forces), rows(overlaps), respond)
        changes, shifts = equations.solved(mf, rows(start) if start is not None else None)
        found.append([part.reshape(-1, 3, *part.shape[1:]) for part in changes])
        energies.append([part.reshape(-1, 3, *part.shape[1:]) for part in shifts])
    return _joined(found), _joined(energies)


def field_response(mf: Any, forces: Sequence[Floats], respond: Respond) -> list[Floats]:
    """Return how orbitals follow what moves no basis functions, such as a field, for each spin.

    Args:
        mf: a converged mean field.
        forces: for each spin the change of the Fock matrix that each of several fields brings about
            while orbitals stay, over all and the occupied orbitals; shape (fields, orbitals,
            occupied), in Eh.
        respond: see there.

    Returns:
        The orbitals' change in terms of orbitals, shape (fields, orbitals, occupied).

    Raises:
        NotConvergedError: the equations could not be solved.
    """
    still = [np.zeros_like(force) for force in forces]
    changes, _ = _Equations(channels_of(mf), list(forces), still, respond).solved(mf, None)
    return changes


def _joined(blocks: list[list[Floats]]) -> list[Floats]:
    return [np.concatenate(parts) for parts in zip(*blocks, strict=True)]


def _overlaps(mol: Any) -> Floats:
    """Return the change of overlaps with each atom, shape (atoms, 3, functions, functions)."""
    slopes = -mol.intor("int1e_ipovlp", comp=3)
    overlaps = np.zeros((mol.natm, *slopes.shape))
    for atom, (_, _, start, stop) in enumerate(mol.aoslice_by_atom()):
        overlaps[atom, :, start:stop] += slopes[:, start:stop]
        overlaps[atom, :, :, start:stop] += slopes[:, start:stop].transpose(0, 2, 1)
    return overlaps


class _Equations:
    """The equations of some moves.

    Occupied orbitals turn among each other as the overlaps want it, and that is known beforehand.
    Sought is how much of empty orbitals comes in: x, with gaps·x + felt(x) = wanted.
    """

    def __init__(
        self,
        channels: list[Channel],
        forces: list[Floats],
        overlaps: list[Floats],
        respond: Respond,
    ) -> None:
        self.channels, self.respond = channels, respond
        self.driving = [
            force - overlap * channel.energies[channel.filled]
            for force, overlap, channel in zip(forces, overlaps, channels, strict=True)
        ]
        self.known = [
            -overlap[:, channel.filled] / 2
            for overlap, channel in zip(overlaps, channels, strict=True)
        ]
        self.gaps = np.concatenate([channel.gaps.ravel() for channel in channels])

    def solved(self, mf: Any, start: list[Floats] | None) -> tuple[list[Floats], list[Floats]]:
        """Return the change of orbitals, and that of energies."""
        count = len(self.known[0])
        solution = np.zeros((count, self.gaps.size)) if start is None else self.packed(start)
        scale = np.where(np.abs(self.gaps) < 1e-3, 1e-3, self.gaps)
        before, whole = np.inf, False
        while True:
            changes = self.unpacked(solution, self.known)
            potentials = self.felt(changes)
            full = [force + felt for force, felt in zip(self.driving, potentials, strict=True)]
            left = -self.packed(full) - self.gaps * solution
            worst = float(np.linalg.norm(left / scale, axis=1).max(initial=0.0))
            if worst <= RESIDUAL:
                return changes, self.shifts(full, changes)
            if whole:
                break
            if worst < before / 10:
                solution = solution + solve(self.product, scale, left, RESIDUAL / 2)
            elif self.gaps.size <= DIRECTLY:
                solution, whole = solution + solve_directly(self.product, left), True
            else:
                break
            before = worst
        raise NotConvergedError(
            f"the response of the orbitals of {mf.mol.natm} atoms was not found",
            f"the equations are missed by {worst:.0e}, where {RESIDUAL:.0e} is allowed",
            "the SCF may not be at a minimum: ask for a stable solution (`stable`), for another "
            "functional or reference, or for a finer grid",
        )

    def product(self, vectors: Floats) -> Floats:
        """Return gaps·x + felt(x) for several x."""
        nothing = [np.zeros((len(vectors), *part.shape[1:])) for part in self.known]
        felt = self.felt(self.unpacked(vectors, nothing))
        return self.gaps * vectors + self.packed(felt)

    def felt(self, changes: list[Floats]) -> list[Floats]:
        """Return the change of the Fock matrix that changed orbitals bring about."""
        pairs = zip(self.channels, changes, strict=True)
        densities = [channel.density(change) for channel, change in pairs]
        if len(densities) == 1:
            return [self.channels[0].inside(self.respond(densities[0]))]
        potentials = self.respond(np.array(densities))
        return [c.inside(v) for c, v in zip(self.channels, potentials, strict=True)]

    def packed(self, parts: list[Floats]) -> Floats:
        """Return the rows of empty orbitals of all spins as vectors."""
        pairs = zip(self.channels, parts, strict=True)
        return np.hstack([part[:, ~c.filled].reshape(len(part), c.gaps.size) for c, part in pairs])

    def unpacked(self, vectors: Floats, occupied: list[Floats]) -> list[Floats]:
        """Return vectors and the rows of occupied orbitals as changes of all orbitals."""
        found, first = list[Floats](), 0
        for channel, rows in zip(self.channels, occupied, strict=True):
            size, shape = channel.gaps.size, channel.gaps.shape
            change = np.empty((len(vectors), len(channel.filled), shape[1]))
            change[:, channel.filled] = rows
            change[:, ~channel.filled] = vectors[:, first : first + size].reshape(
                len(vectors), *shape
            )
            found.append(change)
            first += size
        return found

    def shifts(self, full: list[Floats], changes: list[Floats]) -> list[Floats]:
        """Return how the energies of occupied orbitals change, as matrices among them."""
        found: list[Floats] = []
        for channel, force, change in zip(self.channels, full, changes, strict=True):
            own = channel.energies[channel.filled]
            turned = change[:, channel.filled] * (own[:, None] - own)
            found.append(force[:, channel.filled] + turned)
        return found
