"""Help as a command, completion, and what is told of a command that there is not."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from grafico.cli.app import Group, main
from tests.typed import typed
from workflows.dft.level.bases import known_bases, usual_basis
from workflows.dft.level.functionals import functional_code, known_methods
from workflows.dft.level.solvents import known_solvents, solvation_of
from workflows.registry.levels import program_of


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("opt", "run … --task optimise"),
        ("freq", "run … --task frequencies"),
        ("optimize", "run … --task optimise"),
        ("plot", "report … --plot"),
        ("measure", "mof measure"),
        ("exprt", "grafico export"),
    ],
)
def test_a_word_near_a_command_is_told(word: str, near: str) -> None:
    got = CliRunner().invoke(main, [word])
    assert got.exit_code == 2
    assert near in got.stderr
    assert not got.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["opt", "acetone", "--frob", "1", "--basis", "6-31G"], "--task optimise --basis 6-31G`"),
        (["energies", "of", "water", "and", "ammonia", "--plan"], "`grafico run ammonia --plan`"),
        (["nmr", "ethanol"], "there is no “nmr” here"),
    ],
)
def test_plain_words_in_place_of_a_command_are_read(words: list[str], told: str) -> None:
    got = CliRunner().invoke(main, words, prog_name="grafico")
    assert got.exit_code == 2
    assert told in got.stderr
    assert not got.stdout


LEVEL = ("--method", "GFN2-xTB", "--plan", "--json")


@pytest.mark.parametrize(
    ("words", "same"),
    [
        (["run", "water", "--opt"], ["run", "water", "--task", "optimise"]),
        (["run", "water", "--opt", "--freq"], ["run", "water", "--task", "frequencies"]),
        (["run", "water", "--task", "opt", "--freq"], ["run", "water", "--task", "frequencies"]),
        (["run", "CH2", "--triplet"], ["run", "CH2", "--multiplicity", "3"]),
        (["run", "CH2", "--mult", "triplet"], ["run", "CH2", "--multiplicity", "3"]),
        (["run", "acetic", "acid"], ["run", "acetic acid"]),
        (["run", "the", "dipole", "of", "water"], ["run", "water"]),
        (["calculate", "energy", "of", "water"], ["run", "water"]),
        (["conformers", "of", "butane"], ["conformers", "butane"]),
        (["water"], ["run", "water"]),
        (["CCO", "--sp"], ["run", "CCO"]),
    ],
)
def test_what_people_type_first_is_the_command_that_they_mean(
    words: list[str], same: list[str]
) -> None:
    got, wanted = (typed(*one, *LEVEL) for one in (words, same))
    assert json.loads(got.stdout) == json.loads(wanted.stdout)
    [formula] = re.findall("→ (\\w+)", wanted.stderr)
    assert f"→ {formula}\n" in got.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run", "water", "--opt", "--sp"], "'opt sp' is not one of"),
        (["run", "water", "--tddft"], "--states … --response TDDFT"),
        (["run", "water", "--ts"], "`transition` is a command of its own"),
        (["run", "water", "--spin", "3"], "--multiplicity"),
        (["run", "water", "--multiplicity", "odd"], "'odd' is not a whole number"),
        (["run", "water", "--nmr"], "there is no “nmr” here"),
        (["wather"], "there is no command"),
        (["runs", "of", "water", "today"], "unexpected extra arguments"),
    ],
)
def test_what_is_not_meant_by_one_thing_alone_is_refused(words: list[str], told: str) -> None:
    done = typed(*words, status=2)
    assert told in done.stderr
    assert not done.stdout


def test_an_option_that_there_is_not_is_told_by_what_others_do() -> None:
    got = CliRunner().invoke(main, ["run", "water", "--freeze", "1"])
    assert got.exit_code == 2
    assert "`--constraints`" in got.stderr
    assert "--force" not in got.stderr
    near = CliRunner().invoke(main, ["run", "water", "--tusk", "energy"]).stderr
    assert "--task" in near, "what no help names is told by its spelling"


def test_an_option_of_another_command_is_told_with_it() -> None:
    got = CliRunner().invoke(main, ["export", "last", "--to", "orca"])
    assert got.exit_code == 2
    assert "`grafico write` have it" in got.stderr


def test_a_default_is_one_of_the_choices() -> None:
    text = " ".join(CliRunner().invoke(main, ["conformers", "--help"]).stdout.split())
    assert "Of their geometries and energies. [default: GFN2-xTB]" in text
    assert "B3LYP]" not in text


def test_a_word_near_nothing_says_where_the_list_is() -> None:
    got = CliRunner().invoke(main, ["xyzzyx"])
    assert got.exit_code == 2
    assert "Near it" not in got.stderr
    assert "--help" in got.stderr


@pytest.mark.parametrize("command", [[], ["runs"], ["mof", "build"]])
def test_help_is_the_help_of_the_command(command: list[str]) -> None:
    got = CliRunner().invoke(main, ["help", *command], prog_name="grafico")
    assert got.exit_code == 0
    assert got.stdout == CliRunner().invoke(main, [*command, "--help"], prog_name="grafico").stdout


def test_help_lists_each_command_once_under_one_head() -> None:
    context = click.Context(main, info_name="grafico")
    assert isinstance(main, Group)
    names = {name for own in main.sections(context).values() for name in own}
    assert sorted(names) == main.list_commands(context)
    lines = main.get_help(context).splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line[2].isalpha()]
    assert all(listed.count(name) == 1 for name in names)
    assert lines.index("Questions and calculations:") < lines.index("Laboratory:")
    below = lines[lines.index("Laboratory:") + 1 :]
    assert any(line.startswith("  microwave ") for line in below), "a workflow that names its head"
    assert not any(line.startswith("  react ") for line in below)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("methods", ["CCSD(T)", "GFN2-xTB", "r2SCAN", "wB97X-V"]),
        ("functional", ["PBE0", "M06-2X"]),
        ("basis", ["def2-TZVP", "aug-cc-pVDZ", "6-31+G*", "LANL2DZ"]),
        ("solvents", ["acetonitrile", "water", "n-hexane"]),
        ("task", ["energy, optimise, frequencies"]),
        ("levels", ["grafico help method", "grafico help basis"]),
    ],
)
def test_help_lists_what_a_setting_takes(word: str, told: list[str]) -> None:
    text = typed("help", word).stdout
    assert all(one in text for one in told)
    assert max(map(len, text.splitlines())) <= 100


def test_what_is_listed_can_be_asked_for() -> None:
    for name in known_solvents()["Solvents; or give a permittivity"]:
        assert solvation_of("", name, None) is not None
    methods, functionals = known_methods().values()
    assert all(functional_code(one)[0] == one for one in functionals)
    assert all(program_of(one).recognises(one) or one == "HF" for one in methods)
    for some in known_bases().values():
        assert all(usual_basis(one) == one for one in some)


def test_help_of_what_there_is_not_is_refused() -> None:
    got = CliRunner().invoke(main, ["help", "mof", "bild"])
    assert got.exit_code == 2
    assert "build" in got.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_and_options(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell])
    assert script.exit_code == 0
    assert f"_GRAFICO_COMPLETE={shell}_complete" in script.stdout
    typed = {"COMP_WORDS": "grafico withd", "COMP_CWORD": "withd" if shell == "fish" else "1"}
    got = CliRunner().invoke(
        main, [], prog_name="grafico", env={**typed, "_GRAFICO_COMPLETE": f"{shell}_complete"}
    )
    assert "withdraw" in got.stdout


def test_bash_takes_the_script() -> None:
    script = CliRunner().invoke(main, ["completion", "bash"]).stdout
    done = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), sys.platform


ZSH = r"""
zmodload zsh/zpty
zpty -b inner zsh -f -i
zpty -w inner "PS1=''; autoload -U compinit; compinit -u -d $DUMP; source $SCRIPT; echo rea''dy"
zpty -r -m inner seen '*ready*' || exit 1
zpty -w -n inner $'grafico withd\t.ONE\x15grafico run O --tas\t.TWO'
zpty -r -m inner seen '*.TWO*' || exit 1
print -r -- $seen
"""


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes(tmp_path: Path) -> None:
    wanted = (r"grafico withdraw\s+\.ONE", r"grafico run O --task\s+\.TWO")
    seen = ""
    for _ in range(4):  # zsh completes nothing while it has keys to read: under load it may have
        seen = _in_shell(tmp_path, "zsh", ["zsh", "-f", "-c", ZSH])
        if all(re.search(one, seen) for one in wanted):
            return
    pytest.fail(seen)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_with_the_whole_help(tmp_path: Path) -> None:
    ask = 'source $SCRIPT; complete -C "grafico withd"; complete -C "grafico run O --metho"'
    lines = dict(
        one.split("\t", 1) for one in _in_shell(tmp_path, "fish", ["fish", "-c", ask]).splitlines()
    )
    assert {*lines} == {"withdraw", "--method"}
    assert lines["--method"].startswith("MP2, "), "what a comma sets apart is told, too"


def _in_shell(folder: Path, shell: str, command: list[str]) -> str:
    """Return what a shell says that has taken the script."""
    script = folder / f"complete.{shell}"
    script.write_text(CliRunner().invoke(main, ["completion", shell]).stdout)
    there = {
        "SCRIPT": str(script),
        "DUMP": str(folder / "dump"),
        "HOME": str(folder),
        "TERM": "xterm",
    }
    own = str(Path(sys.executable).parent)
    there |= {"PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "GRAFICO_STORE": "memory:"}
    done = subprocess.run(
        command, env=there, text=True, capture_output=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|[\r\b]", "", done.stdout)


def test_the_version_is_that_of_the_package_as_it_is_installed() -> None:
    got = CliRunner().invoke(main, ["--version"])
    assert got.stdout.split() == ["grafico,", "version", metadata.version("grafico-chem")]


def test_words_without_a_command_are_read_as_plain_words(tmp_path: Path) -> None:
    asked = ["energy", "of", "helium", "atom", "at", "HF/STO-3G", "--quiet", "--store", "memory:"]
    got = CliRunner().invoke(main, asked)
    assert "read as: grafico run '[He]' --method HF --basis STO-3G" in got.stderr
    assert "-2.80778396 Eh" in got.stdout
    several = ["energies", "of", "helium", "and", "hydrogen", "at", "HF/STO-3G"]
    assert "read as: grafico ask 'energies of helium and hydrogen" in typed(*several).stderr
    for wrong in (["delete", "last"], ["rnus", "water"], ["energy", "helium", "--tusk", "energy"]):
        got = CliRunner().invoke(main, wrong)
        assert got.exit_code == 2
        assert "there is no command" in got.stderr


def test_a_sentence_that_asks_for_a_file_is_the_command_that_writes_it(tmp_path: Path) -> None:
    file = tmp_path / "relaxed.xyz"
    asked = f"optimise hydrogen at GFN2-xTB and save the geometry as {file}"
    said = typed(asked)
    assert f"--task optimise --output {file}" in said.stderr
    assert file.read_text().startswith("2\n")
    assert len(file.read_text().splitlines()) == 4


def test_a_value_that_another_command_takes_is_told_with_it() -> None:
    said = typed("convert", "water", "--to", "orca", status=2).stderr
    assert "Near it: `grafico write … --to orca`" in said


def test_a_sentence_replaces_no_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("precious\n")
    said = typed(f"frequencies of hydrogen at GFN2-xTB, save them as {file}", status=2)
    assert f"--plot {file}" in said.output, "a person may type it"
    assert file.read_text() == "precious\n"
