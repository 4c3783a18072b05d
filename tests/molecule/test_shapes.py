"""Hypervalent, metal and ionic species come out in the shape that they have.

The point groups are found by pymatgen, which knows nothing of the templates. They are those of
N. N. Greenwood, A. Earnshaw, Chemistry of the Elements, 2nd ed. (1997).
"""

import numpy as np
import pyscf  # while it is collected: it keeps the output that it finds at first
import pytest
from pymatgen.core import Molecule
from pymatgen.symmetry.analyzer import PointGroupAnalyzer

from ontologies.atoms import ConceptualAtoms
from ontologies.connectivity import connectivity
from triplestore.errors import RecipeError
from workflows.molecule import embed
from workflows.molecule.bonds import perceive
from workflows.molecule.building import build
from workflows.molecule.checks import check, wrong_shapes
from workflows.molecule.notation import read_smiles
from workflows.molecule.openbabel import three_dimensions
from workflows.molecule.polyhedra import shapes

assert pyscf.__version__


def point_group(atoms: ConceptualAtoms) -> str:
    molecule = atoms.to_pymatgen()
    assert isinstance(molecule, Molecule)
    return str(PointGroupAnalyzer(molecule, tolerance=0.3).sch_symbol)


def angle(atoms: ConceptualAtoms, one: int, centre: int, other: int) -> float:
    a, b = (atoms.positions[end] - atoms.positions[centre] for end in (one, other))
    cosine = a @ b / np.linalg.norm(a) / np.linalg.norm(b)
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))


def with_hydrogens(smiles: str):
    from rdkit import Chem

    return Chem.AddHs(read_smiles(smiles, smiles))


NAMES = {
    "C2v": ["chlorine trifluoride", "bromine trifluoride", "sulfur tetrafluoride", "sulfur dioxide",
            "ozone"],
    "Oh": ["SF6", "hexafluorophosphate", "hexafluorosilicate", "chromium hexacarbonyl",
           "ferrocyanide"],
    "D*h": ["xenon difluoride", "krypton difluoride", "triiodide", "oxygen"],
    "D4h": ["xenon tetrafluoride", "tetrachloroplatinate"],
    "C3v": ["xenon trioxide", "chlorate", "phosphine"],
    "Td": ["xenon tetroxide", "sulfate", "perchlorate", "permanganate", "ammonium",
           "titanium tetrachloride", "white phosphorus", "nickel tetracarbonyl"],
    "D3h": ["PF5", "PCl5", "nitrate", "boron trifluoride", "sulfur trioxide", "iron pentacarbonyl"],
    "C4v": ["iodine pentafluoride", "bromine pentafluoride"],
    "D5h": ["iodine heptafluoride"],
    "C*v": ["nitrous oxide", "carbon monoxide", "HCN", "nitric oxide", "sodium chloride"],
    "Cs": ["nitric acid"],
    "D5d": ["ferrocene"],
}  # fmt: skip
GROUPS = {name: group for group, names in NAMES.items() for name in names}


@pytest.mark.parametrize("name", GROUPS)
def test_point_groups(name: str):
    assert point_group(embed(name, "name").atoms) == GROUPS[name]


@pytest.mark.parametrize(
    ("smiles", "group"),
    [
        ("[OH]", "C*v"),
        ("O=[Xe](F)(F)(F)F", "C4v"),  # the oxygen opposite to the lone pair
        ("O=S(F)(F)(F)F", "C2v"),  # the oxygen in the equator
        ("FP(F)(F)(Cl)Cl", "C2v"),  # chlorine in the equator
        ("O=[Ti]=O", "C2v"),
        ("F[Al-3](F)(F)(F)(F)F", "Oh"),
        ("[Fe+3].[Cl-].[Cl-].[Cl-]", "D3h"),
        ("[C-]#[O+].[C-]#[O+].[C-]#[O+].[C-]#[O+].[Ni]", "Td"),
        ("O=C=[Cr](=C=O)(=C=O)(=C=O)(=C=O)=C=O", "Oh"),  # as OPSIN writes it
        ("c1ccccc1.c1ccccc1.[Cr]", "D6d"),
        ("[C-]#N.[C-]#N.[C-]#N.[C-]#N.[Ni+2]", "D4h"),
        ("[Cl-].[Cl-].[Cl-].[Cl-].[Ni+2]", "Td"),
        ("[Cl-].[Cl-].[Cl-].[Cl-].[Au+3]", "D4h"),
        ("[Cl-].[Cl-].[Cl-].[Cl-].[Zn+2]", "Td"),
    ],
)
def test_point_groups_of_notations(smiles: str, group: str):
    assert point_group(embed(smiles, "smiles").atoms) == group


