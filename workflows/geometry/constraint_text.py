"""Constraints of an optimisation as a person writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import GeometryConstraints
from workflows.engine.request.refusals import refusal

from .constraints import KINDS, check_atoms, check_constraints, impossible, measured

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
        ValueError: it is none, or no coordinate of its kind can have that value.
    """
    asked = f"the constraint {text!r} was asked for"
    apart = re.sub(r"(?<=\d)[-,](?=\d)", " ", text)  # 3-1-2-4, and 3,1,2,4
    kind, *words = re.sub(r"[=,]", " ", apart).split() or [""]
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
        raise refusal(asked, "it cannot be read", ADVICE) from error
    if value is not None and (why := impossible(kind, value)):
        raise refusal(asked, *why)
    return Constraint(kind, atoms, value)


def constraints_of(texts: Sequence[str], atoms: ConceptualAtoms) -> GeometryConstraints | None:
    """Return what is to be held in an optimisation; None for nothing.

    Args:
        texts: see `read_constraint`; a value that is left out is that of the geometry.
        atoms: the geometry.

    Raises:
        InputError: they do not fit the geometry or each other, see `check_constraints`.
    """
    parsed = [read_constraint(text) for text in texts]
    if not parsed:
        return None
    for text, one in zip(texts, parsed, strict=True):
        check_atoms(atoms, f"atoms in {text!r}", one.atoms)
    values: dict[str, Any] = {}
    frozen = sorted({atom for one in parsed if one.kind == "freeze" for atom in one.atoms})
    if frozen:
        values["frozen"] = frozen
    for kind in KINDS:
        some = [one for one in parsed if one.kind == kind]
        if some:
            values[f"{kind}_atoms"] = [list(one.atoms) for one in some]
            values[f"{kind}s"] = [
                round(measured(atoms.positions, one.atoms), 5) if one.value is None else one.value
                for one in some
            ]
    constraints = GeometryConstraints(**values)
    check_constraints(constraints, atoms)
    return constraints
