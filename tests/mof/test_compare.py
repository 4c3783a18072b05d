"""A crystal beside what its own blocks build, and beside others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.mof_parts import FrameworkComparison
from ontologies.mofs import ConstructedFramework, Framework, PoreAnalysis
from tests.mof.disguises import CRYSTALS, crystal
from tests.typed import typed
from triplestore.errors import InputError, NotFoundError
from workflows.mof.apart import take_apart
from workflows.mof.builder import build
from workflows.mof.compare import design_again

FEW: dict[str, Any] = {"workflow": "mof compare", "area_samples": 50, "volume_samples": 1000}


def test_mof_5_comes_back_of_its_own_blocks() -> None:
    with Grafico("memory:", threads_per_calculation=1) as session:
        done = session.run(CRYSTALS / "MOF-5.cif", **FEW)
        [found] = session.kg.find(FrameworkComparison)
        first, second = (
            session.kg.pull(PoreAnalysis, one.pores.iri)
            for one in (found.first_numbers, found.second_numbers)
            if one.pores
        )
        assert found.built_again is not None
        built = session.kg.pull(ConstructedFramework, found.built_again.iri)
        origins = {one.framework_origin for one in session.kg.find(Framework)}
        again = session.run(CRYSTALS / "MOF-5.cif", **FEW)
    assert done.status == "finished"
    assert first.atoms != second.atoms
    assert built.framework.atoms == second.atoms
    assert origins == {"measured", "built"}
    assert first.diameters is not None
    assert found.first_numbers.largest_cavity == first.diameters.largest_cavity
    assert found.change.cell_lengths == pytest.approx(np.zeros(3), abs=0.01)
    assert found.change.largest_cavity == pytest.approx(0, abs=0.05)
    assert found.change.pore_limiting == pytest.approx(0, abs=0.05)
    assert all(answer.reused for answer in again.answers)


def test_a_node_in_two_orientations_is_one_block() -> None:
    """The clusters of UiO-66 lie in two ways, and it comes back of one of them and its linker."""
    design = design_again(take_apart(crystal("UiO-66")))
    assert [one.placed_on for one in design.blocks] == ["vertex", "edge"]
    found = build(design, "unrelaxed").framework
    assert found.atoms.cell is not None
    assert np.linalg.norm(found.atoms.cell, axis=1) == pytest.approx([20.7004] * 3, abs=1e-3)
    assert found.remarks == ()


def test_the_library_s_blocks_make_it_a_little_larger(tmp_path: Path) -> None:
    store = ["--store", str(tmp_path / "store"), "--json", "--area-samples", "50"]
    told = typed("mof", "compare", str(CRYSTALS / "MOF-5.cif"), "--other", "pcu N16 E14", *store)
    blocks = [one for part in json.loads(told.stdout)["blocks"] for one in part["blocks"]]
    [table] = [one for one in blocks if one.get("name") == "comparison"]
    names = [column["name"] for column in table["columns"]]
    units = {column["name"]: column.get("unit", "") for column in table["columns"]}
    first, second, change = (dict(zip(names, row, strict=True)) for row in table["rows"])
    assert units["largest_cavity"] == units["cell_a"] == "Å"
    assert units["area_per_volume"] == "m²/cm³"
    measured = [one for one in json.loads(told.stdout)["results"] if "diameters" in one]
    assert measured[0]["units"]["diameters.largest_cavity"] == "ANGSTROM"
    assert first["cell_a"] == pytest.approx(25.832)
    assert second["cell_a"] == pytest.approx(25.91, abs=0.01)
    assert (first["largest_cavity"], second["largest_cavity"]) == (
        pytest.approx(15.076, abs=0.005),
        pytest.approx(15.13, abs=0.01),
    )
    assert (first["pore_limiting"], second["pore_limiting"]) == (
        pytest.approx(7.902, abs=0.005),
        pytest.approx(7.933, abs=0.01),
    )
    for name in ("largest_cavity", "pore_limiting", "void_fraction", "crystal_density"):
        assert change[name] == pytest.approx(second[name] - first[name])


def test_two_stored_crystals_and_what_does_not_compare() -> None:
    with Grafico("memory:", threads_per_calculation=1) as session:
        few: dict[str, Any] = {**FEW, "workflow": "mof measure"}
        other = session.run(CRYSTALS / "Zn-BDC.cif", **few).last.atoms
        done = session.run(CRYSTALS / "MOF-5.cif", other=other.iri, **FEW)
        [found] = session.kg.find(FrameworkComparison)
        assert found.iri in done.state.recorded
        assert found.built_again is None
        assert found.change.cell_lengths is None
        assert any("lengths of cells are not compared" in one for one in found.remarks)
        refused: list[tuple[str, dict[str, Any], str]] = [
            ("IRMOF-9.cif", {}, "2 nets go through each other"),
            ("MOF-5.cif", {"other": "../../etc/passwd"}, "neither a net with blocks nor an IRI"),
            ("MOF-5.cif", {"other": "pcu N16", "solvent": "all"}, "has no effect"),
            ("MOF-5.cif", {"other": other.iri, "shapes": "relaxed"}, "is not built"),
        ]
        for path, said, problem in refused:
            with pytest.raises(InputError, match=problem) as caught:
                session.run(CRYSTALS / path, **said, **FEW)
            assert caught.value.advice
        with pytest.raises(NotFoundError):
            session.run(CRYSTALS / "MOF-5.cif", other="nonsense N16", **FEW)
