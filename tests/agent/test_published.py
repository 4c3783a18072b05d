"""Arguments of the published tools for conformers and clusters, as a model sends them."""

from __future__ import annotations

from typing import Any

import pytest

from grafico import Grafico
from grafico.agent import ToolContext
from grafico.agent.toolbox import ArgumentsError
from triplestore.errors import GraficoError, InputError
from workflows.registry import workflows

from .helpers import used

SEARCH: dict[str, Any] = {
    "identifier": "CO",
    "identifier_type": "smiles",
    "charge": 0,
    "spin_multiplicity": 1,
    "implicit_solvent": "water",
    "calculation_level_method": "gfn1",
    "crest_runtype": "imtd-gc",
    "run_on_gpu": False,
}
GROWTH: dict[str, Any] = {
    "solute_identifier": "C=O",
    "solute_identifier_type": "smiles",
    "solvent_identifier": "O",
    "solvent_identifier_type": "smiles",
    "charge": 0,
    "spin_multiplicity": 1,
    "nsolv": 1,
    "alpb_solvent": "water",
}


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """No program beside Grafico."""
    monkeypatch.setenv("PATH", "/nonexistent")


def test_a_conformer_search_is_understood_and_what_really_ran_is_named(
    context: ToolContext, bare: None
) -> None:
    asked = {"name": "run_crest_conformer_search", "arguments": {**SEARCH, "starts": 2}}
    [row] = used(context, "run_workflow", **asked)["molecules"]
    assert row["status"] == "finished"
    assert "GFN1-xTB in ALPB water" in row["reading"]
    told = [one for one in row["remarks"] if "CREST" in one]
    assert told == [
        "imtd-gc is for CREST, which is not on the path: geometries are made by embedding"
    ]


def test_a_cluster_is_understood_by_the_name_of_the_published_tool(
    context: ToolContext, bare: None
) -> None:
    asked = {"name": "run_qcg_cluster", "subjects": [], "arguments": {**GROWTH, "seeds": 1}}
    [row] = next(iter(used(context, "run_workflow", **asked).values()))
    assert row["status"] == "finished"
    assert "SolventCluster" in row["results"]


def test_what_each_argument_means() -> None:
    search = workflows().named("conformers").whole.translated
    assert search(SEARCH) == {
        "molecule": "CO",
        "charge": 0,
        "multiplicity": 1,
        "solvent": "water",
        "method": "GFN1-xTB",
        "search": "imtd-gc",
    }
    assert search({"calculation_level_method": "gfnff"}) == {"method": "GFN-FF"}
    assert search({"identifier_type": "name"}) == {"kind": "name"}
    assert search({"implicit_solvent": None, "run_on_gpu": None}) == {}
    growth = workflows().named("cluster").whole.translated
    assert growth(GROWTH) == {
        "molecule": "C=O",
        "solvent": "O",
        "charge": 0,
        "multiplicity": 1,
        "count": 1,
        "continuum": "water",
    }


@pytest.mark.parametrize(
    ("name", "said", "problem"),
    [
        ("conformers", {"calculation_level_method": "orca"}, "gfn2, gfn1 or gfnff"),
        ("conformers", {"run_on_gpu": True}, "no released CREST for graphics cards"),
        ("conformers", {"identifier": "CO", "identifier_type": "name"}, "reads as a smiles"),
        ("conformers", {"identifier_type": "inchi"}, "no such kind"),
        ("conformers", {"implicit_solvent": "water", "solvent": "hexane"}, "give `solvent` alone"),
        ("conformers", {"crest_runtype": "entropy"}, "imtd-gc"),
        ("conformers", {"crest_runtype": "nci", "sampler": "embedding"}, "no effect"),
        ("cluster", {"threads": 12}, "a setting of the session"),
        ("cluster", {"nsolv": 0}, "greater than or equal to 1"),
    ],
)
def test_what_has_no_equal_here_is_refused_with_what_to_do(
    context: ToolContext, name: str, said: dict[str, Any], problem: str
) -> None:
    subjects = [] if "identifier" in said else ["CO"]
    with pytest.raises((ArgumentsError, InputError), match=problem) as caught:
        used(context, "run_workflow", name=name, subjects=subjects, arguments=said)
    assert caught.value.advice


def test_python_understands_them_as_well(session: Grafico, bare: None) -> None:
    asked: dict[str, Any] = {"workflow": "conformers", "implicit_solvent": "water", "starts": 2}
    found = session.run("CO", calculation_level_method="gfn2", **asked)
    assert found.ensemble.level.label == "GFN2-xTB in ALPB water"
    with pytest.raises(GraficoError, match="orca"):
        session.run("CO", calculation_level_method="orca", **asked)
