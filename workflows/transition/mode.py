"""What moves along a mode: distances between neighbours, dihedral angles."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import single_lengths
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.engine.request.refusals import refusal
from workflows.geometry.constraints import measured
from workflows.text.words import count

NEAR = 1.6
"""Lengths of a single bond. Atoms up to so far from each other may be about to bond: bonds that are
half broken have 1.2 to 1.5, the ends of an angle 1.65."""

AMONG = 0.3
"""What was named must change at least by this part of what changes most."""

STILL = 0.05
"""Å for each Å that the atom moves which moves most. What changes less is taken as unchanged."""

TURNING = 20.0
"""Degrees where the atom that moves most moves by 1 Å: a hydrogen of a methyl group that turns has
56."""

STEP = 1e-3
"""Å that the atom moves which moves most, to see what else changes."""


@dataclass(frozen=True)
class Change:
    """How fast something changes along a mode.

    Attributes:
        members: two atoms (a distance) or four (a dihedral angle), counted from 0.
        rate: Å or degrees, where the atom that moves most moves by 1 Å.
    """

    members: tuple[int, ...]
    rate: float


def read_along(text: str) -> tuple[int, ...]:
    """Read what is to change, such as `1-2`; atoms are counted from 1 there.

    Raises:
        ValueError: it names neither two nor four atoms.
    """
    words = re.findall(r"\d+", text)
    members = tuple(int(word) - 1 for word in words)
    whole = re.fullmatch(r"\s*\d+(?:[-\s,]+\d+)*\s*", text)
    if not whole or len(members) not in (2, 4) or min(members) < 0:
        raise refusal(
            f"a mode along {text[:80]!r} was asked for",
            "it cannot be read",
            'name the two atoms of a bond, "1-2", or the four of a dihedral angle, "1-2-3-4"',
        )
    if len(set(members)) < len(members):
        raise refusal(
            f"a mode along {text[:80]!r} was asked for", "it names an atom twice", "name each once"
        )
    return members


def check_along(atoms: ConceptualAtoms, along: tuple[str, ...]) -> None:
    """Check that the atoms which are named are there.

    Raises:
        InputError: one is not.
    """
    there = len(atoms.numbers)
    for text in along:
        if max(read_along(text)) >= there:
            raise InputError(
                f"a transition state of {atoms.formula} along {text} was asked for",
                f"there {'is' if there == 1 else 'are'} {count(there, 'atom')}",
                f"name atoms from 1 to {there}, in the order of the input",
            )


def named(members: tuple[int, ...], atoms: ConceptualAtoms) -> str:
    """Return a distance or dihedral angle in words, such as `C1–H3`."""
    return "–".join(f"{atoms.symbols[n]}{n + 1}" for n in members)


def changes_along(atoms: ConceptualAtoms, mode: Floats) -> list[Change]:
    """Return the distances between neighbours that change along a mode, the most first."""
    first, second = np.triu_indices(len(atoms.numbers), 1)
    apart = np.linalg.norm(atoms.positions[first] - atoms.positions[second], axis=1)
    limits = NEAR * single_lengths(atoms.numbers[first], atoms.numbers[second])
    found = [
        Change((int(one), int(other)), rate(atoms, mode, (int(one), int(other))))
        for one, other in zip(first[apart < limits], second[apart < limits], strict=True)
    ]
    return sorted((one for one in found if abs(one.rate) >= STILL), key=lambda one: -abs(one.rate))


def rate(atoms: ConceptualAtoms, mode: Floats, members: tuple[int, ...]) -> float:
    """Return how fast a distance or a dihedral angle changes along a mode, see `Change`.

    Args:
        atoms: the geometry.
        mode: displacements of its atoms, of any length, shape (atoms, 3).
        members: two or four atoms.
    """
    shift = mode * (STEP / np.linalg.norm(mode, axis=1).max())
    there, back = (measured(atoms.positions + sign * shift, members) for sign in (1, -1))
    change = there - back
    if len(members) == 4:
        change = (change + 180) % 360 - 180
    return float(change / (2 * STEP))


def missed(atoms: ConceptualAtoms, mode: Floats, along: tuple[str, ...]) -> str:
    """Say which of the bonds and dihedral angles that were named do not change; empty for none.

    A distance must change by `AMONG` of what that between neighbours does which changes most, a
    dihedral angle by `TURNING`.
    """
    most = max((abs(one.rate) for one in changes_along(atoms, mode)), default=0.0)
    told: list[str] = []
    for text in along:
        members = read_along(text)
        found = rate(atoms, mode, members)
        if len(members) == 2 and abs(found) < max(AMONG * most, STILL):
            told.append(
                f"{named(members, atoms)} changes by {found:+.2f} Å for each Å that the atom moves "
                f"which moves most, others by up to {most:.2f} Å"
            )
        elif len(members) == 4 and abs(found) < TURNING:
            told.append(
                f"the dihedral angle {named(members, atoms)} turns by {found:+.0f}° only where the "
                f"atom that moves most moves by 1 Å"
            )
    return "; ".join(told)


def described(atoms: ConceptualAtoms, mode: Floats) -> str:
    """Say what a mode is, in words: the distances that change, or which atoms move."""
    found = changes_along(atoms, mode)
    if found:
        least = AMONG * abs(found[0].rate)
        words = [
            f"{named(one.members, atoms)} {'longer' if one.rate > 0 else 'shorter'}"
            for one in found[:4]
            if abs(one.rate) >= least
        ]
        return ", ".join(words)
    lengths = np.linalg.norm(mode, axis=1)
    moving = [named((int(n),), atoms) for n in np.argsort(-lengths)[:3] if lengths[n] > 0]
    return f"no distance between neighbours changes; {', '.join(moving)} move most"
