"""Libraries of molecules as they are: salts, open stereochemistry, drawings, names, charges."""

import re
from pathlib import Path

import pytest
from rdkit import Chem
from rdkit.Chem import rdDepictor, rdDistGeom

from ontologies.atoms import ConceptualAtoms
from workflows.engine.request.form import fill
from workflows.engine.request.library import Raw, Record
from workflows.molecule.library import MOLECULES, Cleaning


def read(text: str, heading: str = "", said: dict[str, object] | None = None, **more: str):
    raw = Raw("line 1", text, "x", columns=more, heading=heading)
    return MOLECULES.read([raw], fill(Cleaning, said or {}))


def one(text: str, heading: str = "", said: dict[str, object] | None = None, **more: str) -> Record:
    [found] = read(text, heading, said, **more)
    return found


def test_salts_and_mixtures():
    salt = "[Na+].CC(=O)[O-]"
    assert one(salt).given == salt
    assert one(salt).remarks == ("2 fragments, computed together",)
    alone = one(salt, said={"fragments": "largest"})
    assert (alone.given, alone.remarks) == ("CC(=O)[O-]", ("the largest of 2 fragments",))


def test_open_stereochemistry():
    known, unknown = "C[C@@H](O)F", "CC(O)F"
    assert one(known, said={"stereo": "refuse"}).given == known
    assert one(unknown).given == unknown
    assert "one form taken" in one(unknown).remarks[0]
    refused = one(unknown, said={"stereo": "refuse"})
    assert "no stereochemistry given at atom 2" in refused.problem
    each = read(unknown, said={"stereo": "enumerate"})
    assert {Chem.CanonSmiles(form.given) for form in each} == {
        Chem.CanonSmiles("C[C@@H](O)F"),
        Chem.CanonSmiles("C[C@H](O)F"),
    }
    assert [form.name for form in each] == ["x, stereoisomer 1 of 2", "x, stereoisomer 2 of 2"]
    many = "CC(O)C(O)C(O)C(O)C(O)CO"
    beyond = one(many, said={"stereo": "enumerate", "stereoisomers": 4})
    assert "more than 4 stereoisomers" in beyond.problem


def test_words_mean_what_their_heading_says():
    assert one("CO", "name").arguments == {"kind": "name"}
    assert one("CO").arguments == {}
    assert one("C1CC", "smiles").problem == "the ring bond 1 is left open"
    assert one("[CH3]", "smiles", charge="1", Multiplicity="1.0").arguments == {
        "charge": 1,
        "multiplicity": 1,
    }
    assert "no whole number" in one("C", charge="a few").problem
    for said in ("1_0", "\u0967", "1e999", "0.5", "inf"):
        assert "no whole number" in one("C", charge=said).problem
    assert one("C", charge="").arguments == {}


def molfile(smiles: str, *, flat: bool = False, hydrogens: bool = True) -> str:
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    if flat:
        mol = Chem.RemoveHs(mol)
        rdDepictor.Compute2DCoords(mol)
    else:
        assert rdDistGeom.EmbedMolecule(mol, randomSeed=1) == 0
        mol = mol if hydrogens else Chem.RemoveHs(mol)
    return "named" + Chem.MolToMolBlock(mol) + ">  <logP>\n1.5\n\n>  <note>\na\nb\n\n"


def test_a_text_of_names_is_read_as_names():
    lines = ["methanol\n", "CCO ethyl alcohol\n", "# no molecule\n", "acetic acid\tHOAc\n"]
    suffix = MOLECULES.suffix_of("".join(lines))
    raws = list(MOLECULES.split(iter(lines), suffix))
    assert [(raw.text, raw.name) for raw in raws] == [
        ("methanol", ""),
        ("CCO", "ethyl alcohol"),
        ("acetic acid", "HOAc"),
    ]
    found = MOLECULES.read(raws, fill(Cleaning, {}))
    assert [record.arguments.get("kind") for record in found] == ["name", None, "name"]
    strict = list(MOLECULES.split(iter(lines), ".smi"))
    assert "starts no part of a SMILES" in MOLECULES.read(strict[:1], fill(Cleaning, {}))[0].problem


def test_records_of_an_sdf_file():
    whole, drawn, bare, broken = MOLECULES.read(
        [
            Raw("structure 1", molfile("CO"), suffix=".sdf"),
            Raw("structure 2", molfile("c1ccccc1O", flat=True), suffix=".sdf"),
            Raw("structure 3", molfile("CCO", hydrogens=False), suffix=".sdf"),
            Raw("structure 4", "no\nmolecule\n", suffix=".sdf"),
        ],
        Cleaning(),
    )
    assert whole.model is not None
    assert whole.raw.name == "named"
    assert dict(whole.raw.columns) == {"logP": "1.5", "note": "a\nb"}
    assert drawn.given == Chem.CanonSmiles("c1ccccc1O")
    assert drawn.raw.remarks == ("a flat drawing: its geometry is made from its bonds",)
    assert bare.given == "CCO"
    assert broken.problem == "it is no structure that RDKit can read"


