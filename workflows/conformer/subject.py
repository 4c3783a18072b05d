"""An ensemble as what is asked about: by its IRI, that of what holds it, or that of its run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.conformers import ConformerEnsemble, ConformersOfFile
from ontologies.provenance import Outcome, Run
from triplestore.errors import InputError, NotFoundError
from workflows.engine import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import Form
from workflows.molecule.recognition import IRI, SHORT
from workflows.molecule.subject import ReadingWithSpin
from workflows.trust.caller import located

from .of_file import read_ensemble

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

Geometries: TypeAlias = ConformerEnsemble | ConformersOfFile
"""What can be refined."""

FILE_ADVICE = "give a file of geometries (XYZ, SDF) of one molecule, or " + ADVICE.removeprefix(
    "make one with "
)


class EnsembleOrFile(Ensemble):
    """An ensemble of conformers, or a file that holds one."""

    model: Any = Geometries
    form = ReadingWithSpin
    stored: ClassVar[bool] = False
    help: ClassVar[str] = (
        "ENSEMBLE is the IRI of an ensemble of conformers or of a cluster, or of its run; or a "
        "file (XYZ, SDF) of several geometries of one molecule, such as crest_conformers.xyz."
    )

    def label(self, model: Any) -> str:
        return f"conformers of {model.molecule.formula}"

    def stored_object(self, kg: KnowledgeGraph, iri: str) -> Any:
        found = kg.pull(GraphModel, full_iri(iri))
        return found if isinstance(found, ConformersOfFile) else super().stored_object(kg, iri)

    async def read(self, given: object, said: Form, executor: Executor) -> Given[Any]:
        """Return the ensemble that is meant.

        Raises:
            InputError: charge or multiplicity of what is stored are said.
        """
        assert isinstance(said, ReadingWithSpin)
        if isinstance(given, Path) or (isinstance(given, str) and _names_file(given)):
            return await read_ensemble(Path(str(given).strip()), said, executor)
        if said.charge is not None or said.multiplicity is not None:
            raise InputError(
                f"charge or multiplicity of the ensemble {given} were said",
                "what is stored has its own",
                "leave them out; they are for files",
            )
        if isinstance(given, ConformersOfFile):
            return Given(given)
        return await super().read(given, said, executor)


def _names_file(text: str) -> bool:
    """Return whether a text names a file: by its ending or its folder, or one that is there."""
    plain = text.strip()
    path = Path(plain)
    kind = Path(path.name.lower().removesuffix(".gz")).suffix
    looks_like_path = "/" in plain and not (IRI.match(plain) or SHORT.match(plain))
    return kind in (".xyz", ".extxyz", ".sdf") or looks_like_path or located(path) is not None


ENSEMBLE_OR_FILE = EnsembleOrFile()
