"""The table of names is right, and names that nobody knows are told so."""

import contextlib
import csv
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triplestore.errors import InputError, NotFoundError
from workflows.molecule import embed, names
from workflows.molecule.names import is_formula, key, smiles_of, table
from workflows.molecule.notation import read_smiles

Need = Callable[[str], Path]

# OPSIN means something else by these, or leaves out what the usual name implies.
DIFFERENT = {
    "nitrogen", "oxygen", "dioxygen", "molecular oxygen", "fluorine", "chlorine", "bromine",
    "iodine", "carbon monoxide", "nitrous oxide", "chlorine dioxide", "menthol", "(-)-menthol",
    "camphor", "(+)-camphor", "cinnamic acid", "purine", "adenine", "guanine", "nicotine",
    "hexacarbonylchromium", "tetracarbonylnickel", "pentacarbonyliron", "bis(cyclopentadienyl)iron",
    "adrenaline", "resveratrol", "penicillamine", "phenazone", "folic acid", "ammonia borane",
}  # fmt: skip


def composition(formula: str) -> tuple[Counter[str], int]:
    """How many of each element, in whichever order, and the charge."""
    charge = re.search(r"([+-])(\d*)$", formula)
    if charge:
        formula = formula[: charge.start()]
    counts = Counter[str]()
    for symbol, number in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        counts[symbol] += int(number or 1)
    return counts, int(charge[1] + (charge[2] or "1")) if charge else 0


def test_every_formula_agrees_with_its_smiles():
    from rdkit.Chem.rdMolDescriptors import CalcMolFormula

    wrong = [
        (entry, found)
        for entry in table()
        if composition(found := CalcMolFormula(read_smiles(entry.smiles, entry.names[0])))
        != composition(entry.formula)
    ]
    assert not wrong


def test_formulas_among_the_names_agree():
    for entry in table():
        for name in entry.names:
            if is_formula(name) and "(" not in name:
                assert composition(name)[0] == composition(entry.formula)[0], name


def test_names_are_unique_and_sane():
    known = [name for entry in table() for name in entry.names]
    assert len(table()) > 600
    assert [k for k, n in Counter(map(key, known)).items() if n > 1] == []
    assert not [name for name in known if names.ODD.search(name) or name != name.strip()]
    rows = list(csv.reader((files("workflows.molecule") / "names.csv").read_text().splitlines()))
    assert rows[0] == ["name", "formula", "smiles"]
    assert all(len(row) == 3 for row in rows)


def test_amino_acids_are_the_natural_ones():
    from rdkit import Chem

    acids = [entry for entry in table() if entry.names[0].startswith("L-") and "N" in entry.formula]
    assert len(acids) == 19
    for entry in acids:
        mol = Chem.MolFromSmiles(entry.smiles)
        (alpha,) = mol.GetSubstructMatches(Chem.MolFromSmarts("[C@H,C@@H](N)C(=O)[OH]"))
        label = mol.GetAtomWithIdx(alpha[0]).GetProp("_CIPCode")
        assert label == ("R" if entry.names[0] == "L-cysteine" else "S"), entry


def test_opsin_agrees_with_the_table(need: Need):
    from rdkit import Chem

    asked = [(n, e) for e in table() for n in e.names if not is_formula(n) and n not in DIFFERENT]
    program = names._opsin()
    assert program is not None
    done = subprocess.run(
        [need("java"), "-Dfile.encoding=UTF-8", "-jar", program, "-osmi"],
        input="\n".join(name for name, _ in asked).encode(),
        capture_output=True,
        check=True,
    )
    answers = done.stdout.decode().splitlines()
    assert len(answers) == len(asked)
    known = [
        (name, entry, told) for (name, entry), told in zip(asked, answers, strict=True) if told
    ]
    assert len(known) > 600
    for name, entry, told in known:
        found, expected = (read_smiles(smiles, name) for smiles in (told, entry.smiles))
        assert Chem.MolToSmiles(found) == Chem.MolToSmiles(expected), name


