"""The benchmark measures what it says: its codec keeps content, its children answer."""

import json
import sys
from pathlib import Path

import pytest

from evals.bench import bare, peers
from evals.bench.__main__ import line
from evals.bench.bundles import SOFTWARE, at_work, bundle, count_of, fill
from evals.bench.child import answer
from evals.bench.counting import Counting
from evals.bench.figures import Figure, below, in_turn, speed
from evals.bench.peers import Peer, UnavailableError
from evals.bench.sample import Sample, star
from ogm import KnowledgeGraph
from ontologies.provenance import Activity
from triplestore import NotFoundError, Table, open_store


def test_the_bare_codec_reads_back_what_it_wrote():
    records = bare.records(3, 20)
    with open_store("memory:") as store:
        bare.write(store, records)
        assert bare.read(store, [record.iri for record in records]) == records


def test_the_bare_codec_writes_the_content_of_the_mapped_objects():
    for record, sample in list(zip(bare.records(2, 50), star(2, 50), strict=True))[1:]:
        for name in ("label", "index", "energy", "converged", "method"):
            assert getattr(record, name) == getattr(sample, name)
        assert record.parent is not None
        assert sample.parent is not None


def test_batches_have_objects_of_their_own():
    iris = [model.iri for batch in range(3) for model in star(batch, 30)]
    assert len(set(iris)) == 90


def test_round_trips_are_counted():
    with Counting(open_store("memory:")) as store:
        hub, *_ = models = star(0, 10)
        KnowledgeGraph(store).push(*models)
        assert (store.queries, store.inserts) == (0, 1)
        KnowledgeGraph(store).pull(Sample, hub.iri)
        assert (store.queries, store.inserts) == (1, 1)


def test_a_store_is_filled_with_bundles_that_can_be_pulled_and_found():
    with open_store("memory:") as store:
        bundles = count_of(700)
        fill(store, bundles, at_once=10)
        counted = store.query("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }")
        assert isinstance(counted, Table)
        assert int(getattr(counted.rows[0][0], "value", 0)) >= 700
        result, activity = bundle(bundles - 1)
        kg = at_work(store)
        assert kg.find(Activity, key=activity.key) == [activity]
        assert kg.pull_all(type(result), [result.iri]) == [result]
        assert activity.software == SOFTWARE


def test_a_bundle_is_the_same_each_time_and_no_other():
    assert bundle(7) == bundle(7)
    assert bundle(7)[0].iri == bundle(7)[0].iri
    assert bundle(7)[1].key != bundle(8)[1].key


def test_a_child_answers_as_a_peer_does(tmp_path: Path):
    with open_store("memory:") as store:
        assert answer(store, "push", 4, 10) > 0
        assert answer(store, "pull", 4, 10) > 0
        with pytest.raises(NotFoundError):
            answer(store, "pull", 5, 10)
    command = [sys.executable, "-m", "evals.bench.child", "memory:"]
    with Peer(command, tmp_path / "log") as peer:
        assert peer.ask("push", 0, 5) > 0


def test_a_peer_that_ends_is_unavailable_and_says_why(tmp_path: Path):
    command = [sys.executable, "-c", "import nothing_of_that_name"]
    with pytest.raises(UnavailableError, match="nothing_of_that_name"):
        Peer(command, tmp_path / "log")


def test_peers_that_cannot_be_installed_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "in the way").touch()
    monkeypatch.setattr(peers, "HOME", tmp_path / "in the way" / "environment")
    with pytest.raises(UnavailableError, match="could not be installed"):
        peers.environment()


def test_a_figure_says_its_ratio_and_whether_its_target_was_met():
    quick = speed("push", 900.0, 1000.0, "bare codec", 0.5)
    assert (quick.met, quick.ratio) == (True, 0.9)
    assert not speed("push", 400.0, 1000.0, "bare codec", 0.5).met
    assert ": met" in line(quick)
    slow = below("find", 30.0, 20.0, "ms", "its bare query", 10.0)
    assert "under 20 ms: MISSED" in line(slow)
    alone = Figure("stream", 5.0, None, "MB", "-", "shown only", None)
    assert alone.ratio is None
    assert "met" not in line(alone).lower()
    assert json.loads(json.dumps(slow.as_dict()))["ratio"] == 3.0


def test_functions_are_timed_in_turn():
    calls: list[str] = []
    times = in_turn(3, lambda i: calls.append(f"a{i}"), lambda i: calls.append(f"b{i}"))
    assert calls == ["a0", "b0", "a1", "b1", "a2", "b2"]
    assert all(0 <= time < 100 for time in times)