def test_angles_are_near_the_measured_ones():
    """ClF3 87.5° (D. F. Smith, J. Chem. Phys. 21, 609 (1953)); SF4 101.6° in the equator and 173.1°
    between the axes (W. M. Tolles, W. D. Gwinn, J. Chem. Phys. 36, 1119 (1962))."""
    chlorine = embed("FCl(F)F", "smiles").atoms
    found = sorted(angle(chlorine, i, 1, j) for i, j in [(0, 2), (0, 3), (2, 3)])
    assert found == pytest.approx([87.5, 87.5, 175.0], abs=8)  # GFN2-xTB has 167.4
    sulfur = embed("FS(F)(F)F", "smiles").atoms
    ends = [0, 2, 3, 4]
    found = sorted(angle(sulfur, i, 1, j) for i in ends for j in ends if i < j)
    assert found[-1] == pytest.approx(173.1, abs=8)
    assert found[-2] == pytest.approx(101.6, abs=20)  # 120° is where the lone pair pushes from


def test_bond_lengths_are_near_the_measured_ones():
    """Å, by gas-phase diffraction: XeF2 1.977, SF6 1.561, PF5 1.534 and 1.577, Cr–C 1.914,
    Ni–C 1.838, Fe–C 2.06 (Landolt–Börnstein II/7)."""
    for name, expected in [
        ("XeF2", 1.977),
        ("SF6", 1.561),
        ("PF5", 1.56),
        ("Cr(CO)6", 1.914),
        ("Ni(CO)4", 1.838),
        ("ferrocene", 2.06),
    ]:
        atoms = embed(name, "name").atoms
        centre = int(np.argmax(atoms.numbers))
        lengths = [b.length for b in connectivity(atoms).bonds if centre in (b.first, b.second)]
        assert lengths == pytest.approx([expected] * len(lengths), rel=0.06), name


def test_hexaamminecobalt():
    atoms = embed("hexaamminecobalt(III)", "name").atoms
    assert (atoms.formula, atoms.charge, atoms.multiplicity) == ("CoH18N6", 3, 1)
    cobalt = atoms.symbols.index("Co")
    near = connectivity(atoms).neighbours(cobalt)
    assert [atoms.symbols[index] for index in near] == ["N"] * 6
    found = sorted(angle(atoms, i, cobalt, j) for i in near for j in near if i < j)
    assert found == pytest.approx([90.0] * 12 + [180.0] * 3, abs=1)


@pytest.mark.parametrize("name", ["cisplatin", "transplatin"])
def test_isomers_of_platinum(name: str):
    atoms = embed(name, "name").atoms
    platinum = atoms.symbols.index("Pt")
    near = connectivity(atoms).neighbours(platinum)
    pairs = [(i, j) for i in near for j in near if i < j and angle(atoms, i, platinum, j) > 150]
    assert len(pairs) == 2
    assert {frozenset(atoms.symbols[end] for end in pair) for pair in pairs} == (
        {frozenset({"N", "Cl"})} if name == "cisplatin" else {frozenset({"N"}), frozenset({"Cl"})}
    )


