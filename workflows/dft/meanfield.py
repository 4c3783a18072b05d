"""PySCF's molecules and mean fields, built from typed objects."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.engine import context

from .levels import pyscf_name

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
