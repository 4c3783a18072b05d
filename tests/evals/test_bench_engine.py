"""The benchmark of the engine and of a batch does the work that it says, on tiny sizes."""

import asyncio
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from evals.bench import batch, engine, recalling, remembering
from evals.bench.__main__ import main
from evals.bench.batch import Done, compared
from evals.bench.bundles import at_work as session
from evals.bench.bundles import bundle
from evals.bench.molecules import Job, jobs, read_jobs, structure, write_jobs
from evals.bench.nothing import Number, bare_count, count, nothing
from ogm import KnowledgeGraph
from ontologies.provenance import Activity, Outcome, Run, Transition
from ontologies.quantum import Optimisation
from triplestore import open_store
from workflows.engine import Executor


def test_a_counted_step_is_planned_and_recorded():
    with engine.at_work("memory:") as (executor, runner):
        runner.run(count(executor, 3))
        (run,) = executor.kg.find(Run)
        steps = executor.kg.find(Transition, run=run)
    assert [step.index for step in steps] == [0, 1, 2]
    assert {step.chosen_by for step in steps} == {"goal"}


def test_the_bare_graph_makes_as_many_steps():
    walked = asyncio.run(bare_count()(5))
    assert walked == 0
    assert engine.overhead(steps=3, runs=2).baseline


def test_calculations_of_nothing_are_computed_by_workers_and_recorded(tmp_path: Path):
    figures = list(engine.calculations(tmp_path, number=6, rounds=2, children=2))
    assert [figure.target for figure in figures] == ["under 5 ms", "under 25 ms"]
    with open_store(str(tmp_path / "nothing")) as store:
        found = session(store).find(Activity, calculation=nothing.name)
    assert len(found) >= 6
    assert all(activity.threads == 1 for activity in found)


def test_a_calculation_of_nothing_gives_its_number_back():
    assert nothing(Number(value=7)).value == 7


def test_known_and_moved_calls_are_remembered_and_new_ones_are_not():
    with open_store("memory:") as store:
        store.insert(recalling.quads(0, 8))
        executor = Executor(session(store))
        for number in range(8):
            recorded, _ = bundle(number)
            same = executor.recall(recalling.known(number))
            assert same is not None
            assert same.motion.is_rest
            assert same.recorded == recorded.iri
            turned = executor.recall(recalling.moved(number))
            assert turned is not None
            assert not turned.motion.is_rest
            assert turned.recorded == recorded.iri
            assert turned.result.energy == recorded.energy
            assert executor.recall(recalling.new(number)) is None
        executor.close()


def test_memory_is_measured_on_a_store_with_so_many_calculations(tmp_path: Path):
    figures = list(recalling.measure(tmp_path, few=12, many=15, times=2))
    assert [figure.met is not None for figure in figures] == [True, True, *[False] * 4]
    with open_store(str(tmp_path / "many")) as store:
        found = {activity.key for activity in session(store).find(Activity)}
    assert found == {bundle(number)[1].key for number in range(15)}


def test_remembered_runs_are_measured_on_stores_with_so_many(tmp_path: Path):
    figures = list(remembering.measure(tmp_path, sizes=(20, 30), times=2))
    assert [figure.met is not None for figure in figures] == [True, True]
    assert all(figure.ours > 0 and figure.baseline for figure in figures)
    with open_store(str(tmp_path / "runs-30")) as store:
        kg = KnowledgeGraph(store)
        runs, ended = kg.find(Run), {outcome.run.iri for outcome in kg.find(Outcome)}
        # the examples, those that were made like them, and those asked for (two rounds of two)
        assert len(runs) == 2 + 30 + 4
        assert {run.iri for run in runs} == ended
        assert len(kg.find(Optimisation)) == 1 + 3


def test_the_jobs_of_a_batch_are_written_and_read(tmp_path: Path):
    batch = jobs(tmp_path, ["water"], [("ammonia", "HF")])
    assert [(job.task, job.method, job.basis) for job in batch] == [
        ("energy", "HF", "def2-SVP"),
        ("energy", "HF", "6-31G*"),
        ("energy", "B3LYP", "def2-SVP"),
        ("energy", "B3LYP", "6-31G*"),
        ("optimise", "HF", "def2-SVP"),
    ]
    write_jobs(tmp_path / "jobs.json", batch)
    assert read_jobs(tmp_path / "jobs.json") == batch
    assert 3 <= len(structure("ethanol").numbers) <= 9


def test_a_batch_through_grafico_gives_the_numbers_of_the_bare_script(tmp_path: Path):
    file = jobs(tmp_path, ["water"], [])[0].file
    small = [Job(file, "energy", "HF", "STO-3G"), Job(file, "optimise", "HF", "STO-3G")]
    figures = list(batch.measure(tmp_path, batch=small, cores=1))
    told = [
        json.loads((tmp_path / "pair-0" / program / "results.json").read_text())["results"]
        for program in ("bare", "ours")
    ]
    for bare, ours in zip(*told, strict=True):
        assert ours["energy"] == pytest.approx(bare["energy"], abs=1e-8)
        np.testing.assert_allclose(ours["charges"], bare["charges"], atol=1e-6)
        # the molecule is neutral, so that its dipole does not depend on the origin
        np.testing.assert_allclose(ours["dipole"], bare["dipole"], atol=1e-5)
    assert "energies, largest difference" in figures[-1].name
    assert figures[-1].met
    energies = {job.task: result["energy"] for job, result in zip(small, told[0], strict=True)}
    # Hartree–Fock of water at its STO-3G geometry: −74.96590 Eh, W. J. Hehre et al.,
    # Ab Initio Molecular Orbital Theory, 1986, and NIST's CCCBDB
    assert energies["optimise"] == pytest.approx(-74.96590, abs=2e-5)
    assert energies["energy"] > energies["optimise"]


def test_a_program_that_ends_in_the_middle_says_why(tmp_path: Path):
    nowhere = [Job(str(tmp_path / "nowhere.xyz"), "energy", "HF", "STO-3G")]
    with pytest.raises(RuntimeError, match=r"(?i)nowhere\.xyz"):
        batch.run(tmp_path / "bare", nowhere, [str(batch.SCRIPT)])


def test_the_median_pair_of_several_is_shown_with_their_spread():
    ours = [Done(10.0 + extra, 1, 1, ()) for extra in (0.1, 0.9, 0.3)]
    bare = [Done(10.0, 1, 1, ()) for _ in ours]
    figure = compared("batch", ours, bare, "whole", "s", "bare PySCF", 1.05)
    assert figure.ours == 10.3
    assert figure.met
    assert "3 pairs, 1.010 to 1.090" in figure.target
    assert not compared("batch", ours, bare, "whole", "s", "bare PySCF", 1.02).met


def test_the_sections_are_known_to_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(sys, "argv", ["bench", "--help"])
    with pytest.raises(SystemExit):
        main()
    told = capsys.readouterr().out
    for word in ("engine", "batch", "--pairs"):
        assert word in told
