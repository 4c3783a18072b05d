"""Results for other programs: read back, or run, by these."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from ogm import GraphModel
from ontologies.atoms import make_atoms
from ontologies.level import LevelOfTheory, Solvation
from ontologies.tightbinding import BornModel, BornSolvation, TightBinding
from tests.conftest import Need
from triplestore.errors import InputError
from workflows.dft.level.resolving import resolve_level
from workflows.exchange.frames import extended
from workflows.exchange.inputs import INPUTS
from workflows.exchange.keywords import CORRECTED, DISPERSIONS
from workflows.exchange.writing import ENDINGS, FORMATS
from workflows.molecule import read_content
from workflows.show.frames import frames_of
from workflows.tightbinding.calculations import single_point
from workflows.tightbinding.solvents import known

WATER = "3\n\nO 0 0 0.119\nH 0 0.763 -0.477\nH 0 -0.763 -0.477\n"


@pytest.fixture(scope="module")
def session() -> Iterator[Grafico]:
    with Grafico("memory:") as one:
        yield one


@pytest.fixture(scope="module")
def water(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("water") / "w.xyz"
    path.write_text(WATER)
    return path


@pytest.mark.parametrize(
    ("options", "within"),
    [
        ({"method": "HF", "basis": "6-31G*"}, 1e-6),
        ({"method": "HF", "basis": "6-31G*", "cartesian": True}, 1e-6),
        ({"method": "HF", "basis": "cc-pVDZ", "charge": 1}, 1e-6),
        ({"method": "B3LYP", "basis": "def2-SVP"}, 2e-6),
        ({"method": "B3LYP5", "basis": "def2-SVP"}, 2e-6),
        ({"method": "HF", "basis": "cc-pVDZ", "density_fitting": True}, 1e-6),
        ({"method": "B3LYP", "basis": "def2-SVP", "density_fitting": True}, 2e-6),
        ({"method": "PBE", "basis": "def2-SVP", "density_fitting": True, "charge": 1}, 2e-6),
    ],
)
def test_psi4_computes_the_same(
    session: Grafico, water: Path, tmp_path: Path, need: Need, options: Any, within: float
) -> None:
    need("psi4")
    found = session.run(water, task="energy", **options)
    text = session.write(found.run, to="psi4")
    (tmp_path / "w.dat").write_text(text)
    done = subprocess.run(
        ["psi4", "w.dat", "w.out"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    said = (tmp_path / "w.out").read_text()
    energies = re.findall(r"Total Energy = +(-?\d+\.\d+)", said)
    assert energies, done.stdout + done.stderr + said[-2000:]
    assert float(energies[-1]) == pytest.approx(found.energy, abs=within)


@pytest.mark.parametrize("method", ["GFN1-xTB", "GFN2-xTB"])
@pytest.mark.parametrize("charge", [0, 1])
def test_xtb_computes_the_same(
    session: Grafico, water: Path, tmp_path: Path, need: Need, method: str, charge: int
) -> None:
    need("xtb")
    found = session.run(water, task="energy", method=method, charge=charge)
    (tmp_path / "w.coord").write_text(session.write(found.run, to="xtb"))
    done = subprocess.run(
        ["xtb", "w.coord"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    energy = re.search(r"TOTAL ENERGY +(-?\d+\.\d+)", done.stdout)
    assert energy is not None
    assert float(energy[1]) == pytest.approx(found.energy, abs=1e-6)


def test_xtb_computes_the_same_in_every_solvent(tmp_path: Path, need: Need) -> None:
    program = need("xtb")
    atoms = make_atoms(
        "H2O", numbers=[8, 1, 1], positions=[[0, 0, 0.119], [0, 0.763, -0.477], [0, -0.763, -0.477]]
    )
    models: tuple[BornModel, ...] = ("ALPB", "GBSA")
    for method, model in product(("GFN1-xTB", "GFN2-xTB"), models):
        for solvent in known(method, model):
            around = BornSolvation(model=model, solvent=solvent)
            found = single_point(atoms, TightBinding(method=method, solvation=around))
            (tmp_path / "w.coord").write_text(INPUTS["xtb"](found)[0])
            done = subprocess.run(
                [program, "w.coord"], cwd=tmp_path, capture_output=True, text=True, check=True
            )
            energy = re.search(r"TOTAL ENERGY +(-?\d+\.\d+)", done.stdout)
            assert energy is not None, solvent
            assert float(energy[1]) == pytest.approx(found.energy, abs=1e-6), found.level.label


@pytest.mark.parametrize("kind", ["D3(BJ)", "D3(0)"])
def test_psi4_has_the_same_parameters(tmp_path: Path, need: Need, kind: str) -> None:
    """Its table of corrections, read from the installed program; its part without them is run."""
    need("psi4")
    name = DISPERSIONS["Psi4"][kind]
    methods = CORRECTED["Psi4"][kind]
    asked = [f"p['{name[1:]}']['definitions']['{one.lower()}']['params']" for one in methods]
    (tmp_path / "p.dat").write_text(
        "import json\nfrom psi4.driver.qcdb.intf_dftd3.dashparam import dashcoeff as p\n"
        f"open('p.json', 'w').write(json.dumps([{', '.join(asked)}]))\n"
    )
    done = subprocess.run(
        ["psi4", "p.dat", "p.out"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (tmp_path / "p.json").exists(), done.stdout + done.stderr
    theirs = json.loads((tmp_path / "p.json").read_text())
    spelt = {"rs6": "sr6", "rs8": "sr8", "alp": "alpha6"}
    for method, there in zip(methods, theirs, strict=True):
        level = resolve_level(method, "def2-SVP", "restricted", dispersion=kind).level
        assert level.dispersion is not None
        pairs = [one.split("=") for one in level.dispersion.damping_parameters]
        here = {spelt.get(key, key): float(value) for key, value in pairs}
        for key, value in there.items():
            assert here[key] == pytest.approx(value), (method, key)


def test_corrections_and_fitting(session: Grafico, water: Path) -> None:
    asked = {"method": "B3LYP", "basis": "def2-SVP", "dispersion": "D3(BJ)"}
    found = session.run(water, task="energy", density_fitting=True, **asked)
    texts = {name: INPUTS[name] for name in ("orca", "psi4")}
    text, notes = texts["orca"](_whole(session, found))
    assert "! RKS B3LYP/G D3BJ def2-SVP RIJK def2/JK NoCOSX VeryTightSCF DefGrid3" in text
    assert any("s8=1.9889 a1=0.3981 a2=4.4211" in note for note in notes)
    text, notes = texts["psi4"](_whole(session, found))
    assert "energy('b3lyp-d3bj')" in text
    assert any("needs the program dftd3" in note for note in notes)
    with pytest.raises(InputError, match="fitting with def2-universal-jkfit is not translated"):
        INPUTS["gaussian"](_whole(session, found))
    plain = session.run(water, task="energy", **asked)
    text, _ = INPUTS["gaussian"](_whole(session, plain))
    assert "#P RB3LYP/def2SVP 5D 7F Integral=UltraFine EmpiricalDispersion=GD3BJ" in text
    d4 = session.run(water, task="energy", **{**asked, "dispersion": "D4"})
    with pytest.raises(InputError, match="the correction D4 to B3LYP is not translated"):
        INPUTS["psi4"](_whole(session, d4))


@pytest.mark.parametrize(("form", "ending"), [("orca", ".inp"), ("gaussian", ".gjf")])
def test_inputs_are_read_back(
    session: Grafico, water: Path, tmp_path: Path, form: Any, ending: str
) -> None:
    found = session.run(water, task="energy", method="HF", basis="6-31G*", charge=1)
    path = tmp_path / f"w{ending}"
    path.write_text(session.write(found.run, to=form))
    again, given = read_content(path).atoms, read_content(water).atoms
    assert (again.charge, again.multiplicity) == (1, 2)
    assert np.abs(again.positions - given.positions).max() < 1e-10
    text = path.read_text()
    assert "6-31G*" in text
    assert ("5D 7F" in text) == (form == "gaussian")


def test_meanings_of_b3lyp(session: Grafico, water: Path) -> None:
    """B3LYP here is the one with VWN3, which ORCA calls B3LYP/G."""
    found = session.run(water, task="energy", method="B3LYP", basis="def2-SVP")
    assert "RKS B3LYP/G def2-SVP" in INPUTS["orca"](_whole(session, found))[0]
    assert "RB3LYP/def2SVP" in INPUTS["gaussian"](_whole(session, found))[0]
    with pytest.raises(InputError, match=r"method B3LYP5 \(its B3LYP is the one with VWN3\)"):
        INPUTS["gaussian"](_changed(session, found, method="B3LYP5"))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"method": "BP86"}, r"method BP86 \(its BP86 has VWN5 .* nearest there: PBE or BLYP"),
        ({"basis": "pc-1"}, "basis set pc-1"),
        ({"density_fitting": True, "auxiliary_basis": "weigend"}, "fitting with weigend"),
        (
            {"solvation": Solvation(model="SMD", solvent="toluene", dielectric=2.4)},
            r"SMD of toluene, which differs from program to program",
        ),
        ({"nonlocal_correlation": "VV10"}, "VV10"),
        ({"core_potential": "LANL2DZ"}, "elements up to number 8"),
        ({"spherical": False}, "no Cartesian d functions"),
    ],
)
def test_what_is_not_translated(session: Grafico, water: Path, change: Any, told: str) -> None:
    found = session.run(water, task="energy", method="HF", basis="6-31G*")
    with pytest.raises(InputError, match=told):
        INPUTS["orca"](_changed(session, found, **change))


def test_the_conductor_like_continuum_is_its_own(session: Grafico, water: Path) -> None:
    found = session.run(water, task="energy", method="HF", basis="6-31G*")
    medium = Solvation(model="C-PCM", solvent="acetonitrile", dielectric=35.688)
    text, notes = INPUTS["orca"](_changed(session, found, solvation=medium))
    keywords, *block = text.splitlines()[1:5]
    assert keywords.startswith("! ")
    assert keywords.endswith(" CPCM")
    assert block == ["%cpcm", "  epsilon 35.688", "end"]
    assert any("ORCA's own C-PCM" in one and "not those of the level" in one for one in notes)
    text, notes = INPUTS["gaussian"](_changed(session, found, solvation=medium))
    assert " SCRF=(CPCM,Solvent=Acetonitrile) " in text
    assert any("Gaussian's own C-PCM" in one and "not those of the level" in one for one in notes)
    nameless = Solvation(model="C-PCM", solvent="", dielectric=35.688)
    with pytest.raises(InputError, match="radii of UFF"):
        INPUTS["gaussian"](_changed(session, found, solvation=nameless))


def _whole(session: Grafico, found: Any) -> Any:
    return session.kg.pull(GraphModel, found.answers[-1].recorded)


def _changed(session: Grafico, found: Any, **change: Any) -> Any:
    result = _whole(session, found)
    level = result.level
    assert isinstance(level, LevelOfTheory)
    return result.model_copy(update={"level": level.model_copy(update=change)})


def test_qcschema_is_valid(session: Grafico, water: Path) -> None:
    from qcelemental.models.v1 import AtomicResult  # pyright: ignore

    found = session.run(water, task="energy", method="HF", basis="STO-3G")
    text = session.write(found.run, to="qcschema")
    told: Any = AtomicResult(**json.loads(text))
    assert told.return_result == pytest.approx(found.energy, abs=1e-12)
    assert told.molecule.get_molecular_formula() == "H2O"
    dipole = np.linalg.norm(told.properties.scf_dipole_moment) * 2.541746
    assert dipole == pytest.approx(_whole(session, found).dipole_moment, abs=1e-4)


def test_ase_reads_the_frames_of_a_scan(session: Grafico, tmp_path: Path) -> None:
    from ase.io import read
    from ase.units import Hartree

    from ontologies.transition import ElasticBand

    atoms = make_atoms("H2", numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 0.8]])
    places = np.array([[[0, 0, 0], [0, 0, one]] for one in (0.7, 0.75, 0.8)])
    level = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")
    path = ElasticBand(
        atoms=atoms,
        level=level,
        energy=3.0,
        initial=atoms,
        final=atoms,
        geometries=places,
        energies=np.array([1.0, 2.0, 3.0]),
    )
    (tmp_path / "p.extxyz").write_text(extended(frames_of(path))[0])
    read_back: Any = read(tmp_path / "p.extxyz", ":")
    assert [one.get_distance(0, 1) for one in read_back] == pytest.approx([0.7, 0.75, 0.8])
    assert read_back[1].get_potential_energy() == pytest.approx(2 * Hartree)
    with pytest.raises(InputError, match="no geometries with energies"):
        frames_of(atoms)


def test_an_ensemble_in_order_of_energy(session: Grafico, tmp_path: Path, need: Need) -> None:
    """Three conformers of 1,2-difluoroethane, read by ASE and by Open Babel."""
    from ase.io import read

    found = session.conformers("FCCF", sampler="embedding", starts=20)
    each = found.ensemble.conformers
    assert len(each) == 2
    text = session.write(found.run, to="xyz")
    heads = text.splitlines()[1 :: 8 + 2]
    told = [f"conformer {one.number}, {one.energy:.8f} Eh, weight {one.weight:.4f}" for one in each]
    assert [head.partition("conformer")[2] for head in heads] == [one[9:] for one in told]
    (tmp_path / "e.extxyz").write_text(session.write(found.ensemble.iri))
    frames: Any = read(tmp_path / "e.extxyz", ":")
    energies = [one.get_potential_energy() for one in frames]
    assert energies == sorted(energies)
    assert energies[1] - energies[0] == pytest.approx(
        (each[1].energy - each[0].energy) * 27.211386, abs=1e-6
    )
    (tmp_path / "e.sdf").write_text(session.write(found.run, to="sdf"))
    done = subprocess.run(
        [need("obabel"), tmp_path / "e.sdf", "-osmi", "--append", "energy_hartree"],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split() for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["FCCF", "FCCF"]
    assert [float(row[-1]) for row in rows] == [one.energy for one in each]
    with pytest.raises(InputError, match="no result of one geometry"):
        session.write(found.run, to="molden")


def test_a_scan_with_its_coordinate(session: Grafico, tmp_path: Path) -> None:
    (tmp_path / "h.xyz").write_text("2\n\nH 0 0 0\nH 0 0 0.74\n")
    found = session.scan(
        tmp_path / "h.xyz",
        method="GFN2-xTB",
        coordinate="distance 1 2",
        start=0.7,
        end=0.8,
        step=0.05,
    )
    lines = session.write(found.run, to="xyz").splitlines()
    heads = lines[1::4]
    assert [head.split(", ")[-1] for head in heads] == [
        "distance 0.7000 Å",
        "distance 0.7500 Å",
        "distance 0.8000 Å",
    ]
    apart = [float(line.split()[3]) - float(lines[place - 1].split()[3])
             for place, line in enumerate(lines) if place % 4 == 3]  # fmt: skip
    assert np.abs(apart) == pytest.approx([0.7, 0.75, 0.8], abs=1e-4)


def test_a_verb_writes_its_result(water: Path, tmp_path: Path) -> None:
    """The ending is looked at before anything is computed, and no file is replaced."""
    asked = ["run", str(water), "--method", "GFN2-xTB", "--task", "energy", "-o"]
    store = ["--store", str(tmp_path / "store"), "--quiet"]
    done = CliRunner().invoke(main, [*asked, str(tmp_path / "w.xyz"), *store])
    assert done.exit_code == 0, done.output
    assert read_content(tmp_path / "w.xyz").atoms.formula == "H2O"
    done = CliRunner().invoke(main, [*asked, str(tmp_path / "w.pdb"), *store])
    assert done.exit_code == 0, done.output
    assert read_content(tmp_path / "w.pdb").atoms.formula == "H2O"
    for name, told in (
        ("w.foo", "nothing is written as .foo"),
        ("w.xyz", "it exists"),
        ("w.html", "grafico report last -o w.html"),
        ("w.docx", "grafico si last -o w.docx"),
        ("w.svg", "grafico report last --plot w.svg"),
    ):
        done = CliRunner().invoke(main, [*asked, str(tmp_path / name), *store])
        assert done.exit_code != 0
        assert told in done.output + str(done.exception)
    done = CliRunner().invoke(main, [*asked, str(tmp_path / "v.xyz"), "--plan", *store])
    assert "before there is a result" in done.output + str(done.exception)


def test_each_format_has_its_endings() -> None:
    assert sum(len(one.endings) for one in FORMATS.values()) == len(ENDINGS)
