"""Push and pull of 1,000 objects, beside the bare codec over the same store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ogm import KnowledgeGraph
from triplestore import Store, open_store

from . import bare
from .figures import Figure, in_turn, say, speed
from .sample import OBJECTS, Sample, star

ROUNDS = 9


def measure(folder: Path) -> Iterator[Figure]:
    """Measure push and pull over a folder and over memory."""
    for place, url in (("folder", str(folder / "mapper")), ("memory", "memory:")):
        say(f"mapper: push and pull of {OBJECTS} objects, {place}…")
        with open_store(url) as store:
            yield from push_and_pull(store, place)


def push_and_pull(store: Store, place: str) -> Iterator[Figure]:
    """Compare the mapper with the bare codec; every round pushes fresh content.

    Each pull is made by a session that has seen nothing.
    """
    stars = [star(batch) for batch in range(-1, ROUNDS)]
    plain = [bare.records(batch, OBJECTS) for batch in range(-1, ROUNDS)]
    names: list[list[str]] = [[] for _ in stars]

    def push(step: int) -> None:
        KnowledgeGraph(store).push(*stars[step + 1])

    def write(step: int) -> None:
        bare.write(store, plain[step + 1])

    def pull(step: int) -> None:
        found = KnowledgeGraph(store).pull_all(Sample, names[step + 1])
        assert len(found) == OBJECTS

    def read(step: int) -> None:
        assert len(bare.read(store, [record.iri for record in plain[step + 1]])) == OBJECTS

    push(-1)
    write(-1)
    ours, codec = in_turn(ROUNDS, push, write, clean=True)
    against = f"bare codec, {place}"
    yield speed(f"push, {place}", OBJECTS / ours * 1e3, OBJECTS / codec * 1e3, against, 0.5)
    for known, models in zip(names, stars, strict=True):
        known += [model.iri for model in models]
    assert KnowledgeGraph(store).pull_all(Sample, names[1]) == stars[1]
    assert bare.read(store, [record.iri for record in plain[1]]) == plain[1]
    stars.clear()
    ours, codec = in_turn(ROUNDS, pull, read, clean=True)
    yield speed(f"pull, {place}", OBJECTS / ours * 1e3, OBJECTS / codec * 1e3, against, 0.5)
