"""A level in a word, as people write it: wherever a method and a basis set are taken."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from grafico.cli.app import main
from triplestore.errors import InputError
from workflows.engine.request.request import Request
from workflows.registry import workflows
from workflows.registry.levels import LevelForm, split_level

RUN = workflows().usual


@pytest.mark.parametrize(
    ("said", "same"),
    [
        ({"level": "HF/STO-3G"}, {"method": "HF", "basis": "STO-3G"}),
        ({"level": " B3LYP-D4 / def2-TZVP "}, {"method": "B3LYP-D4", "basis": "def2-TZVP"}),
        ({"method": "PBE0/def2-SVP"}, {"method": "PBE0", "basis": "def2-SVP"}),
        ({"level": "GFN2-xTB"}, {"method": "GFN2-xTB"}),
        ({"level": "HF", "basis": "STO-3G"}, {"method": "HF", "basis": "STO-3G"}),
        ({"level": "HF/STO-3G", "basis": "STO-3G"}, {"method": "HF", "basis": "STO-3G"}),
        ({"level": "CCSD(T)/cc-pVDZ"}, {"method": "CCSD(T)", "basis": "cc-pVDZ"}),
    ],
)
def test_a_level_in_a_word_is_method_and_basis(said, same) -> None:
    defaults = {"method": "B3LYP", "basis": "def2-SVP"}
    read = Request.of(RUN, ["water"], said, defaults)
    assert read == Request.of(RUN, ["water"], same, defaults)
    assert sorted(read.said) == sorted(same)
    assert Request.read(read.as_json()) == read


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"level": "HF/STO-3G", "basis": "def2-SVP"}, "basis='def2-SVP' was asked for too"),
        ({"level": "GFN2-xTB/def2-SVP"}, "GFN2-xTB has no basis set"),
        ({"level": ""}, "a method and a basis set"),
        ({"level": "HF//STO-3G"}, "a method and a basis set"),
        ({"level": "/STO-3G"}, "a method and a basis set"),
        ({"method": "HF/STO-3G/PCM"}, "a method and a basis set"),
        ({"levle": "HF/STO-3G"}, "did you mean level"),
    ],
)
def test_what_is_no_level_is_refused(said, told) -> None:
    with pytest.raises(InputError, match=told):
        Request.of(RUN, ["water"], said, {"method": "B3LYP", "basis": "def2-SVP"})


def test_every_workflow_with_a_method_takes_a_level() -> None:
    with_method = [one for one in workflows() if LevelForm in workflows()[one].whole.forms]
    assert len(with_method) > 8
    for name in with_method:
        whole = workflows()[name].whole
        assert whole.translated({"level": "HF/STO-3G"}) == {"method": "HF", "basis": "STO-3G"}
        command = workflows()[name].command.split()
        assert "--level TEXT" in CliRunner().invoke(main, [*command, "--help"]).stdout


def test_a_level_is_at_most_two_words() -> None:
    assert split_level("HF") == {"method": "HF"}
    with pytest.raises(InputError, match="'a/b/c'"):
        split_level("a/b/c")


def test_levels_are_compared_in_a_word() -> None:
    got = CliRunner().invoke(
        main,
        ["compare", "hydrogen", "--level", "HF/STO-3G,GFN2-xTB", "--store", "memory:", "--json"],
    )
    assert got.exit_code == 0, got.stderr
    assert '"GFN2-xTB"' in got.stdout
    assert '"STO-3G"' in got.stdout
