"""Inputs of other programs for a structure at a level: each part of it, or a refusal.

Psi4 and xtb are run by the tests and give the same energy; those of ORCA and Gaussian are not, for
these programs are not free to install.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.level import Level, LevelOfTheory
from ontologies.quantum import EnergyResult
from ontologies.tightbinding import TightBinding
from triplestore.errors import InputError
from workflows.dft.level.bases import functions_of
from workflows.dft.level.methods import resolve_method
from workflows.tightbinding.solvents import parameter_name

from .besides import SHARE, Besides
from .keywords import (
    CORRECTED,
    DISPERSIONS,
    NONLOCAL,
    SOLVENTS,
    own_continuum,
    smd_word,
    why_no_continuum,
    why_not,
    word_of,
)

Task: TypeAlias = Literal["energy", "optimise", "frequencies"]
"""Frequencies are those of the geometry that is optimised before."""

Written: TypeAlias = tuple[str, tuple[str, ...]]
"""A text, and what a person should know of it."""


@dataclass(frozen=True)
class Wanted:
    """What nobody has computed yet: a structure at a level."""

    atoms: ConceptualAtoms
    level: Level


Asked: TypeAlias = EnergyResult | Wanted

POPLE = ("STO-3G", "3-21G", "6-31G", "6-31G*", "6-31G**", "6-311G**")
BASES = (
    *POPLE,
    *(f"def2-{kind}" for kind in ("SVP", "TZVP", "TZVPP", "QZVP", "QZVPP")),
    *(f"{aug}cc-pV{size}Z" for aug in ("", "aug-") for size in "DTQ"),
)
"""Sets that these programs have under the same names."""

FITTINGS: dict[str, dict[str, str]] = {
    "Psi4": {
        "def2-universal-jkfit": "def2-qzvp-jkfit",
        "def2-universal-jfit": "def2-qzvp-jfit",
        **{f"{stem}jkfit": f"{stem}jkfit" for stem in ("cc-pvdz-", "cc-pvtz-", "cc-pvqz-")},
    },
    "ORCA": {"def2-universal-jkfit": "RIJK def2/JK", "def2-universal-jfit": "RI def2/J"},
    "Gaussian": {"def2-universal-jfit": "W06"},
}
"""What programs call the sets that densities are fitted with, in the Coulomb metric as here.

