"""Answers as tables for a terminal, or as JSON and CSV for a program."""

from __future__ import annotations

import csv
import json
import sys
from typing import TYPE_CHECKING, Any

import click
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

from triplestore import Answer, Table

from .inspection import Portrait, RunLine, shorten, text

if TYPE_CHECKING:
    from .client import Result

HARTREE_IN_EV = 27.211386245981
"""CODATA 2022."""


def _console() -> Console:
    """Return a console that cuts nothing off when its output goes to a file or a pipe."""
    return Console() if sys.stdout.isatty() else Console(width=100_000, highlight=False)


def _table(*columns: str) -> RichTable:
    table = RichTable(box=box.SIMPLE, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _print(table: RichTable) -> None:
    console = _console()
    with console.capture() as captured:
        console.print(table)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    click.echo("\n".join(line for line in lines if line))


def answer(found: Answer, form: str) -> None:
    """Print the answer of a query."""
    if isinstance(found, bool):
        click.echo(json.dumps({"boolean": found}) if form == "json" else str(found).lower())
        return
    if isinstance(found, Table):
        header = list(found.variables)
        rows = [list(row) for row in found.rows]
        cut = found.cut
    else:
        header = ["subject", "predicate", "object"]
        rows = [[triple.subject, triple.predicate, triple.object] for triple in found]
        cut = None
    if form == "json":
        listed = [dict(zip(header, map(_plain, row), strict=True)) for row in rows]
        click.echo(json.dumps({"variables": header, "rows": listed, "cut": cut}, indent=2))
    elif form == "csv":
        writer = csv.writer(sys.stdout)
        writer.writerow(header)
        writer.writerows([text(term) for term in row] for row in rows)
    else:
        table = _table(*header)
        for row in rows:
            table.add_row(*(escape(_short(term)) for term in row))
        _print(table)
        click.echo(f"{len(rows)} row{'' if len(rows) == 1 else 's'}", err=True)
    if cut and form != "json":
        click.echo(f"cut: {cut}", err=True)


def _plain(term: Any) -> Any:
    """Return a term as JSON would have it: numbers and truth values as such."""
    kind = getattr(getattr(term, "datatype", None), "value", "").rpartition("#")[2]
    value = text(term)
    if term is None:
        return None
    if kind in ("integer", "int", "long"):
        return int(value)
    if kind in ("double", "float", "decimal"):
        number = float(value)
        return number if number - number == 0 else value
    if kind == "boolean":
        return value == "true"
    return value


def _short(term: Any) -> str:
    value = text(term)
    if hasattr(term, "datatype"):
        return value if len(value) <= 200 else value[:197] + "…"
    return shorten(value)


def runs(lines: list[RunLine]) -> None:
    """Print a list of runs."""
    table = _table("started", "subject", "goal", "level", "energy (Eh)", "status", "run")
    for line in lines:
        energy = "" if line.energy is None else f"{line.energy:.6f}"
        started = line.started[:19].replace("T", " ")
        cells = (started, line.subject, line.goal, line.level, energy, line.status)
        table.add_row(*map(escape, (*cells, shorten(line.run))))
    _print(table)


def portrait(shown: Portrait) -> None:
    """Print one object and its neighbours."""
    click.echo(shown.iri)
    table = _table("property", "value")
    for name, value in shown.properties:
        table.add_row(escape(name), escape(value))
    _print(table)
    if shown.referrers:
        table = _table("referred to as", "by")
        for name, iri in shown.referrers:
            table.add_row(escape(name), escape(shorten(iri)))
        _print(table)
    if shown.more:
        click.echo("… and more")


def summary(result: Result) -> None:
    """Print what a run came to."""
    from ontologies.quantum import FrequencyAnalysis, Optimisation

    atoms, level = result.atoms, result.level
    if result.status != "finished":
        click.echo(f"{result.status}: {result.message}")
    table = _table("quantity", "value")

    def row(name: str, value: str) -> None:
        table.add_row(name, escape(value))

    row("molecule", f"{atoms.formula}  charge {atoms.charge:+d}  multiplicity {atoms.multiplicity}")
    row("level of theory", level.label)
    if result.answers:
        last = result.last
        row("geometry", geometry_label(result))
        row("energy", f"{last.energy:.8f} Eh")
        row("dipole", f"{float((last.dipole**2).sum()) ** 0.5:.4f} D")
        if last.homo is not None and last.lumo is not None:
            gap = last.lumo - last.homo
            row("HOMO, LUMO", f"{last.homo:.5f}, {last.lumo:.5f} Eh")
            row("HOMO–LUMO gap", f"{gap:.5f} Eh = {gap * HARTREE_IN_EV:.3f} eV")
        if last.spin_squared is not None:
            spin = (atoms.multiplicity - 1) / 2
            row("⟨S²⟩", f"{last.spin_squared:.4f} (pure: {spin * (spin + 1):.4f})")
        if isinstance(last, Optimisation):
            row("optimisation", f"{last.steps} steps, gradient {last.max_gradient:.1e} Eh/bohr")
        if isinstance(last, FrequencyAnalysis):
            waves = ", ".join(f"{wave:.1f}" for wave in last.wavenumbers)
            row("wavenumbers", f"{waves or 'none'} cm⁻¹")
            if heat := result.thermochemistry:
                row("point group", f"{heat.point_group} (within {heat.symmetry_tolerance:g} Å)")
                row("zero-point energy", f"{heat.zero_point_energy:.6f} Eh")
                conditions = f"at {heat.temperature:g} K and {heat.pressure:g} Pa"
                row("Gibbs energy", f"{heat.gibbs_energy:.6f} Eh {conditions}")
        activity = result.answers[-1].activity
        how = "remembered, nothing computed" if result.reused else _computed(result)
        row("how", how)
        row("device", f"{activity.device.name}, {activity.threads} threads")
    row("geometry IRI", shorten(atoms.iri))
    row("run", shorten(result.run))
    _print(table)


def geometry_label(result: Result) -> str:
    """Return what is known of the geometry, in words that promise nothing more."""
    from ontologies.quantum import FrequencyAnalysis, Optimisation

    last = result.last
    if isinstance(last, FrequencyAnalysis):
        if last.stationarity == "minimum":
            return "minimum (no imaginary mode at this level)"
        return f"{last.stationarity}, {last.imaginary} imaginary"
    return "stationary, not verified" if isinstance(last, Optimisation) else "as given"


def _computed(result: Result) -> str:
    new = [answer for answer in result.all_answers if not answer.reused]
    spent = sum(answer.activity.wall_time for answer in new)
    old = len(result.all_answers) - len(new)
    return f"{len(new)} computed in {spent:.1f} s" + (f", {old} remembered" if old else "")
