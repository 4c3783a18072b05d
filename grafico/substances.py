"""Which stored structures are a substance, or have a part; structures are identified as needed."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ogm.literals import literal
from ogm.terms import with_prefixes
from ontologies.atoms import ConceptualAtoms
from triplestore import Table
from triplestore.errors import ResourceError
from workflows.apart import apart
from workflows.molecule import Kind, recognise
from workflows.molecule.identify import (
    Substance,
    substance_of,
)
from workflows.molecule.matching import matching
from workflows.molecule.reading import substance_apart
from workflows.molecule.substances import CURRENT, identified, identify_stored

from .inspection import text

if TYPE_CHECKING:
    from .client import Grafico

By = Literal["substance", "connectivity", "substructure"]
"""What must agree: the substance with all that is said of it; formula and connections only; or a
part of the molecule."""

MOST = 2000
"""Substances that may have a part that is searched for."""


async def about(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms,
    by: By = "substance",
    kind: Kind | None = None,
    online: bool | None = None,
) -> str:
    """Return patterns in SPARQL which say that `?atoms` are a substance, or have a part.

    Args:
        session: whose store is searched.
        molecule: a notation, a name, an InChIKey, a file or an IRI; for a part SMARTS or SMILES.
        by: what must agree.
        kind: how to read it, if not by its looks.
        online: whether PubChem may be asked for names; None for what the settings say.

    Raises:
        GraficoError: it cannot be read or not be identified, or too much has that part.
    """
    if by == "substructure" and isinstance(molecule, str):
        await identify_stored(session.executor)
        chosen = await _with_part(session, molecule.strip())
    else:
        wanted = await _wanted(session, molecule, kind, online)
        await identify_stored(session.executor, wanted.formula)
        chosen = await asyncio.to_thread(_equal, session, wanted, by)
    if not chosen:
        return "FILTER(1 = 0)"
    return (
        f"VALUES ?smiles {{ {' '.join(map(literal, chosen))} }} "
        f"?identified g:smiles ?smiles ; g:perception ?rule ; g:identifies ?atoms . {CURRENT}"
    )


async def _wanted(
    session: Grafico, molecule: str | Path | ConceptualAtoms, kind: Kind | None, online: bool | None
) -> Substance:
    if isinstance(molecule, str) and recognise(molecule, kind) not in ("file", "iri"):
        allowed = session.settings.online if online is None else online
        address = session.settings.pubchem if allowed else ""
        return await substance_apart(molecule, kind, address)
    atoms = molecule
    if not isinstance(atoms, ConceptualAtoms):
        atoms, _ = await session.structure(atoms, kind)
    [found] = await identified(session.executor, [atoms])
    return substance_of(found, atoms.formula)


def _equal(session: Grafico, wanted: Substance, by: By) -> list[str]:
    """Return the SMILES of the stored substances that are the one that is wanted."""
    if wanted.skeleton:
        rows = _rows(session, f"?one g:skeleton {literal(wanted.skeleton)} ; g:inchiKey ?key .")
    else:
        rows = _rows(session, f"?one g:smiles {literal(wanted.smiles)} . BIND('' AS ?key)")
    loose = by == "connectivity" and bool(wanted.skeleton)
    return sorted({smiles for smiles, key in rows if loose or wanted.matches(smiles, key)})


async def _with_part(session: Grafico, part: str) -> list[str]:
    """Return the SMILES of the stored substances that have a part."""
    rows = await asyncio.to_thread(_rows, session, "BIND('' AS ?key)")
    smiles = sorted({row[0] for row in rows} - {""})
    asked, seconds = f"molecules with the part {part[:80]!r}", session.settings.query_seconds
    found = await apart(asked, matching, part, smiles, seconds=math.ceil(seconds))
    chosen = [one for one, has in zip(smiles, found, strict=True) if has]
    if len(chosen) > MOST:
        raise ResourceError(
            f"results of molecules with the part {part!r} were asked for",
            f"{len(chosen)} substances have it, and the limit is {MOST}",
            "give a larger part",
        )
    return chosen


def _rows(session: Grafico, where: str) -> list[tuple[str, str]]:
    answer = session.kg.store.query(
        with_prefixes(f"""
        SELECT DISTINCT ?smiles ?key {{
            {where} ?one g:smiles ?smiles ; g:perception ?rule . {CURRENT} }}""")
    )
    assert isinstance(answer, Table)
    if answer.cut:
        raise ResourceError("substances were searched", answer.cut, "give a larger part")
    return [(text(smiles), text(key)) for smiles, key in answer.rows]
