"""Scans of other programs: points are paired by what is printed, and are never minima."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.outputs import ImportedScan
from tests.conftest import Need
from tests.outputs.written import POINTS, WRITTEN
from tests.typed import typed
from workflows.geometry.constraints import measured
from workflows.outputs.reading import outputs
from workflows.transition.subject import GUESS, remarks_on
from workflows.transition.subject import scan_of as scan_of_iri

WATER = "3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def told(store: Path, file: Path, status: int = 0) -> list[dict[str, Any]]:
    """What `grafico import` says of an output."""
    return json.loads(typed("import", file, "--store", store, "--json", status=status).stdout)


def scan_of(store: Path, file: Path) -> ImportedScan:
    """The scan that one output has."""
    (one,) = told(store, file)
    assert one["fate"] == "new"
    with Grafico(store) as grafico:
        (found,) = grafico.kg.pull_all(ImportedScan, one["results"])
        return found


def xtb(folder: Path, held: str, *words: str) -> Path:
    """Run xtb with an input file, and return its output."""
    folder.mkdir(exist_ok=True)
    (folder / "w.xyz").write_text(WATER)
    (folder / "c.inp").write_text(held)
    command = ["xtb", "w.xyz", "--opt", "--input", "c.inp", *words]
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    (folder / "w.out").write_bytes(done.stdout)
    return folder / "w.out"


STRETCH = "$constrain\n force constant=1.0\n distance: 1,2,auto\n$scan\n 1: {0},{1},{2}\n$end\n"


def test_a_scan_of_xtb_has_the_geometries_of_the_file_beside_it(
    need: Need, store: Path, tmp_path: Path
) -> None:
    """Its energies are ours, without the pull of the constraint, of 2.6 mEh at the end."""
    need("xtb")
    found = scan_of(store, xtb(tmp_path / "x", STRETCH.format(0.9, 1.3, 5)))
    assert (found.label, found.unit, found.relaxed) == ("distance 1-2", "Å", True)
    assert len(found.values) == 5
    assert found.points_file is not None
    assert found.points_file.name == "xtbscan.log"
    assert found.angles is None
    with Grafico(store) as grafico:
        for value, energy, place in zip(
            found.values, found.energies, found.trajectory, strict=True
        ):
            assert value == pytest.approx(measured(place, (0, 1)), abs=1e-6)
            at = found.atoms.moved_to(place)
            ours = grafico.run(at, method="GFN2-xTB", task="energy")
            assert ours.energy == pytest.approx(float(energy), abs=1e-7)
    assert found.energy == found.energies.min()
    lines = (tmp_path / "x" / "w.out").read_text().splitlines()
    assert f"unbiased energy: {found.energy:>20.8f}".split() == (
        lines[found.energy_line - 1].split()
    )


def test_a_scan_of_xtb_without_its_file_or_with_that_of_another_is_refused(
    need: Need, store: Path, tmp_path: Path
) -> None:
    need("xtb")
    output = xtb(tmp_path / "x", STRETCH.format(0.9, 1.3, 5))
    log = output.with_name("xtbscan.log")
    other = xtb(tmp_path / "y", STRETCH.format(0.9, 1.2, 5)).with_name("xtbscan.log")
    good = log.read_text()
    for text, said in (
        (other.read_text(), "of another run"),
        (good[: len(good) // 2], "cannot be read from line"),
        ("".join(good.splitlines(keepends=True)[:10]), "of another run"),
        (good.replace("\n3\n", "\n9999999\n", 1), "cannot be read from line"),
        ("", "of another run"),
    ):
        log.write_text(text)
        (one,) = told(store, output, status=1)
        assert said in one["message"]
    log.unlink()
    (one,) = told(store, output, status=1)
    assert "lie beside the output" in one["message"]
    log.write_text(good)
    (one,) = told(store, log, status=1)
    assert "give the output of that run" in one["message"]
    assert len(scan_of(store, output).energies) == 5


def test_two_coordinates_of_xtb_are_refused(need: Need, store: Path, tmp_path: Path) -> None:
    need("xtb")
    both = STRETCH.format(0.9, 1.1, 2).replace("auto\n$", "auto\n distance: 1,3,auto\n$")
    output = xtb(tmp_path / "x", both.replace("$end", " 2: 0.9,1.1,2\n$end"))
    (one,) = told(store, output, status=1)
    assert "several coordinates" in one["message"]


@pytest.mark.parametrize(
    "held",
    [
        "$fix\n atoms: 1,2\n$end\n",
        "$fix\n atoms: 1,2\n$end\n$opt\n engine=lbfgs\n$end\n",
        "$constrain\n force constant=1.0\n distance: 1,2,1.1\n$end\n",
        "$constrain\n force constant=1.0\n atoms: 1,2\n$end\n",
        "$wall\n potential=logfermi\n sphere: 5.0,all\n$end\n",
    ],
)
def test_what_xtb_has_held_is_no_minimum(
    need: Need, store: Path, tmp_path: Path, held: str
) -> None:
    """Of `$fix` it prints nothing but how many coordinates are free, or not even that."""
    need("xtb")
    (one,) = told(store, xtb(tmp_path / "x", held), status=1)
    assert "no minimum" in one["message"]
    assert one["energy"] is None


def test_what_xtb_has_not_held_is_read(need: Need, store: Path, tmp_path: Path) -> None:
    need("xtb")
    (one,) = told(store, xtb(tmp_path / "x", "$opt\n maxcycle=50\n$end\n"))
    assert one["fate"] == "new"


def psi4(folder: Path, steps: str) -> Path:
    """Run Psi4 on water, and return its output."""
    (folder / "a.in").write_text(
        "molecule w {\n0 1\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\nsymmetry c1\n}\n"
        f"set {{ basis sto-3g\n scf_type pk }}\n{steps}"
    )
    command = ["psi4", "-n", "1", "-i", "a.in", "-o", "a.out"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=300)
    return folder / "a.out"


HOLD = 'psi4.set_module_options("OPTKING", {{"{0}": "{1}"}})\n'


def test_optimisations_of_psi4_that_hold_a_coordinate_at_values_are_a_scan(
    need: Need, store: Path, tmp_path: Path
) -> None:
    need("psi4")
    steps = "".join(
        HOLD.format("FIXED_DISTANCE", f"1 2 {value}") + "optimize('hf')\n" for value in (0.95, 1.0)
    )
    found = scan_of(store, psi4(tmp_path, steps))
    assert found.label == "distance 1-2"
    assert found.values == pytest.approx([0.95, 1.0], abs=1e-4)
    with Grafico(store) as grafico:
        for energy, place in zip(found.energies, found.trajectory, strict=True):
            at = found.atoms.moved_to(place)
            ours = grafico.run(at, method="HF", basis="STO-3G", task="energy")
            assert ours.energy == pytest.approx(float(energy), abs=1e-8)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("FIXED_DISTANCE", "1 2 0.95"),
        ("FROZEN_DISTANCE", "1 2"),
        ("FROZEN_CARTESIAN", "1 xyz 2 xyz"),
    ],
)
def test_what_psi4_has_held_is_no_minimum(
    need: Need, store: Path, tmp_path: Path, name: str, what: str
) -> None:
    need("psi4")
    output = psi4(tmp_path, HOLD.format(name, what) + "optimize('hf')\n")
    (one,) = told(store, output, status=1)
    assert "no minimum" in one["message"]


@pytest.mark.parametrize("name", WRITTEN)
def test_formats_of_programs_that_are_not_here(store: Path, tmp_path: Path, name: str) -> None:
    """Files in their formats, written here: each point has its own energy, which is ours there."""
    (tmp_path / "s.out").write_text(WRITTEN[name]())
    found = scan_of(store, tmp_path / "s.out")
    assert sorted(found.members.tolist()) == [0, 1]
    assert found.relaxed == name.endswith("relaxed")
    assert found.values.tolist() == [value for value, _, _ in POINTS]
    digits = 9 if name.startswith("gaussian") else 12
    assert found.energies.tolist() == [round(energy, digits) for _, energy, _ in POINTS]
    assert found.trajectory.tolist() == [
        [[*map(float, row)] for row in rows] for *_, rows in POINTS
    ]
    lines = (tmp_path / "s.out").read_text().splitlines()
    assert f"{found.energy:.{digits}f}" in lines[found.energy_line - 1]
    with Grafico(store) as grafico:
        for energy, place in zip(found.energies, found.trajectory, strict=True):
            at = found.atoms.moved_to(place)
            ours = grafico.run(at, method="HF", basis="STO-3G", task="energy")
            assert ours.energy == pytest.approx(float(energy), abs=1e-7)


@pytest.mark.parametrize("name", WRITTEN)
def test_what_does_not_fit_together_is_refused(store: Path, tmp_path: Path, name: str) -> None:
    """A geometry of another point, an energy of another, a point that is missing."""
    text = WRITTEN[name]()
    first, last = (f"{rows[1][2]:>12.6f}\n" for rows in (POINTS[0][2], POINTS[2][2]))
    digits = 9 if name.startswith("gaussian") else 12
    energy = f"{POINTS[1][1]:.{digits}f}"
    at = text.rindex("CARTESIAN COORDINATES" if name.startswith("orca") else "orientation:")
    row = r"^( +)H( +0\.8713)" if name.startswith("orca") else r"^( +3 +)1( )"
    atoms = re.sub(row, r"\g<1>8\2", text[at:], count=1, flags=re.MULTILINE)
    broken = {
        "geometry": text.replace(first, "?").replace(last, first).replace("?", last),
        "energy": text.replace(energy, energy.replace("-74.95", "-74.85")),
        "atoms": text[:at] + (atoms.replace("8 ", "O ", 1) if name.startswith("orca") else atoms),
    }
    if name == "orca_rigid":
        del broken["energy"]  # it stands in the file once
    for what, one in broken.items():
        assert one != text, what
        (tmp_path / f"{what}.out").write_text(one)
        (refused,) = told(store, tmp_path / f"{what}.out", status=1)
        assert refused["energy"] is None, what
        assert refused["message"]


def test_a_scan_is_found_shown_and_charted(store: Path, tmp_path: Path) -> None:
    (tmp_path / "s.out").write_text(WRITTEN["orca_relaxed"]())
    (one,) = told(store, tmp_path / "s.out")
    (result,) = one["results"]
    assert "ImportedScan" in typed("find", "O", "--store", store).stdout
    shown = typed("show", one["run"], "--store", store).stdout
    energies = np.array([energy for _, energy, _ in POINTS])
    barrier = np.ptp(energies) * 2625.4996
    assert f"{barrier:.2f} kJ/mol" in shown
    assert "none of them is a minimum" in shown
    assert "relaxed under constraints" in shown
    typed("report", result, "--store", store, "--plot", tmp_path / "curve.svg")
    drawn = (tmp_path / "curve.svg").read_text()
    assert "distance 2-1" in drawn
    typed("fsck", "--store", store)


def test_a_transition_state_is_sought_from_its_highest_point(store: Path, tmp_path: Path) -> None:
    (tmp_path / "s.out").write_text(WRITTEN["orca_relaxed"]())
    (one,) = told(store, tmp_path / "s.out")
    with Grafico(store) as grafico:
        for iri in (one["run"], one["results"][0]):
            atoms = GUESS.stored_object(grafico.kg, iri)
            assert measured(atoms.positions, (0, 1)) == pytest.approx(1.1)
            scan = scan_of_iri(grafico.kg, iri)
            assert scan is not None
            (said,) = remarks_on(scan)
            assert "distance 2-1, 1.1 Å, which is its end" in said


def test_a_file_beside_goes_nowhere_it_is_not_named(store: Path, tmp_path: Path) -> None:
    """A link from its place to a file out of reach, a folder, a pipe: it is not there."""
    if shutil.which("xtb") is None:
        pytest.skip("needs xtb")
    output = xtb(tmp_path / "x", STRETCH.format(0.9, 1.1, 2))
    log = output.with_name("xtbscan.log")
    log.unlink()
    log.mkdir()
    (one,) = told(store, output, status=1)
    assert "lie beside the output" in one["message"]


NWCHEM = """start w
geometry units angstrom noautosym {0}
{1}
end
{2}
basis
* library sto-3g
end
task scf optimize
"""
PLACES = "O 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477"
MATRIX = "zmatrix\nO\nH 1 r\nH 1 q 2 a\nvariables\nr 0.95\nq 0.97\nconstants\na 100.0\nend"


def nwchem(folder: Path, text: str) -> Path:
    """Run NWChem, which may fail, and return its output."""
    (folder / "w.nw").write_text(text)
    done = subprocess.run(["nwchem", "w.nw"], cwd=folder, capture_output=True, timeout=300)
    (folder / "w.out").write_bytes(done.stdout)
    return folder / "w.out"


@pytest.mark.parametrize(
    "text",
    [
        NWCHEM.format("noautoz", PLACES, "constraints\n fix atom 1 2\nend"),
        NWCHEM.format("", PLACES, "constraints\n spring bond 1 2 5.0 1.8\nend"),
        NWCHEM.format("", MATRIX, ""),
    ],
    ids=["fixed", "spring", "constant"],
)
def test_what_nwchem_has_held_is_no_minimum(
    need: Need, store: Path, tmp_path: Path, text: str
) -> None:
    need("nwchem")
    (one,) = told(store, nwchem(tmp_path, text), status=1)
    assert "no minimum" in one["message"]


def test_a_run_that_failed_before_its_parser_had_begun_is_a_failed_run(
    need: Need, store: Path, tmp_path: Path
) -> None:
    """Fixed atoms and internal coordinates, which NWChem refuses together."""
    need("nwchem")
    text = NWCHEM.format("", PLACES, "constraints\n fix atom 1 2\nend")
    (one,) = told(store, nwchem(tmp_path, text))
    assert one["fate"] == "failed run"
    assert "There is an error related to the specified geometry" in one["message"]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_scan_that_is_damaged_anywhere_is_the_same_scan_or_none(
    tmp_path: Path, name: str
) -> None:
    text, draw = WRITTEN[name](), random.Random(11)
    (whole,) = outputs([written(tmp_path, text)])
    (good,) = whole.jobs
    assert good.scan
    read = 0
    for number in range(80):
        lines = text.splitlines(keepends=True)
        first, other = draw.randrange(len(lines)), draw.randrange(len(lines))
        match number % 4:
            case 0:
                del lines[first : first + draw.choice([1, 10, 40])]
            case 1:
                lines[first], lines[other] = lines[other], lines[first]
            case 2:
                lines[first:first] = [lines[first]] * draw.choice([1, 2, 50])
            case _:
                lines[first] = "*** NaN 1E999 - 99999999999999" + lines[first]
        (found,) = outputs([written(tmp_path, "".join(lines))])
        for job in found.jobs:
            if not (job.refused or job.failed):
                assert (job.scan, job.energies, job.geometries) == (
                    good.scan,
                    good.energies,
                    good.geometries,
                ), number
                read += 1
    assert 0 < read < 80


def test_a_damaged_file_of_xtb_is_the_same_scan_or_none(need: Need, tmp_path: Path) -> None:
    """Lines lost, exchanged, doubled, and one to three characters changed, in its geometries."""
    need("xtb")
    output = xtb(tmp_path / "x", STRETCH.format(0.9, 1.3, 5))
    log = output.with_name("xtbscan.log")
    text, draw = log.read_text(), random.Random(5)
    (whole,) = outputs([str(output)])
    (good,) = whole.jobs
    read = 0
    for number in range(300):
        lines = text.splitlines(keepends=True)
        first, other = draw.randrange(len(lines)), draw.randrange(len(lines))
        match number % 5:
            case 0:
                del lines[first : first + draw.choice([1, 10])]
            case 1:
                lines[first], lines[other] = lines[other], lines[first]
            case 2:
                lines[first:first] = [lines[first]] * draw.choice([1, 2, 50])
            case _:
                signs = list(text)
                for _ in range(draw.choice([1, 3])):
                    signs[draw.randrange(len(signs))] = draw.choice("0123456789 .-\nHx")
                lines = ["".join(signs)]
        log.write_text("".join(lines))
        (found,) = outputs([str(output)])
        for job in found.jobs:
            if not (job.refused or job.failed):
                assert np.allclose(job.geometries, good.geometries, rtol=0, atol=1e-4), number
                assert np.allclose(job.energies, good.energies, rtol=0, atol=1e-8), number
                read += 1
    assert 0 < read < 100


def test_what_is_damaged_is_said(need: Need, tmp_path: Path) -> None:
    need("xtb")
    output = xtb(tmp_path / "x", STRETCH.format(0.9, 1.3, 5))
    log = output.with_name("xtbscan.log")
    good = log.read_text()
    lines = good.splitlines()
    row = lines[7].split()
    moved = f"O {float(row[1]) + 0.01:.14f} {row[2]} {row[3]}"
    swapped = [*lines[:8], lines[9], lines[8], *lines[10:]]
    for text, said in (
        (good.replace(lines[7], moved), "at point 2 the molecule lies 0.0033 Å from where it is"),
        ("\n".join([*swapped, ""]), "at point 2 atoms of an element stand where others"),
        (good.replace(row[1], row[1][:-2]), "not all of its coordinates have as many decimals"),
    ):
        log.write_text(text)
        (found,) = outputs([str(output)])
        assert said in (found.jobs[0].refused or "")
    log.write_text(good)
    assert not outputs([str(output)])[0].jobs[0].refused


@pytest.mark.parametrize("engine", ["rf", "lbfgs"])
def test_scans_of_angles_by_each_optimiser_of_xtb_are_read(
    need: Need, tmp_path: Path, engine: str
) -> None:
    need("xtb")
    held = "$constrain\n force constant=0.5\n angle: 2,1,3,auto\n$scan\n 1: 95,125,6\n$end\n"
    output = xtb(tmp_path / "x", f"{held}$opt\n engine={engine}\n$end\n")
    (found,) = outputs([str(output)])
    assert not found.jobs[0].refused
    assert len(found.jobs[0].geometries) == 6


def written(folder: Path, text: str) -> str:
    """Write an output, and return where."""
    (folder / "a.out").write_text(text)
    return str(folder / "a.out")
