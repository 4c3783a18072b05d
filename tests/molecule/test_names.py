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
from workflows.molecule import cas, chemicals_names, embed, groups, names, sugars
from workflows.molecule import suggestions as hints
from workflows.molecule.names import smiles_of
from workflows.molecule.notation import read_smiles
from workflows.molecule.table import is_formula, key, table

Need = Callable[[str], Path]

# OPSIN means something else by these, or leaves out what the usual name implies.
DIFFERENT = {
    "nitrogen", "oxygen", "dioxygen", "molecular oxygen", "fluorine", "chlorine", "bromine",
    "chlorine monoxide", "bromine monoxide",  # the unpaired electron on the halogen
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


def opsin(asked: list[str], need: Need, *options: str) -> list[str]:
    """What OPSIN makes of names, empty where it knows none."""
    program = names._opsin()
    assert program is not None
    done = subprocess.run(
        [need("java"), "-Dfile.encoding=UTF-8", "-jar", program, "-osmi", *options],
        input="\n".join(asked).encode(),
        capture_output=True,
        check=True,
    )
    answers = done.stdout.decode().splitlines()
    assert len(answers) == len(asked)
    return answers


def test_usual_names_are_what_their_systematic_names_say(need: Need):
    """`systematic_names.csv` has the systematic name of each drug and natural product.

    Source of most: PubChem's computed names, by way of the package chemicals 1.5.2 (MIT).
    """
    from rdkit import Chem

    listed = (Path(__file__).parent / "systematic_names.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(listed.splitlines()))
    assert len(rows) > 150
    told = opsin([row["systematic"] for row in rows], need)
    for row, answer in zip(rows, told, strict=True):
        found, expected = (
            Chem.MolToInchiKey(Chem.MolFromSmiles(smiles))
            for smiles in (answer, names.index()[key(row["name"])].smiles)
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
        ("water", "O"),
        ("Water", "O"),
        ("  WATER ", "O"),
        ("acetic-acid", "CC(=O)O"),
        ("AceticAcid", "CC(=O)O"),
        ("2 propanol", "CC(C)O"),
        ("HCN", "C#N"),
        ("H2O", "O"),
        ("H₂O", "O"),
        ("CO", "[C-]#[O+]"),
        ("1,2‐dichloroethane", "ClCCCl"),
        ("oxygen", "O=O"),
        ("hünig's base", "CCN(C(C)C)C(C)C"),
        ("HÜNIG’S BASE".replace("’", "'"), "CCN(C(C)C)C(C)C"),
    ],
)
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
    monkeypatch.setattr(chemicals_names, "_contents", tuple)  # it knows "benzen" and "hcn"
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
    assert smiles_of("Hf") == ("[Hf]", "the table (hafnium atom)")  # no hydrogen fluoride


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


# --- groups, sugars, registry numbers, hints -----------------------------------------------------


@pytest.mark.parametrize(
    ("name", "smiles"),
    [
        ("methyl cation", "[CH3+]"),
        ("Methyl Cation", "[CH3+]"),
        ("methyl anion", "[CH3-]"),
        ("methyl radical", "[CH3]"),
        ("methyl free radical", "[CH3]"),
        ("ethyl cation", "C[CH2+]"),
        ("tert-butyl cation", "C[C+](C)C"),
        ("tert butyl carbocation", "C[C+](C)C"),
        ("t-butyl carbanion", "C[C-](C)C"),
        ("isopropyl radical", "C[CH]C"),
        ("benzyl cation", "[CH2+]c1ccccc1"),
        ("benzyl anion", "[CH2-]c1ccccc1"),
        ("allyl cation", "C=C[CH2+]"),
        ("trityl cation", "c1ccc(cc1)[C+](c1ccccc1)c1ccccc1"),
        ("tropyl cation", "C1=CC=C[CH+]C=C1"),
        ("phenoxy radical", "[O]c1ccccc1"),
        ("cyclopentadienyl anion", "C1=C[CH-]C=C1"),
        ("acetyl cation", "C[C+]=O"),
        ("ammonium cation", "[NH4+]"),
        ("chloride anion", "[Cl-]"),
        ("nitrate ion", "O=[N+]([O-])[O-]"),
    ],
)
def test_ions_and_radicals_by_their_group(name: str, smiles: str):
    from rdkit import Chem

    assert Chem.CanonSmiles(smiles_of(name)[0]) == Chem.CanonSmiles(smiles)


def test_groups_that_opsin_reads(need: Need):
    from rdkit import Chem

    need("java")
    for name, smiles in {
        "2-methylbutan-2-yl cation": "CC[C+](C)C",
        "4-methylbenzyl radical": "[CH2]c1ccc(C)cc1",
        "propanoate anion": "CCC(=O)[O-]",
    }.items():
        found, who = smiles_of(name)
        assert Chem.CanonSmiles(found) == Chem.CanonSmiles(smiles)
        assert who.startswith("OPSIN (")


def test_opsin_agrees_with_the_groups(need: Need):
    from rdkit import Chem

    asked = list(groups.GROUPS)
    told = dict(zip(asked, opsin(asked, need, "-r"), strict=True))
    known = {name: smiles for name, smiles in told.items() if smiles}
    assert len(known) > 60
    # OPSIN takes these from another atom, or leaves open which.
    other = {
        "crotyl",
        "prenyl",
        "propenyl",
        "hydroxy",
        "cyclopropenyl",
        "cycloheptatrienyl",
        "norbornyl",
        "adamantyl",
    }
    for name, smiles in known.items():
        if name not in other:
            assert Chem.CanonSmiles(smiles) == Chem.CanonSmiles(groups.GROUPS[name]), name


@pytest.mark.parametrize("state", ["cation", "anion", "radical"])
def test_every_group_has_its_electrons(state: str):
    from rdkit import Chem

    for name, radical in groups.GROUPS.items():
        mol = Chem.MolFromSmiles(groups.with_state(radical, state))
        assert Chem.GetFormalCharge(mol) == {"cation": 1, "anion": -1, "radical": 0}[state], name
        charged = next((a for a in mol.GetAtoms() if a.GetFormalCharge() not in (0,)), None)
        assert charged is not None or state == "radical"
        if state != "cation":  # a nitrenium or oxenium ion has two
            free = sum(atom.GetNumRadicalElectrons() for atom in mol.GetAtoms())
            assert free == (state == "radical"), name


@pytest.mark.parametrize("name", ["benzene radical cation", "water cation", "naphthalene anion"])
def test_the_ion_of_a_molecule_is_asked_for_by_its_charge(name: str):
    charge = -1 if name.endswith("anion") else 1
    with pytest.raises(NotFoundError, match=rf"give (\w+) and its charge \(charge={charge}; "):
        smiles_of(name)


@pytest.mark.parametrize("name", ["methyl ion", "ethyl radical cation", "cyclohexyl radical anion"])
def test_a_state_that_no_group_has_is_not_guessed(name: str):
    with pytest.raises(NotFoundError):
        smiles_of(name)


SUGARS = ("glucose", "D-glucose", "Glucose", "dextrose", "(+)-glucose", "fructose", "D-ribose",
          "L-fucose", "galactose", "mannose", "xylose", "arabinose", "erythrose",
          "grape sugar")  # fmt: skip


@pytest.mark.parametrize("name", SUGARS)
def test_a_sugar_is_not_silently_its_open_chain(name: str):
    with pytest.raises(InputError, match=r"it is several molecules: alpha-.*ask for one of them"):
        smiles_of(name)


def test_the_forms_of_sugars_are_names_of_their_own(need: Need):
    from rdkit import Chem

    chosen = {name: sugars.forms(name) for name in SUGARS}
    told = opsin([one for forms in chosen.values() for one in forms], need)
    for name, forms in chosen.items():
        read = {Chem.CanonSmiles(told.pop(0)) for _ in forms}
        assert len(read) == len(forms) >= 3, name
        assert sum(not re.search("[0-9]", smiles) for smiles in read) == 1  # one has no ring


@pytest.mark.parametrize("name", ["deoxyribose", "2-deoxy-D-glucose", "glucuronic acid"])
def test_other_sugars_without_a_ring_are_asked_for_it(name: str, need: Need):
    need("java")
    with pytest.raises(InputError, match="neither the ring of the sugar nor the open chain"):
        smiles_of(name)


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("alpha-D-glucopyranose", "C6H12O6"),
        ("beta-D-glucose", "C6H12O6"),
        ("sucrose", "C12H22O11"),
        ("cellobiose", None),
        ("glucosamine", "C6H13NO5"),
    ],
)
def test_sugars_that_say_which(name: str, formula: str | None, need: Need):
    from rdkit import Chem
    from rdkit.Chem.rdMolDescriptors import CalcMolFormula

    need("java")
    if formula is None:  # unknown, or, with the package chemicals, several substances
        with pytest.raises((NotFoundError, InputError)):
            smiles_of(name)
    else:
        assert CalcMolFormula(Chem.MolFromSmiles(smiles_of(name)[0])) == formula


