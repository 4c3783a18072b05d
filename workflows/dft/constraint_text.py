"""Constraints of an optimisation as a person writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import GeometryConstraints
from triplestore.errors import InputError

from .constraints import STRAIGHT, measured

ATOMS = {"distance": 2, "angle": 3, "dihedral": 4}
"""How many atoms each kind of constraint names; `freeze` names any number."""

ADVICE = 'write "freeze 1 2", "distance 1 2 1.5", "angle 1 2 3 109.5" or "dihedral 1 2 3 4 180"'


@dataclass(frozen=True)
class Constraint:
    """One constraint.

    Attributes:
        kind: `freeze`, `distance`, `angle` or `dihedral`.
        atoms: counted from 0.
        value: in Å or degrees; None for what it is.
    """

    kind: str
    atoms: tuple[int, ...]
    value: float | None = None


def read_constraint(text: str) -> Constraint:
    """Read one constraint; atoms are counted from 1 there.

    Raises:
        ValueError: it is none, in words for a person.
    """
    kind, *words = text.replace("=", " ").split() or [""]
    try:
        if kind == "freeze":
            count, value = len(words), None
        else:
            count = ATOMS[kind]
            value = float(words[count]) if len(words) > count else None
        atoms = tuple(int(word) - 1 for word in words[:count])
        fits = len(atoms) == count > 0 and len(words) <= count + (kind != "freeze")
        if not fits or min(atoms) < 0 or len(set(atoms)) < count:
            raise ValueError(text)
    except (KeyError, ValueError) as error:
        raise ValueError(f"{text!r} is no constraint: {ADVICE}") from error
    if value is not None and not _possible(kind, value):
        raise ValueError(f"{text!r}: no {kind} can be {value:g}")
    return Constraint(kind, atoms, value)


def _possible(kind: str, value: float) -> bool:
    match kind:
        case "distance":
            return 0.2 <= value < 100
        case "angle":
            return 0 < value <= STRAIGHT
        case _:
            return -360 <= value <= 360


def constraints_of(texts: Sequence[str], atoms: ConceptualAtoms) -> GeometryConstraints | None:
    """Return what is to be held in an optimisation; None for nothing.

    Args:
        texts: see `read_constraint`; a value that is left out is that of the geometry.
        atoms: the geometry.

    Raises:
        InputError: a constraint names an atom that is not there, or one is given twice.
    """
    found = [read_constraint(text) for text in texts]
    count = len(atoms.numbers)
    for text, one in zip(texts, found, strict=True):
        if max(one.atoms) >= count:
            raise InputError(
                f"the constraint {text!r} on {atoms.formula} was asked for",
                f"there are {count} atoms", "count atoms from 1, in the order of the input",
            )  # fmt: skip
    if not found:
        return None
    values: dict[str, Any] = {}
    frozen = sorted({atom for one in found if one.kind == "freeze" for atom in one.atoms})
    if frozen:
        values["frozen"] = frozen
    for kind in ATOMS:
        some = {_canonical(one.atoms): one for one in found if one.kind == kind}
        if len(some) < sum(one.kind == kind for one in found):
            raise InputError(f"constraints on {atoms.formula} were asked for", "one is given twice")
        if some:
            values[f"{kind}_atoms"] = [list(one.atoms) for one in some.values()]
            values[f"{kind}s"] = [
                round(measured(atoms.positions, one.atoms), 5) if one.value is None else one.value
                for one in some.values()
            ]
    return GeometryConstraints(**values)


def _canonical(atoms: tuple[int, ...]) -> tuple[int, ...]:
    return min(atoms, atoms[::-1])
