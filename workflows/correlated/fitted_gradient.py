"""The gradient of density-fitted second-order perturbation theory on exact Hartree–Fock orbitals.

PySCF has none. For each spin, with t the amplitudes, C the fitting coefficients of a pair of an
occupied and an empty orbital, and P, Q fitting functions:

- the integrals move: Γ = t·C goes with the derivatives of (µν|P), Γ·C with those of (P|Q);
- the orbitals move: what Γ makes of them (here `weights`) and the unrelaxed density give the
  right-hand side of the coupled-perturbed Hartree–Fock equations, whose solution is the rest of the
  relaxed density;
- the density goes with the derivatives of the Fock operator, and with orbital energies those of the
  overlap.

Sources: F. Weigend, M. Häser, Theor. Chem. Acc. 97, 331 (1997), doi:10.1007/s002140050269; J. A.
Pople, R. Krishnan, H. B. Schlegel, J. S. Binkley, Int. J. Quantum Chem. Symp. 13, 225 (1979).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ontologies.correlated import CorrelatedLevel
from ontologies.units import Floats
from triplestore.errors import NotConvergedError
from workflows.engine import context

from .fitting import functions_for
from .solving import frozen_orbitals

TIGHT = 1e-9
"""Of what may be left of the response equations."""

SHARE, LEAST = 0.2, 50.0
"""Of the memory that a block of integrals may take, and MB that it may in any case."""


@dataclass
class Spin:
    """The orbitals of a spin and what second-order perturbation theory makes of them.

    Attributes:
        orbitals: all of them, shape (functions, orbitals).
        energies: of them.
        frozen: how many of the occupied ones are not correlated.
        occupied: how many are occupied, the frozen ones among them.
        pairs: integrals (ia|P), then the orthogonalised ones, shape (active, empty, fitting).
        fitted: their fitting coefficients, likewise.
        gamma: see the head of this module, likewise.
        density: the correction to the density, shape (orbitals, orbitals).
    """

    orbitals: Floats
    energies: Floats
    frozen: int
    occupied: int
    pairs: Floats
    fitted: Floats
    gamma: Floats
    density: Floats

    @property
    def active(self) -> Floats:
        """The correlated occupied orbitals."""
        return self.orbitals[:, self.frozen : self.occupied]

    @property
    def empty(self) -> Floats:
        """The empty orbitals."""
        return self.orbitals[:, self.occupied :]

    @property
    def held(self) -> Floats:
        """The energies of the correlated occupied orbitals."""
        return self.energies[self.frozen : self.occupied]

    @property
    def free(self) -> Floats:
        """The energies of the empty orbitals."""
        return self.energies[self.occupied :]

    def in_functions(self, matrix: Floats) -> Floats:
        """Return a matrix of orbitals as one of basis functions."""
        return self.orbitals @ matrix @ self.orbitals.T


@dataclass(frozen=True)
class Slope:
    """The gradient of the correlation energy, and the dipole of its relaxed density.

    Attributes:
        gradient: in Eh/bohr, shape (atoms, 3).
        density: the correction of both spins in basis functions.
    """

    gradient: Floats
    density: Floats


class FittedGradient:
    """The derivative of the correlation energy of a mean field.

    Args:
        mf: a converged Hartree–Fock solution, restricted or unrestricted.
        level: of DF-MP2.
    """

    def __init__(self, mf: Any, level: CorrelatedLevel) -> None:
        from pyscf import df

        self.mf, self.mol, self.level = mf, mf.mol, level
        symbols = sorted({self.mol.atom_pure_symbol(index) for index in range(self.mol.natm)})
        sets = functions_for(symbols, level.fitting_basis, level.basis)
        self.aux: Any = df.addons.make_auxmol(self.mol, sets)
        self.closed = level.reference == "restricted"
        frozen = frozen_orbitals(self.mol, level)
        coefficients, energies = np.asarray(mf.mo_coeff), np.asarray(mf.mo_energy)
        if self.closed:
            coefficients, energies = coefficients[None], energies[None]
        self.spins = [
            self._spin(coefficients[n], energies[n], frozen, self.mol.nelec[n])
            for n in range(len(coefficients))
        ]

    def _spin(self, orbitals: Floats, energies: Floats, frozen: int, occupied: int) -> Spin:
        size = orbitals.shape[1]
        shape = (occupied - frozen, size - occupied, self.aux.nao)
        empty = np.zeros(shape)
        return Spin(
            orbitals,
            energies,
            frozen,
            occupied,
            empty,
            empty,
            np.zeros(shape),
            np.zeros((size, size)),
        )

    def kernel(self) -> Slope:
        """Return the derivative.

        Raises:
            NotConvergedError: the response equations could not be solved.
        """
        self._fit()
        for spin in self.spins:
            self._same(spin)
        self._opposite()
        pairs = [np.einsum("iap,iaq->pq", one.gamma, one.fitted) for one in self.spins]
        weights = self._weights()
        self._respond(weights)
        twice = 2.0 if self.closed else 1.0
        gradient = twice * self._through_fitting(np.sum(pairs, axis=0))
        gradient += self._through_density(weights)
        density = np.sum([one.in_functions(one.density) for one in self.spins], axis=0)
        return Slope(gradient, twice * density)

    # --- amplitudes -------------------------------------------------------------------------

    def _blocks(self, name: str, parts: int) -> Iterator[tuple[int, int, Any]]:
        """Yield blocks of three-index integrals: first and last fitting function, integrals."""
        from pyscf.df import incore

        mol, aux = self.mol, self.aux
        room = max(LEAST, SHARE * context().memory) * 1e6 / (8 * parts * mol.nao**2)
        starts = aux.ao_loc_nr()
        first = 0
        while first < aux.nbas:
            last = first + 1
            while last < aux.nbas and starts[last + 1] - starts[first] <= room:
                last += 1
            found = incore.aux_e2(
                mol,
                aux,
                intor=name,
                aosym="s1",
                comp=parts,
                shls_slice=(0, mol.nbas, 0, mol.nbas, first, last),
            )
            yield int(starts[first]), int(starts[last]), found
            first = last

    def _fit(self) -> None:
        """Fill in integrals and fitting coefficients of the pairs of orbitals."""
        import scipy.linalg

        metric = self.aux.intor("int2c2e")
        for spin in self.spins:
            spin.pairs = np.zeros_like(spin.gamma)
        for start, stop, block in self._blocks("int3c2e", 1):
            for spin in self.spins:
                half = np.einsum("mnp,mi->inp", block, spin.active, optimize=True)
                spin.pairs[:, :, start:stop] = np.einsum(
                    "inp,na->iap", half, spin.empty, optimize=True
                )
        lower = scipy.linalg.cholesky(metric, lower=True)
        for spin in self.spins:
            flat = spin.pairs.reshape(-1, self.aux.nao).T
            orthogonal = scipy.linalg.solve_triangular(lower, flat, lower=True)
            fitted = scipy.linalg.solve_triangular(lower, orthogonal, lower=True, trans=1)
            spin.pairs = np.ascontiguousarray(orthogonal.T).reshape(spin.gamma.shape)
            spin.fitted = np.ascontiguousarray(fitted.T).reshape(spin.gamma.shape)

    def _same(self, spin: Spin) -> None:
        """Add what pairs of electrons of the same spin give."""
        active = slice(spin.frozen, spin.occupied)
        empty = slice(spin.occupied, None)
        for i in range(spin.occupied - spin.frozen):
            direct = np.einsum("ap,jbp->jab", spin.pairs[i], spin.pairs, optimize=True)
            gap = spin.held[i] + spin.held[:, None, None] - spin.free[:, None] - spin.free
            amplitudes = (direct - direct.transpose(0, 2, 1)) / gap
            spin.gamma[i] += np.einsum("jab,jbp->ap", amplitudes, spin.fitted, optimize=True)
            rows = np.einsum("jab,kab->jk", amplitudes, amplitudes, optimize=True)
            spin.density[active, active] -= 0.5 * rows
            columns = np.einsum("jac,jbc->ab", amplitudes, amplitudes, optimize=True)
            spin.density[empty, empty] += 0.5 * columns

    def _opposite(self) -> None:
        """Add what pairs of electrons of opposite spin give."""
        for one, other in ((0, -1), (-1, 0))[: 1 if self.closed else 2]:
            self._beside(self.spins[one], self.spins[other])

    def _beside(self, spin: Spin, other: Spin) -> None:
        """Add to one spin what electrons of the other give; of a closed shell that is all."""
        active, empty = slice(spin.frozen, spin.occupied), slice(spin.occupied, None)
        for j in range(other.occupied - other.frozen):
            direct = np.einsum("iap,bp->iab", spin.pairs, other.pairs[j], optimize=True)
            gap = spin.held[:, None, None] + other.held[j] - spin.free[:, None] - other.free
            amplitudes = direct / gap
            spin.gamma += np.einsum("iab,bp->iap", amplitudes, other.fitted[j], optimize=True)
            rows = np.einsum("iab,kab->ik", amplitudes, amplitudes, optimize=True)
            spin.density[active, active] -= rows
            columns = np.einsum("iac,ibc->ab", amplitudes, amplitudes, optimize=True)
            spin.density[empty, empty] += columns

    # --- orbitals ---------------------------------------------------------------------------

    def _weights(self) -> list[Floats]:
        """Return how the energy follows the orbitals: W with dE = U·W for changes C·U of them."""
        found = [np.zeros_like(spin.density) for spin in self.spins]
        for start, stop, block in self._blocks("int3c2e", 1):
            for weight, spin in zip(found, self.spins, strict=True):
                gamma = 2 * spin.gamma[:, :, start:stop]
                all_empty = np.einsum("mnp,na->map", block, spin.empty, optimize=True)
                weight[:, spin.frozen : spin.occupied] += spin.orbitals.T @ np.einsum(
                    "map,iap->mi", all_empty, gamma, optimize=True
                )
                all_active = np.einsum("mnp,ni->mip", block, spin.active, optimize=True)
                weight[:, spin.occupied :] += spin.orbitals.T @ np.einsum(
                    "mip,iap->ma", all_active, gamma, optimize=True
                )
        return found

    def _potentials(self, densities: list[Floats]) -> list[Floats]:
        """Return the change of the Fock operators with densities of basis functions."""
        if self.closed:
            coulomb, exchange = self.mf.get_jk(self.mol, 2 * densities[0], hermi=1)
            return [coulomb - exchange / 2]
        coulomb, exchange = self.mf.get_jk(self.mol, np.array(densities), hermi=1)
        return [coulomb[0] + coulomb[1] - exchange[n] for n in range(2)]

    def _respond(self, weights: list[Floats]) -> None:
        """Add the parts of the density that the response of the orbitals gives."""
        from pyscf.scf import cphf, ucphf

        for spin, weight in zip(self.spins, weights, strict=True):
            core, active = slice(0, spin.frozen), slice(spin.frozen, spin.occupied)
            gap = spin.energies[core, None] - spin.energies[active]
            mixed = -weight[core, active] / gap / 2
            spin.density[core, active], spin.density[active, core] = mixed, mixed.T
        felt = self._potentials([one.in_functions(one.density) for one in self.spins])
        right: list[Floats] = []
        for spin, weight, potential in zip(self.spins, weights, felt, strict=True):
            o = spin.occupied
            inside = spin.orbitals[:, o:].T @ potential @ spin.orbitals[:, :o]
            right.append(weight[o:, :o] - weight[:o, o:].T + 2 * inside)
        shapes = [one.shape for one in right]

        def product(trial: Floats) -> Floats:
            parts = _cut(np.ravel(trial), shapes)
            changed = [
                spin.orbitals[:, spin.occupied :] @ part @ spin.orbitals[:, : spin.occupied].T
                for spin, part in zip(self.spins, parts, strict=True)
            ]
            potentials = self._potentials([one + one.T for one in changed])
            return np.concatenate(
                [
                    (
                        spin.orbitals[:, spin.occupied :].T
                        @ potential
                        @ spin.orbitals[:, : spin.occupied]
                    ).ravel()
                    for spin, potential in zip(self.spins, potentials, strict=True)
                ]
            )

        if self.closed:
            solved, _ = cphf.solve(
                product, self.mf.mo_energy, self.mf.mo_occ, right[0], max_cycle=60, tol=TIGHT
            )
            parts = [np.asarray(solved)]
        else:
            solved, _ = ucphf.solve(
                product, self.mf.mo_energy, self.mf.mo_occ, tuple(right), max_cycle=60, tol=TIGHT
            )
            parts = [np.asarray(one) for one in solved]
        self._check(parts, right, product)
        for spin, part in zip(self.spins, parts, strict=True):
            spin.density[spin.occupied :, : spin.occupied] += part / 2
            spin.density[: spin.occupied, spin.occupied :] += part.T / 2

    def _check(self, parts: list[Floats], right: list[Floats], product: Any) -> None:
        """See that the response equations are solved.

        Raises:
            NotConvergedError: they are not.
        """
        gaps = [
            one.energies[one.occupied :, None] - one.energies[: one.occupied] for one in self.spins
        ]
        whole = np.concatenate([one.ravel() for one in parts])
        diagonal = np.concatenate([gap.ravel() for gap in gaps])
        wanted = np.concatenate([one.ravel() for one in right])
        left = float(np.abs(diagonal * whole + product(whole) + wanted).max(initial=0.0))
        if left > 1e-5:
            raise NotConvergedError(
                f"a gradient of {self.level.label} was asked for",
                f"the response of the orbitals could not be found: {left:.0e} Eh are left",
                "check geometry, charge and multiplicity: Hartree–Fock may be unstable there",
            )

    # --- derivatives ------------------------------------------------------------------------

    def _through_fitting(self, metric_weight: Floats) -> Floats:
        """Return what moving the functions gives through the fitted integrals, of the spins here.

        Args:
            metric_weight: Γ·C.
        """
        mol, aux = self.mol, self.aux
        gradient = np.zeros((mol.natm, 3))
        of_atom = [slice(*rows[2:]) for rows in mol.aoslice_by_atom()]
        of_aux = [slice(*rows[2:]) for rows in aux.aoslice_by_atom()]
        metric = aux.intor("int2c2e_ip1", comp=3)
        along = np.einsum("xpq,pq->xp", metric, metric_weight + metric_weight.T)
        for atom, rows in enumerate(of_aux):
            gradient[atom] += along[:, rows].sum(1)
        for start, stop, block in self._blocks("int3c2e_ip1", 3):
            weight = self._pair_weight(start, stop)
            slope = np.einsum("xmnp,mnp->xm", block, weight, optimize=True)
            for atom, rows in enumerate(of_atom):
                gradient[atom] -= 2 * slope[:, rows].sum(1)
        for start, stop, block in self._blocks("int3c2e_ip2", 3):
            weight = self._pair_weight(start, stop)
            slope = np.zeros((3, aux.nao))
            slope[:, start:stop] = np.einsum("xmnp,mnp->xp", block, weight, optimize=True)
            for atom, rows in enumerate(of_aux):
                gradient[atom] -= slope[:, rows].sum(1)
        return gradient

    def _pair_weight(self, start: int, stop: int) -> Floats:
        """Return Γ in basis functions for a block of fitting functions, both ways round."""
        total = np.zeros((self.mol.nao, self.mol.nao, stop - start))
        for spin in self.spins:
            half = np.einsum("iap,na->inp", spin.gamma[:, :, start:stop], spin.empty, optimize=True)
            total += np.einsum("inp,mi->mnp", half, spin.active, optimize=True)
        return total + total.transpose(1, 0, 2)

    def _through_density(self, weights: list[Floats]) -> Floats:
        """Return what moving the functions gives through Fock operator and overlap."""
        mol, twice = self.mol, 2.0 if self.closed else 1.0
        slope_of = self.mf.nuc_grad_method()
        core, overlap = slope_of.hcore_generator(mol), slope_of.get_ovlp(mol)
        changes = [spin.in_functions(spin.density) for spin in self.spins]
        felt = self._potentials(changes)
        energy_weighted = np.zeros((mol.nao, mol.nao))
        for spin, weight, potential in zip(self.spins, weights, felt, strict=True):
            energy_weighted += twice * spin.in_functions(_omega(spin, weight, potential))
        density = np.asarray(self.mf.make_rdm1())
        changed = np.sum(changes, axis=0) * twice
        gradient = np.zeros((mol.natm, 3))
        ours = _two_electrons(slope_of, mol, density)
        if self.closed:
            felt_slopes = [(ours, changed), (_two_electrons(slope_of, mol, changed), density)]
        else:
            theirs = _two_electrons(slope_of, mol, np.array(changes))
            felt_slopes = [
                *((ours[n], changes[n]) for n in range(2)),
                *((theirs[n], density[n]) for n in range(2)),
            ]
        for atom, (_, _, start, stop) in enumerate(mol.aoslice_by_atom()):
            rows = slice(start, stop)
            gradient[atom] += np.einsum("xmn,nm->x", core(atom), changed)
            for slope, weight in felt_slopes:
                gradient[atom] += 2 * np.einsum("xmn,mn->x", slope[:, rows], weight[rows])
            gradient[atom] -= 2 * np.einsum("xmn,mn->x", overlap[:, rows], energy_weighted[rows])
        return gradient


def _omega(spin: Spin, weight: Floats, potential: Floats) -> Floats:
    """Return what the derivatives of the overlap of orbitals are multiplied by, symmetric."""
    o, found = spin.occupied, weight.copy()
    found[o:, :o] = weight[:o, o:].T
    mean = (spin.energies[:, None] + spin.energies) / 2
    mean[o:, :o] = spin.energies[:o]
    mean[:o, o:] = spin.energies[:o, None]
    inside = spin.orbitals[:, :o].T @ potential @ spin.orbitals[:, :o]
    result = found / 2 + mean * spin.density
    result[:o, :o] += inside
    return (result + result.T) / 2


def _two_electrons(slope_of: Any, mol: Any, density: Floats) -> Floats:
    """Return the derivative of the Fock operators' two-electron part, of densities held fixed."""
    coulomb, exchange = slope_of.get_jk(mol, density)
    if density.ndim == 2:
        return np.asarray(coulomb - exchange / 2)
    return np.asarray([coulomb[0] + coulomb[1] - exchange[n] for n in range(2)])


def _cut(flat: Floats, shapes: list[tuple[int, ...]]) -> list[Floats]:
    """Return the parts of a vector in their shapes."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])[:-1]
    return [part.reshape(shape) for part, shape in zip(np.split(flat, ends), shapes, strict=True)]
