"""Objects named by a key, and what a store refuses to keep twice."""

import multiprocessing
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.equality import same_value
from ogm.model import storable
from tests.ogm.samples import VOCAB, Happened, Leaf, Measured
from triplestore import ConflictError, RecordError, Store, open_store


class Element(GraphModel, vocab=VOCAB, key=("symbol",)):
    symbol: str
    mass: float
    note: str | None = None


class Isotope(GraphModel, vocab=VOCAB):
    element: Element
    neutrons: int


def test_a_key_names_an_object() -> None:
    iron = Element(symbol="Fe", mass=55.845)
    assert iron.iri == Element(symbol="Fe", mass=1.0).iri
    assert iron.iri != Element(symbol="Co", mass=55.845).iri
    assert iron != Element(symbol="Fe", mass=1.0)
    with pytest.raises(RecordError, match="from its content"):
        iron.identified("urn:iron")

    class Wrong(GraphModel, key=("sign",)):
        symbol: str

    with pytest.raises(TypeError, match="sign, which is no field"):
        Wrong.fields()
    assert Wrong not in set(storable(GraphModel))  # so that nobody else fails over it
    assert Element in set(storable(GraphModel))
    with pytest.raises(TypeError, match="names the fields"):
        type("Worse", (GraphModel,), {}, key=("symbol",), identity="event")  # pyright: ignore


def test_another_value_for_a_key_is_refused_with_both_shown(store: Store) -> None:
    iron = Element(symbol="Fe", mass=55.845)
    KnowledgeGraph(store).push(iron)
    other = Element(symbol="Fe", mass=56.0)
    with pytest.raises(ConflictError) as caught:
        KnowledgeGraph(store).push(Leaf(name="along"), Isotope(element=other, neutrons=30))
    for part in (iron.iri, "#mass", "55.845", "56"):
        assert part in str(caught.value)
    kg = KnowledgeGraph(store)
    assert kg.find(Leaf) == kg.find(Isotope) == []  # one transaction: nothing of it was stored
    assert kg.pull(Element, iron.iri) == iron
    kg.push(Element(symbol="Fe", mass=55.845, note="said later"))
    assert KnowledgeGraph(store).pull(Element, iron.iri).note == "said later"


class Bottle(GraphModel, vocab=VOCAB, key=("name",)):
    name: str
    volume: float | None = None
    shelf: str = "top"
    labels: tuple[str, ...] = ()
    hazards: frozenset[int] | None = None


bottles = st.builds(
    Bottle,
    name=st.just("a"),
    volume=st.sampled_from([None, 0.0, 1.0, float("nan")]),
    shelf=st.sampled_from(["top", "bottom"]),
    labels=st.sampled_from([(), ("x",), ("x", "y"), ("y", "x")]),
    hazards=st.sampled_from([None, frozenset[int](), frozenset({1}), frozenset({1, 2})]),
)


@given(st.lists(bottles, min_size=2, max_size=4))
def test_what_was_said_of_a_key_stays_and_what_was_left_open_may_be_said(given: Any) -> None:
    said: dict[str, Any] = {}
    with open_store("memory:") as store:
        for bottle in given:
            now = {name: value for name, value in bottle if value is not None and value != ()}
            differs = [n for n in now if n in said and not same_value(said[n], now[n])]
            if differs:
                with pytest.raises(ConflictError):
                    KnowledgeGraph(store).push(bottle)
            else:
                KnowledgeGraph(store).push(bottle)
                said |= now
            assert KnowledgeGraph(store).pull(Bottle, bottle.iri) == Bottle(**said)


def test_a_result_says_one_thing(store: Store) -> None:
    kg = KnowledgeGraph(store)
    kg.push(Measured(value=1.0).identified("urn:m"))
    kg.push(Measured(value=1.0).identified("urn:m"))
    with pytest.raises(ConflictError, match=r"urn:m.*#value.*1.*2"):
        kg.push(Measured(value=2.0).identified("urn:m"))
    with pytest.raises(ConflictError, match=r"urn:e.*#what.*one.*two"):
        kg.push(Happened(what="one").identified("urn:e"), Happened(what="two").identified("urn:e"))
    assert kg.find(Happened) == []


def test_two_objects_of_one_name_may_be_given_if_they_agree(store: Store) -> None:
    twins = [Element(symbol="Fe", mass=1.0) for _ in range(2)]
    linked = Isotope(element=twins[0], neutrons=1), Isotope(element=twins[1], neutrons=2)
    KnowledgeGraph(store).push(*linked)
    assert len(KnowledgeGraph(store).find(Element)) == 1


