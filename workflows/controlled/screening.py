"""On which lists of controlled chemicals and explosives something stands."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, ClassVar, cast

from pydantic import Field

from ontologies.screening import Materials
from triplestore.errors import InputError, NotFoundError
from workflows.batch.sources import opened, records
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.engine.request.rules import Personal, Setting
from workflows.molecule.library import MOLECULES, NAMED
from workflows.molecule.pubchem import ADDRESS
from workflows.molecule.recognition import recognise
from workflows.molecule.subject import MOLECULE, mol_of
from workflows.text.words import count

from .gate import NEEDS, Finding, Outcome, strictest
from .lists import lists
from .naming import Notation, Screened, screen
from .oxygen import oxygen_balance

MOST = 100_000
"""Rows of one table."""

SEPARATOR = ";"

OF_COLUMNS = "call the column of structures `smiles` or `inchi`, or that of names `name`"
"""Advice on a table none of whose columns is known."""


class ReadingMaterials(Form):
    """How what is screened is read."""

    online: Annotated[
        bool, Personal(), Field(description="Ask PubChem for a name that is not known here.")
    ] = False
    pubchem: Annotated[str, Setting()] = ADDRESS


class ScreeningForm(Form):
    """What is asked of chemicals: on which lists they stand."""


class Named(Subject[Materials]):
    """Chemicals that are named."""

    name: ClassVar[str] = "chemical"
    metavar: ClassVar[str] = "CHEMICALS"
    words: ClassVar[bool] = True
    apart: ClassVar[str] = SEPARATOR
    model = Materials
    form = ReadingMaterials
    help: ClassVar[str] = (
        "CHEMICALS are names, CAS numbers, SMILES (of mixtures and reactions, too) or InChI with ; "
        "between them; or a file of a structure, or of many, such as a table."
    )

    async def read(self, given: object, said: Form, executor: Executor) -> Given[Materials]:
        """Return what is meant; `detail` holds how each text is to be read.

        Raises:
            InputError: nothing is named, or too much.
            GraficoError: a file cannot be read.
        """
        assert isinstance(said, ReadingMaterials)
        if isinstance(given, Materials):
            each = [Item(text) for text in given.texts]
        elif isinstance(given, list | tuple):
            every = cast("Sequence[object]", given)
            each, given = [Item(str(text)) for text in every], ""
        elif isinstance(given, Path) or _is_file(str(given)):
            each = await _of_file(str(given), executor)
        else:
            each = [Item(one.strip()) for one in str(given).split(SEPARATOR)]
        each = [one for one in each if one.text.strip()]
        if not each or len(each) > MOST:
            found = f"{count(len(each), 'text')} are named; 1 to {MOST:,} are allowed"
            raise InputError("screening was asked for", found, "name chemicals, or give a table")
        model = Materials(texts=tuple(one.text for one in each))
        return Given(model, str(given), detail=(each, said.pubchem if said.online else ""))


@dataclass(frozen=True)
class Item:
    """What is screened, how it is read, and what a table calls it."""

    text: str
    notation: Notation = ""
    called: str = ""


def _said(heading: str) -> Notation:
    """Return what stands under a heading of a table."""
    if "smiles" in heading:
        return "smiles"
    return "name" if heading in NAMED else ""


def _is_file(text: str) -> bool:
    """Tell whether a text names a file that is read for whoever asks.

    Raises:
        GraficoError: it looks like the path of one, and there is none.
    """
    if SEPARATOR in text or ">" in text:
        return False
    try:
        return recognise(text.strip()) in ("file", "iri")
    except NotFoundError:
        raise  # it looks like the path of a file
    except InputError:
        return False  # it is told with what is screened


async def _of_file(text: str, executor: Executor) -> list[Item]:
    """Return the chemicals of a table or a file of notations, or that of a structure's."""
    suffix = Path(text.lower().removesuffix(".gz")).suffix
    if suffix in (".csv", ".tsv", ".tab", ".smi", ".smiles", ".ism", ".names", ".txt"):
        return await asyncio.to_thread(lambda: list(_rows(text)))
    from rdkit import Chem

    given = await MOLECULE.read(text, MOLECULE.form(), executor)
    mol = await mol_of(given)
    plain = Chem.RemoveHs(mol, sanitize=False)
    smiles = Chem.MolToSmiles(plain)
    return [Item(smiles, "smiles", Path(text).name)]


