"""Analyses of a wavefunction against sum rules, analytic limits and published values."""

from pathlib import Path

import numpy as np
import pytest
from ase.io.cube import read_cube

from ontologies.atoms import ConceptualAtoms
from tests.dft.structures import level
from triplestore.errors import InputError
from workflows.dft.properties.analysis import analyse
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.volumes import density_volume, orbital_volume, write_cube
from workflows.geometry.rotation import rotational_constants

BOHR = 0.529177210903

WATER = ConceptualAtoms(
    numbers=[8, 1, 1], positions=[[0, 0, 0.1173], [0, 0.7572, -0.4692], [0, -0.7572, -0.4692]]
)
OXYGEN = ConceptualAtoms(numbers=[8, 8], positions=[[0, 0, 0], [0, 0, 1.2075]], multiplicity=3)
METHYL = ConceptualAtoms(
    numbers=[6, 1, 1, 1],
    positions=[[0, 0, 0], [1.079, 0, 0], [-0.5395, 0.93444, 0], [-0.5395, -0.93444, 0]],
)


CASES = {
    "water": (WATER, level("B3LYP", "6-31G*")),
    "oxygen": (OXYGEN, level("PBE", "def2-SVP", "unrestricted")),
    "methyl": (METHYL, level("HF", "cc-pVDZ", "unrestricted")),
}


@pytest.mark.parametrize("name", CASES)
def test_sums_are_those_of_the_whole(name: str) -> None:
    atoms, at = CASES[name]
    found = analyse(atoms, at)
    parts = (
        found.nuclear_repulsion
        + found.one_electron_energy
        + found.coulomb_energy
        + found.exchange_correlation_energy
    )
    assert parts == pytest.approx(found.energy, abs=1e-9)
    for charges in (
        found.mulliken_charges,
        found.lowdin_charges,
        found.iao_charges,
        found.hirshfeld_charges,
    ):
        assert charges is not None
        assert charges.sum() == pytest.approx(atoms.charge, abs=1e-6)
    assert np.trace(found.quadrupole) == pytest.approx(0, abs=1e-8)
    assert found.quadrupole == pytest.approx(found.quadrupole.T)
    assert found.bond_orders == pytest.approx(found.bond_orders.T)
    if found.spin_densities is not None:
        assert found.spin_densities.sum() == pytest.approx(atoms.multiplicity - 1, abs=1e-6)
        assert found.occupations_beta is not None
        assert found.occupations.sum() - found.occupations_beta.sum() == atoms.multiplicity - 1
    assert found.energy == pytest.approx(single_point(atoms, at).energy, abs=1e-9)


def test_virial_theorem_at_the_basis_limit_of_helium() -> None:
    """HF limit of He: −2.8616800 Eh, orbital −0.9179556 (C. F. Fischer, 1977)."""
    found = analyse(ConceptualAtoms(numbers=[2], positions=[[0, 0, 0]]), level("HF", "cc-pV5Z"))
    assert found.energy == pytest.approx(-2.8616800, abs=1e-4)
    assert found.homo_alpha == found.homo_beta == pytest.approx(-0.9179556, abs=1e-4)
    # one orbital twice: exchange is half the Coulomb energy
    assert found.exchange_correlation_energy == pytest.approx(-found.coulomb_energy / 2, abs=1e-9)
    assert found.point_group == "Kh"
    assert not found.rotational_constants.any()
    assert not found.quadrupole.any() or abs(found.quadrupole).max() < 1e-6


def test_bond_orders_of_closed_shells_are_whole_in_a_minimal_basis() -> None:
    """H2, N2 and F2 have 1, 3 and 1 by symmetry, whatever the geometry (I. Mayer, 1983)."""
    for number, distance, order in ((1, 0.74, 1), (7, 1.1, 3), (9, 1.4, 1)):
        atoms = ConceptualAtoms(numbers=[number] * 2, positions=[[0, 0, 0], [0, 0, distance]])
        found = analyse(atoms, level("HF", "STO-3G"))
        assert found.bond_orders[0, 1] == pytest.approx(order, abs=1e-6)
        assert found.wiberg_bond_orders[0, 1] == pytest.approx(order, abs=1e-6)
        assert found.bond_orders[0, 0] == 0


def test_the_quadrupole_of_water_is_the_measured_one() -> None:
    """2.63, −2.50, −0.13 D·Å: J. Verhoeven, A. Dymanus, J. Chem. Phys. 52, 3222 (1970)."""
    found = analyse(WATER, level("B3LYP", "aug-cc-pVTZ"))
    assert np.sort(np.diag(found.quadrupole)) == pytest.approx([-2.50, -0.13, 2.63], abs=0.15)