def test_the_hand_of_a_chelate_is_that_of_the_notation():
    """The two forms of [Co(en)3]3+ are mirror images: no proper rotation makes one of the other."""
    from rdkit import Chem

    written = "C1C[NH2]->[Co@OH20+3]23(<-[NH2]1)(<-[NH2]CC[NH2]->2)<-[NH2]CC[NH2]->3"
    one = embed(written, "smiles").atoms
    assert one.formula == "C6H24CoN6"
    mirror = one.moved_to(one.positions * np.array([1, 1, -1]))
    mirrored = Chem.MolToSmiles(Chem.RemoveHs(perceive(mirror)[0], sanitize=False))
    other = embed(mirrored, "smiles").atoms
    for atoms, hand in ((one, one), (mirror, other)):
        assert twist(atoms) * twist(hand) > 0
    assert twist(one) * twist(other) < 0


def twist(atoms: ConceptualAtoms) -> float:
    """The sense in which three chelates wind about their axis."""
    bonds = connectivity(atoms)
    cobalt = atoms.symbols.index("Co")
    donors = bonds.neighbours(cobalt)
    apart = [b for b in bonds.bonds if cobalt not in (b.first, b.second)]
    bites = []
    for donor in donors:
        reach = {donor}
        for _ in range(3):
            reach |= {e for b in apart for e in (b.first, b.second) if {b.first, b.second} & reach}
        bites += [(donor, end) for end in reach & set(donors) if end > donor]
    middles, across = [], []
    for first, second in bites:
        a, b = atoms.positions[first], atoms.positions[second]
        middles.append((a + b) / 2 - atoms.positions[cobalt])
        across.append(b - a)
    axis = np.cross(middles[0], middles[1]) + np.cross(middles[1], middles[2])
    axis += np.cross(middles[2], middles[0])
    return float(
        sum((c @ axis) * (np.cross(m, c) @ axis) for m, c in zip(middles, across, strict=True))
    )


def test_rules_and_doubts_are_told():
    assert "Pt is d8: square planar" in embed("Cl[Pt-2](Cl)(Cl)Cl", "smiles").method
    assert (
        "6 ligands put onto Fe"
        in embed("[K+].[K+].[K+].[C-]#N.[C-]#N.[C-]#N.[C-]#N.[C-]#N.[C-]#N.[Fe+3]", "smiles").method
    )
    open_isomer = embed("N.N.[Cl-].[Cl-].[Pt+2]", "smiles").method
    assert "arrangement of the ligands at Pt not given: one taken" in open_isomer
    assert "built with T-shaped Cl" in embed("FCl(F)F", "smiles").method
    assert "not told" not in embed("[O-][Mn](=O)(=O)=O", "smiles").method  # d0 has no spin


def test_ligands_go_to_the_metal_and_counter_ions_stay_away():
    atoms = embed("[K+].[K+].[C-]#N.[C-]#N.[C-]#N.[C-]#N.[Ni+2]", "smiles").atoms
    nickel = atoms.symbols.index("Ni")
    near = [atoms.symbols[index] for index in connectivity(atoms).neighbours(nickel)]
    assert near == ["C"] * 4


@pytest.mark.parametrize(
    "smiles",
    [
        "c1ccccc1P(c1ccccc1)(c1ccccc1)(c1ccccc1)c1ccccc1",
        "c1ccccc1I(Cl)Cl",
        "CS(C)(F)F",
        "FS(F)(F)(F)(F)S(F)(F)(F)(F)F",
        "C[Mg]Br",
        "O=[V](Cl)(Cl)Cl",
        "[Ru+2]123(<-n4ccccc4-c4ccccn->14)(<-n4ccccc4-c4ccccn->24)<-n4ccccc4-c4ccccn->34",
        "CC1=CC(C)=[O]->[Cu]2(O1)<-O=C(C)C=C(C)O2",
        "Cl[Pd](Cl)(<-P(C)(C)C)<-P(C)(C)C",
    ],
)
def test_the_bonds_of_larger_ones_are_those_written(smiles: str):
    from rdkit import Chem

    mol = with_hydrogens(smiles)
    expected = {tuple(sorted((b.GetBeginAtomIdx(), b.GetEndAtomIdx()))) for b in mol.GetBonds()}
    atoms = embed(smiles, "smiles").atoms
    assert {(b.first, b.second) for b in connectivity(atoms).bonds} == expected
    assert Chem.GetFormalCharge(mol) == atoms.charge


