"""Stored results whose numbers a later version of their calculation would give otherwise."""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import with_prefixes
from triplestore import Table
from triplestore.errors import GraficoError
from workflows.registry.packages import GROUPS, declaring

from .calculation import Calculation

PAGE = 500
"""Activities that are looked at with one query."""


@dataclass
class _Seen:
    """What is stored of an activity; `made` has what it made, `makers` who made what it used."""

    calculation: str = ""
    version: str = ""
    epoch: str = ""
    made: str = ""
    used: set[str] = field(default_factory=set[str])
    makers: dict[str, str] = field(default_factory=dict[str, str])


def calculations(names: Collection[str] | None = None) -> dict[str, Calculation[..., Any]]:
    """Return the calculations of every domain by name, those of other packages among them.

    A module that cannot be imported, for want of the program that it is for, has none.

    Args:
        names: those that are looked for; None for all. As a rule they begin with the name of their
            domain, and others are imported only for what is not found there.
    """
    domains = {
        domain.__name__: domain
        for group in GROUPS
        for _, domain in declaring(group)
        if not isinstance(domain, Exception)
    }
    first = {name.partition(".")[0] for name in names or ()}
    found: dict[str, Calculation[..., Any]] = {}
    for name in sorted(domains, key=lambda one: one.rpartition(".")[2] not in first):
        if names is not None and found.keys() >= {*names}:
            break
        found |= _declared(name)
    return found


@functools.cache
def _declared(domain: str) -> dict[str, Calculation[..., Any]]:
    """Return the calculations of a package that has been imported."""
    values: list[object] = []
    folders = getattr(sys.modules[domain], "__path__", ())
    for module in walk_packages(folders, f"{domain}.", onerror=lambda _: None):
        with suppress(ImportError):
            values += vars(import_module(module.name)).values()
    return {value.name: value for value in values if isinstance(value, Calculation)}


def outdated(
    kg: KnowledgeGraph,
    activities: Iterable[str] | None = None,
    known: Mapping[str, Calculation[..., Any]] | None = None,
) -> dict[str, str]:
    """Return results that would be computed anew if they were asked for, and why, in words.

    These are the results of an earlier version or revision of their calculation, or of another
    epoch of its program, and those that rest on such a result.

    Args:
        kg: the store.
        activities: those that are looked at; None for all.
        known: the calculations of today; those that are not among them are taken as they are.
    """
    wanted = list(activities) if activities is not None else _all(kg)
    seen = _followed(kg, wanted)
    today = calculations({one.calculation for one in seen.values()}) if known is None else known
    reasons = _of_themselves(kg, seen, today)
    found: dict[str, str] = {}

    def reason(name: str, above: frozenset[str]) -> str:
        if name not in reasons:
            reasons[name] = ""
            for used, maker in sorted(seen[name].makers.items()):
                if maker in seen and maker not in above and reason(maker, above | {name}):
                    reasons[name] = f"rests on {used}, which is outdated"
                    break
        return reasons[name]

    for name in wanted:
        if name in seen and (text := reason(name, frozenset())):
            found[seen[name].made] = text
    return found


def outdated_runs(kg: KnowledgeGraph, runs: Iterable[str]) -> set[str]:
    """Return those of some runs of which a result is outdated."""
    listed = " ".join(f"<{run}>" for run in runs)
    if not listed:
        return set()
    rows = list(
        _rows(
            kg,
            f"""
        SELECT ?run ?result ?activity {{
            VALUES ?run {{ {listed} }}
            ?outcome g:run ?run ; g:results ?result .
            ?activity prov:generated ?result }}""",
        )
    )
    stale = outdated(kg, {activity for _, _, activity in rows})
    return {run for run, result, _ in rows if result in stale}


def _all(kg: KnowledgeGraph) -> list[str]:
    return [row[0] for row in _rows(kg, "SELECT ?activity { ?activity a g:Activity }")]


def _followed(kg: KnowledgeGraph, wanted: Iterable[str]) -> dict[str, _Seen]:
    """Return activities, and those that made what they used, and so on."""
    seen: dict[str, _Seen] = {}
    asked, front = set[str](), set(wanted)
    while front:
        ordered = sorted(front)
        asked |= front
        for start in range(0, len(ordered), PAGE):
            # three questions: with OPTIONAL in one, Oxigraph reads all that activities used
            names = ordered[start : start + PAGE]
            rows = _about(
                kg,
                "?activity",
                names,
                """
                ?activity g:calculation ?calculation ; g:version ?version ; g:epoch ?epoch ;
                    prov:generated ?made""",
            )
            for name, calculation, version, epoch, made in rows:
                seen[name] = _Seen(calculation, version, epoch, made)
            uses = _about(kg, "?activity", names, "?activity prov:used ?used")
            uses = [(name, used) for name, used, *_ in uses if name in seen]
            made_by = _about(kg, "?used", {used for _, used in uses}, "?maker prov:generated ?used")
            makers = {used: maker for used, maker, *_ in made_by}
            for name, used in uses:
                seen[name].used.add(used)
                if used in makers:
                    seen[name].makers[used] = makers[used]
        front = {maker for one in seen.values() for maker in one.makers.values()} - asked
    return seen


def _of_themselves(
    kg: KnowledgeGraph, seen: Mapping[str, _Seen], today: Mapping[str, Calculation[..., Any]]
) -> dict[str, str]:
    """Return why activities are outdated whatever they used."""
    found: dict[str, str] = {}
    for name, one in seen.items():
        calculation = today.get(one.calculation)
        if calculation is None:
            continue
        version = calculation.version
        if calculation.revision is not None and version == one.version.partition("+")[0]:
            try:
                version = calculation.version_for(kg.pull_all(GraphModel, sorted(one.used)))
            except GraficoError:  # inputs that are missing or damaged: `grafico fsck` tells
                continue
        epoch = calculation.backend.epoch
        if (one.version, one.epoch) != (version, epoch):
            found[name] = (
                f"made by {one.calculation} {one.version} ({calculation.backend.name}, epoch "
                f"{one.epoch}); today it is {version} (epoch {epoch})"
            )
    return found


def _about(
    kg: KnowledgeGraph, about: str, iris: Iterable[str], pattern: str
) -> list[tuple[str, ...]]:
    """Return the values of the variables of a pattern, for these values of one of them."""
    names = list(dict.fromkeys([about, *re.findall(r"\?\w+", pattern)]))
    values = " ".join(f"<{iri}>" for iri in sorted(iris))
    query = f"SELECT {' '.join(names)} {{ VALUES {about} {{ {values} }} {pattern} }}"
    return [(*row,) for row in _rows(kg, query)] if values else []


def _rows(kg: KnowledgeGraph, query: str) -> Iterator[list[str]]:
    answer = kg.store.query(with_prefixes(query))
    assert isinstance(answer, Table)
    for row in answer.rows:
        yield ["" if term is None else str(getattr(term, "value", term)) for term in row]