ORCA's usual RIJCOSX, which has exchange on a grid, is something else. Psi4 1.3 has F. Weigend's
universal sets under the names of the def2 sets; Gaussian calls that for Coulomb integrals W06."""

HEAVIEST = {"Pople": 18, "cc-": 36}
XTB_SOLVENTS = {"furan": "furane"}
"""Names of solvents that are others in xtb than in tblite."""

PSI4_TASKS = {
    "energy": "energy('{0}')",
    "optimise": "optimize('{0}')",
    "frequencies": "optimize('{0}')\nfrequencies('{0}')",
}
GAUSSIAN_TASKS = {"energy": "", "optimise": " Opt", "frequencies": " Opt Freq"}
XTB_TASKS = {
    "energy": "`xtb FILE` without options",
    "optimise": "`xtb FILE --opt`",
    "frequencies": "`xtb FILE --ohess`",
}
"""How the programs are told a task; xtb by options alone."""

NOTHING = Besides()

GRIDS = {"Psi4": "99 × 590 points", "ORCA": "DefGrid3", "Gaussian": "UltraFine"}


def refused(result: Asked, program: str, found: str, advice: str) -> InputError:
    """Return why a result is not written for a program."""
    asked = (
        f"an input of {program} for {result.atoms.formula} at {result.level.label} was asked for"
    )
    return InputError(asked, found, advice)


def _level(result: Asked, program: str, task: Task) -> tuple[LevelOfTheory, str]:
    """Return level and name of the method in a program, where all of the level can be said there.

    Raises:
        InputError: a part of it cannot; says which.
    """
    level: Level = result.level
    if not isinstance(level, LevelOfTheory):
        found = f"Hartree–Fock and functionals are translated for it, {level.method} is not"
        raise refused(result, program, found, "choose xtb for GFN-xTB")

    _check_task(result, program, task)

    def no(what: str, advice: str = "choose another program, or a level without it") -> InputError:
        return refused(result, program, f"{what} is not translated", advice)

    name = word_of(level.method, program)
    if not name or not _means_the_same(level):
        why, advice = why_not(level.method, program)
        raise no(f"the method {level.method}{why and f' ({why})'}", advice)
    if level.basis not in BASES:
        raise no(f"the basis set {level.basis}", f"translated are {', '.join(BASES)}")
    kind = "Pople" if level.basis in POPLE else "cc-" if "cc-" in level.basis else ""
    heaviest = int(max(result.atoms.numbers))
    if level.core_potential or heaviest > HEAVIEST.get(kind, 86):
        raise no(f"{level.basis} with elements up to number {heaviest}", "choose a def2 set")
    if level.density_fitting and not _fitting(result, level, program):
        there = ", ".join(FITTINGS[program])
        raise no(
            f"density fitting with {level.auxiliary_basis}",
            f"choose a level that is fitted with {there}, or one with exact integrals",
        )
    known = own_continuum(program, level) or smd_word(program, level, result.atoms.numbers.tolist())
    if (around := level.solvation) and not known:
        why, advice = why_no_continuum(program, level, result.atoms.numbers.tolist())
        medium = around.solvent or f"ε = {around.dielectric:g}"
        raise no(f"the continuum {around.model} of {medium}, {why}", advice)
    correction = level.dispersion
    if correction and not _is_named(level):
        having = CORRECTED[program].get(correction.kind, ())
        if level.method not in having:
            has = ", ".join(DISPERSIONS[program])
            raise no(
                f"the correction {correction.kind} to {level.method}",
                f"{program} has {has} for some methods"
                + (f", {correction.kind} for {', '.join(having)}" if having else "")
                + ": choose these, ORCA, or a level without it",
            )
    if level.nonlocal_correlation and level.method not in NONLOCAL:
        raise no(f"the non-local part {level.nonlocal_correlation}")
    if result.atoms.is_periodic:
        raise no("a crystal")
    if isinstance(result, Wanted) and level.follow_instabilities:
        raise no("a stable solution of the SCF", "leave it out, and look for it there")
    if "instability followed" in getattr(result, "scf_path", ()):
        raise no("the solution below an unstable one")
    return level, name


def _check_task(result: Asked, program: str, task: Task) -> None:
    if task != "energy" and len(result.atoms.numbers) == 1:
        found = f"an atom has no geometry to optimise, and the task {task} begins with that"
        raise refused(result, program, found, "choose the task energy")


def _title(result: Asked) -> str:
    """Return what an input is for, in a line."""
    text = f"{result.atoms.formula} at {result.level.label}"
    if isinstance(result, Wanted):
        return text
    return f"{text}; energy there: {result.energy:.9f} Eh"


def _is_named(level: LevelOfTheory) -> bool:
    """Return whether the name of a method has its correction for dispersion, as wB97X-D3 has."""
    return "-D" in level.method


def _means_the_same(level: LevelOfTheory) -> bool:
    """Return whether the components of a stored functional are those that its name has today."""
    if not level.functional:
        return level.method == "HF"
    today = resolve_method(level.method, "").fields
    return all(getattr(level, name) == today[name] for name in ("functional", "range_separation"))


def _fitting(result: Asked, level: LevelOfTheory, program: str) -> str:
    """Return what a program calls the set that all elements are fitted with; empty for none."""
    names = level.auxiliary_basis.split(", ")
    first = {
        next((name for name in names if functions_of(name, symbol)), "")
        for symbol in result.atoms.symbols
    }
    return FITTINGS[program].get(first.pop(), "") if len(first) == 1 else ""


def _rows(atoms: ConceptualAtoms, per: float = 1.0) -> str:
    return "\n".join(
        f"{symbol:2s} {x / per:18.12f} {y / per:18.12f} {z / per:18.12f}"
        for symbol, (x, y, z) in zip(atoms.symbols, atoms.positions.tolist(), strict=True)
    )


def _correction(level: LevelOfTheory, program: str) -> str:
    """Return the word for a correction that the name of the method does not bring along."""
    if level.dispersion is None or _is_named(level):
        return ""
    return DISPERSIONS[program][level.dispersion.kind]


def _notes(level: LevelOfTheory, program: str, task: Task, *, run: bool) -> tuple[str, ...]:
    notes = list[str]()
    if task != "energy":
        notes.append(f"the thresholds of the optimisation are {program}'s usual ones")
    if task == "frequencies":
        soft = ", with the entropy of soft modes damped (quasi-RRHO)" * (program == "ORCA")
        notes.append(f"thermochemistry is {program}'s, at 298.15 K and 1 atm{soft}")
    if level.functional:
        grid = f"the grid is {program}'s {GRIDS[program]}, not PySCF's level {level.grid_level}"
        notes.append(f"{grid}: energies differ by that")
    if level.dispersion:
        used = " ".join(level.dispersion.damping_parameters)
        more = "needs the program dftd3 and " if program == "Psi4" else ""
        notes.append(
            f"{level.dispersion.kind} {more}takes {program}'s own parameters; those here are {used}"
        )
    model = level.solvation.model if level.solvation else ""
    if own_continuum(program, level):
        notes.append(
            f"the continuum is {program}'s own {model} with the permittivity of this level: its "
            "cavity and charges are others, so that energies are not those of the level"
        )
    elif level.solvation:
        notes.append(
            f"SMD has the same radii and terms in both, and {program} divides the surface in its "
            "own way: energies differ by that, and ΔG of solvation less"
        )
    if not run:
        notes.append(f"written by the manual, not tried with {program}")
    return tuple(notes)


def psi4(result: Asked, task: Task = "energy", besides: Besides = NOTHING) -> Written:
    """Return an input of Psi4; coordinates in bohr, so that no constant of another year counts."""
    level, name = _level(result, "Psi4", task)
    if level.functional and level.reference == "restricted open-shell":
        raise refused(result, "Psi4", "it has no restricted open-shell functionals", "choose ORCA")
    kind = {"restricted": "r", "unrestricted": "u", "restricted open-shell": "ro"}[level.reference]
    _check_line(result, "Psi4", besides)
    atoms = result.atoms
    name += _correction(level, "Psi4")
    machine = f"memory {besides.memory:.0f} MB\n" if besides.memory else ""
    machine += f"set_num_threads({besides.cores})\n" if besides.cores else ""
    integrals = "scf_type pk"
    if level.density_fitting:
        integrals = f"scf_type df\ndf_basis_scf {_fitting(result, level, 'Psi4')}"
    text = f"""\
