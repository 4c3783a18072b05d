"""What goes into the graph comes out the same."""

import threading
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from ogm import KnowledgeGraph
from ogm.array_storage import ArrayFiles, digest
from ogm.model import GraphModel
from tests.ogm import samples
from tests.ogm.samples import Arrays, Chain, Everything, Happened, Leaf, Measured, Special
from triplestore import RecordError, Store, Table, open_store


def again(model: GraphModel, store: Store | None = None) -> GraphModel:
    """Push, and pull through a session that has seen nothing."""
    store = store or open_store("memory:")
    KnowledgeGraph(store).push(model)
    return KnowledgeGraph(store).pull(type(model), model.iri)


@settings(max_examples=150)
@given(samples.everything)
def test_every_kind_of_field(model: Everything) -> None:
    twin = again(model)
    assert twin == model
    assert hash(twin) == hash(model)
    assert twin.iri == model.iri
    for name in Everything.model_fields:
        assert type(getattr(twin, name)) is type(getattr(model, name))


@settings(max_examples=100)
@given(samples.arrays)
def test_arrays_in_every_layout(model: Arrays) -> None:
    twin = again(model)
    assert twin == model
    assert twin.iri == model.iri
    for name in Arrays.model_fields:
        array, back = getattr(model, name), getattr(twin, name)
        if array is not None:
            np.testing.assert_array_equal(back, array)
            assert back.dtype == array.dtype
            assert back.shape == array.shape


def test_a_folder_keeps_the_same(embedded: Store) -> None:
    @settings(max_examples=25)
    @given(samples.everything)
    def check(model: Everything) -> None:
        twin = again(model, embedded)
        assert twin == model
        assert twin.iri == model.iri

    check()


def test_the_instant_of_a_time_is_kept_and_its_offset_is_not(kg: KnowledgeGraph) -> None:
    class Clock(GraphModel, vocab=samples.VOCAB):
        at: datetime

    odd = timezone(timedelta(hours=5, minutes=53, seconds=28, microseconds=7))
    moment = datetime(1905, 6, 30, 23, 59, 59, 999_999, odd)
    clock = Clock(at=moment)
    kg.push(clock)
    back = KnowledgeGraph(kg.store).pull(Clock, clock.iri)
    assert back.at == moment
    assert back.at.utcoffset() == timedelta()
    assert Clock(at=moment.astimezone(UTC)).iri == clock.iri
    for bad in (datetime(2020, 1, 1), datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=1)))):
        with pytest.raises(RecordError, match="at cannot be stored"):
            kg.push(Clock(at=bad))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("text", "\ud800", "valid Unicode|surrogate"),
        ("number", 10**5000, "number cannot be stored"),
    ],
    ids=["surrogate", "5001 digits"],
)
def test_what_has_no_form_is_refused(
    kg: KnowledgeGraph, field: str, value: Any, message: str
) -> None:
    class Loose(GraphModel, vocab=samples.VOCAB):
        text: str = ""
        number: int = 0

    with pytest.raises(Exception, match=message):
        kg.push(Loose(**{field: value}))


def test_subclasses_come_through_their_parent(kg: KnowledgeGraph) -> None:
    bud = samples.Bud(name="b", open=True)
    special = Special(value=1.0, extra="x").identified("urn:special")
    kg.push(bud, special)
    fresh = KnowledgeGraph(kg.store)
    assert fresh.pull(Leaf, bud.iri) == bud
    assert fresh.pull(Measured, "urn:special") == special
    assert fresh.find(Leaf) == [bud]


def test_shared_parts_are_one_object(kg: KnowledgeGraph) -> None:
    leaf = Leaf(name="shared")
    results = [Measured(value=float(n), of=leaf).identified(f"urn:m:{n}") for n in range(3)]
    kg.push(*results)
    back = KnowledgeGraph(kg.store).pull_all(Measured, [r.iri for r in results])
    assert back == results
    assert back[0].of is back[1].of is back[2].of


def test_two_hundred_deep(kg: KnowledgeGraph) -> None:
    chain = Chain(index=0)
    for index in range(1, 200):
        chain = Chain(index=index, next=chain)
    kg.push(chain)
    back = KnowledgeGraph(kg.store).pull(Chain, chain.iri)
    assert back == chain
    assert hash(back) == hash(chain)
    assert back.iri == chain.iri


