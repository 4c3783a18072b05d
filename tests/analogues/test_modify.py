"""Analogues: replacements that made medicines are found; what is made is a molecule, each once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.agreeing import agreeing
from tests.typed import typed
from triplestore.errors import InputError
from workflows.analogues.changing import analogues, transformations
from workflows.controlled.gate import gate
from workflows.molecule.notation import canonical, read_smiles
from workflows.molecule.table import table

HISTORY = [  # lead, medicine, what was replaced; see the reviews
    ("CNC(=S)NCCSCc1nc[nH]c1C", "CNC(=NC#N)NCCSCc1nc[nH]c1C", "thiourea to cyanoguanidine"),
    (  # EXP7711, losartan
        "CCCCc1nc(Cl)c(CO)n1Cc1ccc(-c2ccccc2C(=O)O)cc1",
        "CCCCc1nc(Cl)c(CO)n1Cc1ccc(-c2ccccc2-c2nnn[nH]2)cc1",
        "carboxylic acid to tetrazole",
    ),
    ("CCN(CC)CCOC(=O)c1ccc(N)cc1", "CCN(CC)CCNC(=O)c1ccc(N)cc1", "ester to amide"),
    ("O=c1cc[nH]c(=O)[nH]1", "O=c1[nH]cc(F)c(=O)[nH]1", "aromatic hydrogen to fluorine"),
    (  # phenbenzamine, tripelennamine
        "CN(C)CCN(Cc1ccccc1)c1ccccc1", "CN(C)CCN(Cc1ccccc1)c1ccccn1", "aromatic CH to nitrogen",
    ),
    (  # colterol, salbutamol
        "CC(C)(C)NCC(O)c1ccc(O)c(O)c1", "CC(C)(C)NCC(O)c1ccc(O)c(CO)c1", "phenol to hydroxymethyl",
    ),
    ("CC(C)=O", "CC1(C)COC1", "ketone to oxetane"),
]  # fmt: skip

SOME = [entry.smiles for entry in table() if 2 < len(entry.smiles) < 60]


@pytest.mark.parametrize(("lead", "made", "name"), HISTORY)
def test_replacements_that_were_made_are_found(lead: str, made: str, name: str) -> None:
    found = {one.smiles: one.transformation for one in analogues(lead)}
    assert found[canonical(made, made)] == name


@pytest.mark.parametrize(
    ("given", "made"),
    [
        ("C[C@H](N)C(=O)O", "C[C@H](N)c1nnn[nH]1"),
        ("C[C@@H](N)C(=O)O", "C[C@@H](N)c1nnn[nH]1"),
        ("CC(=O)N[C@@H](C)c1ccccc1", "CNC(=O)[C@@H](C)c1ccccc1"),
        ("C[C@H](O)CC", "C[C@H](N)CC"),
    ],
)
def test_a_configuration_is_kept_in_space(given: str, made: str) -> None:
    """Groups stand where those stood that they replace, whatever that makes of R and S."""
    found = {one.smiles for one in analogues(given)}
    assert canonical(made, made) in found
    assert canonical(made.replace("@@", "@") if "@@" in made else made.replace("@", "@@"), "") not in found  # noqa: E501  # fmt: skip


def test_counter_ions_and_metals_stay() -> None:
    for salt, made in (
        ("[Na+].O=C([O-])c1ccccc1", "[Na+].O=C([O-])c1ccc(F)cc1"),
        ("[Fe+2].c1cc[cH-]c1.c1cc[cH-]c1", "[Fe+2].c1cc[cH-]c1.Fc1cc[cH-]c1"),
    ):
        found = {one.smiles for one in analogues(salt)}
        assert canonical(made, made) in found
        assert all("Na+" in one or "Fe+2" in one for one in found)


@settings(max_examples=40)
@given(st.sampled_from(SOME))
@example("O=[Xe](=O)(=O)=O")
@example("O=Cl(=O)(=O)OC")
def test_what_is_made_is_a_molecule_and_another_each_once(smiles: str) -> None:
    found = [one.smiles for one in analogues(smiles)]
    assert len({*found}) == len(found)
    assert canonical(smiles, smiles) not in found
    for one in found:
        assert canonical(one, one) == one
        assert one.count(".") == smiles.count(".")
        assert not any(atom.GetNumRadicalElectrons() for atom in read_smiles(one, one).GetAtoms())  # pyright: ignore  # fmt: skip


def test_every_transformation_can_be_read_and_makes_something() -> None:
    from rdkit.Chem import rdChemReactions

    assert len({one.name for one in transformations()}) == len(transformations()) > 40
    starts = [entry.smiles for entry in table()] + ["CNC(=S)NC", "CNC(=O)NC", "COC(C)(C)C"]
    starts += [lead for lead, *_ in HISTORY] + ["c1ccccc1C(C)(C)C", "CC(=O)NC", "CCSCC"]
    made = set[str]()
    for one in transformations():
        reaction = rdChemReactions.ReactionFromSmarts(one.smarts)  # pyright: ignore
        assert reaction.Validate(silent=True)[1] == 0, one  # pyright: ignore
        assert one.source in ("Patani 1996", "Meanwell 2011", "Topliss 1972")
        for start in starts:
            if analogues(start, [one.name]):
                made.add(one.name)
                break
    assert made == {one.name for one in transformations()}


def test_a_transformation_is_chosen_by_its_name() -> None:
    assert {one.transformation for one in analogues("CC(=O)NC", ["to sulfonamide"])} == {
        "amide to sulfonamide"
    }
    with pytest.raises(InputError, match="amide reversed"):
        analogues("CC(=O)NC", ["alchemy"])


def test_the_lines_are_what_a_batch_takes(tmp_path: Path) -> None:
    done = typed("modify", "CC(=O)NC", "-o", tmp_path / "them.smi")
    assert "on paper" in done.stderr
    compared = typed("similar", "CC(=O)NC", "--to", tmp_path / "them.smi", "--json")
    names = {one["name"] for one in json.loads(compared.stdout)["similar"]}
    assert "amide to sulfonamide (Patani 1996)" in names
    assert "no transformation" in typed("modify", "[He]").stderr
    cut = typed("modify", "toluene", "--most", "2")
    assert len(cut.stdout.splitlines()) == 2
    assert "left out" in cut.stderr
    assert "there are aromatic hydrogen" in " ".join(
        typed("modify", "CC", "--by", "alchemy", status=2).stderr.split()
    )


@pytest.mark.parametrize("asked", ["xylene", "67-64-2", "*CC*", "C" * 2000, "not a molecule"])
def test_what_is_no_molecule_is_refused(asked: str) -> None:
    typed("modify", asked, status=2)


@pytest.mark.parametrize(
    ("molecule", "said"),
    [
        ("CC(C)OP(C)(=O)F", "Schedule 1"),
        ("CCOP(=O)(C#N)N(C)C", "Schedule 1"),
        ("O=[N+]([O-])OCC(CO[N+](=O)[O-])O[N+](=O)[O-]", "explosive"),
    ],
)
def test_no_analogues_are_told_of_what_is_not_made(molecule: str, said: str) -> None:
    with agreeing():
        done = typed("modify", molecule, status=2)
    assert said in done.stderr
    assert not done.stdout


@pytest.mark.parametrize(
    ("molecule", "said"),
    [("OCCSCCO", "nobody has stated"), ("OCCN(CCO)CCO", "grafico approve")],
)
def test_analogues_of_what_is_listed_need_a_person(
    molecule: str, said: str, tmp_path: Path
) -> None:
    done = typed("modify", molecule, "--store", tmp_path / "store", status=1)
    assert said in done.stderr
    assert not done.stdout


def test_with_a_persons_word_they_are_told_each_time_anew(tmp_path: Path) -> None:
    """Triethanolamine is in shampoo, and on Schedule 3: one yes is for one answer."""
    asked = ("modify", "triethanolamine", "--by", "alcohol", "--store", tmp_path / "store")
    with agreeing():
        done = typed(*asked)
    every = [line.split()[0] for line in done.stdout.splitlines()]
    assert every
    assert not any(gate([one]).stops for one in every)
    typed(*asked, status=1)
    with agreeing():
        assert typed(*asked).stdout == done.stdout


def test_schedule_2_is_modified_after_a_statement_and_a_permission(tmp_path: Path) -> None:
    store = ("--store", tmp_path / "store")
    said = ("--called", "2,2'-thiodiethanol", "--cas", "111-48-8")
    with agreeing():
        typed("modify", "thiodiglycol", *store, status=2)  # a name that is not known here
        typed("modify", "OCCSCCO", *store, status=1)
        typed("statement", "thiodiglycol", *said, *store)
    typed("modify", "OCCSCCO", *store, status=1)  # still nobody permits it
    with agreeing():
        done = typed("modify", "OCCSCCO", *store)
    assert "ether" in done.stdout or "thio" in done.stdout
    with agreeing():
        assert "no statement" in " ".join(
            typed("statement", "sarin", *said, *store, status=2).stderr.split()
        )


def test_analogues_that_are_listed_are_left_out() -> None:
    """One of those of dimethylaminoethanol is on a schedule."""
    done = typed("modify", "CN(C)CCO")
    assert "left out: on lists of what is not made" in done.stderr
    every = [line.split()[0] for line in done.stdout.splitlines()]
    assert every
    assert not any(gate([one]).stops for one in every)
