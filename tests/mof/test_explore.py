"""Surveys of stored frameworks beside what was put in, and statistics beside published ones."""

from __future__ import annotations

import statistics

import pytest

from evals.bench.mof_graph import Size, graph
from grafico import Grafico
from ogm import KnowledgeGraph
from ontologies.mof_proposals import FrameworkSelection, FrameworkSurvey
from ontologies.mofs import Framework, MetalNode, PoreAnalysis
from triplestore import Store
from workflows.mof.explore import rank_correlation, survey, unsurpassed
from workflows.show.blocks import Chart, Table

SMALL = Size(frameworks=40, nodes=10, linkers=15, nets=3, measured=25)


def test_what_a_node_stands_in_is_told_by_net(store: Store):
    kg = KnowledgeGraph(store)
    every = list(graph(SMALL))
    kg.push(*every)
    pores = {one.atoms.iri: one for one in every if isinstance(one, PoreAnalysis)}
    frameworks = [one for one in every if isinstance(one, Framework)]
    node = frameworks[0].blocks[0].block
    mine = [one for one in frameworks if node in [placed.block for placed in one.blocks]]
    found = survey(kg, FrameworkSelection(nodes=(node,)))
    assert {one.net_symbol: one.frameworks_known for one in found.groups} == {
        name: [one.net.name for one in mine if one.net].count(name)
        for name in {one.net.name for one in mine if one.net}
    }
    measured = [one for one in mine if one.atoms.iri in pores]
    assert {link.iri for link in found.frameworks} == {one.iri for one in measured}
    assert {link.iri for link in found.pores} == {pores[one.atoms.iri].iri for one in measured}
    net = found.groups[0].net_symbol
    areas = [
        surface.area_per_mass
        for one in measured
        if one.net and one.net.name == net and (surface := pores[one.atoms.iri].surface)
    ]
    assert found.groups[0].mean_area == pytest.approx(statistics.fmean(areas))
    assert found.groups[0].area_spread == pytest.approx(statistics.stdev(areas))
    assert found.areas is not None
    assert len(found.areas) == len(found.framework_labels) == len(measured)


def test_the_rank_correlation_is_that_of_published_examples():
    """Hours of television and IQ: -29/165 (Wikipedia, Spearman's rank correlation coefficient)."""
    iq = [106, 86, 100, 101, 99, 103, 97, 113, 112, 110]
    hours = [7, 0, 27, 50, 28, 29, 20, 12, 6, 17]
    found = rank_correlation(iq, hours)
    assert found is not None
    assert found.value == pytest.approx(-29 / 165)
    assert found.interval is not None
    low, high = found.interval
    assert -0.75 < low < -0.6
    assert 0.5 < high < 0.6


def test_the_interval_is_that_of_a_program_of_its_author():
    """The example of `ci.spear` of statpsych by D. G. Bonett (dgbonett.github.io/statpsych)."""
    y = [21, 4, 9, 12, 35, 18, 10, 22, 24, 1, 6, 8, 13, 16, 19]
    x = [67, 28, 30, 28, 52, 40, 25, 37, 44, 10, 14, 20, 28, 40, 51]
    found = rank_correlation(y, x)
    assert found is not None
    assert found.value == pytest.approx(0.8699639, abs=1e-6)
    assert found.interval == pytest.approx((0.5840951, 0.9638297), abs=1e-6)


def test_too_few_or_equal_numbers_have_no_correlation():
    assert rank_correlation([1, 2, 3, 4], [1, 2, 3, 4]) is None
    assert rank_correlation([1, 2, 3, 4, 5], [2, 2, 2, 2, 2]) is None
    same = rank_correlation([1, 2, 3, 4, 5], [9, 8, 7, 6, 5])
    assert same is not None
    assert same.value == -1
    assert same.interval is None


def test_what_nothing_surpasses():
    assert unsurpassed([3, 2, 2, 1, 1], [1, 3, 2, 3, 4]) == [True, True, False, False, True]
    assert unsurpassed([2, 2], [5, 5]) == [True, True]


def test_a_survey_is_shown_with_a_chart_and_links_to_what_it_rests_on():
    with Grafico(store="memory:", threads_per_calculation=1) as session:
        session.kg.push_all(graph(SMALL))
        done = session.run(workflow="mof explore")
        (found,) = session.kg.find(FrameworkSurvey)
        blocks = [block for section in done.shown_sections() for block in section.blocks]
        (chart,) = [block for block in blocks if isinstance(block, Chart)]
        assert sum(len(one.x) for one in chart.series) == SMALL.measured
        (table,) = [one for one in blocks if isinstance(one, Table) and one.name == "survey"]
        iri = str(table.rows[0][-1])
        assert session.kg.pull(PoreAnalysis, iri).iri == found.pores[0].iri
        assert found.rank_correlation is not None
        assert found.rank_correlation > 0.8  # areas were made to grow with the cavity
        lonely = MetalNode(block_code="lonely", formula="Zn", connections=6)
        session.kg.push(lonely)
        none = session.run(workflow="mof explore", nodes=lonely.iri)
        assert none.status == "finished"
        assert none.found.groups == ()
        assert "none found" in none.found.remarks[0]
        assert "name others" in none.found.remarks[0]
