"""Hartree–Fock and what correlation adds to it, at one geometry."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedLevel
from triplestore.errors import NotConvergedError
from workflows.dft.scf.ghosts import GHOST
from workflows.dft.scf.meanfield import mean_field, molecule
from workflows.dft.scf.scf import converge, electronic
from workflows.engine import context
from workflows.text.words import count

from .correlation import Correlation
from .fitting import functions_for
from .levels import hartree_fock

MAX_CYCLES = 100
ENERGY_SHARE = 0.01
"""Eh. The largest change of the energy in the last cycle, for each unit of the amplitudes'."""

T1_CLOSED, T1_OPEN = 0.02, 0.03
"""Beyond them one determinant is no good reference. For closed shells T. J. Lee, P. R. Taylor, Int.
J. Quantum Chem. Symp. 23, 199 (1989), doi:10.1002/qua.560360824; open shells have larger ones
without harm (D. Jayatilaka, T. J. Lee, J. Chem. Phys. 98, 9734 (1993), doi:10.1063/1.464352)."""

KEPT = ("scf_cycles", "spin_squared", "scf_path", "stability")
"""What a result says of its Hartree–Fock solution, as `electronic` names it."""


def reference(atoms: ConceptualAtoms, level: CorrelatedLevel) -> Any:
    """Return the converged Hartree–Fock solution that a level starts from, as PySCF has it.

    Raises:
        InputError: the basis set lacks an element, or there are no such electrons.
        NotConvergedError: it did not converge.
    """
    start = hartree_fock(level)
    return converge(mean_field(molecule(atoms, start), start), atoms, start)


def frozen_orbitals(mol: Any, level: CorrelatedLevel) -> int:
    """Return how many doubly occupied orbitals are left out of the correlation.

    The chemical core, as PySCF and ORCA have it: of an atom none up to beryllium, 1 orbital from
    boron to magnesium, 5 from aluminium to zinc, 9 from gallium to strontium, and so on. What a
    core potential stands for belongs to it.
    """
    from pyscf.data.elements import chemcore

    if level.all_electrons:
        return 0
    return min(int(chemcore(mol)), *map(int, mol.nelec))


def correlated_electrons(mol: Any, level: CorrelatedLevel) -> int:
    """Return how many electrons are correlated."""
    return sum(map(int, mol.nelec)) - 2 * frozen_orbitals(mol, level)


def correlation(mf: Any, atoms: ConceptualAtoms, level: CorrelatedLevel) -> Correlation:
    """Return what correlation adds to a Hartree–Fock solution.

    Raises:
        InputError: the fitting set lacks an element.
        NotConvergedError: the amplitudes did not converge.
    """
    clusters = level.method.startswith("CC")
    orbitals = mf.mo_coeff.shape[-1]
    if correlated_electrons(mf.mol, level) < 2 or orbitals <= max(mf.mol.nelec):
        triples = 0.0 if level.method == "CCSD(T)" else None
        return Correlation(0.0, None if clusters else 0.0, None if clusters else 0.0, triples)
    with scratch():
        return coupled_cluster(mf, atoms, level)[2] if clusters else perturbation(mf, level)


def findings(mf: Any, level: CorrelatedLevel, found: Correlation) -> dict[str, Any]:
    """Return what a `CorrelatedResult` says of its last geometry, but for its inputs."""
    electrons = correlated_electrons(mf.mol, level)
    seen = electronic(mf)
    return {
        **{name: seen[name] for name in KEPT},
        "energy": float(mf.e_tot) + found.total,
        "converged": True,
        "reference_energy": float(mf.e_tot),
        "correlation_energy": found.total,
        "opposite_spin_energy": found.opposite,
        "same_spin_energy": found.same,
        "triples_energy": found.triples,
        "t1_diagnostic": found.t1,
        "amplitude_cycles": found.cycles,
        "frozen_orbitals": frozen_orbitals(mf.mol, level),
        "correlated_electrons": electrons,
        "remarks": (*seen["remarks"], *_remarks(mf, level, found, electrons)),
    }


def _remarks(mf: Any, level: CorrelatedLevel, found: Correlation, electrons: int) -> Iterator[str]:
    closed = level.reference == "restricted"
    limit = T1_CLOSED if closed else T1_OPEN
    if found.t1 is not None and found.t1 > limit:
        yield (
            f"the T1 diagnostic is {found.t1:.3f}, above {limit:g} for "
            f"{'closed' if closed else 'open'} shells: one determinant may be too poor a start, "
            "and the energy off by more than the method usually is"
        )
    if electrons < 2 and sum(mf.mol.nelec) >= 2 and not level.all_electrons:
        yield (
            f"the frozen core leaves {count(electrons, 'electron')}, so that no correlation is "
            "left; ask for all electrons to correlate those of the core"
        )


