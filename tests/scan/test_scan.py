"""Relaxed scans: their points, what is remembered, what is odd about them, bad input."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.provenance import Part, Run
from ontologies.quantum import RelaxedGeometry
from ontologies.scans import RelaxedScan
from ontologies.tightbinding import TightBinding
from tests.asking import asked_of
from tests.dft.conftest import Bench, bench
from tests.dft.structures import atoms
from triplestore.errors import InputError, RecipeError, ResourceError
from workflows.engine.request.form import fill
from workflows.engine.request.workflow import Finished
from workflows.registry.levels import LevelForm
from workflows.scan.findings import remarks_of
from workflows.scan.request import ScanRequest, in_ring
from workflows.show.blocks import Chart, Structure

__all__ = ["bench"]

KCAL, KJ = 627.509474, 2625.499640
PEROXIDE = atoms(
    [8, 8, 1, 1],
    [[0, 0.70, -0.05], [0, -0.70, -0.05], [0.8, 0.9, 0.4], [-0.8, -0.9, 0.4]],
)
CYANIDE = atoms([6, 7, 1], [[0, 0, 0], [0, 0, 1.15], [0.2, 0, -1.05]])
GFN2: dict[str, Any] = {"method": "GFN2-xTB"}
STO3G: dict[str, Any] = {"method": "HF", "basis": "STO-3G"}


def request(**asked: Any) -> ScanRequest:
    return fill(ScanRequest, asked)


def scan(bench: Bench, given: ConceptualAtoms, level: dict[str, Any], **asked: Any) -> Finished:
    wanted = fill(LevelForm, level)
    return bench.loop.call(
        lambda: asked_of("scan", given, request(**asked), wanted, bench.executor)
    )


def ethane(torsion: float) -> ConceptualAtoms:
    """Ethane with tetrahedral angles, C1-C2 and three hydrogens each."""
    up = [[1.02 * np.cos(a), 1.02 * np.sin(a), 1.13] for a in np.radians([0, 120, 240])]
    down = [
        [1.02 * np.cos(a), 1.02 * np.sin(a), -1.13]
        for a in np.radians([torsion, torsion + 120, torsion + 240])
    ]
    return atoms([6, 6, *[1] * 6], [[0, 0, 0.765], [0, 0, -0.765], *up, *down])


def test_the_barrier_of_ethane_is_that_of_the_books(bench: Bench) -> None:
    """HF/STO-3G 2.9 kcal/mol (W. J. Hehre, L. Radom, P. v. R. Schleyer, J. A. Pople, Ab Initio
    Molecular Orbital Theory, 1986); experiment 2.93 (S. Weiss, G. E. Leroi, J. Chem.
    Phys. 48, 962 (1968))."""
    asked: dict[str, Any] = {"coordinate": "dihedral 3 1 2 6", "start": 60, "end": 0, "points": 3}
    finish = scan(bench, ethane(60.0), STO3G, **asked)
    found: RelaxedScan = finish.state.scan
    assert [point.angle for point in found.points] == pytest.approx([60, 30, 0], abs=1e-3)
    assert (found.highest.value, found.lowest.value) == pytest.approx((0, 60), abs=1e-3)
    barrier = (found.highest.energy - found.lowest.energy) * KCAL
    assert barrier == pytest.approx(2.9, abs=0.1)
    # threefold: V3/2 (1 + cos 3φ), half of it on the way
    assert (found.points[1].energy - found.lowest.energy) * KCAL == pytest.approx(
        barrier / 2, abs=0.05
    )
    assert not found.remarks


def test_a_top_between_values_is_told(bench: Bench) -> None:
    """The parabola comes near to the eclipsed barrier of the same level, which no value has."""
    asked: dict[str, Any] = {"coordinate": "dihedral 3 1 2 6"}
    between = scan(bench, ethane(60.0), GFN2, **asked, start=40, end=-50, points=4).state.scan
    [told] = [one for one in between.remarks if "top lies between values" in one]
    top = scan(bench, ethane(60.0), GFN2, **asked, start=60, end=0, points=3).state.scan
    barrier = (top.highest.energy - top.lowest.energy) * KJ
    found = re.search(r"at (\S+)°, (\S+) kJ/mol above", told)
    assert found is not None
    assert abs(float(found[1])) < 6
    gap = (between.highest.energy - between.lowest.energy) * KJ
    assert gap < float(found[2])
    assert float(found[2]) == pytest.approx(barrier, abs=1.5)
    assert not [one for one in top.remarks if "top" in one]


def test_steps_that_pass_over_a_barrier_are_told(bench: Bench) -> None:
    asked: dict[str, Any] = {"coordinate": "dihedral 3 1 2 6", "start": 60, "end": 180}
    wide = scan(bench, ethane(60.0), GFN2, **asked, points=2).state.scan
    assert (wide.highest.energy - wide.lowest.energy) * KJ < 0.5
    assert [one for one in wide.remarks if "up to 120° apart" in one]


def test_the_barrier_of_methanol_is_that_of_the_books(bench: Bench) -> None:
    """HF/STO-3G 2.0 kcal/mol (the same book); experiment 1.07 (E. V. Ivash, D. M. Dennison, J.
    Chem. Phys. 21, 1804 (1953)): the basis set is too small, not the scan."""
    staggered = atoms(
        [6, 8, 1, 1, 1, 1],
        [
            [0, 0, 0],
            [1.43, 0, 0],
            [-0.36, -1.03, 0],
            [-0.36, 0.51, 0.89],
            [-0.36, 0.51, -0.89],
            [1.75, 0.93, 0],
        ],
    )
    asked: dict[str, Any] = {"coordinate": "dihedral 3 1 2 6", "start": 180, "end": 120}
    found: RelaxedScan = scan(bench, staggered, STO3G, **asked, points=2).state.scan
    barrier = (found.points[1].energy - found.points[0].energy) * KCAL
    assert barrier == pytest.approx(2.0, abs=0.06)


def test_a_scan_is_stored_with_its_parts_and_goes_on_where_it_was(bench: Bench) -> None:
    asked: dict[str, Any] = {"coordinate": "dihedral 3 1 2 4", "start": 120}
    scan(bench, PEROXIDE, GFN2, **asked, end=150, points=2)
    finish = scan(bench, PEROXIDE, GFN2, **asked, end=180, points=3)
    found: RelaxedScan = finish.state.scan
    assert [one.reused for one in finish.state.answers] == [True, True, False]
    assert bench.kg.pull(RelaxedScan, found.iri) == found
    before = None
    for point in found.points:
        result = point.result.load(bench.kg)
        assert isinstance(result, RelaxedGeometry)
        assert (result.energy, result.atoms.iri) == (point.energy, point.atoms.iri)
        assert result.constraints is not None
        assert before in (None, result.initial.iri)
        before = result.atoms.iri
    parts = bench.kg.find(Part, run=Link[Run](finish.run))
    assert {part.part for part in parts} == {"120°", "150°", "180°"}
    again = scan(bench, PEROXIDE, GFN2, **asked, end=180, points=3)
    assert all(one.reused for one in again.state.answers)
    assert again.state.scan == found


def test_a_scan_that_makes_another_bond_says_so(bench: Bench) -> None:
    """The hydrogen of HCN goes over to the nitrogen."""
    finish = scan(
        bench, CYANIDE, GFN2, coordinate="angle 3 1 2", start=160, end=25, step=15, both_ways=True
    )
    found: RelaxedScan = finish.state.scan
    there, back = found.ways()
    assert [point.value for point in back] == [point.value for point in there][-2::-1]
    assert len(there) == 10
    assert any("the bond N2-H3 is formed at" in remark for remark in found.remarks)
    assert 60 <= found.highest.value <= 90  # the saddle point has 73° (GFN2-xTB)


def test_values_that_fail_are_told_and_the_others_kept(bench: Bench) -> None:
    """Two steps are enough where it is relaxed already, and nowhere else."""
    asked: dict[str, Any] = {"coordinate": "dihedral 3 1 2 4", "start": 101}
    eased = scan(bench, PEROXIDE, GFN2, **asked, end=100, points=2).state
    start = eased.there[101.0].result.atoms
    found: RelaxedScan = scan(
        bench, start, GFN2, **asked, end=1, points=3, max_steps=2, both_ways=True
    ).state.scan
    assert [point.value for point in found.points] == [101]
    assert [failure.partition(":")[0] for failure in found.failures] == ["51°", "1°"]
    assert all("did not converge" in failure for failure in found.failures)
    with pytest.raises(RecipeError, match="none of 3 values came to a result; at 31°"):
        scan(bench, start, GFN2, **(asked | {"start": 31}), end=1, points=3, max_steps=1)


def relaxed(energy: float, places: Any) -> RelaxedGeometry:
    one = atoms([8, 8, 1, 1], places)
    return RelaxedGeometry(
        atoms=one,
        level=TightBinding(method="GFN2-xTB"),
        energy=energy,
        initial=one,
        steps=1,
        max_gradient=1e-5,
        energies=np.array([energy]),
        criteria="",
    )


def apart(places: Any, distance: float) -> Any:
    """Return hydrogen peroxide with its halves so far from each other, in Å."""
    return places + np.outer([1, -1, 1, -1], [0, distance / 2 - 0.7, 0])


def test_what_is_not_continuous_is_told() -> None:
    plan = request(coordinate="distance 1 2", start=1.4, end=2.0, points=7).plan(PEROXIDE)
    smooth = [
        (value, relaxed(0.01 * (value - 1.4) ** 2, apart(PEROXIDE.positions, value)))
        for value in plan.values
    ]
    assert not list(remarks_of(plan, PEROXIDE, smooth, []))
    turned = PEROXIDE.positions.copy()
    turned[3] *= [-1, 1, 1]
    flipped = [
        (value, relaxed(one.energy - 0.004, apart(turned, value))) if value > 1.65 else (value, one)
        for value, one in smooth
    ]
    told = list(remarks_of(plan, PEROXIDE, flipped, smooth[::-1]))
    assert any("the energy jumps between 1.6 Å and 1.7 Å, by -9.2 kJ" in text for text in told)
    assert any("the geometry changes at once between 1.6 Å and 1.7 Å" in text for text in told)
    assert any(text.startswith("there and back differ at 4 of 7") for text in told)
    assert "10.5 kJ/mol higher" in told[-1]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"coordinate": "dihedral 3 1 2 9", "end": 180}, "there are 4 atoms"),
        ({"coordinate": "dihedral 3 1 1 4", "end": 180}, "is no coordinate"),
        ({"coordinate": "distance 0 1", "end": 2}, "is no coordinate"),
        ({"coordinate": "freeze 1", "end": 2}, "drives nothing"),
        ({"coordinate": "distance 1 2 1.5", "end": 2}, "has a value already"),
        ({"coordinate": "'; DROP ALL \x1b[2J #", "end": 2}, "is no coordinate"),
        ({"coordinate": "distance 1 2", "end": 2, "points": 1}, "greater than or equal to 2"),
        ({"coordinate": "distance 1 2", "end": 2, "points": 1001}, "less than or equal to 1000"),
        ({"coordinate": "distance 1 2", "start": 2, "end": 2}, "starts where it ends"),
        ({"coordinate": "distance 1 2", "end": 2, "points": 3, "step": 0.1}, "give one of them"),
        ({"coordinate": "distance 1 2", "end": 2, "step": 1e-9}, "choose a step"),
        ({"coordinate": "distance 1 2", "end": float("nan")}, "finite"),
        ({"coordinate": "distance 1 2", "end": -1}, "no distance is held there"),
        ({"coordinate": "angle 3 1 2", "end": 180}, "beyond 175°"),
        (
            {"coordinate": "distance 1 2", "end": 2, "constraints": ("distance 2 1 1.4",)},
            "given twice",
        ),
    ],
)
def test_what_cannot_be_is_refused(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError) as refused:
        request(**asked).plan(PEROXIDE)
    assert told in str(refused.value)


def test_a_dihedral_angle_over_atoms_in_line_is_refused_before_anything_is_computed() -> None:
    acetylene = atoms([6, 6, 1, 1], [[0, 0, 0], [0, 0, 1.2], [0, 0, -1.06], [0, 0, 2.26]])
    asked = request(coordinate="dihedral 3 1 2 4", start=150, end=210)
    with pytest.raises(InputError, match=r"atoms 3, 1, 2 are in line \(180.0°\)"):
        asked.plan(acetylene)


def test_the_bond_of_a_ring_does_not_turn() -> None:
    ring = [
        [1.45 * np.cos(a), 1.45 * np.sin(a), 0.25 * (-1) ** n]
        for n, a in enumerate(np.radians(range(0, 360, 60)))
    ]
    six = atoms([6] * 6, ring)
    assert in_ring(six, 1, 2)
    assert not in_ring(PEROXIDE, 0, 1)
    asked = {"coordinate": "dihedral 1 2 3 4", "start": -60}
    with pytest.raises(InputError, match="in a ring"):
        request(**asked, end=180).plan(six)
    assert len(request(**asked, end=60).plan(six).values) == 13


def test_too_many_points_are_refused_by_the_estimate(bench: Bench) -> None:
    with pytest.raises(ResourceError, match="fewer points"):
        bench.loop.call(
            lambda: asked_of(
                "scan",
                ethane(60.0),
                request(coordinate="dihedral 3 1 2 6", end=0, points=1000),
                fill(LevelForm, {"method": "B3LYP", "basis": "def2-QZVP"}),
                bench.executor,
                hours=1.0,
            )
        )


def test_the_curve_is_shown_with_its_lowest_and_highest_geometry() -> None:
    with Grafico(store="memory:") as session:
        found = session.run(
            "OO",
            workflow="scan",
            coordinate="dihedral 3 1 2 4",
            start=110,
            end=180,
            points=3,
            **GFN2,
        )
        blocks = [block for section in found.shown_sections() for block in section.blocks]
        (chart,) = [one for one in blocks if isinstance(one, Chart) and one.name == "scan"]
        assert chart.x.unit == "°"
        assert chart.series[0].x == (110.0, 145.0, 180.0)
        drawn = [one for one in blocks if isinstance(one, Structure)]
        lowest, highest = found.scan.lowest, found.scan.highest
        assert {(one.title, one.iri) for one in drawn} >= {
            (f"lowest point, dihedral {lowest.value:g} °", found.atoms.iri),
            (f"highest point, dihedral {highest.value:g} °", found.top.iri),
        }
        assert (found.atoms.iri, found.top.iri) == (lowest.atoms.iri, highest.atoms.iri)
        told = found.as_json()
        assert [point["value_degree"] for point in told["points"]] == [110.0, 145.0, 180.0]
        assert min(point["relative_energy_Eh"] for point in told["points"]) == 0.0
