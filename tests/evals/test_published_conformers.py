"""Published conformers are told apart, and the eval of the search counts what there is."""

from __future__ import annotations

import json

import pytest

from evals.__main__ import main
from evals.validation.published_conformers import geometries, pairs
from ontologies.alignment import superposed
from ontologies.conformers import SamenessThresholds
from ontologies.factors import HARTREE
from workflows.conformer.sameness import groups
from workflows.conformer.weights import degeneracies, mirror_images, symmetry_number

KCAL = HARTREE["kcal/mol"]


def alike(collection: str, prefix: str, smiles: str) -> list[list[str]]:
    """Return the names of published conformers, those that are one together."""
    there = {n: one for n, one in geometries(collection).items() if n.startswith(prefix)}
    above = {pair.high: pair.energy / KCAL for pair in pairs(collection)}
    names = list(there)
    found = groups(
        list(there.values()), [above.get(name, 0.0) for name in names], SamenessThresholds(), smiles
    )
    return [[names[place] for place in group] for group in found]


@pytest.mark.parametrize(
    ("prefix", "smiles", "number"), [("B_", "CCCC", 2), ("P_", "CCCCC", 4), ("H_", "CCCCCC", 12)]
)
def test_those_of_alkanes_are_all_different(prefix: str, smiles: str, number: int) -> None:
    assert len(alike("ACONF", prefix, smiles)) == number


def test_three_of_butanediol_stand_there_twice() -> None:
    """They are turned and renumbered, and have the same energies; 62 are different."""
    found = alike("BUT14DIOL", "B", "OCCCCO")
    assert len(found) == 62
    twice = [group for group in found if len(group) > 1]
    assert sorted(map(sorted, twice)) == [["B30", "B31"], ["B45", "B46"], ["B49", "B50"]]
    there = geometries("BUT14DIOL")
    for one, other in twice:
        assert superposed(there[one], there[other], 0.001)


def test_degeneracies_of_hexane() -> None:
    """Of three rotors of three places 27 geometries, in 17 of which no g+ stands beside a g−."""
    there = geometries("ACONF")
    names = ["H_ttt", "H_gtt", "H_tgt", "H_tgg", "H_gtg", "H_ggg", "H_g+t+g-"]
    images = [mirror_images(there[name], "CCCCCC") for name in names]
    rotations = [symmetry_number(there[name]) for name in names]
    assert dict(zip(names, degeneracies(images, rotations), strict=True)) == {
        "H_ttt": 1,
        "H_gtt": 4,
        "H_tgt": 2,
        "H_tgg": 4,
        "H_gtg": 2,
        "H_ggg": 2,
        "H_g+t+g-": 2,
    }


def test_the_eval_finds_both_conformers_of_a_small_molecule(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evals.conformers.MANY", 10)
    monkeypatch.setitem(__import__("evals.conformers").conformers.MOLECULES, "butane", "CCCC")
    assert main(["--cases", "conformers", "--only", "butane"]) == 0
    assert "butane: 2 of 2 up to 3 kcal/mol; 2 relaxed" in capsys.readouterr().err


def test_a_functional_with_diffuse_functions_finds_how_strong_hydrogen_bonds_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """B1 has a hydrogen bond within the diol, B65 none; B3LYP-D4/def2-TZVP is some 1 kcal/mol off.

    All of both sets: docs/conformers.md.
    """
    asked = ["--cases", "conformer_energies", "--profile", "full", "--json"]
    assert main([*asked, "--only", "BUT14DIOL B1 → B65"]) == 0
    [one] = json.loads(capsys.readouterr().out)["sets"]["conformer_energies"]["outcomes"]
    assert one["metrics"]["absolute deviation"] < 0.15


def test_tight_binding_beside_published_energies(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--cases", "conformer_energies", "--only", "ACONF"]) == 0
    said = capsys.readouterr().out
    assert "15 passed; 0 broken" in said
    assert "BUT14DIOL" not in said
