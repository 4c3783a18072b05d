"""Which stored structures are a substance, or have a part; structures are identified as needed."""

from __future__ import annotations

import asyncio
import math
import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from ogm.literals import literal
from ogm.terms import full_iri, with_prefixes
from ontologies.atoms import ConceptualAtoms
from triplestore import Table
from triplestore.errors import NotFoundError, ResourceError
from workflows.engine.execution.executor import Executor
from workflows.engine.request.definition import Subject
from workflows.engine.request.form import Form, fill
from workflows.engine.request.rules import Personal, Setting
from workflows.programs.isolated import in_subprocess

from .async_files import substance_async
from .identify import Substance, substance_of
from .matching import matching
from .pubchem import ADDRESS
from .recognition import Kind, recognise
from .substances import CURRENT, identified, identify_stored

By = Literal["substance", "connectivity", "substructure"]
"""What must agree: the substance with all that is said of it; formula and connections only; or a
part of the molecule."""

MOST = 2000
"""Substances that may have a part that is searched for."""

FORMULA = re.compile(r"([A-Z][a-z]?\d*){1,30}")

COLUMNS = {
    "formula": "?subject g:formula ?formula .",
    "smiles": "OPTIONAL { ?as g:identifies ?subject ; g:perception ?rule ; g:smiles ?smiles . "
    f"{CURRENT} }}",
    "charge": "OPTIONAL { ?subject g:charge ?charge }",
}
"""What is told of a structure that was found."""


class Search(Form):
    """What can be said to find what is stored of a molecule.

    Attributes:
        by: `substance` (any stereochemistry where none is said), `connectivity` or `substructure`
            (then it may be SMARTS).
        kind: how to read it, if not by its looks.
        online: whether PubChem may be asked for names.
        pubchem: where.
        query_seconds: of processor time that a search for a part may take.
    """

    by: Annotated[
        By, Field(description="What must agree with MOLECULE; a substructure may be SMARTS.")
    ] = "substance"
    kind: Annotated[
        Kind | None, Personal(), Field(description="How to read MOLECULE, if not by its looks.")
    ] = None
    online: Annotated[
        bool, Personal(), Field(description="Ask PubChem for a name that is not known here.")
    ] = False
    pubchem: Annotated[str, Setting()] = ADDRESS
    query_seconds: Annotated[float, Setting()] = 60.0


async def patterns(
    subject: Subject[ConceptualAtoms], molecule: object, said: Search, executor: Executor
) -> str:
    """Return patterns in SPARQL which say that `?subject` is a substance, or has a part.

    Args:
        subject: reads structures.
        molecule: a notation, a name, an InChIKey, a formula, a file or an IRI; for a part SMARTS or
            SMILES. A formula is only compared.
        said: what must agree.
        executor: whose store is searched.

    Raises:
        GraficoError: it cannot be read or not be identified, or too much has that part.
    """
    if isinstance(molecule, str) and said.by != "substructure" and said.kind is None:
        plain = molecule.strip()
        of_formula = f"?subject g:formula {literal(plain)} ."
        if FORMULA.fullmatch(plain) and executor.kg.store.query(
            with_prefixes(f"ASK {{ {of_formula} }}")
        ):
            return of_formula
        if recognise(plain) == "iri" and said.by == "substance":
            iri = subject.stored_object(executor.kg, full_iri(plain)).iri
            return (
                f"FILTER(?subject = <{iri}> || EXISTS {{ ?result g:initial <{iri}> }} || "
                f"EXISTS {{ ?from g:initial <{iri}> ; g:atoms ?subject }})"
            )
    if said.by == "substructure" and isinstance(molecule, str):
        chosen = await _with_part(executor, molecule.strip(), said.query_seconds)
    else:
        wanted = await _wanted(subject, molecule, said, executor)
        await identify_stored(executor, wanted.formula)
        chosen = await asyncio.to_thread(_equal, executor, wanted, said.by)
    if not chosen:
        return "FILTER(1 = 0)"
    return (
        f"VALUES ?smiles {{ {' '.join(map(literal, chosen))} }} "
        f"?identified g:smiles ?smiles ; g:perception ?rule ; g:identifies ?subject . {CURRENT}"
    )


async def _wanted(
    subject: Subject[ConceptualAtoms], molecule: object, said: Search, executor: Executor
) -> Substance:
    if isinstance(molecule, str) and recognise(molecule, said.kind) not in ("file", "iri"):
        try:
            return await substance_async(molecule, said.kind)
        except NotFoundError:  # of a name that is not known here
            if recognise(molecule, said.kind) != "name" or not said.online:
                raise
        return await substance_async(molecule, said.kind, said.pubchem)
    atoms: Any = molecule
    if isinstance(molecule, str | Path):
        options = fill(subject.form, {"kind": said.kind} if said.kind else {})
        atoms = (await subject.read(molecule, options, executor)).model
    [found] = await identified(executor, [atoms])
    return substance_of(found, atoms.formula)


def _equal(executor: Executor, wanted: Substance, by: By) -> list[str]:
    """Return the SMILES of the stored substances that are the one that is wanted."""
    if wanted.skeleton:
        rows = _rows(executor, f"?one g:skeleton {literal(wanted.skeleton)} ; g:inchiKey ?key .")
    else:
        rows = _rows(executor, f"?one g:smiles {literal(wanted.smiles)} . BIND('' AS ?key)")
    loose = by == "connectivity" and bool(wanted.skeleton)
    return sorted({smiles for smiles, key in rows if loose or wanted.matches(smiles, key)})


async def _with_part(executor: Executor, part: str, seconds: float) -> list[str]:
    """Return the SMILES of the stored substances that have a part.

    Those that are identified are looked at first, so that a part that cannot be is refused at once.
    """
    asked = f"molecules with the part {part[:80]!r}"
    seen, chosen = set[str](), list[str]()
    for again in (False, True):
        if again and not await identify_stored(executor):
            break
        rows = await asyncio.to_thread(_rows, executor, "BIND('' AS ?key)")
        smiles = sorted({row[0] for row in rows} - {""} - seen)
        seen.update(smiles)
        if again and not smiles:
            break
        matches = await in_subprocess(asked, matching, part, smiles, seconds=math.ceil(seconds))
        chosen += [one for one, has in zip(smiles, matches, strict=True) if has]
    if len(chosen) > MOST:
        raise ResourceError(
            f"results of molecules with the part {part!r} were asked for",
            f"{len(chosen)} substances have it, and the limit is {MOST}",
            "give a larger part",
        )
    return sorted(chosen)


def _rows(executor: Executor, where: str) -> list[tuple[str, str]]:
    answer = executor.kg.store.query(
        with_prefixes(f"""
        SELECT DISTINCT ?smiles ?key {{
            {where} ?one g:smiles ?smiles ; g:perception ?rule . {CURRENT} }}""")
    )
    assert isinstance(answer, Table)
    if answer.cut:
        raise ResourceError("substances were searched", answer.cut, "give a larger part")
    return [(_text(smiles), _text(key)) for smiles, key in answer.rows]


def _text(term: Any) -> str:
    return "" if term is None else str(getattr(term, "value", term))
