"""Inputs of other programs that compute a result again: each part of its level, or a refusal.

Psi4 and xtb are run by the tests and give the same energy; those of ORCA and Gaussian are not, for
these programs are not free to install.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.level import Level, LevelOfTheory
from ontologies.quantum import EnergyResult
from ontologies.tightbinding import TightBinding
from triplestore.errors import InputError

METHODS = {
    "HF": ("hf", "HF", "HF"),
    "PBE": ("pbe", "PBE", "PBEPBE"),
    "PBE0": ("pbe0", "PBE0", "PBE1PBE"),
    "BLYP": ("blyp", "BLYP", "BLYP"),
    "B3LYP": ("b3lyp", "B3LYP/G", "B3LYP"),
    "B3LYP5": ("b3lyp5", "B3LYP", ""),
}
"""What Psi4, ORCA and Gaussian call a method; B3LYP is the one with VWN's fit to the RPA (VWN3), as
in Gaussian and Psi4, B3LYP5 that with VWN5, as in ORCA."""

POPLE = ("STO-3G", "3-21G", "6-31G", "6-31G*", "6-31G**", "6-311G**")
BASES = (
    *POPLE,
    *(f"def2-{kind}" for kind in ("SVP", "TZVP", "TZVPP", "QZVP", "QZVPP")),
    *(f"{aug}cc-pV{size}Z" for aug in ("", "aug-") for size in "DTQ"),
)
"""Sets that these programs have under the same names."""

HEAVIEST = {"Pople": 18, "cc-": 36}
GRIDS = {"Psi4": "99 × 590 points", "ORCA": "DefGrid3", "Gaussian": "UltraFine"}


def refused(result: EnergyResult, program: str, found: str, advice: str) -> InputError:
    """Return why a result is not written for a program."""
    asked = (
        f"an input of {program} for {result.atoms.formula} at {result.level.label} was asked for"
    )
    return InputError(asked, found, advice)


def _level(result: EnergyResult, program: str) -> tuple[LevelOfTheory, str]:
    """Return level and name of the method in a program, where all of the level can be said there.

    Raises:
        InputError: a part of it cannot; says which.
    """
    level: Level = result.level
    if not isinstance(level, LevelOfTheory):
        known = "Hartree–Fock and functionals are translated for it"
        raise refused(result, program, f"{level.method} is not: {known}", "choose xtb for GFN-xTB")

    def no(what: str, advice: str = "choose another program, or a level without it") -> InputError:
        return refused(result, program, f"{what} is not translated", advice)

    place = list(GRIDS).index(program)
    name = METHODS.get(level.method, ("", "", ""))[place]
    if not name:
        raise no(f"the method {level.method}", f"translated are {', '.join(METHODS)}")
    if level.basis not in BASES:
        raise no(f"the basis set {level.basis}", f"translated are {', '.join(BASES)}")
    kind = "Pople" if level.basis in POPLE else "cc-" if "cc-" in level.basis else ""
    heaviest = int(max(result.atoms.numbers))
    if level.core_potential or heaviest > HEAVIEST.get(kind, 86):
        raise no(f"{level.basis} with elements up to number {heaviest}", "choose a def2 set")
    if level.density_fitting:
        raise no(f"density fitting ({level.auxiliary_basis})", "compute it with exact integrals")
    if level.solvation:
        raise no(f"the continuum {level.solvation.model} of {level.solvation.solvent}")
    if level.dispersion:
        raise no(f"the correction {level.dispersion.kind} with its parameters")
    if level.nonlocal_correlation:
        raise no(f"the non-local part {level.nonlocal_correlation}")
    if result.atoms.is_periodic:
        raise no("a crystal")
    if "instability followed" in getattr(result, "scf_path", ()):
        raise no("the solution below an unstable one")
    return level, name


def _rows(atoms: ConceptualAtoms, per: float = 1.0) -> str:
    return "\n".join(
        f"{symbol:2s} {x / per:18.12f} {y / per:18.12f} {z / per:18.12f}"
        for symbol, (x, y, z) in zip(atoms.symbols, atoms.positions.tolist(), strict=True)
    )


def _notes(level: LevelOfTheory, program: str, *, run: bool) -> tuple[str, ...]:
    notes = list[str]()
    if level.functional:
        grid = f"the grid is {program}'s {GRIDS[program]}, not PySCF's level {level.grid_level}"
        notes.append(f"{grid}: energies differ by that")
    if not run:
        notes.append(f"written by the manual, not tried with {program}")
    return tuple(notes)


def psi4(result: EnergyResult) -> tuple[str, tuple[str, ...]]:
    """Return an input of Psi4; coordinates in bohr, so that no constant of another year counts."""
    level, name = _level(result, "Psi4")
    if level.functional and level.reference == "restricted open-shell":
        raise refused(result, "Psi4", "it has no restricted open-shell functionals", "choose ORCA")
    kind = {"restricted": "r", "unrestricted": "u", "restricted open-shell": "ro"}[level.reference]
    atoms = result.atoms
    text = f"""\
