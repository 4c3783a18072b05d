"""One-step disconnections of a molecule by the rules that SynSpace brings, each tried forwards.

A rule read backwards proposes precursors; it counts only where the rule itself, read forwards,
makes the molecule of them, so that none is told that the rule would not make. The rules know
neither yields nor conditions, nor what else of a molecule would react.

Sources: M. Hartenfeller et al., J. Chem. Inf. Model. 51, 3093 (2011), doi:10.1021/ci200379p (the 58
reactions); A. D. White, SynSpace 1.0.0, of which the file of rules alone is read.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from .extra import folder_of, with_version

RULES = "rxn_data/rxns.json"
MOST_PLACES = 100
"""Of one rule in one molecule."""

LEAVING = ((35, ("Br", "#35")), (17, ("Cl", "#17")), (53, ("I", "#53")), (9, ("F", "#9")))
"""What stands for a group that leaves, by the pattern that allows it; the first that it allows."""


@dataclass(frozen=True)
class Disconnection:
    """Of what a molecule may be made in one step.

    Attributes:
        precursors: canonical SMILES.
        rule: its name, such as `Suzuki`.
        told_by: who has the rule.
    """

    precursors: tuple[str, ...]
    rule: str
    told_by: str

    def __str__(self) -> str:
        return f"{'.'.join(self.precursors)} {self.rule} ({self.told_by})"


def disconnections(smiles: str) -> list[Disconnection]:
    """Return of what a molecule may be made, each once, in the order of the rules.

    It is called in a process of its own.

    Raises:
        ComponentError: the package synspace is not installed.
    """
    from rdkit import Chem, rdBase

    path = folder_of("synspace", f"of what {smiles[:80]} is made was asked for") / RULES
    told_by = with_version("synspace")
    found: dict[tuple[str, ...], Disconnection] = {}
    with rdBase.BlockLogs():
        wanted: Any = Chem.MolFromSmiles(smiles)
        if wanted is None:  # what has more bonds than RDKit allows is made by none of the rules
            return []
        written = str(Chem.MolToSmiles(wanted))
        for name, smarts in _rules(str(path)):
            forwards, backwards = _both(smarts)
            for outcome in backwards.RunReactants((wanted,), maxProducts=MOST_PLACES):
                precursors = tuple(sorted(_sanitised(outcome)))
                if precursors and precursors not in found and written not in precursors:
                    ordered = _sanitised(outcome)
                    if written in _made(forwards, ordered):
                        plain = name.replace("_", " ")
                        found[precursors] = Disconnection(precursors, plain, told_by)
    return list(found.values())


@functools.cache
def _rules(path: str) -> tuple[tuple[str, str], ...]:
    with open(path, encoding="utf-8") as stream:
        return tuple(json.load(stream).items())


@functools.cache
def _both(smarts: str) -> tuple[Any, Any]:
    """Return a rule forwards and backwards; what leaves is an element that the rule allows."""
    from rdkit import Chem
    from rdkit.Chem import rdChemReactions

    forwards: Any = rdChemReactions.ReactionFromSmarts(smarts)
    backwards: Any = rdChemReactions.ChemicalReaction()
    for at in range(forwards.GetNumReactantTemplates()):
        template: Any = Chem.RWMol(forwards.GetReactantTemplate(at))
        for atom in template.GetAtoms():
            if not atom.GetAtomMapNum() and (number := _leaving(str(atom.GetSmarts()))):
                template.ReplaceAtom(atom.GetIdx(), Chem.Atom(number))
        backwards.AddProductTemplate(template.GetMol())
    for at in range(forwards.GetNumProductTemplates()):
        backwards.AddReactantTemplate(forwards.GetProductTemplate(at))
    forwards.Initialize()
    backwards.Initialize()
    return forwards, backwards


def _leaving(pattern: str) -> int:
    """Return the element of a halogen that leaves; 0 where a pattern means nothing of the kind."""
    words = pattern.strip("[]").partition("$")[0].replace("*", "").replace(";", ",").split(",")
    return next((n for n, names in LEAVING if {*names} & {*words}), 0)


def _sanitised(outcome: Any) -> list[str]:
    """Return the SMILES of precursors; empty where one is no possible molecule."""
    from rdkit import Chem

    found = list[str]()
    for one in outcome:
        with suppress(ValueError, RuntimeError):
            Chem.SanitizeMol(one)
            smiles = str(Chem.MolToSmiles(one))
            read: Any = Chem.MolFromSmiles(smiles)
            radical = read is None or any(a.GetNumRadicalElectrons() for a in read.GetAtoms())
            if not radical and "*" not in smiles:
                found.append(smiles)
                continue
        return []
    return found


def _made(forwards: Any, precursors: list[str]) -> Iterator[str]:
    from rdkit import Chem

    mols = tuple(Chem.MolFromSmiles(one) for one in precursors)
    for outcome in forwards.RunReactants(mols, maxProducts=MOST_PLACES):
        with suppress(ValueError, RuntimeError):
            Chem.SanitizeMol(outcome[0])
            yield str(Chem.MolToSmiles(outcome[0]))
