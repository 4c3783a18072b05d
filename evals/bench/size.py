"""What a large store costs: 1,000,000 triples of results and activities in a folder."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from ogm import GraphModel, KnowledgeGraph
from ogm.writing import closure, encode
from ontologies.provenance import Activity
from ontologies.quantum import ElectronicResult, SinglePoint
from triplestore import Store, Table, open_store
from workflows.dft.properties.energy import single_point

from .bundles import at_work, bundle, count_of, fill
from .figures import Figure, below, in_turn, say, times

SMALL, LARGE = 100_000, 1_000_000
TIMES = 40


def measure(folder: Path) -> Iterator[Figure]:
    """Fill a small and a large store, and ask and tell them the same in turn."""
    with (
        open_store(str(folder / "small")) as small,
        open_store(str(folder / "large")) as large,
    ):
        say(f"size: filling stores of {SMALL:,} and {LARGE:,} triples, about a minute…")
        bundles, last = count_of(SMALL), count_of(LARGE)
        fill(small, bundles)
        fill(large, last)
        say("size: pushing, looking up and finding…")
        yield from pushes(large, last)
        chosen = random.Random(1).sample(range(bundles), TIMES)
        yield from lookups(small, large, chosen)
        yield from finds(small, large, chosen)


def pushes(store: Store, first: int) -> Iterator[Figure]:
    """Push single points with their activities as the executor does, in a session at work."""
    kg = at_work(store)
    for durable, limit in ((True, 40.0), (False, 5.0)):
        ours = [bundle(first + n) for n in range(TIMES)]
        bare = [_bare(first + TIMES + n) for n in range(TIMES)]
        first += 2 * TIMES
        taken, least = in_turn(
            TIMES,
            lambda i, ours=ours, durable=durable: kg.push(*ours[i], durable=durable),
            lambda i, bare=bare, durable=durable: store.insert(bare[i], durable=durable),
        )
        name = f"push a result, {'flushed' if durable else 'not flushed'}"
        yield below(name, taken, limit, "ms", "insert of the ready quads", least)


def _bare(number: int) -> bytes:
    return encode(closure(bundle(number)).values())


def lookups(small: Store, large: Store, chosen: list[int]) -> Iterator[Figure]:
    """Pull single points by IRI, with what they hold, in sessions that have seen nothing."""
    iris = [bundle(number)[0].iri for number in chosen]

    def look(store: Store, i: int) -> None:
        assert KnowledgeGraph(store).pull(SinglePoint, iris[i]).iri == iris[i]

    def bare(i: int) -> None:
        answer = large.query(f"SELECT ?p ?o {{ <{iris[i]}> ?p ?o }}")
        assert isinstance(answer, Table)
        assert answer.rows

    yield from _compare("lookup by IRI", small, large, look, bare, 2.0)


def finds(small: Store, large: Store, chosen: list[int]) -> Iterator[Figure]:
    """Find by two fields: of which one fits all, and of which each fits some."""
    found = [bundle(number) for number in chosen]

    def by_key(store: Store, i: int) -> None:
        key = found[i][1].key
        hits = KnowledgeGraph(store).find(Activity, calculation=single_point.name, key=key)
        assert [hit.iri for hit in hits] == [found[i][1].iri]

    def by_inputs(store: Store, i: int, cls: type[ElectronicResult] = SinglePoint) -> None:
        result = found[i][0]
        hits = KnowledgeGraph(store).find(cls, atoms=result.atoms, level=result.level)
        assert [hit.iri for hit in hits] == [result.iri]

    def by_parent(store: Store, i: int) -> None:
        by_inputs(store, i, ElectronicResult)

    def bare(model: GraphModel, **values: str) -> None:
        plans = {plan.name: plan.predicate for plan in type(model).fields()}
        where = " ; ".join(f"<{plans[name]}> {value}" for name, value in values.items())
        answer = large.query(f"SELECT ?s {{ ?s a <{type(model).term()}> ; {where} }}")
        assert isinstance(answer, Table)
        assert len(answer.rows) == 1

    def bare_key(i: int) -> None:
        activity = found[i][1]
        bare(activity, calculation=f'"{single_point.name}"', key=f'"{activity.key}"')

    def bare_inputs(i: int) -> None:
        result = found[i][0]
        bare(result, atoms=f"<{result.atoms.iri}>", level=f"<{result.level.iri}>")

    yield from _compare("find by calculation and key", small, large, by_key, bare_key, 20.0)
    for name, ask in (
        ("find by atoms and level", by_inputs),
        ("find by them, parent class", by_parent),
    ):
        yield from _compare(name, small, large, ask, bare_inputs, 20.0)


def _compare(
    name: str,
    small: Store,
    large: Store,
    ask: Callable[[Store, int], None],
    bare: Callable[[int], None],
    limit: float,
) -> Iterator[Figure]:
    few, many, least = in_turn(TIMES, lambda i: ask(small, i), lambda i: ask(large, i), bare)
    yield below(name, many, limit, "ms", "its bare query", least)
    yield times(f"{name}, grown", many, few, 1.5, "ms", f"{SMALL:,} triples")
