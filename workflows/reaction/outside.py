"""Particles whose energy no level computes: what of them fits the energies of a level.

A bare proton and an electron at rest in vacuum have no energy where energies count from nuclei and
electrons infinitely far apart. Other levels have a zero of their own: at GFN2-xTB a proton comes to
+0.2296 Eh, and an electron that H takes up to −5.9 eV in place of −0.75. What others found for them
must not be added to such energies, nor may errors that cancel by chance be an excuse.
"""

from __future__ import annotations

from collections.abc import Iterable

from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.reactions import ReactionSpecies
from triplestore.errors import InputError
from workflows.levels import offered

AT_A_FUNCTIONAL = (
    "take the energies of a functional at these geometries (`energy_at`, such as "
    "B3LYP-D4/def2-TZVP)"
)


def check_zero(levels: Iterable[Level], asked: str, particle: str, advice: str) -> None:
    """Refuse levels with whose energies nothing from outside may be combined.

    No shift of a method's zero is applied: of those that are published none is known here to be
    made for GFN1-xTB or GFN2-xTB as they are computed here (that of xtb's `--vipea` belongs to
    parameters of its own).

    Args:
        levels: of the energies.
        asked: what was asked for.
        particle: what comes from outside, such as `an electron`.
        advice: what works.

    Raises:
        InputError: a level has a zero of its own.
    """
    for level in levels:
        if not offered(level).counts_from_free_particles(level):
            raise InputError(
                asked,
                f"energies of {level.method} count from a zero of its own, not from nuclei and "
                f"electrons at rest far apart: {particle} from outside does not fit them",
                advice,
            )


def check_species(species: Iterable[ReactionSpecies], levels: Iterable[Level]) -> None:
    """Refuse species whose energy means nothing at a level: bare nuclei and hydride.

    Args:
        species: of reactions.
        levels: of their energies.

    Raises:
        InputError: there is one.
    """
    ions = [one for one in species if is_bare(one.atoms) or is_hydride(one.atoms)]
    if not ions:
        return
    advice = (
        f"write the reaction with ions of molecules (such as [OH3+] and O), or {AT_A_FUNCTIONAL}"
    )
    for level in levels:
        around = getattr(level, "solvation", None)
        for one in ions:
            asked = f"the energy of {one.name} at {level.label} was asked for"
            if not offered(level).counts_from_free_particles(level):
                what = "a bare nucleus" if is_bare(one.atoms) else "hydride"
                raise InputError(
                    asked,
                    f"energies of {level.method} count from a zero of its own, and {what} is "
                    "nothing that it was made for",
                    advice,
                )
            if around is not None and is_bare(one.atoms):
                raise InputError(
                    asked,
                    "a continuum says nothing of a bare nucleus, which binds to the solvent "
                    "(C-PCM gives a proton in water −124 kcal/mol, measured −266)",
                    "ask for a pKa or a redox potential, which take the measured proton in water, "
                    "write [OH3+] and O, or leave the solvent out",
                )


def is_bare(atoms: ConceptualAtoms) -> bool:
    """Tell whether it has no electrons."""
    return int(atoms.numbers.sum()) == atoms.charge


def is_hydride(atoms: ConceptualAtoms) -> bool:
    """Tell whether it is H⁻."""
    return atoms.numbers.tolist() == [1] and atoms.charge == -1
