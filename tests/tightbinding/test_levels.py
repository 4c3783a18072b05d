"""What a method, a solvent and their options mean."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from tblite.interface import Calculator

from ontologies.tightbinding import BornModel, TightBinding
from triplestore.errors import InputError
from workflows.tightbinding.levels import is_tight_binding, resolve_level
from workflows.tightbinding.solvents import known, parameter_name, solvation_of


@pytest.mark.parametrize("name", ["GFN2-xTB", "gfn2", "GFN2", "gfn2 xtb", "Gfn2_XTB"])
def test_spellings_do_not_matter(name: str) -> None:
    found = resolve_level(name)
    assert (found.method, found.level) == (name, TightBinding(method="GFN2-xTB"))
    assert found.level.program == "tblite"
    assert is_tight_binding(name)
    assert not is_tight_binding("B3LYP")


@pytest.mark.parametrize("name", ["GFN0-xTB", "IPEA1-xTB"])
def test_others_of_the_family_are_named_and_refused(name: str) -> None:
    assert is_tight_binding(name)
    with pytest.raises(InputError, match="GFN1-xTB and GFN2-xTB"):
        resolve_level(name)


@pytest.mark.parametrize("method", ["GFN1-xTB", "GFN2-xTB"])
@pytest.mark.parametrize("model", get_args(BornModel))
def test_tblite_has_parameters_for_every_solvent(method: str, model: BornModel) -> None:
    for solvent in known(method, model):
        calculator = Calculator(method, np.array([2]), np.zeros((1, 3)))
        calculator.add(f"{model.lower()}-solvation", parameter_name(method, model, solvent))


@pytest.mark.parametrize(
    ("spelt", "usual"),
    [
        ("MeCN", "acetonitrile"),
        ("DMSO", "dimethyl sulfoxide"),
        ("thf", "tetrahydrofuran"),
        ("CH2Cl2", "dichloromethane"),
        ("hexane", "n-hexane"),
        ("EtOAc", "ethyl acetate"),
        ("DMF", "N,N-dimethylformamide"),
        ("ether", "diethyl ether"),
        ("octanol", "1-octanol"),
        ("dioxane", "1,4-dioxane"),
        ("carbon disulfide", "carbon disulfide"),
        ("Water", "water"),
    ],
)
def test_usual_names_of_solvents(spelt: str, usual: str) -> None:
    around = resolve_level("GFN2-xTB", solvent=spelt).level.solvation
    assert around is not None
    assert (around.model, around.solvent) == ("ALPB", usual)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"solvent": "heptane"}, "acetone, acetonitrile.*choose one"),
        ({"solvent": "watter"}, "did you mean water"),
        ({"solvent": "ethanol", "solvation": "GBSA"}, "GBSA ethanol.*parameters for"),
        ({"solvation": "ALPB"}, "no solvent is named"),
        ({"solvation": "SMD", "solvent": "water"}, "ALPB and GBSA"),
        ({"solvation": "none", "solvent": "water"}, "exclude each other"),
        ({"electronic_temperature": -1.0}, "0 to 20000 K"),
        ({"electronic_temperature": float("nan")}, "0 to 20000 K"),
        ({"accuracy": 0.0}, "0.0001"),
    ],
)
def test_what_there_is_not_is_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        resolve_level("GFN2-xTB", **options)  # pyright: ignore


def test_gbsa_has_fewer_solvents_for_gfn1() -> None:
    assert resolve_level("GFN2-xTB", solvation="gbsa", solvent="DMF").level.solvation is not None
    with pytest.raises(InputError, match="GFN1-xTB"):
        resolve_level("GFN1-xTB", solvation="gbsa", solvent="DMF")


@pytest.mark.parametrize("solvent", ["none", "gas", "gas phase", "Vacuum"])
def test_no_solvent_is_the_gas_phase(solvent: str) -> None:
    assert solvation_of("GFN2-xTB", "", solvent) is None
    beside = resolve_level("GFN2-xTB", solvation="ALPB", solvent=solvent)
    assert beside.level == resolve_level("GFN2-xTB").level
    assert beside.remarks == (f"gas phase, as the solvent is {solvent}: ALPB is left out",)
    with pytest.raises(InputError, match="no solvent is named"):
        solvation_of("GFN2-xTB", "ALPB", "")