def test_every_registry_number_is_one_and_names_a_molecule():
    known = cas.numbers()
    assert len(known) > 500
    assert len(set(known.values())) == len(known)
    for number, name in known.items():
        assert cas.registry_number(number) == number
        assert cas.check_digit(number) == int(number[-1]), number
        assert key(name) in names.index(), name


@pytest.mark.parametrize(
    ("number", "name"),
    [
        ("7732-18-5", "water"),
        ("CAS 50-78-2", "aspirin"),
        ("cas: 58-08-2", "caffeine"),
        ("CAS No. 64-17-5", "ethanol"),
        ("71-43-2", "benzene"),
        ("99685-96-8", "buckminsterfullerene"),
        ("19287-45-7", "diborane"),
    ],
)
def test_registry_numbers(number: str, name: str):
    assert smiles_of(number) == (smiles_of(name)[0], f"the table ({name})")


def test_a_registry_number_that_is_none_or_is_not_known():
    with pytest.raises(InputError, match="its check digit is wrong: 50-78-2 would be"):
        smiles_of("50-78-3")
    with pytest.raises(NotFoundError, match=r"none of the \d+ numbers.*allow PubChem"):
        smiles_of("1234567-89-5")


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("asprin", "aspirin"),
        ("aspirine", "aspirin"),
        ("ibuprophen", "ibuprofen"),
        ("cafeine", "caffeine"),
        ("paracetomol", "paracetamol"),
        ("benzne", "benzene"),
        ("tolune", "toluene"),
        ("ehtanol", "ethanol"),
        ("acetonitril", "acetonitrile"),
        ("naphtalene", "naphthalene"),
        ("ferocene", "ferrocene"),
        ("hcn", "HCN"),
        ("wather", "water"),
        ("glicine", "glycine"),
        ("flourobenzene", "fluorobenzene"),
        ("acetylsalycilic acid", "acetylsalicylic acid"),
        ("maltose", "beta-maltose"),
    ],
)
def test_slips_are_recognised(slip: str, meant: str):
    assert hints.nearest(slip, names.spellings())[0] == meant


