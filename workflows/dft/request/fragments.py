"""Dividing a structure into fragments: by its bonds, or as a person says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.comparison import Fragment
from ontologies.connectivity import connectivity
from triplestore.errors import InputError
from workflows.text.words import count

PIECE = re.compile(r"(\d+)(?:-(\d+))?")


def divided(
    atoms: ConceptualAtoms,
    text: str = "",
    charges: Sequence[int] = (),
    multiplicities: Sequence[int] = (),
) -> tuple[Fragment, ...]:
    """Return the fragments of a molecule.

    Args:
        atoms: the molecule.
        text: the atoms of each fragment, counted from 1, such as `1-3 4-6`; empty for what hangs
            together by covalent bonds.
        charges: of each fragment in e; none for neutral ones.
        multiplicities: 2S+1 of each; none for the lowest that their electrons allow.

    Raises:
        InputError: fewer than two fragments, an atom in none or in several of them, charges that do
            not add up to that of the molecule, a multiplicity that cannot be, or a crystal.
    """
    asked = f"the fragments of {atoms.formula} were asked for"
    if atoms.is_periodic:
        raise InputError(asked, "it is periodic", "cut a molecule out of it and give that")
    groups = _read(text, atoms) if text.strip() else connectivity(atoms).molecules
    if len(groups) < 2:
        number = len(atoms.numbers)
        raise InputError(
            asked,
            "there is only one: "
            + ("it has a single atom" if number == 1 else "all atoms are in it")
            + ("" if text.strip() or number == 1 else ", bonded to each other by their distances"),
            "give a structure of several atoms"
            if number == 1
            else f'say which atoms belong together, such as "1-{number - 1} {number}"',
        )
    names = [_mask(atoms, group) for group in groups]
    labels = ", ".join(Fragment(members=mask).label for mask in names)
    for what, given in (("charges", charges), ("multiplicities", multiplicities)):
        if given and len(given) != len(groups):
            raise InputError(
                f"{what} of {count(len(given), 'fragment')} of {atoms.formula} were given",
                f"there are {len(groups)} fragments: {labels}",
                "give one for each, or none",
            )
    shares = tuple(charges) or (0,) * len(groups)
    if sum(shares) != atoms.charge:
        raise InputError(
            f"fragments of {atoms.formula} with the charges {', '.join(f'{q:+d}' for q in shares)} "
            "were asked for",
            f"they add up to {sum(shares):+d}, but the molecule has {atoms.charge:+d}",
            f"give the charge of each fragment, in the order {labels}",
        )
    found: list[Fragment] = []
    for index, (mask, charge) in enumerate(zip(names, shares, strict=True)):
        electrons = int(atoms.numbers[mask].sum()) - charge
        spin = multiplicities[index] if multiplicities else 1 + electrons % 2
        fragment = Fragment(members=mask, charge=charge, multiplicity=spin)
        fragment.atoms_of(atoms)  # refuses electrons that cannot be
        found.append(fragment)
    return tuple(found)


def coupling_remark(atoms: ConceptualAtoms, fragments: Sequence[Fragment]) -> str:
    """Return a warning if the spins of the fragments cannot add up to that of the whole."""
    spins = [fragment.multiplicity - 1 for fragment in fragments]
    whole, most = atoms.multiplicity - 1, sum(spins)
    least = max(most % 2, 2 * max(spins) - most)
    if least <= whole <= most:
        return ""
    said = ", ".join(str(fragment.multiplicity) for fragment in fragments)
    return (
        f"the multiplicities {said} of the fragments do not couple to {atoms.multiplicity} of the "
        "whole: far apart they are not what it falls into"
    )


def _read(text: str, atoms: ConceptualAtoms) -> list[list[int]]:
    """Return the atoms of each fragment, counted from 0."""
    most, groups = len(atoms.numbers), list[list[int]]()
    asked = f"the fragments {text!r} of {atoms.formula} were asked for"
    for word in text.replace(";", " ").split():
        group: list[int] = []
        for piece in word.strip(",").split(","):
            match = PIECE.fullmatch(piece)
            first = int(match[1]) if match else 0
            last = int(match[2] or first) if match else 0
            if not 1 <= first <= last <= most:
                raise InputError(
                    asked,
                    f"{piece!r} names no atoms: they are counted from 1 to {most}",
                    'write the atoms of each fragment, such as "1-3 4-6" or "1,3 2,4"',
                )
            group += range(first - 1, last)
        groups.append(group)
    times = Counter(index for group in groups for index in group)
    several = [str(index + 1) for index, number in sorted(times.items()) if number > 1]
    missing = [str(index + 1) for index in range(most) if index not in times]
    if several or missing:
        parts = [("in several", several), ("in none", missing)]
        problem = "; ".join(f"atoms {in_} of them: {', '.join(one)}" for in_, one in parts if one)
        raise InputError(asked, problem, "put each atom into one fragment")
    return groups


def _mask(atoms: ConceptualAtoms, group: Sequence[int]) -> np.ndarray:
    mask = np.zeros(len(atoms.numbers), bool)
    mask[list(group)] = True
    return mask