def test_one_of_several_threads_wins_and_the_others_hear_of_it(store: Store) -> None:
    start, heard = threading.Barrier(6), list[str]()

    def claim(mass: float) -> None:
        kg = KnowledgeGraph(store)
        start.wait()
        try:
            kg.push(Element(symbol="Fe", mass=mass))
            heard.append("stored")
        except ConflictError:
            heard.append("refused")

    threads = [threading.Thread(target=claim, args=(float(n),)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(heard) == ["refused"] * 5 + ["stored"]
    assert len(KnowledgeGraph(store).find(Element)) == 1


def _retrieve_or_create(folder: str, count: int) -> None:
    with open_store(folder) as store:
        kg = KnowledgeGraph(store)
        for number in range(count):
            kg.push(Isotope(element=Element(symbol="Fe", mass=1.0), neutrons=number))


def test_several_processes_create_each_object_once(embedded: Store) -> None:
    assert embedded.home is not None
    spawn = multiprocessing.get_context("spawn")
    folder = str(Path(embedded.home))
    workers = [spawn.Process(target=_retrieve_or_create, args=(folder, 10)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    kg = KnowledgeGraph(embedded)
    assert [iso.neutrons for iso in sorted(kg.find(Isotope), key=lambda i: i.neutrons)] == list(
        range(10)
    )
    assert len(kg.find(Element)) == 1


def test_a_link_brings_its_object_along_and_a_bare_one_does_not(store: Store) -> None:
    class Note(GraphModel, vocab=VOCAB, identity="event"):
        about: Link[Leaf]

    kg = KnowledgeGraph(store)
    kg.push(Note(about=Link(Leaf(name="held"))), Note(about=Link(Leaf(name="bare").iri)))
    assert [leaf.name for leaf in kg.find(Leaf)] == ["held"]


class Report(GraphModel, vocab=VOCAB, identity="result"):
    energy: float
    zero_point: float | None = None
    modes: tuple[float, ...] = ()


def test_two_halves_do_not_become_one_result(store: Store) -> None:
    one = Report(energy=1.0, zero_point=0.5).identified("urn:r")
    other = Report(energy=1.0, modes=(1.0,)).identified("urn:r")
    less = Report(energy=1.0).identified("urn:r")
    KnowledgeGraph(store).push(one)
    for differing in (other, less):
        with pytest.raises(ConflictError, match="urn:r"):
            KnowledgeGraph(store).push(differing)
    KnowledgeGraph(store).push(Report(energy=1.0, zero_point=0.5).identified("urn:r"))
    assert KnowledgeGraph(store).pull(Report, "urn:r") == one


def test_what_either_of_two_equal_objects_holds_is_stored(store: Store) -> None:
    class Signpost(GraphModel, vocab=VOCAB):
        to: Link[Happened]

    event = Happened(what="here")
    KnowledgeGraph(store).push(Signpost(to=Link(event.iri)), Signpost(to=Link(event)))
    assert KnowledgeGraph(store).pull(Happened, event.iri) == event


def test_sets_of_what_is_not_named_by_its_content_are_refused() -> None:
    class Bag(GraphModel, vocab=VOCAB):
        results: frozenset[Measured]

    with pytest.raises(TypeError, match=r"frozenset\[Link\[Measured\]\]"):
        Bag.fields()


def test_another_identity_forgets_the_key() -> None:
    class Copied(Element, vocab=VOCAB, identity="value"):
        pass

    assert Copied(symbol="Fe", mass=1.0).iri != Copied(symbol="Fe", mass=2.0).iri


@pytest.mark.parametrize(
    ("space", "options", "message"),
    [
        ({"x": (int, 1)}, {"frozen": False}, "frozen=True"),
        ({"x": (int, 1)}, {"extra": "allow"}, "extra='forbid'"),
        ({"parts": (int, 1)}, {}, "something of that name"),
    ],
)
def test_a_class_may_not_give_up_what_keeps_its_objects(
    space: dict[str, tuple[type, object]], options: dict[str, object], message: str
) -> None:
    names = {"__annotations__": {n: t for n, (t, _) in space.items()}, "__module__": __name__}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pydantic remarks on names too, and goes on
        with pytest.raises(TypeError, match=message):
            type("Wrong", (GraphModel,), {**names, "model_config": options})  # pyright: ignore
    with pytest.raises(TypeError, match="always validated"):
        Leaf.model_construct(name="x")
