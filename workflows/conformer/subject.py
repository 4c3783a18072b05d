"""An ensemble as what is asked about: by its IRI, that of what holds it, or that of its run."""

from __future__ import annotations

from typing import ClassVar

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.conformers import ConformerEnsemble
from ontologies.provenance import Outcome, Run
from triplestore.errors import NotFoundError
from workflows.engine import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import Form

ADVICE = "make one with `conformers` or `cluster`, and give its IRI or that of its run"


class Ensemble(Subject[ConformerEnsemble]):
    """An ensemble of conformers."""

    name: ClassVar[str] = "ensemble"
    metavar: ClassVar[str] = "ENSEMBLE"
    stored: ClassVar[bool] = True
    model = ConformerEnsemble
    form = Form
    help: ClassVar[str] = (
        "ENSEMBLE is the IRI of an ensemble of conformers or of a cluster, or of its run."
    )

    def label(self, model: ConformerEnsemble) -> str:
        return f"conformers of {model.molecule.formula}"

    def argument(self, given: Given[ConformerEnsemble]) -> str:
        return given.model.iri

    def stored_object(self, kg: KnowledgeGraph, iri: str) -> ConformerEnsemble:
        model = kg.pull(GraphModel, full_iri(iri))
        if isinstance(model, Run):
            made = [one for each in kg.find(Outcome, run=model) for one in each.results]
            found = kg.pull_all(GraphModel, [one.iri for one in made])
            model = next((one for one in found if isinstance(one, ConformerEnsemble)), model)
        for found in (model, *vars(model).values()):  # a cluster holds one
            if isinstance(found, ConformerEnsemble):
                return found
        raise NotFoundError(
            f"an ensemble was asked for by {iri}", f"that is a {type(model).__name__}", ADVICE
        )

    async def read(self, given: object, said: Form, executor: Executor) -> Given[ConformerEnsemble]:
        if isinstance(given, ConformerEnsemble):
            return Given(given)
        text = str(given).strip()
        if " " in text or (":" not in text and "/" not in text):
            raise NotFoundError(
                f"an ensemble was asked for by {text[:80]!r}", "that is no IRI", ADVICE
            )
        found = self.stored_object(executor.kg, text)
        return Given(found, self.label(found))


ENSEMBLE = Ensemble()
