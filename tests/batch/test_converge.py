"""A setting that is made better until a result has converged: where, and at which cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.factors import DEBYE
from ontologies.provenance import Activity
from tests.typed import typed
from triplestore.errors import InputError
from workflows.batch.converging import steps_of

PSI4 = {"aug-cc-pVDZ": 1.9985, "aug-cc-pVTZ": 1.9824}
"""D: water's dipole moment in Hartree–Fock at the geometry of `water.xyz`, by Psi4 1.3.2."""

LIMIT = 0.7789 * DEBYE
"""D: the same with a large basis set, at another measured geometry: G. Maroulis, J. Chem. Phys. 94,
1182 (1991), doi:10.1063/1.460025, abstract."""

FAST = ("-t", "1", "--quiet")


def say(folder: Path, *words: str, status: int = 0) -> str:
    file = str(folder / "water.xyz")
    return typed("converge", file, *words, "--store", str(folder / "store"), status=status).output


def test_the_dipole_of_water_converges_near_the_published_limit(folder: Path) -> None:
    plot = folder / "dipole.svg"
    asked = ("--method", "HF", "--basis", "aug-cc-pVDZ", "--quantity", "dipole")
    told = json.loads(say(folder, *asked, "--tolerance", "0.02", *FAST, "--json"))
    assert told["converged"]
    assert told["enough"] == "aug-cc-pVDZ"
    small, large = told["rows"]  # it ends there: no larger one of the family is computed
    assert [small["level"], large["level"]] == ["aug-cc-pVDZ", "aug-cc-pVTZ"]
    for row in told["rows"]:
        assert row["values"]["dipole"] == pytest.approx(PSI4[row["level"]], abs=1e-4)
    assert large["values"]["dipole"] == pytest.approx(LIMIT, abs=0.01)
    change = large["values"]["dipole"] - small["values"]["dipole"]
    assert large["differences"]["dipole"] == pytest.approx(change)
    assert 0 < abs(change) <= 0.02
    assert large["seconds"] > small["seconds"] > 0
    again = say(folder, *asked, "--tolerance", "0.02", *FAST, "--plot", str(plot))
    assert "aug-cc-pVTZ" in plot.read_text()
    assert "dipole is converged at aug-cc-pVDZ" in " ".join(again.split())


def test_a_series_that_ends_before_it_has_converged_is_said(folder: Path) -> None:
    asked = ("--method", "HF", "--basis", "STO-3G,3-21G,6-31G", *FAST)
    told = json.loads(say(folder, *asked, "--json"))
    assert (told["converged"], told["enough"]) == (False, None)
    assert told["quantity"] == "energy"
    assert told["tolerance"] == 4  # kJ/mol
    values = [row["values"]["energy"] for row in told["rows"]]
    assert len(values) == 3
    assert values == sorted(values, reverse=True)  # by the variational principle, here
    last = told["rows"][-1]["differences"]["energy"]
    assert last == pytest.approx((values[2] - values[1]) * 2625.4996, rel=1e-6)
    assert "is not converged within" in told["told"]


def test_a_step_that_fails_ends_it(session: Grafico, folder: Path) -> None:
    found = session.converge(
        str(folder / "water.xyz"), method="HF", basis=["STO-3G", "no-such-set", "6-31G"]
    )
    assert found.enough is None
    assert [row.status for row in found.comparison.rows] == ["finished", "failed"]
    assert "no-such-set came to no value" in found.told


def test_a_grid_goes_on_from_the_usual_one(session: Grafico, folder: Path) -> None:
    found = session.converge(str(folder / "water.xyz"), method="PBE", basis="STO-3G", grid=[1, 3])
    assert found.enough is not None
    assert found.enough.said == {"grid": 1}
    assert found.shown_sections()[0].name == "convergence"
    assert list(found.frame()["grid"]) == [1, 3]


