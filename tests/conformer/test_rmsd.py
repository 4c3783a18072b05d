"""Distances of superposed geometries: against RDKit's, and where they are known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rdkit import Chem
from rdkit.Chem import rdMolAlign
from rdkit.Geometry import Point3D

from ontologies.atoms import ConceptualAtoms
from tests.typed import typed
from workflows.conformer.rmsd import as_numbered
from workflows.molecule import embed, write

RNG = np.random.default_rng(5)


def written(atoms: ConceptualAtoms, path: Path) -> Path:
    path.write_text(write(atoms, "xyz").text)
    return path


def moved(atoms: ConceptualAtoms, by: float, order: Any = None) -> ConceptualAtoms:
    """Return a copy turned, shifted and with each coordinate off by about so much, in Å."""
    turn, _ = np.linalg.qr(RNG.normal(size=(3, 3)))
    turn *= np.sign(np.linalg.det(turn))
    points = atoms.positions @ turn + 3.0 + RNG.normal(size=atoms.positions.shape) * by
    order = np.arange(len(points)) if order is None else order
    return atoms.model_copy(update={"numbers": atoms.numbers[order], "positions": points[order]})


@pytest.mark.parametrize("smiles", ["CCCC", "O=C(O)c1ccccc1", "C[C@H](O)F"])
def test_it_is_what_rdkit_finds(smiles: str, tmp_path: Path) -> None:
    atoms = embed(smiles, "smiles").atoms
    other = moved(atoms, 0.08)
    mol = Chem.AddHs(Chem.MolFromSmiles(smiles))
    for one in (atoms, other):
        conformer = Chem.Conformer(len(one.numbers))
        for index, point in enumerate(one.positions.tolist()):
            conformer.SetAtomPosition(index, Point3D(*point))
        mol.AddConformer(conformer, assignId=True)
    pairs = [(place, place) for place in range(mol.GetNumAtoms())]
    theirs = rdMolAlign.AlignMol(mol, mol, 1, 0, atomMap=pairs)
    files = [written(one, tmp_path / f"{name}.xyz") for name, one in (("a", atoms), ("b", other))]
    told = json.loads(typed("rmsd", *files, "--json").output)["rmsd_angstrom"]
    assert told["all atoms"] == pytest.approx(theirs, abs=1e-4)
    assert told["all atoms"] > 0.03
    assert typed("rmsd", files[0], "--structure", files[1]).output == typed("rmsd", *files).output


def test_the_second_word_is_not_the_value_of_another_option(tmp_path: Path) -> None:
    """The file that is read may be called like one that is written elsewhere on the line."""
    water = written(embed("O", "smiles").atoms, tmp_path / "b.xyz")
    done = typed("rmsd", water, water, "-o", water, status=2)
    assert "what is written is a .txt file" in " ".join(done.output.split())
    assert "all atoms" in typed("rmsd", "--kind", "file", water, water).output


def test_a_copy_in_another_order_lies_upon_it(tmp_path: Path) -> None:
    atoms = embed("CCCO", "smiles").atoms
    copy = moved(atoms, 0.0, np.arange(len(atoms.numbers))[::-1])
    files = [written(one, tmp_path / f"{name}.xyz") for name, one in (("a", atoms), ("b", copy))]
    done = json.loads(typed("rmsd", *files, "--json").output)
    assert not done["numbered_alike"]
    ((what, value),) = done["rmsd_angstrom"].items()
    assert "keeps the bonds" in what
    assert value == pytest.approx(0.0, abs=1e-3)


def test_a_stretched_bond_by_hand() -> None:
    """Two atoms whose distance grows by 0.2 Å: each is 0.1 Å off."""
    one = ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 0.74]])
    other = ConceptualAtoms(numbers=[1, 1], positions=[[1, 0, 0], [1.94, 0, 0]])
    assert as_numbered(one, other) == {"all atoms": pytest.approx(0.1)}


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("water", "ammonia"), "different atoms"),
        (("water",), "structure"),
        (("water", "water", "water"), "extra argument"),
        (("water", "nosuch.xyz"), "no such file"),
        (("water", "[H+].[OH-]"), ""),
    ],
)
def test_what_cannot_be_compared(words: tuple[str, ...], problem: str) -> None:
    done = typed("rmsd", *words, status=2 if problem else 0)
    assert problem in " ".join(done.output.split())