# --- what is judged ------------------------------------------------------------------------------


def test_a_wrong_shape_is_seen():
    """What Open Babel 3.1.1 makes of ClF3: bonds as they should be, but a trigonal pyramid."""
    mol = with_hydrogens("FCl(F)F")
    pyramid = np.array(
        [
            [0.921, 0.090, 0.021],
            [2.627, 0.090, 0.021],
            [3.481, -0.065, -1.448],
            [3.481, 0.245, 1.491],
        ]
    )
    check(mol, pyramid, "it")
    [wrong] = wrong_shapes(mol, shapes(mol), pyramid)
    assert (wrong.name, wrong.centre) == ("T-shaped", 1)
    good = embed("FCl(F)F", "smiles").atoms.positions
    assert not wrong_shapes(mol, shapes(mol), good)


def test_a_flat_pyramid_is_seen():
    mol = with_hydrogens("[O-]Cl(=O)=O")
    [shape] = shapes(mol)
    assert shape.name == "pyramidal"
    flat = 1.45 * np.array([[1, 0, 0], [0, 0, 0], [-0.5, 0.866, 0], [-0.5, -0.866, 0]])
    assert wrong_shapes(mol, [shape], flat) == [shape]


def test_contacts_that_are_not_bonds_are_refused():
    mol = with_hydrogens("C=CC=C")
    positions = embed("C=CC=C", "smiles").atoms.positions.copy()
    positions[3] = positions[0] + [0.0, 0.0, 1.35]
    with pytest.raises(RecipeError, match="embedded badly"):
        check(mol, positions, "butadiene")


def test_open_babel_helps_out(need):
    need("obabel")
    result = embed("C1#CC1", "smiles")
    assert result.method.startswith("Open Babel 3.")
    mol = with_hydrogens("OCC")
    positions, version = three_dimensions(mol)
    assert positions is not None
    assert version.startswith("Open Babel")
    check(mol, positions, "ethanol")  # the atoms come back in the order of the molecule


def test_open_babel_that_fails_is_told(tmp_path, monkeypatch: pytest.MonkeyPatch):
    program = tmp_path / "obabel"
    program.write_text("#!/bin/sh\necho '0 molecules converted' >&2\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert three_dimensions(with_hydrogens("C")) == (None, "Open Babel found none")
    with pytest.raises(RecipeError, match="and Open Babel found none"):
        embed("C1#CC1", "smiles")


def test_it_is_the_same_each_time():
    for smiles in ("FCl(F)F", "[CH-]1C=CC=C1.[CH-]1C=CC=C1.[Fe+2]", "CS(C)(F)F"):
        assert embed(smiles, "smiles").atoms == embed(smiles, "smiles").atoms
    mol = with_hydrogens("FS(F)(F)F")
    assert (build(mol, shapes(mol), [], 1, "") == build(mol, shapes(mol), [], 1, "")).all()


def test_chlorine_trifluoride_stays_t_shaped_in_hartree_fock():
    """HF/def2-SVP relaxes the template to a planar T; measured: Cl–F 1.598, 1.698 Å, 87.5°."""
    from workflows.dft.level.resolving import resolve_level
    from workflows.dft.properties.surface import optimise

    start = embed("FCl(F)F", "smiles").atoms
    level = resolve_level("HF", "def2-SVP", "restricted", density_fitting=True).level
    end = optimise(start, level).atoms
    assert point_group(end) == "C2v"
    lengths = sorted(bond.length for bond in connectivity(end).bonds)
    assert lengths == pytest.approx([1.598, 1.698, 1.698], abs=0.06)
    found = sorted(angle(end, i, 1, j) for i, j in [(0, 2), (0, 3), (2, 3)])
    assert found == pytest.approx([87.5, 87.5, 175.0], abs=3)