def test_series_are_known_by_any_spelling() -> None:
    def basis(value: str) -> tuple[object, ...]:
        name, steps, rest = steps_of("", {"method": "HF", "basis": value}, {})
        assert (name, rest) == ("basis", {"method": "HF"})
        return steps

    assert basis("DEF2SVP") == ("def2-SVP", "def2-TZVP", "def2-QZVP")
    assert basis("cc-pvtz") == ("cc-pVTZ", "cc-pVQZ", "cc-pV5Z")
    settings = steps_of("react", {"method": "HF"}, {"basis": "def2-SVPD"})
    assert settings[1] == ("def2-SVPD", "def2-TZVPD", "def2-QZVPD")
    with pytest.raises(InputError, match="leads on from basis def2-QZVP"):
        basis("def2-QZVP")
    with pytest.raises(InputError, match="leads on from basis LANL2DZ"):
        basis("LANL2DZ")
    with pytest.raises(InputError, match="vary one of them"):
        steps_of("", {"method": ["HF", "PBE"], "basis": ["STO-3G", "3-21G"]}, {})
    with pytest.raises(InputError, match="leads to a limit"):
        steps_of("cluster", {}, {})


def test_methods_have_no_common_zero_of_total_energy(session: Grafico, folder: Path) -> None:
    file = str(folder / "h2.xyz")
    asked: dict[str, Any] = {"method": ["HF", "PBE", "BLYP"], "basis": "STO-3G"}
    with pytest.raises(InputError, match="no common zero"):
        session.converge(file, **asked)
    with pytest.raises(InputError, match="no common zero"):
        session.converge(file, quantity="energy", tolerance=1e6, **asked)
    gap = session.converge(file, quantity="gap", tolerance=100.0, **asked)
    assert gap.enough is not None
    assert gap.enough.said == {"method": "HF"}
    first, second = gap.comparison.rows
    assert "gap" not in first.differences  # nothing stands before it
    change = second.values["gap"] - first.values["gap"]
    assert second.differences["gap"] == pytest.approx(change)


def test_a_reaction_converges_whatever_the_zero_of_a_method(session: Grafico) -> None:
    found = session.converge(
        "[H][H] + FF -> 2 F", workflow="react", method=["HF", "PBE"], basis="STO-3G",
        task="energy", tolerance=1e3,
    )  # fmt: skip
    assert found.enough is not None
    assert found.quantity is not None
    assert not found.quantity.total


@pytest.mark.parametrize("tolerance", [0.0, -1.0, float("nan"), float("inf")])
def test_what_no_step_can_reach_is_refused_before_any(session: Grafico, tolerance: float) -> None:
    before = len(session.kg.find(Activity))
    with pytest.raises(InputError, match=r"greater than 0|finite|above 0"):
        session.converge("O", method="HF", basis=["STO-3G", "3-21G"], tolerance=tolerance)
    assert len(session.kg.find(Activity)) == before


def test_a_series_without_diffuse_functions_says_what_needs_them(session: Grafico) -> None:
    """Said of dipoles and anions, not of the energy of a neutral molecule."""
    asked: dict[str, Any] = {"method": "HF", "tolerance": 1e3}
    plain = session.converge("O", quantity="dipole", basis=["STO-3G", "3-21G"], **asked)
    assert "none of these basis sets has diffuse functions, which dipole needs" in plain.told
    diffuse = session.converge("O", quantity="dipole", basis=["def2-SVP", "def2-SVPD"], **asked)
    assert "diffuse" not in diffuse.told
    energy = session.converge("O", quantity="energy", basis=["STO-3G", "3-21G"], **asked)
    assert "diffuse" not in energy.told
    anion = session.converge(
        "[OH-]", quantity="energy", charge=-1, basis=["STO-3G", "3-21G"], **asked
    )
    assert "which an anion needs" in anion.told


def test_the_same_calculations_by_two_settings_are_no_evidence(tmp_path: Path) -> None:
    """Images 4 and 5 Å apart need the same supercell of diamond: nothing has converged by that."""
    crystal = tmp_path / "POSCAR"
    rows = ["diamond", "3.567", "0 .5 .5", ".5 0 .5", ".5 .5 0", "C", "2", "Direct"]
    crystal.write_text("\n".join([*rows, "0 0 0", ".25 .25 .25"]) + "\n")
    words = ("converge", str(crystal), "--method", "GFN1-xTB", "--store", str(tmp_path / "s"))
    alike = typed(*words, "--images-apart", "4,5", *FAST, "--json")
    told = json.loads(alike.stdout)
    assert told["converged"] is False
    assert "5.0 means the same calculations as 4.0" in told["told"]
    assert "made" not in told["rows"][0]
