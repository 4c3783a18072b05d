"""Crystals as files hold them, made whole: what is there in part is decided, and told."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.elements import SYMBOLS
from ontologies.units import Floats, Integers
from triplestore.errors import InputError
from workflows.molecule.cif import crystal_of
from workflows.molecule.cif_sites import GROUP, WHOLE, Sites
from workflows.molecule.files import check_images
from workflows.molecule.several import chosen, one_of
from workflows.molecule.text import read_text
from workflows.text.words import count
from workflows.trust.caller import quoted

from .alternatives import SEEN, Chosen, Listed, Near, choose
from .codes import is_metal

Disorder = Literal["refuse", "majority"]

TWICE = 0.3
"""Å. Atoms of one element that are nearer are one, which symmetry puts beside itself."""

LACKING = 0.02
"""Of the atoms of an element: if fewer are missing, the formula was rounded."""

DECIMALS = 10
"""Of coordinates in Å: the last bits of a product are not the same in every process."""


@dataclass(frozen=True)
class Crystal:
    """A crystal of whole atoms.

    Attributes:
        atoms: of one cell.
        remarks: what was decided.
    """

    atoms: ConceptualAtoms
    remarks: tuple[str, ...] = ()


def read_crystal(path: Path, disorder: Disorder = "refuse") -> Crystal:
    """Return the crystal of a CIF file.

    Args:
        path: the file; of several structures in it `path.cif#2` means the second.
        disorder: what is made of places that are taken in part or by several elements. `majority`
            takes what is there more often, and of what excludes each other what goes together best.
            A whole atom beside its own image by symmetry, nearer than atoms can be, is one anyway.

    Raises:
        NotFoundError: there is no such file.
        InputError: it holds no crystal, several, or one that cannot be; or it is disordered and
            that is refused.
    """
    from pymatgen.core import DummySpecies

    path, number = chosen(path)
    text = one_of(path, ".cif", read_text(path), number)
    path = path.with_name(f"{path.name}#{number}") if number else path
    found = crystal_of(path, text, in_part=True)
    if not np.isfinite(found.cell).all():
        raise InputError(
            f"cannot read {path}",
            "its cell has lengths or angles that are no numbers",
            "mend it there, or give another file",
        )
    shares, numbers, mixed, heavy = list[float](), list[int](), list[bool](), 0
    for site in found.sites:
        species = site.species.items()
        known = [(share, one) for one, share in species if not isinstance(one, DummySpecies)]
        if not known:
            label = quoted(site.label, "one of its atoms")
            raise InputError(f"cannot read {path}", f"{label} is no element", "name each atom")
        _, element = max(known, key=lambda one: one[0])
        mixed.append(len(known) > 1)
        heavy += str(element) in ("D", "T")
        shares.append(float(sum(share for share, _ in known)))
        numbers.append(int(element.Z))
    part = (np.array(shares) < WHOLE) | np.array(mixed)
    if disorder == "refuse" and part.any():
        where = found.sites[int(part.argmax())]
        raise InputError(
            f"cannot read {path}",
            f"{count(int(part.sum()), 'place')} of its cell are taken in part or by several "
            f"elements, such as {where.label} ({where.species_string})",
            "say what to make of them (`disorder`), or give an ordered structure",
        )
    doubled, picked = _picked(found, np.array(numbers), np.array(shares))
    kept = list(picked.kept)
    atoms = make_atoms(
        str(path),
        numbers=[numbers[place] for place in kept],
        positions=np.round(found.positions[kept], DECIMALS),
        cell=np.round(found.cell, DECIMALS),
        periodic=[True] * 3,
    )
    check_images(path, atoms)
    remarks: list[str] = []
    if part.any():
        left = len(picked.left) - len(picked.equal)
        taken = int(part[kept].sum())
        remarks.append(
            f"disorder was resolved: {count(taken, 'atom')} of the cell that "
            f"{'is' if taken == 1 else 'are'} there in part count as whole, "
            f"{count(left, 'atom')} were left out"
        )
    if picked.equal:
        one, _, length = picked.equal[0]
        remarks.append(
            f"{count(len(picked.equal), 'atom')} of the cell were left out: an image by symmetry "
            f"is nearer than two atoms can be, such as that of {found.sites[one].label} with "
            f"{length:.2f} Å, so that only one of the two is there at a time"
        )
    remarks += _lacking(found.formula, atoms)
    if doubled:
        remarks.append(f"{count(doubled, 'atom')} of the cell lay on others of the same element")
    if heavy:
        remarks.append(f"{count(heavy, 'atom')} of deuterium or tritium were read as hydrogen")
    return Crystal(atoms, tuple(remarks))


def _lacking(formula: Mapping[str, float], atoms: ConceptualAtoms) -> list[str]:
    """Return a remark where a file has less carbon or metal than its own formula says."""
    there = Counter(atoms.symbols)
    wanted = {
        symbol: number - there[symbol]
        for symbol, number in formula.items()
        if symbol in SYMBOLS and (symbol == "C" or is_metal(SYMBOLS.index(symbol)))
    }
    missing = {
        symbol: round(less) for symbol, less in wanted.items() if less > LACKING * formula[symbol]
    }
    if not missing:
        return []
    told = ", ".join(f"{number} {symbol}" for symbol, number in sorted(missing.items()))
    return [
        f"by the file's own formula its cell has {told} more than are listed: guests, or a part of "
        "the framework, without which its net is another"
    ]


def _picked(found: Sites, numbers: Integers, shares: Floats) -> tuple[int, Chosen]:
    """Return how many atoms were there twice, and which of the others stay."""
    from ase.neighborlist import primitive_neighbor_list

    first, second, lengths = primitive_neighbor_list(
        "ijd", np.array([True] * 3), found.cell, found.positions, SEEN
    )
    same = (first < second) & (numbers[first] == numbers[second]) & (lengths < TWICE)
    whole = (shares[first] >= WHOLE) & (shares[second] >= WHOLE)
    once = np.ones(len(numbers), bool)
    for one, other in sorted(
        zip(first[same & whole].tolist(), second[same & whole].tolist(), strict=True)
    ):
        once[other] &= not once[one]
    used = once[first] & once[second] & (first != second)
    labels = [site.label for site in found.sites]
    groups = [str(site.properties[GROUP]) for site in found.sites]
    near = Near(first[used], second[used], lengths[used])
    picked = choose(Listed(numbers, shares, labels, groups), near, once)
    return int((~once).sum()), picked
