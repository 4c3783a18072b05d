"""Classes of reactions and their atoms, products, and one-step disconnections, behind gates."""

from __future__ import annotations

import json
import re
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from grafico import Grafico
from tests.agreeing import agreeing
from tests.typed import typed
from triplestore.errors import ComponentError, InputError
from workflows.synthesis import extra
from workflows.synthesis.disconnecting import disconnections
from workflows.synthesis.reacting import classified, products

needs_chython = pytest.mark.skipif(find_spec("chython") is None, reason="the extra synthesis")
needs_synspace = pytest.mark.skipif(find_spec("synspace") is None, reason="the extra synthesis")

BIS_CF3 = "c1cc(C(F)(F)F)cc(C(F)(F)F)c1"
TEXTBOOK = {
    "Brc1ccccc1.OB(O)c1ccccc1>>c1ccccc1-c1ccccc1": "suzuki",
    "Cc1cccc(c1)C(=O)Cl.CCNCC>>CCN(CC)C(=O)c1cccc(C)c1": "amidation",
    "Cc1cccc(c1)C(=O)O.CCNCC>>CCN(CC)C(=O)c1cccc(C)c1": "amidation",
    "CC(=O)O.OCC>>CC(=O)OCC": "esterification",
    "Oc1ccccc1.CI>>COc1ccccc1": "williamson",
    "Brc1ccccc1.C1COCCN1>>c1ccccc1N1CCOCC1": "buchwald hartwig",
    "O=Cc1ccccc1.NCCC>>CCCNCc1ccccc1": "reductive amination",
    "Fc1ccc([N+](=O)[O-])cc1.C1COCCN1>>O=[N+]([O-])c1ccc(N2CCOCC2)cc1": "snar",
    "Ic1ccccc1.C#Cc1ccccc1>>C(#Cc1ccccc1)c1ccccc1": "sonogashira",
    "O=[N+]([O-])c1ccccc1>>Nc1ccccc1": "nitro to amine",
    "O=Cc1ccccc1.C[Mg]Br>>CC(O)c1ccccc1": "grignard",
    "CC(=O)OC(C)=O.OC(=O)c1ccccc1O>>CC(=O)Oc1ccccc1C(=O)O": "protection: hydroxyl acyl",
    "Brc1ccccc1.C=CC(=O)OC>>COC(=O)/C=C/c1ccccc1": "heck",
    "C#Cc1ccccc1.[N-]=[N+]=NCc1ccccc1>>c1ccc(cc1)Cn1cc(nn1)-c1ccccc1": "cuaac",
    "O=Cc1ccccc1.C=P(c1ccccc1)(c1ccccc1)c1ccccc1>>C=Cc1ccccc1": "wittig",
    "c1ccccc1.O[N+](=O)[O-]>>O=[N+]([O-])c1ccccc1": "nitration",
    "NCCc1ccccc1.CC(C)(C)OC(=O)OC(=O)OC(C)(C)C>>CC(C)(C)OC(=O)NCCc1ccccc1":
        "protection: amine boc",
    "C=CC=C.C=CC(=O)OC>>COC(=O)C1CCC=CC1": "",  # Diels-Alder, thiourea, aldol: no rule has them
    f"S=C=N{BIS_CF3}.NC1CCCCC1>>S=C(NC1CCCCC1)N{BIS_CF3}": "",
    "CC=O.CC=O>>CC(O)CC=O": "",
}  # fmt: skip
"""Reactions of textbooks, with what they are called there."""


@needs_chython
def test_classes_are_those_of_textbooks_or_not_known() -> None:
    for reaction, kind in TEXTBOOK.items():
        found = classified(reaction)
        assert found.kind == kind, reaction
        assert (found.score is None) == bool(kind)
        assert _elements_stay(found.mapped), found.mapped


def _elements_stay(mapped: str) -> bool:
    """Whether each numbered atom is of one element on both sides, and stands in each once."""
    sides = [re.findall(r"\[(\d*[A-Za-z]{1,2}?)(?=[^A-Za-z]|H)[^]]*:(\d+)\]", one)
             for one in (mapped.rpartition(">")[0], mapped.rpartition(">")[2])]  # fmt: skip
    before, after = [{number: element.upper() for element, number in side} for side in sides]
    once = all(max(Counter(n for _, n in side).values(), default=1) == 1 for side in sides)
    shared = before.keys() & after.keys()
    return once and bool(shared) and all(before[one] == after[one] for one in shared)


