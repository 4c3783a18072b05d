"""A package brings a class of levels: graphs, thermochemistry, search and estimates take it up."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level, LevelOfTheory
from ontologies.quantum import EnergyResult, RelaxedGeometry
from ontologies.vibrations import Thermochemistry, VibrationalAnalysis
from tests.asking import asked_of, run_dft
from tests.dft import conftest as dft
from tests.extension.conftest import install
from triplestore.errors import ComponentError, InputError, ResourceError
from workflows.dft.graphs.spin_states import SpinStatesRequest
from workflows.dft.request.forms import DFTRequest, LevelRequest
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.engine.request.cost import check
from workflows.engine.request.form import fill
from workflows.registry.levels import (
    LevelForm,
    StoredLevel,
    computed,
    declared,
    offered,
    program_of,
)

HERE = Path(__file__).parent
ENTRY = "[grafico.levels]\nsprings = springs\nbroken = springs_that_are_not_there\n"

PULLED = ConceptualAtoms(
    numbers=[8, 8, 8], positions=[[0, 0, 0], [1.1, 0, 0], [0.4, 0.9, 0]], multiplicity=3
)
CHAIN = ConceptualAtoms(numbers=[8] * 6, positions=[[1.2 * i, 0.1 * (i % 2), 0] for i in range(6)])
STIFF, REST = 0.4, 1.25


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The package, as pip would install it."""
    folder = tmp_path_factory.mktemp("site")
    install(folder, "springs", ENTRY)
    places = [str(folder), str(HERE)]
    declared.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*places, *sys.path])
        yield
    declared.cache_clear()


class Bench(dft.Bench):
    """Runs the graph at the level of springs, over a store in memory if nothing is said."""

    def springs(self, **asked: Any) -> Level:
        wanted = fill(LevelForm, {"method": "springs", "stiffness": STIFF, "rest": REST} | asked)
        return self.loop.call(lambda: wanted.resolve(PULLED, self.executor)).level

    def ask(self, atoms: ConceptualAtoms, **asked: Any) -> Any:
        request, level = fill(DFTRequest, asked), self.springs()
        return self.loop.call(lambda: run_dft(atoms, level, request, self.executor))


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.close()


def test_a_broken_package_is_named_and_the_others_work() -> None:
    known = declared()
    assert {"LevelOfTheory", "Springs"} <= set(known.places)
    assert "ModuleNotFoundError" in known.broken["springs_that_are_not_there"]
    assert "springs" in computed()
    assert "density functionals" in computed()


class Unheard(Level):
    """A level of which nobody says what computes it."""


def test_a_level_that_nothing_computes_is_refused() -> None:
    with pytest.raises(ComponentError, match=r"\(Unheard\).*no program for such levels"):
        offered(Unheard(method="magic"))


def test_a_form_takes_what_its_method_has(bench: Bench) -> None:
    usual = {"method": "B3LYP", "basis": "def2-SVP"}
    assert fill(LevelForm, {}, usual) == LevelRequest(method="B3LYP", basis="def2-SVP")
    springs = fill(LevelForm, {"method": "Springs"}, usual)
    assert springs.model_dump() == {"method": "Springs", "stiffness": 0.3, "rest": 1.0}
    assert fill(LevelForm, {"method": "springs", "basis": None, "stable": False}) == fill(
        LevelForm, {"method": "springs"}
    )
    with pytest.raises(
        InputError,
        match=r"basis='STO-3G'.*no basis set.*no .*grid.*leave `basis` out; leave `grid`",
    ):
        fill(LevelForm, {"method": "springs", "basis": "STO-3G", "grid": 3}, usual)
    with pytest.raises(InputError, match=r"rest=2\.0.*B3LYP has no rest"):
        fill(LevelForm, {"rest": 2.0}, usual)
    with pytest.raises(InputError, match="without basis"):
        fill(LevelForm, {"method": "HF"})
    with pytest.raises(InputError, match="stiffness=-1"):
        fill(LevelForm, {"method": "springs", "stiffness": -1})


def test_what_can_be_said_is_what_any_program_takes() -> None:
    fields = LevelForm.offered()
    assert list(fields)[:2] == ["method", "basis"]
    assert {*LevelRequest.model_fields, "stiffness", "rest"} <= set(fields)
    assert fields["method"].is_required()
    assert not fields["basis"].is_required()  # springs have none
    assert LevelRequest.model_fields["basis"].is_required()
    assert "level" not in fields


def test_a_method_that_there_is_not_is_told_what_there_is() -> None:
    for method in ("sprongs", "CASSCF"):
        call = fill(LevelForm, {"method": method, "basis": "STO-3G"}).resolution(PULLED)
        with pytest.raises(InputError) as caught:
            call.calculation(**call.arguments)
        assert computed() in caught.value.found
        assert ("springs" in caught.value.advice) == (method == "sprongs")
    usual = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")
    assert program_of("sprongs") is offered(usual)


def test_a_form_that_was_recorded_is_read_again(bench: Bench) -> None:
    springs = fill(LevelForm, {"method": "springs"})
    stored = {"DFTRequest": {}, "SpringsForm": springs.model_dump()}
    assert LevelForm.recorded(stored) == springs
    assert LevelForm.recorded({"DFTRequest": {}}) is None
    level = bench.springs()
    found = LevelForm.recovered([PULLED, level])
    assert isinstance(found, StoredLevel)
    bench.executor.record(level)
    assert bench.loop.call(lambda: found.resolve(PULLED, bench.executor)).level == level
    assert LevelForm.recovered([PULLED]) is None
    other = bench.springs(stiffness=1.0)
    assert LevelForm.recovered([level, other]) is None