# {atoms.formula} at {level.label}; energy there: {result.energy:.9f} Eh
molecule {{
{atoms.charge} {atoms.multiplicity}
{_rows(atoms, BOHR)}
units bohr
no_com
no_reorient
symmetry c1
}}
set {{
basis {level.basis}
puream {str(level.spherical).lower()}
reference {kind}{"ks" if level.functional else "hf"}
scf_type pk
e_convergence 1e-10
d_convergence 1e-9
dft_radial_points 99
dft_spherical_points 590
}}
energy('{name}')
"""
    return text, _notes(level, "Psi4", run=True)


def orca(result: EnergyResult) -> tuple[str, tuple[str, ...]]:
    """Return an input of ORCA, without its usual fitting of integrals."""
    level, name = _level(result, "ORCA")
    if not level.spherical:
        raise refused(result, "ORCA", "it has no Cartesian d functions", "choose Psi4 or Gaussian")
    kind = {"restricted": "R", "unrestricted": "U", "restricted open-shell": "RO"}[level.reference]
    words = [f"{kind}{'KS' if level.functional else 'HF'}", name if level.functional else ""]
    words += [level.basis, "NoRI", "NoCOSX", "VeryTightSCF"]
    words += ["DefGrid3"] if level.functional else []
    atoms = result.atoms
    text = f"""\
# {atoms.formula} at {level.label.replace("#", "")}; energy there: {result.energy:.9f} Eh
! {" ".join(filter(None, words))}
* xyz {atoms.charge} {atoms.multiplicity}
{_rows(atoms)}
*
"""
    return text, _notes(level, "ORCA", run=False)


def gaussian(result: EnergyResult) -> tuple[str, tuple[str, ...]]:
    """Return an input of Gaussian, which keeps the frame of the atoms."""
    level, name = _level(result, "Gaussian")
    kind = {"restricted": "R", "unrestricted": "U", "restricted open-shell": "RO"}[level.reference]
    basis = re.sub("^def2-", "def2", level.basis)
    shells = "5D 7F" if level.spherical else "6D 10F"
    grid = "Integral=UltraFine " if level.functional else ""
    atoms = result.atoms
    text = f"""\
#P {kind}{name}/{basis} {shells} {grid}SCF=(Tight) NoSymmetry

{atoms.formula} at {level.label}, energy there {result.energy:.9f} Eh

{atoms.charge} {atoms.multiplicity}
{_rows(atoms)}

"""
    return text, _notes(level, "Gaussian", run=False)


def xtb(result: EnergyResult) -> tuple[str, tuple[str, ...]]:
    """Return an input of xtb: geometry, charge, unpaired electrons, method and temperature."""
    level: Level = result.level
    method = {"GFN1-xTB": 1, "GFN2-xTB": 2}.get(level.method)
    if not isinstance(level, TightBinding) or method is None:
        problem = f"{level.method} is not computed by it"
        raise refused(result, "xtb", problem, "choose Psi4, ORCA or Gaussian")
    if level.solvation:
        solvent = f"{level.solvation.model} {level.solvation.solvent}"
        raise refused(result, "xtb", f"the continuum {solvent} is not translated", "leave it out")
    if result.atoms.is_periodic:
        raise refused(result, "xtb", "a crystal is not translated", "give a molecule")
    atoms = result.atoms
    rows = "\n".join(
        f"{x / BOHR:20.12f} {y / BOHR:20.12f} {z / BOHR:20.12f} {symbol.lower()}"
        for symbol, (x, y, z) in zip(atoms.symbols, atoms.positions.tolist(), strict=True)
    )
    text = f"""\
$coord
{rows}
$chrg {atoms.charge}
$spin {atoms.multiplicity - 1}
$gfn
   method={method}
$scc
   temp={level.electronic_temperature:g}
$end
"""
    return text, ("it holds charge, spin and method: run `xtb FILE` without options",)


INPUTS: dict[str, Callable[[EnergyResult], tuple[str, tuple[str, ...]]]] = {
    "psi4": psi4,
    "orca": orca,
    "gaussian": gaussian,
    "xtb": xtb,
}
