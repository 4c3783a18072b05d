"""Blocks in the unit of energy that a person reads: kJ/mol or kcal/mol."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, TypeAlias

from ontologies.factors import HARTREE

from .blocks import Axis, Block, Chart, Fact, Section, Table, Value

EnergyUnit: TypeAlias = Literal["", "kJ/mol", "kcal/mol"]
"""Of reaction energies and the like; empty for the usual one of each."""

_MOLAR = ("kJ/mol", "kcal/mol")


def in_units(sections: Iterable[Section], unit: EnergyUnit) -> tuple[Section, ...]:
    """Return sections with energies per mole in one unit; total energies stay in Eh.

    A number that is said in that unit already comes first, and in the other behind it.

    Args:
        sections: what is shown to people.
        unit: `kJ/mol` or `kcal/mol`; empty to leave all as it is.
    """
    if not unit:
        return tuple(sections)
    return tuple(
        replace(one, blocks=tuple(_block(block, unit) for block in one.blocks)) for one in sections
    )


def fact_in(fact: Fact, unit: EnergyUnit) -> Fact:
    """Return a fact, see `in_units`."""
    also = tuple(fact_in(one, unit) if one.label else one for one in fact.also)
    fact = replace(fact, also=also)
    if not unit or fact.unit not in _MOLAR or fact.unit == unit:
        return fact
    same = [one for one in also if one.unit == unit and not one.label]
    if not same:
        return replace(fact, value=_each(fact.value, fact.unit, unit), unit=unit)
    old = Fact("", fact.value, fact.unit, fact.name, digits=fact.digits)
    others = tuple(old if one is same[0] else one for one in also)
    return replace(fact, value=same[0].value, unit=unit, digits=same[0].digits, also=others)


def _block(block: Block, unit: EnergyUnit) -> Block:
    match block:
        case Fact():
            return fact_in(block, unit)
        case Table():
            return _table(block, unit)
        case Chart():
            return _chart(block, unit)
        case _:
            return block


def _table(table: Table, unit: EnergyUnit) -> Table:
    units = [one.unit if one.unit in _MOLAR else "" for one in table.columns]
    columns = tuple(
        replace(one, unit=unit) if old else one
        for one, old in zip(table.columns, units, strict=True)
    )
    rows = tuple(
        tuple(
            _one(cell, old, unit) if old and cell is not None else cell
            for cell, old in zip(row, units, strict=True)
        )
        for row in table.rows
    )
    return replace(table, columns=columns, rows=rows)


def _chart(chart: Chart, unit: EnergyUnit) -> Chart:
    def along(values: tuple[float, ...], axis: Axis) -> tuple[float, ...]:
        factor = _factor(axis.unit, unit)
        return values if factor == 1.0 else tuple(factor * value for value in values)

    series = tuple(
        replace(one, x=along(one.x, chart.x), y=along(one.y, one.axis or chart.y), axis=second)
        for one in chart.series
        for second in (_axis(one.axis, unit) if one.axis else None,)
    )
    return replace(chart, x=_axis(chart.x, unit), y=_axis(chart.y, unit), series=series)


def _axis(axis: Axis, unit: EnergyUnit) -> Axis:
    factor = _factor(axis.unit, unit)
    if factor == 1.0:
        return axis
    ticks = tuple((factor * place, text) for place, text in axis.ticks)
    reach = None if axis.reach is None else factor * axis.reach
    return replace(axis, unit=unit, ticks=ticks, reach=reach)


def _each(
    value: Value | tuple[Value, ...], old: str, unit: EnergyUnit
) -> Value | tuple[Value, ...]:
    if isinstance(value, tuple):
        return tuple(_one(one, old, unit) for one in value)
    return _one(value, old, unit)


def _one(value: Value, old: str, unit: EnergyUnit) -> Value:
    return value * _factor(old, unit) if isinstance(value, float) else value


def _factor(old: str, unit: EnergyUnit) -> float:
    return HARTREE[unit] / HARTREE[old] if unit and old in _MOLAR and old != unit else 1.0