def test_usual_names_are_what_their_systematic_names_say(need: Need):
    """`systematic_names.csv` has the systematic name of each drug and natural product.

    Source of most: PubChem's computed names, by way of the package chemicals 1.5.2 (MIT).
    """
    from rdkit import Chem

    listed = (Path(__file__).parent / "systematic_names.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(listed.splitlines()))
    assert len(rows) > 150
    program = names._opsin()
    assert program is not None
    done = subprocess.run(
        [need("java"), "-Dfile.encoding=UTF-8", "-jar", program, "-osmi"],
        input="\n".join(row["systematic"] for row in rows).encode(),
        capture_output=True,
        check=True,
    )
    for row, told in zip(rows, done.stdout.decode().splitlines(), strict=True):
        found, expected = (
            Chem.MolToInchiKey(Chem.MolFromSmiles(smiles))
            for smiles in (told, names.index()[key(row["name"])].smiles)
        )
        assert found == expected, row["name"]


@pytest.mark.parametrize(
    ("name", "inchikey"),
    [
        ("morphine", "BQJCRHHNABKAKU-KBQPJGBKSA-N"),
        ("codeine", "OROGSEYTTFOCAN-DNJOTXNNSA-N"),
        ("LSD", "VAYOSLLFUXYJDT-RDTXWAMCSA-N"),
        ("buckminsterfullerene", "XMWRBQBLMFGWIX-UHFFFAOYSA-N"),
        ("aspirin", "BSYNRYMUTXBXSQ-UHFFFAOYSA-N"),
        ("caffeine", "RYYVLZVUVIJVGH-UHFFFAOYSA-N"),
        ("ibuprofen", "HEFNNWSXXWATRW-UHFFFAOYSA-N"),
        ("paracetamol", "RZVAJINKPMORJF-UHFFFAOYSA-N"),
        ("beta-D-glucopyranose", "WQZGKKKJIJFFOK-VFUOTHLCSA-N"),
        ("cholesterol", "HVYWMOMLDIMFJA-DPAQBDIFSA-N"),
    ],
)
def test_usual_names_have_their_published_inchikeys(name: str, inchikey: str):
    from rdkit import Chem

    assert Chem.MolToInchiKey(Chem.MolFromSmiles(smiles_of(name)[0])) == inchikey


@pytest.mark.parametrize(
    ("name", "smiles"),
    [
        ("water", "O"), ("Water", "O"), ("  WATER ", "O"), ("acetic-acid", "CC(=O)O"),
        ("AceticAcid", "CC(=O)O"), ("2 propanol", "CC(C)O"), ("HCN", "C#N"), ("H2O", "O"),
        ("H₂O", "O"), ("CO", "[C-]#[O+]"), ("1,2‐dichloroethane", "ClCCCl"), ("oxygen", "[O][O]"),
        ("hünig's base", "CCN(C(C)C)C(C)C"), ("HÜNIG’S BASE".replace("’", "'"), "CCN(C(C)C)C(C)C"),
    ],
)  # fmt: skip
def test_spelling_does_not_matter(name: str, smiles: str):
    assert smiles_of(name) == (smiles, "the table")


def test_systematic_names(need: Need):
    need("java")
    assert smiles_of("2-methylpropan-2-ol") == ("CC(C)(C)O", "OPSIN")
    answer = embed("2-methylpropan-2-ol", "name")
    assert answer.atoms.formula == "C4H10O"
    assert answer.method == "name from OPSIN; RDKit ETKDGv3, seed 7, MMFF94"
    assert answer.smiles == "CC(C)(C)O"


def test_systematic_names_leave_nothing_behind(
    need: Need, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    need("java")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFoundError, match="OPSIN cannot read it as a systematic name"):
        smiles_of("-h")
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_an_unknown_name_without_java(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(shutil, "which", lambda program: None)
    with pytest.raises(NotFoundError) as caught:
        smiles_of("benzen")
    message = str(caught.value)
    assert "'benzen'" in message
    assert "did you mean benzene" in message
    assert "no Java runtime" in message
    assert "install a Java runtime" in message
    with pytest.raises(NotFoundError, match="did you mean HCN"):
        smiles_of("hcn")
    with pytest.raises(NotFoundError, match="as a SMILES it is faulty: the ring bond 1"):
        smiles_of("C1CC")
    with pytest.raises(NotFoundError):
        smiles_of("Hf")  # hafnium is not hydrogen fluoride


def test_a_java_that_fails_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    java = tmp_path / "java"
    java.write_text("#!/bin/sh\necho 'Unable to locate a Java Runtime.' >&2\nexit 1\n")
    java.chmod(0o700)
    monkeypatch.setattr(shutil, "which", lambda program: str(java))
    with pytest.raises(NotFoundError, match="OPSIN failed: Unable to locate a Java Runtime"):
        smiles_of("unobtainium oxide")


@pytest.mark.parametrize(
    "name", ["$(touch x)", "a`b`", "a|b", "a&b", "a<b", 'a"b', "a\\b", "x" * 201, "", "a\nb", "a\0"]
)
def test_what_is_no_name_never_leaves_python(name: str, monkeypatch: pytest.MonkeyPatch):
    def run(*arguments: object, **options: object):
        raise AssertionError("a program was started")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(InputError):
        smiles_of(name)


@given(st.text())
def test_any_text_is_known_or_an_input_error(text: str):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shutil, "which", lambda program: None)
        with contextlib.suppress(InputError):
            assert smiles_of(text)[0]
