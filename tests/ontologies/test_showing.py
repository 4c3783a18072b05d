"""Blocks: nothing that is stored as a scalar or a small array is invisible."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from ogm import GraphModel
from ogm.model import subclasses
from ontologies.quantum import SinglePoint
from ontologies.units import Debye, Hartree, symbol
from tests.ontologies.instances import (
    ANALYSIS,
    BOUND,
    BRIGHT,
    ELECTRONIC,
    EVERYTHING,
    OPTIMISED,
    POPULATIONS,
    SPINS,
    WATER,
)
from workflows.show.blocks import Block, Chart, Fact, Note, Structure, Table
from workflows.show.object_blocks import SMALL, blocks_of, title_of

RESULTS = [one for one in EVERYTHING if type(one).identity() != "event"]


def numbers(blocks: tuple[Block, ...]) -> Iterator[tuple[float, str]]:
    """Every number of blocks with its unit."""
    for block in blocks:
        if isinstance(block, Fact):
            values = block.value if isinstance(block.value, tuple) else (block.value,)
            yield from ((float(v), block.unit) for v in values if isinstance(v, int | float))
            yield from numbers((*block.also, *block.at))
        elif isinstance(block, Table):
            for row in block.rows:
                for column, cell in zip(block.columns, row, strict=True):
                    if isinstance(cell, int | float):
                        yield float(cell), column.unit


@pytest.mark.parametrize("model", RESULTS, ids=lambda model: type(model).__name__)
def test_each_scalar_and_each_small_array_is_shown_with_its_unit(model: GraphModel) -> None:
    shown = list(numbers(blocks_of(model).blocks))
    text = repr(blocks_of(model).blocks)
    for plan in type(model).fields():
        value = getattr(model, plan.name)
        if value is None or plan.container != "one":
            continue
        unit = symbol(plan.unit)
        if plan.kind == "float" or (plan.kind == "array" and value.size <= SMALL and plan.unit):
            for number in np.ravel(value).tolist():
                found = any(math.isclose(number, n) and unit == u for n, u in shown)
                assert found, f"{plan.name} = {number} {unit}"
        elif plan.kind == "int":
            assert any(number == value for number, _ in shown), plan.name
        elif plan.kind in ("str", "enum") and value:
            assert repr(str(value))[1:-1] in text, plan.name


def test_a_class_of_which_nobody_has_heard_is_shown() -> None:
    class Polarizability(SinglePoint):
        mean_polarizability: Hartree
        axis: Debye | None = None

    found = Polarizability.model_validate({**ELECTRONIC, "mean_polarizability": 9.5})
    section = blocks_of(found)
    del Polarizability
    facts = {block.name: block for block in section.blocks if isinstance(block, Fact)}
    assert (section.title, section.name) == ("polarizability", "Polarizability")
    own = facts["mean_polarizability"]
    assert (own.label, own.value, own.unit) == ("mean polarizability", 9.5, "Eh")
    assert not own.minor
    assert not facts["energy"].minor
    assert facts["converged"].minor, "its hook leaves it to details"
    assert "axis" not in facts


def test_a_hook_takes_the_place_of_what_is_shown_by_default() -> None:
    facts = [block for block in blocks_of(POPULATIONS).blocks if isinstance(block, Fact)]
    names = [fact.name for fact in facts]
    assert len(names) == len(set(names))
    dipole = next(fact for fact in facts if fact.name == "dipole")
    assert (dipole.value, dipole.unit) == (2.0, "D")
    assert "dipole_moment" not in names
    tables = [block for block in blocks_of(POPULATIONS).blocks if isinstance(block, Table)]
    assert [table.name for table in tables] == ["charges", "bonds", "orbitals"]
    assert [column.label for column in tables[0].columns] == [
        "atom",
        "Mulliken",
        "Löwdin",
        "Hirshfeld",
    ]


def test_states_fragments_and_vibrations_are_tables() -> None:
    for model, rows in ((BRIGHT, 1), (ANALYSIS, 3), (SPINS, 1), (BOUND, 2)):
        table = next(b for b in blocks_of(model).blocks if isinstance(b, Table) and not b.minor)
        assert len(table.rows) == rows
        assert all(len(row) == len(table.columns) for row in table.rows)
    bright = next(b for b in blocks_of(BRIGHT).blocks if isinstance(b, Table) and not b.minor)
    assert bright.rows[0][2] == pytest.approx(1239.841984 / 7.5)


def test_curves_are_data() -> None:
    chart = next(b for b in blocks_of(OPTIMISED).blocks if isinstance(b, Chart))
    assert chart.y.unit == "kJ/mol"
    assert chart.series[0].y == pytest.approx((262.54996, 26.254996, 0.0), abs=1e-4)
    levels = next(b for b in blocks_of(POPULATIONS).blocks if isinstance(b, Chart))
    assert levels.x.ticks == ((1.0, "both spins"),)
    assert [(one.labels, one.marks, one.dashed) for one in levels.series] == [
        (("HOMO",), ("↑↓",), False),
        (("LUMO",), ("",), True),
    ]


def test_a_structure_comes_with_its_bonds() -> None:
    drawn = next(b for b in blocks_of(WATER).blocks if isinstance(b, Structure))
    assert drawn.symbols == ("O", "H", "H")
    assert {bond[:2] for bond in drawn.bonds} == {(0, 1), (0, 2)}


def test_remarks_are_notes() -> None:
    notes = [b.text for b in blocks_of(SPINS).blocks if isinstance(b, Note)]
    assert notes == ["multiplicity 3 failed: it does not fit", "a closed shell"]


def test_names_of_classes_are_words() -> None:
    assert {title_of(cls) for cls in subclasses(GraphModel)} >= {
        "spin state scan",
        "single point",
        "vibrations",
    }


def test_modes_move_the_atoms_and_the_strongest_of_many_are_kept() -> None:
    many = 1_200  # more than are carried for three atoms
    rng = np.random.default_rng(3)
    modes = rng.normal(size=(many, 3, 3))
    light = np.arange(many, dtype=float)
    waves = np.linspace(-50.0, 4000.0, many)
    found = ANALYSIS.model_copy(
        update={
            "modes": modes,
            "wavenumbers": waves,
            "infrared": light,
            "reduced_masses": np.ones(many),
        }
    )
    [drawn] = [b for b in blocks_of(found).blocks if isinstance(b, Structure)]
    assert len(drawn.motions) == 1000
    imaginary = int((waves <= 0).sum())
    assert drawn.motions[0].label == "mode 1, −50.0 cm⁻¹, 0.0 km/mol"
    assert drawn.motions[imaginary].label.startswith(f"mode {many - 1000 + imaginary + 1},")
    for motion, mode in ((drawn.motions[0], modes[0]), (drawn.motions[-1], modes[-1])):
        shifts = np.array(motion.shifts)
        assert np.linalg.norm(shifts, axis=1).max() == pytest.approx(0.3)
        assert (shifts / shifts[0, 0]).ravel() == pytest.approx((mode / mode[0, 0]).ravel())
