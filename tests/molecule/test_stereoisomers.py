"""The configurations that a molecule leaves open: as many as there are, named, and taken on."""

from pathlib import Path

import pytest

from grafico import Grafico
from tests.typed import typed
from workflows.molecule.configurations import Stereoisomer, stereoisomers
from workflows.molecule.embedding import bonded, embed


def found(smiles: str, most: int = 16, every: bool = False) -> tuple[list[Stereoisomer], list[str]]:
    return stereoisomers(bonded(embed(smiles, "smiles")), most, every)


@pytest.mark.parametrize(
    ("smiles", "number"),
    [
        ("C", 1),
        ("c1ccccc1", 1),
        ("CC(O)C(=O)O", 2),
        ("CC=CC", 2),
        ("CC=C=CC", 1),
        ("OC(C(O)C(=O)O)C(=O)O", 3),  # tartaric acid: two hands and the meso form
        ("OCC(O)C(O)C=O", 4),  # erythrose and threose, both hands each
        ("OC1CCCCC1O", 3),
        ("C[C@H](N)C(=O)O", 1),
    ],
)
def test_as_many_as_textbooks_have(smiles: str, number: int) -> None:
    made, told = found(smiles)
    assert len({one.smiles for one in made}) == len(made) == number
    assert told == []


def test_names_are_those_of_chemists() -> None:
    """Natural lactic acid is S, natural tartaric acid R,R; maleic acid is Z."""
    names = {one.smiles: one.configuration for one in found("CC(O)C(=O)O")[0]}
    assert names == {"C[C@H](O)C(=O)O": "C2 S", "C[C@@H](O)C(=O)O": "C2 R"}
    tartaric = {one.smiles: one.configuration for one in found("OC(C(O)C(=O)O)C(=O)O")[0]}
    natural = tartaric["O=C(O)[C@H](O)[C@@H](O)C(=O)O"]
    assert [word for word in natural.replace(",", "").split() if len(word) == 1] == ["R", "R"]
    maleic = {one.smiles: one.configuration[-1] for one in found("OC(=O)C=CC(=O)O")[0]}
    assert maleic == {"O=C(O)/C=C\\C(=O)O": "Z", "O=C(O)/C=C/C(=O)O": "E"}


def test_cages_that_cannot_be_are_left_out() -> None:
    """Bridgeheads of norbornane lie on one side; of camphor there are two hands and no more."""
    made, told = found("C1CC2CC1CC2")
    assert len(made) == 1
    assert told == ["1 configuration left out: no geometry was found"]
    assert len(found("CC1(C)C2CCC1(C)C(=O)C2")[0]) == 2


def test_what_is_said_can_be_left_open_too_and_many_are_cut() -> None:
    assert len(found("C[C@H](N)C(=O)O", every=True)[0]) == 2
    made, told = found("OCC(O)C(O)C(O)C(O)C=O", most=4)
    assert len(made) == 4
    assert told == ["more than 4: others are not told"]


def test_the_list_is_what_a_batch_takes(tmp_path: Path) -> None:
    with Grafico("memory:") as session:
        session_found = session.stereoisomers("CC(O)F")
        assert [one.configuration for one in session_found] == ["C2 S", "C2 R"]
        file = tmp_path / "forms.smi"
        file.write_text("".join(f"{one.smiles} {one.configuration}\n" for one in session_found))
        table = session.batch(str(file), method="GFN2-xTB").frame()
    assert sorted(table["name"]) == ["C2 R", "C2 S"]
    assert abs(table["energy_Eh"].iloc[0] - table["energy_Eh"].iloc[1]) < 1e-5, "mirror images"


def test_the_command_line_writes_the_same(tmp_path: Path) -> None:
    file = tmp_path / "forms.smi"
    asked = ["stereoisomers", "CC(O)F", "--store", "memory:", "-o", str(file)]
    typed(*asked)
    assert file.read_text("utf-8") == "C[C@@H](O)F C2 S\nC[C@H](O)F C2 R\n"
