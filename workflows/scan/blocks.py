"""What is shown of a scan: its curve, its points, its highest and lowest geometry."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.atoms import ConceptualAtoms
from ontologies.quantum import RelaxedGeometry
from ontologies.scans import RelaxedScan
from workflows.geometry.curve import KJ, Curve
from workflows.molecule.blocks import structure
from workflows.show.blocks import Block, Column, Fact, Note, Table
from workflows.show.object_blocks import Around, shows


@shows(RelaxedScan, whole=True)
def _(scan: RelaxedScan, around: Around) -> Iterator[Block]:
    low, high = scan.lowest, scan.highest
    curve = Curve(
        scan.label,
        scan.unit,
        [
            (word, [point.value for point in way], [point.energy for point in way])
            for word, way in zip(("there", "back"), scan.ways(), strict=True)
            if way
        ],
    )
    digits = curve.digits
    yield Fact("coordinate", scan.label, name="coordinate", fields=("coordinate", "members"))
    yield curve.barrier()
    both = any(point.backward for point in scan.points)
    yield Fact("lowest", low.value, scan.unit, "lowest_value", digits=digits)
    if scan.constraints is not None:
        yield Fact("held besides", scan.constraints.iri, name="constraints")
    yield Table(
        "Points",
        (
            Column(scan.coordinate, scan.unit, "value", digits),
            *((Column("way", name="way"),) if both else ()),
            Column("energy", "Eh", "energy", ".8f"),
            Column("above", "kJ/mol", "relative", ".2f"),
            Column("", name="mark"),
            Column("geometry", name="atoms", minor=True),
            Column("result", name="result", minor=True),
        ),
        tuple(
            (
                point.value,
                *((("back" if point.backward else "there"),) if both else ()),
                point.energy,
                (point.energy - low.energy) * KJ,
                "highest" if point == high else "lowest" if point == low else "",
                point.atoms.iri,
                point.result.iri,
            )
            for point in scan.points
        ),
        "points",
    )
    yield curve.chart("All else relaxed at each point; above the lowest point")
    for point, word in ((low, "lowest"), (high, "highest")):
        atoms = _geometry(around, point.result, point.atoms)
        if atoms is not None:
            title = f"{word} point, {scan.coordinate} {point.value:g} {scan.unit}"
            yield structure(atoms, title, "relaxed under constraints")
    for text in scan.failures:
        which, _, why = text.partition(": ")
        yield Note(f"{which} failed: {why}")


def _geometry(around: Around, *links: object) -> ConceptualAtoms | None:
    """Return the geometry that one of some links leads to, if it is at hand."""
    for link in links:
        found = around.of(link)  # pyright: ignore[reportArgumentType]
        if isinstance(found, RelaxedGeometry):
            return found.atoms
        if isinstance(found, ConceptualAtoms):
            return found
    return None
