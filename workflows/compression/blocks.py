"""What is shown of an equation of state: its numbers with errors, its points, its curve."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontologies.compression import EquationOfState
from ontologies.factors import HARTREE
from ontologies.units import Floats
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Note, Series, Table
from workflows.show.object_blocks import Around, floats, shows

from .fit import Fitted

KJ = HARTREE["kJ/mol"]


@shows(EquationOfState, whole=True)
def _(found: EquationOfState, around: Around) -> Iterator[Block]:
    del around
    if found.problem:
        yield Fact("equation of state", found.problem, name="problem", headline=True)
    for label, unit, name, digits, head in (
        ("bulk modulus", "GPa", "bulk_modulus", ".1f", True),
        ("pressure derivative", "", "pressure_derivative", ".2f", False),
        ("equilibrium volume", "Å³", "equilibrium_volume", ".3f", True),
    ):
        value, error = getattr(found, name), getattr(found, f"{name}_error")
        if value is not None:
            yield Fact(
                label,
                value,
                unit,
                name,
                digits=digits,
                headline=head,
                also=(_within(error, unit, f"{name}_error"),),
            )
    lengths = found.lattice_lengths
    if lengths is not None:
        same = np.allclose(lengths, lengths[0], rtol=1e-6)
        yield Fact(
            "lattice constant" if same else "lattice constants a, b, c",
            float(lengths[0]) if same else floats(lengths),
            "Å",
            "lattice_lengths",
            digits=".4f",
            headline=True,
            note=f"conventional cell, {found.space_group}",
            also=(_within(found.lattice_error or 0.0, "Å", "lattice_error"),),
            fields=("lattice_lengths", "space_group"),
        )
    if found.equilibrium_energy is not None:
        yield Fact("energy there", found.equilibrium_energy, "Eh", "energy", digits=".8f",
                   fields=("equilibrium_energy",))  # fmt: skip
    if found.residual is not None:
        yield Fact("left by the fit", found.residual, "Eh", "residual", digits=".1e")
    yield Fact("positions", found.relaxed, name="relaxed",
               digits="relaxed at each volume|scaled with the cell", minor=True)  # fmt: skip
    if found.equilibrium is not None:
        yield Fact("cell there", found.equilibrium.iri, name="equilibrium", minor=True)
    low = min(point.energy for point in found.points)
    yield Table(
        "Points",
        (
            Column("volume", "Å³", "cell_volume", ".3f"),
            Column("energy", "Eh", "energy", ".8f"),
            Column("above", "kJ/mol", "relative", ".3f"),
            Column("", name="mark"),
            Column("cell", name="atoms", minor=True),
            Column("result", name="result", minor=True),
        ),
        tuple(
            (
                point.cell_volume,
                point.energy,
                (point.energy - low) * KJ,
                "" if point.fitted else "not fitted",
                point.atoms.iri,
                point.result.iri,
            )
            for point in found.points
        ),
        "points",
    )
    yield _chart(found, low)
    for text in found.failures:
        which, _, why = text.partition(": ")
        yield Note(f"{which} failed: {why}")


def _within(error: float, unit: str, name: str) -> Fact:
    """Return an error as what is said in one breath with its value."""
    return Fact("±", error, unit, name, digits=".2g")


def _chart(found: EquationOfState, low: float) -> Chart:
    """Return the points and the fitted curve, above the lowest point."""
    volumes: Floats = np.array([point.cell_volume for point in found.points])
    fits = bool(found.bulk_modulus)
    kinds = {"computed": True, "computed, not fitted": False} if fits else {"computed": None}
    series = [
        Series(
            name,
            tuple(point.cell_volume for point in some),
            tuple((point.energy - low) * KJ for point in some),
            "points",
        )
        for name, kind in kinds.items()
        if (some := [one for one in found.points if kind in (None, one.fitted)])
    ]
    if found.bulk_modulus and found.pressure_derivative is not None:
        assert found.equilibrium_energy is not None
        assert found.equilibrium_volume is not None
        fitted = Fitted(
            "",
            found.equilibrium_energy,
            (found.equilibrium_volume, 0.0),
            (found.bulk_modulus, 0.0),
            (found.pressure_derivative, 0.0),
        )
        between: Floats = np.linspace(float(volumes.min()), float(volumes.max()), 61)
        above = (fitted.curve(between) - low) * KJ
        series.insert(0, Series("Birch–Murnaghan", floats(between), floats(above), "line"))
    return Chart(
        "Equation of state",
        Axis("volume of the cell", "Å³"),
        Axis("ΔE", "kJ/mol"),
        tuple(series),
        "equation",
        note="Energy of the cell above the lowest point",
    )
