"""A curve of energies along a coordinate, computed here or read from a file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ontologies.factors import HARTREE
from workflows.show.blocks import Axis, Chart, Fact, Series

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]


@dataclass(frozen=True)
class Curve:
    """Energies along a coordinate.

    Attributes:
        label: the coordinate, such as `dihedral 1-2-3-4`.
        unit: of its values, Å or °.
        ways: the word for each way, with its values and its energies in Eh.
    """

    label: str
    unit: str
    ways: Sequence[tuple[str, Sequence[float], Sequence[float]]]

    @property
    def lowest(self) -> float:
        """The lowest energy, in Eh."""
        return min(min(energies) for _, _, energies in self.ways)

    @property
    def digits(self) -> str:
        """How values of the coordinate are written."""
        return ".2f" if self.unit == "°" else ".4f"

    def barrier(self) -> Fact:
        """Return how far the highest point lies above the lowest, and where it is."""
        high, at = max(
            (energy, value)
            for _, values, energies in self.ways
            for value, energy in zip(values, energies, strict=True)
        )
        gap = high - self.lowest
        return Fact(
            "highest above lowest",
            gap * KJ,
            "kJ/mol",
            "barrier",
            digits=".2f",
            headline=True,
            also=(Fact("", gap * KCAL, "kcal/mol", "barrier", digits=".2f"),),
            at=(Fact("at", at, self.unit, "highest_value", digits=self.digits),),
        )

    def chart(self, note: str) -> Chart:
        """Return the curve, above its lowest point."""
        ways = [way for way in self.ways if way[1]]
        return Chart(
            f"Energy along the {self.label}",
            Axis(self.label, self.unit),
            Axis("ΔE", "kJ/mol"),
            tuple(
                Series(
                    word if len(ways) > 1 else "",
                    tuple(values),
                    tuple((energy - self.lowest) * KJ for energy in energies),
                    kind,
                    dashed=word == "back",
                )
                for word, values, energies in ways
                for kind in ("line", "points")
            ),
            "scan",
            note=note,
        )
