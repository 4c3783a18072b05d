"""Going down from a stationary point of the SCF that is no minimum with respect to its orbitals.

The orbital Hessians are those of R. Seeger, J. A. Pople, J. Chem. Phys. 66, 3045 (1977),
doi:10.1063/1.434318, and R. Bauernschmitt, R. Ahlrichs, J. Chem. Phys. 104, 9047 (1996),
doi:10.1063/1.471637.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ontologies.units import Floats
from triplestore.errors import NotConvergedError
from workflows.engine import context

from ..level.solvents import continuum_of
from .screening import decided

UNSTABLE = -1e-5
"""Eh. An eigenvalue of the orbital Hessian below it is an instability (PySCF's threshold too)."""

NO_LOWER = 1e-7
"""Eh. What lowers the energy by less is a flat direction, seen as one through the grid's noise."""

RESIDUAL = 1e-4
"""Eh. The norm of what is left of the equation of an eigenvalue, for a rotation of unit length. The
eigenvalue is off by about its square over the distance to the next."""

MOST_DESCENTS = 10
ROOTS = 3
CHEAPEST = 6
"""Rotations that an estimate starts from; ozone's instability is among the third cheapest."""

ANGLES = (0.2, -0.2, 0.5, -0.5, 1.0, -1.0)
"""rad. How far the orbitals are turned along an instability; the lowest energy is taken."""


def is_open_shell_restricted(mf: Any) -> bool:
    """Whether orbitals are occupied twice, once or not at all (ROHF, ROKS)."""
    return bool(mf.istype("ROHF"))


def internal_mode(mf: Any, until: float | None = None) -> tuple[float, Floats]:
    """Return the lowest eigenvalue of the orbital Hessian among solutions of the same kind.

    Args:
        mf: a converged mean field, restricted, unrestricted or restricted open-shell.
        until: in Eh; an estimate will do that lies on the right side of it.

    Returns:
        The eigenvalue in Eh, and the rotation (of unit length) that belongs to it.

    Raises:
        NotConvergedError: the eigenvalue could not be found.
    """
    from pyscf.soscf import newton_ah

    shared, left_out = is_open_shell_restricted(mf), None
    if shared:
        build, left_out = newton_ah.gen_g_hop_rohf, _mixed_turns(mf)
    else:
        build = newton_ah.gen_g_hop_uhf if mf.istype("UHF") else newton_ah.gen_g_hop_rhf
    with following_solvent(mf, follows=not shared):
        _, step, diagonal = build(mf, mf.mo_coeff, mf.mo_occ)

        def product(x: Floats) -> Floats:
            # PySCF's step is half of the product, the other half comes of its transpose
            half = 2 * np.asarray(step(x)).real
            return half + left_out(x) if left_out else half

        return _lowest(product, 2 * np.asarray(diagonal), until)


def _mixed_turns(mf: Any) -> Callable[[Floats], Floats]:
    """Return what PySCF leaves out of the Hessian of restricted open-shell orbitals.

    A turn K moves doubly, singly and never occupied orbitals at once. To second order its effect on
    electrons of one spin is that of K_vo + (K_vv K_vo - K_vo K_oo) / 2, where o are the orbitals
    that they fill; and that meets a force, for the forces on the two spins cancel only in sum.
    A continuum is in it too: PySCF would let it respond to each spin alone.
    """
    from pyscf.scf import hf

    fock = mf.get_fock(dm=mf.make_rdm1())
    turning = mf.mo_coeff
    forces = [turning.T @ fock.focka @ turning, turning.T @ fock.fockb @ turning]
    filled = [mf.mo_occ > 0, mf.mo_occ == 2]
    unique = hf.uniq_var_indices(mf.mo_occ)
    solvent = continuum_of(mf)

    def product(x: Floats) -> Floats:
        turn = hf.unpack_uniq_var(x, mf.mo_occ)
        slope = np.zeros_like(turn)
        if solvent is not None and not solvent.frozen:
            parts = [turning[:, ~o] @ turn[np.ix_(~o, o)] @ turning[:, o].T for o in filled]
            change = parts[0] + parts[1]
            felt = turning.T @ solvent._B_dot_x(change + change.T) @ turning
            for o in filled:
                slope[np.ix_(~o, o)] += 2 * felt[np.ix_(~o, o)]
        for force, o in zip(forces, filled, strict=True):
            v = ~o
            vo, vv, oo = np.ix_(v, o), np.ix_(v, v), np.ix_(o, o)
            slope[vo] += force[vo] @ turn[oo] - turn[vv] @ force[vo]
            slope[vv] += force[vo] @ turn[vo].T
            slope[oo] -= turn[vo].T @ force[vo]
        return (slope - slope.T)[unique]

    return product


def external_mode(mf: Any, until: float | None = None) -> tuple[float, Floats]:
    """Return the lowest eigenvalue towards solutions whose spins have orbitals of their own.

    Args:
        mf: a converged mean field of doubly occupied orbitals.
        until: see `internal_mode`.

    Returns:
        As `internal_mode`.

    Raises:
        NotConvergedError: the eigenvalue could not be found.
    """
    occupied, empty = mf.mo_occ > 0, mf.mo_occ == 0
    below, above = mf.mo_coeff[:, occupied], mf.mo_coeff[:, empty]
    gaps = mf.mo_energy[empty][:, None] - mf.mo_energy[occupied]
    # a change of the spin density moves no charge, to which alone a continuum responds
    gas = mf.undo_solvent() if continuum_of(mf) is not None else mf
    response = gas.gen_response(singlet=False, hermi=1)

    def step(x: Floats) -> Floats:
        turn = x.reshape(gaps.shape)
        change = above @ (2 * turn) @ below.T
        felt = response(change + change.T)
        return (4 * (gaps * turn + above.T @ felt @ below)).ravel()

    return _lowest(step, 4 * gaps.ravel(), until)


def follow_mode(mf: Any, mode: Floats) -> None:
    """Follow an internal instability to a stationary point below, in place.

    Args:
        mf: a converged mean field.
        mode: the rotation that lowers its energy.

    Raises:
        NotConvergedError: no stationary point was reached.
    """
    ways = (rotated_orbitals(mf, mode, angle) for angle in ANGLES)
    orbitals = min(ways, key=lambda orbitals: energy_of(mf, orbitals))
    if not second_order(mf, "instability followed", orbitals=orbitals):
        raise NotConvergedError(
            "cannot follow an instability of the SCF",
            f"no stationary point was reached; the energy was {mf.e_tot:.6f} Eh",
            "ask without following instabilities, or try another functional",
        )


def rotated_orbitals(mf: Any, mode: Floats, angle: float) -> Any:
    """Return the orbitals of a mean field, turned along a mode by an angle in rad."""
    turner = mf.newton()
    unitary = turner.update_rotate_matrix(angle * mode, mf.mo_occ, mo_coeff=mf.mo_coeff)
    return turner.rotate_mo(mf.mo_coeff, unitary)


def separated(mf: Any, mode: Floats, angle: float = 0.5) -> Any:
    """Return a density of alpha and beta electrons that lies along an external instability.

    Args:
        mf: a converged mean field of doubly occupied orbitals.
        mode: the rotation that lowers its energy, opposite for the two spins.
        angle: in rad, how far the orbitals are turned along it.

    Returns:
        A density matrix for each spin, shape (2, basis functions, basis functions).
    """
    from pyscf.scf import hf
    from pyscf.soscf.newton_ah import expmat

    turn = hf.unpack_uniq_var(mode, mf.mo_occ)
    spins = [mf.mo_coeff @ expmat(sign * angle * turn) for sign in (1, -1)]
    return np.array([c[:, mf.mo_occ > 0] @ c[:, mf.mo_occ > 0].T for c in spins])


def settle(mf: Any) -> int:
    """Go down until no rotation within the kind lowers the energy, in place.

    Returns:
        How often an instability was followed.

    Raises:
        NotConvergedError: a stationary point or the end of the descent was not reached.
    """
    for followed in range(MOST_DESCENTS):
        value, mode = internal_mode(mf)
        context().report("stability", energy=float(mf.e_tot), eigenvalue=value)
        if value >= UNSTABLE:
            return followed
        before = float(mf.e_tot)
        follow_mode(mf, mode)
        if mf.e_tot > before - NO_LOWER:
            return followed
    raise NotConvergedError(
        "cannot follow the instabilities of the SCF to a stable solution",
        f"after {MOST_DESCENTS} descents there was another; the energy was {mf.e_tot:.6f} Eh",
        "check geometry, charge and multiplicity, or try another functional",
    )


def energy_of(mf: Any, orbitals: Any) -> float:
    """Return the energy of other orbitals with the same occupations."""
    return float(mf.energy_tot(mf.make_rdm1(orbitals, mf.mo_occ)))


def second_order(
    mf: Any,
    rung: str,
    *,
    orbitals: Any = None,
    density: Any = None,
    observe: Callable[[dict[str, Any]], None] | None = None,
) -> bool:
    """Minimise the energy by Newton steps, from orbitals or a density, in place.

    Where the steps stall (spins far apart have second derivatives full of noise with a GGA), a
    plain SCF goes on. The orbitals are canonical afterwards and in order of their true energies.
    `cycles` grows by the steps made.

    Returns:
        Whether it converged, to the thresholds of the mean field.

    Source: Q. Sun, arXiv:1610.08423 (2016).
    """
    from pyscf import lib

    steps = 0
    done = int(getattr(mf, "cycles", 0) or 0)

    def follow(values: dict[str, Any]) -> None:
        nonlocal steps
        steps += 1
        context().report("scf", cycle=steps, energy=float(values["e_tot"]), rung=rung)
        if observe:
            observe(values)

    solver = mf.newton()
    solver.callback = follow
    with following_solvent(mf, follows=True):
        if orbitals is None:
            solver.kernel(dm0=density)
        else:
            solver.kernel(orbitals, mf.mo_occ)
    mf.converged, mf.e_tot = bool(solver.converged), float(solver.e_tot)
    done += max(1, steps - 1)  # the last call repeats the last step
    mf.cycles = done
    energies, coefficients = np.asarray(solver.mo_energy), np.asarray(solver.mo_coeff)
    occupations = np.asarray(solver.mo_occ)
    order = np.argsort(energies, axis=-1, kind="stable")
    mf.mo_occ = np.take_along_axis(occupations, order, -1)
    mf.mo_coeff = np.take_along_axis(coefficients, np.expand_dims(order, -2), -1)
    mf.mo_energy = np.take_along_axis(energies, order, -1)
    if hasattr(solver.mo_energy, "mo_ea"):
        spins = {name: getattr(solver.mo_energy, name)[order] for name in ("mo_ea", "mo_eb")}
        mf.mo_energy = lib.tag_array(mf.mo_energy, **spins)
    if not mf.converged:
        with lib.temporary_env(mf, callback=follow):
            mf.kernel(dm0=mf.make_rdm1())
        mf.cycles += done
    return bool(mf.converged)


def fills_from_below(mf: Any) -> bool:
    """Whether no occupied orbital lies above an empty one of the same spin.

    The energies of restricted open-shell orbitals are a matter of convention and prove nothing:
    for them the answer is False.
    """
    if is_open_shell_restricted(mf):
        return False
    return gap_of(mf) > -1e-6


def gap_of(mf: Any) -> float:
    """Return the least difference of an empty and an occupied orbital of the same spin, in Eh."""
    energies, occupations = np.atleast_2d(mf.mo_energy), np.atleast_2d(mf.mo_occ)
    return min(
        float(e[o == 0].min(initial=np.inf) - e[o > 0].max(initial=-np.inf))
        for e, o in zip(energies, occupations, strict=True)
    )


def following_solvent(mf: Any, *, follows: bool) -> AbstractContextManager[Any]:
    """Let a continuum respond to a change of the density, as it does in the SCF, or not."""
    from pyscf import lib

    solvent = continuum_of(mf)
    if solvent is None:
        return nullcontext()
    return lib.temporary_env(solvent, equilibrium_solvation=follows and not solvent.frozen)


def _lowest(
    step: Callable[[Floats], Floats], diagonal: Floats, until: float | None = None
) -> tuple[float, Floats]:
    """Return the lowest eigenvalue of a symmetric matrix of which only products are known."""
    from pyscf import lib

    size = diagonal.size
    if size == 0:  # nothing to turn: no electrons, or no empty orbitals
        return 0.0, np.zeros(0)
    # beside the cheapest rotations a vector that has a part in every symmetry
    cheap = np.argsort(diagonal, kind="stable")[: 2 if until is None else CHEAPEST]
    starts = [np.eye(1, size, int(place))[0] for place in cheap]
    starts.append(np.random.default_rng(0).standard_normal(size) / np.sqrt(size))

    if until is not None:
        return decided(step, diagonal, starts, until)

    def precondition(residue: Floats, value: float, *_: Any) -> Floats:
        shifted = diagonal - value
        shifted[np.abs(shifted) < 1e-8] = 1e-8
        return residue / shifted

    def products(vectors: list[Floats]) -> list[Floats]:
        return [step(np.asarray(vector)) for vector in vectors]

    found, values, vectors = lib.davidson1(
        products,
        starts,
        precondition,
        tol=1e-8,
        tol_residual=RESIDUAL,
        max_cycle=100,
        max_space=30,
        nroots=min(ROOTS, size),
        verbose=0,
    )
    value, vector = float(values[0]), np.asarray(vectors[0]) / np.linalg.norm(vectors[0])
    # what was found lies above the true one: if it is negative, nothing else matters
    if value >= UNSTABLE:
        missed = float(np.linalg.norm(step(vector) - value * vector))
        if not found[0] or missed > 2 * RESIDUAL:
            raise NotConvergedError(
                "cannot analyse the stability of the SCF",
                f"the lowest eigenvalue of the orbital Hessian did not converge ({value:.1e} Eh, "
                f"missed by {missed:.0e})",
                "ask without it, or choose a smaller basis set",
            )
    return value, vector
