"""What is shown of two crystals side by side."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.mof_parts import ComparedNumbers, FrameworkComparison
from workflows.show.blocks import Block, Column, Fact, Note, Table
from workflows.show.object_blocks import Around, floats, shows

COLUMNS = (
    Column("density", "g/cm³", "crystal_density", ".3f"),
    Column("cavity", "Å", "largest_cavity", ".2f"),
    Column("limiting", "Å", "pore_limiting", ".2f"),
    Column("area", "m²/g", "area_per_mass", ".0f"),
    Column("area", "m²/cm³", "area_per_volume", ".0f"),
    Column("void", "", "void_fraction", ".3f"),
    Column("helium void", "", "helium_void_fraction", ".3f"),
)


@shows(FrameworkComparison, whole=True)
def _(found: FrameworkComparison, around: Around) -> Iterator[Block]:
    del around
    rows = (
        (found.first_label, found.first_numbers),
        (found.second_label, found.second_numbers),
        ("difference", found.change),
    )
    yield Table(
        "Side by side",
        (
            Column("crystal", name="label"),
            *(Column(axis, "Å", f"cell_{axis}", ".2f") for axis in "abc"),
            *COLUMNS,
            Column("pores", name="pores", minor=True),
        ),
        tuple((label, *_told(numbers)) for label, numbers in rows),
        "comparison",
        fields=("first_label", "second_label", "first_numbers", "second_numbers", "change"),
        note="the second less the first; lengths of cells, the shortest first; accessible areas "
        "and void",
    )
    for label, value, name in (
        ("change of the largest cavity", found.change.largest_cavity, "largest_cavity_change"),
        ("change of the limiting diameter", found.change.pore_limiting, "pore_limiting_change"),
    ):
        if value is not None:
            yield Fact(label, value, "Å", name, digits="+.2f", headline=True)
    if found.built_again is not None:
        yield Fact("second, as it was built", found.built_again.iri, name="built_again", minor=True)
    for text in found.remarks:
        yield Note(text)


def _told(numbers: ComparedNumbers) -> tuple[float | str | None, ...]:
    lengths = [None] * 3 if numbers.cell_lengths is None else floats(numbers.cell_lengths)
    iri = numbers.pores.iri if numbers.pores else ""
    return (*lengths, *(getattr(numbers, column.name) for column in COLUMNS), iri)
