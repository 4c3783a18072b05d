"""Files of several structures are converted whole, and a file is written by its bare name."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grafico.cli.app import main
from tests.conftest import Need
from workflows.molecule import read_content

FRAMES = "".join(f"2\nframe {n}\nO 0 0 0\nH 0 0 {0.9 + n / 100}\n" for n in range(1, 4))
SMILES = "CCO ethanol\nCC(C)=O acetone\n"


def convert(tmp_path: Path, *words: str, said: str = "") -> Result:
    return CliRunner().invoke(
        main, ["convert", *words, "--store", str(tmp_path / "store")], input=said or None
    )


def test_frames_become_records(tmp_path: Path) -> None:
    source, made, back = (tmp_path / name for name in ("a.xyz", "a.sdf", "b.xyz"))
    source.write_text(FRAMES)
    done = convert(tmp_path, str(source), str(made))
    assert done.exit_code == 0, done.output
    assert "3 of 3 entries" in done.output
    assert made.read_text().count("$$$$") == 3
    assert convert(tmp_path, str(made), str(back)).exit_code == 0
    for number in (1, 2, 3):
        atoms = read_content(Path(f"{back}#{number}")).atoms
        assert atoms.positions[1, 2] == pytest.approx(0.9 + number / 100, abs=1e-4)
        assert atoms.multiplicity == 2


def test_smiles_become_structures_with_their_names(tmp_path: Path, need: Need) -> None:
    need("obabel")
    source, made, back = (tmp_path / name for name in ("a.smi", "a.sdf", "b.smi"))
    source.write_text(SMILES)
    assert convert(tmp_path, str(source), "-o", str(made)).exit_code == 0
    done = subprocess.run(
        [shutil.which("obabel") or "", str(made), "-ocan"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["CCO", "ethanol"],
        ["CC(=O)C", "acetone"],
    ]
    assert convert(tmp_path, str(made), str(back)).exit_code == 0
    assert back.read_text() == SMILES


def test_one_that_cannot_be_is_told_and_the_others_written(tmp_path: Path) -> None:
    source, made = tmp_path / "a.xyz", tmp_path / "a.sdf"
    source.write_text(FRAMES.replace("H 0 0 0.92", "Xx 0 0 0.92"))
    done = convert(tmp_path, str(source), str(made))
    assert done.exit_code == 0, done.output
    assert "there is no element 'Xx'" in done.output
    assert made.read_text().count("$$$$") == 2
    source.write_text(FRAMES.replace("H 0", "Xx 0"))
    again = convert(tmp_path, str(source), str(tmp_path / "b.sdf"))
    assert again.exit_code == 1
    assert not (tmp_path / "b.sdf").exists()


def test_what_holds_one_structure_is_refused_several(tmp_path: Path) -> None:
    source = tmp_path / "a.xyz"
    source.write_text(FRAMES)
    done = convert(tmp_path, str(source), "-o", str(tmp_path / "a.png"))
    assert done.exit_code == 2
    assert "it holds 3 structures" in done.output


def test_a_word_more_that_is_called_like_a_file_is_the_output(tmp_path: Path) -> None:
    made = tmp_path / "a.xyz"
    assert convert(tmp_path, "CCO", str(made)).exit_code == 0
    assert "it exists" in convert(tmp_path, "CCO", str(made)).output
    assert convert(tmp_path, "CCO", "--force", str(made)).exit_code == 0
    assert convert(tmp_path, "silicon crystal", str(tmp_path / "POSCAR_si")).exit_code == 0
    assert read_content(tmp_path / "POSCAR_si").atoms.is_periodic
    assert "unexpected extra argument" in convert(tmp_path, "CCO", "CCC").output


def test_standard_input_is_what_is_typed(tmp_path: Path) -> None:
    done = convert(tmp_path, "-", "--to", "smiles", said="OCC\n")
    assert done.exit_code == 0, done.output
    assert done.output.splitlines()[-1] == "CCO"
    done = convert(tmp_path, "-", said="1\ncharge=1 multiplicity=2\nHe 0 0 0\n")
    assert "charge=1 multiplicity=2" in done.output


def test_a_folder_is_converted_by_the_names_of_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "water.xyz").write_text("3\n\nO 0 0 0\nH 0 0 0.96\nH 0.92 0 -0.24\n")
    (folder / "hydroxide.xyz").write_text("2\n-1 1\nO 0 0 0\nH 0 0 0.97\n")
    made = tmp_path / "all.smi"
    done = convert(tmp_path, f"{folder}/", str(made))
    assert done.exit_code == 0, done.output
    assert made.read_text() == "[OH-] hydroxide\nO water\n"


def test_frames_are_known_by_how_they_begin(tmp_path: Path) -> None:
    source, made = tmp_path / "xtbopt.log", tmp_path / "a.sdf"
    source.write_text(FRAMES)
    assert convert(tmp_path, str(source), str(made)).exit_code == 0
    assert made.read_text().count("$$$$") == 3


def test_flat_drawings_get_three_dimensions(tmp_path: Path, need: Need) -> None:
    need("obabel")
    (tmp_path / "a.smi").write_text(SMILES)
    flat, made = tmp_path / "flat.sdf", tmp_path / "made.sdf"
    draw = [shutil.which("obabel") or "", str(tmp_path / "a.smi"), "--gen2d", "-O", str(flat)]
    subprocess.run(draw, check=True, capture_output=True)
    done = convert(tmp_path, str(flat), str(made))
    assert done.exit_code == 0, done.output
    first, second = (read_content(Path(f"{made}#{number}")).atoms for number in (1, 2))
    assert (first.formula, second.formula) == ("C2H6O", "C3H6O")
    assert abs(first.positions[:, 2]).max() > 0.3
