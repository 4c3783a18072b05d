"""Stored frameworks by net, with their pores, and what these numbers say together.

All statistics are computed here from the numbers that the graph holds.
"""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from ogm import KnowledgeGraph, Link
from ogm.literals import literal
from ogm.terms import checked_iri
from ontologies.mof_proposals import FrameworkSelection, FrameworkSurvey, NetSurvey
from ontologies.mofs import BuildingBlock, Framework, PoreAnalysis, PoreSettings
from ontologies.units import Floats
from triplestore.errors import InputError
from workflows.text.words import count

from .search_graph import rows_of

MOST = 5000
"""Frameworks with pores that are told one by one."""

FEWEST = 5
"""Frameworks below which no correlation is told: of four, chance alone gives one order in twelve
sets, one way or the other."""

NONE = (
    "none found: no stored framework has these nets and blocks; build or read some first, or name "
    "others"
)

FRAMEWORKS = """SELECT DISTINCT ?framework ?name ?net ?origin ?from WHERE {
    %s ?framework a g:Framework ; g:frameworkName ?name ; g:frameworkOrigin ?origin .
    OPTIONAL { ?framework g:net/g:name ?net }
    OPTIONAL { ?framework g:relaxedFrom ?from } }"""

Property: TypeAlias = Literal["net", "cavity", "limiting", "area"]
"""By what frameworks are ranked."""

PORES = """SELECT DISTINCT ?framework ?atoms ?pores ?settings ?cavity ?limiting ?area WHERE {
    %s ?framework a g:Framework ; g:atoms ?atoms .
    ?pores g:atoms ?atoms ; g:poreSettings ?settings ; g:diameters ?spheres ; g:surface ?surface .
    ?spheres g:largestCavity ?cavity ; g:poreLimiting ?limiting . ?surface g:areaPerMass ?area }"""


@dataclass(frozen=True, order=True)
class Measured:
    """A framework with its pores.

    Attributes:
        net: name of its net; empty where that is not known.
        name: what it is called.
        iri: its IRI.
        pores: IRI of the analysis.
        cavity: diameter of the largest sphere inside, in Å.
        limiting: diameter of the largest sphere that can pass, in Å.
        area: accessible area in m²/g.
        origin: of the geometry, see `FrameworkOrigin`.
        start: IRI of the geometry that it was relaxed from; empty for none.
        atoms: IRI of its geometry.
    """

    net: str
    name: str
    iri: str
    pores: str
    cavity: float
    limiting: float
    area: float
    origin: str
    start: str
    atoms: str


@dataclass(frozen=True)
class _Known:
    """A framework with or without pores."""

    net: str
    name: str
    origin: str
    start: str


@dataclass(frozen=True)
class RankCorrelation:
    """Spearman's coefficient, and the interval that holds it in 95 of 100 samples.

    Attributes:
        value: from -1 to 1.
        interval: None where all ranks agree, so that it has no width.
    """

    value: float
    interval: tuple[float, float] | None


def survey(
    kg: KnowledgeGraph, selection: FrameworkSelection, by: Property = "net"
) -> FrameworkSurvey:
    """Return the stored frameworks on some nets that hold some blocks, and their pores.

    A framework of which several geometries are known, such as the built and the relaxed one, is
    told with each, and counts once: as it was relaxed, where that was measured.

    Args:
        kg: the store.
        selection: which frameworks.
        by: which property they are ranked by, the largest first; `net` for net and name.

    Raises:
        InputError: more than can be told have pores.
    """
    known = _frameworks(kg, selection)
    if not known:
        return FrameworkSurvey(selection=selection, groups=(), remarks=(NONE,))
    settings, found, remarks = _measured(kg, selection, known)
    if len(found) > MOST:
        raise InputError(
            f"the pores of {len(found):,} frameworks were asked for",
            f"up to {MOST:,} are told one by one",
            "name a net, a node or a linker",
        )
    if by != "net":
        found.sort(key=lambda one: -getattr(one, by))
    cavities, areas = [one.cavity for one in found], [one.area for one in found]
    counted = _counted(found)
    if len(counted) < len(found):
        remarks.append(
            f"{len(found) - len(counted)} of them before they were relaxed, or not relaxed: "
            "told, and left out of means and correlation"
        )
    together = rank_correlation([one.cavity for one in counted], [one.area for one in counted])
    if together is None:
        why = (
            f"{count(len(counted), 'framework')} with pores: fewer than {FEWEST} say nothing of "
            "how pore size and area go together"
            if len(counted) < FEWEST
            else "all have the same pore size or area, which leaves no order to compare"
        )
        remarks.append(why)
    elif together.interval is None:
        remarks.append(
            "pore size and area are in the same order (or its reverse) throughout: the "
            "interval of the correlation has no width"
        )
    low, high = (together.interval if together else None) or (None, None)
    return FrameworkSurvey(
        selection=selection,
        groups=tuple(_groups(known, counted)),
        pore_settings=settings,
        frameworks=tuple(Link[Framework](one.iri) for one in found),
        framework_labels=tuple(one.name for one in found),
        framework_nets=tuple(one.net for one in found),
        framework_origins=tuple(one.origin for one in found),
        pores=tuple(Link[PoreAnalysis](one.pores) for one in found),
        cavities=np.array(cavities) if found else None,
        limiting=np.array([one.limiting for one in found]) if found else None,
        areas=np.array(areas) if found else None,
        rank_correlation=together.value if together else None,
        correlation_low=low,
        correlation_high=high,
        remarks=tuple(remarks),
    )


