"""Stored results, found by subject, level of theory and property; newest first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from ogm import GraphModel
from ogm.literals import literal
from ogm.model import storable
from ogm.terms import full_iri, with_prefixes
from ontologies.derived import DerivedQuantity
from ontologies.level import Level
from ontologies.properties import difference, is_known, nearest, spelt
from ontologies.provenance import Requested, Run
from triplestore import Table
from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.engine.execution.withdrawn import withdrawals
from workflows.engine.request.definition import Subject
from workflows.engine.request.form import fill
from workflows.engine.request.refusals import refuse_unknown
from workflows.registry import subjects
from workflows.registry.packages import import_classes
from workflows.show.run_blocks import installed
from workflows.text.names import plain

from .inspection import numbers, shorten, text
from .naming import by_name, numbered
from .narrowed import NOTHING, SIGNS, Narrowed
from .places import Place, origin, places, places_alone, ways

if TYPE_CHECKING:
    from .opened import OpenSession


FEW_RUNS = 20
"""Runs of a molecule that are told at most."""


@dataclass(frozen=True)
class Hit:
    """A stored number.

    Attributes:
        result: IRI of the result, or of the derived quantity.
        kind: its class.
        formula: of the molecule, or what another subject is called; empty where it is of none.
        smiles: of the molecule, where it has been identified.
        level: label of the level of theory.
        value: the number, in the unit; lists of them of a small array.
        unit: its unit, by its QUDT code or as code wrote it.
        atoms: IRI of the geometry, or of another subject.
        ended: when it was made, in UTC.
        standing: what is known of the geometry, such as `relaxed`, with the level if it is another;
            empty where nothing is to be said.
        others: what else is told of the subject, such as its charge, by name.
        remark: what is to be known of the value; empty for nothing.
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
    standing: str = ""
    others: Mapping[str, str] = field(default_factory=dict[str, str])
    remark: str = ""


async def find_results(
    session: OpenSession,
    subject: object = "",
    only: Narrowed | None = None,
    *,
    name: str = "",
    most: int = 50,
    **said: Any,
) -> list[Hit]:
    """Return what is stored of a subject, newest first; see `Grafico.find_async`."""
    import_classes()
    kinds = subjects()
    given = {field: value for field, value in said.items() if value is not None}
    refuse_unknown({n for kind in kinds.values() for n in kind.search.offered()}, given)
    name = spelt(name.strip())
    every = list(kinds.values())
    made = difference(name)
    try:
        meant = await _meant(session, subject, given, every)
    except (InputError, NotFoundError):  # what a word says by itself comes before names of runs
        iri = by_name(session.kg.store, subject)
        if not iri:
            raise
        meant = await _meant(session, iri, given, every)
    only = only or Narrowed()
    levels, kept = only.levels(session.kg), only.of_results()
    alike: dict[tuple[Any, ...], Subject[Any]] = {}
    for kind, where in meant.items():
        alike.setdefault((kind.model, kind.field, where), kind)
    hits = [
        hit
        for (*_, where), kind in alike.items()
        for hit in _computed(session, name or "energy", kind, where, levels, kept, most)
    ]
    if not subject and not given:
        alone = places_alone(list(kinds.values()), plain(name or "energy"))
        hits += _found(session, alone, None, "", levels, kept, most)
    if made:  # also where some results have the number itself
        own = {hit.result for hit in hits}
        ends = [
            {
                hit.result: hit
                for (*_, where), kind in alike.items()
                for hit in _computed(session, end, kind, where, levels, f"{kept} {made.only}", most)
            }
            for end in (made.upper, made.lower)
        ]
        hits += [
            replace(hit, value=hit.value - ends[1][result].value)
            for result, hit in ends[0].items()
            if result in ends[1] and result not in own
        ]
    hits.sort(key=lambda hit: hit.ended, reverse=True)
    if name:
        hits += _derived(session, name, meant, kept, most)
        hits = hits or list(_derived(session, name, meant, kept, most, part=True))
    if (start := only.start) is not None:
        hits = [hit for hit in hits if datetime.fromisoformat(hit.ended) >= start]
    first = {hit.result: hit for hit in reversed(hits)}
    return [hit for hit in hits if first[hit.result] is hit][:most]