@pytest.mark.parametrize(
    "name",
    [
        "butene",
        "hexene",
        "ethanal",
        "propanal",
        "butanal",
        "butyne",
        "butanone oxime",
        "borine",
        "dimethylamine oxide",
        "2-chlorobutane",
        "3-hexanone",
        "methyl cation",
        "ethyl cation",
        "chlorite",
        "bromate",
        "sulfone",
        "phosphite",
        "selenide",
        "tribromomethane ion",
        "retene",
        "muscarine",
        "cannabinol",
        "vitamin A",
        "vitamin D",
        "nimodipine",
        "etorphine",
        "carinamide",
        "methanethione",
        "distibane",
        "tipepidine",
        "triborane",
        "disilene",
        "diazine",
        "thiol",
        "thiophane",
        "o-nitrophenol",
        "m-nitroaniline",
        "1,3-dichloroethane",
        "isohexane",
        "cyclodecane",
        "perfluorohexane",
        "sodium iodide",
        "potassium fluoride",
        "lithium bromide",
        "hydrogen telluride",
        "D-proline",
        "D-serine",
    ],
)
def test_another_molecule_is_no_slip(name: str):
    """Real names of molecules that the table lacks: a hint at its next neighbour would mislead."""
    if key(name) not in names.index():
        assert hints.nearest(name, names.spellings()) == []