def _counted(found: Sequence[Measured]) -> list[Measured]:
    """Return one geometry of each framework: the relaxed one where there is one."""
    led = {one.start for one in found if one.origin == "relaxed"}
    return [one for one in found if one.atoms not in led and one.origin != "not relaxed"]


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> RankCorrelation | None:
    """Return how far two sets of numbers have one order; None where they are too few or all equal.

    The interval is Fisher's with the variance of D. G. Bonett and T. A. Wright, Psychometrika 65,
    23 (2000), for numbers that are independent of each other.
    """
    if len(first) < FEWEST or len(set(first)) < 2 or len(set(second)) < 2:
        return None
    value = float(np.clip(np.corrcoef(_ranks(first), _ranks(second))[0, 1], -1.0, 1.0))
    if math.isclose(abs(value), 1.0):
        return RankCorrelation(round(value), None)
    wide = 1.959964 * math.sqrt((1 + value**2 / 2) / (len(first) - 3))
    middle = math.atanh(value)
    return RankCorrelation(value, (math.tanh(middle - wide), math.tanh(middle + wide)))


def _ranks(values: Sequence[float]) -> Floats:
    """Return the place of each number in their order; equal ones share the mean of theirs."""
    _, which, counts = np.unique(np.array(values), return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[which]


def unsurpassed(cavities: Sequence[float], areas: Sequence[float]) -> list[bool]:
    """Return of which no other has at least the same pore size and area, and more of one."""
    order = sorted(range(len(areas)), key=lambda n: (-cavities[n], -areas[n]))
    best, found = -math.inf, [False] * len(areas)
    last: tuple[float, float] | None = None
    for n in order:
        pair = cavities[n], areas[n]
        if areas[n] > best or pair == last:
            found[n], best, last = True, areas[n], pair
    return found


def _patterns(selection: FrameworkSelection) -> str:
    """Return what a query says of the blocks and nets of `?framework`."""
    parts = [_holding(selection.nodes, "node"), _holding(selection.linkers, "linker")]
    if selection.net_symbols:
        names = " ".join(map(literal, selection.net_symbols))
        parts.append(f"VALUES ?symbol {{ {names} }} ?framework g:net/g:name ?symbol .")
    return " ".join(parts)


def _holding(blocks: Iterable[BuildingBlock], name: str) -> str:
    iris = " ".join(f"<{checked_iri(one.iri)}>" for one in blocks)
    pattern = f"?{name}Placed g:block ?{name} . ?framework g:blocks ?{name}Placed ."
    return f"VALUES ?{name} {{ {iris} }} {pattern}" if iris else ""


def _frameworks(kg: KnowledgeGraph, selection: FrameworkSelection) -> dict[str, _Known]:
    """Return what each framework is, by its IRI."""
    rows = rows_of(kg.store, FRAMEWORKS % _patterns(selection))
    return {
        framework: _Known(net, name, origin, start) for framework, name, net, origin, start in rows
    }


def _measured(
    kg: KnowledgeGraph, selection: FrameworkSelection, known: Mapping[str, _Known]
) -> tuple[PoreSettings | None, list[Measured], list[str]]:
    """Return the frameworks with pores, measured in the way in which most were, and remarks."""
    rows = [row for row in rows_of(kg.store, PORES % _patterns(selection)) if row[0] in known]
    if not rows:
        return None, [], []
    ways = Counter(settings for _, settings in {(row[0], row[3]) for row in rows})
    chosen = min(ways, key=lambda way: (-ways[way], way))
    found: dict[str, Measured] = {}
    again: set[str] = set()
    for framework, atoms, pores, settings, *numbers in sorted(rows):
        if settings == chosen:
            again |= {framework} & found.keys()
            one = known[framework]
            cavity, limiting, area = map(float, numbers)
            found.setdefault(
                framework,
                Measured(
                    one.net,
                    one.name,
                    framework,
                    pores,
                    cavity,
                    limiting,
                    area,
                    one.origin,
                    one.start,
                    atoms,
                ),
            )
    others = {row[0] for row in rows} - found.keys()
    remarks: list[str] = []
    if others:
        remarks.append(
            f"{count(len(others), 'framework')} measured with other settings only: "
            "left out, as numbers of different settings do not compare"
        )
    if again:
        remarks.append(
            f"{count(len(again), 'framework')} measured several times: the first by IRI is told"
        )
    return kg.pull(PoreSettings, chosen), sorted(found.values()), remarks


def _groups(known: Mapping[str, _Known], found: Sequence[Measured]) -> list[NetSurvey]:
    """Return what the frameworks of each net have in common, the most frameworks first."""
    counts = Counter(one.net for one in known.values() if not one.start)
    counts.update({one.net: 0 for one in found})  # relaxed elsewhere: what was built is not here
    by_net: defaultdict[str, list[Measured]] = defaultdict(list)
    for one in found:
        by_net[one.net].append(one)
    return [
        NetSurvey(
            net_symbol=net,
            frameworks_known=number,
            frameworks_measured=len(by_net[net]),
            mean_cavity=_mean([one.cavity for one in by_net[net]]),
            cavity_spread=_spread([one.cavity for one in by_net[net]]),
            mean_limiting=_mean([one.limiting for one in by_net[net]]),
            mean_area=_mean([one.area for one in by_net[net]]),
            area_spread=_spread([one.area for one in by_net[net]]),
        )
        for net, number in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def _mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None


def _spread(values: Sequence[float]) -> float | None:
    return statistics.stdev(values) if len(values) > 1 else None