def _rows(text: str) -> Iterator[Item]:
    with opened(text, MOLECULES) as source:
        kind = "names" if text.lower().endswith(".txt") else ""
        try:
            for raw in itertools.islice(records(source, MOLECULES, kind=kind), MOST + 1):
                yield Item(raw.text or raw.name or raw.place, _said(raw.heading), raw.name)
        except InputError as error:
            if "`column`" not in error.advice:
                raise
            raise InputError(error.asked, error.found, OF_COLUMNS) from error


@dataclass(frozen=True)
class Screening:
    """What screening came to.

    Attributes:
        tier: what making all of it asks for, the strictest of all.
        each: what was found of each.
        digest: of the lists.
    """

    tier: Outcome
    each: tuple[Screened, ...]
    digest: str

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in _lines(self))


def _lines(found: Screening) -> Iterator[str]:
    for one in found.each:
        said = one.verdict
        source = f", by {one.told}" if one.told else ""
        told = f" ({one.structure}{source})" if one.structure not in ("", one.given) else ""
        needs = f": {NEEDS[said.tier]}" if said.tier else ""
        yield f"{one.given}{told}{needs or ': on none of these lists'}"
        for finding in said.findings:
            many = finding.part and ("." in one.structure or ">" in one.structure)
            part = f" [{finding.part}]" if many else ""
            yield f"  {finding}{part}{_balance(finding)}"
        for why in said.unread.values():
            yield f"  not compared: {why}"


def _balance(found: Finding) -> str:
    """Return the oxygen balance of what has a group that explosives have, as it is told."""
    balance = oxygen_balance(found.part) if found.by == "group" else None
    return "" if balance is None else f"; oxygen balance {balance:.0f} %"


def _known() -> str:
    every = (one for one in lists().lists.values() if one.tier != "warning")
    told = (f"{one.title} ({one.date})" for one in every)
    return f"lists: {'; '.join(told)}"


async def prepare(
    given: Given[Materials], asked: ScreeningForm, executor: Executor, file: str
) -> PreparedAction:
    """Screen each of them; Python is handed a `Screening`.

    Raises:
        ComponentError: the lists were changed.
    """
    items, online = cast("tuple[list[Item], str]", given.detail)

    async def make() -> Product:
        each = await asyncio.to_thread(
            lambda: tuple(screen(one.text, one.notation, online, one.called) for one in items)
        )
        tier = strictest({one.verdict.tier for one in each})
        found = Screening(tier, each, lists().digest)
        facts = {
            "tier": tier or "none",
            "chemicals": [
                {
                    "given": one.given,
                    "smiles": one.structure,
                    "tier": one.verdict.tier or "none",
                    "findings": [_without(asdict(f), "given") for f in one.verdict.findings],
                    "unread": [*one.verdict.unread.values()],
                }
                for one in each
            ],
            "lists": [asdict(one) for one in lists().lists.values()],
            "digest": found.digest,
        }
        return Product(str(found), found, facts, (_known(),))

    return PreparedAction(make)


def _without(one: dict[str, str], name: str) -> dict[str, str]:
    return {key: value for key, value in one.items() if key != name}


CONTROLLED = ActionDefinition(
    (ScreeningForm,),
    Named(),
    prepare,
    help="Chemical weapons and their precursors, and explosives, by structure, family or name. "
    "What is on no list here may be on another, and need not be harmless. Nothing that is computed "
    "is stopped.",
    endings=(".txt",),
)
