"""Crystals as files hold them, made whole: what is there in part is decided, and told."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.connectivity import covalent_radii
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.caller import quoted
from workflows.molecule.cif import crystal_of
from workflows.molecule.files import check_images
from workflows.molecule.text import read_text
from workflows.words import count

Disorder = Literal["refuse", "majority"]

WHOLE = 0.999
"""A place that is taken more often is taken always."""

APART = 0.72
"""Sums of covalent radii. Atoms of which one is there in part exclude each other if they are
nearer: a triple bond has 0.77."""

HYDROGENS = 1.3
"""Å. Two hydrogens exclude each other if they are nearer: those of a methyl group have 1.75."""

TWICE = 0.3
"""Å. Atoms of one element that are nearer are one, which symmetry puts beside itself."""

HYDROGEN = 1

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
        path: the file.
        disorder: what is made of places that are taken in part or by several elements. `majority`
            takes what is there more often, and of what excludes each other the first.

    Raises:
        NotFoundError: there is no such file.
        InputError: it holds no crystal, several, or one that cannot be; or it is disordered and
            that is refused.
    """
    from pymatgen.core import DummySpecies

    found: Any = crystal_of(path, read_text(path), in_part=True)
    if not np.isfinite(found.lattice.matrix).all():
        raise InputError(
            f"cannot read {path}", "its cell has lengths or angles that are no numbers",
            "mend it there, or give another file",
        )  # fmt: skip
    shares, numbers, mixed, heavy = list[float](), list[int](), 0, 0
    for site in found:
        species = site.species.items()
        known = [(share, one) for one, share in species if not isinstance(one, DummySpecies)]
        if not known:
            label = quoted(site.label, "one of its atoms")
            raise InputError(f"cannot read {path}", f"{label} is no element", "name each atom")
        share, element = max(known, key=lambda one: one[0])
        mixed += len(known) > 1
        heavy += str(element) in ("D", "T")
        shares.append(float(share))
        numbers.append(int(element.Z))
    part = np.array(shares) < WHOLE
    if disorder == "refuse" and (part.any() or mixed):
        where = next(site for site, here in zip(found, part, strict=True) if here or mixed)
        raise InputError(
            f"cannot read {path}",
            f"{count(int(part.sum()), 'place')} of its cell are taken in part or by several "
            f"elements, such as {where.label} ({where.species_string})",
            "say what to make of them (`disorder`), or give an ordered structure",
        )
    kept, doubled = _without_neighbours(found, np.array(numbers), np.array(shares))
    atoms = make_atoms(
        str(path), numbers=[numbers[place] for place in kept],
        positions=np.round(found.cart_coords[kept], DECIMALS),
        cell=np.round(found.lattice.matrix, DECIMALS), periodic=[True] * 3,
    )  # fmt: skip
    check_images(path, atoms)
    remarks: list[str] = []
    if part.any() or mixed:
        left = len(numbers) - len(kept) - doubled
        taken = int(part[kept].sum())
        remarks.append(
            f"disorder was resolved: {count(taken, 'atom')} of the cell that "
            f"{'is' if taken == 1 else 'are'} there in part count as whole, "
            f"{count(left, 'atom')} were left out"
        )
    if doubled:
        remarks.append(f"{count(doubled, 'atom')} of the cell lay on others of the same element")
    if heavy:
        remarks.append(f"{count(heavy, 'atom')} of deuterium or tritium were read as hydrogen")
    return Crystal(atoms, tuple(remarks))


def _without_neighbours(found: Any, numbers: Any, shares: Floats) -> tuple[list[int], int]:
    """Return the atoms that stay where some exclude each other, and how many were there twice."""
    radii = covalent_radii()
    first, second, _, lengths = found.get_neighbor_list(max(HYDROGENS, TWICE))
    near: dict[int, list[int]] = {}
    twice: dict[int, list[int]] = {}
    for one, other, length in zip(first.tolist(), second.tolist(), lengths.tolist(), strict=True):
        if one == other:
            continue
        both = numbers[one] == numbers[other] == HYDROGEN
        limit = HYDROGENS if both else APART * (radii[numbers[one]] + radii[numbers[other]])
        if numbers[one] == numbers[other] and length < TWICE:
            twice.setdefault(one, []).append(other)
        elif min(shares[one], shares[other]) < WHOLE and length < limit:
            near.setdefault(one, []).append(other)
    kept: set[int] = set()
    doubled = 0
    for place in sorted(range(len(numbers)), key=lambda place: (-shares[place], place)):
        if any(other in kept for other in twice.get(place, ())):
            doubled += bool(shares[place] >= WHOLE)
        elif shares[place] >= 0.5 - 1e-6 and not any(one in kept for one in near.get(place, ())):
            kept.add(place)
    return sorted(kept), doubled