def test_the_graph_relaxes_and_finds_vibrations_and_thermochemistry(bench: Bench) -> None:
    finish = bench.ask(PULLED, task="frequencies")
    assert finish.status == "finished", finish.message
    relaxed, vibrating = (answer.result for answer in finish.state.answers)
    assert isinstance(relaxed, RelaxedGeometry)
    sides = [
        np.linalg.norm(relaxed.atoms.positions[i] - relaxed.atoms.positions[j])
        for i, j in ((0, 1), (1, 2), (0, 2))
    ]
    assert sides == pytest.approx([REST] * 3, abs=1e-3)
    assert isinstance(vibrating, VibrationalAnalysis)
    # an equilateral triangle of springs k: ω² = 3k/m once and 3k/2m twice
    mass, bohr, hartree = 15.999 * 1.66053906892e-27, 5.29177210544e-11, 4.3597447222060e-18
    spring = STIFF * hartree / bohr**2
    turns = [np.sqrt(factor * spring / mass) / (2 * np.pi) for factor in (1.5, 1.5, 3)]  # Hz
    waves = [turn / 2.99792458e10 for turn in turns]
    assert vibrating.wavenumbers == pytest.approx(waves, rel=1e-3)
    heat = finish.state.heat.result
    assert isinstance(heat, Thermochemistry)
    assert heat.point_group == "D3h"
    assert bench.kg.find(Thermochemistry, frequencies={"energy": vibrating.energy}) == [heat]


def test_what_ended_there_is_known_to_be_stationary(bench: Bench) -> None:
    first = bench.ask(PULLED, task="optimise")
    again = bench.ask(first.state.atoms, task="optimise")
    assert again.status == "finished"
    assert again.state.answers[0].reused
    assert again.state.answers[0].recorded == first.state.answers[-1].recorded
    found = bench.kg.find(RelaxedGeometry, atoms=first.state.atoms)
    assert [one.iri for one in found] == [first.state.answers[-1].recorded]
    assert first.state.answers[-1].recorded in {one.iri for one in bench.kg.find(EnergyResult)}


@pytest.mark.parametrize(
    ("asked", "noun"),
    [
        ({"analysis": True}, "analysis of the wavefunction"),
        ({"states": 2}, "excited states"),
        ({"stability": True}, "analysis of stability"),
    ],
)
def test_what_the_level_has_not_is_refused_before_anything_runs(
    bench: Bench, asked: dict[str, Any], noun: str
) -> None:
    with pytest.raises(InputError, match=f"springs has no {noun} here.*HF.* density functionals"):
        bench.ask(PULLED, **asked)


def test_no_step_offers_what_the_level_has_not(bench: Bench) -> None:
    from workflows.dft.graphs.graph import DFT, start

    state = start(PULLED, bench.springs(), bench.executor)
    nodes, _ = DFT.bind(fill(DFTRequest, {"states": 1}))
    refused = DFT.menu(nodes, {}, state.situation, None).refused
    assert {"Analyse", "Excite", "CheckStability"} <= set(refused)
    elsewhere = DFT.menu(nodes, {}, state.situation.elsewhere("stationary"), None)
    assert "Analyse" in elsewhere.refused


def test_multiplicities_are_compared(bench: Bench) -> None:
    wanted = fill(LevelForm, {"method": "springs"})
    finish = bench.loop.call(
        lambda: asked_of("spin-states", PULLED, SpinStatesRequest(), wanted, bench.executor)
    )
    scan = finish.state.scan
    assert [state.multiplicity for state in scan.states] == [1, 3, 5]
    assert {state.spin_squared for state in scan.states} == {None}
    assert len(set(scan.relative.values())) == 1


def test_costs_are_those_of_the_program(bench: Bench) -> None:
    level = bench.springs()
    part = MoleculeCost(CHAIN, level, DFTRequest())
    found = check([part], "its energy", bench.executor)
    assert found is not None
    assert found.size == "18 springs"
    words = r"18 springs .* a factor of (two|[1-3][.][0-9]); the limit"
    with pytest.raises(ResourceError, match=words):
        check([part], "its energy", bench.executor, 1e-9)
    heavy = CHAIN.model_copy(update={"numbers": np.array([101] * 6)})
    assert (
        check([MoleculeCost(heavy, level, DFTRequest())], "its energy", bench.executor, 1e-9)
        is None
    )
    bench.loop.call(lambda: bench.executor.run(offered(level).energy(CHAIN, level)))
    assert check([part], "its energy", bench.executor, 1e-9) is None  # remembered


def test_they_are_listed_and_found(tmp_path: Path) -> None:
    bench = Bench(str(tmp_path / "store"))
    bench.ask(CHAIN, task="energy")
    bench.close()
    with Grafico(tmp_path / "store", threads_per_calculation=1) as session:
        (line,) = session.runs()
        assert (line.level, line.subject) == ("springs", "O6")
        (hit,) = session.find(CHAIN)
        assert (hit.level, hit.kind.rpartition("#")[2]) == ("springs", "SpringEnergy")
        assert session.find(CHAIN, method="spring") == [hit]
        assert session.find(CHAIN, basis="STO-3G") == []


def test_another_process_reads_what_is_stored(tmp_path: Path) -> None:
    """Its classes are imported when an object of one is met."""
    store = tmp_path / "store"
    bench = Bench(str(store))
    run = bench.ask(CHAIN, task="energy").state.answers[0].recorded
    bench.close()
    code = f"""
import sys
sys.path[:0] = {sys.path[:2]!r}
from grafico import Grafico
with Grafico({str(store)!r}, threads_per_calculation=1) as session:
    assert "springs.program" not in sys.modules
    from ogm import GraphModel
    print(session.kg.pull(GraphModel, {run!r}).level.label)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout == "springs\n", ran.stderr
