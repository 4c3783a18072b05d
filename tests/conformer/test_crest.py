"""CREST as a program of its own: its command line, its files, and what it says when it fails.

CREST itself is not there: a stand-in on the path (`stand_in_crest.py`) takes its command line and
writes its files, with energies and geometries of the real program xtb.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from tests.conftest import Need
from tests.dft.structures import WATER
from triplestore.errors import (
    ComponentError,
    InputError,
    KilledError,
    RecipeError,
    TimeLimitError,
)
from workflows.conformer.crest import CREST, command, crest
from workflows.conformer.frames import read_frames, same_bonds
from workflows.conformer.metadynamics import metadynamics
from workflows.programs.installed import InstalledProgram
from workflows.tightbinding.calculations import single_point
from workflows.tightbinding.levels import resolve_level

ETHANOL = ConceptualAtoms(
    numbers=[6, 6, 8, 1, 1, 1, 1, 1, 1],
    positions=[
        [-0.888, 0.167, -0.028],
        [0.465, -0.512, -0.037],
        [1.429, 0.323, 0.585],
        [-0.848, 1.117, -0.569],
        [-1.647, -0.470, -0.490],
        [-1.196, 0.399, 0.996],
        [0.792, -0.722, -1.060],
        [0.424, -1.456, 0.514],
        [1.459, 1.144, 0.065],
    ],
)
"""Gauche."""

ANTI = [
    [-1.1859, -0.4046, 0.0000],
    [0.0827, 0.5500, 0.0000],
    [1.2137, -0.2874, 0.0000],
    [-2.0868, 0.2149, 0.0000],
    [-1.1996, -1.0413, 0.8882],
    [-1.1996, -1.0413, -0.8882],
    [0.0827, 1.1978, 0.8864],
    [0.0827, 1.1978, -0.8864],
    [2.0103, 0.2629, 0.0000],
]

FILE = """  3
        -5.07054419
 O         -0.0000000000        0.3938000000       -0.0000000000
 H         -0.7716000000       -0.1969000000        0.0000000000
 H          0.7716000000       -0.1969000000       -0.0000000000
  3
        -5.07030000 !t1
 O         -0.0000000000        0.3800000000       -0.0000000000
 H         -0.7600000000       -0.1969000000        0.0000000000
 H          0.7600000000       -0.1969000000       -0.0000000000
