"""Particles whose energy no level computes: what of them fits the energies of a level.

A bare proton and an electron at rest in vacuum have no energy where energies count from nuclei and
electrons infinitely far apart. Other levels have a zero of their own: at GFN2-xTB a proton comes to
+0.2296 Eh, and an electron that H takes up to −5.9 eV in place of −0.75. What others found for them
must not be added to such energies, nor may errors that cancel by chance be an excuse.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from triplestore.errors import InputError
from workflows.registry.levels import Program, offered, program_of

AT_A_FUNCTIONAL = (
    "take the energies of a functional at these geometries (`energy_at`, such as "
    "B3LYP-D4/def2-TZVP)"
)
IN_MOLECULES = (
    f"write the reaction with ions of molecules (such as [OH3+] and O), or {AT_A_FUNCTIONAL}"
)
IN_SOLUTION = (
    "ask for a pKa or a redox potential, which take the measured proton in water, write [OH3+] and "
    "O, or leave the solvent out"
)


def misfit(level: Level, particle: str) -> str:
    """Return why a particle from outside does not fit the energies of a level; empty if it does.

    No shift of a method's zero is applied: of those that are published none is known here to be
    made for GFN1-xTB or GFN2-xTB as they are computed here (that of xtb's `--vipea` belongs to
    parameters of its own).

    Raises:
        ComponentError: the program of the level is not installed.
    """
    if offered(level).counts_from_free_particles(level):
        return ""
    return own_zero(level.method, particle)


def own_zero(method: str, particle: str) -> str:
    """Return that a particle from outside does not fit the energies of a method, in words."""
    return (
        f"energies of {method} count from a zero of its own, not from nuclei and electrons "
        f"at rest far apart: {particle} from outside does not fit them"
    )


def has_own_zero(method: str) -> bool:
    """Return whether no energy of a method counts from free particles, whatever else is said of it.

    Args:
        method: as a person names it.

    Raises:
        ComponentError: its program is not installed.
    """
    program = type(program_of(method))
    return program.counts_from_free_particles is Program[Any].counts_from_free_particles


def misplaced(atoms: ConceptualAtoms, level: Level) -> str:
    """Return why the energy of an ion means nothing at a level; empty where it may.

    Raises:
        ComponentError: the program of the level is not installed.
    """
    bare = is_bare(atoms)
    if not bare and not is_hydride(atoms):
        return ""
    if not offered(level).counts_from_free_particles(level):
        return (
            f"energies of {level.method} count from a zero of its own, and "
            f"{'a bare nucleus' if bare else 'hydride'} is nothing that it was made for"
        )
    if bare and getattr(level, "solvation", None) is not None:
        return (
            "a continuum says nothing of a bare nucleus, which binds to the solvent (C-PCM gives a "
            "proton in water −124 kcal/mol, measured −266)"
        )
    return ""


def check_zero(levels: Iterable[Level], asked: str, particle: str, advice: str) -> None:
    """Refuse levels whose energies a particle from outside does not fit.

    Args:
        levels: of the energies.
        asked: what was asked for.
        particle: what comes from outside, such as `an electron`.
        advice: what works.

    Raises:
        InputError: a level has a zero of its own.
    """
    for problem in filter(None, (misfit(level, particle) for level in levels)):
        raise InputError(asked, problem, advice)


def check_ions(named: Mapping[str, ConceptualAtoms], levels: Iterable[Level]) -> None:
    """Refuse bare nuclei and hydride where their energy means nothing.

    Args:
        named: molecules whose energies are subtracted, by what they are called.
        levels: of their energies.

    Raises:
        InputError: there is one.
    """
    for level, (name, atoms) in itertools.product(levels, named.items()):
        if problem := misplaced(atoms, level):
            wet = offered(level).counts_from_free_particles(level)
            raise InputError(
                f"the energy of {name} at {level.label} was asked for",
                problem,
                IN_SOLUTION if wet else IN_MOLECULES,
            )


def is_bare(atoms: ConceptualAtoms) -> bool:
    """Tell whether it has no electrons."""
    return int(atoms.numbers.sum()) == atoms.charge


def is_hydride(atoms: ConceptualAtoms) -> bool:
    """Tell whether it is H⁻."""
    return atoms.numbers.tolist() == [1] and atoms.charge == -1
