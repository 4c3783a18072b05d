"""One executor for the tests of a module, so that workers stay warm and results are shared."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grafico.session.loop import Loop
from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.quantum import ElectronicResult
from tests.asking import run_dft
from triplestore import open_store
from workflows.dft.level.resolving import resolve_level
from workflows.dft.request.forms import DFTRequest
from workflows.engine import Executor
from workflows.engine.request.workflow import Finished


class Bench:
    """Runs the graph synchronously over a memory store."""

    def __init__(self, store: str = "memory:") -> None:
        self.loop = Loop()
        self.kg = KnowledgeGraph(open_store(store))
        self.executor = Executor(self.kg, threads_per_calculation=1)

    def level(self, method: str, basis: str, reference: str = "restricted") -> LevelOfTheory:
        call = resolve_level.bind(method, basis, reference)  # pyright: ignore
        return self.loop.call(lambda: self.executor.run(call)).result.level

    def run(
        self, atoms: ConceptualAtoms, level: LevelOfTheory, task: str, subject: str = "", **more
    ) -> Finished:
        request = DFTRequest(task=task, **more)  # pyright: ignore
        return self.loop.call(
            lambda: run_dft(atoms, level, request, self.executor, subject=subject)
        )

    def last(self, atoms: ConceptualAtoms, level: LevelOfTheory, task: str) -> ElectronicResult:
        finish = self.run(atoms, level, task)
        assert finish.status == "finished", finish.message
        return finish.state.answers[-1].result

    def close(self) -> None:
        self.loop.call(self.executor.aclose)
        self.loop.close()
        self.kg.store.close()


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    bench = Bench()
    yield bench
    bench.close()
