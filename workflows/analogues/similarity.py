"""How similar molecules are: Tanimoto's coefficient of their Morgan fingerprints.

Sources: D. Rogers, M. Hahn, J. Chem. Inf. Model. 50, 742 (2010). P. Willett et al., J. Chem. Inf.
Comput. Sci. 38, 983 (1998). Common part: A. Dalke, J. Hastings, J. Cheminform. 5 (S1), O6 (2013).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from ogm.terms import with_prefixes
from ontologies.atoms import ConceptualAtoms
from triplestore import Table
from triplestore.errors import GraficoError, InputError
from workflows.batch.sources import opened, records
from workflows.batch.tables import TABLES
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import ActionDefinition, Given, PreparedAction, Product
from workflows.engine.request.form import Form, fill
from workflows.engine.request.rules import Second
from workflows.molecule.identify import substance
from workflows.molecule.library import MOLECULES
from workflows.molecule.notation import read_smiles
from workflows.molecule.recognition import recognise
from workflows.molecule.subject import MOLECULE, mol_of
from workflows.molecule.substances import CURRENT, identify_stored
from workflows.programs.isolated import in_subprocess
from workflows.text.words import count

from .grouping import plain_smiles

RADIUS = 2
MOST = 20_000
"""Molecules that one is compared with."""

COMMON_TIME = 10
"""s, for the largest common part; where it takes longer, the largest that was found is told."""

FILES = (*MOLECULES.suffixes, *TABLES)

HOW = f"Tanimoto of Morgan fingerprints of radius {RADIUS}, without configuration"


class SimilarForm(Form):
    """With what a molecule is compared."""

    to: Annotated[
        tuple[str, ...],
        Second(),
        Field(description="SMILES or name, or a file of many.  [default: what the store holds]"),
    ] = ()
    most: Annotated[int, Field(ge=1, le=MOST, description="How many at most.")] = 20


@dataclass(frozen=True)
class Similar:
    """A molecule, and how similar another is.

    Attributes:
        similarity: from 0 to 1; molecules of 1 may differ.
        smiles: canonical.
        name: what it is called where it was given.
    """

    similarity: float
    smiles: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.similarity:.3f}  {self.smiles} {self.name}".rstrip()


def _with_rings(smiles: str) -> Any:
    """Return a molecule whose rings are known, also of what has more bonds than RDKit allows."""
    from rdkit import Chem

    mol: Any = read_smiles(smiles, smiles[:80])
    Chem.FastFindRings(mol)
    return mol


def similarities(smiles: str, others: Sequence[tuple[str, str]]) -> list[Similar]:
    """Return how similar molecules are to one, the most similar first; each once.

    Args:
        smiles: the one.
        others: SMILES and names.
    """
    from rdkit import DataStructs
    from rdkit.Chem import MolToSmiles, rdFingerprintGenerator

    generator: Any = rdFingerprintGenerator.GetMorganGenerator(radius=RADIUS)
    compare: Any = DataStructs.TanimotoSimilarity
    wanted = generator.GetSparseFingerprint(_with_rings(smiles))
    found: dict[str, Similar] = {}
    for text, name in others:
        mol = _with_rings(text)
        written = str(MolToSmiles(mol))
        value = float(compare(wanted, generator.GetSparseFingerprint(mol)))
        found.setdefault(written, Similar(round(value, 4), written, name))
    return sorted(found.values(), key=lambda one: (-one.similarity, one.smiles))


def common_part(one: str, other: str) -> tuple[int, str]:
    """Return the atoms, and the SMARTS, of the largest part that two molecules share.

    Rings are common only whole.
    """
    from rdkit.Chem import rdFMCS

    mols = [_with_rings(one), _with_rings(other)]
    found: Any = rdFMCS.FindMCS(
        mols, timeout=COMMON_TIME, ringMatchesRingOnly=True, completeRingsOnly=True
    )
    return int(found.numAtoms), str(found.smartsString)


def compared(smiles: str, given: Sequence[str]) -> tuple[list[Similar], list[str]]:
    """Compare a molecule with others; called in a process of its own.

    Returns:
        The others, and what to know of those that could not be read.

    Raises:
        GraficoError: a text is no molecule, or a file none of molecules.
    """
    others, told = list[tuple[str, str]](), list[str]()
    for text in given:
        if recognise(text) != "file" and Path(text).suffix.lower() not in FILES:
            found = substance(text)
            if not found.smiles:
                asked = f"how similar {text[:80]!r} is was asked for"
                raise InputError(asked, "it says no bonds", "give a SMILES or a name")
            others.append((found.smiles, "" if recognise(text) == "smiles" else text))
            continue
        every, unread = _of_file(text, MOST - len(others))
        others += every
        if unread:
            told.append(f"{text}: {count(len(unread), 'molecule')} left out, such as {unread[0]}")
    return similarities(smiles, others), told


def _of_file(name: str, most: int) -> tuple[list[tuple[str, str]], list[str]]:
    cleaning = fill(MOLECULES.form, {})
    found, unread = list[tuple[str, str]](), list[str]()
    with opened(name, MOLECULES) as source:
        for raw in itertools.islice(records(source, MOLECULES), most + 1):
            if len(found) == most:
                asked = f"{name} was asked to be compared"
                raise InputError(asked, f"it has more than {most} molecules", "give a shorter file")
            for record in MOLECULES.read([raw], cleaning):
                text = record.canonical
                if not text and not record.problem:
                    try:
                        text = substance(record.given).smiles if record.given else ""
                    except GraficoError as error:
                        unread.append(f"{raw.place}: {error.found}")
                        continue
                if text:
                    found.append((text, record.name or raw.name or raw.place))
                else:
                    unread.append(f"{raw.place}: {record.problem or 'its bonds are not said'}")
    return found, unread


async def _stored(executor: Executor) -> list[str]:
    """Return the substances that the store holds, as SMILES."""
    await identify_stored(executor, "")
    query = f"SELECT DISTINCT ?smiles {{ ?one g:smiles ?smiles ; g:perception ?rule . {CURRENT} }}"
    answer = await asyncio.to_thread(executor.kg.store.query, with_prefixes(query))
    assert isinstance(answer, Table)
    return [str(getattr(row[0], "value", row[0])) for row in answer.rows]


def _lines(found: Iterable[Similar]) -> str:
    return "".join(f"{one}\n" for one in found)


async def prepare(
    given: Given[ConceptualAtoms], asked: SimilarForm, executor: Executor, file: str
) -> PreparedAction:
    """Find out the bonds; Python is handed the molecules, the most similar first.

    Raises:
        InputError: the bonds are not known.
    """
    smiles = plain_smiles(await mol_of(given))

    async def make() -> Product:
        task, told = f"how similar others are to {smiles[:80]}", list[str]()
        if asked.to:
            found, told = await in_subprocess(task, compared, smiles, asked.to)
        else:
            stored = [(one, "") for one in await _stored(executor)][:MOST]
            found = await in_subprocess(task, similarities, smiles, stored)
            found = [one for one in found if one.smiles != smiles]
            told += [] if found else ["the store holds no other molecule: say what to compare with"]
        text, facts = _lines(found[: asked.most]), dict[str, Any]()
        if len(asked.to) == 1 and len(found) == 1:
            atoms, smarts = await in_subprocess(task, common_part, smiles, found[0].smiles)
            facts["common_part"] = {"atoms": atoms, "smarts": smarts}
            text += f"common part: {count(atoms, 'atom')}  {smarts}".rstrip() + "\n"
        if len(found) > asked.most:
            told.append(f"{len(found) - asked.most} less similar ones are left out (most)")
        facts = {"similar": [asdict(one) for one in found[: asked.most]], **facts}
        return Product(text, found[: asked.most], facts, (HOW, *told))

    return PreparedAction(make)


SIMILAR = ActionDefinition(
    (SimilarForm,),
    MOLECULE,
    prepare,
    help=f"A line for each, the most similar first: {HOW}, from 0 to 1; molecules of 1 may differ. "
    "Of one other the largest common part is told, too.",
    endings=(".txt",),
    of_many=True,
)
