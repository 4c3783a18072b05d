"""What excited states are, by molecules whose states are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import ExcitedStates, StateSpin
from ontologies.level import LevelOfTheory
from ontologies.units import Floats
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.conjugation import pi_planes
from workflows.dft.properties.excitation import excitations
from workflows.molecule.embedding import embed

HF = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")


def states(
    smiles: str, number: int = 3, spin: StateSpin = "singlet", level: LevelOfTheory = HF
) -> ExcitedStates:
    return excitations(embed(smiles, "smiles").atoms, level, number, "TDA", spin)


@pytest.mark.parametrize(
    ("smiles", "spin", "expected"),
    [
        ("C=O", "singlet", "n → π*"),
        ("C=O", "triplet", "n → π*"),
        ("C=C", "triplet", "π → π*"),
        ("C#N", "triplet", "π → π*"),
        ("N=N", "singlet", "n → π*"),
        ("O", "singlet", "n → σ*"),
        ("N", "singlet", "n → σ*"),
        ("C", "singlet", "σ → σ*"),
        ("NC=O", "singlet", "n → π*"),
        ("O=CC=O", "singlet", "n → π*"),
        ("C=CC=C", "triplet", "π → π*"),
        ("c1ccoc1", "triplet", "π → π*"),
    ],
)
def test_the_lowest_state(smiles: str, spin: StateSpin, expected: str) -> None:
    assert states(smiles, 1, spin).characters == (expected,)


def test_states_of_formaldehyde_in_their_order() -> None:
    """The bright π → π* of a minimal basis is the third singlet, and the second triplet."""
    singlets = states("C=O")
    assert singlets.characters[2] == "π → π*"
    assert singlets.oscillator_strengths[2] > 0.2
    assert states("C=O", 2, "triplet").characters == ("n → π*", "π → π*")


def test_turning_and_renumbering_change_nothing() -> None:
    atoms = embed("NC=O", "smiles").atoms
    turn = Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix()
    order = np.random.default_rng(1).permutation(len(atoms.numbers))
    other = ConceptualAtoms(
        numbers=atoms.numbers[order], positions=atoms.positions[order] @ turn.T + 1.5
    )
    found = [excitations(one, HF, 4, "TDA").characters for one in (atoms, other)]
    assert found[0] == found[1]


def test_charge_over_a_distance() -> None:
    """From ammonia to fluorine 5 Å away, which pure functionals find far too low."""
    both = ConceptualAtoms(
        numbers=[7, 1, 1, 1, 9, 9],
        positions=[
            [0, 0, 0],
            [0.94, 0, -0.38],
            [-0.47, 0.814, -0.38],
            [-0.47, -0.814, -0.38],
            [0, 0, 5.0],
            [0, 0, 6.41],
        ],
    )
    level = resolve_level("PBE", "STO-3G", "restricted").level
    [found] = excitations(both, level, 1, "TDA").characters
    assert found.startswith("n → σ*, charge over 5.")  # from N to the middle of F2 are 5.7 Å


def test_rydberg_states_need_diffuse_functions() -> None:
    """The lowest singlet of ethylene by CIS is π → 3s.

    Source: J. B. Foresman, M. Head-Gordon, J. A. Pople, M. J. Frisch, J. Phys. Chem. 96, 135
    (1992).
    """
    diffuse = resolve_level("HF", "6-31++G**", "restricted").level
    assert states("C=C", 1, level=diffuse).characters == ("π → Rydberg",)
    assert "Rydberg" not in "".join(states("C=C", 5).characters)


def test_open_shells_have_none() -> None:
    level = LevelOfTheory(method="HF", basis="STO-3G", reference="unrestricted")
    water = embed("O", "smiles").atoms
    assert excitations(water, level, 2, "TDA").characters == ()


def planes(smiles: str) -> dict[str, list[Floats]]:
    atoms = embed(smiles, "smiles").atoms
    found: dict[str, list[Floats]] = {}
    for atom, ways in pi_planes(atoms).items():
        found.setdefault(atoms.symbols[atom], []).append(ways)
    return found


@pytest.mark.parametrize(
    ("smiles", "having"),
    [
        ("C", {}),
        ("N", {}),
        ("O", {}),
        ("CO", {}),
        ("OO", {}),
        ("F", {}),
        ("CCl", {}),
        ("C=C", {"C": 2}),
        ("C=O", {"C": 1, "O": 1}),
        ("c1ccncc1", {"C": 5, "N": 1}),
        ("c1ccoc1", {"C": 4, "O": 1}),
        ("C=CCl", {"C": 2, "Cl": 1}),
        ("CC=O", {"C": 1, "O": 1}),
        ("Nc1ccccc1", {"C": 6, "N": 1}),
        ("C[N+](=O)[O-]", {"N": 1, "O": 2}),
        ("O=C=O", {"C": 1, "O": 2}),
        ("NC=O", {"C": 1, "N": 1, "O": 1}),
        ("C=C=C", {"C": 3}),
        ("N#N", {"N": 2}),
        ("[O-][O+]=O", {"O": 3}),
        ("FF", {}),
        ("[Na]Cl", {}),
    ],
)
def test_which_atoms_have_pi_functions(smiles: str, having: dict[str, int]) -> None:
    assert {symbol: len(ways) for symbol, ways in planes(smiles).items()} == having


def test_directions() -> None:
    [first, second] = planes("C=C")["C"]
    assert first.shape == (1, 3)
    assert abs(float(first[0] @ second[0])) == pytest.approx(1, abs=1e-3), "one plane"
    carbons = planes("C=C=C")["C"]
    ends = [ways[0] for ways in carbons if len(ways) == 1]
    assert abs(float(ends[0] @ ends[1])) < 0.05, "the ends of allene are at right angles"
    assert [len(ways) for ways in carbons].count(2) == 1
    for ways in planes("C#N").values():
        assert np.allclose(ways[0] @ ways[0].T, np.eye(2), atol=1e-9)
