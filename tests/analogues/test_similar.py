"""Similarity: by hand for small molecules, files as they are, and the store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.typed import typed
from workflows.analogues.similarity import common_part, similarities
from workflows.molecule.table import table

SOME = [entry.smiles for entry in table() if "." not in entry.smiles][:300]


def test_by_hand() -> None:
    """Environments of ethanol: each atom alone, each with its neighbours; the rest is the whole.

    Those of CH3 alone, CH2 alone and CH3 with its neighbour are ethylamine's too: 3 of 9.
    """
    found = similarities("CCO", [("CCN", "ethylamine"), ("OCC", ""), ("[He]", "")])
    assert [(one.smiles, one.similarity) for one in found] == [
        ("CCO", 1.0), ("CCN", 0.3333), ("[He]", 0.0),
    ]  # fmt: skip


@settings(max_examples=30)
@given(st.sampled_from(SOME), st.sampled_from(SOME))
def test_it_is_symmetrical_and_a_share_of_environments(one: str, other: str) -> None:
    """Counted here by itself, from the environments without folding them into bits."""
    from rdkit.Chem import MolFromSmiles, rdFingerprintGenerator

    [there], [back] = similarities(one, [(other, "")]), similarities(other, [(one, "")])
    assert there.similarity == back.similarity
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2)
    first, second = (
        set(generator.GetSparseFingerprint(MolFromSmiles(text)).GetOnBits())  # pyright: ignore
        for text in (one, other)
    )
    share = len(first & second) / len(first | second)
    assert there.similarity == pytest.approx(share, abs=1e-4)


def test_the_common_part() -> None:
    assert common_part("CC(=O)Oc1ccccc1C(=O)O", "OC(=O)c1ccccc1O")[0] == 10
    assert common_part("CCO", "[He]") == (0, "")


def test_names_and_files_are_compared_with(tmp_path: Path) -> None:
    path = tmp_path / "many.smi"
    path.write_text("CCO ethanol\nnot a thing\nCC(=O)Oc1ccccc1C(=O)O\n")
    done = typed("similar", "aspirin", "--to", "salicylic acid", "--to", path)
    rows = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["1.000", "0.467", "0.069"]
    assert rows[1][2] == "salicylic acid"
    assert "1 molecule left out, such as line 2" in done.stderr
    assert "radius 2, without configuration" in done.stderr
    table = tmp_path / "many.csv"
    table.write_text("name,smiles\nan alcohol,CCO\n")
    done = typed("similar", "CCN", "--to", table)
    assert done.stdout.startswith("0.333  CCO an alcohol\ncommon part: 2 atoms  [#6&!R]-&!@[#6&!R]")


def test_the_store_is_compared_with_where_nothing_is_said(tmp_path: Path) -> None:
    store = f"{tmp_path}/store"
    assert "holds no other" in typed("similar", "CCN", "--store", store).stderr
    for one in ("CCO", "c1ccccc1"):
        typed("lookup", one, "--store", store)
    told = json.loads(typed("similar", "CCN", "--store", store, "--json").stdout)
    assert [one["smiles"] for one in told["similar"]] == ["CCO", "c1ccccc1"]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ("xylene", "o-xylene, m-xylene, p-xylene"),
        ("67-64-2", "67-64-1 would be"),
        ("C" * 2000, "500 are allowed"),
        ("*CC*", "placeholder"),
        ("nothing.smi", "there is no such file"),
    ],
)
def test_what_cannot_be_compared_is_refused(other: str, why: str) -> None:
    assert why in " ".join(typed("similar", "CCO", "--to", other, status=2).stderr.split())


def test_what_has_more_bonds_than_rdkit_allows_is_compared() -> None:
    (one,) = similarities("O=[Xe](=O)(=O)=O", [("O=[Xe](=O)=O", "")])
    assert 0 < one.similarity < 1
    assert common_part("O=[Xe](=O)(=O)=O", "O=[Xe](=O)=O")[0] == 4
