"""The latest runs, and what is much referred to: right on every store, without reading it all."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grafico.session import inspection, latest
from ogm import GRAFICO, KnowledgeGraph, Link, migrate
from ogm.terms import BASE, CONTENT, SCHEMA_VERSION
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.provenance import Outcome, Run, Software, Transition, periods
from ontologies.quantum import SinglePoint
from triplestore import Store
from triplestore.memory import MemoryStore

NOW = datetime.now(UTC)
SOFTWARE = Software(name="test", version="1")
WATER = ConceptualAtoms(
    numbers=np.array([8, 1, 1]),
    positions=np.array([[0, 0, 0.119], [0, 0.763, -0.477], [0, -0.763, -0.477]]),
)
LEVEL = LevelOfTheory(method="HF", basis="STO-3G", reference="restricted")


def made(number: int, started: datetime) -> Run:
    return Run(
        graph="dft",
        goal="energy",
        subject=f"water {number}",
        request="{}",
        started=started,
        software=SOFTWARE,
    ).identified(f"{BASE}id/Run/{number:06}")


def result(number: int, energy: float) -> SinglePoint:
    return SinglePoint(
        atoms=WATER,
        level=LEVEL,
        energy=energy,
        converged=True,
        scf_cycles=9,
        dipole=np.array([0, 0, 2.0]),
        mulliken_charges=np.zeros(3),
        homo=-0.3,
        lumo=0.1,
    ).identified(f"{BASE}id/SinglePoint/{number:06}")


def shown(store: Store, limit: int) -> list[str]:
    return [line.run for line in latest.runs(store, limit)]


def expected(runs: list[Any], limit: int) -> list[str]:
    ordered = sorted(runs, key=lambda run: (run.started, run.iri), reverse=True)
    return [run.iri for run in ordered[:limit]]


class Watched:
    """A store that counts the rows it hands out."""

    def __init__(self, store: Store) -> None:
        self.store, self.rows, self.queries = store, 0, list[str]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def query(self, sparql: str, **options: Any) -> Any:
        answer = self.store.query(sparql, **options)
        self.rows += len(getattr(answer, "rows", []))
        self.queries.append(sparql)
        return answer


def test_the_latest_runs_come_first_with_what_they_came_to(store: Store) -> None:
    kg = KnowledgeGraph(store)
    assert latest.runs(store, 10) == []
    # minutes, hours, days, months and years apart, and three within one second
    ages = [0, 0.2, 0.25, 70, 3700, 90_000, 40 * 86_400, 400 * 86_400, 5000 * 86_400]
    runs = [made(n, NOW - timedelta(seconds=age)) for n, age in enumerate(ages)]
    kg.push(*reversed(runs))
    several = [result(2, -75.0), result(1, -76.0)]
    for number, results in enumerate([several, [result(3, -77.5)], []]):
        kg.push(
            Transition(
                run=Link(runs[number]),
                index=0,
                node="Energy",
                inputs="{}",
                chosen_by="goal",
                reason="",
                menu=("Energy",),
                started=NOW,
                ended=NOW,
            ),
            Outcome(
                run=Link(runs[number]),
                status="finished",
                message=f"m{number}",
                ended=NOW,
                results=tuple(Link(one) for one in results),
            ),
        )
    for limit in (1, 2, 5, 100):
        assert shown(store, limit) == expected(runs, limit)
    lines = latest.runs(store, 4)
    assert [line.energy for line in lines] == [-76.0, -77.5, None, None]
    assert [line.level for line in lines] == ["HF/STO-3G", "HF/STO-3G", "", ""]
    assert [line.message for line in lines] == ["m0", "m1", "m2", ""]
    assert [line.status for line in lines] == ["finished"] * 3 + ["not finished"]
    assert lines[3].subject == "water 3"


def before_periods(runs: list[Run]) -> bytes:
    """What the first schema stored of runs."""
    later = (GRAFICO.term("period"), SCHEMA_VERSION, CONTENT)
    with MemoryStore() as memory:
        KnowledgeGraph(memory).push(*runs)
        lines = b"".join(memory.dump()).decode().splitlines(keepends=True)
    return "".join(line for line in lines if not any(name in line for name in later)).encode()


def test_runs_of_an_earlier_release_are_listed_and_brought_up_to_date(store: Store) -> None:
    kg = KnowledgeGraph(store)
    old = [made(n, NOW - timedelta(days=n)) for n in range(5)]
    store.insert(before_periods(old))
    new = [made(10 + n, NOW - timedelta(days=n, hours=1)) for n in range(5)]
    kg.push(*new)
    assert shown(store, 7) == expected([*old, *new], 7)
    again = KnowledgeGraph(store)
    assert again.pull(Run, old[3].iri).period == periods(old[3].started)
    assert migrate(again) == {"Run": 5}
    watched: Any = Watched(store)
    assert shown(watched, 7) == expected([*old, *new], 7)
    assert not any("a g:Run ; prov:startedAtTime" in query for query in watched.queries)


def test_what_is_read_does_not_grow_with_what_is_stored() -> None:
    read: list[int] = []
    for count in (2_000, 8_000):
        with MemoryStore() as memory:
            runs = [made(n, NOW - timedelta(hours=n)) for n in range(count)]
            # in one minute more than are looked at, and as many at the very same time
            runs += [made(20_000 + n, NOW - timedelta(days=99, milliseconds=n)) for n in range(500)]
            runs += [made(30_000 + n, NOW - timedelta(days=98)) for n in range(500)]
            KnowledgeGraph(memory).push_all(runs)
            watched: Any = Watched(memory)
            assert shown(watched, 20) == expected(runs, 20)
            read.append(watched.rows)
            assert shown(memory, 2_700) == expected(runs, 2_700)
    assert read[1] <= read[0] + 20


@settings(max_examples=25)
@given(
    st.lists(
        st.datetimes(datetime(1971, 1, 1), datetime(2199, 1, 1)).map(
            lambda t: t.replace(tzinfo=UTC)
        ),
        max_size=12,
    ),
    st.integers(1, 14),
    st.integers(1, 4),
)
def test_any_times_are_listed_in_order(times: list[datetime], limit: int, few: int) -> None:
    with pytest.MonkeyPatch.context() as patch, MemoryStore() as memory:
        patch.setattr(latest, "FEW", few)
        runs = [made(number, time) for number, time in enumerate(times)]
        KnowledgeGraph(memory).push_all(runs)
        assert shown(memory, limit) == expected(runs, limit)


@pytest.fixture
def popular(store: Store) -> Store:
    results = [result(n, -76.0 - n) for n in range(60)]
    kg = KnowledgeGraph(store)
    kg.push(*results)
    kg.push(made(1, NOW).model_copy(update={"about": frozenset({Link(WATER)})}))
    store.insert(f"<urn:other> <urn:says> <{WATER.iri}> .\n".encode())
    return store


def test_something_much_referred_to_shows_each_kind_of_referrer(popular: Store) -> None:
    portrait = inspection.show(popular, WATER.iri)
    assert portrait.more
    assert len(portrait.referrers) == inspection.MOST_NEIGHBOURS
    assert {"g:atoms", "g:about"} <= {name for name, _ in portrait.referrers}
    assert portrait.referrers == sorted(portrait.referrers)
    assert len({*portrait.referrers}) == len(portrait.referrers)
    few = inspection.show(popular, result(1, 0).iri)
    assert not few.more
    assert inspection.show(popular, LEVEL.iri).more


def test_runs_of_one_moment_come_in_the_order_of_their_iris(store: Store) -> None:
    """More than are read of a minute, so that the engine has to choose the latest."""
    kg = KnowledgeGraph(store)
    runs = [made(number, NOW) for number in range(latest.FEW + 50)]
    kg.push(*runs[::-1])
    assert shown(store, 7) == expected(runs, 7)
