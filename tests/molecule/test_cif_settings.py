"""A space group of two origins or axes, of which a CIF says the name alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workflows.molecule import read_content

CIF = """data_x
_symmetry_space_group_name_H-M '{name}'
{number}
_cell_length_a {a}
_cell_length_b {a}
_cell_length_c {c}
_cell_angle_alpha {alpha}
_cell_angle_beta {alpha}
_cell_angle_gamma {gamma}
loop_
_atom_site_label
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
{atom}
"""
N = "_symmetry_Int_Tables_number {}"


def silicon(name: str, place: str, number: str = N.format(227)) -> str:
    atom = f"Si1 {place} {place} {place}"
    return CIF.format(name=name, number=number, a=5.43, c=5.43, alpha=90, gamma=90, atom=atom)


def nearest(path: Path, text: str) -> tuple[int, float, tuple[str, ...]]:
    path.write_text(text)
    content = read_content(path)
    atoms = content.atoms
    cell, places = np.array(atoms.cell), atoms.positions
    steps = np.array(np.meshgrid(*[(-1, 0, 1)] * 3)).reshape(3, -1).T @ cell
    apart = np.linalg.norm(places[:, None, None] - places[None, :, None] + steps, axis=-1)
    return len(places), float(apart[apart > 1e-6].min()), content.remarks


@pytest.mark.parametrize(
    ("name", "place", "number"),
    [
        ("F d -3 m :2", "0.125", N.format(227)),
        ("F d -3 m Z", "0.125", N.format(227)),
        ("Fd-3m:2", "0.125", ""),
        ("F d -3 m :1", "0", N.format(227)),
        ("F d -3 m S", "0", ""),
    ],
)
def test_the_origin_that_a_name_says_is_taken(
    tmp_path: Path, name: str, place: str, number: str
) -> None:
    atoms, bond, remarks = nearest(tmp_path / "si.cif", silicon(name, place, number))
    assert (atoms, remarks) == (8, ())
    assert bond == pytest.approx(5.43 * 3**0.5 / 4, abs=1e-6)  # the bond of diamond's lattice


def test_an_origin_that_is_not_said_is_told(tmp_path: Path) -> None:
    atoms, _, [remark] = nearest(tmp_path / "si.cif", silicon("F d -3 m", "0"))
    assert atoms == 8
    assert "has two origins" in remark
    assert "'F d -3 m :2'" in remark


def test_rhombohedral_axes_are_known_by_their_angles(tmp_path: Path) -> None:
    """Bismuth by either axes has the same bond: a 4.546, c 11.862 Å, z 0.23389."""
    a, c, z = 4.546, 11.862, 0.23389
    told = {"name": "R -3 m", "number": N.format(166)}
    by_hexagonal = CIF.format(**told, a=a, c=c, alpha=90, gamma=120, atom=f"Bi1 0 0 {z}")
    edge = (a * a / 3 + c * c / 9) ** 0.5
    angle = float(np.degrees(np.arccos(1 - a * a / (2 * edge * edge))))
    by_rhombohedral = CIF.format(
        **told, a=edge, c=edge, alpha=angle, gamma=angle, atom=f"Bi1 {z} {z} {z}"
    )
    atoms, bond, _ = nearest(tmp_path / "h.cif", by_hexagonal)
    assert atoms == 6
    atoms, same, _ = nearest(tmp_path / "r.cif", by_rhombohedral)
    assert atoms == 2
    assert same == pytest.approx(bond, abs=1e-4)
