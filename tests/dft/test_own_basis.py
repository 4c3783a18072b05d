"""Basis sets from files and recipes of several: what they mean, and files that are hostile."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from triplestore.errors import GraficoError, InputError
from workflows.dft.level.bases import basis_for, functions_of
from workflows.dft.level.own_basis import LARGEST_FILE, elements_of, name_of, settled, text_of
from workflows.dft.level.resolving import resolve_level
from workflows.show.blocks import Fact

WATER = "3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n"
POPLE = """! 6-31G: W. J. Hehre, R. Ditchfield, J. A. Pople, J. Chem. Phys. 56, 2257 (1972)
****
H     0
S    3   1.00
      0.1873113696D+02       0.3349460434D-01
      0.2825394365D+01       0.2347269535D+00
      0.6401216923D+00       0.8137573261D+00
S    1   1.00
      0.1612777588D+00       1.0000000
****
O     0
S    6   1.00
      0.5484671660D+04       0.1831074430D-02
      0.8252349460D+03       0.1395017220D-01
      0.1880469580D+03       0.6844507810D-01
      0.5296450000D+02       0.2327143360D+00
      0.1689757040D+02       0.4701928980D+00
      0.5799635340D+01       0.3585208530D+00
SP   3   1.00
      0.1553961625D+02      -0.1107775490D+00       0.7087426820D-01
      0.3599933586D+01      -0.1480262620D+00       0.3397528390D+00
      0.1013761750D+01       0.1130767010D+01       0.7271585770D+00
SP   1   1.00
      0.2700058226D+00       0.1000000000D+01       0.1000000000D+01
****
"""
HYDROGEN = 'BASIS "ao basis" SPHERICAL PRINT\n# one\nH    S\n  1.24  0.7\n  0.3  0.5 # two\nEND\n'


def file_of(folder: Path, text: str, name: str = "mine.gbs") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def resolved(basis: str) -> Any:
    return resolve_level("HF", settled(basis), "restricted").level


@pytest.fixture
def water(tmp_path: Path) -> Path:
    path = tmp_path / "w.xyz"
    path.write_text(WATER)
    return path


def test_the_published_set_gives_its_energy(tmp_path: Path, water: Path) -> None:
    """-75.98344 Eh as with the library's 6-31G; without the file the run goes on to the same."""
    file = file_of(tmp_path, POPLE)
    with Grafico("memory:") as session:
        known = session.run(water, task="energy", method="HF", basis="6-31G")
        found = session.run(water, task="energy", method="HF", basis=file)
        assert found.energy == pytest.approx(known.energy, abs=1e-7)
        assert found.energy == pytest.approx(-75.98344, abs=1e-5)
        Path(file).unlink()
        again = session.resume(found.run)
        assert again.energy == found.energy
        assert again.answers[-1].result.level == found.answers[-1].result.level
        other = file_of(tmp_path, POPLE.replace("0.1612777588D+00", "0.2612777588D+00"))
        changed = session.run(water, task="energy", method="HF", basis=other)
        assert not changed.answers[-1].reused
        assert changed.energy > found.energy + 1e-3
        renamed = file_of(tmp_path, POPLE, "same.bas")
        assert session.run(water, task="energy", method="HF", basis=renamed).answers[-1].reused


def test_tables_have_its_name_alone(tmp_path: Path, water: Path) -> None:
    file = file_of(tmp_path, POPLE)
    name = settled(file).partition("\n")[0]
    with Grafico("memory:") as session:
        found = session.compare(water, method="HF", basis=[file, "STO-3G"])
        assert list(found.frame()["basis"]) == [name, "STO-3G"]
        done = session.batch(["O"], method="HF", basis=file).result()
        told = [block for part in done.shown_sections() for block in part.blocks]
        (asked,) = [one.value for one in told if isinstance(one, Fact) and one.name == "asked"]
    assert f"basis {name}" in str(asked)
    assert "0.1873" not in str(asked)


def test_a_core_potential_from_a_file(tmp_path: Path) -> None:
    """Iodine of def2-SVP, written as NWChem has it, beside def2-SVP for hydrogen."""
    from pyscf.gto import basis
    from pyscf.gto.basis import parse_nwchem, parse_nwchem_ecp

    functions, potential = basis.load("def2-SVP", "I"), basis.load_ecp("def2-SVP", "I")
    text = parse_nwchem.convert_basis_to_nwchem("I", functions)
    text = f"BASIS\n{text}\nEND\nECP\n{parse_nwchem_ecp.convert_ecp_to_nwchem('I', potential)}\nEND"
    level = resolved(f"def2-SVP; I={file_of(tmp_path, text, 'iodine.nw')}")
    name = level.basis.removeprefix("def2-SVP; I=")
    assert level.core_potential == name
    assert name_of(level.own_basis.basis_functions) == name
    (tmp_path / "hi.xyz").write_text("2\n\nH 0 0 0\nI 0 0 1.61\n")
    with Grafico("memory:") as session:
        asked = {"task": "energy", "method": "HF"}
        known = session.run(tmp_path / "hi.xyz", basis="def2-SVP", **asked)
        found = session.run(
            tmp_path / "hi.xyz", basis=f"def2-SVP; I={tmp_path / 'iodine.nw'}", **asked
        )
    assert found.energy == pytest.approx(known.energy, abs=1e-8)


