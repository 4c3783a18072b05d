"""Geometries of a molecule as other programs write them: one XYZ block after the other."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from pydantic import ValidationError

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import changes
from ontologies.elements import SYMBOLS
from triplestore.errors import RecipeError
from workflows.text.words import count

NUMBER = re.compile(r"[-+]?\d+\.\d*(?:[eEdD][-+]?\d+)?")
"""An energy in a line of comment: the first number with a point."""

TOLD = 3
"""Geometries with other bonds that are told one by one."""


class Frame(NamedTuple):
    """A geometry.

    Attributes:
        energy: in Eh, as its comment says; None if it says none.
        atoms: its atoms, numbered as those of the molecule.
    """

    energy: float | None
    atoms: ConceptualAtoms


def read_frames(text: str, molecule: ConceptualAtoms, asked: str, source: str) -> list[Frame]:
    """Return the geometries of a text, in their order.

    A block is the number of atoms, a comment, and a line with symbol and coordinates (Å) an atom.

    Args:
        text: such blocks; blank lines between them do not matter.
        molecule: which; charge and multiplicity are its own.
        asked: what was asked for, for errors.
        source: what wrote the text, for errors.

    Raises:
        RecipeError: a block is broken off, has other atoms, or is no geometry.
    """
    lines, at, found = text.splitlines(), 0, list[Frame]()
    size = len(molecule.numbers)
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        block, name = lines[at + 2 : at + 2 + size], f"geometry {len(found) + 1} of {source}"
        if lines[at].split() != [str(size)] or len(block) < size:
            raise _unread(asked, f"{name} is not of {count(size, 'atom')}, or broken off")
        comment = NUMBER.search(lines[at + 1])
        energy = float(re.sub("[dD]", "e", comment[0])) if comment else None
        found.append(Frame(energy, _atoms(block, molecule, asked, name)))
        at += 2 + size
    if not found:
        raise _unread(asked, f"{source} is empty")
    return found


def _atoms(block: list[str], molecule: ConceptualAtoms, asked: str, name: str) -> ConceptualAtoms:
    positions = np.zeros((len(block), 3))
    for place, (line, number) in enumerate(zip(block, molecule.numbers.tolist(), strict=True)):
        words = line.split()
        try:
            positions[place] = [float(word) for word in words[1:4]]
        except ValueError as error:
            raise _unread(asked, f"{name}: atom {place + 1} has no coordinates") from error
        if words[0].capitalize() != SYMBOLS[number]:
            raise _unread(
                asked, f"{name}: atom {place + 1} is {words[0][:8]!r} and not {SYMBOLS[number]}"
            )
    try:
        return molecule.moved_to(positions)
    except ValidationError as error:
        raise _unread(asked, f"{name} is no geometry: {error.errors()[0]['msg']}") from error


def _unread(asked: str, problem: str) -> RecipeError:
    return RecipeError(asked, problem, "try another release of the program, or another sampler")


def same_bonds(
    frames: list[Frame], molecule: ConceptualAtoms, asked: str
) -> tuple[list[Frame], tuple[str, ...]]:
    """Return the geometries in which the bonds are those of the molecule, and what was left out.

    Raises:
        RecipeError: none is left.
    """
    kept, told, broken = list[Frame](), list[str](), 0
    for number, frame in enumerate(frames, 1):
        if change := changes(molecule, frame.atoms):
            broken += 1
            told += [f"geometry {number} left out: {change}"] if broken <= TOLD else []
        else:
            kept.append(frame)
    if broken > TOLD:
        told.append(
            f"{count(broken - TOLD, 'further geometry', 'further geometries')} left out: "
            "their bonds are others"
        )
    if not kept:
        raise RecipeError(
            asked,
            f"in all {count(broken, 'geometry', 'geometries')} bonds have changed: "
            f"{told[0].partition(': ')[2]}",
            "the molecule reacts at this level: take GFN-FF, which keeps bonds, another solvent, "
            "or another sampler",
        )
    return kept, tuple(told)
