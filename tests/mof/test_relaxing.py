"""Frameworks that are built, relaxed and measured in one request; what stopped is marked."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from grafico import Grafico
from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import CrystalRelaxation
from ontologies.mof_proposals import FrameworkSelection
from ontologies.mofs import Framework, FrameworkOrigin, Net, PoreAnalysis
from tests.ontologies.instances_mofs import PORES
from triplestore import Store
from triplestore.errors import InputError
from workflows.mof.explore import survey

SMALL = "srs N19 -"
"""Triazine rings on the net srs: 48 atoms."""

FEW = {"area_samples": 50, "volume_samples": 500}


def test_what_was_built_is_relaxed_and_then_measured() -> None:
    with Grafico(store="memory:") as session:
        asked = {"workflow": "mof build", "relax_at": "GFN1-xTB", "convergence": "loose", **FEW}
        done = session.run(SMALL, measure=True, **asked)
        assert done.status == "finished"
        [relaxed] = session.kg.find(Framework, framework_origin="relaxed")
        [built] = session.kg.find(Framework, framework_origin="built")
        [led] = session.kg.find(CrystalRelaxation)
        assert led.converged
        assert led.relaxed_cell
        assert relaxed.relaxed_from == built.atoms == led.initial
        assert relaxed.atoms == led.atoms
        assert relaxed.net == built.net
        assert relaxed.blocks == built.blocks
        assert not np.allclose(relaxed.atoms.positions, built.atoms.positions, atol=1e-3)
        [pores] = session.kg.find(PoreAnalysis)
        assert pores.atoms == relaxed.atoms
        again = session.run(SMALL, measure=True, **asked)
        assert again.reused
        session.run(built.iri, workflow="mof measure", **FEW)
        told = session.run(workflow="mof explore", rank_by="cavity").found
        assert sorted(told.framework_origins) == ["built", "relaxed"]
        assert told.cavities is not None
        assert told.cavities[0] >= told.cavities[1]
        assert [(one.frameworks_known, one.frameworks_measured) for one in told.groups] == [(1, 1)]
        assert any("before they were relaxed" in one for one in told.remarks)


def test_what_stopped_is_marked_everywhere_not_measured_and_goes_on() -> None:
    with Grafico(store="memory:") as session:
        asked = {"workflow": "mof build", "relax_at": "GFN1-xTB", "convergence": "loose", **FEW}
        stopped = session.run(SMALL, measure=True, max_steps=1, **asked)
        assert stopped.status == "goal unmet"
        assert "not relaxed" in stopped.message
        assert "max_steps" in stopped.message
        assert not session.kg.find(PoreAnalysis)
        assert not session.kg.find(Framework, framework_origin="relaxed")
        [left] = session.kg.find(Framework, framework_origin="not relaxed")
        [led] = session.kg.find(CrystalRelaxation)
        assert not led.converged
        report = session.report(stopped.run)
        assert "NOT RELAXED" in report
        assert "1 of 1 steps" in report
        session.run(left.iri, workflow="mof measure", **FEW)
        shown = session.run(workflow="mof explore")
        assert shown.found.framework_origins == ("not relaxed",)
        rows = [
            row
            for section in shown.shown_sections()
            for block in section.blocks
            if getattr(block, "name", "") == "survey"
            for row in block.rows
        ]
        assert [row[2] for row in rows] == ["NOT RELAXED"]
        done = session.run(SMALL, measure=True, max_steps=30, **asked)
        assert done.status == "finished"
        whole = max(session.kg.find(CrystalRelaxation), key=lambda one: one.steps)
        assert whole.converged
        assert np.array_equal(whole.geometries[:2], led.geometries)


@pytest.mark.parametrize("level", ["B3LYP/def2-SVP", "GFN-FF", "nothing"])
def test_a_level_that_relaxes_no_crystal_is_refused_before_anything_is_built(level: str) -> None:
    with Grafico(store="memory:") as session:
        with pytest.raises(InputError, match="does not relax crystals"):
            session.run(SMALL, workflow="mof build", relax_at=level)
        assert not session.kg.find(Framework)


@pytest.mark.skipif(find_spec("chgnet") is None, reason="the extra mlip")
def test_the_same_with_a_learned_potential() -> None:
    with Grafico(store="memory:") as session:
        done = session.run(
            SMALL, workflow="mof build", relax_at="CHGNet", convergence="loose", measure=True, **FEW
        )
        assert done.status == "finished"
        [led] = session.kg.find(CrystalRelaxation)
        assert led.converged
        assert led.level.label.startswith("CHGNet 0.3.0")


def test_means_hold_each_framework_once(store: Store) -> None:
    """Five are built; of two the relaxed one is measured too, and one of another stopped."""
    kg, net = KnowledgeGraph(store), Net(name="pcu")

    def crystal(edge: float) -> ConceptualAtoms:
        return ConceptualAtoms(
            numbers=[30], positions=[[0, 0, 0]], cell=np.eye(3) * edge, periodic=[True] * 3
        )

    def keep(
        name: str, edge: float, cavity: float, origin: FrameworkOrigin, start: float | None = None
    ):
        atoms = crystal(edge)
        one = Framework(
            framework_name=name,
            atoms=atoms,
            framework_origin=origin,
            net=net,
            relaxed_from=None if start is None else crystal(start),
        )
        assert PORES.diameters is not None
        sizes = PORES.diameters.model_copy(update={"largest_cavity": cavity})
        measured = PORES.model_copy(update={"atoms": atoms, "diameters": sizes})
        kg.push(one, measured.identified(f"https://example.org/{name}-{origin}".replace(" ", "-")))

    for number, cavity in enumerate((10.0, 11.0, 12.0, 13.0, 14.0)):
        keep(f"F{number}", 20.0 + number, cavity, "built")
    keep("F0", 30.0, 20.0, "relaxed", 20.0)
    keep("F1", 31.0, 21.0, "relaxed", 21.0)
    keep("F2", 32.0, 99.0, "not relaxed", 22.0)
    found = survey(kg, FrameworkSelection())
    assert len(found.frameworks) == 8
    [group] = found.groups
    assert (group.frameworks_known, group.frameworks_measured) == (5, 5)
    assert group.mean_cavity == pytest.approx((20.0 + 21.0 + 12.0 + 13.0 + 14.0) / 5)
    assert any(one.startswith("3 of them") for one in found.remarks)
    ranked = survey(kg, FrameworkSelection(), "cavity")
    assert ranked.cavities is not None
    assert ranked.cavities.tolist() == sorted(ranked.cavities.tolist(), reverse=True)


@pytest.mark.skipif(find_spec("chgnet") is None, reason="the extra mlip")
def test_what_is_proposed_is_relaxed_as_it_is_built_and_marked_where_it_stopped() -> None:
    with Grafico(store="memory:", threads_per_calculation=1) as session:
        for blocks in ("pcu N16 E14", "pcu N36 E34"):
            session.run(blocks, workflow="mof build", shapes="unrelaxed")
        asked = {"workflow": "mof search", "kind": "cross", "nodes": "N16", "build": True}
        done = session.run(measure=True, relax_at="CHGNet", max_steps=1, **asked)
        [proposed] = done.found.proposals
        assert proposed.framework_origin == "not relaxed"
        assert proposed.relaxed_as is not None
        assert not proposed.relaxed_as.load(session.kg).converged
        assert proposed.measured_as is None
        assert any("NOT RELAXED" in one for one in done.found.remarks)
        assert "NOT RELAXED" in session.report(done.run)


def test_a_level_that_relaxes_no_crystal_is_refused_before_anything_is_searched_for() -> None:
    refused = pytest.raises(InputError, match="what is proposed relaxed at GFN-FF")
    with Grafico(store="memory:") as session, refused:
        session.run(workflow="mof search", build=True, relax_at="GFN-FF")
