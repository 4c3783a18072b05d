"""Analogues of a molecule by published replacements, which stand in a table beside this module.

Each replacement is done at each place by itself. What RDKit cannot sanitise is left out.

Sources: G. A. Patani, E. J. LaVoie, Chem. Rev. 96, 3147 (1996), doi:10.1021/cr950066q. N. A.
Meanwell, J. Med. Chem. 54, 2529 (2011), doi:10.1021/jm1013693. J. G. Topliss, J. Med. Chem. 15,
1006 (1972), doi:10.1021/jm00280a002. The patterns are Grafico's own, from what these describe.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

import csv
import functools
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from triplestore.errors import InputError
from workflows.molecule.notation import read_smiles

MOST_PLACES = 200
"""Of one replacement in one molecule."""


@dataclass(frozen=True)
class Transformation:
    """A replacement.

    Attributes:
        name: what becomes what, such as `ester to amide`.
        smarts: of the reaction.
        source: who has described it: first author and year, see this module.
    """

    name: str
    smarts: str
    source: str


@dataclass(frozen=True)
class Analogue:
    """A molecule that a replacement makes of another.

    Attributes:
        smiles: canonical.
        transformation: the name of the replacement; the first of the table that makes it.
        source: who has described that.
    """

    smiles: str
    transformation: str
    source: str


@functools.cache
def transformations() -> tuple[Transformation, ...]:
    """Return the replacements that are known."""
    text = (files("workflows.analogues") / "transformations.csv").read_text(encoding="utf-8")
    return tuple(Transformation(**row) for row in csv.DictReader(text.splitlines()))


def chosen(words: Sequence[str]) -> tuple[Transformation, ...]:
    """Return the replacements in whose names a text stands; all of them for none.

    Raises:
        InputError: it stands in none.
    """
    every = transformations()
    found = dict.fromkeys(
        one for word in words for one in every if word.casefold() in one.name.casefold()
    )
    for word in words:
        if not any(word.casefold() in one.name.casefold() for one in found):
            names = ", ".join(one.name for one in every)
            asked = f"analogues by {word[:60]!r} were asked for"
            raise InputError(asked, "no transformation has that in its name", f"there are {names}")
    return tuple(found) if words else every


def analogues(smiles: str, words: Sequence[str] = ()) -> list[Analogue]:
    """Return the analogues of a molecule, each once, in the order of the table.

    Args:
        smiles: the molecule.
        words: texts of which one stands in the name of each transformation that is done; all for
            none.

    Raises:
        InputError: it cannot be read, or there is no such transformation.
    """
    from rdkit import Chem, rdBase
    from rdkit.Chem import rdChemReactions

    start: Any = read_smiles(smiles, repr(smiles[:80]))
    found: dict[str, Analogue] = {}
    with rdBase.BlockLogs():
        given = str(Chem.MolToSmiles(start))
        # what has more bonds than RDKit allows, such as XeO4, was read with care: no check again
        parts: list[Any] = list(Chem.GetMolFrags(start, asMols=True, sanitizeFrags=False))
        for part in parts:
            part.UpdatePropertyCache(strict=False)
            Chem.FastFindRings(part)
        texts = [str(Chem.MolToSmiles(part)) for part in parts]
        for one in chosen(words):
            reaction: Any = rdChemReactions.ReactionFromSmarts(one.smarts)
            for at, part in enumerate(parts):  # a counter-ion stays
                for (product,) in reaction.RunReactants((part,), maxProducts=MOST_PLACES):
                    written = _written(product, [*texts[:at], *texts[at + 1 :]])
                    if written and written != given:
                        found.setdefault(written, Analogue(written, one.name, one.source))
    return list(found.values())


def _written(product: Any, others: Sequence[str]) -> str:
    """Return the canonical SMILES of a product beside others; empty for no possible molecule."""
    from rdkit import Chem

    with suppress(ValueError, RuntimeError, InputError):
        Chem.SanitizeMol(product)
        smiles = ".".join([str(Chem.MolToSmiles(product)), *others])
        mol: Any = read_smiles(smiles, "an analogue")
        if not any(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms()):
            return str(Chem.MolToSmiles(mol))
    return ""