def test_rotational_constants_of_measured_structures() -> None:
    """GHz: H2O 835.8, 435.4, 278.1 (vibrating); CO 57.90 at r_e = 1.12832 Å (K. P. Huber, 1979)."""
    carbon_monoxide = ConceptualAtoms(numbers=[6, 8], positions=[[0, 0, 0], [0, 0, 1.12832]])
    assert rotational_constants(carbon_monoxide) == pytest.approx([57.898, 57.898, 0], abs=0.005)
    assert rotational_constants(WATER) == pytest.approx([835.8, 435.4, 278.1], rel=0.03)


def test_frontier_orbitals_of_each_spin() -> None:
    found = analyse(*CASES["oxygen"])
    assert found.homo_alpha is not None
    assert found.lumo_alpha is not None
    assert found.homo_beta is not None
    assert found.lumo_beta is not None
    # the two π* electrons are of alpha spin, and their beta orbitals are empty
    assert found.homo_alpha > found.homo_beta
    assert found.lumo_beta < found.lumo_alpha
    gaps = (found.lumo_alpha - found.homo_alpha, found.lumo_beta - found.homo_beta)
    assert found.gap == pytest.approx(min(gaps))
    assert found.spin_densities == pytest.approx([1, 1], abs=1e-5)


def test_core_potentials_have_no_intrinsic_orbitals() -> None:
    iodide = ConceptualAtoms(numbers=[53, 1], positions=[[0, 0, 0], [0, 0, 1.609]])
    found = analyse(iodide, level("HF", "def2-SVP"))
    assert found.iao_charges is None
    assert found.hirshfeld_charges.sum() == pytest.approx(0, abs=1e-6)
    assert found.hirshfeld_charges[1] > 0


def test_cartesian_functions() -> None:
    at = level("HF", "6-31G*")
    found = analyse(WATER, at.model_copy(update={"spherical": False}))
    assert found.hirshfeld_charges.sum() == pytest.approx(0, abs=1e-6)
    assert found.hirshfeld_charges == pytest.approx(analyse(WATER, at).hirshfeld_charges, abs=0.01)


def test_orbitals_are_normalised_and_densities_count_electrons(tmp_path: Path) -> None:
    at = level("HF", "STO-3G")
    homo = orbital_volume(WATER, at, "homo", spacing=0.2)
    assert (homo.orbital, homo.spin, homo.occupation) == (5, None, 2.0)
    cell = (0.2 / BOHR) ** 3
    assert (homo.amplitudes**2).sum() * cell == pytest.approx(1, abs=0.01)
    density = density_volume(WATER, at, spacing=0.1)
    assert density.density.sum() * (0.1 / BOHR) ** 3 == pytest.approx(10, abs=0.1)
    path = tmp_path / "homo.cube"
    write_cube(homo, path)
    with open(path) as file:
        cube = read_cube(file)
    assert cube["data"] == pytest.approx(homo.amplitudes, abs=1e-6)
    assert cube["atoms"].positions == pytest.approx(WATER.positions, abs=1e-5)
    assert cube["origin"] == pytest.approx(homo.origin, abs=1e-5)
    assert cube["spacing"] == pytest.approx(homo.axes, abs=1e-5)


def test_spin_density_counts_unpaired_electrons() -> None:
    spin = density_volume(*CASES["methyl"], kind="spin density", spacing=0.15)
    assert spin.density.sum() * (0.15 / BOHR) ** 3 == pytest.approx(1, abs=0.02)
    beta = orbital_volume(*CASES["methyl"], "lumo", "beta", spacing=0.3)
    assert (beta.orbital, beta.spin, beta.occupation) == (5, "beta", 0.0)


@pytest.mark.parametrize(
    ("name", "spacing", "said"),
    [
        ("homo-9", 0.2, "orbitals 1 to 7"),
        ("8", 0.2, "orbitals 1 to 7"),
        ("0", 0.2, "1 to 7"),
        ("homo*", 0.2, "write homo"),
        ("", 0.2, "write homo"),
        ("homo", 0.0, "0.01 to 2"),
        ("homo", 0.011, "more than 20,000,000"),
    ],
)
def test_volumes_that_cannot_be(name: str, spacing: float, said: str) -> None:
    with pytest.raises(InputError, match=said):
        orbital_volume(WATER, level("HF", "STO-3G"), name, spacing=spacing)
