"""What a molecule is: names, registry number, notations, formula, masses; each with its source."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ontologies.atoms import ConceptualAtoms
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form
from workflows.text.words import count

from . import cas, chemicals_names
from .notation import read_smiles
from .subject import MOLECULE, mol_of
from .table import key, table

if TYPE_CHECKING:
    from rdkit.Chem import Mol

MOST_NAMES = 8
"""Names that are told; the first are the usual ones."""

NOT_KNOWN = "not known here"
"""Told of what no source here has, which says nothing of what is the case."""


ORGANIC = frozenset({1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 35, 53})
"""Elements that the rules know."""

LARGEST = 50
"""Heavy atoms: of larger molecules the rules were not made."""

ESTIMATE = "estimated, off by 0.7 as a rule: Wildman and Crippen 1999"


@dataclass(frozen=True)
class Fact:
    """Something that is known of a molecule.

    Attributes:
        name: of what, such as `average mass`.
        value: a text or a number.
        unit: of a number; empty for none.
        source: who says so.
    """

    name: str
    value: str | float
    unit: str = ""
    source: str = ""

    def __str__(self) -> str:
        value = (
            f"{self.value:.6f}".rstrip("0").rstrip(".")
            if isinstance(self.value, float)
            else self.value
        )
        text = f"{self.name:<16}{value} {self.unit}".rstrip()
        return f"{text}  ({self.source})" if self.source else text


class LookupForm(Form):
    """What is asked of a molecule: all that is known."""


def facts_of(mol: Mol) -> Iterator[Fact]:
    """Iterate over what is known of a molecule; what its notation leaves open stays open.

    Args:
        mol: with all hydrogens.

    Source: masses of RDKit's table, IUPAC's standard atomic weights and of the commonest isotopes.
    """
    from rdkit import Chem, rdBase
    from rdkit.Chem import rdMolDescriptors

    with rdBase.BlockLogs():
        bare: Any = Chem.Mol(mol)
        bare.RemoveAllConformers()
        smiles = str(Chem.MolToSmiles(Chem.RemoveHs(bare, sanitize=False)))
        inchi = str(Chem.MolToInchi(bare) or "")
        inchi_key = str(Chem.InchiToInchiKey(inchi) or "") if inchi else ""
        weights: Any = rdMolDescriptors
        masses = float(weights._CalcMolWt(bare)), float(weights.CalcExactMolWt(bare))
    average, exact = (round(one, 6) for one in masses)
    yield from registered(inchi_key)
    yield Fact("formula", str(rdMolDescriptors.CalcMolFormula(bare)))
    yield Fact("average mass", average, "g/mol", "standard atomic weights")
    yield Fact("exact mass", exact, "Da", "of the commonest isotopes")
    yield from _estimated(bare)
    yield Fact("SMILES", smiles)
    if inchi:
        yield Fact("InChI", inchi)
        yield Fact("InChIKey", inchi_key)


def _estimated(mol: Any) -> Iterator[Fact]:
    """Iterate over what rules of fragments say of an organic molecule; of ions and metals nothing.

    Source: S. A. Wildman, G. M. Crippen, J. Chem. Inf. Comput. Sci. 39, 868 (1999),
    doi:10.1021/ci990307l, whose 9,920 logP it is off by 0.68 of as a rule; P. Ertl, B. Rohde,
    P. Selzer, J. Med. Chem. 43, 3714 (2000), doi:10.1021/jm000942e.
    """
    from rdkit import Chem
    from rdkit.Chem import rdMolDescriptors as rules

    numbers = {atom.GetAtomicNum() for atom in mol.GetAtoms()}
    fragments = Chem.GetMolFrags(mol)
    if 6 not in numbers or numbers - ORGANIC or Chem.GetFormalCharge(mol) or len(fragments) > 1:
        return
    if mol.GetNumHeavyAtoms() > LARGEST or any(a.GetNumRadicalElectrons() for a in mol.GetAtoms()):
        return
    mol = Chem.RemoveHs(mol)  # an explicit hydrogen would be what turns about its bond
    log_p, _ = rules.CalcCrippenDescriptors(mol)
    yield Fact("logP", round(float(log_p), 2), "", f"octanol and water, {ESTIMATE}")
    area = round(float(rules.CalcTPSA(mol)), 1)
    yield Fact("polar surface", area, "Å²", "TPSA of N and O, Ertl 2000")
    donors, acceptors = int(rules.CalcNumHBD(mol)), int(rules.CalcNumHBA(mol))
    yield Fact("hydrogen bonds", f"{count(donors, 'donor')}, {count(acceptors, 'acceptor')}")
    yield Fact("rotatable bonds", str(int(rules.CalcNumRotatableBonds(mol))))


def inchi_key_of(mol: Mol) -> str:
    """Return the standard InChIKey of a molecule as its bonds have it; empty where there is none.

    What is left open stays open, however the atoms stand.
    """
    from rdkit import Chem, rdBase

    with rdBase.BlockLogs():
        bare: Any = Chem.Mol(mol)
        bare.RemoveAllConformers()
        return str(Chem.MolToInchiKey(bare) or "")


def listings(smiles: str) -> tuple[str, ...]:
    """Return a note for each list of controlled chemicals that names a molecule; nothing stops."""
    from workflows.controlled.gate import gate, noted

    return noted(gate([smiles]))


def usual_name(smiles: str) -> str:
    """Return what the table calls a structure; empty for what it does not have."""
    mol = read_smiles(smiles, smiles[:80])
    return _table().get(inchi_key_of(mol), ("", ("",)))[1][0]


def registered(inchi_key: str) -> Iterator[Fact]:
    """Iterate over names and number of CAS of a standard InChIKey; of others nothing is taken."""
    row = chemicals_names.row_of(inchi_key) if inchi_key else None
    ours = _table().get(inchi_key)
    if ours:
        yield Fact("names", ", ".join(ours[1][:MOST_NAMES]), source="Grafico's table")
    elif row and row.names:
        yield Fact("names", ", ".join(row.names[:MOST_NAMES]), source=chemicals_names.SOURCE)
    if ours and ours[0]:
        yield Fact("CAS", ours[0], source="PubChem, in Grafico's table")
    elif row and row.number:
        yield Fact("CAS", row.number, source=chemicals_names.SOURCE)
    else:
        yield Fact("CAS", NOT_KNOWN)


@functools.cache
def _table() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return number of CAS and names of the molecules of the table, by InChIKey."""
    from rdkit import Chem, rdBase

    numbers = {key(name): number for number, name in cas.numbers().items()}
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    with rdBase.BlockLogs():
        for entry in table():
            one = str(Chem.MolToInchiKey(read_smiles(entry.smiles, entry.names[0])))
            number = next((numbers[key(n)] for n in entry.names if key(n) in numbers), "")
            found.setdefault(one, (number, entry.names))
    return found


async def prepare(
    given: Given[ConceptualAtoms], asked: LookupForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed the facts.

    Raises:
        InputError: the bonds are not known.
    """
    mol = await mol_of(given)

    async def make() -> Product:
        found = await asyncio.to_thread(lambda: list(facts_of(mol)))
        told = {"facts": [vars(one) for one in found]}
        smiles = next(str(one.value) for one in found if one.name == "SMILES")
        listed = await asyncio.to_thread(listings, smiles)
        return Product("".join(f"{one}\n" for one in found), found, told, listed)

    return PreparedAction(make)


LOOKUP = ActionDefinition(
    (LookupForm,),
    MOLECULE,
    prepare,
    help="A line for each: names, CAS number, formula, masses, SMILES, InChI, InChIKey, and who "
    "says so. With the extra `names` those of 70,000 more are known; what is not known here may be "
    "known elsewhere.",
    endings=(".txt",),
    of_many=True,
)
