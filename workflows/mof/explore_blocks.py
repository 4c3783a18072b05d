"""What is shown of stored frameworks together: by net, one by one, and pore size against area."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ontologies.mof_proposals import FrameworkSurvey
from ontologies.units import Floats
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Note, Series, Table
from workflows.show.object_blocks import Around, floats, shows

from .explore import unsurpassed

COLOURS = 7
"""Nets that have points of their own in the chart; those of the others are together."""


@shows(FrameworkSurvey, whole=True)
def _(found: FrameworkSurvey, around: Around) -> Iterator[Block]:
    del around
    known = sum(one.frameworks_known for one in found.groups)
    yield Fact(
        "frameworks",
        known,
        name="frameworks_known",
        headline=True,
        note=f"on {len(found.groups)} nets" if len(found.groups) > 1 else "",
    )
    yield Fact("with pores", len(found.frameworks), name="frameworks_measured", headline=True)
    if not found.groups:
        yield from map(Note, found.remarks)
        return
    if found.rank_correlation is not None:
        low, high = found.correlation_low, found.correlation_high
        ends = (
            (
                Fact("95 % from", low, name="correlation_low", digits=".2f"),
                Fact("to", high, name="correlation_high", digits=".2f"),
            )
            if low is not None and high is not None
            else ()
        )
        yield Fact(
            "cavity and area",
            found.rank_correlation,
            name="rank_correlation",
            digits="+.2f",
            note="rank correlation (Spearman)",
            also=ends,
            headline=True,
        )
    yield Table(
        "By net",
        (
            Column("net", name="net_symbol"),
            Column("frameworks", name="frameworks_known"),
            Column("with pores", name="frameworks_measured"),
            Column("cavity", "Å", "mean_cavity", ".2f"),
            Column("± spread", "Å", "cavity_spread", ".2f"),
            Column("limiting", "Å", "mean_limiting", ".2f"),
            Column("area", "m²/g", "mean_area", ".0f"),
            Column("± spread", "m²/g", "area_spread", ".0f"),
        ),
        tuple(
            (
                one.net_symbol or "not known",
                one.frameworks_known,
                one.frameworks_measured,
                one.mean_cavity,
                one.cavity_spread,
                one.mean_limiting,
                one.mean_area,
                one.area_spread,
            )
            for one in found.groups
        ),
        "groups",
        fields=("groups",),
        note="means, with standard deviations of single frameworks",
    )
    if found.cavities is not None and found.limiting is not None and found.areas is not None:
        yield from _each(found, found.cavities, found.limiting, found.areas)
    for text in found.remarks:
        yield Note(text)


def _shown(origin: str) -> str:
    return origin.upper() if origin == "not relaxed" else origin


def _each(
    found: FrameworkSurvey, cavities: Floats, limiting: Floats, areas: Floats
) -> Iterator[Block]:
    """Return the frameworks as a table and as a chart."""
    across, up = floats(cavities), floats(areas)
    best = unsurpassed(across, up)
    nets = [net or "not known" for net in found.framework_nets]
    yield Table(
        "Frameworks",
        (
            Column("framework", name="framework_labels"),
            Column("net", name="framework_nets"),
            Column("geometry", name="framework_origins"),
            Column("cavity", "Å", "cavities", ".2f"),
            Column("limiting", "Å", "limiting", ".2f"),
            Column("area", "m²/g", "areas", ".0f"),
            Column("", name="unsurpassed"),
            Column("structure", name="frameworks", minor=True),
            Column("pores", name="pores", minor=True),
        ),
        tuple(
            (
                label,
                net,
                origin,
                cavity,
                free,
                area,
                "unsurpassed" if top else "",
                link.iri,
                pores.iri,
            )
            for label, net, origin, cavity, free, area, top, link, pores in zip(
                found.framework_labels,
                nets,
                map(_shown, found.framework_origins or ("",) * len(nets)),
                across,
                floats(limiting),
                up,
                best,
                found.frameworks,
                found.pores,
                strict=True,
            )
        ),
        "survey",
        many=True,
        note="unsurpassed: no other has a larger cavity and as much area, or the reverse",
    )
    common = [net for net, _ in Counter(nets).most_common(COLOURS)]
    groups = {net: [n for n, one in enumerate(nets) if one == net] for net in common}
    groups["others"] = [n for n, one in enumerate(nets) if one not in common]
    yield Chart(
        "Pore size and area",
        Axis("largest cavity", "Å"),
        Axis("accessible area", "m²/g"),
        tuple(
            Series(
                net,
                tuple(across[n] for n in at),
                tuple(up[n] for n in at),
                "points",
                tuple(found.framework_labels[n] for n in at),
            )
            for net, at in groups.items()
            if at
        ),
        "pores_and_areas",
        note="a point for each framework",
    )
