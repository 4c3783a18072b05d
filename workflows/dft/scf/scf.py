"""Running an SCF, its result, and what is cached between calculations."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import StabilityLabel
from triplestore.errors import NotConvergedError
from workflows.engine import context
from workflows.engine.execution.array_cache import ArrayCache

from ..level.resolving import PYSCF
from ..level.solvents import continuum_of
from .gpu import on_processor
from .instability import gap_of, is_open_shell_restricted, settle
from .meanfield import MAX_CYCLES
from .recovery import try_recipes
from .warning_signs import sign_of

FOLLOWED = "instability followed"
"""What stands in the path of an SCF for each instability that was followed."""


@dataclass(frozen=True)
class Course:
    """How a mean field came to its solution.

    Attributes:
        path: the rungs tried, then each instability that was followed.
        stability: what is known of the solution.
        sign: what was seen without being asked for, see `signs`; empty for nothing.
    """

    path: tuple[str, ...] = ("DIIS",)
    stability: StabilityLabel = "not analysed"
    sign: str = ""


def course_of(mf: Any) -> Course:
    """Return how a mean field came to its solution; a plain SCF if `converge` was not asked."""
    return vars(mf).get("_course") or Course()


def converge(mf: Any, atoms: ConceptualAtoms, level: LevelOfTheory) -> Any:
    """Run the SCF up the level's ladder, or take what it came to before from the memo.

    The solution is the same either way, bit for bit: only an SCF of the very same atoms and level
    from the usual guess counts. What an optimisation ended with started elsewhere and may be
    another state (C2 in 6-31G: 0.05 Eh), and what happens to be remembered must not decide which.

    With `level.follow_instabilities` the solution is one that no rotation of its orbitals among
    those of its kind lowers.

    Raises:
        InputError: the level's ladder has a rung that does not exist.
        NotConvergedError: the threshold was not reached by any rung, or no stable solution.
    """
    memo, key = ArrayCache(context().memo), memo_key(atoms, level)
    known = memo.get(key)
    if known is not None and known.keys() >= KEPT:
        _recall(mf, known)
        context().report("remembered", energy=mf.e_tot)
        return mf
    solve(mf, atoms, level)
    watch(mf, level)
    keep(mf, atoms, level)
    return mf


def watch(mf: Any, level: LevelOfTheory) -> None:
    """Look for signs that the solution of an SCF is not the one that is meant, and keep them."""
    if seen := sign_of(mf, level):
        mf._course = replace(course_of(mf), stability="unstable", sign=seen)


def without_record(mf: Any) -> None:
    """Close PySCF's own record of each cycle, which nobody reads, where it has begun one."""
    if (file := mf.__dict__.pop("_chkfile", None)) is not None:
        mf.chkfile = None
        file.close()


def solve(mf: Any, atoms: ConceptualAtoms, level: LevelOfTheory) -> Any:
    """Run the SCF up the level's ladder without any memory; otherwise as `converge`.

    A mean field that has orbitals starts from them in the first rung.
    """
    without_record(mf)
    path, stability = try_recipes(mf, level, atoms.formula), Course.stability
    if level.follow_instabilities:
        path += (FOLLOWED,) * settle(mf)
        stability = "stable" if level.reference == "unrestricted" else "internally stable"
    mf._course = Course(path, stability)
    return mf


def adopt(mf: Any, twin: Any) -> None:
    """Take over what was seen of the stability of the same solution."""
    seen = course_of(twin)
    if seen.sign:
        mf._course = replace(course_of(mf), stability=seen.stability, sign=seen.sign)


ORBITALS = ("coeff", "occ", "energy")
SPINS = ("mo_ea", "mo_eb")
"""Energies of restricted open-shell orbitals for each spin, which PySCF ties to `mo_energy`."""

KEPT = {
    *(f"mo_{name}" for name in ORBITALS),
    "e_tot",
    "cycles",
    "path",
    "stability",
    "sign",
    "parts",
}


def keep(mf: Any, atoms: ConceptualAtoms, level: LevelOfTheory) -> None:
    """Remember a converged mean field whose SCF started from the usual guess.

    Args:
        mf: the mean field.
        atoms: its geometry, exactly.
        level: its level.
    """
    memo, key = ArrayCache(context().memo), memo_key(atoms, level)
    if memo.folder is None:
        return
    arrays = {f"mo_{name}": np.asarray(getattr(mf, f"mo_{name}")) for name in ORBITALS}
    for name in SPINS:
        if hasattr(mf.mo_energy, name):
            arrays[name] = np.asarray(getattr(mf.mo_energy, name))
    parts = {name: float(value) for name, value in mf.scf_summary.items()}
    course = course_of(mf)
    memo.put(
        key,
        {
            **arrays,
            "e_tot": mf.e_tot,
            "cycles": mf.cycles,
            "path": np.array(course.path),
            "stability": np.array(course.stability),
            "sign": np.array(course.sign),
            "parts": np.array(list(parts)),
            "energies": np.array(list(parts.values())),
        },
    )


