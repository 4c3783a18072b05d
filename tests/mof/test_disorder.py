"""Sites that exclude each other: one of them is kept, and none is bonded to the other."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest

from tests.mof.test_bad_crystals import HEAD
from triplestore.errors import InputError
from workflows.mof.apart import take_apart
from workflows.mof.cleaning import Crystal, Disorder, read_crystal

SHARED = Path(__file__).parents[3] / "shared" / "data" / "crystals"
GIVEN = [Path(__file__).parents[2] / "shared" / "data" / "crystals", SHARED]
"""Where measured crystals may be that the project does not carry."""

COLUMNS = "_atom_site_occupancy\n_atom_site_disorder_assembly\n_atom_site_disorder_group\n"


def given(name: str) -> Path:
    for folder in GIVEN:
        if (folder / f"{name}.cif").exists():
            return folder / f"{name}.cif"
    return pytest.skip("the crystals are not here")


def read(
    folder: Path,
    rows: list[tuple[str, float, float, float, float, str]],
    edge: float = 20.0,
    disorder: Disorder = "majority",
    more: str = "",
) -> Crystal:
    """Read a crystal of rows of label, x, y, z in Å, share, and assembly with group."""
    text = HEAD.format(name="x", edge=edge) + COLUMNS
    for label, x, y, z, share, group in rows:
        symbol = label.rstrip("0123456789'")
        text += f"{label} {symbol} {x / edge:.6f} {y / edge:.6f} {z / edge:.6f} {share} {group}\n"
    (folder / "x.cif").write_text(text + more)
    return read_crystal(folder / "x.cif", disorder)


def split_cluster(share: float = 0.5) -> list[tuple[str, float, float, float, float, str]]:
    """Zn4O of which the tetrahedron points up or down, as in MOF-177 and many of its kind."""
    rows = [("O1", 10.0, 10.0, 10.0, 1.0, ". .")]
    for sign, name in ((1, ""), (-1, "'")):
        rows.append((f"Zn1{name}", 10.0, 10.0, 10 + sign * 1.95, share, ". ."))
        for n in range(3):
            x, y = (1.838 * f(2 * math.pi * n / 3) for f in (math.cos, math.sin))
            rows.append((f"Zn{n + 2}{name}", 10 + x, 10 + y, 10 - sign * 0.65, share, ". ."))
    return rows


def test_a_split_cluster_is_whole(tmp_path: Path) -> None:
    """Of eight half zinc atoms the four of one tetrahedron stay, whichever is named first."""
    for rows in (split_cluster(), [*split_cluster()[:1], *split_cluster()[:0:-1]]):
        found = read(tmp_path, rows)
        zinc = found.atoms.positions[found.atoms.numbers == 30]
        lengths = [math.dist(a, b) for a, b in itertools.combinations(zinc.tolist(), 2)]
        assert len(zinc) == 4
        assert lengths == pytest.approx([3.184] * 6, abs=0.01)
        assert "4 atoms were left out" in found.remarks[0]


def test_a_split_atom_stays_once(tmp_path: Path) -> None:
    """Also where it is split over more sites than two, each of which is there seldom."""
    for parts in (2, 3, 4):
        ring = [
            ("Cd1", 10 + 0.5 * math.cos(a), 10 + 0.5 * math.sin(a), 10.0, 1 / parts, ". .")
            for a in (2 * math.pi * n / parts for n in range(parts))
        ]
        assert read(tmp_path, [("O1", 5.0, 5.0, 5.0, 1.0, ". ."), *ring]).atoms.formula == "CdO"


def test_what_is_there_seldom_goes(tmp_path: Path) -> None:
    rows = [("Cu1", 5.0, 5.0, 5.0, 1.0, ". ."), ("O1", 10.0, 10.0, 10.0, 0.3, ". .")]
    assert read(tmp_path, rows).atoms.formula == "Cu"


def test_a_place_of_three_elements_is_taken(tmp_path: Path) -> None:
    rows = [
        (f"{element}1", 5.0, 5.0, 5.0, share, ". .")
        for element, share in (("Zn", 0.4), ("Co", 0.3), ("Ni", 0.3))
    ]
    assert read(tmp_path, rows).atoms.formula == "Zn"
    with pytest.raises(InputError, match="1 place of its cell"):
        read(tmp_path, rows, disorder="refuse")


@pytest.mark.parametrize(
    ("groups", "angle"), [((". .", ". ."), 45), (("A 1", "A 2"), 90), ((". 1", ". 2"), 60)]
)
def test_half_a_ring_is_not_mixed(tmp_path: Path, groups: tuple[str, str], angle: int) -> None:
    """Two benzene rings about one axis, turned: one of them stays, whole."""
    rows: list[tuple[str, float, float, float, float, str]] = []
    for turn, group in zip((0.0, math.radians(angle)), groups, strict=True):
        for n in range(6):
            a = math.pi * n / 3
            x, flat = 1.39 * math.cos(a), 1.39 * math.sin(a)
            place = 10 + x, 10 + flat * math.cos(turn), 10 + flat * math.sin(turn)
            if abs(flat) > 0.1:
                rows.append((f"C{n}{chr(39) * bool(turn)}", *place, 0.5, group))
            elif not turn:
                rows.append((f"C{n}", *place, 1.0, ". ."))
    found = read(tmp_path, rows)
    assert found.atoms.formula == "C6"
    offset = found.atoms.positions - found.atoms.positions.mean(axis=0)
    assert np.linalg.svd(offset)[1][2] < 1e-3  # flat
    lengths = np.sort(np.linalg.norm(offset[:, None] - offset[None], axis=-1), axis=1)[:, 1:3]
    assert lengths == pytest.approx(1.39, abs=1e-3)


def test_whole_waters_beside_their_images_are_one(tmp_path: Path) -> None:
    """A file without shares: a mirror puts the water beside itself, 1.01 Å apart."""
    rows = [
        ("Cu1", 10.0, 10.0, 6.5, 1.0, ". ."),
        ("O1", 10.5, 10.0, 9.0, 1.0, ". ."),
        ("O1", 9.49, 10.0, 9.0, 1.0, ". ."),
    ]
    found = read(tmp_path, rows, disorder="refuse")
    assert found.atoms.formula == "CuO"
    assert "such as that of O1 with 1.01 Å" in found.remarks[0]


def test_a_wrong_cell_is_not_mended(tmp_path: Path) -> None:
    """Where other atoms are too near as well, nothing is left out."""
    rows = [
        ("O1", 10.5, 10.0, 9.0, 1.0, ". ."),
        ("O1", 9.49, 10.0, 9.0, 1.0, ". ."),
        ("C1", 5.0, 5.0, 5.0, 1.0, ". ."),
        ("C2", 5.9, 5.0, 5.0, 1.0, ". ."),
    ]
    assert read(tmp_path, rows, disorder="refuse").atoms.formula == "C2O2"


def test_what_the_formula_has_more_is_told(tmp_path: Path) -> None:
    more = "_chemical_formula_sum 'C8 Zn2'\n_cell_formula_units_Z 2\n"
    rows = [("C1", 5.0, 5.0, 5.0, 1.0, ". ."), ("Zn1", 9.0, 5.0, 5.0, 1.0, ". .")]
    assert "15 C, 3 Zn more" in read(tmp_path, rows, more=more).remarks[0]


@pytest.mark.parametrize(
    ("name", "disorder", "formula", "net", "copies"),
    [
        ("JUC-101", "refuse", "C132H72In6O32", "nia", 1),
        ("MOF-11", "refuse", "C28H24Cu4O18", "pts", 1),
        ("MOF-14", "majority", "C504Cu24O120", "pto", 2),
    ],
)
def test_measured_crystals(
    name: str, disorder: Disorder, formula: str, net: str, copies: int
) -> None:
    found = read_crystal(given(name), disorder)
    assert found.atoms.formula == formula
    apart = take_apart(found.atoms)
    assert apart.framework.net is not None
    assert (apart.framework.net.name, apart.framework.catenation) == (net, copies)


def test_mil_101_is_read() -> None:
    assert len(read_crystal(given("MIL-101"), "majority").atoms.numbers) == 16_000


def test_webzek_has_two_nets() -> None:
    apart = take_apart(read_crystal(given("WEBZEK"), "majority").atoms)
    assert "different nets go through each other: bcu, dia" in apart.framework.remarks


def test_mof_177(tmp_path: Path) -> None:
    """Each Zn4O is one tetrahedron; with the linker that the file leaves out the net is qom."""
    text = given("MOF-177").read_text()
    found = read_crystal(given("MOF-177"), "majority")
    assert found.atoms.formula == "C384H210O104Zn32"
    assert "48 C more" in found.remarks[1]
    axis, edge, height = np.array([0.11085, 0.2217, 0.0]), 37.166, 30.111
    cell = np.array([[edge, 0, 0], [-edge / 2, edge * 3**0.5 / 2, 0], [0, 0, height]])
    along = axis @ cell / np.linalg.norm(axis @ cell)
    across = np.array([-along[1], along[0], 0])
    places = [
        (1.39, 0.0),
        (0.695, 1.2038),
        (2.88, 0.0),
        (3.575, 1.204),
        (4.965, 1.204),
        (5.66, 0.0),
    ]
    rows = ""
    for n, (out, side) in enumerate(places):
        x, y, _ = (out * along + side * across) @ np.linalg.inv(cell)
        rows += f"C{n + 50} C {x:.5f} {y:.5f} 0.75 0.1 Uani 1 1 d . U . C .\n"
    first = "C1 C 0.30094(17)"
    assert first in text
    (tmp_path / "whole.cif").write_text(text.replace(first, rows + first))
    apart = take_apart(read_crystal(tmp_path / "whole.cif", "majority").atoms)
    assert apart.framework.net is not None
    assert apart.framework.net.name == "qom"