@needs_chython
def test_a_rule_numbers_the_atoms_that_stay() -> None:
    """In an ester of Fischer's the alcohol's oxygen stays: I. Roberts, H. C. Urey (1938)."""
    mapped = classified("CC(=O)O.OCC>>CC(=O)OCC").mapped
    alcohol = re.search(r"\[CH2:\d+\]\(\[CH3:\d+\]\)\[OH:(\d+)\]", mapped.rpartition(">")[0])
    assert alcohol, mapped
    assert re.search(rf"\[O:{alcohol[1]}\]", mapped.rpartition(">")[2])


@needs_chython
def test_what_a_model_guesses_is_said_to_be_a_guess() -> None:
    done = typed("classify", "C=CC=C.C=CC(=O)OC>>COC(=O)C1CCC=CC1")
    assert "class           not known here\n" in done.stdout
    assert re.search(r"a learned model, score 0\.\d+\)", done.stdout)
    assert "guess, which is wrong at times" in done.stderr


@needs_chython
def test_classes_are_told_of_what_is_listed_with_a_note() -> None:
    """To say what a reaction is makes nothing."""
    deet = "Cc1cccc(c1)C(=O)O.CCNCC>O=S(Cl)Cl>CCN(CC)C(=O)c1cccc(C)c1"
    assert json.loads(typed("classify", deet, "--json").stdout)["kind"] == "amidation"
    done = typed("classify", deet)
    assert "3.B.14: thionyl chloride" in done.stderr


@needs_chython
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("CCO", "it is not one reaction"),
        ("CCO>>", "it is not one reaction"),
        (">>CCO", "it is not one reaction"),
        ("CCO>>CC=O; CC=O>>CCO", "it is not one reaction"),
        ("CCO>>[nope]", "is no atom"),
        ("CCO>CC=O", "no part of a name"),
        ("C" * 300 + ">>" + "C" * 300, "400 are allowed"),
        ("silica gel", "its structure is not known here"),
    ],
)
def test_what_is_no_reaction_is_refused(asked: str, said: str) -> None:
    assert said in " ".join(typed("classify", asked, status=2).stderr.split())


@needs_chython
def test_products_are_what_rules_make() -> None:
    assert [one.smiles for one in products(["CC(=O)O", "CCO"])] == ["CCOC(C)=O"]
    told = typed("products", "acetic acid; ethanol")
    assert told.stdout.startswith("CCOC(C)=O esterification (rules of chython ")
    assert "not what will" in told.stderr
    assert "not known here" in typed("products", "methane; neon").stderr
    with Grafico("memory:") as session:
        [one] = session.products(["Brc1ccccc1", "OB(O)c1ccccc1"])
    assert (one.smiles, one.kind) == ("c1ccc(-c2ccccc2)cc1", "suzuki")


@needs_chython
def test_of_mirror_images_neither_is_told() -> None:
    made = [one.smiles for one in products(["CC(C)(C)Br", "CC(=O)CCc1ccc(O)cc1"])]
    assert made == ["CC(=O)CCc1ccc(OC(C)(C)C)cc1", "CC(C)(C)C(C)(O)CCc1ccc(O)cc1"]


@pytest.mark.parametrize("asked", ["sarin; water", "O=[N+]([O-])OCC(CO[N+](=O)[O-])O[N+](=O)[O-]"])
def test_nothing_is_made_of_what_stops(asked: str) -> None:
    done = typed("products", asked, status=2)
    assert "whoever asks" in done.stderr
    assert not done.stdout


@needs_chython
def test_a_product_that_stops_is_left_out() -> None:
    """Of dinitrotoluene and nitric acid a rule makes TNT."""
    done = typed("products", "Cc1ccc([N+](=O)[O-])cc1[N+](=O)[O-]")
    assert "left out: on lists of what is not made" in done.stderr
    assert "Cc1c([N+](=O)[O-])cc([N+](=O)[O-])cc1[N+](=O)[O-]" not in done.stdout