async def only_run_about(session: OpenSession, word: str, error: NotFoundError) -> str:
    """Return the IRI of the only run that is about what a word means, such as a molecule.

    Args:
        session: whose store it is.
        word: that is no name of a run.
        error: what is raised where it means nothing that a run is about.

    Raises:
        NotFoundError: the error.
        InputError: several runs are about it; says which.
    """
    import_classes()
    try:
        meant = await _meant(session, word, {}, list(subjects().values()))
    except GraficoError:
        raise error from None
    out = set(withdrawals(session.kg))
    runs = {
        text(row[0]): text(row[1])
        for where in dict.fromkeys(meant.values())
        for row in _rows(
            session,
            f"SELECT DISTINCT ?run ?started {{ {where} ?run a g:Run ; g:about ?subject ; "
            "prov:startedAtTime ?started FILTER NOT EXISTS { ?run g:parent ?whole } } "
            f"ORDER BY DESC(?started) DESC(?run) LIMIT {FEW_RUNS + len(out)}",
        )
    }
    latest = sorted(runs, key=lambda one: (runs[one], one), reverse=True)
    found = [one for one in latest if one not in out]
    if not found:
        raise error
    if found[1:]:
        numbers = numbered(session.kg.store, found)
        each = ", ".join(f"#{numbers[one]}" if one in numbers else shorten(one) for one in found)
        raise InputError(
            f"{word} was asked for",
            f"several runs are about it, the newest first: {each[:300]}",
            "name one of them; the list of runs (`runs`) says what each asked",
        )
    return found[0]


def similar(session: OpenSession, name: str) -> list[str]:
    """Return the names of quantities that are near one; none where something is called so."""
    if not name or is_known(name) or difference(name):
        return []
    rows = _rows(session, "SELECT DISTINCT ?name { ?one a g:DerivedQuantity ; g:name ?name }")
    kept = [text(row[0]) for row in rows]
    return [] if name in kept else nearest(name, kept)


async def _meant(
    session: OpenSession, subject: object, given: dict[str, Any], kinds: Collection[Subject[Any]]
) -> dict[Subject[Any], str]:
    """Return what a query says of `?subject`, for each kind that it may be of.

    Raises:
        GraficoError: it is of none; what the first of them says.
    """
    if not subject:
        return dict.fromkeys(kinds, "")
    if parts := _parts_of(session, subject):
        return dict.fromkeys(kinds, parts)
    found: dict[Subject[Any], str] = {}
    failed: list[GraficoError] = []
    for kind in kinds:
        if not given.keys() <= kind.search.offered().keys():
            continue
        if isinstance(subject, GraphModel) and not isinstance(subject, kind.model):
            continue
        form = fill(kind.search, given, session.settings.defaults)
        try:
            found[kind] = await kind.matching(subject, form, session.executor)
        except GraficoError as error:
            failed.append(error)
    if failed and not found:
        raise failed[0]
    return found


def _parts_of(session: OpenSession, subject: object) -> str:
    """Return what a query says of the results of a batch; empty where something else is meant."""
    iri = full_iri(subject.strip()) if isinstance(subject, str) else ""
    if not iri.startswith(("http://", "https://")):
        return ""
    with suppress(NotFoundError):
        model = session.kg.pull(GraphModel, iri)
        if isinstance(model, Run):  # of a batch: what it asked for
            about = session.kg.pull_all(GraphModel, [link.iri for link in model.about])
            model = next((one for one in about if isinstance(one, Requested)), model)
            iri = model.iri
        if isinstance(model, Requested):
            return (
                f"?above g:about <{iri}> . ?part g:parent ?above . "
                "?outcome g:run ?part ; g:results ?result ."
            )
    return ""


def _computed(
    session: OpenSession,
    name: str,
    kind: Subject[Any],
    where: str,
    levels: str,
    kept: str,
    most: int,
) -> Iterator[Hit]:
    """Iterate over numbers that calculations and runs have made, a result once."""
    found = places(kind, plain(name), parts=bool(where))
    yield from _found(session, found, kind, where, levels, kept, most, name)


