"""How the energy goes along what has many geometries."""

from __future__ import annotations

from ontologies.factors import HARTREE
from ontologies.units import Floats

from .blocks import Axis, Chart, Series
from .object_blocks import floats

KJ = HARTREE["kJ/mol"]


def course(
    title: str,
    energies: Floats,
    note: str,
    *,
    name: str = "course",
    axis: str = "step",
    first: int = 1,
    zero: int = -1,
    aside: bool = True,
) -> Chart:
    """Return the chart of energies in Eh, in kJ/mol above one of them.

    Args:
        title: of the chart.
        energies: in order, shape (n,).
        note: what stands below it.
        name: by which the chart is asked for.
        axis: what is counted.
        first: the number of the first.
        zero: the place of the energy from which others count.
        aside: whether it is beside the point.
    """
    places = tuple(float(n) for n in range(first, first + len(energies)))
    above = floats((energies - energies[zero]) * KJ)
    both = (Series("", places, above, "line"), Series("", places, above, "points"))
    return Chart(title, Axis(axis), Axis("ΔE", "kJ/mol"), both, name, note=note, aside=aside)
