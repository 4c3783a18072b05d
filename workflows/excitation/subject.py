"""Several molecules as what is asked about: each is found as it would be alone."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, cast

from pydantic import Field

from ontologies.atoms import ConceptualAtoms
from ontologies.gaps import MoleculeSet
from triplestore.errors import GraficoError, InputError
from workflows.engine import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import Form, fill
from workflows.engine.request.rules import Personal, Setting
from workflows.molecule.objects import as_subject
from workflows.molecule.pubchem import ADDRESS
from workflows.molecule.subject import MOLECULE

MOST = 200
"""Molecules of one request; of more a batch is made."""

CHARGE = re.compile(r"\s*\{\s*([^{}]*?)\s*\}$")
INCHI = re.compile(r"(?i)inchi=")
BREAKS = re.compile(r";\s|;$|\n")
SEMICOLON = re.compile(r"[;\n]")
COMMA = re.compile(r",\s+")

EXAMPLE = "write them as in 'C=O; C=C; pyridine', a charge behind in braces ({+1})"


class ReadingSeveral(Form):
    """How several molecules are read."""

    online: Annotated[
        bool, Personal(), Field(description="Ask PubChem for a name that is not known here.")
    ] = False
    pubchem: Annotated[str, Setting()] = ADDRESS


@dataclass(frozen=True)
class Named:
    """One of several molecules as a person gives it.

    Attributes:
        given: text, a path or a structure.
        charge: total charge in e, where it is said.
    """

    given: str | Path | ConceptualAtoms
    charge: int | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        if isinstance(self.given, ConceptualAtoms):
            return self.given.formula
        return self.given.name if isinstance(self.given, Path) else self.given


def read_list(text: str) -> list[Named]:
    """Return the molecules of a list.

    Args:
        text: molecules, set apart by semicolons, line ends, or commas before spaces.

    Raises:
        InputError: there is none, there are too many, or a charge cannot be read.
    """
    asked = f"molecules were asked for by {text.strip()[:200]!r}"
    found = [_named(part, asked) for part in parts_of(text)]
    if not found:
        raise InputError(asked, "there is none", EXAMPLE)
    return found


def parts_of(text: str) -> list[str]:
    """Return what a list sets apart by semicolons, line ends, or commas before spaces."""
    semicolons = BREAKS if INCHI.search(text) else SEMICOLON  # which an InChI may hold
    parts = semicolons.split(text)
    if len(parts) == 1 and not INCHI.search(text):
        parts = COMMA.split(text)
    return [part.strip() for part in parts if part.strip()]


def _named(part: str, asked: str) -> Named:
    charge = CHARGE.search(part)
    if charge is None:
        return Named(part)
    text = part[: charge.start()]
    if not text or not re.fullmatch(r"[+-]?\d{1,2}", charge[1]):
        raise InputError(asked, f"{part[:80]!r} has no charge in its braces", EXAMPLE)
    return Named(text, int(charge[1]))


class MoleculeSets(Subject[MoleculeSet]):
    """Molecules that are asked about together."""

    name: ClassVar[str] = "molecule set"
    metavar: ClassVar[str] = "MOLECULES"
    several: ClassVar[bool] = True
    members: ClassVar[tuple[type, ...]] = (ConceptualAtoms,)
    model = MoleculeSet
    form = ReadingSeveral
    help: ClassVar[str] = (
        "MOLECULES are one or several, with semicolons between them, such as 'C=O; C=C; pyridine': "
        "SMILES, names, files or IRIs, a charge behind them in braces ({+1}) where it needs saying."
    )

    def label(self, model: MoleculeSet) -> str:
        return "; ".join(model.names)

    async def read(self, given: object, said: Form, executor: Executor) -> Given[MoleculeSet]:
        """Return the molecules that are meant, each once; text, a path, a structure or several.

        Raises:
            InputError: there is none, or one is a crystal.
            GraficoError: one cannot be read.
        """
        assert isinstance(said, ReadingSeveral)
        if isinstance(given, MoleculeSet):
            return Given(given, "; ".join(given.names))
        text = str(given).strip()
        if text.startswith(("http://", "https://", "g:id/", "id/")) and _is_set(text):
            found = self.stored_object(executor.kg, text)
            return Given(found, "; ".join(found.names))
        wanted = _listed(given)
        if not 0 < len(wanted) <= MOST:
            raise InputError(
                "molecules were asked for",
                f"there are {len(wanted)}; 1 to {MOST} are allowed",
                "make a batch of each alone",
            )
        found = await asyncio.gather(*(_found(one, said, executor) for one in wanted))
        names, molecules = list[str](), dict[str, ConceptualAtoms]()
        remarks: dict[str, list[str]] = {}
        for one, read in zip(wanted, found, strict=True):
            if read.model.iri not in molecules:
                molecules[read.model.iri] = read.model
                names.append(unlike(one.name, names))
            for remark in read.remarks:
                remarks.setdefault(remark, []).append(one.name)
        grouped = tuple(f"{remark} ({', '.join(those)})" for remark, those in remarks.items())
        whole = MoleculeSet(names=tuple(names), molecules=tuple(molecules.values()))
        beside = tuple(other for one in found for other in one.beside)
        return Given(whole, "; ".join(names), grouped, beside=beside)


def _is_set(text: str) -> bool:
    return ";" not in text and "MoleculeSet/" in text


def _listed(given: object) -> list[Named]:
    """Return what was given, one by one."""
    given = as_subject(given)
    if isinstance(given, str):
        return read_list(given)
    if isinstance(given, Path | ConceptualAtoms):
        return [Named(given)]
    if isinstance(given, Sequence):
        return [
            found
            for one in cast("Sequence[object]", given)
            for found in (
                [_named(one.strip(), f"{one[:80]!r} was asked for")]
                if isinstance(one, str)
                else _listed(one)
            )
        ]
    raise InputError("molecules were asked for", f"a {type(given).__name__} is none", EXAMPLE)


def unlike(name: str, others: Sequence[str]) -> str:
    """Return a name that no other has: the second `x` is `x #2`."""
    again = sum(one.partition(" #")[0] == name for one in others)
    return f"{name} #{again + 1}" if again else name


async def _found(one: Named, said: ReadingSeveral, executor: Executor) -> Given[ConceptualAtoms]:
    form = fill(MOLECULE.form, {"charge": one.charge}, said.handed_on())
    try:
        given = await MOLECULE.read(one.given, form, executor)
    except GraficoError as error:
        if one.name not in str(error):
            error.found = f"{one.name}: {error.found}"
        raise
    if given.model.is_periodic:
        raise InputError(
            f"excited states of {one.name[:80]} were asked for",
            "it is a crystal",
            "give a molecule",
        )
    return given


MOLECULE_SETS = MoleculeSets()
