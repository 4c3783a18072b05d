"""Classes of reactions, atoms that become others, and products, by the rules of chython 3.4.

A rule of a named reaction that makes the given product of the given reactants says both of what
class it is and which atom becomes which. Where none does, the class is not known, and the atoms are
those that a learned model takes for the same, with its score.

Sources: R. Nugmanov et al., J. Chem. Inf. Model. 59, 2516 (2019), doi:10.1021/acs.jcim.9b00102;
mapping by attention: R. Nugmanov et al., J. Chem. Inf. Model. 62, 3307 (2022),
doi:10.1021/acs.jcim.2c00344.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportMissingImports=false

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from triplestore.errors import InputError

from .extra import folder_of, with_version

LEARNED = ("chython_rxnmap", "onnxruntime")
"""What the learned model needs besides."""

MOST_ATOMS = 400
"""Of a reaction."""


@dataclass(frozen=True)
class Classified:
    """What is known of a reaction.

    Attributes:
        kind: of what class it is, such as `amidation`; empty where no rule makes its product.
        mapped: its SMILES with numbers of atoms; empty where nothing says them.
        told_by: who says so.
        score: of a learned model, from 0 to 1; None for rules.
    """

    kind: str
    mapped: str
    told_by: str
    score: float | None


@dataclass(frozen=True)
class MadeProduct:
    """What a rule makes.

    Attributes:
        smiles: canonical.
        kind: the rule's name, such as `amidation`.
        told_by: who has the rule.
    """

    smiles: str
    kind: str
    told_by: str

    def __str__(self) -> str:
        return f"{self.smiles} {self.kind} ({self.told_by})"


def classified(reaction: str) -> Classified:
    """Return the class of a reaction and its atoms; called in a process of its own.

    Args:
        reaction: SMILES of reactants, agents and products, with `>` between them.

    Raises:
        ComponentError: chython is not installed.
        InputError: it cannot be read, or is too large.
    """
    asked = f"the class of {reaction[:80]} was asked for"
    folder_of("chython", asked)
    found = _read(reaction, asked)
    labels: tuple[str, ...] = tuple(found.reconstruct_mapping())
    if labels:
        kind = " + ".join(_plain(one) for one in labels)
        return Classified(kind, format(found, "m"), f"rules of {with_version('chython')}", None)
    if any(importlib.util.find_spec(one) is None for one in LEARNED):
        return Classified("", "", "", None)
    found = _read(reaction, asked)  # the rules have changed how it is written
    said: Any = found.attention_mapping()
    if getattr(said, "skipped", None) or not getattr(said, "changed", False):
        return Classified("", "", "", None)
    told_by = f"{with_version('chython-rxnmap')}, a learned model"
    return Classified("", format(found, "m"), told_by, round(float(said.score), 3))


def products(reactants: Sequence[str]) -> list[MadeProduct]:
    """Return what rules make of molecules with each other, each once.

    It is called in a process of its own.

    Args:
        reactants: SMILES, of each one molecule.

    Raises:
        ComponentError: chython is not installed.
        InputError: one cannot be read, or they are too large.
    """
    from rdkit import Chem, rdBase

    asked = "what molecules give with each other was asked for"
    folder_of("chython", asked)
    first, *others = [_read(one, asked) for one in reactants]
    told_by, found = f"rules of {with_version('chython')}", dict[str, MadeProduct]()
    with rdBase.BlockLogs():
        for one in first.react(*others):
            for each in one.reaction.products:
                mol: Any = Chem.MolFromSmiles(str(each))
                if mol is not None:
                    smiles = _without_mirrors(mol)
                    found.setdefault(smiles, MadeProduct(smiles, _plain(one.name), told_by))
    return [one for one in found.values() if one.smiles not in reactants]


def _without_mirrors(mol: Any) -> str:
    """Return the SMILES of a product: where both mirror images are made, neither is told."""
    from rdkit import Chem

    for group in mol.GetStereoGroups():
        if group.GetGroupType() != Chem.StereoGroupType.STEREO_ABSOLUTE:
            for atom in group.GetAtoms():
                mol.GetAtomWithIdx(atom.GetIdx()).SetChiralTag(Chem.ChiralType.CHI_UNSPECIFIED)
    return str(Chem.MolToSmiles(Chem.MolFromSmiles(Chem.MolToSmiles(mol))))


def _plain(label: str) -> str:
    """Return the name of a rule as it is told: `protect:amine_boc` is `protection: amine boc`."""
    kind, colon, name = label.partition(":")
    name = (name if colon else kind).replace("_", " ")
    return {"protect": "protection: ", "deprotect": "deprotection: "}.get(kind, "") + name


def _read(text: str, asked: str) -> Any:
    """Return chython's molecule or reaction.

    Raises:
        InputError: it cannot be read, or is too large.
    """
    from chython import smiles

    try:
        found: Any = smiles(text)
    except Exception as error:  # chython has many, and none in common
        problem = f"chython cannot read it: {str(error)[:120] or type(error).__name__}"
        raise InputError(asked, problem, "give it otherwise") from error
    every = found.molecules() if hasattr(found, "reactants") else [found]
    size = sum(len(one) for one in every)
    if size > MOST_ATOMS:
        raise InputError(asked, f"it has {size} atoms; {MOST_ATOMS} are allowed", "give less of it")
    return found
