"""What a person means by a molecule, and how it is written in other formats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ontologies.atoms import ConceptualAtoms
from workflows.engine.definition import Given
from workflows.engine.form import fill
from workflows.molecule import Kind, Written
from workflows.molecule.reading import write_apart
from workflows.molecule.subject import MOLECULE, Bonded, ReadingWithSpin

if TYPE_CHECKING:
    from .client import Grafico


async def find_structure(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms,
    kind: Kind | None = None,
    charge: int | None = None,
    multiplicity: int | None = None,
    online: bool | None = None,
) -> Given[ConceptualAtoms]:
    """Return the structure that is meant, and what was assumed about it.

    Args:
        session: whose executor makes structures, and whose store knows them by IRI.
        molecule: a file, an IRI, a notation or a name; or a structure.
        kind: how to read it, if not by its looks.
        charge: total charge in e; None for what the molecule says.
        multiplicity: 2S+1; None for what the molecule says, else the lowest possible.
        online: whether PubChem may be asked for names; None for what the settings say.

    Raises:
        GraficoError: see `triplestore.errors`.
    """
    said = {"kind": kind, "charge": charge, "multiplicity": multiplicity, "online": online}
    given = {name: value for name, value in said.items() if value is not None}
    options = fill(ReadingWithSpin, given, session.settings.defaults)
    return await MOLECULE.read(molecule, options, session.executor)


async def convert_structure(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms,
    form: str,
    kind: Kind | None = None,
    charge: int | None = None,
    multiplicity: int | None = None,
    online: bool | None = None,
) -> Written:
    """Return a molecule as text in a format, with notes on what was assumed and what is lost."""
    given = await find_structure(session, molecule, kind, charge, multiplicity, online)
    assert isinstance(given.detail, Bonded)
    written = await write_apart(given.model, form, given.detail.mol, given.detail.title)
    return Written(written.text, written.form, (*given.remarks, *written.notes))