# {_title(result)}
{machine}molecule {{
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
{integrals}
e_convergence 1e-10
d_convergence 1e-9
dft_radial_points 99
dft_spherical_points 590
}}
{PSI4_TASKS[task].format(name)}
"""
    return text, _notes(level, "Psi4", task, run=True)


def orca(result: Asked, task: Task = "energy", besides: Besides = NOTHING) -> Written:
    """Return an input of ORCA, with its usual fitting of integrals switched off or set."""
    level, name = _level(result, "ORCA", task)
    if not level.spherical:
        raise refused(
            result,
            "ORCA",
            "it has no Cartesian d functions",
            f"choose Psi4 or Gaussian, or say the level: {level.method}/{level.basis} has five",
        )
    kind = {"restricted": "R", "unrestricted": "U", "restricted open-shell": "RO"}[level.reference]
    words = [f"{kind}{'KS' if level.functional else 'HF'}", name if level.functional else ""]
    words += [_correction(level, "ORCA"), "SCNL" if level.nonlocal_correlation else ""]
    fitted = _fitting(result, level, "ORCA") if level.density_fitting else "NoRI"
    words += [level.basis, fitted, "NoCOSX", "VeryTightSCF"]
    words += ["DefGrid3"] if level.functional else []
    words += ["Opt"] if task != "energy" else []
    words += [_second_derivatives(level)] if task == "frequencies" else []
    around = ""
    if level.solvation:
        words.append("CPCM")
        around = f"%cpcm\n  epsilon {level.solvation.dielectric:g}\nend\n"
    atoms = result.atoms
    line, notes = _orca_line(words, besides)
    text = f"""\
# {_title(result).replace("#", "")}
{line}{around}* xyz {atoms.charge} {atoms.multiplicity}
{_rows(atoms)}
*
"""
    return text, (*_notes(level, "ORCA", task, run=False), *notes)


def _orca_line(words: list[str], besides: Besides) -> Written:
    """Return the line of the method, what is said of the machine, and notes on them."""
    words, replaced = besides.among(words)
    told = besides.named(replaced)
    text = f"# {told}\n" * bool(told) + f"! {' '.join(words)}\n"
    text += f"%pal nprocs {besides.cores} end\n" if besides.cores else ""
    text += f"%maxcore {besides.core_memory}\n" if besides.memory else ""
    notes = [told] if told else []
    if besides.memory:
        share = f"{SHARE:.0%} of a core's part of {besides.memory:g} MB"
        notes.append(f"%maxcore {besides.core_memory} is {share}: ORCA takes more at times")
    return text, tuple(notes)


def _check_line(result: Asked, program: str, besides: Besides) -> None:
    """Refuse words of one's own where a program has no line for them."""
    if besides.keywords:
        asked = f"an input of {program} for {result.atoms.formula} with keywords was asked for"
        found = f"{program} has no line of words beside the method"
        raise InputError(asked, found, "leave them out, and add its options to the file")


def composite(
    atoms: ConceptualAtoms, keyword: str, task: Task = "energy", besides: Besides = NOTHING
) -> Written:
    """Return an input of ORCA for a method that it alone has here, by its keyword."""
    words = [keyword, "TightSCF", *(["Opt"] if task != "energy" else [])]
    if task == "frequencies":  # as of other functionals of the kinetic energy density
        words.append("NumFreq" if keyword == "r2SCAN-3c" else "Freq")
    line, notes = _orca_line(words, besides)
    text = f"""\
# {atoms.formula} at {keyword}
{line}* xyz {atoms.charge} {atoms.multiplicity}
{_rows(atoms)}
*
"""
    return text, (
        f"{keyword} is ORCA's own: Grafico does not compute it, and has not compared it",
        *(("the thresholds of the optimisation are ORCA's usual ones",) * (task != "energy")),
        "written by the manual, not tried with ORCA",
        *notes,
    )


