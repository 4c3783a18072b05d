"""Running an SCF, and reading what it came to; what is remembered between calculations."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from triplestore.errors import NotConvergedError
from workflows.engine import context
from workflows.engine.memo import Memo

from .levels import PYSCF
from .meanfield import MAX_CYCLES


def converge(mf: Any, atoms: ConceptualAtoms, level: LevelOfTheory) -> Any:
    """Run the SCF, or take what it came to before from the memo.

    The solution is the same either way, bit for bit: only an SCF of the very same atoms and level
    from the usual guess counts. What an optimisation ended with started elsewhere and may be
    another state (C2 in 6-31G: 0.05 Eh), and what happens to be remembered must not decide which.

    Raises:
        NotConvergedError: the threshold was not reached in `MAX_CYCLES`.
    """
    memo, key = Memo(context().memo), memo_key(atoms, level)
    known = memo.get(key)
    if known is not None and known.keys() >= KEPT:
        mf.mo_coeff, mf.mo_occ, mf.mo_energy = (known[f"mo_{n}"] for n in ORBITALS)
        mf.e_tot, mf.cycles, mf.converged = float(known["e_tot"]), int(known["cycles"]), True
        if level.functional:
            mf.initialize_grids(mf.mol, mf.make_rdm1())  # as the first cycle does
        context().report("remembered", energy=mf.e_tot)
        return mf
    mf.kernel()
    checked(mf, atoms.formula)
    keep(mf, atoms, level)
    return mf


ORBITALS = ("coeff", "occ", "energy")
KEPT = {*(f"mo_{name}" for name in ORBITALS), "e_tot", "cycles"}


def keep(mf: Any, atoms: ConceptualAtoms, level: LevelOfTheory) -> None:
    """Remember a converged mean field whose SCF started from the usual guess.

    Args:
        mf: the mean field.
        atoms: its geometry, exactly.
        level: its level.
    """
    memo, key = Memo(context().memo), memo_key(atoms, level)
    if memo.folder is None:
        return
    orbitals = {f"mo_{name}": np.asarray(getattr(mf, f"mo_{name}")) for name in ORBITALS}
    memo.put(key, {**orbitals, "e_tot": mf.e_tot, "cycles": mf.cycles})


def memo_key(atoms: ConceptualAtoms, level: LevelOfTheory) -> str:
    """Return the name of a mean field: exact inputs, and the program with its version."""
    import pyscf

    parts = ("usual guess", PYSCF.name, PYSCF.epoch, pyscf.__version__, atoms.iri, level.iri)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:40]


def checked(mf: Any, what: str) -> Any:
    """Return the mean field if its SCF has converged.

    Raises:
        NotConvergedError: it has not.
    """
    if not mf.converged:
        raise NotConvergedError(
            f"the SCF of {what} did not converge",
            f"after {MAX_CYCLES} cycles the energy was {mf.e_tot:.6f} Eh",
            "check geometry, charge and multiplicity; try HF, another functional or basis set",
        )
    return mf


def electronic(mf: Any) -> dict[str, Any]:
    """Return what an `ElectronicResult` says of a converged mean field, but for its inputs."""
    mol = mf.mol
    masses = mol.atom_mass_list(isotope_avg=True)
    centre = masses @ mol.atom_coords() / masses.sum()
    occupations = np.concatenate([np.ravel(part) for part in mf.mo_occ])
    energies = np.concatenate([np.ravel(part) for part in mf.mo_energy])
    occupied, empty = energies[occupations > 0], energies[occupations == 0]
    _, charges = mf.mulliken_pop(verbose=0)
    unrestricted = np.ndim(mf.mo_occ[0]) == 1
    return {
        "energy": float(mf.e_tot),
        "converged": bool(mf.converged),
        "scf_cycles": int(mf.cycles),
        "dipole": mf.dip_moment(unit="Debye", origin=centre, verbose=0),
        "mulliken_charges": charges,
        "homo": float(occupied.max()) if occupied.size else None,
        "lumo": float(empty.min()) if empty.size else None,
        "spin_squared": float(mf.spin_square()[0]) if unrestricted else None,
    }
