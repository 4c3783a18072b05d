"""Stored results, found by substance, level of theory and property; newest first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ogm import GRAFICO
from ogm.literals import literal
from ogm.terms import with_prefixes
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.schema import classes
from triplestore import Table
from workflows.molecule import Kind, recognise

from .inspection import cell, shorten, text
from .substances import CURRENT, By, about

if TYPE_CHECKING:
    from .client import Grafico

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}")
SIGNS = re.compile(r"[-() ]")
FORMULA = re.compile(r"([A-Z][a-z]?\d*){1,30}")
SMILES = (
    f"OPTIONAL {{ ?as g:identifies ?atoms ; g:perception ?rule ; g:smiles ?smiles . {CURRENT} }}"
)


@dataclass(frozen=True)
class Hit:
    """A stored number.

    Attributes:
        result: IRI of the result, or of the derived quantity.
        kind: its class.
        formula: of the molecule; empty where the number is of none.
        smiles: of the molecule, where it has been identified.
        level: label of the level of theory.
        value: the number, in the unit.
        unit: its unit, by its QUDT code or as code wrote it.
        atoms: IRI of the geometry.
        ended: when it was made, in UTC.
    """

    result: str
    kind: str
    formula: str
    smiles: str
    level: str
    value: Any
    unit: str
    atoms: str
    ended: str


async def find_results(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms = "",
    *,
    by: By = "substance",
    kind: Kind | None = None,
    method: str = "",
    basis: str = "",
    name: str = "",
    most: int = 50,
    online: bool | None = None,
) -> list[Hit]:
    """Return what is stored of a molecule, newest first; see `Grafico.find_async`."""
    where = await _about(session, molecule, by, kind, online) if molecule else ""
    found: list[Hit] = []
    wanted = re.sub(r"[ -]+", "_", name.strip()) or "energy"
    if NAME.fullmatch(wanted):
        found = _computed(session, wanted, where, method, basis, most)
    if name:
        found += _derived(session, name.strip(), where, most)
    return found[:most]


def _computed(
    session: Grafico, name: str, where: str, method: str, basis: str, most: int
) -> list[Hit]:
    """Return numbers that calculations have made."""
    head, *rest = name.split("_")
    term = head + "".join(part[:1].upper() + part[1:] for part in rest)
    term = "gibbsEnergy" if term.lower() == "gibbs" else term
    filters: list[str] = []
    for said, wanted in (("CONCAT(?method, ?correction)", method), ("?basis", basis)):
        if plain := SIGNS.sub("", wanted.lower()):  # PBE-D3(BJ) is stored as PBE and D3(BJ)
            filters.append(
                f"FILTER(CONTAINS(REPLACE(LCASE({said}), '[-() ]', ''), {literal(plain)}))"
            )
    rows = _rows(
        session,
        f"""
        SELECT DISTINCT ?result ?class ?formula ?level ?value ?atoms ?ended ?smiles {{
          {{ {where} ?result g:atoms ?atoms ; g:{term} ?value ; g:level ?level }} UNION
          {{ {where} ?f g:atoms ?atoms ; g:level ?level .
             ?result g:frequencies ?f ; g:{term} ?value }}
          ?result a ?class . ?atoms g:formula ?formula .
          ?level g:method ?method .
          OPTIONAL {{ ?level g:basis ?set }} BIND(COALESCE(?set, "") AS ?basis)
          OPTIONAL {{ ?level g:dispersion/g:kind ?kind }}
          BIND(COALESCE(?kind, "") AS ?correction)
          ?activity prov:generated ?result ; prov:endedAtTime ?ended .
          {" ".join(filters)} {SMILES}
        }} ORDER BY DESC(?ended) ?result LIMIT {most}""",
    )
    iris = list(dict.fromkeys(text(row[3]) for row in rows))
    pulled = session.kg.pull_all(Level, iris)
    labels = {iri: level.label for iri, level in zip(iris, pulled, strict=True)}
    unit = _unit(GRAFICO.term(term))
    found = {
        text(result): _hit((result, kind, formula, value, atoms, ended, smiles), level, unit)
        for result, kind, formula, level, value, atoms, ended, smiles in (
            (*row[:3], labels[text(row[3])], *row[4:]) for row in rows
        )
    }
    return list(found.values())  # one that was identified twice is one


def _derived(session: Grafico, name: str, where: str, most: int) -> list[Hit]:
    """Return quantities of a name that code has derived."""
    plain = literal(SIGNS.sub("", name.lower()).replace("_", ""))
    rows = _rows(
        session,
        f"""
        SELECT DISTINCT ?result ?class ?formula ?level ?value ?unit ?atoms ?ended ?smiles {{
          {{ ?result a g:DerivedQuantity ; a ?class ; g:name ?name ; g:value ?value ;
                    g:unit ?unit ; g:derivation/prov:endedAtTime ?ended .
             FILTER(REPLACE(LCASE(?name), "[-_() ]", "") = {plain})
             OPTIONAL {{ ?result g:of ?of .
               OPTIONAL {{ ?of g:frequencies ?f }}
               OPTIONAL {{ ?of g:atoms ?own }} OPTIONAL {{ ?f g:atoms ?theirs }}
               BIND(COALESCE(?own, ?theirs, ?of) AS ?atoms)
               OPTIONAL {{ ?of g:level ?mine }} OPTIONAL {{ ?f g:level ?shared }}
               BIND(COALESCE(?mine, ?shared) AS ?level)
               OPTIONAL {{ ?atoms g:formula ?formula }} }}
             {"FILTER(BOUND(?atoms))" if where else ""} }}
          {where} {SMILES}
        }} ORDER BY DESC(?ended) ?result LIMIT {most}""",
    )
    found: dict[str, Hit] = {}
    for result, kind, formula, level, value, unit, *more in rows:
        label = session.kg.pull(Level, text(level)).label if level else ""
        found[text(result)] = _hit((result, kind, formula, value, *more), label, text(unit))
    return list(found.values())


def _hit(terms: Sequence[Any], level: str, unit: str) -> Hit:
    result, kind, formula, value, atoms, ended, smiles = terms
    return Hit(
        text(result), shorten(text(kind)).removeprefix("g:"), text(formula), text(smiles), level,
        cell(value), unit, text(atoms), text(ended),
    )  # fmt: skip


def _rows(session: Grafico, query: str) -> list[Any]:
    answer = session.kg.store.query(with_prefixes(query))
    assert isinstance(answer, Table)
    return cast("list[Any]", answer.rows)


def _unit(term: str) -> str:
    plans = (plan for cls in classes() for plan in cls.fields())
    return next((p.unit.code for p in plans if p.predicate == term and p.unit), "")


async def _about(
    session: Grafico,
    molecule: str | Path | ConceptualAtoms,
    by: By,
    kind: Kind | None,
    online: bool | None,
) -> str:
    """Return what a query says of `?atoms`."""
    from .client import full_iri

    if isinstance(molecule, str) and by != "substructure" and kind is None:
        plain = molecule.strip()
        of_formula = f"?atoms g:formula {literal(plain)} ."
        if FORMULA.fullmatch(plain) and session.kg.store.query(
            with_prefixes(f"ASK {{ {of_formula} }}")
        ):
            return of_formula
        if recognise(plain) == "iri" and by == "substance":
            atoms = session.atoms(full_iri(plain))
            return (
                f"FILTER(?atoms = <{atoms.iri}> || EXISTS {{ ?result g:initial <{atoms.iri}> }} || "
                f"EXISTS {{ ?from g:initial <{atoms.iri}> ; g:atoms ?atoms }})"
            )
    return await about(session, molecule, by, kind, online)
