"""PySCF's molecules and mean fields, built from typed objects."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.engine import context
from workflows.molecule.electrons import check_electrons
from workflows.text.words import count

from ..level.bases import basis_for
from ..level.dispersion import pyscf_dispersion
from ..level.fitting import auxiliary_for, former_auxiliary
from ..level.functionals import stored_code
from ..level.solvents import in_continuum
from .gpu import to_device

MAX_CYCLES = 100


def molecule(atoms: ConceptualAtoms, level: LevelOfTheory) -> Any:
    """Return a PySCF molecule in the frame of the atoms.

    Raises:
        InputError: the basis set lacks an element, the structure is periodic, or the electrons do
            not fit the reference or the orbitals, or there are none.
    """
    from pyscf import gto

    if atoms.is_periodic:
        raise InputError(
            f"a calculation on periodic {atoms.formula} was asked for",
            "this version computes molecules",
            "cut a molecule out of it and give that",
        )
    if level.reference == "restricted" and atoms.multiplicity != 1:
        raise InputError(
            f"a {level.reference} calculation on {atoms.formula} with multiplicity "
            f"{atoms.multiplicity} was asked for",
            "its unpaired electrons need orbitals of their own",
            "ask for the reference unrestricted or restricted open-shell",
        )
    check_electrons(atoms)
    mol = gto.Mole()
    mol.atom = list(zip(atoms.symbols, atoms.positions.tolist(), strict=True))
    mol.unit = "Angstrom"
    mol.charge = atoms.charge
    mol.spin = atoms.multiplicity - 1
    mol.cart = not level.spherical
    mol.symmetry = False
    mol.max_memory = context().memory
    mol.verbose = 3
    mol.basis, mol.ecp = basis_for(sorted(set(atoms.numbers.tolist())), level.basis_source)
    mol.build(parse_arg=False, dump_input=False)
    alpha, orbitals = max(mol.nelec), mol.nao
    if alpha > orbitals:
        raise InputError(
            f"{atoms.formula} with charge {atoms.charge} and multiplicity {atoms.multiplicity} in "
            f"{level.basis} was asked for",
            f"{count(alpha, 'electron')} of one spin do not fit into {count(orbitals, 'orbital')}",
            "choose a larger basis set, or check charge and multiplicity",
        )
    return mol


def mean_field(mol: Any, level: LevelOfTheory) -> Any:
    """Return a mean field that has not run yet and reports its cycles.

    It computes what the level says in its fields, whatever its name may mean to another release.
    Density fitting comes before the continuum: the other way round PySCF leaves the continuum out
    of the gradient.

    Raises:
        InputError: the auxiliary basis lacks an element.
        RecordError: a component of the level is another one in the libraries that are installed.
        ComponentError: a library is missing.
    """
    from pyscf import dft, scf

    mf: Any
    if level.functional:
        kinds = {
            "restricted": dft.rks.RKS,
            "unrestricted": dft.uks.UKS,
            "restricted open-shell": dft.roks.ROKS,
        }
        mf = kinds[level.reference](mol)
        mf.xc = stored_code(level)
        if not level.nonlocal_correlation and dft.libxc.is_nlc(mf.xc):
            mf.nlc = False
        mf.grids.level = level.grid_level
    else:
        # not scf.UHF: for one electron it returns a class whose beta orbital energies are no such
        kinds = {
            "restricted": scf.hf.RHF,
            "unrestricted": scf.uhf.UHF,
            "restricted open-shell": scf.rohf.ROHF,
        }
        mf = kinds[level.reference](mol)
    if level.dispersion:
        mf.disp = pyscf_dispersion(level.dispersion)
    if level.density_fitting:
        code = mf.xc if level.functional else "HF"
        name = level.auxiliary_basis or former_auxiliary(level.basis_source, code)
        mf = mf.density_fit(auxbasis=auxiliary_for(mol, name))
    if level.solvation:
        mf = in_continuum(mf, level.solvation)
    mf.conv_tol = level.scf_tolerance
    mf.max_cycle = MAX_CYCLES
    surroundings = context()

    def report(values: dict[str, Any]) -> None:
        surroundings.report("scf", cycle=values["cycle"] + 1, energy=float(values["e_tot"]))

    mf.callback = report
    return to_device(mf)
