"""Cores, memory and words of one's own in inputs of other programs."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from grafico.cli.app import main
from ontologies.atoms import make_atoms
from triplestore.errors import InputError
from workflows.dft.level.resolving import resolve_level
from workflows.exchange.besides import Besides, megabytes, words_of
from workflows.exchange.inputs import INPUTS, Wanted
from workflows.molecule import read_content

WATER = make_atoms(
    "H2O", numbers=[8, 1, 1], positions=[[0, 0, 0.119], [0, 0.763, -0.477], [0, -0.763, -0.477]]
)
LEVEL = resolve_level("B3LYP", "def2-SVP", "restricted").level


def written(program: str, besides: Besides) -> list[str]:
    return INPUTS[program](Wanted(WATER, LEVEL), "energy", besides)[0].splitlines()


def test_cores_and_memory_are_written_as_each_program_has_them() -> None:
    asked = Besides(8, megabytes("16GB"))
    assert {"%pal nprocs 8 end", "%maxcore 1500"} <= {*written("orca", asked)}
    assert written("gaussian", asked)[:2] == ["%nprocshared=8", "%mem=16000MB"]
    assert {"memory 16000 MB", "set_num_threads(8)"} <= {*written("psi4", asked)}


def test_words_of_ones_own_take_the_place_of_what_says_otherwise() -> None:
    lines = written("orca", Besides(keywords=words_of("RIJCOSX TightSCF")))
    assert "not part of the level: RIJCOSX TightSCF" in lines[1]
    assert lines[2] == "! RKS B3LYP/G def2-SVP DefGrid3 RIJCOSX TightSCF"
    lines = written("gaussian", Besides(keywords=words_of("SCF=XQC Pop=Full")))
    assert lines[0].endswith("NoSymmetry SCF=XQC Pop=Full")
    assert "SCF=(Tight)" not in lines[0]
    assert "not part of the level" in lines[2]


@pytest.mark.parametrize("text", ["a\n%x", "%pal", "! B3LYP", "$end", "a # b", 'x "y"', "a" * 300])
def test_what_could_leave_the_line_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="keywords"):
        words_of(text)


@pytest.mark.parametrize("text", ["16", "much", "0GB", "-1GB", "16GB; x"])
def test_memory_has_a_unit(text: str) -> None:
    with pytest.raises(InputError, match="memory"):
        megabytes(text)


@pytest.mark.parametrize("option", ["-t", "--cores", "--nproc", "--threads-per-calculation"])
def test_more_cores_than_this_machine_has(tmp_path: Path, option: str) -> None:
    asked = ["write", "O", "--to", "orca", "--level", "HF/STO-3G", option, "4096"]
    done = CliRunner().invoke(main, [*asked, "--store", str(tmp_path / "store")])
    assert done.exit_code == 0, done.output
    assert "%pal nprocs 4096 end" in done.output


def test_poscar_is_a_name(tmp_path: Path) -> None:
    crystal, made = tmp_path / "si.cif", tmp_path / "POSCAR"
    store = ["--store", str(tmp_path / "store")]
    for asked in (["silicon crystal", "-o", str(crystal)], [str(crystal), "-o", str(made)]):
        done = CliRunner().invoke(main, ["convert", *asked, *store])
        assert done.exit_code == 0, done.output
    assert read_content(made).atoms.is_periodic
    done = CliRunner().invoke(main, ["convert", str(crystal), "-o", str(tmp_path / "xx"), *store])
    assert "its name has no ending" in done.output


ROUTE = "#P UB3LYP/6-31G(d) freq\n\nno2\n\n0 2\nN 0 0 0\nO 1.1 0.4 0\nO -1.1 0.4 0\n\n"


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ([], []),
        (["--level", "HF/STO-3G"], ["`task`"]),
        (["--level", "HF/STO-3G", "--task", "frequencies"], []),
    ],
)
def test_what_an_input_asks_for_is_told_while_nobody_says_it(
    tmp_path: Path, said: list[str], left: list[str]
) -> None:
    path = tmp_path / "no2.gjf"
    path.write_text(ROUTE)
    asked = ["run", str(path), *said, "--plan", "--store", str(tmp_path / "store")]
    done = CliRunner().invoke(main, asked)
    assert ("not taken over" in done.output) == bool(left), done.output
    assert all(f"such as by {left[0]}" in done.output and one in done.output for one in left)
