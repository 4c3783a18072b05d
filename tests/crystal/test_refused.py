"""Crystals that cannot be computed, and what is said of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from tests.compression.test_compression import FCC, crystal, diamond
from triplestore.errors import InputError, RecipeError, ResourceError
from workflows.molecule.files import read_file

GFN1 = {"method": "GFN1-xTB", "images_apart": 5.0}
PBE = {"method": "GTH-PBE", "basis": "gth-szv", "k_points": 2, "grid_cutoff": 20.0}


def many() -> ConceptualAtoms:
    grid = np.array(np.meshgrid(*[np.arange(27)] * 3)).reshape(3, -1).T / 27
    return crystal([6] * 27**3, np.eye(3) * 27 * 2.2, grid.tolist())


def across() -> ConceptualAtoms:
    """Return two atoms at one place, one of them an image."""
    return crystal([6, 6], 3.57 * FCC, [[0, 0, 0], [0.9995, 0, 0]])


ALUMINIUM = crystal([13, 13], np.diag([2.86, 2.86, 4.05]), [[0, 0, 0], [0.5, 0.5, 0.5]])


@pytest.mark.parametrize(
    ("atoms", "level", "error", "told"),
    [
        (across(), GFN1, InputError, "across the border of the cell: they overlap"),
        (across(), PBE, InputError, "across the border of the cell: they overlap"),
        (many(), PBE, ResourceError, "19,683 atoms"),
        (many(), GFN1, ResourceError, "19,683 atoms"),
        (diamond(3.57).model_copy(update={"charge": 2}), GFN1, InputError, "counter-ions"),
        (diamond(3.57).model_copy(update={"charge": 2}), PBE, InputError, "counter-ions"),
        (ALUMINIUM, GFN1, InputError, "it is a metal"),
        (ALUMINIUM, PBE, InputError, "needs smeared electrons"),
    ],
)
def test_it_is_refused(
    atoms: ConceptualAtoms, level: dict[str, Any], error: type[Exception], told: str
) -> None:
    with Grafico(store="memory:") as session, pytest.raises(error, match=told) as caught:
        session.run(atoms, **level)
    assert len(str(caught.value)) < 700


def test_a_cell_that_flies_apart_ends_the_run() -> None:
    pressed = crystal([6, 6], 2.0 * FCC, [[0, 0, 0], [0.25, 0.25, 0.25]])
    with Grafico(store="memory:") as session, pytest.raises(RecipeError, match="flew apart"):
        session.run(pressed, task="optimise", relax_cell=True, method="GFN1-xTB", images_apart=3.0)


PARTIAL = """data_mixed
_cell_length_a 5.6
_cell_length_b 5.6
_cell_length_c 5.6
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_space_group_name_H-M_alt 'P 1'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
Na1 Na 0 0 0 0.5
K1 K 0 0 0 0.5
Cl1 Cl 0.5 0.5 0.5 1
"""


def test_partial_occupancy_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mixed.cif"
    path.write_text(PARTIAL)
    with pytest.raises(InputError, match="occup"):
        read_file(path)
