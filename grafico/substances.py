"""Which stored structures are a substance, or have a part; structures are identified as needed."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ogm import GraphModel
from ogm.literals import literal
from ogm.terms import with_prefixes
from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import PERCEPTION
from ontologies.identification import Identification
from ontologies.quantum import Embedding, RelaxedGeometry
from triplestore import Table
from triplestore.errors import GraficoError, ResourceError
from workflows.apart import apart
from workflows.molecule import Kind, recognise
from workflows.molecule.embed import bonded
from workflows.molecule.identify import (
    AS_GIVEN,
    Substance,
    identify,
    substance_of,
)
from workflows.molecule.matching import matching
from workflows.molecule.reading import identify_apart, substance_apart

from .inspection import text

if TYPE_CHECKING:
    from .client import Grafico

By = Literal["substance", "connectivity", "substructure"]
"""What must agree: the substance with all that is said of it; formula and connections only; or a
part of the molecule."""

PAGE = 500
"""Structures that are identified before they are stored."""

PATIENCE = 2.0
"""Seconds without a word."""

MOST = 2000
"""Substances that may have a part that is searched for."""

CURRENT = f"FILTER(?rule IN ({literal(PERCEPTION)}, {literal(AS_GIVEN)}))"
"""Identifications that count: those of the present rule, or of bonds that were given."""


async def identify_structures(session: Grafico, structures: Iterable[ConceptualAtoms]) -> int:
    """Identify structures and store what they are, beside them; return how many they were."""
    new = list({atoms.iri: atoms for atoms in structures}.values())
    for start in range(0, len(new), PAGE):
        found = await _identified(session, new[start : start + PAGE])
        session.executor.record(*found, durable=False)
    return len(new)


async def identify_new(session: Grafico) -> None:
    """Identify the structures of what was computed since this was done last.

    What they are can wait for the disk, and nothing that was computed fails over it: it is found
    out again when somebody asks.
    """
    new = session.executor.recorded
    iris = [new.popleft() for _ in range(len(new))]
    with suppress(GraficoError):
        found = (getattr(one, "atoms", None) for one in session.kg.pull_all(GraphModel, iris))
        await identify_structures(session, (a for a in found if isinstance(a, ConceptualAtoms)))


async def identify_stored(session: Grafico, formula: str = "") -> int:
    """Identify what is stored and was not yet, by the present rule; return how many they were.

    Args:
        session: whose store it is.
        formula: of these only; empty for all structures.
    """
    of_formula = f"?atoms g:formula {literal(formula)} ." if formula else ""
    wanted = with_prefixes(f"""
        SELECT ?atoms {{ {of_formula} ?atoms a g:ConceptualAtoms .
            FILTER NOT EXISTS {{ ?one g:identifies ?atoms ; g:perception ?rule . {CURRENT} }}
        }} LIMIT {PAGE}""")
    count, began = 0, time.monotonic()
    while True:
        answer = await asyncio.to_thread(session.kg.store.query, wanted)
        assert isinstance(answer, Table)
        if not answer.rows:
            return count
        structures = session.kg.pull_all(ConceptualAtoms, [text(row[0]) for row in answer.rows])
        count += await identify_structures(session, structures)
        if (elapsed := time.monotonic() - began) > PATIENCE:
            session.executor.emit(
                "alive", f"identifying structures, {count} so far", elapsed=elapsed
            )


async def _identified(
    session: Grafico, structures: Sequence[ConceptualAtoms]
) -> list[Identification]:
    found = await identify_apart(structures)
    return [
        await asyncio.to_thread(_with_known_bonds, session, one, atoms) if one.reason else one
        for one, atoms in zip(found, structures, strict=True)
    ]


def _with_known_bonds(
    session: Grafico, found: Identification, atoms: ConceptualAtoms
) -> Identification:
    """Return what a structure is by bonds that were given, as they cannot be perceived.

    Those of the notation that it was made from, or that its optimisation started from if that
    changed no bond.
    """
    made = session.kg.find(RelaxedGeometry, atoms=atoms)
    kept = [o.initial for o in made if o.bonds_broken is None and o.bonds_formed is None]
    for start in (atoms, *kept):
        for embedding in session.kg.find(Embedding, atoms=start):
            mol: Any = bonded(embedding)
            if mol is not None:
                known = identify(atoms, mol)
                return found if known.reason else known
    return found


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
        await identify_stored(session)
        chosen = await _with_part(session, molecule.strip())
    else:
        wanted = await _wanted(session, molecule, kind, online)
        await identify_stored(session, wanted.formula)
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
    [found] = await _identified(session, [atoms])
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
