"""Ghost atoms: basis functions and grid points of atoms that have no nuclei and no electrons.

They exist within a calculation only; a structure never has any.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import Fragment, FragmentEnergy
from ontologies.level import Level, LevelOfTheory
from triplestore.errors import InputError
from workflows.engine import calculation
from workflows.registry.levels import offered

from ..level.bases import basis_for
from ..level.fitting import auxiliary_for, former_auxiliary, revision
from ..level.resolving import PYSCF
from .meanfield import mean_field, molecule
from .scf import electronic, solve

GHOST = "GHOST-"
"""What PySCF knows an atom without nucleus and electrons by."""

REPORTED = ("energy", "converged", "scf_cycles", "spin_squared", "scf_path", "stability", "remarks")


# not on a card: GPU4PySCF says nothing of ghost atoms
@calculation(
    "dft.fragment_energy",
    version="1",
    backend=PYSCF,
    revision=revision,
    gpu=False,
    title="energy among ghost atoms",
)
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
    refuse_superposed(level)
    alone = fragment.atoms_of(atoms)
    real = molecule(alone, level)
    plain = level.model_copy(
        update={"dispersion": None, "density_fitting": False, "auxiliary_basis": ""}
    )
    mf = mean_field(among_ghosts(real, atoms, fragment, level), plain)
    if level.density_fitting:
        mf = mf.density_fit(auxbasis=_fitting(real, atoms, level, vars(mf).get("xc", "HF")))
    properties = electronic(solve(mf, alone, plain))
    values = {name: properties[name] for name in REPORTED}
    dispersion = None
    if level.dispersion:  # of the molecule without ghosts: it depends on where nuclei are
        dispersion = float(mean_field(real, level).get_dispersion())
        values["energy"] += dispersion
    return FragmentEnergy(
        supermolecule=atoms,
        level=level,
        fragment=fragment,
        dispersion_energy=dispersion,
        **values,
    )


def has_ghosts(level: Level) -> bool:
    """Tell whether the program of a level computes fragments among ghost atoms."""
    return "fragment_energy" in offered(level).calculations


def refuse_superposed(level: Level) -> None:
    """Refuse a level whose basis sets would superpose with nothing that corrects for it here.

    Raises:
        InputError: it has a basis set and no ghosts, or a continuum, whose cavity would not be
            defined.
    """
    if getattr(level, "basis", "") and not has_ghosts(level):
        raise InputError(
            f"a counterpoise correction at {level.label} was asked for",
            f"{level.method} has no ghost atoms here",
            "ask for a functional with a correction for dispersion, such as wB97X-D4/def2-TZVP, "
            "for MP2, or for GFN2-xTB, which needs none",
        )
    if isinstance(level, LevelOfTheory) and level.solvation:
        raise InputError(
            f"a counterpoise correction at {level.label} was asked for",
            "it has ghost atoms, and what cavity a solvent has around those is not defined",
            "ask for it in the gas phase",
        )


def among_ghosts(
    real: Any, atoms: ConceptualAtoms, fragment: Fragment, level: LevelOfTheory
) -> Any:
    """Return a PySCF molecule of real and ghost atoms, in the order of the whole."""
    sets, _ = basis_for(sorted(set(atoms.numbers.tolist())), level.basis_source)
    kinds = zip(atoms.symbols, fragment.members.tolist(), strict=True)
    names = [symbol if member else GHOST + symbol for symbol, member in kinds]
    mol = real.copy()  # charge, spin and the core potentials of the real atoms
    mol.atom = list(zip(names, atoms.positions.tolist(), strict=True))
    mol.basis = {name: sets[name.removeprefix(GHOST)] for name in names}
    mol.magmom = []
    mol.build(parse_arg=False, dump_input=False)
    return mol


def _fitting(real: Any, atoms: ConceptualAtoms, level: LevelOfTheory, code: str) -> dict[str, Any]:
    """Return the functions that fit densities, those of ghosts like those of real atoms."""
    sets, potentials = basis_for(sorted(set(atoms.numbers.tolist())), level.basis_source)
    whole = real.copy()
    whole.atom = list(zip(atoms.symbols, atoms.positions.tolist(), strict=True))
    whole.basis, whole.charge, whole.spin = sets, atoms.charge, atoms.multiplicity - 1
    whole.ecp = potentials
    whole.magmom = []
    whole.build(parse_arg=False, dump_input=False)
    name = level.auxiliary_basis or former_auxiliary(level.basis_source, code)
    auxiliary = auxiliary_for(whole, name)
    return auxiliary | {GHOST + symbol: one for symbol, one in auxiliary.items()}
