"""The orbitals around the frontier: which they are, as a table and as levels to be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ontologies.factors import HARTREE
from ontologies.units import Floats
from ontologies.wavefunction import WavefunctionAnalysis
from workflows.show.blocks import Axis, Block, Chart, Column, Series, Table, Value

NEAR = 8
"""Orbitals that are told of on either side of the frontier."""

BELOW, ABOVE = 20.0, 10.0
"""eV. Those farther than this from the frontier are not drawn: the others would lie too close."""


@dataclass(frozen=True)
class SpinOrbitals:
    """The orbitals of one spin, or those that both spins share.

    Attributes:
        spin: `alpha`, `beta` or `both spins`.
        energies: in Eh, ascending, shape (orbitals,).
        occupations: electrons in each, likewise.
    """

    spin: str
    energies: Floats
    occupations: Floats

    @cached_property
    def names(self) -> dict[int, str]:
        """The orbitals at the frontier by their positions: HOMO and LUMO, or SOMO and LUMO.

        Where both spins share orbitals, one with a single electron is a SOMO.
        """
        single = np.flatnonzero(self.occupations == 1) if self.spin == "both spins" else ()
        full, empty = np.flatnonzero(self.occupations > 0), np.flatnonzero(self.occupations == 0)
        top = dict.fromkeys(map(int, single), "SOMO") or dict.fromkeys(full[-1:].tolist(), "HOMO")
        return {**top, **dict.fromkeys(empty[:1].tolist(), "LUMO")}

    @property
    def near(self) -> range:
        """Positions of the orbitals around the frontier."""
        first, last = min(self.names, default=0), max(self.names, default=-1)
        return range(max(0, first - NEAR + 1), min(len(self.energies), last + NEAR))

    def electrons(self, index: int) -> str:
        """Return the electrons of an orbital as arrows, or their number if it is not whole."""
        held = float(self.occupations[index])
        if held not in (0.0, 1.0, 2.0):
            return f"{held:g}"
        return ("↓" if self.spin == "beta" else "↑↓")[: int(held)]


def channels(found: WavefunctionAnalysis) -> list[SpinOrbitals]:
    """Return the orbitals of an analysis, of each spin or of both."""
    first = (found.orbital_energies, found.occupations)
    if found.orbital_energies_beta is None or found.occupations_beta is None:
        return [SpinOrbitals("both spins", *first)]
    second = (found.orbital_energies_beta, found.occupations_beta)
    return [SpinOrbitals("alpha", *first), SpinOrbitals("beta", *second)]


def orbital_blocks(found: WavefunctionAnalysis) -> Iterator[Block]:
    """Return the orbitals around the frontier as a table and as levels.

    The label of a level names the orbital, where it has a name, and shows its electrons.
    """
    shown = channels(found)
    ranges = [channel.near for channel in shown]
    window = range(min(one.start for one in ranges), max(one.stop for one in ranges))
    columns = [Column("no.", name="orbital")]
    for channel in shown:
        which = f" {channel.spin}" if len(shown) > 1 else ""
        end = "_beta" if channel.spin == "beta" else ""
        columns += [
            Column(f"name{which}", name=f"name{end}"),
            Column(f"electrons{which}", name=f"occupations{end}", digits="g"),
            Column(f"energy{which}", "Eh", f"orbital_energies{end}", ".5f"),
            Column(f"energy{which}", "eV", f"orbital_energies{end}_eV", ".3f"),
        ]
    rows = [_row(shown, index) for index in window]
    total = len(found.orbital_energies)
    note = f"orbitals {window.start + 1} to {window.stop} of {total}"
    if found.level.reference == "restricted open-shell":
        note += "; energies are eigenvalues of the effective Fock operator of both spins"
    yield Table("Orbitals", tuple(columns), tuple(rows), "orbitals", note=note, minor=True)
    series = [one for place, part in enumerate(shown, 1) for one in _levels(part, float(place))]
    if series:
        ticks = tuple((float(place), part.spin) for place, part in enumerate(shown, 1))
        yield Chart(
            "Orbital energies",
            Axis("", ticks=ticks),
            Axis("orbital energy", "eV"),
            tuple(series),
            "orbital_levels",
            note="Orbitals around the frontier with their electrons; dashed ones are empty. Those "
            f"farther than {BELOW:g} eV below it or {ABOVE:g} eV above it are not drawn",
        )


def _row(shown: Sequence[SpinOrbitals], index: int) -> tuple[Value | None, ...]:
    cells: list[Value | None] = [index + 1]
    for channel in shown:
        energy = float(channel.energies[index])
        cells += [
            channel.names.get(index),
            float(channel.occupations[index]),
            energy,
            energy * HARTREE["eV"],
        ]
    return tuple(cells)


def _levels(channel: SpinOrbitals, place: float) -> Iterator[Series]:
    """Return the orbitals of a channel that are drawn: those with electrons, and empty ones."""
    energies = (channel.energies * HARTREE["eV"]).tolist()
    frontier = [energies[index] for index in channel.names]
    if not frontier:
        return
    low, high = min(frontier) - BELOW, max(frontier) + ABOVE
    drawn = [index for index in channel.near if low <= energies[index] <= high]
    for empty in (False, True):
        here = [index for index in drawn if bool(channel.occupations[index] > 0) is not empty]
        if here:
            yield Series(
                f"{channel.spin}{', empty' if empty else ''}",
                (place,) * len(here),
                tuple(energies[index] for index in here),
                "levels",
                tuple(channel.names.get(index, "") for index in here),
                tuple(map(channel.electrons, here)),
                dashed=empty,
            )
