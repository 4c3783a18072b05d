"""How far a pull follows links, and how often it asks the store."""

from typing import Any

import pytest

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import RDF_TYPE
from tests.ogm.samples import VOCAB, Leaf
from triplestore import NotFoundError, Store


class Hop(GraphModel, vocab=VOCAB):
    index: int
    leaf: Leaf | None = None
    next: "Link[Hop] | None" = None


class Nest(GraphModel, vocab=VOCAB):
    index: int
    inner: "Nest | None" = None


class Star(GraphModel, vocab=VOCAB):
    rays: tuple[Link[Hop], ...] = ()


class Bead(GraphModel, vocab=VOCAB, identity="event"):
    index: int
    next: "Link[Bead]"


class Counted:
    """A store that counts how often it is asked."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.queries = 0

    def query(self, *args: Any, **more: Any) -> Any:
        self.queries += 1
        return self._store.query(*args, **more)

    def reach(self, *args: Any) -> Any:
        self.queries += 1
        return self._store.reach(*args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


@pytest.fixture
def counted(store: Store) -> Any:
    return Counted(store)


def chain(length: int) -> Hop:
    hop = Hop(index=0, leaf=Leaf(name="0"))
    for index in range(1, length):
        hop = Hop(index=index, leaf=Leaf(name=str(index)), next=Link(hop))
    return hop


def held(hop: Hop | None) -> int:
    count = 0
    while hop and hop.next and (hop := hop.next.held):
        count += 1
    return count


def test_what_links_hold_is_pushed_along(counted: Any) -> None:
    KnowledgeGraph(counted).push(chain(5))
    assert len(KnowledgeGraph(counted).find(Hop)) == 5
    assert len(KnowledgeGraph(counted).find(Leaf)) == 5


@pytest.mark.parametrize(("depth", "reached"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 5), (-1, 5)])
def test_depth_counts_links(counted: Any, depth: int, reached: int) -> None:
    first = chain(6)
    KnowledgeGraph(counted).push(first)
    pulled = KnowledgeGraph(counted).pull(Hop, first.iri, depth)
    assert held(pulled) == reached
    assert pulled == first
    assert pulled.leaf == first.leaf  # what a field holds is no edge: it comes at any depth


def test_depth_also_reaches_through_what_the_session_knows(counted: Any) -> None:
    first = chain(4)
    KnowledgeGraph(counted).push(first)
    kg = KnowledgeGraph(counted)
    shallow = kg.pull(Hop, first.iri)
    assert held(kg.pull(Hop, first.iri, depth=2)) == 2
    assert held(kg.find(Hop, index=3, depth=-1)[0]) == 3
    assert shallow.next is not None
    assert shallow.next.load(kg).index == 2


def test_a_star_and_a_long_chain_take_two_questions_at_most(counted: Any) -> None:
    star = Star(rays=tuple(Link(Hop(index=n, leaf=Leaf(name="one"))) for n in range(300)))
    long, nest = chain(300), None
    for index in range(300):
        nest = Nest(index=index, inner=nest)
    assert nest is not None
    KnowledgeGraph(counted).push(star, long, nest)
    counted.queries = 0
    pulled = KnowledgeGraph(counted).pull(Star, star.iri, depth=1)
    assert all(ray.held is not None for ray in pulled.rays)
    assert counted.queries == 2
    counted.queries = 0
    assert held(KnowledgeGraph(counted).pull(Hop, long.iri, depth=-1)) == 299
    assert counted.queries == 1
    counted.queries = 0
    assert KnowledgeGraph(counted).pull(Nest, nest.iri) == nest
    assert counted.queries == 2


def test_cycles_end(counted: Any) -> None:
    here, there = "urn:bead:1", "urn:bead:2"
    beads = [
        Bead(index=1, next=Link(there)).identified(here),
        Bead(index=2, next=Link(here)).identified(there),
    ]
    KnowledgeGraph(counted).push(*beads)
    for depth in (-1, 7):
        first = KnowledgeGraph(counted).pull(Bead, here, depth)
        second = first.next.held
        assert second is not None
        assert second == beads[1]
        assert second.next.held is first
    assert repr(first) == repr(beads[0])


def test_a_link_to_nothing_is_left_and_says_so_when_it_is_followed(counted: Any) -> None:
    hop = Hop(index=1, next=Link("urn:nowhere"))
    KnowledgeGraph(counted).push(hop)
    kg = KnowledgeGraph(counted)
    for depth in (1, -1):
        pulled = kg.pull(Hop, hop.iri, depth)
        assert pulled.next is not None
        assert pulled.next.held is None
        with pytest.raises(NotFoundError, match="urn:nowhere"):
            pulled.next.load(kg)


def test_a_field_that_holds_nothing_names_its_owner(counted: Any) -> None:
    nest = Nest(index=1)
    outer = f"<urn:outer> <{Nest.term()[:-4]}inner> <urn:gone> .\n"
    KnowledgeGraph(counted).push(nest)
    counted.insert(f"<urn:outer> <{RDF_TYPE}> <{Nest.term()}> .\n{outer}".encode())
    with pytest.raises(NotFoundError, match=r"urn:outer.*#inner.*urn:gone"):
        KnowledgeGraph(counted).pull(Nest, "urn:outer")
    assert KnowledgeGraph(counted).pull(Nest, nest.iri) == nest


def test_long_chains_compare_and_hash() -> None:
    def make() -> Nest:
        nest = None
        for index in range(3000):
            nest = Nest(index=index, inner=nest)
        assert nest is not None
        return nest

    assert make() == make()
    assert hash(make()) == hash(make())
    assert make().iri == make().iri