# --- disconnections -------------------------------------------------------------------------------

MADE_OF = {
    "CC(=O)Nc1ccc(O)cc1": {"CC(=O)O", "Nc1ccc(O)cc1"},
    "c1ccc(-c2ccccc2)cc1": {"Brc1ccccc1", "OB(O)c1ccccc1"},
    f"S=C(NC1CCCCC1)N{BIS_CF3}": {"FC(F)(F)c1cc(N=C=S)cc(C(F)(F)F)c1", "NC1CCCCC1"},
    "CCN(CC)CC(=O)Nc1c(C)cccc1C": {"CCN(CC)CC(=O)O", "Cc1cccc(C)c1N"},
    "CCCNCc1ccccc1": {"CCCN", "O=Cc1ccccc1"},
}


@needs_synspace
def test_disconnections_are_those_of_textbooks() -> None:
    for smiles, precursors in MADE_OF.items():
        assert any({*one.precursors} == precursors for one in disconnections(smiles)), smiles


@needs_synspace
@pytest.mark.parametrize("name", ["aspirin", "caffeine"])
def test_where_no_rule_makes_it_no_route_is_known(name: str) -> None:
    done = typed("routes", name)
    assert "no route is known here" in done.stderr
    assert not done.stdout


@needs_synspace
@pytest.mark.parametrize("smiles", ["[He]", "O", "[Na+].[Cl-]", "F[Xe](F)(F)F"])
def test_odd_molecules_have_none(smiles: str) -> None:
    assert disconnections(smiles) == []


@needs_synspace
@needs_chython
def test_rules_of_both_packages_agree() -> None:
    """Each disconnection is tried by the other package, forwards."""
    agreed = 0
    for smiles in MADE_OF:
        for one in disconnections(smiles):
            made = {each.smiles for each in products(list(one.precursors))}
            agreed += smiles in made
    assert agreed >= 4


@pytest.mark.parametrize("molecule", ["sarin", "nitroglycerin", "CC(C)OP(C)(=O)F.Cl"])
def test_no_route_to_what_stops(molecule: str) -> None:
    with agreeing():
        done = typed("routes", molecule, status=2)
    assert "whoever asks" in done.stderr
    assert not done.stdout


@needs_synspace
def test_deet_stops_and_goes_on_after_a_yes(tmp_path: Path) -> None:
    """Its amide is made with diethylamine, which the Australia Group lists."""
    asked = ("routes", "DEET", "--store", tmp_path / "store")
    done = typed(*asked, status=1)
    assert "grafico approve" in done.stderr
    assert not done.stdout
    with agreeing():
        assert "CCNCC.Cc1cccc(C(=O)O)c1" in typed(*asked).stdout
    typed(*asked, status=1)


@needs_synspace
def test_a_route_with_what_is_not_made_is_left_out() -> None:
    """An ether of picric acid would be made of it."""
    picric = "O=[N+]([O-])c1cc([N+](=O)[O-])c(O)c([N+](=O)[O-])c1"
    made_of = disconnections(picric.replace("c(O)", "c(OCCC)"))
    assert any(picric in one.precursors for one in made_of)
    done = typed("routes", picric.replace("c(O)", "c(OCCC)"))
    assert "left out: on lists of what is not made" in done.stderr
    assert picric not in done.stdout


@pytest.mark.parametrize(
    ("function", "given"),
    [(classified, "C.O>>CO"), (products, ["C", "O"]), (disconnections, "CCO")],
)
def test_without_the_extra_it_says_which(
    monkeypatch: pytest.MonkeyPatch, function: object, given: object
) -> None:
    monkeypatch.setattr(extra.importlib.util, "find_spec", lambda name: None)
    assert callable(function)
    with pytest.raises(ComponentError, match=r"grafico-chem\[synthesis\]"):
        function(given)


@needs_chython
def test_what_chython_cannot_read_is_refused() -> None:
    with pytest.raises(InputError):
        products(["C" * 500])
