"""Energies of the rows of a batch relative to the lowest, where all have the same atoms."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ogm import GraphModel, KnowledgeGraph
from ontologies.factors import GAS_CONSTANT, HARTREE
from workflows.show.blocks import Fact
from workflows.text.names import called

from .rows import Row

MANY = 500
"""Rows of which it is looked whether they have the same atoms."""

ROOM = 298.15
"""K, where nothing else is said."""

POPULATION = ("population", "populations", "weight", "boltzmann", "boltzmann weight")
"""What people call the share of each in a mixture."""


def with_relatives(kg: KnowledgeGraph, rows: Sequence[Row], words: Sequence[str]) -> Iterator[Row]:
    """Iterate over rows, with what their total energies are above the lowest at the same settings.

    They have none where rows differ in composition, or one alone has finished. A share of each in
    a mixture is told where it is asked for, from the last of these energies.

    Args:
        kg: where they are stored.
        rows: of a batch.
        words: what else is asked of each.
    """
    done = [one for one in rows if one.status == "finished" and one.geometry]
    if len(done) < 2 or len(rows) > MANY or len({one.entry.size for one in done}) > 1:
        yield from rows
        return
    models = kg.pull_all(GraphModel, list(dict.fromkeys(one.geometry for one in done)))
    formulas = {(called(one), getattr(one, "charge", 0)) for one in models}
    totals = [name for name, one in done[0].facts.items() if _is_total(one)]
    if len(formulas) > 1 or not all(formulas) or not totals:
        yield from rows
        return
    alike = defaultdict[str, list[Row]](list)
    for one in done:
        alike[json.dumps(dict(one.said), sort_keys=True, default=str)].append(one)
    more: dict[int, dict[str, Fact]] = {}
    for group in alike.values():
        if len({one.geometry for one in group}) > 1:
            more |= _of_group(group, totals, [x for x in words if x.lower() in POPULATION])
    for one in rows:
        yield replace(one, facts={**one.facts, **more.get(id(one), {})})


def _of_group(
    rows: Sequence[Row], totals: Sequence[str], shares: Sequence[str]
) -> dict[int, dict[str, Fact]]:
    found: dict[int, dict[str, Fact]] = {id(one): {} for one in rows}
    for name in totals:
        there = [(one, v) for one in rows if isinstance(v := _value(one, name), float)]
        lowest = min((value for _, value in there), default=0.0)
        for one, value in there:
            fact = one.facts[name]
            above = (value - lowest) * HARTREE["kJ/mol"]
            known = f"relative_{name}"
            found[id(one)][known] = Fact(
                f"relative {fact.label.strip()}", above, "kJ/mol", known, digits=".2f",
                headline=True, difference=True,
            )  # fmt: skip
        if name != totals[-1] or not shares:
            continue
        kelvin = float(rows[0].said.get("temperature") or ROOM)
        weights = [
            math.exp(-(v - lowest) * HARTREE["kJ/mol"] * 1000 / (GAS_CONSTANT * kelvin))
            for _, v in there
        ]
        for (one, _), weight in zip(there, weights, strict=True):
            label = f"population at {kelvin:g} K by {one.facts[name].label.strip()}"
            share = 100 * weight / sum(weights)
            found[id(one)] |= {
                word: Fact(label, share, "%", word, digits=".1f", headline=True) for word in shares
            }
    return found


def _is_total(fact: Fact) -> bool:
    """Tell whether a fact is a total energy, and none of an orbital, which is told in eV, too."""
    in_ev = any(one.unit == "eV" and not one.label for one in fact.also)
    return fact.unit == "Eh" and fact.headline and not fact.difference and not in_ev


def _value(row: Row, name: str) -> object:
    fact = row.facts.get(name)
    return fact.value if fact else None
