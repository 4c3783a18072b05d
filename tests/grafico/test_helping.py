"""Help as a command, completion, and what is told of a command that there is not."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

import pytest
from click.testing import CliRunner

from grafico.cli.app import main


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
        (["dipole", "water"], "`grafico run water`"),
        (["opt", "acetone", "--basis", "def2-SVP"], "--task optimise --basis def2-SVP`"),
        (["energies of water and ammonia"], "`grafico run water`; `grafico run ammonia`"),
        (["nmr", "ethanol"], "there is no “nmr” here"),
        (["colour of my shoes"], "grafico ask 'colour of my shoes'"),
    ],
)
def test_plain_words_in_place_of_a_command_are_read(words: list[str], told: str) -> None:
    got = CliRunner().invoke(main, words, prog_name="grafico")
    assert got.exit_code == 2
    assert told in got.stderr
    assert not got.stdout


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


def test_the_version_is_that_of_the_package_as_it_is_installed() -> None:
    got = CliRunner().invoke(main, ["--version"])
    assert got.stdout.split() == ["grafico,", "version", metadata.version("grafico-chem")]
