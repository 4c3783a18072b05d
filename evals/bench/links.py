"""Links followed: a star of 1,000 at depth 1 and a chain of 1,000 to its end.

Counted are the requests to the store; a mapper that asks for each object makes a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from ogm import GraphModel, KnowledgeGraph, Link
from triplestore import GraficoError, Store, Table, open_store
from triplestore.remote.blazegraph import Blazegraph

from . import peers
from .counting import Counting
from .figures import Figure, below, in_turn, say
from .peers import UnavailableError
from .sample import OBJECTS, VOCAB, Sample, star

TIMES = 5
MOST = 2  # round trips


class Hub(GraphModel, vocab=VOCAB):
    """The middle of a star."""

    label: str
    members: frozenset[Link[Sample]]


class Step(GraphModel, vocab=VOCAB):
    """A link of a chain."""

    index: int
    next: Link[Step] | None = None


def measure(folder: Path) -> Iterator[Figure]:
    """Follow links over every kind of store that can run here."""

    def oxigraph(stack: ExitStack) -> Store:
        peers.environment()
        url = stack.enter_context(peers.oxigraph(folder / "oxigraph"))
        return open_store(f"{url}/query")

    def blazegraph(stack: ExitStack) -> Store:
        return open_store(stack.enter_context(Blazegraph(folder / "blazegraph")).url)

    places: dict[str, Callable[[ExitStack], Store]] = {
        "folder": lambda _: open_store(str(folder / "links")),
        "Oxigraph": oxigraph,
        "Blazegraph": blazegraph,
    }
    for place, start in places.items():
        say(f"links: a star and a chain of {OBJECTS}, {place}…")
        with ExitStack() as stack:
            try:
                store = stack.enter_context(start(stack))
            except (UnavailableError, GraficoError) as error:
                say(f"  left out: {place}: {error}")
                continue
            yield from _star(store, place)
            yield from _chain(store, place)


def _star(store: Store, place: str) -> Iterator[Figure]:
    leaves = star(0)
    hub = Hub(label=place, members=frozenset(Link[Sample](leaf) for leaf in leaves))
    KnowledgeGraph(store).push(*leaves, hub)
    names = " ".join(f"<{leaf.iri}>" for leaf in leaves)

    def pull(store: Store) -> None:
        found = KnowledgeGraph(store).pull(Hub, hub.iri, depth=1)
        held = sum(link.held is not None for link in found.members)
        assert held == OBJECTS, f"{held} of {OBJECTS} links hold what they lead to"

    bare = f"SELECT ?s ?p ?o {{ VALUES ?s {{ {names} }} ?s ?p ?o }}"
    yield from _figures(store, f"star, depth 1, {place}", pull, bare, None)


def _chain(store: Store, place: str) -> Iterator[Figure]:
    steps = [Step(index=0)]
    for index in range(1, OBJECTS):
        steps.append(Step(index=index, next=Link[Step](steps[-1])))
    KnowledgeGraph(store).push(*steps)
    first = steps[-1].iri

    def pull(store: Store) -> None:
        step, count = KnowledgeGraph(store).pull(Step, first, depth=-1), 1
        while step.next is not None:
            assert step.next.held is not None
            step, count = step.next.held, count + 1
        assert count == OBJECTS

    bare = f"SELECT ?s ?p ?o {{ <{first}> <{VOCAB.term('next')}>* ?s . ?s ?p ?o }}"
    yield from _figures(store, f"chain, depth -1, {place}", pull, bare, 500.0)


def _figures(
    store: Store, name: str, pull: Callable[[Store], None], bare: str, limit: float | None
) -> Iterator[Figure]:
    counting = Counting(store)
    pull(counting)
    trips = counting.queries

    def ask(_: int) -> None:
        answer = store.query(bare)
        assert isinstance(answer, Table)
        assert len(answer.rows) > OBJECTS

    ask(0)
    ours, least = in_turn(TIMES, lambda _: pull(store), ask, clean=True)
    yield Figure(
        name, trips, OBJECTS, "requests", "one an object", f"at most {MOST}", trips <= MOST
    )
    yield below(name, ours, limit, "ms", "one query for all their triples", least)