"""
"""The form of `crest_conformers.xyz`: counts and energies are indented, later releases say behind
an energy where a geometry comes from."""

OURS = Path(__file__).parent / "stand_in_crest.py"

Stand = Callable[[str], Path]


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    """Put the stand-in on the path, to behave as is said."""

    def place(behaviour: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / "crest"
        program.write_text(f"#!{sys.executable}\n{OURS.read_text()}")
        program.chmod(0o755)
        (folder / "behaviour").write_text(behaviour)
        (folder / "start1.xyz").write_text(ETHANOL.moved_to(np.array(ANTI)).to_xyz())
        (folder / "start2.xyz").write_text(ETHANOL.to_xyz())
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.setenv("OPENAI_API_KEY", "secret")
        return folder

    return place


def test_two_conformers_of_ethanol_come_back_with_what_made_them(stand_in: Stand, need: Need):
    need("xtb")
    folder = stand_in("searches")
    assert CREST.version() == "2.12"
    found = crest(ETHANOL, "2.12", solvent="water", window=4.0)
    assert found.sampler == "CREST 2.12 iMTD-GC, GFN2-xTB, ALPB water, 4 kcal/mol"
    assert found.molecule == ETHANOL
    assert len(found.structures) == 2
    assert not found.remarks
    level = resolve_level("GFN2-xTB", solvent="water").level
    energies = [single_point(one, level).energy for one in found.structures]
    assert energies[0] < energies[1] < energies[0] + 0.002  # Eh: the other program says so too
    seen = json.loads((folder / "seen.json").read_text())
    assert seen["words"] == [
        "molecule.xyz",
        "--gfn2",
        "--chrg",
        "0",
        "--uhf",
        "0",
        "--ewin",
        "4",
        "-T",
        "1",
        "--alpb",
        "water",
    ]
    assert "OPENAI_API_KEY" not in seen["variables"]
    assert seen["variables"]["LC_ALL"] == "C"
    assert seen["variables"]["OMP_NUM_THREADS"] == "1"


def test_the_command_line_says_charge_spin_method_and_search():
    cation = ConceptualAtoms(numbers=ETHANOL.numbers, positions=ETHANOL.positions, charge=1)
    assert command(cation, "nci", "GFN-FF", "", 6.0, 4) == [
        "--gfnff",
        "--chrg",
        "1",
        "--uhf",
        "1",
        "--ewin",
        "6",
        "-T",
        "4",
        "--nci",
    ]
    assert command(ETHANOL, "imtd-gc", "GFN1-xTB", "dichloromethane", 6.0, 1)[-2:] == [
        "--alpb",
        "ch2cl2",
    ]
    with pytest.raises(InputError, match="heptane"):
        command(ETHANOL, "imtd-gc", "GFN2-xTB", "heptane", 6.0, 1)
    hydrogen = ConceptualAtoms(numbers=[1, 1], positions=[[0, 0, 0], [0, 0, 0.74]])
    with pytest.raises(InputError, match="one geometry"):
        command(hydrogen, "imtd-gc", "GFN2-xTB", "", 6.0, 1)


def test_what_is_asked_of_the_search_reaches_it(stand_in: Stand, need: Need):
    need("xtb")  # GFN-FF, which the library does not have
    stand_in("searches")
    asked: dict[str, Any] = {"workflow": "conformers", "solvent": "water"}
    with Grafico(store="memory:") as session:

        def planned(**more: Any) -> object:
            ready = session.wait_for(lambda: session.prepare_async(ETHANOL, **asked, **more))
            assert not ready.prepared.state.remarks
            return ready.prepared.state.sampling.key

        usual = crest.bind(ETHANOL, "2.12", "imtd-gc", "GFN2-xTB", "water", 12.0).key
        other = crest.bind(ETHANOL, "2.12", "nci", "GFN-FF", "water", 12.0).key
        assert planned() == planned(search="imtd-gc", search_level="GFN2-xTB") == usual
        assert planned(search="nci", search_level="gfn-ff") == other
        published = {"crest_runtype": "nci", "calculation_level_method": "gfnff"}
        assert planned(**published, run_on_gpu=False) == other


@pytest.mark.parametrize(
    ("behaviour", "error", "words"),
    [
        ("reacts", RecipeError, "bonds change as CREST relaxes"),
        ("fails", RecipeError, "Initial geometry optimization failed! | Please check your input"),
        ("killed", KilledError, "ended by SIGKILL"),
        ("sleeps", TimeLimitError, "took more than"),
    ],
)
def test_what_went_wrong_is_told(
    stand_in: Stand, behaviour: str, error: type[Exception], words: str
):
    stand_in(behaviour)
    with pytest.raises(error) as caught:
        crest(ETHANOL, "2.12", hours=2 / 3600 if behaviour == "sleeps" else 1.0)
    assert words in str(caught.value)


def test_a_program_that_is_not_there_is_named_with_how_to_get_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nonexistent")
    for search in (crest, metadynamics):
        with pytest.raises(ComponentError, match="not on the path; install it"):
            search(ETHANOL, "2.12")
    assert CREST.version() is None


def test_another_release_is_another_call_and_is_not_taken_in_its_place(stand_in: Stand):
    stand_in("searches")
    with pytest.raises(ComponentError, match=r"on the path is 2\.12; ask again"):
        crest(ETHANOL, "3.0.2")
    assert crest.bind(ETHANOL, "3.0.2").key != crest.bind(ETHANOL, "2.12").key
    assert crest.bind(ETHANOL, "2.12", hours=1.0).key == crest.bind(ETHANOL, "2.12").key


def test_versions_are_read_from_the_banner_of_both_kinds():
    old = "       Version 2.12,   Thu 19. Mai 16:32:32 CEST 2022"
    new = "       Version 3.0.2, Sun, 25 August 20:02:44, 08/25/2024"
    assert [re.findall(CREST.banner, one)[0] for one in (old, new)] == ["2.12", "3.0.2"]


def test_a_file_of_conformers_is_read_with_its_energies():
    frames = read_frames(FILE, WATER, "asked", "a file")
    assert [one.energy for one in frames] == [-5.07054419, -5.0703]
    assert frames[1].atoms.positions[0, 1] == 0.38
    assert frames[0].atoms.charge == WATER.charge


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is empty"),
        (FILE[:-70], "not of 3 atoms, or broken off"),
        (FILE.replace(" O ", " S ", 1), "atom 1 is 'S' and not O"),
        (FILE.replace("0.3938000000", "        ****", 1), "atom 1 has no coordinates"),
        (FILE.replace("0.3938000000", "NaN", 1), "no geometry"),
        (FILE.replace("  3", "  4", 1), "not of 3 atoms"),
    ],
    ids=["empty", "cut", "element", "stars", "nan", "count"],
)
def test_a_file_that_is_none_is_refused(text: str, words: str):
    with pytest.raises(RecipeError, match=words.replace("*", r"\*")):
        read_frames(text, WATER, "asked", "a file")


def test_geometries_that_reacted_are_left_out_and_told():
    apart = FILE.replace("0.7600000000", "4.7600000000")
    kept, told = same_bonds(read_frames(apart, WATER, "asked", "a file"), WATER, "asked")
    assert len(kept) == 1
    assert "geometry 2 left out" in told[0]
    with pytest.raises(RecipeError, match="in all 1 geometry bonds have changed"):
        same_bonds(read_frames(apart, WATER, "asked", "a file")[1:], WATER, "asked")


def test_a_program_that_crashes_or_cannot_start_is_told(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "broken").write_text("#!/nonexistent/interpreter\n")
    (tmp_path / "crashing").write_text("#!/bin/sh\nkill -SEGV $$\n")
    for one in ("broken", "crashing"):
        (tmp_path / one).chmod(0o755)
    broken, crashing = (
        InstalledProgram(one, one, "(.*)", "mend it") for one in ("broken", "crashing")
    )
    with pytest.raises(ComponentError, match="cannot be started"):
        broken.run([], tmp_path, "it was asked for")
    with pytest.raises(RecipeError, match=r"crashed .SIGSEGV"):
        crashing.run([], tmp_path, "it was asked for")
