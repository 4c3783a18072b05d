"""The electrostatic potential: beside integrals of PySCF at points, and where its surface lies."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.factors import BOHR
from ontologies.level import LevelOfTheory
from ontologies.wavefunction import PotentialVolume
from triplestore.errors import InputError
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.picture import draw, reach
from workflows.dft.properties.potential import SURFACE, extremes
from workflows.dft.properties.volumes import write_cube


def charge_within(radius: float, density: float = 2.0) -> PotentialVolume:
    """Return the potential of a charge of 0.2 e to the right of a round density, along x."""
    level = resolve_level("HF", "STO-3G", "unrestricted").level
    assert isinstance(level, LevelOfTheory)
    at = np.linspace(-3, 3, 41)
    x, y, z = np.meshgrid(at, at, at, indexing="ij")
    r = np.sqrt(x**2 + y**2 + z**2)
    return PotentialVolume(
        atoms=ConceptualAtoms(numbers=[1], positions=np.zeros((1, 3)), multiplicity=2),
        level=level,
        origin=np.full(3, -3.0),
        axes=np.eye(3) * 0.15,
        electrostatic_potential=0.04 * x / 2.0,
        density=SURFACE * np.exp(density * (radius - r)),
    )


def test_extremes_are_those_of_the_surface() -> None:
    """The surface is a sphere of 2 Å, where 0.04 x/2 goes from −0.04 to 0.04."""
    ends = extremes(charge_within(2.0))
    assert ends == pytest.approx((-0.04, 0.04), rel=0.01)
    assert extremes(charge_within(4.0)) is None  # the grid does not hold it


def test_red_is_negative_and_blue_positive() -> None:
    found = charge_within(2.0)
    assert reach(found) == pytest.approx(0.04)
    pixels = np.asarray(Image.open(io.BytesIO(draw(found))).convert("RGB"), float)
    inked = (pixels < 250).any(axis=-1)
    red, blue = pixels[..., 0][inked], pixels[..., 2][inked]
    assert (red > blue + 40).any()
    assert (blue > red + 40).any()
    left, right = pixels[:, : pixels.shape[1] // 3], pixels[:, -(pixels.shape[1] // 3) :]
    assert np.abs(left[..., 0].mean() - left[..., 2].mean()) > 5
    assert (left[..., 0].mean() > left[..., 2].mean()) != (
        right[..., 0].mean() > right[..., 2].mean()
    )


def test_a_cube_has_what_pyscf_integrates_at_its_points(tmp_path: Path) -> None:
    from ase.io.cube import read_cube_data
    from pyscf import gto, scf

    with Grafico("memory:") as session:
        done = session.run("O", method="HF", basis="6-31G")
        found = session.cube(done, potential=True, spacing=0.6).result
        write_cube(found, tmp_path / "v.cube")
        with pytest.raises(InputError, match="orbital, density, spin_density or potential"):
            session.cube(done, potential=True, density=True)
        with pytest.raises(InputError, match="all electrons are paired"):
            session.cube(done, orbital="somo")
    values, atoms = read_cube_data(str(tmp_path / "v.cube"))
    head = (tmp_path / "v.cube").read_text().splitlines()
    origin, step = np.array(head[2].split()[1:], float), float(head[3].split()[1])
    assert step * BOHR == pytest.approx(0.6, abs=1e-5)
    mol = gto.M(
        atom=list(zip(atoms.get_chemical_symbols(), atoms.positions, strict=True)),
        basis="6-31G",
        verbose=0,
    )
    mf = scf.RHF(mol).run()
    for index in ((2, 3, 4), (7, 1, 6), (0, 0, 0)):
        at = origin + step * np.array(index)
        mol.set_rinv_origin(at)
        nuclei = sum(
            charge / np.linalg.norm(at - place)
            for charge, place in zip(mol.atom_charges(), mol.atom_coords(), strict=True)
        )
        wanted = nuclei - np.einsum("ij,ij", mol.intor("int1e_rinv"), mf.make_rdm1())
        assert values[index] == pytest.approx(wanted, abs=1e-5)


def test_the_orbital_of_an_unpaired_electron() -> None:
    with Grafico("memory:") as session:
        done = session.run("[CH3]", method="HF", basis="STO-3G")
        found = session.cube(done, orbital="somo", spacing=0.5).result
        assert (found.orbital, found.spin, found.occupation) == (5, "alpha", 1.0)
        with pytest.raises(InputError, match="it is of alpha spin"):
            session.cube(done, orbital="somo", spin="beta")
