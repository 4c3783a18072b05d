"""`grafico spin-states` and `interaction`, and the same from Python."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from grafico import Grafico
from ontologies.comparison import InteractionEnergy, SpinStateScan
from tests.typed import typed
from triplestore.errors import InputError

HF: Any = {"method": "HF", "basis": "STO-3G"}
FAST = ("--method", "HF", "--basis", "STO-3G", "-t", "1", "--quiet")
# S22, complex 2: P. Jurečka et al., Phys. Chem. Chem. Phys. 8, 1985 (2006)
WATERS = """6
water dimer
O -1.551007 -0.114520  0.000000
H -1.934259  0.762503  0.000000
H -0.599677  0.040712  0.000000
O  1.350625  0.111469  0.000000
H  1.680398 -0.373741 -0.758561
H  1.680398 -0.373741  0.758561
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("comparisons")
    (folder / "waters.xyz").write_text(WATERS)
    (folder / "o2.xyz").write_text("2\n\nO 0 0 0\nO 0 0 1.208\n")
    (folder / "he.xyz").write_text("1\n\nHe 0 0 0\n")
    return folder


def say(folder: Path, *words: str, status: int = 0) -> str:
    arguments = [*words, "--store", str(folder / "store")]
    result = typed(*arguments, status=status)
    return result.output


def test_multiplicities_are_compared(folder: Path) -> None:
    shown = say(folder, "spin-states", str(folder / "o2.xyz"), *FAST, "--multiplicities", "1,3")
    assert "ground state" in shown
    assert "multiplicity 3, at the geometry as given" in shown
    assert "2 computed in" in shown
    assert "ask for it" not in shown  # no remark on the spin of the file, which is of no account
    again = ("--multiplicities", "1", "--multiplicities", "3", "--json")
    told = json.loads(say(folder, "spin-states", str(folder / "o2.xyz"), *FAST, *again))
    assert told["reused"]
    assert told["ground_multiplicity"] == 3
    singlet, triplet = told["states"]
    assert singlet["relative_energy_Eh"] == singlet["energy_Eh"] - triplet["energy_Eh"] > 0
    assert (singlet["level"], triplet["level"]) == ("HF/STO-3G", "UHF/STO-3G")
    assert told["atoms"]["multiplicity"] == 3
    assert [part["iri"] for part in told["parts"]] == [singlet["result"], triplet["result"]]
    assert "SpinStateScan" in say(folder, "show", told["iri"])


def test_a_multiplicity_that_fails_is_told_beside_the_others(folder: Path) -> None:
    shown = say(folder, "spin-states", str(folder / "he.xyz"), *FAST)
    assert "multiplicity 3 failed: " in shown
    assert "do not fit into 1 orbital" in shown
    told = json.loads(say(folder, "spin-states", str(folder / "he.xyz"), *FAST, "--json"))
    assert list(told["failures"]) == ["3"]
    assert [state["multiplicity"] for state in told["states"]] == [1]


def test_an_interaction_is_corrected(folder: Path) -> None:
    """−5.86 kJ/mol by Psi4 1.3.2, −23.14 without the correction."""
    shown = say(folder, "interaction", str(folder / "waters.xyz"), *FAST)
    assert "-5.86 kJ/mol = -0.00223291 Eh" in shown
    assert "-23.14 kJ/mol" in shown
    assert "17.28 kJ/mol" in shown
    assert "atoms 4-6  H2O  charge +0  multiplicity 1" in shown
    told = json.loads(
        say(folder, "interaction", str(folder / "waters.xyz"), *FAST, "--fragments", "1-3 4-6",
            "--fragment-charges", "0,0", "--fragment-multiplicities", "1 1", "--json")
    )  # fmt: skip
    assert told["reused"]  # by the first call of this test
    assert told["corrected_Eh"] == pytest.approx(-0.00223291, abs=1e-8)
    error = told["corrected_Eh"] - told["uncorrected_Eh"]
    assert told["superposition_error_Eh"] == pytest.approx(error)
    assert [part["atoms"] for part in told["fragments"]] == ["1-3", "4-6"]
    assert len(told["parts"]) == 5
    assert "InteractionEnergy" in say(folder, "show", told["iri"])