def test_what_is_written_is_read_again(tmp_path: Path):
    [first] = MOLECULES.read([Raw("structure 1", molfile("CO"), suffix=".sdf")], Cleaning())
    assert first.model is not None
    text = MOLECULES.written(first.model, "methanol", {"energy_Eh": -1.25, "odd <name>": "a\nb"})
    record = re.sub(r"\$\$\$\$\n\Z", "", text)
    [again] = MOLECULES.read([Raw("structure 1", record, suffix=".sdf")], Cleaning())
    assert again.model is not None
    assert again.raw.name == "methanol"
    assert again.raw.columns["energy_Eh"] == "-1.25"
    assert again.raw.columns["odd  name"] == "a b"


@pytest.mark.parametrize("text", ["/etc/passwd", "water.xyz"])
def test_a_cell_reads_no_file(text: str):
    found = read(text)
    assert all(record.model is None for record in found)


@pytest.mark.parametrize(
    ("smiles", "columns", "said", "given", "told"),
    [
        ("CC(=O)[O-]", {"charge": "0"}, {}, {"charge": 0}, "although it is written with -1"),
        ("[Na+].CC(=O)[O-]", {"charge": "0"}, {"fragments": "largest"}, {}, "the largest of 2"),
        ("[Na+].CC(=O)[O-]", {"charge": "1"}, {"fragments": "largest"}, None, "charge 1 is not"),
        ("O", {"charge": "1", "Charge": "2"}, {}, None, "different things of its charge"),
        ("[Fe+2].[Cl-].[Cl-]", {}, {}, {}, "spin of Fe not told"),
        ("O=O", {}, {}, {}, "multiplicity 3 taken, 1 may be asked for"),
        ("[2H]O", {}, {}, None, "isotope"),
        ("*C", {}, {}, None, "placeholder"),
        ("CC>>CO", {}, {}, None, "starts no part of a SMILES"),
        ("[#6]~[#7]", {}, {}, None, "has no kind"),
        ("C" * 5001, {}, {}, None, "5000 are allowed"),
    ],
)
def test_no_wrong_molecule_in_silence(
    smiles: str,
    columns: dict[str, str],
    said: dict[str, object],
    given: dict[str, int] | None,
    told: str,
):
    raw = Raw("line 1", smiles, "x", columns=columns, heading="smiles")
    [found] = MOLECULES.read([raw], fill(Cleaning, said))
    if given is None:
        assert told in found.problem
    else:
        assert (found.problem, found.arguments) == ("", given)
        assert told in "; ".join(found.remarks)


def test_records_that_run_into_each_other_and_newer_ones():
    two = molfile("CO").replace("$$$$", "") + molfile("CC")
    newer = Chem.MolToV3KMolBlock(Chem.MolFromMolBlock(molfile("CO"), removeHs=False))
    charged = molfile("CO") + ">  <charge>\n1\n\n"
    spun = molfile("CO") + ">  <multiplicity>\n3.0\n\n"
    run_on, third, wrong, doubtful = MOLECULES.read(
        [
            Raw(f"structure {at}", text, suffix=".sdf")
            for at, text in enumerate((two, newer, charged, spun))
        ],
        Cleaning(),
    )
    assert "$$$$" in run_on.problem
    assert isinstance(third.model, ConceptualAtoms)
    assert third.model.formula == "CH4O"
    assert "charge" in wrong.problem
    assert "multiplicity is given as 3" in doubtful.problem


def test_names_that_stand_before_their_smiles_are_said():
    text = "ZINC03814457\tNc1nc(OCC2CCCO2)c2nc[nH]c2n1\n"
    [raw] = MOLECULES.split(iter([text]), ".smi")
    [record] = MOLECULES.read([raw], fill(Cleaning, {}))
    assert record.problem.endswith("the SMILES seems to stand behind it: it should come first")
    [raw] = MOLECULES.split(iter(["C1CC broken\n"]), ".smi")
    [record] = MOLECULES.read([raw], fill(Cleaning, {}))
    assert record.problem == "the ring bond 1 is left open"


def test_what_smiles_are_extended_with_is_not_left_out():
    found = list(MOLECULES.split(iter(["CCO |^1:0| radical\n", "CC ethane\n"]), ".smi"))
    assert [bool(one.problem) for one in found] == [True, False]


@pytest.mark.parametrize(
    "heading", ["mult", "MULT", "Mult.", "2S+1", "Spin Multiplicity", "multiplicity"]
)
def test_a_multiplicity_counts_whatever_its_column_is_called(heading: str):
    heading = heading.rstrip(".")
    assert headed("[CH2]", {heading: "1"}).arguments == {"multiplicity": 1}
    assert headed("[CH2]", {heading: "Singlet"}).arguments == {"multiplicity": 1}
    assert headed("O", {heading: "2", "Total charge": "+1"}).arguments == {
        "multiplicity": 2,
        "charge": 1,
    }
    assert "no multiplicity" in headed("O", {heading: "0"}).problem
    assert "no whole number" in headed("O", {heading: "0.5"}).problem
    assert "different things" in headed("O", {heading: "1", "multi_plicity": "3"}).problem


def test_a_number_that_is_called_spin_may_be_three_things():
    assert headed("[CH2]", {"spin": "triplet"}).arguments == {"multiplicity": 3}
    for number in ("0", "1", "2"):
        assert "2S+1" in headed("[CH2]", {"Spin": number}).problem


def headed(text: str, columns: dict[str, str]) -> Record:
    [found] = MOLECULES.read([Raw("line 1", text, "x", columns=columns)], fill(Cleaning, {}))
    return found
