"""The functional groups of a molecule, as a list."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from ontologies.atoms import ConceptualAtoms
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.molecule.notation import read_smiles
from workflows.molecule.subject import MOLECULE, mol_of

from .finding import Group, groups_of, patterns


class GroupsForm(Form):
    """What is asked of a molecule: all its groups."""


def plain_smiles(mol: Any) -> str:
    """Return the bonds of a molecule as canonical SMILES; what is left open stays open."""
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        bare: Any = Chem.RemoveHs(mol, sanitize=False)
        return str(Chem.MolToSmiles(bare))


async def prepare(
    given: Given[ConceptualAtoms], asked: GroupsForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed the groups.

    Raises:
        InputError: the bonds are not known.
    """
    smiles = plain_smiles(await mol_of(given))

    def found() -> list[Group]:
        return groups_of(read_smiles(smiles, repr(smiles[:80])))

    async def make() -> Product:
        groups = await asyncio.to_thread(found)
        known = len({name for name, _ in patterns()})
        none = [] if groups else [f"it has none of the {known} groups that are known here"]
        text = "".join(f"{one}\n" for one in [f"{'SMILES':<26}{smiles}", *groups])
        facts = {"smiles": smiles, "groups": [asdict(one) for one in groups]}
        return Product(text, groups, facts, tuple(none))

    return PreparedAction(make)


GROUPS = ActionDefinition(
    (GroupsForm,),
    MOLECULE,
    prepare,
    help="A line for each group: its name, how many there are, and their atoms, numbered as in the "
    "SMILES that stands above. What lies within a larger group is not told again: an ester is no "
    "ether.",
    endings=(".txt",),
    of_many=True,
)