def test_another_set_for_an_element() -> None:
    level = resolved("def2svp;i = def2tzvp ; H=def2-SVP")
    assert level.basis == "def2-SVP; I=def2-TZVP"
    assert level.own_basis is None
    sets, potentials = basis_for([1, 53], level.basis)
    assert sets == {
        "H": functions_of("def2-SVP", "H"),
        "I": functions_of("def2-TZVP", "I"),
    }
    assert set(potentials) == {"I"}
    fitted = resolve_level("PBE", level.basis, "restricted", density_fitting=True).level
    assert fitted.auxiliary_basis == "def2-universal-jfit"


@pytest.mark.parametrize(
    ("basis", "told"),
    [
        ("def2-SVP; Q=STO-3G", "'Q' is no element"),
        ("def2-SVP; H=STO-3G; H=6-31G", "two sets for H"),
        ("def2-SVP; 6-31G", "two sets for all other elements"),
        ("def2-SVP; H=nothing", "PySCF has none of that name"),
    ],
)
def test_recipes_that_are_none(basis: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        resolved(basis)


def test_formats_and_the_fixed_form(tmp_path: Path) -> None:
    text = settled(file_of(tmp_path, HYDROGEN, "h.nw")).partition("\n")[2]
    assert text == "H S\n1.24 0.7\n0.3 0.5\n"
    assert settled(HYDROGEN).partition("\n")[2] == text
    scaled = "H 0\nS 1 1.24\n 1.0 1.0\n****\n"
    assert settled(scaled).endswith("H S\n1.5376 1.0\n")
    pople = settled(file_of(tmp_path, POPLE)).partition("\n")[2]
    assert text_of(elements_of(pople)) == pople
    found = np.array(elements_of(pople)["O"].shells[2][1:])
    assert found[0].tolist() == [15.53961625, 0.0708742682]


def test_functions_that_are_not_those_of_the_name() -> None:
    given = settled(HYDROGEN)
    assert settled(given) == given
    with pytest.raises(InputError, match="functions that come with it are others"):
        settled(given.replace("1.24", "1.25"))


HOSTILE = {
    "Dear colleague, this is no basis set.\n": "'Dear', which is no element",
    "Zz S\n 1.0 1.0\n": "'Zz', which is no element",
    "H S\n 1.0 open('found','w')\n": "where a number belongs",
    "H S\n 1.0 __import__('os')\n": "where a number belongs",
    "H S\n": "shell S without functions",
    "H S\n -1.0 1.0\n": "the exponent -1",
    "H S\n 1e999 1.0\n": "the exponent inf",
    "H S\n 1e99 1.0\n": "the exponent 1e",
    "H S\n nan 1.0\n": "'nan', which is no element",
    "H S\n 1.0 0.0\n": "without coefficients",
    "H S\n 1.0\n": "1 numbers",
    "H S\n 1.0 1.0\n 2.0 1.0 1.0\n": "another number of coefficients",
    "H K\n 1.0 1.0\n": "no shell from S to I",
    "1.0 1.0\n": "numbers without a shell",
    "H 0\nS 3 1.00\n 1.0 1.0\n": "cut off",
    "H 0\nS 1 1.00\n 1.0 1.0\n****\nH 0\nS 1 1.00\n 1.0 1.0\n": "a second time",
    "I 0\nS 1 1.0\n 1.0 1.0\n****\nI 0\nI-ECP 3 28\n": "potentials in the format of Gaussian",
    "H S\n 1.0 1.0\nECP\nH nelec 3\nH ul\n2 1.0 1.0\nEND\n": "no 3 core electrons",
    "I S\n 1.0 1.0\nECP\nI ul\n2 1.0 1.0\nEND\n": "core electrons without a potential",
    "I S\n 1.0 1.0\nECP\nI nelec 28\nI ul\n9 1.0 1.0\nEND\n": "no power of r",
    "": "no functions",
    "\x00\x01": "no element",
    "H S\n" + " 1.0 1.0\n" * 20_000: "more than 100,000 characters",
    "H S\n" + " 1.0 1.0\n" * 200_000: "more than 1,000,000 bytes",
}


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=re.escape(HOSTILE[text])):
        settled(file_of(tmp_path, text, "hostile.nw"))
    assert [path.name for path in tmp_path.iterdir()] == ["hostile.nw"]


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "bytes.nw").write_bytes(bytes(range(256)))
    (tmp_path / "folder.nw").mkdir()
    for name in ("bytes.nw", "folder.nw", "none.nw"):
        with pytest.raises(GraficoError, match=name):
            settled(str(tmp_path / name))
    with pytest.raises(InputError, match="cannot be read"):
        settled("/dev/zero")
    assert LARGEST_FILE == 1_000_000


def test_no_file_stands_in_for_a_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PySCF reads a file of a set's name in the working folder, and runs what is no number."""
    right = functions_of("def2-SVP", "C")
    monkeypatch.chdir(tmp_path)
    for name in ("def2-SVP", "def2-SVP ", "sto-3g"):
        (tmp_path / name).write_text("C S\n 1.0 open('found','w').write('x')\n")
    assert functions_of("def2-SVP", "C") == right
    assert len(functions_of("sto-3g", "C")) == 3
    assert not (tmp_path / "found").exists()


def test_pyscf_evaluates_no_file_as_python() -> None:
    """Where calculations run: PySCF reads its settings when it is first imported."""
    code = (
        "from workflows.programs.unread_settings import load_without_files; load_without_files()\n"
        "from workflows.dft.level.bases import functions_of; functions_of('def2-SVP', 'C')\n"
        "from pyscf.gto.basis import parse_nwchem; assert parse_nwchem.DISABLE_EVAL"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)
