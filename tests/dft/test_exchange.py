"""Sets of the Basis Set Exchange by name.

The extra `bse` has 351 MB and is not part of `dev`: what needs it is passed by where it is not
installed, with CI=true too. `.ci/try_wheel.py` installs it and does its main job.
"""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from grafico import Grafico
from ontologies.level import LevelOfTheory
from triplestore.errors import InputError
from workflows.dft.level.bases import functions_of, usual_recipe
from workflows.dft.level.citing import described
from workflows.dft.level.exchange import references_of
from workflows.dft.level.own_basis import is_own, name_of, settled
from workflows.dft.level.resolving import resolve_level

there = pytest.mark.skipif(find_spec("basis_set_exchange") is None, reason="the extra bse")

WATER = Path(__file__).parents[2] / "examples" / "water.xyz"
PSI4 = -76.02432125
"""Eh, HF/pcJ-1 of that water: Psi4 1.3.2, five d functions, exact integrals (scf_type pk), the set
written by basis_set_exchange 0.12 in the format of Psi4."""


@there
def test_the_energy_is_that_of_psi4() -> None:
    with Grafico("memory:") as session:
        found = session.run(WATER, task="energy", method="HF", basis="PCJ1")
        level = found.answers[-1].result.level
        assert isinstance(level, LevelOfTheory)
        again = session.run(WATER, task="energy", method="HF", basis="pcJ-1")
    assert found.energy == pytest.approx(PSI4, abs=1e-6)
    assert again.answers[-1].reused
    assert level.own_basis is not None
    assert level.basis == f"pcJ-1 {name_of(level.own_basis.basis_functions)}"
    (cited, *_) = [one for one in described(level, [1, 8]).cited if "pcJ-1" in one.text]
    assert any("F. Jensen" in one.text for one in cited.references)


@there
def test_remarks_and_what_is_cited() -> None:
    found = resolve_level("HF", "jun-cc-pV(D+d)Z", "restricted")
    (remark,) = found.remarks
    assert "from the Basis Set Exchange 0.12, version 0 of the set" in remark
    cited = {one.text: [r.doi for r in one.references] for one in described(found.level, [1]).cited}
    hydrogen = cited["the basis set jun-cc-pV(D+d)Z"]
    assert hydrogen == ["10.1063/1.456153"]  # Dunning 1989 alone: hydrogen has no diffuse functions
    assert "10.1021/acs.jcim.9b00725" in cited["the Basis Set Exchange"]
    both = [one.doi for one in references_of("jun-cc-pV(D+d)Z", [1, 8])]
    assert both == ["10.1063/1.456153", "10.1021/ct1005533"]


@there
def test_the_functions_are_those_of_a_library_that_has_them_too() -> None:
    """What jul-cc-pV(D+d)Z has for oxygen is PySCF's cc-pVDZ and a diffuse s, p and d function."""
    source = "\n".join(usual_recipe("jul-cc-pV(D+d)Z"))
    taken, known = (
        {(shell[0], one[0]) for shell in functions_of(name, "O") for one in shell[1:]}
        for name in (source, "cc-pVDZ")
    )
    assert known < taken
    assert sorted(momentum for momentum, _ in taken - known) == [0, 1, 2]


@there
def test_recipes_with_files_and_sets_of_both() -> None:
    recipe, text = usual_recipe("def2-SVP; O=pcJ-1")
    assert recipe.startswith("def2-SVP; O=pcJ-1 own-")
    assert text.startswith("O S\n")
    assert "\nH " not in text
    assert usual_recipe(f"{recipe}\n{text}") == (recipe, text)
    own = settled("H  S\n 1.24  0.7\n 0.3  0.5\n")
    name, functions = own.split("\n", 1)
    recipe, text = usual_recipe(f"O=pcJ-1; H={name}\n{functions}")
    parts = dict(part.split("=") for part in recipe.split("; "))
    assert parts == {"H": name_of(text), "O": f"pcJ-1 {name_of(text)}"}
    assert text.startswith("H S\n1.24 0.7\n0.3 0.5\nO S\n")


@there
@pytest.mark.parametrize(
    ("basis", "told"),
    [
        ("pcJ-l", "nor has the Basis Set Exchange .* did you mean pcJ-"),
        ("jun-cc-pVDZ", "did you mean jun-cc-pV"),
        ("AHGBS-9", "O=AHGBS-9; H=AHGBS-9"),
        ("def2-SVP; U=pcJ-1", "no functions for U"),
        ("def2-universal-jkfit", "fitting of densities"),
        ("aug-cc-pV7Z", "no shell from S to I"),
    ],
)
def test_what_is_refused(basis: str, told: str) -> None:
    with pytest.raises(InputError, match=f"(?s){told}"):
        usual_recipe(basis)


@there
def test_a_large_set_for_one_element() -> None:
    recipe, _ = usual_recipe("STO-3G; O=AHGBS-9")
    assert recipe.startswith("STO-3G; O=AHGBS-9 own-")


def test_without_the_extra_it_is_named() -> None:
    code = (
        "import sys; sys.modules['basis_set_exchange'] = None\n"  # as if it were not installed
        "from workflows.dft.level.bases import usual_recipe\n"
        "try: usual_recipe('pcJ-1')\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, timeout=300, capture_output=True, text=True
    )
    assert done.stdout.startswith("InputError ")
    assert "pip install 'grafico-chem[bse]'" in done.stdout


def test_names_of_own_sets() -> None:
    assert is_own("own-0123456789ab")
    assert is_own("jun-cc-pV(D+d)Z own-0123456789ab")
    assert not is_own("unknown-0123456789ab")
    assert not is_own("own-basis")


def test_help_does_not_import_it() -> None:
    code = (
        "import sys; from grafico.__main__ import main\n"
        "sys.argv = ['grafico', '--help']\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "import workflows.dft.level.bases\n"
        "assert 'basis_set_exchange' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300, capture_output=True)
