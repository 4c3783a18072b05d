"""What is shown beside what every field shows by itself."""

from __future__ import annotations

from collections.abc import Iterator

from workflows.blocks import Axis, Block, Chart, Column, Fact, Series, Table
from workflows.object_blocks import Around, shows

from .model import PiBonds, PiOrbitals, Skeleton


@shows(Skeleton)
def _(skeleton: Skeleton, around: Around) -> Iterator[Block]:
    yield Fact("skeleton", skeleton.name, name="name", fields=("carbons", "ring"), headline=True)


@shows(PiOrbitals, title="pi orbitals")
def _(found: PiOrbitals, around: Around) -> Iterator[Block]:
    yield Fact("energy of pi electrons", found.energy, "eV", "energy", digits=".3f", headline=True)
    yield Fact("gap", found.gap, "eV", "gap", digits=".3f")
    energies = tuple(float(one) for one in found.orbitals)
    yield Chart(
        "pi orbitals", Axis(""), Axis("energy", "eV"),
        (Series("", tuple(0.0 for _ in energies), energies, "levels"),), "orbitals",
    )  # fmt: skip


@shows(PiBonds, title="pi bonds")
def _(found: PiBonds, around: Around) -> Iterator[Block]:
    atoms = found.skeleton.carbons
    rows = ((f"{n + 1}-{(n + 1) % atoms + 1}", float(one)) for n, one in enumerate(found.orders))
    yield Table(
        "pi bonds", (Column("atoms", name="atoms"), Column("order", name="orders", digits=".3f")),
        tuple(rows), "orders",
    )  # fmt: skip
