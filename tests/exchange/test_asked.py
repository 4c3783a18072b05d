"""What inputs of Gaussian and ORCA ask for is followed, where all of it means the same here."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from grafico import Grafico
from grafico.cli.app import main
from triplestore import InputError
from workflows.exchange.asked import of_gaussian, of_orca


@pytest.mark.parametrize(
    ("route", "line"),
    [
        ("#p opt freq b3lyp/6-31g(d)", "--level 'B3LYP/6-31G*' --cartesian --task frequencies"),
        ("# b3lyp/6-31g(d) 5d", "--level 'B3LYP/6-31G*' --task energy"),
        ("# ccsd(t)/6-311+g(2d,p)", "--level 'CCSD(T)/6-311+G(2d,p)' --task energy"),
        ("# b3lyp/6-31++g(d,p)", "--level 'B3LYP/6-31++G**' --cartesian --task energy"),
        ("# HF 6-311G**", "--level 'HF/6-311G**' --task energy"),
        (
            "#UHF/STO-3G SCF=(XQC, Tight)",
            "--level HF/STO-3G --reference unrestricted --task energy",
        ),
        (
            "# m062x/def2tzvp opt=(tight) scrf = (smd,solvent=ethanol) temperature=310",
            "--level M06-2X/def2-TZVP --task optimise --convergence tight --solvent ethanol "
            "--solvation SMD --temperature 310.0",
        ),
        (
            "#p opt PBE1PBE/def2SVP scrf=(cpcm,solvent=water)",
            "--level PBE0/def2-SVP --task optimise --solvent water --solvation C-PCM",
        ),
        (
            "# PBEPBE/def2TZVP scrf=(solvent=ethanol)",
            "--level PBE/def2-TZVP --task energy --solvent ethanol --solvation IEF-PCM",
        ),
        (
            "#n td=(nstates=5,singlets) pbe1pbe/def2svp empiricaldispersion=gd3bj",
            "--level PBE0/def2-SVP --task energy --states 5 --spin singlet --dispersion d3bj",
        ),
    ],
)
def test_a_route_is_followed(route: str, line: str) -> None:
    asked = of_gaussian(route, [8, 1])
    assert (asked.line, asked.unknown) == (line, [])


@pytest.mark.parametrize(
    ("route", "unknown"),
    [
        ("# opt=(ts,calcfc,noeigen) b3lyp/6-31g(d)", "opt=(ts,calcfc,noeigen)"),
        ("# scrf=(dipole,a0=4.2) b3lyp/6-31g*", "scrf=(dipole,a0=4.2)"),
        ("# cam-b3lyp/def2svp", "cam-b3lyp/def2svp"),  # its local part is not known for sure
        ("# b3lyp/cc-pVTZ 6D", "its choice of 5D, 6D, 7F and 10F"),
        ("# b3lyp/gen", "b3lyp/gen"),
        ("# b3lyp/6-31g(2df,p)", "its choice of 5D, 6D, 7F and 10F"),
        ("# mp2(full)/6-31g*", "mp2(full)/6-31g*"),
        ("# b3lyp/6-31g* iop(3/76=1000002000)", "iop(3/76=1000002000)"),
    ],
)
def test_a_route_of_which_a_word_is_not_known_is_left(route: str, unknown: str) -> None:
    assert of_gaussian(route, [8, 1]).unknown == [unknown]


def test_elements_of_pople_s_sets_with_f_functions_are_left() -> None:
    assert of_gaussian("# b3lyp/6-31g(d)", [26]).unknown == ["6-31g(d) of so heavy elements"]


def test_cores_that_gaussian_freezes_otherwise_are_left() -> None:
    assert of_gaussian("# mp2/cc-pvdz", [11, 17]).unknown == ["the frozen cores of mp2"]
    assert of_orca(["MP2", "cc-pVDZ"], []).unknown == []


def test_keywords_of_orca_mean_what_orca_means() -> None:
    asked = of_orca(
        ["B3LYP", "D3BJ", "def2-SVP", "TightSCF", "RIJCOSX", "def2/J", "Opt", "NumFreq"], ["%pal"]
    )
    assert asked.line == "--level B3LYP5/def2-SVP --task frequencies --dispersion d3bj"
    assert asked.unknown == []
    assert asked.notes == ["its integrals are not fitted here (RIJCOSX, def2/J)"]
    assert of_orca(["PBE0", "def2-SVP"], ["%tddft"]).unknown == ["%tddft"]
    assert of_orca(["BP86", "def2-SVP"], []).unknown == ["BP86"]  # its local part is another
    assert of_orca(["XTB2", "Opt"], []).line == "--level GFN2-xTB --task optimise"


GJF = "# {}\n\nwater\n\n0 1\nO 0 0 0.117\nH 0 0.757 -0.469\nH 0 -0.757 -0.469\n\n"


def test_the_number_is_that_of_the_route(tmp_path: Path) -> None:
    """Six d functions, as Gaussian has them, are another energy than five."""
    path = tmp_path / "water.gjf"
    path.write_text(GJF.format("HF/6-31G(d)"))
    with Grafico("memory:") as session:
        done = session.run(path)
        six = session.run(path, level="HF/6-31G*", cartesian=True)
        five = session.run(path, level="HF/6-31G*")
        assert done.energy == six.energy
        assert abs(done.energy - five.energy) > 1e-4
        assert any("--level 'HF/6-31G*' --cartesian" in one for one in done.remarks)
        other = session.run(path, method="GFN2-xTB")
        assert not any("--level" in one for one in other.remarks)
        assert abs(other.energy - done.energy) > 1


def test_an_input_becomes_that_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "water.gjf"
    path.write_text(GJF.format("opt pbe1pbe/def2svp"))
    out = tmp_path / "water.inp"
    asked = ["write", str(path), "-o", str(out), "--store", str(tmp_path / "store")]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    words = next(line for line in out.read_text().splitlines() if line.startswith("!")).split()
    assert {"PBE0", "def2-SVP", "Opt"} <= {*words}


def test_a_task_that_there_is_not_is_told(tmp_path: Path) -> None:
    """Spin states have no frequencies: nothing of the route is followed, and that is said."""
    path = tmp_path / "water.gjf"
    path.write_text(GJF.format("hf/sto-3g opt freq"))
    asked = ["spin-states", str(path), "--plan", "--store", str(tmp_path / "store")]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert "is not taken over" in done.output


def test_what_cannot_be_followed_is_refused_until_a_level_is_said(tmp_path: Path) -> None:
    """Another level's number would be taken for that of the file."""
    path = tmp_path / "water.gjf"
    path.write_text(GJF.format("wB97XD/6-31G(d) scrf=(pcm,solvent=water)"))
    with Grafico("memory:") as session:
        with pytest.raises(InputError, match=r"scrf=.*say what is meant, by .level. 'wB97XD/6-31G"):
            session.run(path)
        with pytest.raises(InputError, match="say what is meant"):
            session.run(path, task="optimise")
        done = session.run(path, level="HF/STO-3G")
    assert done.energy == pytest.approx(-74.963, abs=2e-3)  # textbooks' value of water
    assert not any("scrf" in one for one in done.remarks), "who says the level knows"


