"""Requests at a level that is at hand, through the definitions that every door uses."""

from __future__ import annotations

from typing import Any, TypeVar

import pytest
from pydantic import PrivateAttr

from grafico import Grafico
from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level, ResolvedLevel
from ontologies.provenance import Run
from triplestore.errors import GraficoError
from workflows.dft.request.forms import DFTRequest
from workflows.engine import Executor
from workflows.engine.request.definition import Given
from workflows.engine.request.form import Form, fill
from workflows.engine.request.workflow import Finished, Ready, finished
from workflows.molecule.subject import MOLECULE
from workflows.registry import workflows
from workflows.registry.levels import LevelForm

ModelT = TypeVar("ModelT", bound=GraphModel)


class AtHand(LevelForm):
    """A level that need not be resolved."""

    _level: Level = PrivateAttr()

    @classmethod
    def of(cls, level: Level) -> AtHand:
        form = cls(method=level.method)
        form._level = level
        return form

    async def resolve(self, atoms: ConceptualAtoms, executor: Executor) -> ResolvedLevel:
        return ResolvedLevel(method=self.method, level=self._level)


async def asked_of(
    workflow: str,
    atoms: ConceptualAtoms,
    request: Form,
    level: LevelForm,
    executor: Executor,
    *,
    subject: str = "",
    hours: float = 24.0,
    router: Any = None,
) -> Finished:
    """Run a workflow on a structure."""
    chosen, given = workflows().named(workflow), Given(atoms, subject)
    prepared = await chosen.whole.prepare(given, request, level, executor)
    forms = (prepared.request or request, level)
    ready = Ready(chosen, given, forms, prepared, executor, hours)
    return await finished(ready, router=router)


async def run_dft(
    atoms: ConceptualAtoms, level: Level, request: DFTRequest, executor: Executor, **more: Any
) -> Finished:
    """Run the calculation on one molecule, at a level that is at hand."""
    return await asked_of("dft", atoms, request, AtHand.of(level), executor, **more)


async def found(session: Grafico, molecule: object) -> Given[ConceptualAtoms]:
    """The structure that is meant by a text."""
    options = fill(MOLECULE.form, {}, session.settings.defaults)
    return await MOLECULE.read(molecule, options, session.executor)


def refuse(session: Grafico, workflow: str, given: object, problem: str, /, **asked: Any) -> None:
    """See that a request is refused with these words before any run of it is recorded."""
    before = len(session.kg.find(Run, graph=workflow))
    with pytest.raises(GraficoError) as caught:
        session.run(given, workflow=workflow, **asked)
    assert problem in str(caught.value)
    assert len(session.kg.find(Run, graph=workflow)) == before


def made(
    session: Grafico, workflow: str, given: object, kind: type[ModelT], /, **asked: Any
) -> ModelT:
    """The one result that a request comes to, which is stored as it is handed out."""
    [found] = session.run(given, workflow=workflow, **asked).ran.made
    assert isinstance(found, kind)
    assert session.kg.pull(kind, found.iri) == found
    return found
