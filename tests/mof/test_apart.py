"""Measured crystals have the nets and blocks that are published, whatever describes them."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.elements import SYMBOLS
from ontologies.mof_parts import TakenApart
from tests.mof.disguises import CRYSTALS, crystal, disguised, primitive, repeated
from triplestore.errors import GraficoError, InputError
from workflows.mof.apart import MOST_ATOMS, take_apart
from workflows.mof.cleaning import read_crystal
from workflows.mof.codes import block_geometry
from workflows.mof.found_blocks import by_shape

needs_blocks = pytest.mark.skipif(
    importlib.util.find_spec("pormake") is None, reason="the blocks come with PORMAKE"
)


def outcome(found: TakenApart) -> tuple[object, ...]:
    """Return what must not depend on how a crystal is described."""
    framework = found.framework
    return (
        framework.net and framework.net.name,
        found.net_key,
        framework.catenation,
        framework.framework_dimensionality,
        {one.block.block_code: one.placed_on for one in framework.blocks},
    )


def added(atoms: ConceptualAtoms, symbols: str, places: list[list[float]]) -> ConceptualAtoms:
    """Return a crystal with more atoms."""
    numbers = [SYMBOLS.index(symbol) for symbol in symbols.split()]
    return ConceptualAtoms(
        numbers=[*atoms.numbers.tolist(), *numbers],
        positions=[*atoms.positions, *places],
        cell=atoms.cell,
        periodic=[True] * 3,
    )


def without(atoms: ConceptualAtoms, number: int) -> ConceptualAtoms:
    """Return a crystal without the atoms of an element."""
    kept = atoms.numbers != number
    return ConceptualAtoms(
        numbers=atoms.numbers[kept],
        positions=atoms.positions[kept],
        cell=atoms.cell,
        periodic=[True] * 3,
    )


@pytest.mark.parametrize(
    ("name", "centring", "net"),
    [("MOF-5", "F", "pcu"), ("HKUST-1", "F", "tbo"), ("UiO-66", "F", "fcu"), ("ZIF-8", "I", "sod")],
)
def test_published_nets_are_found_in_each_setting(name: str, centring: str, net: str):
    """Nets as in O. M. Yaghi et al., Nature 423, 705 (2003), and the papers named in the files."""
    atoms = crystal(name)
    if name == "ZIF-8":  # its methyl groups, made whole, are not centred
        atoms = without(atoms, 1)
    small = primitive(atoms, centring)
    expected = outcome(take_apart(small))
    assert expected[0] == net
    assert expected[2:4] == (1, 3)
    assert outcome(take_apart(atoms)) == expected
    assert outcome(take_apart(disguised(repeated(small, 2), 1))) == expected
    for seed in range(2, 5):
        assert outcome(take_apart(disguised(small, seed))) == expected


@pytest.mark.parametrize(
    ("name", "net", "copies", "dimension"),
    [
        ("ZIF-3", "dft", 1, 3),
        ("ZIF-4", "cag", 1, 3),
        ("ZIF-7", "sod", 1, 3),
        ("ZIF-71", "rho", 1, 3),
        ("MIL-88B", "acs", 1, 3),
        ("IRMOF-9", "pcu", 2, 3),
        ("Zn-BDC", "sql", None, 2),
        ("Cd3BTB2", "kgd", None, 2),
    ],
)
def test_more_published_nets_are_found(name: str, net: str, copies: int | None, dimension: int):
    """IRMOF-9 is two nets through each other, the last two are layers."""
    found = outcome(take_apart(disguised(crystal(name), 6)))
    assert found[0] == net
    assert found[2:4] == (copies, dimension)


@needs_blocks
@pytest.mark.parametrize(
    ("name", "library"), [("MOF-5", {"N16", "E14"}), ("HKUST-1", {"N409", "N10"})]
)
def test_blocks_are_those_of_the_library(name: str, library: set[str]):
    from workflows.mof.library import block_named

    found = take_apart(primitive(crystal(name), "F")).framework
    codes = {block_named(one).block.block_code for one in library}
    assert {one.block.block_code for one in found.blocks} == codes


def test_the_same_block_is_one_object_in_every_crystal():
    linkers = [
        next(
            one.block
            for one in take_apart(crystal(name)).framework.blocks
            if one.placed_on == "edge"
        )
        for name in ("MIL-88B", "Zn-BDC")
    ]
    small = take_apart(primitive(crystal("MOF-5"), "F"))
    assert {one.iri for one in linkers} == {small.framework.blocks[1].block.iri}


def test_terephthalate_and_isophthalate_are_two():
    corners = np.radians(60 * np.arange(6))
    ring = 1.39 * np.array([np.cos(corners), np.sin(corners), 0 * corners]).T
    atoms = {
        ends: ConceptualAtoms(
            numbers=[6] * 6 + [1] * 4,
            positions=[*ring, *[ring[at] * 2.47 / 1.39 for at in range(6) if at not in ends]],
        )
        for ends in ((0, 3), (0, 2))
    }
    blocks = [
        block_geometry(shape, np.array([ring[at] * 2.14 / 1.39 for at in ends]), ends, "here")
        for ends, shape in atoms.items()
    ]
    assert blocks[0].block != blocks[1].block
    assert blocks[0].block.formula == blocks[1].block.formula


def test_shapes_of_one_code_are_told_apart():
    """Ends that are an ångström nearer make another block, noise does not."""
    atoms = ConceptualAtoms(numbers=[6, 6], positions=[[0, 0, 0], [1.2, 0, 0]])
    blocks = [
        block_geometry(atoms, np.array([[-0.7, 0, 0], [1.9 - nearer, 0, 0]]), [0, 1], "here")
        for nearer in (0.0, 0.1, 1.0)
    ]
    assert [len(group) for group in by_shape(blocks)] == [2, 1]


def test_two_kinds_of_linkers_are_two():
    """MOF-5 with bromine at one of its three linkers."""
    atoms = primitive(crystal("MOF-5"), "F")
    numbers = atoms.numbers.copy()
    numbers[np.flatnonzero(numbers == 1)[0]] = 35
    mixed = atoms.model_copy(update={"numbers": numbers})
    found = take_apart(mixed).framework
    assert [one.block.formula for one in found.blocks] == ["C6O13Zn4", "C6H3Br", "C6H4"]
    assert [one.placements for one in found.blocks] == [2, 1, 5]
    assert found.net is not None
    assert found.net.name == "pcu"


def test_solvent_is_removed_as_it_is_asked():
    """Water in a pore of MOF-5, and water at a metal of HKUST-1."""
    clean = primitive(crystal("MOF-5"), "F")
    water = [[0.0, 0.0, 0.1], [0.76, 0.0, -0.48], [-0.76, 0.0, -0.48]]
    wet = added(clean, "O H H", water)
    found = take_apart(wet)
    assert found.removed == ("1 H2O",)
    assert len(found.framework.atoms.numbers) == len(clean.numbers)
    assert outcome(found) == outcome(take_apart(clean))
    kept = take_apart(wet, "none")
    assert kept.framework.atoms == wet
    assert any("in the pores: 1 H2O" in remark for remark in kept.remarks)

    copper = primitive(crystal("HKUST-1"), "F")
    outside = 26.343 * 0.2853 + 2.17 / np.sqrt(2)
    bound = added(copper, "O", [[outside, outside, 0]])
    dry = take_apart(bound, "all")
    assert dry.removed == ("1 O",)
    assert outcome(dry) == outcome(take_apart(copper))
    assert {one.block.formula for one in take_apart(bound).framework.blocks} == {
        "C4Cu2O8",
        "C4Cu2O9",
        "C6H3",
    }


def test_what_hydrogens_are_missing_is_told():
    found = take_apart(without(primitive(crystal("MOF-5"), "F"), 1))
    assert found.lacking_hydrogens == 24
    assert any("lack hydrogens" in remark for remark in found.remarks)
    assert outcome(found)[0] == "pcu"


def test_nets_through_each_other_are_counted():
    """MOF-5 with a copy of itself in its pores, joined by no translation of the cell."""
    atoms = primitive(crystal("MOF-5"), "F")
    shift = 25.832 * np.array([0.25, 0.25, 0.25]) + 0.1
    twice = added(atoms, " ".join(atoms.symbols), (atoms.positions + shift).tolist())
    found = take_apart(twice).framework
    assert found.net is not None
    assert (found.net.name, found.catenation) == ("pcu", 2)


@pytest.mark.parametrize(
    ("atoms", "said"),
    [
        (lambda: crystal("MIL-53"), "rod-like"),
        (lambda: crystal("Mg-MOF-74"), "rod-like"),
        (lambda: crystal("COF-102"), "no metal"),
        (
            lambda: ConceptualAtoms(
                numbers=[11, 17],
                positions=[[0, 0, 0], [2.82, 0, 0]],
                cell=[[0, 2.82, 2.82], [2.82, 0, 2.82], [2.82, 2.82, 0]],
                periodic=[True] * 3,
            ),
            "no carbon",
        ),
        (
            lambda: ConceptualAtoms(
                numbers=[8, 1, 1],
                positions=[[0, 0, 0], [1, 0, 0], [0, 1, 0]],
                cell=np.eye(3) * 9,
                periodic=[True] * 3,
            ),
            "separate molecules",
        ),
        (lambda: ConceptualAtoms(numbers=[2], positions=[[0, 0, 0]]), "a molecule"),
    ],
)
def test_what_is_no_framework_of_nodes_and_linkers_is_refused(atoms, said: str):
    with pytest.raises(InputError, match=said):
        take_apart(atoms())


def test_too_many_atoms_are_refused():
    many = ConceptualAtoms(
        numbers=np.full(MOST_ATOMS + 1, 2),
        cell=np.eye(3) * [3 * (MOST_ATOMS + 1), 9, 9],
        positions=3.0 * np.arange(MOST_ATOMS + 1)[:, None] * [1, 0, 0],
        periodic=[True] * 3,
    )
    with pytest.raises(InputError, match="20,001 atoms"):
        take_apart(many)


HEAD = (
    "data_x\n_cell_length_a {a}\n_cell_length_b 9\n_cell_length_c 9\n_cell_angle_alpha 90\n"
    "_cell_angle_beta 90\n_cell_angle_gamma 90\n_symmetry_space_group_name_H-M 'P 1'\nloop_\n"
    "_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n_atom_site_fract_y\n"
    "_atom_site_fract_z\n_atom_site_occupancy\n"
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("data_x\nloop_\n_atom_site_label\n'", "no CIF file"),
        ("not a CIF at all", "no CIF file"),
        (HEAD.format(a=9) + "Zn1 Zn 0 0 0 0.5\n", "taken in part"),
        (HEAD.format(a=0.1) + "Zn1 Zn 0 0 0 1\n", "thick"),
        (HEAD.format(a=9) + "Zn1 Zn 0 0 0 1\nC1 C 0.01 0 0 1\n", "nearer than any bond"),
        (HEAD.format(a="\x1b[31m$(touch here)") + "Zn1 Zn 0 0 0 1\n", "no CIF file"),
        (HEAD.format(a=9) + "Zn1 '; DROP ALL' 0 0 0 1\n", "cannot read|no CIF|no element"),
    ],
)
def test_broken_and_hostile_files_are_refused(tmp_path: Path, text: str, said: str):
    path = tmp_path / "some.cif"
    path.write_text(text)
    with pytest.raises(GraficoError, match=said):
        read_crystal(path)
    assert list(tmp_path.iterdir()) == [path]


def test_disorder_is_refused_or_resolved_and_told(tmp_path: Path):
    with pytest.raises(InputError, match="taken in part") as refused:
        read_crystal(CRYSTALS / "ZIF-8.cif")
    assert "`disorder`" in refused.value.advice
    found = read_crystal(CRYSTALS / "ZIF-8.cif", "majority")
    assert found.atoms.formula == "C96H120N48Zn12"  # Zn(C4H5N2)2
    assert "72 atoms were left out" in found.remarks[0]

    path = tmp_path / "groups.cif"
    rows = HEAD.format(a=9).rstrip() + "\n_atom_site_disorder_group\n"
    path.write_text(rows + "Zn1 Zn 0 0 0 1 .\nN1 N 0.2 0 0 0.4 1\nO1 O 0.2 0.04 0 0.6 2\n")
    assert read_crystal(path, "majority").atoms.formula == "OZn"
