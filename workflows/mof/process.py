"""Taking frameworks apart, as it is asked for: crystals of files, made whole, and the graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.atoms import ConceptualAtoms
from ontologies.mof_parts import SolventChoice, TakenApart
from ontologies.mofs import ConstructedFramework, Framework
from triplestore.errors import InputError
from workflows.engine import Executor, Findings, Form, StepGraph, step
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.molecule.subject import Molecule

from . import apart
from .elsewhere import ENTRY
from .entries import ReadingEntry, about, entry_of, read_entry, read_file


class WholeCrystal(Molecule):
    """A crystal of a file, made whole, or one that is stored."""

    metavar: ClassVar[str] = "CRYSTAL"
    help: ClassVar[str] = (
        "CRYSTAL is a CIF file, a reference code such as DOTSOV01, or the IRI of a stored "
        "structure or framework."
    )

    def __init__(self) -> None:
        super().__init__(any_spin=True)
        self.form = ReadingEntry

    def stored_object(self, kg: KnowledgeGraph, iri: str) -> ConceptualAtoms:
        model = kg.pull(GraphModel, full_iri(iri))
        if isinstance(model, (ConstructedFramework, TakenApart)):
            model = model.framework
        return model.atoms if isinstance(model, Framework) else super().stored_object(kg, iri)

    async def read(self, given: object, said: Form, executor: Executor) -> Given[ConceptualAtoms]:
        """Return the crystal that is meant.

        Raises:
            GraficoError: it cannot be read, or it is disordered and that is refused.
        """
        assert isinstance(said, ReadingEntry)
        if isinstance(given, (ConstructedFramework, TakenApart)):
            given = given.framework
        if isinstance(given, Framework):
            given = given.atoms
        entry = await entry_of(given, said)
        if entry is not None:
            return await read_entry(entry, said)
        found = await read_file(given, said)
        if found is not None:
            return found
        return await super().read(given, said, executor)


@dataclass(frozen=True)
class ProcessState(Findings):
    """Where a run stands.

    Attributes:
        atoms: the crystal.
        solvent: which solvent is removed.
        found_in: where it comes from.
        decided: what was decided when it was read.
    """

    atoms: ConceptualAtoms
    solvent: SolventChoice
    found_in: str
    decided: tuple[str, ...] = ()

    @property
    def product(self) -> GraphModel | None:
        """The cleaned crystal."""
        return self.answers[-1].result.framework.atoms if self.answers else None


@step("framework", done="is taken apart", only_calculates=True)
async def take_apart(state: ProcessState, executor: Executor) -> ProcessState:
    """Find nodes, linkers and net."""
    call = apart.take_apart.bind(state.atoms, state.solvent, state.found_in, state.decided)
    return state.after(await executor.run(call))


MOF_PROCESS = StepGraph("mof-process", take_apart)


class ProcessRequest(Form):
    """How a framework is taken apart."""

    solvent: Annotated[
        SolventChoice,
        Field(
            description="Which solvent is removed: what is free, also what hangs on one metal "
            "alone, or none."
        ),
    ] = "free"


async def prepare_process(
    given: Given[ConceptualAtoms], request: ProcessRequest, executor: Executor
) -> Prepared[ProcessState]:
    """Find out what is asked of a framework.

    Raises:
        InputError: it is a molecule.
    """
    atoms = given.model
    named = given.text or atoms.formula
    if not atoms.is_periodic:
        raise InputError(
            f"{named} was to be taken apart", "it is a molecule", "give a crystal, as a CIF file"
        )
    is_iri = "/" in given.text
    state = ProcessState(atoms, request.solvent, "" if is_iri else given.text, tuple(given.remarks))
    goal = MOF_PROCESS.goal("nodes, linkers and net")
    return Prepared(state, goal, about(given), named, (), given.remarks)


PROCESS = Definition(
    MOF_PROCESS,
    (ProcessRequest,),
    WholeCrystal(),
    prepare_process,
    help="The crystal is cleaned, cut into metal nodes and organic linkers, and its net is named. "
    "Blocks that are the same are one object, whichever crystal they are found in.",
    makes=(TakenApart,),
    elsewhere=ENTRY,
)
