"""What a text means: a file, an IRI, a SMILES or a name."""

import contextlib
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from triplestore.errors import InputError, NotFoundError
from workflows.molecule import Kind, recognise
from workflows.molecule.recognition import smiles_fault

SMILES = [
    "O", "C", "CO", "CCO", "CC(=O)O", "[Na+].[Cl-]", "c1ccccc1", "C[C@H](N)C(=O)O", "F/C=C/F",
    "F\\C=C/F", "[C-]#[O+]", "[O][O]", "C1CC1", "C%12CC%12", "[13CH4]", "[H][H]", "ClCCl", "*C",
    "c1c[nH]cc1", "CC(C)(C)c1ccc(cc1)O", "N#N", "[Fe+2]", "[CH3:1]C", " CCO ", "C(C)(C)(C)(C)C",
    "B", "I", "[OH3+]", "C1=CC=CC=C1", "[se]1cccc1", "C:1:C:C:C:C:C:1", "C/C(=C\\C)/C",
]  # fmt: skip
NAMES = [
    "water", "benzene", "HCN", "PCl3", "H2O", "CO2", "acetic acid", "2-methylpropan-2-ol", "Sn",
    "Co", "No", "Cs", "NaCl", "tert-butanol", "C1CC", "C1CC(", "C(C", "CC)", "C==C", "C()C", "1",
    "(C)", "=C", "C=", "C.", ".C", "N,N-dimethylformamide", "[Zz]", "[X]", "[nope]", "cocoon",
    "β-carotene", "bicyclo[2.2.1]heptane", "TNT", "C C",
]  # fmt: skip


@pytest.mark.parametrize("text", SMILES)
def test_smiles(text: str):
    assert recognise(text) == "smiles"


@pytest.mark.parametrize("text", NAMES)
def test_names(text: str):
    assert recognise(text) == "name"


@pytest.mark.parametrize("text", ["InChI=1S/CH4/h1H4", " inchi=1S/H2O/h1H2 "])
def test_inchis(text: str):
    assert recognise(text) == "inchi"


@pytest.mark.parametrize("text", ["[C][=O]", "[C][Branch1][C][O][N]", "[C][C].[#Branch2][=C]"])
def test_selfies(text: str):
    assert recognise(text) == "selfies"
    assert recognise("[C][C][O]") == "smiles"  # it can be both


@pytest.mark.parametrize("text", ["https://w3id.org/grafico/id/1", "urn+x://a", "http://a/C"])
def test_iris(text: str):
    assert recognise(text) == "iri"


@pytest.mark.parametrize("name", ["m.xyz", "water", "odd name", "C"])
def test_what_exists_is_a_file(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / name).write_text("1\n\nHe 0 0 0\n")
    monkeypatch.chdir(tmp_path)
    assert recognise(name) == recognise(f"./{name}") == recognise(str(tmp_path / name)) == "file"


def test_a_folder_does_not_hide_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    for name in ("benzene", "C"):
        (tmp_path / name).mkdir()
    assert (recognise("benzene"), recognise("C")) == ("name", "smiles")
    assert recognise("./benzene") == "file"  # reading it then says that it is a folder


@pytest.mark.parametrize(
    "text",
    ["m.xyz", "m.XYZ", "a b.sdf", "no/such/thing", "./C", "../m.cif", "~/m.mol", "a\\b", "/C"],
)
def test_a_path_to_nothing(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(NotFoundError, match="there is no such file"):
        recognise(text)


@pytest.mark.parametrize("text", ["", " ", "\t\n", "a\0b", "a\nb", "\x1b[31m", "C\x7f", "\ud800"])
def test_no_text_at_all(text: str):
    with pytest.raises(InputError):
        recognise(text)


def test_a_given_kind_decides():
    assert recognise("CO", "name") == "name"
    assert recognise("water", "smiles") == "smiles"
    with pytest.raises(InputError, match="choose one of file, iri, smiles, name, inchi, selfies"):
        recognise("water", "formula")  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="empty"):
        recognise(" ", "name")


def test_faults_say_where():
    assert smiles_fault("C1CC") == "the ring bond 1 is left open"
    assert smiles_fault("CC)C") == "the parenthesis at position 3 closes nothing"
    assert smiles_fault("C=(C)C") == "'(' at position 3 cannot stand there"
    assert smiles_fault("Cq") == "'q' at position 2 starts no part of a SMILES"


@given(st.text() | st.text("CNOc1()[]=#/\\.%@+-H*", max_size=30))
@example("C" * 10_000)
@example("(" * 10_000)
@example("x" * 10_000 + "/y")
def test_any_text_has_a_kind_or_an_input_error(text: str):
    with contextlib.suppress(InputError):
        assert recognise(text) in get_args(Kind)
