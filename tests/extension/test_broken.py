"""Packages that are broken are named and left out; everything else works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extension.conftest import Shell, install

DECLARED = "from workflows.registry import Workflow\n\nWORKFLOWS = ({},)\n"
PACKAGES = {
    "breaks": "raise RuntimeError('it was never finished')\n",
    "clashes": DECLARED.format("Workflow('clashes', 'Compute it.', 'clashes:X', verb='run')"),
    "loses": DECLARED.format("Workflow('loses', 'Lose it.', 'loses:NOTHING')"),
    "borrows": DECLARED.format("Workflow('borrows', 'Borrow.', 'huckel.workflow:PI_ELECTRONS')"),
    "doubles": DECLARED.format("Workflow('doubles', 'Double it.', 'doubled:WHOLE')"),
    "doubled": "from dataclasses import replace\n"
    "from huckel.workflow import *\n"
    "WHOLE = replace(PI_ELECTRONS, graph=StepGraph('doubles', find_orbitals, find_bonds),"
    " forms=(PiRequest, Parameters, Reading))\n",
    "mistakes": "WORKFLOWS = ('mistakes',)\n",
}


@pytest.fixture(scope="module")
def shell(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    folder = tmp_path_factory.mktemp("broken")
    for name, text in PACKAGES.items():
        install(folder, name, f"[grafico.workflows]\n{name} = {name}\n")
        (folder / f"{name}.py").write_text(text)
    install(folder, "absent", "[grafico.workflows]\nabsent = absent.from_here\n")
    return Shell(tmp_path_factory.mktemp("shell"), site, folder)


def test_help_names_each_in_a_line_and_lists_the_others(shell: Shell) -> None:
    said, _ = shell("--help")
    lines = said.splitlines()
    for place, why in {
        "breaks": "RuntimeError: it was never finished",
        "clashes: clashes": "the name run is taken by dft",
        "absent.from_here": "ModuleNotFoundError",
        "mistakes": "is no Workflow",
    }.items():
        (line,) = [one for one in lines if f"broken: {place} " in one]
        assert why in line
    for verb in ("run", "pi", "spin-states", "microwave", "query"):
        assert any(line.startswith(f"  {verb} ") for line in lines), verb
    assert not any(line.startswith("  clashes ") for line in lines)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("loses", "loses:NOTHING cannot be used: AttributeError"),
        ("borrows", "no definition of a graph of that name"),
        ("doubles", "two forms of doubled:WHOLE have the field ring"),
    ],
)
def test_a_definition_that_is_none_is_told_by_its_own_verb(
    shell: Shell, name: str, why: str
) -> None:
    _, told = shell(name, "x", status=1)
    assert why in told
    assert "mend" in told


def test_the_others_work(shell: Shell) -> None:
    said, told = shell("pi", "ring of 6")
    assert "5.400 eV" in said
    said, _ = shell("graph")
    assert "pi-electrons" in said
    assert "loses" not in said
    said, _ = shell("fsck")
    assert "no fault was found" in said
    _, told = shell("runs", "--json")
    assert "Error" not in told
