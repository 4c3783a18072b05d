"""Functional groups of a molecule, by a table of patterns beside this module.

The first patterns are the larger groups: what lies wholly within a group that was found before is
not told again, so that an ester is no ether and an amide no amine.

Source of what the names mean: G. P. Moss et al., Glossary of class names of organic compounds, Pure
Appl. Chem. 67, 1307 (1995).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

MOST_MATCHES = 1000
"""Of one pattern in one molecule."""


@dataclass(frozen=True)
class Group:
    """A functional group of a molecule.

    Attributes:
        name: such as `secondary amide`.
        atoms: of each one, numbered from 1 as the SMILES has them.
    """

    name: str
    atoms: tuple[tuple[int, ...], ...]

    def __str__(self) -> str:
        where = "; ".join(" ".join(map(str, one)) for one in self.atoms)
        return f"{self.name:<26}{len(self.atoms):<4}atoms {where}"


@functools.cache
def patterns() -> tuple[tuple[str, Any], ...]:
    """Return the groups that are known, with RDKit's patterns of them."""
    from rdkit import Chem

    text = (files("workflows.analogues") / "groups.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple((row["name"], Chem.MolFromSmarts(row["smarts"])) for row in rows)


def groups_of(mol: Any) -> list[Group]:
    """Return the functional groups of a molecule, the larger first.

    Args:
        mol: sanitised, without hydrogens; its atoms are numbered as they stand.
    """
    found: dict[str, list[tuple[int, ...]]] = {}
    taken = list[frozenset[int]]()
    for name, pattern in patterns():
        matches: Any = mol.GetSubstructMatches(pattern, maxMatches=MOST_MATCHES)
        fresh = [one for one in matches if not any(taken_by >= {*one} for taken_by in taken)]
        found.setdefault(name, []).extend(fresh)
        taken += map(frozenset, fresh)
    return [
        Group(name, tuple(tuple(sorted(at + 1 for at in one)) for one in each))
        for name, each in found.items()
        if each
    ]
