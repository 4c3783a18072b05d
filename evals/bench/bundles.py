"""What a store fills up with: single points with their activities, as the executor records them."""

from __future__ import annotations

import random
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


def fill(store: Store, triples: int, at_once: int = 500) -> int:
    """Fill an empty store with bundles until it holds so many triples; return how many bundles."""
    shared = closure([*LEVELS, *DEVICES, *SOFTWARE])
    quads = encode(shared.values())
    stored = bundles = 0
    while True:
        store.insert(quads, durable=False)
        stored += quads.count(b"\n")
        if stored >= triples:
            store.flush()
            return bundles
        found = closure(model for n in range(bundles, bundles + at_once) for model in bundle(n))
        quads = encode(model for iri, model in found.items() if iri not in shared)
        bundles += at_once


def at_work(store: Store) -> KnowledgeGraph:
    """Return a session that has seen what all bundles share, as one at work has."""
    kg = KnowledgeGraph(store)
    kg.push(*LEVELS, *DEVICES, *SOFTWARE)
    return kg
