"""The orbitals around the frontier: which they are, and a diagram of them as SVG."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ontologies.factors import HARTREE

from .charts import chart

if TYPE_CHECKING:
    from ontologies.units import Floats
    from ontologies.wavefunction import WavefunctionAnalysis

NEAR = 8
"""Orbitals that are told of on either side of the frontier."""

BELOW, ABOVE = 20.0, 10.0
"""eV. Those farther than this from the frontier are not drawn: the others would lie too close."""

LINE = 14.0
"""Pixels. Orbitals nearer to each other stand side by side, and labels keep this distance."""


BESIDE = 122.0
"""Pixels kept for labels beside the lines of a channel."""


@dataclass(frozen=True)
class Channel:
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


def channels(found: WavefunctionAnalysis) -> list[Channel]:
    """Return the orbitals of an analysis, of each spin or of both."""
    first = (found.orbital_energies, found.occupations)
    if found.orbital_energies_beta is None or found.occupations_beta is None:
        return [Channel("both spins", *first)]
    second = (found.orbital_energies_beta, found.occupations_beta)
    return [Channel("alpha", *first), Channel("beta", *second)]


def rows(shown: Sequence[Channel]) -> range:
    """Return the positions of the orbitals that stand in a table."""
    ranges = [channel.near for channel in shown]
    return range(min(one.start for one in ranges), max(one.stop for one in ranges))


def diagram(shown: Sequence[Channel], width: int = 560, height: int = 440) -> str:
    """Draw orbitals around the frontier over eV, with their electrons as arrows.

    Args:
        shown: the orbitals of each spin, or of both.
        width: in pixels.
        height: in pixels.
    """
    drawn = [_drawn(channel) for channel in shown]
    energies = np.concatenate([[energy for _, energy in part] for part in drawn])
    step = 5.0 if np.ptp(energies) > 12 else 2.0
    low = math.floor(float(energies.min()) / step) * step
    high = max(math.ceil(float(energies.max()) / step) * step, low + step)
    left, top, floor = 66, 16, height - 30

    def y(energy: float) -> float:
        return floor - (energy - low) / (high - low) * (floor - top)

    parts = [f'<path class="axis" d="M{left} {top}V{floor}"/>']
    for value in np.arange(low, high + step / 2, step).tolist():
        parts.append(f'<path class="axis" d="M{left - 5} {y(value):.1f}h5"/>')
        text = f'text-anchor="end">{_minus(f"{value:g}")}</text>'
        parts.append(f'<text x="{left - 9}" y="{y(value) + 4:.1f}" {text}')
    column = (width - left) / len(shown)
    for number, (channel, part) in enumerate(zip(shown, drawn, strict=True)):
        room = min(column - BESIDE, 170.0)
        start = left + column * number + (column - room - BESIDE) / 2 + 14
        parts += _column(channel, part, start, room, y)
        parts.append(
            f'<text x="{start + room / 2:.1f}" y="{height - 8}" text-anchor="middle">'
            f"{channel.spin}</text>"
        )
    return chart("Orbital energies in eV", parts, width, height, up="orbital energy / eV")


def _drawn(channel: Channel) -> list[tuple[int, float]]:
    """Return positions and energies in eV of the orbitals that are drawn."""
    energies = (channel.energies * HARTREE["eV"]).tolist()
    frontier = [energies[index] for index in channel.names]
    low, high = min(frontier) - BELOW, max(frontier) + ABOVE
    return [(index, energies[index]) for index in channel.near if low <= energies[index] <= high]


def _column(
    channel: Channel,
    drawn: Sequence[tuple[int, float]],
    left: float,
    room: float,
    y: Callable[[float], float],
) -> Iterator[str]:
    groups: list[list[tuple[int, float]]] = []
    for index, energy in drawn:
        if groups and y(groups[-1][0][1]) - y(energy) < LINE:
            groups[-1].append((index, energy))
        else:
            groups.append([(index, energy)])
    for group in groups:
        length = min(64.0, (room - 8 * (len(group) - 1)) / len(group))
        start = left + (room - length * len(group) - 8 * (len(group) - 1)) / 2
        for place, (index, energy) in enumerate(group):
            yield from _orbital(channel, index, energy, start + place * (length + 8), length, y)
    yield from _labels(channel, drawn, left + room + 6, y)
    edge = {name: channel.energies[index] for index, name in channel.names.items()}
    if {"HOMO", "LUMO"} <= edge.keys():
        low, high = (float(edge[name] * HARTREE["eV"]) for name in ("HOMO", "LUMO"))
        if y(low) - y(high) > 3 * LINE:
            yield (
                f'<text x="{left + room / 2:.1f}" y="{y((low + high) / 2) + 4:.1f}" '
                f'text-anchor="middle">gap {_minus(f"{high - low:.2f}")} eV</text>'
            )


def _orbital(
    channel: Channel,
    index: int,
    energy: float,
    x: float,
    length: float,
    y: Callable[[float], float],
) -> Iterator[str]:
    kind = "real" if channel.occupations[index] > 0 else "empty"
    said = f"orbital {index + 1}: {_minus(f'{energy:.3f}')} eV, occupation"
    yield (
        f'<path class="{kind}" d="M{x:.1f} {y(energy):.1f}h{length:.1f}">'
        f"<title>{said} {channel.occupations[index]:g}</title></path>"
    )
    arrows = channel.electrons(index).strip("0123456789.")
    for place, arrow in enumerate(arrows):
        at = x + length / 2 + (place - (len(arrows) - 1) / 2) * 7
        up = 1 if arrow == "↑" else -1
        yield (
            f'<path class="spin" d="M{at:.1f} {y(energy) + 6 * up:.1f}v{-12 * up}'
            f'm-2.5 {4 * up}l2.5 {-4 * up}l2.5 {4 * up}"/>'
        )


def _labels(
    channel: Channel, drawn: Sequence[tuple[int, float]], x: float, y: Callable[[float], float]
) -> Iterator[str]:
    """Write names and energies beside the orbitals, those of the frontier first."""
    taken: list[float] = []
    for index, energy in sorted(drawn, key=lambda one: (one[0] not in channel.names, one[0])):
        height = y(energy)
        if all(abs(height - other) >= LINE for other in taken):
            taken.append(height)
            name = channel.names.get(index, "")
            kind = ' class="peak"' if name else ""
            text = f"{name} {_minus(f'{energy:.2f}')}".strip()
            yield f'<text{kind} x="{x:.1f}" y="{height + 4:.1f}">{text}</text>'


def _minus(text: str) -> str:
    return text.replace("-", "−")