def _found(
    session: OpenSession,
    found: Collection[Place],
    kind: Subject[Any] | None,
    where: str,
    levels: str,
    kept: str,
    most: int,
    name: str = "",
) -> Iterator[Hit]:
    """Iterate over the numbers at some places, a result once."""
    if not found:
        return
    either = " UNION ".join(
        f"{{ {where} ?result {f'{way} ?subject ; ' if (way := one.way.subject) else ''}"
        f"{one.value} ?value ; a ?class . "
        f"{_of_level(one, levels)} {_without_level(one, found)} "
        f"BIND({literal(one.unit)} AS ?unit) }}"
        for one in sorted(found, key=str)
    )
    # engines look for what is within first, and for origins of that alone
    rows = _rows(
        session,
        f"""
        SELECT ?result (SAMPLE(?class) AS ?kind) (SAMPLE(?level) AS ?at) (SAMPLE(?value) AS ?number)
               (SAMPLE(?unit) AS ?in) (SAMPLE(?subject) AS ?about) (MAX(?when) AS ?ended) {{
          {{ SELECT * {{ {either} {levels} {kept} }} }} {origin(found)}
        }} GROUP BY ?result ORDER BY DESC(?ended) ?result LIMIT {most}""",
    )
    told = _told(session, kind, [text(row[5]) for row in rows]) if kind else {}
    for result, cls, level, value, unit, subject, ended in rows:
        more = told.get(text(subject), {})
        row = (result, cls, more.pop("formula", ""), more.pop("smiles", ""))
        for hit in _hits(session, [(*row, level, value, unit, subject, ended)], kind):
            remark = kind.remark_on(name, more) if kind else ""
            yield replace(hit, others=more, remark=remark)


def _told(
    session: OpenSession, kind: Subject[Any], subjects: Iterable[str]
) -> dict[str, dict[str, str]]:
    """Return what is told of some subjects in columns."""
    iris = " ".join(f"<{iri}>" for iri in dict.fromkeys(subjects))
    names = " ".join(f"?{name}" for name in kind.columns)
    query = f"SELECT ?subject {names} {{ VALUES ?subject {{ {iris} }} "
    rows = _rows(session, f"{query}{' '.join(kind.columns.values())} }}") if kind.columns else []
    return {text(row[0]): dict(zip(kind.columns, map(text, row[1:]), strict=True)) for row in rows}


def _of_level(place: Place, levels: str) -> str:
    if place.way.level:
        return f"?result {place.way.level} ?level ."
    return NOTHING if levels else ""


def _without_level(place: Place, others: Iterable[Place]) -> str:
    """Return what keeps results of classes with a level from those of a class without one."""
    if place.way.level:
        return ""
    alike = {
        one.way.level
        for one in others
        if one.way.level and (one.value, one.way.subject) == (place.value, place.way.subject)
    }
    return " ".join(f"FILTER NOT EXISTS {{ ?result {level} [] }}" for level in sorted(alike))


