"""Files and pictures that are asked for in words, and words that are no molecules."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from grafico.agent.rules.reader import plan
from grafico.cli.app import main
from grafico.cli.near import written


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (
            "save the geometry of aniline as aniline.xyz",
            "grafico run aniline --task optimise --output aniline.xyz",
        ),
        ("save the structure of aniline as a.sdf", "grafico convert aniline --output a.sdf"),
        ("draw cubane", "grafico convert cubane --output cubane.png"),
        ("a picture of acetic acid", "grafico convert 'acetic acid' --output acetic-acid.png"),
        ("convert my.xyz to my.sdf", "grafico convert my.xyz --output my.sdf"),
        (
            "IR spectrum of acetone as ir.png",
            "grafico run acetone --task frequencies --plot ir.png",
        ),
        (
            "UV/vis spectrum of acrolein with B3LYP/def2-SVP, as a picture uv.png",
            "grafico run acrolein --method B3LYP --basis def2-SVP --states 10 --plot uv.png",
        ),
        (
            "IR spectrum of ammonia with a figure saved as ir.svg, using GFN2-xTB",
            "grafico run ammonia --method GFN2-xTB --task frequencies --plot ir.svg",
        ),
        (
            "conformers of butane with GFN2-xTB, picture: c.png",
            "grafico conformers butane --method GFN2-xTB --plot c.png",
        ),
        ("cubane as an image c.svg", "grafico convert cubane --output c.svg"),
        *(
            (text, "grafico run formaldehyde --task frequencies --plot ir.png")
            for text in (
                "IR spectrum of formaldehyde as picture ir.png",
                "IR spectrum of formaldehyde, store the plot as ir.png",
                "IR spectrum of formaldehyde with a plot in ir.png",
                "IR spectrum of formaldehyde, plot it to ir.png",
                "IR spectrum of formaldehyde into ir.png",
                "IR spectrum of formaldehyde as a png file called ir.png",
                "save the IR spectrum of formaldehyde as a picture ir.png",
                "as a picture ir.png, the IR spectrum of formaldehyde",
            )
        ),
    ],
)
def test_a_file_is_written_by_the_command(
    text: str, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert plan(text).command == command
    assert plan(text).problem.startswith(command.split()[-1])
    assert written(text.split()) == written([text]) != []
    (tmp_path / command.split()[-1]).touch()
    assert written([text]) == []  # what stands there is not replaced


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "write an ORCA input for opt and freq of pyridine at B3LYP-D4/def2-TZVP, 8 cores",
            "grafico write pyridine --method B3LYP-D4 --basis def2-TZVP --task frequencies "
            "--to orca",
        ),
        (
            "gaussian input for optimisation of aniline with B3LYP/6-31G*",
            "grafico write aniline --method B3LYP --basis '6-31G*' --task optimise --to gaussian",
        ),
        (
            "draw the LUMO of naphthalene at PBE0/def2-SVP",
            "grafico run naphthalene --method PBE0 --basis def2-SVP && grafico cube last "
            "--orbital lumo -o lumo.png",
        ),
        (
            "gaps of all in mols.csv with GFN2, write them to results.csv",
            "grafico batch mols.csv --workflow run --method GFN2 --analysis --output results.csv",
        ),
    ],
)
def test_what_is_offered_keeps_what_was_asked(text: str, line: str) -> None:
    assert plan(text).suggestions == (line,)


@pytest.mark.parametrize(
    ("text", "said", "line"),
    [
        (
            "save the charges of water with GFN2-xTB as c.csv",
            "no chart",
            "grafico run water --method GFN2-xTB --analysis --json",
        ),
        ("plot the dipole of water", "no chart", "grafico run water --json"),
        (
            "write the homo of ethylene as h.png",
            "a command does it",
            "grafico run ethylene && grafico cube last --orbital homo -o h.png",
        ),
        (
            "energy of water at MP2/cc-pVTZ//B3LYP/6-31G*",
            "two calculations",
            "grafico run water --task optimise --level 'B3LYP/6-31G*' && "
            "grafico run last --level MP2/cc-pVTZ",
        ),
    ],
)
def test_what_no_command_does_by_itself_is_not_run(text: str, said: str, line: str) -> None:
    found = plan(text)
    assert said in found.problem
    assert found.suggestions == (line,)
    assert written([text]) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("delete the results of yesterday", 'grafico withdraw last --why "…"'),
        ("delete all results", "grafico withdraw --help"),
    ],
)
def test_nothing_is_deleted(text: str, line: str) -> None:
    assert plan(text).suggestions == (line,)


def test_a_solvent_that_is_removed_is_no_run() -> None:
    told = plan("remove the solvent from the calculation of acetone")
    assert not any("withdraw" in one for one in told.suggestions)


def test_no_orbital_of_tight_binding_is_offered() -> None:
    told = plan("draw the LUMO of naphthalene with GFN2")
    assert "GFN2" not in told.suggestions[0]
    assert "no orbitals of tight binding" in told.problem


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("C-N and C-C bond lengths of pyridine with GFN2", ("C-N", "C-C")),
        ("C=O and C-N distances in formamide", ("C=O", "C-N")),
    ],
)
def test_several_bonds_before_the_word(text: str, parts: tuple[str, ...]) -> None:
    found = plan(text)
    assert len(found.calls[0].arguments["molecules"]) == 1
    assert {*parts} <= {*found.question.parts}


@pytest.mark.parametrize(
    "text",
    [
        "pKa of phenol with B3LYP/def2-SVP at GFN2 geometries",
        "pKa of phenol with B3LYP/def2-SVP//GFN2",
        "pKa of phenol with B3LYP/def2-SVP on GFN2-optimised geometries",
    ],
)
def test_energies_at_a_level_on_geometries_of_another(text: str) -> None:
    (call,) = plan(text).calls
    assert call.arguments["arguments"] == {"energy_at": "B3LYP/def2-SVP", "method": "GFN2"}


def test_a_picture_by_an_option_of_ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = ["--store", str(tmp_path / "store"), "--quiet"]
    asked = ["ask", "IR spectrum of hydrogen fluoride with GFN2-xTB", "--plot", "ir.svg", *store]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert "read as: grafico run 'hydrogen fluoride' --method GFN2-xTB" in done.stderr
    assert "Infrared" in (tmp_path / "ir.svg").read_text()


def test_a_picture_of_several_or_of_nothing_is_refused(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "store"), "--plot", str(tmp_path / "no.png")]
    for text, said in (
        ("energies of ethanol and dimethyl ether with GFN2-xTB", "it is 2 commands"),
        ("sing a song of sixpence", "it is read as no command"),
    ):
        done = CliRunner().invoke(main, ["ask", text, *store])
        assert done.exit_code == 2
        assert said in done.stderr


def test_an_orbital_is_no_structure() -> None:
    assert "cube last --orbital homo" in plan("picture of the HOMO of ethylene").suggestions[0]


@pytest.mark.parametrize("text", ["NBO charges of acetamide", "FCI energy of H2", "optimise CI"])
def test_an_abbreviation_is_no_molecule(text: str) -> None:
    assert text.split()[0 if " of " in text else 1] in plan(text).problem


def test_in_quotation_marks_it_is() -> None:
    (call,) = plan('frequencies of "NCI"').calls
    assert call.arguments["molecules"] == ["NCI"]


@pytest.mark.parametrize(
    ("text", "molecule"),
    [
        ("IR spectrum of benzonitrile and the CN stretch", "benzonitrile"),
        ("CO stretch in formaldehyde", "formaldehyde"),
        ("the CC bond length in ethane", "ethane"),
        ("CO stretch frequency", "carbon monoxide"),
    ],
)
def test_a_bond_is_no_molecule(text: str, molecule: str) -> None:
    (call,) = plan(text).calls
    assert call.arguments["molecules"] == [molecule]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("energy of benzene at PBE0/def2-SVP with D3", "d3"),
        ("energy of benzene at PBE0/def2-SVP with D3(0) dispersion", "d3zero"),
        ("energy of benzene at PBE0/def2-SVP with D4 correction", "d4"),
    ],
)
def test_corrections_for_dispersion(text: str, kind: str) -> None:
    (call,) = plan(text).calls
    assert call.arguments["dispersion"] == kind


def test_a_plus_before_the_correction_is_a_hyphen() -> None:
    from workflows.dft.level.methods import resolve_method

    assert resolve_method("PBE0+D4", "") == resolve_method("PBE0-D4", "")


def test_the_program_means_its_usual_method() -> None:
    from workflows.tightbinding.levels import usual_method

    assert usual_method("xTB") == "GFN2-xTB"
    (call,) = plan("conformers of n-hexane with xtb").calls
    assert call.arguments["arguments"] == {"method": "xtb"}


def test_what_is_named_twice_is_told_twice() -> None:
    (line,) = plan("IR of the acetic acid pentamer").suggestions
    assert line == "grafico cluster 'acetic acid' --solvent 'acetic acid' --count 4"


@pytest.mark.parametrize(
    ("text", "words", "file"),
    [
        ("esp map of water", "--potential", "potential.png"),
        ("draw the electrostatic potential of water", "--potential", "potential.png"),
        ("electron density of water as d.png", "--density", "d.png"),
        ("a picture of the spin density of water", "--spin-density", "spin-density.png"),
        ("SOMO of water as s.png", "--orbital somo", "s.png"),
        ("draw the LUMO+1 of water", "--orbital lumo+1", "lumo.png"),
    ],
)
def test_a_picture_of_what_fills_space_is_written_by_two_commands(
    text: str, words: str, file: str
) -> None:
    found = plan(text)
    assert found.suggestions == (f"grafico run water && grafico cube last {words} -o {file}",)


def test_a_spin_density_without_a_picture_is_a_number_of_each_atom() -> None:
    (asked,) = plan("spin density of [CH3]").calls
    assert asked.arguments["analysis"] is True


@pytest.mark.parametrize(
    "text",
    [
        "animate mode 4 of formaldehyde with GFN2-xTB",
        "animation of vibration 4 of formaldehyde with GFN2-xTB",
        "make a movie of normal mode 4 of formaldehyde with GFN2-xTB",
    ],
)
def test_a_mode_is_a_film(text: str) -> None:
    run = "grafico run formaldehyde --method GFN2-xTB --task frequencies"
    film = "grafico write last --mode 4 -o mode-4.xyz"
    assert plan(text).suggestions == (f"{run} && {film}",)


@pytest.mark.parametrize(
    "text",
    [
        "draw the MO diagram of water",
        "molecular orbital diagram of water as picture.png",
        "orbital energies of water as picture.png",
    ],
)
def test_orbital_energies_are_drawn(text: str) -> None:
    assert plan(text).command == "grafico run water --analysis --plot picture.png"