def _second_derivatives(level: LevelOfTheory) -> str:
    """Return how ORCA finds frequencies: by differences where it may lack second derivatives.

    Versions differ in what they have for kinetic energy densities, VV10 and fitted exchange.
    """
    lacking = level.density_fitting or level.nonlocal_correlation
    lacking = lacking or level.reference == "restricted open-shell"
    return "NumFreq" if lacking or any("MGGA" in one for one in level.functional) else "Freq"


def gaussian(result: Asked, task: Task = "energy", besides: Besides = NOTHING) -> Written:
    """Return an input of Gaussian, which keeps the frame of the atoms."""
    level, name = _level(result, "Gaussian", task)
    kind = {"restricted": "R", "unrestricted": "U", "restricted open-shell": "RO"}[level.reference]
    basis = re.sub("^def2-", "def2", level.basis)
    shells = "5D 7F" if level.spherical else "6D 10F"
    if level.density_fitting:
        basis += f"/{_fitting(result, level, 'Gaussian')}"
    words = [f"{kind}{name}/{basis}", *shells.split()]
    words += ["Integral=UltraFine"] if level.functional else []
    if correction := _correction(level, "Gaussian"):
        words.append(f"EmpiricalDispersion={correction}")
    if solvent := smd_word("Gaussian", level, result.atoms.numbers.tolist()):
        words.append(f"SCRF=(SMD,Solvent={solvent})")
    elif level.solvation and (model := own_continuum("Gaussian", level)):
        words.append(f"SCRF=({model},Solvent={SOLVENTS[level.solvation.solvent]})")
    words += ["SCF=(Tight)", "NoSymmetry", *GAUSSIAN_TASKS[task].split()]
    words, replaced = besides.in_route(words)
    told = besides.named(replaced)
    machine = f"%nprocshared={besides.cores}\n" if besides.cores else ""
    machine += f"%mem={besides.memory:.0f}MB\n" if besides.memory else ""
    atoms = result.atoms
    text = f"""\
{machine}#P {" ".join(words)}

{_title(result)}{f"; {told}" if told else ""}

{atoms.charge} {atoms.multiplicity}
{_rows(atoms)}

"""
    return text, (*_notes(level, "Gaussian", task, run=False), *filter(None, [told]))


def xtb(result: Asked, task: Task = "energy", besides: Besides = NOTHING) -> Written:
    """Return an input of xtb: geometry, charge, unpaired electrons, method and temperature."""
    level: Level = result.level
    method = {"GFN1-xTB": 1, "GFN2-xTB": 2}.get(level.method)
    if not isinstance(level, TightBinding) or method is None:
        problem = f"{level.method} is not computed by it"
        raise refused(result, "xtb", problem, "choose Psi4, ORCA or Gaussian")
    _check_task(result, "xtb", task)
    _check_line(result, "xtb", besides)
    if besides.memory:
        found = "its input has no word for memory"
        raise refused(result, "xtb with a limit of memory", found, "leave `memory` out")
    if level.accuracy != TightBinding.model_fields["accuracy"].default:
        found = f"the accuracy {level.accuracy:g} is not translated"
        raise refused(result, "xtb", found, "leave it out, and run xtb with --acc")
    if result.atoms.is_periodic:
        raise refused(result, "xtb", "a crystal is not translated", "give a molecule")
    atoms = result.atoms
    rows = "\n".join(
        f"{x / BOHR:20.12f} {y / BOHR:20.12f} {z / BOHR:20.12f} {symbol.lower()}"
        for symbol, (x, y, z) in zip(atoms.symbols, atoms.positions.tolist(), strict=True)
    )
    around = ""
    if level.solvation:
        model, solvent = level.solvation.model, level.solvation.solvent
        born = model == "ALPB"
        around = f"""\
$gbsa
   solvent={XTB_SOLVENTS.get(solvent, parameter_name(level.method, model, solvent))}
   alpb={str(born).lower()}
   kernel={"p16" if born else "still"}
"""
    run = XTB_TASKS[task]
    if besides.cores:  # an option, too
        run = run.replace(" without options", "").rstrip("`") + f" --parallel {besides.cores}`"
    text = f"""\
$coord
{rows}
$chrg {atoms.charge}
$spin {atoms.multiplicity - 1}
$gfn
   method={method}
$scc
   temp={level.electronic_temperature:g}
{around}$end
"""
    return text, (f"it holds charge, spin, method and solvent: run {run}",)


INPUTS: dict[str, Callable[..., Written]] = {
    "psi4": psi4,
    "orca": orca,
    "gaussian": gaussian,
    "xtb": xtb,
}