def _recall(mf: Any, known: dict[str, Any]) -> None:
    """Put a mean field where its SCF ended."""
    from pyscf import lib

    mf.mo_coeff, mf.mo_occ, mf.mo_energy = (known[f"mo_{name}"] for name in ORBITALS)
    if known.keys() >= {*SPINS}:
        mf.mo_energy = lib.tag_array(mf.mo_energy, **{name: known[name] for name in SPINS})
    mf.e_tot, mf.cycles, mf.converged = float(known["e_tot"]), int(known["cycles"]), True
    mf.scf_summary.update(zip(known["parts"].tolist(), known["energies"].tolist(), strict=True))
    path = tuple(str(rung) for rung in known["path"])
    label = next(one for one in get_args(StabilityLabel) if one == str(known["stability"]))
    mf._course = Course(path, label, str(known["sign"]))
    density = mf.make_rdm1()
    if mf.istype("KohnShamDFT"):
        mf.initialize_grids(mf.mol, density)  # as the first cycle does
    if (solvent := continuum_of(mf)) is not None:
        solvent.e, solvent.v = solvent.kernel(density)  # as each cycle does


def memo_key(atoms: ConceptualAtoms, level: LevelOfTheory) -> str:
    """Return the name of a mean field: exact inputs, and the program with its version."""
    import pyscf

    parts = ["usual guess", PYSCF.name, PYSCF.epoch, pyscf.__version__, atoms.iri, level.iri]
    if context().device != "cpu":  # the last digits differ
        parts.append("graphics card")
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
    """Return what an `ElectronicResult` says of a converged mean field, but for its inputs.

    Of restricted open-shell orbitals, `homo` and `lumo` are expectation values of the Fock
    operators of alpha and beta spin: the eigenvalues of the one effective operator are a matter of
    convention.
    """
    mol, course, parts = mf.mol, course_of(mf), mf.scf_summary
    masses = mol.atom_mass_list(isotope_avg=True)
    centre = masses @ mol.atom_coords() / masses.sum()
    occupied, empty = _occupied_and_empty(mf)
    homo = float(occupied.max()) if occupied.size else None
    _, charges = mf.mulliken_pop(verbose=0)
    closed = np.ndim(mf.mo_occ[0]) == 0 and not is_open_shell_restricted(mf)
    spin_squared = None if closed else float(mf.spin_square()[0])
    solvated = continuum_of(mf) is not None
    seen = [course.sign] if course.sign else []
    field = [float(parts[name]) for name in ("e_solvent", "e_cds") if name in parts]
    return {
        "energy": float(mf.e_tot),
        "converged": bool(mf.converged),
        "scf_cycles": int(mf.cycles),
        "dipole": mf.dip_moment(unit="Debye", origin=centre, verbose=0),
        "mulliken_charges": charges,
        "homo": homo,
        "lumo": float(empty.min()) if empty.size else None,
        "spin_squared": spin_squared,
        "dispersion_energy": float(parts["dispersion"]) if "dispersion" in parts else None,
        "solvation_energy": sum(field) if solvated else None,
        "scf_path": course.path,
        "stability": course.stability,
        "remarks": (*seen, *_remarks(mf, homo, spin_squared), *on_processor(mf)),
    }


def _occupied_and_empty(mf: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the energies of occupied and of empty spin orbitals, not in order."""
    occupations, energies = np.asarray(mf.mo_occ), mf.mo_energy
    if is_open_shell_restricted(mf):
        spins = [getattr(energies, name, np.asarray(energies)) for name in SPINS]
        energies, occupations = np.array(spins), np.array([occupations > 0, occupations == 2])
    energies, occupations = np.ravel(energies), np.ravel(occupations)
    return energies[occupations > 0], energies[occupations == 0]


def _remarks(mf: Any, homo: float | None, spin_squared: float | None) -> list[str]:
    remarks: list[str] = []
    spin = abs(mf.mol.spin) / 2
    pure = spin * (spin + 1)
    # 10 %: D. C. Young, Computational Chemistry (Wiley 2001), chapter 27
    if spin_squared is not None and spin_squared - pure > (0.1 * pure or 0.1):
        remarks.append(f"spin contamination: ⟨S²⟩ is {spin_squared:.3f}, of a pure state {pure:g}")
    if mf.mol.charge < 0 and homo is not None and homo > 0:
        remarks.append(
            f"the highest occupied orbital of this anion lies above zero ({homo:.4f} Eh): only the "
            "basis set keeps the electron"
        )
    if not is_open_shell_restricted(mf) and gap_of(mf) < -1e-6:
        remarks.append("an occupied orbital lies above an empty one of the same spin")
    return remarks