def _derived(
    session: OpenSession,
    name: str,
    meant: Mapping[Subject[Any], str],
    only: str,
    most: int,
    *,
    part: bool = False,
) -> Iterator[Hit]:
    """Iterate over quantities of a name, or with it as a part of theirs, that code has derived."""
    every = [
        way
        for kind, where in meant.items()
        for cls in storable(GraphModel)
        for way in ways(kind, cls)
        if way.whole or where
    ]
    subject = "|".join(sorted({way.subject for way in every}))
    level = "|".join(sorted({way.level for way in every} - {""}))
    asked = literal(SIGNS.sub("", name.lower()).replace("_", ""))
    kept = 'REPLACE(LCASE(?name), "[-_() ]", "")'
    same = f"CONTAINS({kept}, {asked})" if part else f"{kept} = {asked}"
    for kind, where in meant.items() if any(meant.values()) else [(None, "")]:
        columns = kind.columns if kind else {n: c for k in meant for n, c in k.columns.items()}
        rows = _rows(
            session,
            f"""
            SELECT DISTINCT ?result ?class ?formula ?smiles ?level ?value ?unit ?subject ?ended {{
              {{ ?result a <{DerivedQuantity.term()}> ; a ?class ; g:name ?name ; g:value ?value ;
                        g:unit ?unit ; g:derivation/prov:endedAtTime ?ended .
                 FILTER({same})
                 OPTIONAL {{ ?result g:of ?of .
                   {f"OPTIONAL {{ ?of ({subject}) ?own }}" if subject else ""}
                   BIND(COALESCE(?own, ?of) AS ?subject)
                   {f"OPTIONAL {{ ?of ({level}) ?level }}" if level else ""} }}
                 {"FILTER(BOUND(?subject))" if where else ""} }}
              {where} {only} {" ".join(map(_optional, columns.values()))}
            }} ORDER BY DESC(?ended) ?result LIMIT {most}""",
        )
        yield from _hits(session, rows, kind)


def _optional(pattern: str) -> str:
    return pattern if pattern.startswith("OPTIONAL") else f"OPTIONAL {{ {pattern} }}"


def _hits(session: OpenSession, rows: list[Any], kind: Subject[Any] | None) -> Iterator[Hit]:
    iris = list(dict.fromkeys(text(row[4]) for row in rows if row[4]))
    levels = _labels(session, iris)
    made = _standings(session, kind, {text(row[7]) for row in rows})
    for result, cls, formula, smiles, level, value, unit, subject, ended in rows:
        label = text(formula)
        if not label and kind is not None:
            with suppress(GraficoError):
                label = kind.label(session.kg.pull(kind.model, text(subject)))
        yield Hit(
            text(result),
            shorten(text(cls)).removeprefix("g:"),
            label,
            text(smiles),
            levels.get(text(level), ""),
            numbers(value),
            text(unit),
            text(subject),
            text(ended),
            _standing(made.get(text(subject)), text(level), kind),
        )


def _standings(
    session: OpenSession, kind: Subject[Any] | None, subjects: Iterable[str]
) -> dict[str, dict[str, tuple[str, str]]]:
    """Return of subjects that something has made what that was and the level's label, by level."""
    iris = " ".join(f"<{iri}>" for iri in sorted({*subjects} - {""}))
    if kind is None or not kind.standing or not iris:
        return {}
    query = f"SELECT DISTINCT ?subject ?made_at ?word {{ VALUES ?subject {{ {iris} }} "
    rows = _rows(session, f"{query}{kind.standing} }} ORDER BY ?made_at ?word")
    labels = _labels(session, list(dict.fromkeys(text(row[1]) for row in rows)))
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for subject, level, word in rows:
        said = (text(word), labels.get(text(level), ""))
        found.setdefault(text(subject), {})[text(level)] = said
    return found


def _standing(
    made: Mapping[str, tuple[str, str]] | None, level: str, kind: Subject[Any] | None
) -> str:
    """Return what is said of the subject of a result at a level."""
    if not made:
        return kind.unmade if kind and level else ""
    if level in made:
        return made[level][0]
    word, label = next(iter(made.values()))
    return f"{word} at {label}" if label else word


def _labels(session: OpenSession, iris: list[str]) -> dict[str, str]:
    """Return what levels are called, by IRI: by their method where their class is not installed."""
    known, strange = installed(session.kg, iris)
    here = [iri for iri in iris if iri not in strange]
    labels = {iri: cast("Level", one).label for iri, one in zip(here, known, strict=True)}
    if strange:
        named = " ".join(f"<{iri}>" for iri in strange)
        methods = f"SELECT ?level ?method {{ VALUES ?level {{ {named} }} ?level g:method ?method }}"
        labels |= {text(level): text(method) for level, method in _rows(session, methods)}
    return labels


def _rows(session: OpenSession, query: str) -> list[Any]:
    answer = session.kg.store.query(with_prefixes(query))
    assert isinstance(answer, Table)
    return cast("list[Any]", answer.rows)
