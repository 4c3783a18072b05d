"""A package from elsewhere whose workflow takes a level: `grafico ionise`, at any of them.

It is that of docs/extending.md. What it finds is compared with two calculations by PySCF
alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from pyscf import gto, scf

from ontologies.factors import HARTREE
from tests.extension.conftest import Shell, install

WATER = "3\nwater\nO 0 0 0\nH 0 0.757 0.587\nH 0 -0.757 0.587\n"
LEVEL = ("--method", "HF", "--basis", "STO-3G")


@pytest.fixture(scope="module")
def shell(toy: Path, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A command line where both packages of the page are installed."""
    own, folder = tmp_path_factory.mktemp("own"), tmp_path_factory.mktemp("shell")
    install(own, "vertical", "[grafico.workflows]\nvertical = vertical\n")
    copytree(toy / "vertical", own / "vertical")
    (folder / "water.xyz").write_text(WATER)
    return Shell(folder, own, site)


def asked(shell: Shell, *level: str) -> dict[str, Any]:
    return json.loads(shell("ionise", "water.xyz", *level, "--json")[0])


def ionisation(said: dict[str, Any]) -> float:
    """What was found, in eV."""
    facts = [one for part in said["blocks"] for one in part.get("blocks", (part,))]
    [found] = [one for one in facts if one.get("name") == "ionisation"]
    assert found["unit"] == "eV"
    return found["value"]


def energy(charge: int) -> float:
    """The energy of water as PySCF has it, in Eh."""
    molecule: Any = gto.M(
        atom="\n".join(WATER.splitlines()[2:]), basis="sto-3g", charge=charge, spin=charge
    )
    return float((scf.UHF if charge else scf.RHF)(molecule).run(verbose=0, conv_tol=1e-11).e_tot)


def test_it_takes_all_options_of_the_level(shell: Shell) -> None:
    shown = shell("ionise", "--help")[0]
    for option in ("--method", "--basis", "--resonance"):
        assert option in shown


def test_the_cation_has_a_level_of_its_own(shell: Shell) -> None:
    """It is unrestricted, as PySCF computes it here."""
    said = asked(shell, *LEVEL)
    assert [one["spin_squared"] is None for one in said["results"]] == [True, False]
    theirs = (energy(1) - energy(0)) * HARTREE["eV"]
    assert ionisation(said) == pytest.approx(theirs, abs=1e-4)
    again = asked(shell, *LEVEL)
    assert again["reused"] is True
    assert ionisation(again) == ionisation(said)


def test_another_program_computes_it_as_well(shell: Shell) -> None:
    said = asked(shell, "--method", "GFN2-xTB")
    before, after = (one["energy"] for one in said["results"])
    assert ionisation(said) == pytest.approx((after - before) * HARTREE["eV"], abs=1e-6)
    assert ionisation(said) > 10.0


def test_what_no_program_has_is_refused(shell: Shell) -> None:
    _, said = shell("ionise", "water.xyz", "--method", "nonsense", "--basis", "STO-3G", status=2)
    assert "'nonsense'" in said
    assert "GFN2-xTB" in said, "what there is"
