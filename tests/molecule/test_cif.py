"""CIF files as they are deposited: several blocks, and names and symmetry in every spelling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from triplestore.errors import InputError, NotFoundError
from workflows.molecule.cif_blocks import blocks_with_atoms
from workflows.molecule.cif_sites import OPERATION
from workflows.molecule.files import read_file

GLOBAL = """data_global
_journal_name_full 'Somewhere'
_publ_section_comment
;
data_of_this_study
_atom_site_label
loop_
;
"""
CELL = """_cell_length_a 5.64(1)
_cell_length_b 5.64
_cell_length_c 5.64
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
"""
COLUMNS = """loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
"""
ATOMS = f"{COLUMNS}Na1 Na 0 0 0\nCl1 Cl 0.5 0.5 0.5\n"
TEMPLATE = f"data_template\n{COLUMNS}? ? ? ? ?\n"
BODY = """loop_
_symmetry_equiv_pos_as_xyz
'x, y, z'
'x, y+1/2, z+1/2'
'x+1/2, y, z+1/2'
'x+1/2, y+1/2, z'
"""


def read(folder: Path, text: str):
    path = folder / "x.cif"
    path.write_text(text)
    return read_file(path)


@pytest.mark.parametrize(
    "text",
    [
        f"{GLOBAL}data_salt\n{CELL}{BODY}{ATOMS}",
        f"data_salt\n{CELL}{BODY}{ATOMS}{GLOBAL}",
        f"{TEMPLATE}data_salt\n{CELL}{BODY}{ATOMS}",
        f"DATA_salt\n{CELL}{BODY}{ATOMS}".replace("_cell_length", "_CELL_LENGTH"),
        f"data_salt\n{CELL}{BODY}{ATOMS}".replace("loop_", "LOOP_").replace("label", "Label"),
        f"data_salt\n{CELL}{BODY}{ATOMS}".replace("_cell_", "_cell.").replace(
            "_atom_site_", "_atom_site."
        ),
        f"data_salt\n{CELL}{BODY}{ATOMS}".replace(
            "_symmetry_equiv_pos_as_xyz", "_space_group_symop.operation_xyz"
        ),
        f"data_salt\n{CELL}_symmetry_space_group_name_H-M 'F m -3 m'\n{ATOMS}",
        f"data_salt\n{CELL}{BODY}{ATOMS}".replace("_atom_site_type_symbol\n", "")
        .replace("Na1 Na", "Na1")
        .replace("Cl1 Cl", "Cl1"),
        f"data_salt\n{CELL}{BODY}{ATOMS}".replace("_atom_site_label\n", "")
        .replace("Na1 Na", "Na")
        .replace("Cl1 Cl", "Cl"),
        # an atom and its image by symmetry, both listed
        f"data_salt\n{CELL}{BODY}{ATOMS}Na2 Na 0.5 0.5 0\n",
        f"data_salt\n{CELL}{BODY}{ATOMS}".replace("_fract_z\n", "_fract_z\n_atom_site_occupancy\n")
        .replace("0 0 0\n", "0 0 0 1.00002\n")
        .replace("5 0.5\n", "5 0.5 1\n"),
    ],
    ids=[
        "global first",
        "global last",
        "template",
        "case",
        "loop",
        "dots",
        "symop",
        "group",
        "labels",
        "symbols",
        "twice",
        "refined too far",
    ],
)
def test_rock_salt_in_every_spelling(tmp_path: Path, text: str) -> None:
    atoms = read(tmp_path, text)
    assert atoms.formula == "Cl4Na4"
    places = np.round(atoms.positions / 5.64 * 2).astype(int) % 2
    assert {tuple(one) for one in places[atoms.numbers == 11].tolist()} == {
        (0, 0, 0),
        (0, 1, 1),
        (1, 0, 1),
        (1, 1, 0),
    }


@pytest.mark.parametrize(
    "name",
    [
        "_symmetry_equiv_pos_as_xyz",
        "_space_group_symop_operation_xyz",
        "_space_group_symop.operation_xyz",
    ],
)
@pytest.mark.parametrize("value", [" 'x,y,z'", " x,y,z", "\n'x, y, z'"])
def test_one_operation_needs_no_loop(tmp_path: Path, name: str, value: str) -> None:
    assert read(tmp_path, f"data_x\n{CELL}{name}{value}\n{ATOMS}").formula == "ClNa"


def test_one_atom_needs_no_loop(tmp_path: Path) -> None:
    atom = "".join(
        f"_atom_site_{name} {value}\n"
        for name, value in {"label": "Cu1", "fract_x": 0, "fract_y": 0, "fract_z": 0}.items()
    )
    found = read(tmp_path, f"data_x\n{CELL.replace('5.64', '3.61')}{BODY}{atom}")
    assert found.formula == "Cu4"


def test_several_structures_are_named_and_one_is_chosen(tmp_path: Path) -> None:
    body = f"{CELL}{BODY}{ATOMS}"
    text = f"{GLOBAL}data_cold\n{body}data_hot\n{body.replace('5.64', '5.70')}"
    with pytest.raises(InputError, match=r"it holds 2 structures \(1 cold, 2 hot\)") as caught:
        read(tmp_path, text)
    assert "#1" in str(caught.value.advice)
    cell = read_file(tmp_path / "x.cif#2").cell
    assert cell is not None
    assert cell[0, 0] == pytest.approx(5.70)
    with pytest.raises(NotFoundError):
        read_file(tmp_path / "x.cif#3")


def test_blocks_of_one_name_are_two(tmp_path: Path) -> None:
    body = f"data_x\n{CELL}{BODY}{ATOMS}"
    with pytest.raises(InputError, match="it holds 2 structures"):
        read(tmp_path, body * 2)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"{GLOBAL}", "no CIF file with atoms"),
        (f"{TEMPLATE}{CELL}", "no CIF file with atoms"),
        (f"data_x\n{ATOMS}", "its cell is not said"),
        (f"data_x\n{CELL}{BODY}{ATOMS}".replace("y+1/2, z+1/2", "y+1/2, w"), "no symmetry oper"),
        (f"data_x\n{CELL}{BODY}{ATOMS}".replace("'x, y, z'", "'x, x, z'"), "no symmetry oper"),
        (f"data_x\n{CELL}{BODY}{ATOMS}".replace("'x, y, z'", "'x+x, y, z'"), "no symmetry oper"),
        (
            f"data_x\n{CELL}_symmetry_space_group_name_H-M 'Q 7 7 7'\n{ATOMS}",
            "space group 'Q 7 7 7' is not known",
        ),
    ],
)
def test_what_would_be_another_crystal_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read(tmp_path, text)


@pytest.mark.parametrize("part", ["x", "-x", "1/2+x", "x-y+1/3", " - y ", "z+.5", "0.25-x", "2x-y"])
def test_coordinates_of_operations(part: str) -> None:
    assert OPERATION.fullmatch(part)


@pytest.mark.parametrize("part", ["", "w", "x y", "x++y", "x;", "1/2/3x", "()", "x+"])
def test_what_is_no_coordinate(part: str) -> None:
    assert not OPERATION.fullmatch(part)


def test_special_positions_count_once(tmp_path: Path) -> None:
    """Copper with all 192 operations of its space group: four atoms, not 192."""
    signs = [(a, b, c) for a in "+-" for b in "+-" for c in "+-"]
    orders = ["xyz", "yzx", "zxy", "xzy", "zyx", "yxz"]
    shifts = [("", "", ""), ("", "+1/2", "+1/2"), ("+1/2", "", "+1/2"), ("+1/2", "+1/2", "")]
    rows = [
        ",".join(f"{s}{o}{h}" for s, o, h in zip(sign, order, shift, strict=True))
        for sign in signs
        for order in orders
        for shift in shifts
    ]
    loop = "loop_\n_symmetry_equiv_pos_as_xyz\n" + "\n".join(rows) + "\n"
    found = read(tmp_path, f"data_x\n{CELL.replace('5.64', '3.61')}{loop}{COLUMNS}Cu Cu 0 0 0\n")
    assert found.formula == "Cu4"


def test_headings_in_texts_are_no_blocks() -> None:
    assert [one.name for one in blocks_with_atoms(f"{GLOBAL}data_a\n{CELL}{ATOMS}")] == ["a"]