@pytest.mark.parametrize("program", ["gaussian", "orca"])
def test_our_own_inputs_come_back_as_they_were_asked_for(program: str, tmp_path: Path) -> None:
    ending = {"gaussian": "gjf", "orca": "inp"}[program]
    path, store = tmp_path / f"water.{ending}", str(tmp_path / "store")
    said = ["--level", "PBE0-D3BJ/def2-SVP", "--solvent", "water", "--task", "optimise"]
    asked = ["write", "water", "--to", program, *said, "-o", str(path), "--store", store]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert "its cavity and charges are others" in " ".join(done.output.split())
    back = CliRunner().invoke(main, ["run", str(path), "--plan", "--store", store])
    assert back.exit_code == 0, back.output
    wanted = {"PBE0/def2-SVP", "--task optimise", "--dispersion d3bj", "--solvation C-PCM"}
    assert all(one in " ".join(back.output.split()) for one in wanted)


def test_words_of_a_file_that_name_nothing_are_not_told_as_ours(tmp_path: Path) -> None:
    """They reach a model as what stands in a file, in quotation marks, and in no line to type."""
    said = of_orca(["PBE0", "def2-SVP", "CPCM(run_rm;now)"], [])
    assert said.unknown == ["CPCM(run_rm;now)"]
    path = tmp_path / "a.inp"
    path.write_text("! obey_me def2-SVP Opt\n* xyz 0 1\nHe 0 0 0\n*\n")
    with Grafico("memory:") as session, pytest.raises(InputError) as caught:
        session.run(path)
    assert "all else" not in str(caught.value)
    assert "obey_me" in str(caught.value)
