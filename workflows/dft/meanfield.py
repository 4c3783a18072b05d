"""PySCF's molecules and mean fields, built from typed objects and read back into them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.quantum import LevelOfTheory
from triplestore.errors import InputError, NotConvergedError
from workflows.engine import context
from workflows.engine.memo import Memo

from .levels import PYSCF, pyscf_name

MAX_CYCLES = 100


def molecule(atoms: ConceptualAtoms, level: LevelOfTheory) -> Any:
    """Return a PySCF molecule in the frame of the atoms.

    Raises:
        InputError: the basis set lacks an element, or the structure is periodic.
    """
    from pyscf import gto

    if atoms.is_periodic:
        raise InputError(
            f"a calculation on periodic {atoms.formula} was asked for",
            "this version computes molecules",
        )
    mol = gto.Mole()
    mol.atom = list(zip(atoms.symbols, atoms.positions.tolist(), strict=True))
    mol.unit = "Angstrom"
    mol.charge = atoms.charge
    mol.spin = atoms.multiplicity - 1
    mol.cart = not level.spherical
    mol.symmetry = False
    mol.max_memory = context().memory
    mol.verbose = 3
    mol.basis, mol.ecp = basis_for(sorted(set(atoms.numbers.tolist())), level.basis)
    mol.build(parse_arg=False, dump_input=False)
    alpha, orbitals = max(mol.nelec), mol.nao
    if alpha > orbitals:
        raise InputError(
            f"{atoms.formula} with charge {atoms.charge} and multiplicity {atoms.multiplicity} in "
            f"{level.basis} was asked for",
            f"{alpha} electrons of one spin do not fit into {orbitals} orbitals",
            "choose a larger basis set, or check charge and multiplicity",
        )
    return mol


def basis_for(numbers: list[int], name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the basis set of each element, and the core potentials that belong to it.

    Raises:
        InputError: the basis set lacks an element; names those it lacks.
    """
    import warnings

    from pyscf.gto import basis

    sets: dict[str, Any] = {}
    potentials: dict[str, Any] = {}
    lacking: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PySCF advertises another package when it lacks a set
        for number in numbers:
            symbol = SYMBOLS[number]
            try:
                sets[symbol] = basis.load(name, symbol)
            except (RuntimeError, KeyError):
                lacking.append(symbol)
                continue
            try:
                potential = basis.load_ecp(name, symbol)
            except (RuntimeError, KeyError):
                potential = None
            if potential:
                potentials[symbol] = potential
            elif name.lower().endswith("-pp"):
                lacking.append(symbol)  # functions for the valence alone, and no potential
    if lacking:
        raise InputError(
            f"the basis set {name} was asked for",
            f"it has no functions for {', '.join(lacking)}",
            "choose one that covers every element; def2-SVP and def2-TZVP reach from H to Rn",
        )
    return sets, potentials


def mean_field(mol: Any, level: LevelOfTheory) -> Any:
    """Return a mean field that has not run yet and reports its cycles."""
    from pyscf import dft, scf

    restricted = level.reference == "restricted"
    mf: Any
    if level.functional:
        mf = dft.RKS(mol) if restricted else dft.UKS(mol)
        mf.xc = pyscf_name(level.method)
        mf.grids.level = level.grid_level
    else:
        # not scf.UHF: for one electron it returns a class whose beta orbital energies are no such
        mf = scf.hf.RHF(mol) if restricted else scf.uhf.UHF(mol)
    mf.conv_tol = level.scf_tolerance
    mf.max_cycle = MAX_CYCLES
    surroundings = context()

    def report(values: dict[str, Any]) -> None:
        surroundings.report("scf", cycle=values["cycle"] + 1, energy=float(values["e_tot"]))

    mf.callback = report
    return mf


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
