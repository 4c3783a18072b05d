"""Ghost atoms: basis functions and grid points of atoms that have no nuclei and no electrons.

They exist within a calculation only; a structure never has any.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import Fragment, FragmentEnergy
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.engine import calculation

from .bases import auxiliary_basis, auxiliary_for
from .levels import PYSCF
from .meanfield import mean_field, molecule
from .scf import electronic, solve

GHOST = "GHOST-"
"""What PySCF knows an atom without nucleus and electrons by."""

REPORTED = ("energy", "converged", "scf_cycles", "spin_squared", "scf_path", "stability", "remarks")


@calculation("dft.fragment_energy", version="1", backend=PYSCF)
def fragment_energy(
    atoms: ConceptualAtoms, level: LevelOfTheory, fragment: Fragment
) -> FragmentEnergy:
    """Compute the energy of a fragment among the basis functions of the atoms around it.

    The integration grid has points about the ghosts too, as in the whole. Core potentials and
    corrections for dispersion are those of the real atoms.

    Args:
        atoms: the whole.
        level: the level of theory; its reference is the fragment's.
        fragment: which atoms are real, and their charge and multiplicity.

    Raises:
        InputError: the level has a solvent, the basis set lacks an element, or the fragment does
            not fit the structure or the reference.
        NotConvergedError: the SCF did not converge.
    """
    refuse_solvent(level)
    alone = fragment.atoms_of(atoms)
    real = molecule(alone, level)
    dispersion = None
    if level.dispersion:
        dispersion = float(mean_field(real, level).get_dispersion())
    # it sees no ghosts, so it is added to an SCF without
    plain = level.model_copy(
        update={"dispersion": None, "density_fitting": False, "auxiliary_basis": ""}
    )
    whole, mol = molecule(_closed(atoms), _restricted(plain)), _among_ghosts(real, atoms, fragment)
    mol.basis = whole.basis | {f"{GHOST}{symbol}": one for symbol, one in whole.basis.items()}
    mol.build(parse_arg=False, dump_input=False)
    mf = mean_field(mol, plain)
    if level.density_fitting:
        name = level.auxiliary_basis or auxiliary_basis("", level.basis, getattr(mf, "xc", "HF"))
        fitting = auxiliary_for(whole, name)
        fitting |= {f"{GHOST}{symbol}": one for symbol, one in fitting.items()}
        mf = mf.density_fit(auxbasis=fitting)
    found = electronic(solve(mf, alone, plain))
    values = {name: found[name] for name in REPORTED}
    values["energy"] += dispersion or 0.0
    return FragmentEnergy(
        atoms=atoms, level=level, fragment=fragment, dispersion_energy=dispersion, **values
    )


def refuse_solvent(level: LevelOfTheory) -> None:
    """Refuse a level with a continuum, whose cavity ghost atoms would be part of.

    Raises:
        InputError: the level has a continuum.
    """
    if level.solvation:
        raise InputError(
            f"a counterpoise correction at {level.label} was asked for",
            "it has ghost atoms, and what cavity a solvent has around those is not defined",
            "ask for it in the gas phase",
        )


