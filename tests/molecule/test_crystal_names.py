"""Crystals by name, against lattice constants and space groups of others."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import InputError, NotFoundError
from workflows.molecule.crystal_names import _known, is_said, named  # pyright: ignore[reportPrivateUsage]
from workflows.molecule.files import read_file
from workflows.molecule.table import table
from workflows.molecule.writing import write

# handbook values at room temperature (CRC Handbook of Chemistry and Physics, crystallographic data
# on minerals and semiconductors), Å of the conventional cell, and the number of the space group
HANDBOOK = {
    "silicon crystal": (5.431, 227),
    "crystalline germanium": (5.658, 227),
    "bulk copper": (3.615, 225),
    "iron crystal": (2.866, 229),
    "magnesium crystal": (3.209, 194),
    "NaCl crystal": (5.640, 225),
    "sodium chloride crystal": (5.640, 225),
    "MgO crystal": (4.212, 225),
    "GaAs crystal": (5.653, 216),
    "SiC crystal": (4.360, 216),
    "diamond": (3.567, 227),
    "rutile": (4.594, 136),
    "anatase": (3.785, 141),
    "quartz": (4.913, 152),
    "corundum": (4.759, 167),
    "calcite": (4.990, 167),
    "fluorite": (5.463, 225),
    "wurtzite": (3.822, 186),
    "pyrite": (5.417, 205),
    "graphite": (2.462, 194),
}


@pytest.mark.parametrize("name", HANDBOOK)
def test_a_crystal_has_the_lattice_of_the_handbook(name: str) -> None:
    from pymatgen.core import Structure
    from pymatgen.symmetry.analyzer import SpacegroupAnalyzer

    content = named(name)
    assert content is not None
    assert content.atoms.is_periodic
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        structure = content.atoms.to_pymatgen()
        assert isinstance(structure, Structure)
        found = SpacegroupAnalyzer(structure)
        cell = found.get_conventional_standard_structure().lattice
    length, group = HANDBOOK[name]
    assert cell.a == pytest.approx(length, rel=0.015)  # 0 K and room temperature
    assert found.get_space_group_number() in (group, {152: 154}.get(group))  # either hand of quartz
    assert "crystal: " in content.remarks[0]


def test_no_molecule_of_the_table_is_taken_for_a_crystal() -> None:
    names = [name for one in table() for name in one.names]
    assert len(names) > 1000
    assert not [name for name in names if named(name) is not None]


@pytest.mark.parametrize("name", ["rutile", "quartz", "NaCl crystal", "bulk copper"])
def test_a_poscar_of_it_is_read_by_another_program(name: str, tmp_path: Path) -> None:
    from pymatgen.core import Structure

    content = named(name)
    assert content is not None
    file = tmp_path / "POSCAR"
    file.write_text(write(content.atoms, "vasp").text)
    other, own = Structure.from_file(file), read_file(file)
    assert other.composition == content.atoms.to_pymatgen().composition
    assert own.cell is not None
    assert content.atoms.cell is not None
    np.testing.assert_allclose(own.cell, content.atoms.cell, atol=1e-10)
    np.testing.assert_allclose(other.cart_coords, own.positions, atol=1e-10)
    with pytest.raises(InputError, match="does not repeat"):
        write(ConceptualAtoms(numbers=(2,), positions=((0.0, 0.0, 0.0),)), "vasp")


@pytest.mark.parametrize(
    "name", ["copper", "Si", "silicon", "silicon tetrafluoride", "boron nitride", "foo", "alpha"]
)
def test_without_a_word_that_says_so_only_minerals_are_crystals(name: str) -> None:
    assert named(name) is None
    assert not is_said(name)


def test_several_of_one_formula_are_told() -> None:
    with pytest.raises(InputError, match="Anatase, Brookite, Rutile"):
        named("TiO2 crystal")
    assert is_said("TiO2 crystal")  # which one is asked when it is read


def test_what_is_not_known_says_what_to_do() -> None:
    with pytest.raises(NotFoundError, match=r"none of that name is among the \d+ that") as error:
        named("kryptonite crystal")
    assert "CIF" in error.value.advice
    assert not is_said("kryptonite crystal")


def test_what_is_under_pressure_or_made_up_is_no_compound_by_its_formula() -> None:
    with pytest.raises(NotFoundError):
        named("CdTe crystal")  # known there at high pressure alone
    assert not [one for one in _known() if "theoretical" in one.name.lower()]


@pytest.mark.parametrize("name", ["solid benzene", "bulk acetylene", "la", "as", "n2", "sn"])
def test_neither_another_molecule_of_a_composition_nor_a_word_is_a_crystal(name: str) -> None:
    assert not is_said(name)  # cubane is CH, too
    assert " " in name or named(name) is None


def test_a_form_that_is_not_the_usual_one_is_told() -> None:
    content = named("GaN crystal")
    assert content is not None
    assert "as zincblende" in content.remarks[0]
    assert "its usual form is wurtzite" in content.remarks[0]


def test_mixtures_are_no_crystals_of_an_element() -> None:
    content = named("bulk tin")  # not Hg_xSn
    assert content is not None
    assert "beta Sn" in content.remarks[0]