def perturbation(mf: Any, level: CorrelatedLevel, amplitudes: bool = False) -> Correlation:
    """Return the second-order energy of a Hartree–Fock solution with two electrons at least."""
    solver = second_order(mf, level)
    solver.kernel(with_t2=amplitudes)
    context().report("mp2", energy=float(mf.e_tot) + float(solver.e_corr))
    return Correlation(float(solver.e_corr), float(solver.e_corr_os), float(solver.e_corr_ss))


def second_order(mf: Any, level: CorrelatedLevel) -> Any:
    """Return PySCF's solver of second-order perturbation theory, not run yet."""
    from pyscf import df
    from pyscf.mp import dfmp2, dfump2, mp2, ump2

    frozen, closed = frozen_orbitals(mf.mol, level) or None, level.reference == "restricted"
    if level.method != "DF-MP2":
        return (mp2.RMP2 if closed else ump2.UMP2)(mf, frozen=frozen)
    solver: Any = (dfmp2.DFRMP2 if closed else dfump2.DFUMP2)(mf, frozen=frozen)
    names = sorted({mf.mol.atom_symbol(index) for index in range(mf.mol.natm)})
    real = {name: name.removeprefix(GHOST) for name in names}
    sets = functions_for(sorted({*real.values()}), level.fitting_basis, level.basis)
    solver.with_df = df.DF(mf.mol, {name: sets[symbol] for name, symbol in real.items()})
    return solver


def coupled_cluster(
    mf: Any, atoms: ConceptualAtoms, level: CorrelatedLevel
) -> tuple[Any, Any, Correlation]:
    """Return PySCF's solver of coupled cluster, its integrals, and what it adds in Eh.

    Raises:
        NotConvergedError: the amplitudes did not converge.
    """
    from pyscf.cc import ccsd, uccsd

    closed = level.reference == "restricted"
    solver: Any = (ccsd.CCSD if closed else uccsd.UCCSD)(
        mf, frozen=frozen_orbitals(mf.mol, level) or None
    )
    solver.conv_tol_normt = level.amplitude_tolerance
    solver.conv_tol = level.amplitude_tolerance * ENERGY_SHARE
    solver.max_cycle = MAX_CYCLES
    surroundings, start = context(), float(mf.e_tot)
    surroundings.report("integrals", energy=start)
    integrals = solver.ao2mo()

    def report(values: dict[str, Any]) -> None:
        so_far = start + float(values["eccsd"])
        surroundings.report("ccsd", cycle=values["istep"] + 1, energy=so_far)

    solver.callback = report
    solver.kernel(eris=integrals)
    singles_doubles = float(solver.e_corr)
    if not solver.converged or not math.isfinite(singles_doubles):
        raise NotConvergedError(
            f"{level.label} of {atoms.formula} was asked for",
            f"the amplitudes did not converge in {MAX_CYCLES} cycles; the energy was "
            f"{start + singles_doubles:.6f} Eh",
            "check geometry, charge and multiplicity; where one determinant is a poor start, "
            "coupled cluster with doubles is too: ask for an unrestricted reference or a "
            "functional",
        )
    triples = None
    if level.method == "CCSD(T)":
        surroundings.report("triples", energy=start + singles_doubles)
        triples = float(solver.ccsd_t(eris=integrals))
    total = singles_doubles + (triples or 0.0)
    found = Correlation(
        total, triples=triples, t1=_diagnostic(solver.t1), cycles=int(solver.cycles)
    )
    return solver, integrals, found


def _diagnostic(singles: Any) -> float:
    """Return the T1 diagnostic; of both spins the mean square counts, so that both kinds agree."""
    spins = singles if isinstance(singles, tuple) else (singles, singles)
    squares = sum(float(np.vdot(one, one)) for one in spins)
    electrons = sum(one.shape[0] for one in spins)
    return math.sqrt(squares / 2 / electrons) if electrons else 0.0


@contextmanager
def scratch() -> Generator[None]:
    """Keep what does not fit into memory in the task's scratch folder, if there is one."""
    from pyscf.lib import param

    usual = param.TMPDIR
    if context().scratch is not None:
        param.TMPDIR = str(context().scratch)
    try:
        yield
    finally:
        param.TMPDIR = usual