@pytest.mark.parametrize(
    ("smiles", "fragments"),
    [
        ("[Li+].O", [(1, 1, 1), (3, 0, 1)]),  # near enough to be bonded by their distance
        ("[OH].O", [(2, 0, 2), (3, 0, 1)]),
        ("[Na+].[Cl-]", [(1, -1, 1), (1, 1, 1)]),
    ],
)
def test_fragments_are_what_the_dots_of_a_smiles_set_apart(
    folder: Path, smiles: str, fragments: list[tuple[int, int, int]]
) -> None:
    told = json.loads(say(folder, "interaction", smiles, *FAST, "--json"))
    parts = told["fragments"]
    spans = [[span.split("-") for span in p["atoms"].split(",")] for p in parts]
    sizes = [sum(int(span[-1]) - int(span[0]) + 1 for span in one) for one in spans]
    found = [(n, p["charge"], p["multiplicity"]) for n, p in zip(sizes, parts, strict=True)]
    assert sorted(found) == fragments
    again = json.loads(
        say(
            folder,
            "interaction",
            smiles,
            *FAST,
            "--json",
            "--fragments",
            " ".join(p["atoms"] for p in reversed(parts)),
            f"--fragment-charges={','.join(str(p['charge']) for p in reversed(parts))}",
        )
    )
    assert again["corrected_Eh"] == pytest.approx(told["corrected_Eh"], abs=1e-8)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("interaction", "waters.xyz", "--fragments", "1-3 4-5"), "in none of them: 6"),
        (("interaction", "waters.xyz", "--fragment-charges", "-1,0"), "add up to -1"),
        (("interaction", "waters.xyz", "--fragment-charges", "one"), "integer"),
        (
            ("spin-states", "o2.xyz", "--max-steps", "5"),
            "ask for --task optimise, or leave --max-steps out",
        ),
        (("interaction", "he.xyz"), "single atom"),
        (("interaction", "waters.xyz", "--solvent", "water"), "gas phase"),
        (("spin-states", "o2.xyz", "--multiplicities", "2"), "it can be 1, 3, 5"),
        (("spin-states", "o2.xyz", "--multiplicities", "1", "--highest", "3"), "not both"),
    ],
)
def test_what_cannot_be_is_refused(folder: Path, words: tuple[str, ...], told: str) -> None:
    verb, name, *rest = words
    shown = say(folder, verb, str(folder / name), *rest, *FAST, status=2)
    assert told in shown


def test_from_python(folder: Path) -> None:
    with Grafico(folder / "store", threads_per_calculation=1) as session:
        session.spin_states(folder / "o2.xyz", multiplicities=(1, 3), **HF)
        states = session.spin_states(folder / "o2.xyz", multiplicities=(1, 3), **HF)
        assert states.reused
        assert states.scan == session.kg.pull(SpinStateScan, states.scan.iri)
        assert states.atoms.multiplicity == 3
        assert states.relative == {
            1: states.scan.states[0].energy - states.scan.ground.energy,
            3: 0,
        }
        assert states.errors == {}
        session.interaction(folder / "waters.xyz", fragments="1-3 4-6", **HF)
        bond = session.interaction(folder / "waters.xyz", fragments="1-3 4-6", **HF)
        assert bond.reused
        assert bond.energy == session.kg.pull(InteractionEnergy, bond.energy.iri)
        error = (bond.corrected or 0) - bond.uncorrected
        assert error == pytest.approx(bond.energy.superposition_error)
        with pytest.raises(InputError, match="did you mean fragments"):
            session.interaction(folder / "waters.xyz", fragment="1-3 4-6", **HF)


def test_a_session_has_each_verb_that_is_installed() -> None:
    with Grafico("memory:") as session:
        for name in ("spin_states", "interaction", "microwave", "convert", "cube"):
            method, twin = getattr(session, name), getattr(session, f"{name}_async")
            assert (method.__name__, method.__doc__) == (name, twin.__doc__)
            assert inspect.iscoroutinefunction(twin)
            assert not inspect.iscoroutinefunction(method)
        assert session.convert(molecule="[He]", to="smiles").text == "[He]\n"
        with pytest.raises(AttributeError, match="no 'spin_statez'"):
            session.spin_statez("O=O")
        with pytest.raises(InputError, match="did you mean charge"):
            session.convert("O", charges=1)  # pyright: ignore[reportCallIssue]
