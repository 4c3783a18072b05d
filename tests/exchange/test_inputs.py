"""Inputs for what nobody has computed, their tasks, and the names of functionals in programs."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from ontologies.atoms import make_atoms
from ontologies.level import LevelOfTheory
from ontologies.vibrations import VibrationalAnalysis
from tests.conftest import Need
from triplestore.errors import InputError
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.energy import single_point
from workflows.exchange.inputs import INPUTS, Wanted
from workflows.exchange.keywords import CORRECTED, METHODS, NONLOCAL, SOLVENTS
from workflows.exchange.writing import ENDINGS
from workflows.molecule import read_content
from workflows.molecule.conversion import CONVERT

WATER = make_atoms(
    "H2O", numbers=[8, 1, 1], positions=[[0, 0, 0.119], [0, 0.763, -0.477], [0, -0.763, -0.477]]
)


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:") as one:
        yield one


def level_of(method: str, basis: str = "STO-3G", **more: Any) -> LevelOfTheory:
    return resolve_level(method, basis, "restricted", **more).level


def psi4(folder: Path, text: str) -> str:
    (folder / "w.dat").write_text(text)
    done = subprocess.run(
        ["psi4", "w.dat", "w.out"], cwd=folder, capture_output=True, text=True, check=False
    )
    return (folder / "w.out").read_text() + done.stdout + done.stderr


def test_an_input_needs_no_result(tmp_path: Path) -> None:
    """As typed: the structure is built and said how; level and task are in; nothing is computed."""
    path, store = tmp_path / "n.inp", str(tmp_path / "store")
    asked = ["write", "nitromethane", "--level", "wB97X-D3/def2-TZVP", "--task", "freq"]
    done = CliRunner().invoke(main, [*asked, "-o", str(path), "--store", store])
    assert done.exit_code == 0, done.output
    assert "3D structure: name from the table" in done.output
    assert "frequencies of CH3NO2 at wB97X-D3/def2-TZVP" in done.output
    text = path.read_text()
    assert "! RKS wB97X-D3 def2-TZVP NoRI NoCOSX VeryTightSCF DefGrid3 Opt Freq\n" in text
    assert read_content(path).atoms.formula == "CH3NO2"
    with Grafico(store) as session:
        assert not session.runs()


def test_open_babel_and_ase_read_them_back(tmp_path: Path, need: Need, session: Grafico) -> None:
    from ase.io import read

    asked: dict[str, Any] = {"level": "PBE0-D3BJ/def2-SVP", "charge": 1, "task": "optimise"}
    text = session.write("CO", to="gaussian", **asked)
    assert " Opt\n" in text
    assert "UPBE1PBE/def2SVP" in text
    (tmp_path / "m.gjf").write_text(text)
    (tmp_path / "m.inp").write_text(session.write("CO", to="orca", **asked))
    read_back: Any = read(tmp_path / "m.gjf", format="gaussian-in")
    assert read_back.get_chemical_formula() == "CH4O"
    done = subprocess.run(
        [need("obabel"), "-iorcainp", tmp_path / "m.inp", "-oxyz"],
        capture_output=True,
        text=True,
        check=False,
    )
    if "1 molecule converted" in done.stderr:  # versions before 3 do not read ORCA's
        rows = [line.split() for line in done.stdout.splitlines()[2:]]
        there = np.array([[float(one) for one in row[1:]] for row in rows if row])
        assert np.abs(there - read_back.positions).max() < 1e-4


def test_a_run_is_written_with_its_task(session: Grafico) -> None:
    found = session.run("water", task="frequencies", level="HF/STO-3G")
    assert " Opt Freq\n" in session.write(found.run, to="gaussian")
    assert "NoSymmetry\n" in session.write(found.run, to="gaussian", task="energy")
    last = found.answers[-1].recorded
    assert "optimize" not in session.write(last, to="psi4")
    cation = session.write(found.run, to="psi4", level="PBE/def2-SVP", charge=1)
    assert "\n1 2\n" in cation
    assert "reference uks" in cation
    assert "frequencies('pbe')" in cation
    with pytest.raises(InputError, match="which has its own; say the level, too"):
        session.write(found.run, to="psi4", charge=1)
    with pytest.raises(InputError, match="with method, basis; that is for inputs"):
        session.write(found.run, to="xyz", level="PBE/def2-SVP")
    held = session.run("water", level="HF/STO-3G", task="optimise", constraints="distance 1 2 1.0")
    with pytest.raises(InputError, match=r"held distance 1 2 1\.0, which is not translated"):
        session.write(held.run, to="orca")


def test_what_is_no_input(session: Grafico) -> None:
    with pytest.raises(InputError, match="a structure, not a result; compute it first"):
        session.write("water", to="qcschema")
    with pytest.raises(InputError, match="a stable solution of the SCF is not translated"):
        session.write("water", to="orca", level="HF/def2-SVP", stable=True)
    with pytest.raises(InputError, match="the accuracy 1 is not translated"):
        session.write("water", to="xtb", level="GFN2-xTB", accuracy=1.0)
    with pytest.raises(InputError, match="an atom has no geometry to optimise"):
        session.write("[He]", to="orca", level="HF/def2-SVP", task="frequencies")


def test_the_way_to_an_input_is_told_where_molecules_are_converted() -> None:
    inputs = {ending for ending, name in ENDINGS.items() if name in INPUTS}
    for ending in inputs | {".in"}:
        assert "grafico write MOLECULE --to" in CONVERT.unwritten[ending][1]


def test_psi4_finds_the_same_frequencies(session: Grafico, tmp_path: Path, need: Need) -> None:
    need("psi4")
    found = session.run("water", task="frequencies", level="HF/STO-3G")
    said = psi4(tmp_path, session.write("water", to="psi4", task="frequencies", level="HF/STO-3G"))
    rows = re.findall(r"Freq \[cm\^-1\] +(.*)", said)
    there = sorted(float(one) for row in rows for one in row.split())
    modes = next(one.result for one in found.answers if isinstance(one.result, VibrationalAnalysis))
    ours = sorted(one for one in modes.wavenumbers.tolist() if one > 100)
    assert there[-3:] == pytest.approx(ours, abs=3), said[-2000:]


def test_xtb_finds_the_same_minimum(session: Grafico, tmp_path: Path, need: Need) -> None:
    """The option that is told is taken."""
    program = need("xtb")
    asked: dict[str, Any] = {"task": "frequencies", "level": "GFN2-xTB"}
    found = session.run("water", **asked)
    (tmp_path / "w.coord").write_text(session.write("water", to="xtb", **asked))
    told = INPUTS["xtb"](Wanted(WATER, found.level), "frequencies")[1][0]
    option = re.search(r"xtb FILE (--\w+)", told)
    assert option is not None
    done = subprocess.run(
        [program, "w.coord", option[1]], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    energy = re.findall(r"TOTAL ENERGY +(-?\d+\.\d+)", done.stdout)[-1]
    assert float(energy) == pytest.approx(found.energy, abs=1e-5)


SOME = ("BP86", "TPSSh", "M06-2X", "wB97X", "CAM-B3LYP", "SVWN3", "B97-2")


def test_psi4_has_the_same_functionals(tmp_path: Path, need: Need) -> None:
    """The components of all by the table of the installed program; the energies of some."""
    need("psi4")
    names = {method: words["Psi4"] for method, words in METHODS.items() if "Psi4" in words}
    head = INPUTS["psi4"](Wanted(WATER, level_of("PBE")))[0].rpartition("energy(")[0]
    said = psi4(
        tmp_path,
        f"{head}import json\nfrom psi4.driver.procrouting.dft import functionals as known\n"
        f"parts = {{one: known[one] for one in {[n for n in names.values() if n != 'hf']}}}\n"
        f"found = {{one: energy(one) for one in {[names[one] for one in SOME]}}}\n"
        "open('f.json', 'w').write(json.dumps([parts, found], default=str))\n",
    )
    assert (tmp_path / "f.json").exists(), said[-3000:]
    parts, energies = json.loads((tmp_path / "f.json").read_text())
    for method, name in names.items():
        if method in ("HF", "B3LYP5"):  # the latter is in pieces here, and run in another test
            continue
        level, there = level_of(method), parts[name]
        ours = {re.findall(r"× (\S+)", one)[0] for one in level.functional}
        kinds = ("x_functionals", "c_functionals", "xc_functionals")
        assert ours == {one for kind in kinds for one in there.get(kind, {})}, method
        assert bool(level.nonlocal_correlation) == (method in NONLOCAL)
        params = (there.get("dispersion") or {}).get("params", {})
        assert bool(params) == ("-D3" in method), method
        if level.dispersion:
            have = dict(one.split("=") for one in level.dispersion.damping_parameters)
            assert {n: float(have[n]) for n in params} == pytest.approx(params), method
    for method in SOME:
        mine = single_point(WATER, level_of(method, grid_level=6)).energy
        assert energies[names[method]] == pytest.approx(mine, abs=5e-6), method


GAUSSIAN = {
    ("B3LYP", "D3(BJ)"): "s8=1.9889 a1=0.3981 a2=4.4211",
    ("BLYP", "D3(BJ)"): "s8=2.6996 a1=0.4298 a2=4.2359",
    ("PBE0", "D3(BJ)"): "s8=1.2177 a1=0.4145 a2=4.8593",
    ("TPSS", "D3(BJ)"): "s8=1.9435 a1=0.4535 a2=4.4752",
    ("PBE", "D3(BJ)"): "s8=0.7875 a1=0.4289 a2=4.4407",
    ("BP86", "D3(BJ)"): "s8=3.2822 a1=0.3946 a2=4.8516",
    ("B97", "D3(BJ)"): "s8=2.2609 a1=0.5545 a2=3.2297",
    ("B3LYP", "D3(0)"): "s8=1.703 rs6=1.261",
    ("BLYP", "D3(0)"): "s8=1.682 rs6=1.094",
    ("PBE0", "D3(0)"): "s8=0.928 rs6=1.287",
    ("TPSS", "D3(0)"): "s8=1.105 rs6=1.166",
    ("PBE", "D3(0)"): "s8=0.722 rs6=1.217",
    ("BP86", "D3(0)"): "s8=1.683 rs6=1.139",
    ("M05", "D3(0)"): "s8=0.595 rs6=1.373",
    ("M05-2X", "D3(0)"): "s8=0 rs6=1.417",
    ("M06-L", "D3(0)"): "s8=0 rs6=1.581",
    ("M06", "D3(0)"): "s8=0 rs6=1.325",
    ("M06-2X", "D3(0)"): "s8=0 rs6=1.619",
    ("M06-HF", "D3(0)"): "s8=0 rs6=1.446",
}
"""As the manual of Gaussian 16 has them (keyword DFT, EmpiricalDispersion)."""


def test_gaussian_has_the_same_parameters() -> None:
    asked = {(m, kind) for kind, methods in CORRECTED["Gaussian"].items() for m in methods}
    assert asked | {("B97", "D3(BJ)")} == set(GAUSSIAN)
    for (method, kind), there in GAUSSIAN.items():
        found = level_of(method, dispersion=kind).dispersion
        assert found is not None
        assert set(there.split()) <= set(found.damping_parameters), method


@pytest.mark.parametrize(
    ("method", "program", "line"),
    [
        (
            "wB97M-V",
            "orca",
            "! RKS wB97M-V SCNL def2-SVP NoRI NoCOSX VeryTightSCF DefGrid3 Opt NumF",
        ),
        (
            "r2SCAN-D4",
            "orca",
            "! RKS r2SCAN D4 def2-SVP NoRI NoCOSX VeryTightSCF DefGrid3 Opt NumF",
        ),
        ("wB97X-D3(BJ)", "orca", "! RKS wB97X-D3BJ def2-SVP NoRI"),
        ("M06-2X-D3(0)", "orca", "! RKS M062X D3ZERO def2-SVP NoRI"),
        ("M06-2X", "gaussian", "#P RM062X/def2SVP 5D 7F Integral=UltraFine SCF=(Tight)"),
        ("B97-D3(BJ)", "gaussian", "#P RB97D3/def2SVP 5D 7F Integral=UltraFine SCF=(Tight)"),
        ("wB97X-D3", "gaussian", "its wB97XD is another functional, of 2008 with D2"),
        ("wB97X-D3", "psi4", "has the functional of 2008, not that of 2013"),
        ("M06-2X-D3(0)", "psi4", r"the correction D3(0) to M06-2X is not translated"),
        ("SVWN", "psi4", "its svwn has VWN's fit to the RPA"),
    ],
)
def test_functionals_are_what_they_are_called(method: str, program: str, line: str) -> None:
    wanted = Wanted(WATER, level_of(method, "def2-SVP"))
    try:
        text = INPUTS[program](wanted, "frequencies")[0]
    except InputError as error:
        text = str(error)
    assert line in text


def test_a_name_that_meant_something_else(session: Grafico) -> None:
    other = level_of("BLYP").model_copy(update={"functional": level_of("PBE").functional})
    with pytest.raises(InputError, match="the method BLYP is not translated"):
        INPUTS["gaussian"](Wanted(WATER, other))


def test_a_method_of_orca_alone_is_passed_on_by_its_keyword(session: Grafico) -> None:
    text = session.write("acetone", to="orca", level="r2scan-3c", task="optimise")
    assert "! r2SCAN-3c TightSCF Opt\n* xyz 0 1\n" in text
    text = session.write("acetone", to="orca", method="HF-3c", task="frequencies")
    assert "! HF-3c TightSCF Opt Freq\n" in text
    with pytest.raises(InputError, match="its own basis set"):
        session.write("acetone", to="orca", method="B97-3c", basis="def2-TZVP")
    with pytest.raises(InputError, match="3c methods"):  # no keyword of Psi4 1.3.2
        session.write("acetone", to="psi4", method="r2SCAN-3c")
    line = ["write", "acetone", "--to", "orca", "--level", "wB97X-3c", "--store", "memory:"]
    assert "does not compute it" in CliRunner().invoke(main, line).stderr


@pytest.mark.parametrize(
    ("program", "method", "told"),
    [
        ("gaussian", "wB97X-D", "its wB97XD has the correction D2"),
        ("gaussian", "ωB97XD", "nearest of what both have: wB97X, or B3LYP-D3(BJ); or write it"),
        ("psi4", "wb97x-d", "put wb97x-d in its place"),
        ("gaussian", "B97-D", "nearest of what both have: B97-D3(BJ)"),
        ("orca", "wB97X-D", "ask for wB97X-D3"),
    ],
)
def test_what_a_program_has_and_nothing_here_is_told_by_its_name(
    session: Grafico, program: Any, method: str, told: str
) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        session.write("water", to=program, method=method, basis="6-31G*")


def test_smd_of_gaussian_is_that_here(session: Grafico) -> None:
    asked: dict[str, Any] = {"method": "PBE0", "basis": "def2-SVP", "solvation": "SMD"}
    text = session.write("water", to="gaussian", **asked, solvent="DMSO")
    assert " SCRF=(SMD,Solvent=DiMethylSulfoxide) SCF=" in text
    for solvent in SOLVENTS:  # each is called so here
        level = level_of("HF", solvation="SMD", solvent=solvent)
        assert level.solvation is not None
        assert level.solvation.solvent == solvent
    refused: tuple[tuple[str, Any, dict[str, Any], str], ...] = (
        ("water", "gaussian", {**asked, "solvation": "COSMO"}, "ask for SMD"),
        ("CBr", "gaussian", asked, "the radius of SMD18 for bromine here, and that of 2009"),
        ("[I-]", "gaussian", asked, "SMD18 for iodine"),
        ("water", "gaussian", {**asked, "solvent": "anisole"}, "SCRF=(SMD,Solvent=…)"),
        ("water", "orca", asked, "SMD is conductor-like there, and IEF-PCM here"),
        ("water", "psi4", asked, "set up PCMSolver"),
    )
    for what, program, more, told in refused:
        given: dict[str, Any] = {"solvent": "water", **more}
        with pytest.raises(InputError, match=re.escape(told)):
            session.write(what, to=program, **given)


def test_smd_by_another_program_differs_by_its_charges_alone(tmp_path: Path, need: Need) -> None:
    """NWChem's is conductor-like, as ORCA's: why it is not taken for the same."""
    rows = "\n".join(
        f"{symbol} {x} {y} {z}"
        for symbol, (x, y, z) in zip(WATER.symbols, WATER.positions.tolist(), strict=True)
    )
    for solvent, apart in (("water", 0.27), ("toluene", 0.49)):
        level = level_of("HF", "6-31G*", solvation="SMD", solvent=solvent, cartesian=True)
        ours = single_point(WATER, level)
        (tmp_path / "w.nw").write_text(
            f"start {solvent}\ngeometry units angstrom noautosym nocenter\n{rows}\nend\n"
            "basis cartesian\n* library 6-31G*\nend\n"
            "dft; xc HFexch 1.0; convergence energy 1e-8; end\n"
            f"cosmo; do_cosmo_smd true; solvent {solvent}; end\ntask dft energy\n"
        )
        done = subprocess.run(
            [need("nwchem"), "w.nw"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        found = re.search(r"including G\(SMD-CDS\) = +(\S+)", done.stdout)
        assert found is not None
        assert (ours.energy - float(found[1])) * 627.5095 == pytest.approx(apart, abs=0.02)
