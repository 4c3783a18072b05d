"""Ensembles that other programs have made: read from files, or refused by number."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from grafico import Grafico
from ontologies.conformers import ConformersOfFile
from ontologies.factors import HARTREE
from triplestore.errors import InputError

WATER = "3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n"
ANTI, GAUCHE = (  # H2O2 at two torsions: bonds alike, energies not
    f"4\n\nO 0 0.70 0\nO 0 -0.70 0\nH 0.95 0.90 0\nH {0.95 * math.cos(t):.4f} -0.90 "
    f"{0.95 * math.sin(t):.4f}\n"
    for t in (math.pi, 2.0)
)


def test_energies_and_weights_are_those_of_each_structure_alone(
    session: Grafico, tmp_path: Path
) -> None:
    path = tmp_path / "ens.xyz"
    path.write_text(ANTI + GAUCHE)
    done = session.refine(path, method="GFN2-xTB", task="energy")
    level = {"method": "GFN2-xTB", "task": "energy"}
    alone = [session.run(f"{path}#{n}", **level).energy for n in (1, 2)]
    found = done.ensemble.conformers
    assert [one.energy for one in found] == pytest.approx(sorted(alone), abs=1e-9)
    apart = (found[1].energy - found[0].energy) * HARTREE["kJ/mol"] * 1000
    ratio = found[1].degeneracy / found[0].degeneracy * math.exp(-apart / (8.31446 * 298.15))
    assert found[1].weight / found[0].weight == pytest.approx(ratio, rel=1e-4)
    assert "not made here: read from ens.xyz" in done.ensemble.sampler
    assert any("structures of the file" in one for one in done.ensemble.remarks)
    [stored] = session.kg.find(ConformersOfFile, source_name="ens.xyz")
    assert len(stored.digest) == 64
    assert session.refine(stored.iri, method="GFN2-xTB", task="energy").reused


def test_what_is_not_the_same_molecule_is_refused_by_number(
    session: Grafico, tmp_path: Path
) -> None:
    path = tmp_path / "bad.xyz"
    path.write_text(
        WATER
        + WATER.replace("O 0", "S 0")
        + WATER.replace("0.763 -0.477", "3.763 -0.477", 1)
        + WATER.replace("H 0 0.763", "H 0 x.763")
        + "3\n\nH 0 0.763 -0.477\nO 0 0 0.119\nH 0 -0.763 -0.477\n"
        + WATER.replace("\n\n", "\ncharge=1\n")
    )
    with pytest.raises(InputError) as caught:
        session.refine(path, method="GFN2-xTB")
    for told in (
        "5 of 6",
        "structure 2: it is H2S",
        "structure 3: its bonds",
        "structure 4: line 4",
        "structure 5: its atoms are in another order",
        "structure 6: its charge is +1",
    ):
        assert told in caught.value.found
    assert not session.kg.find(ConformersOfFile, source_name="bad.xyz")


@pytest.mark.parametrize(
    ("text", "told"),
    [(WATER, "one structure"), ("", "empty"), (WATER + "3\n\nO 0 0 0\nH 0 0 1\n" + WATER, "line")],
)
def test_files_that_are_no_ensemble(session: Grafico, tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "x.xyz"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        session.refine(path, method="GFN2-xTB")
    assert told in caught.value.found


def test_charge_is_said_of_files_alone(session: Grafico, tmp_path: Path) -> None:
    path = tmp_path / "w.xyz"
    path.write_text(ANTI + GAUCHE)
    done = session.refine(path, method="GFN2-xTB", task="energy", charge=1)
    assert (done.ensemble.molecule.charge, done.ensemble.molecule.multiplicity) == (1, 2)
    with pytest.raises(InputError, match="charge"):
        session.refine(done.ensemble.iri, method="GFN2-xTB", charge=1)