def test_pushing_twice_and_from_many_threads(store: Store) -> None:
    kg = KnowledgeGraph(store)
    shared = Leaf(name="shared")
    event = Happened(what="once")
    batches = [
        [Measured(value=float(n), of=shared).identified(f"urn:m:{n}") for n in range(k, k + 20)]
        for k in range(8)
    ]
    failures: list[BaseException] = []

    def push(batch: list[Measured]) -> None:
        try:
            kg.push(event, *batch)
            KnowledgeGraph(store).push(event, *batch)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=push, args=(batch,)) for batch in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures

    def count() -> int:
        answer = store.query("SELECT ?s ?p ?o { ?s ?p ?o }")
        assert isinstance(answer, Table)
        return len(answer.rows)

    before = count()
    fresh = KnowledgeGraph(store)
    assert len(fresh.find(Measured)) == 27
    assert fresh.find(Happened) == [event]
    fresh.push(*fresh.find(Measured))
    KnowledgeGraph(store).push(event, *batches[0])
    assert count() == before


def test_a_push_is_one_transaction(kg: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[bytes] = []
    monkeypatch.setattr(kg.store, "insert", lambda quads, **_: calls.append(quads))
    kg.push(*[Measured(value=1.0, of=Leaf(name=str(n))).identified(f"urn:{n}") for n in range(9)])
    assert len(calls) == 1
    with pytest.raises(RecordError, match="no IRI"):
        kg.push(Leaf(name="new"), Measured(value=1.0))
    assert len(calls) == 1


def test_large_arrays_lie_in_files(embedded: Store) -> None:
    rng = np.random.default_rng(1)
    large = np.asfortranarray(rng.normal(size=(100, 90)))
    large[0, 0] = np.nan
    model = Arrays(f8=large, u1=np.zeros(64 * 1024, np.uint8))
    assert again(model, embedded) == model
    kg = KnowledgeGraph(embedded)
    assert isinstance(kg.files, ArrayFiles)
    files = list(kg.files.folder.rglob("*.npy"))
    assert files == [kg.files.path(digest(model.f8))]  # the other is just small enough
    whole = files[0].read_bytes()
    damaged = [b"", b"PK\x03\x04", whole[:-8], whole[:-1] + b"?", b"\x93NUMPY\x01\x00\xff" + whole]
    for content in damaged:
        files[0].write_bytes(content)
        back = KnowledgeGraph(embedded).pull(Arrays, model.iri)
        with pytest.raises(RecordError, match=str(files[0])) as caught:
            assert back.f8.size
        assert model.iri in str(caught.value)
        assert Arrays.fields()[0].predicate in str(caught.value)
    files[0].unlink()
    with pytest.raises(RecordError, match=str(files[0])):
        assert KnowledgeGraph(embedded).pull(Arrays, model.iri) == model
    files[0].write_bytes(whole)
    assert KnowledgeGraph(embedded).pull(Arrays, model.iri) == model


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([[1.0], [1.0, 2.0]], "inhomogeneous"),
        (["1.5"], "holds no numbers"),
        ([None], "holds no numbers"),
        (np.ma.masked_array([1.0, 2.0], [False, True]), "masked"),
        ([1 + 2j], r"1\+2j"),
        ([2**63 - 1], "cannot be read as float64"),
    ],
)
def test_arrays_that_would_change_are_refused(value: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Arrays(f8=value)


@pytest.mark.parametrize("value", [[1.5], [np.nan], [np.inf], [2.0**70], np.array([2**64 - 1])])
def test_integers_stay_what_they_are(value: object) -> None:
    with pytest.raises(ValueError, match="cannot be read as int64"):
        Arrays(f8=[1.0], i8=value)


def test_float32_rounds_but_does_not_overflow() -> None:
    array: Any = Arrays(f8=[1.0], f4=[0.1, np.nan, np.inf]).f4
    assert array.dtype == np.float32
    with pytest.raises(ValueError, match="cannot be read as float32"):
        Arrays(f8=[1.0], f4=[1e300])
