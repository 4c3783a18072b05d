"""What a store fills up with: single points with their activities, as the executor records them."""

from __future__ import annotations

import multiprocessing
import random
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from datetime import UTC, datetime, timedelta

import numpy as np

from ogm import GraphModel, KnowledgeGraph, Link, class_iri
from ogm.writing import closure, encode
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.provenance import Activity, Device, Software
from ontologies.quantum import SinglePoint
from triplestore import Store
from workflows.dft.properties.energy import single_point
from workflows.engine.local.devices import usable_cores

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
LEVELS = tuple(
    LevelOfTheory(method=method, basis=basis, reference="restricted")
    for method in ("HF", "B3LYP", "PBE", "wB97X-D")
    for basis in ("def2-SVP", "def2-TZVP", "6-31G*", "cc-pVDZ", "cc-pVTZ")
)
DEVICES = tuple(Device(kind="cpu", name=f"node {number}") for number in range(8))
SOFTWARE = frozenset(
    Software(name=name, version=version)
    for name, version in {"PySCF": "2.14.0", "libcint": "6.1.2", "libxc": "7.0.0"}.items()
)


def bundle(number: int) -> tuple[SinglePoint, Activity]:
    """Return a result and its activity; another number gives other content, always the same."""
    dice = random.Random(number)
    count = dice.randint(3, 12)
    grid = np.array([[i % 3, i // 3 % 3, i // 9] for i in range(count)], float) * 1.4
    atoms = ConceptualAtoms(
        numbers=[dice.choice([1, 6, 7, 8]) for _ in range(count)],
        positions=grid + [[dice.uniform(-0.1, 0.1) for _ in range(3)] for _ in range(count)],
    )
    level = dice.choice(LEVELS)
    call = single_point.bind(atoms, level)
    started = BEGAN + timedelta(seconds=number, milliseconds=dice.randrange(1000))
    wall_time = dice.uniform(0.5, 900)
    result = SinglePoint(
        atoms=atoms,
        level=level,
        energy=-dice.uniform(10, 400),
        converged=True,
        scf_cycles=dice.randint(8, 30),
        dipole=np.array([dice.gauss(0, 1) for _ in range(3)]),
        mulliken_charges=np.array([dice.gauss(0, 0.3) for _ in range(count)]),
        homo=-dice.uniform(0.2, 0.5),
        lumo=dice.uniform(0.0, 0.2),
    ).identified(class_iri("SinglePoint", f"{number:032x}"))
    activity = Activity(
        calculation=single_point.name,
        version=single_point.version,
        epoch=single_point.backend.epoch,
        key=call.key,
        family=call.family,
        signature=call.signature,
        used=frozenset({Link[GraphModel](atoms), Link[GraphModel](level)}),
        generated=Link[GraphModel](result),
        started=started,
        ended=started + timedelta(seconds=wall_time),
        wall_time=wall_time,
        threads=dice.choice([1, 2, 4, 8]),
        device=dice.choice(DEVICES),
        software=SOFTWARE,
    ).identified(class_iri("Activity", f"{number:032x}"))
    return result, activity


def quads(first: int, count: int) -> bytes:
    """Return so many bundles, each a result with its inputs and its activity, as N-Quads."""
    models = (model for number in range(first, first + count) for model in bundle(number))
    return encode(closure(models).values())


def fill(
    store: Store,
    count: int,
    at_once: int = 500,
    making: Callable[[int, int], bytes] = quads,
) -> None:
    """Fill a store with the first so many bundles, which are made in processes of their own."""
    made: deque[Future[bytes]] = deque()
    with ProcessPoolExecutor(min(usable_cores(), 4), multiprocessing.get_context("spawn")) as pool:
        for first in range(0, count, at_once):
            made.append(pool.submit(making, first, min(at_once, count - first)))
            if len(made) > 8:
                store.insert(made.popleft().result(), durable=False)
        while made:
            store.insert(made.popleft().result(), durable=False)
    store.flush()


def count_of(triples: int) -> int:
    """Return how many bundles a store has that holds at least so many triples."""
    few, more = (quads(0, count).count(b"\n") for count in (100, 200))
    return -(-triples * 100 // (more - few))


def at_work(store: Store) -> KnowledgeGraph:
    """Return a session that has seen what all bundles share, as one at work has."""
    kg = KnowledgeGraph(store)
    kg.push(*LEVELS, *DEVICES, *SOFTWARE)
    return kg
