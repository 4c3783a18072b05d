"""Taking frameworks apart, as it is asked for: crystals of files, made whole, and the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from pydantic import Field
from pydantic_graph import End, GraphRunContext

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.atoms import ConceptualAtoms
from ontologies.mof_parts import SolventChoice, TakenApart
from ontologies.mofs import ConstructedFramework, Framework
from triplestore.errors import InputError
from workflows.engine import Answer, Done, Executor, Finish, Form, Goal, Graph, Node
from workflows.engine.graph.run import Journey
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.molecule.subject import Molecule

from .apart import take_apart
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
class ProcessSituation:
    """What the planner knows.

    Attributes:
        apart: whether the framework is taken apart.
    """

    apart: bool = False


@dataclass(frozen=True)
class ProcessState:
    """Where a run stands.

    Attributes:
        atoms: the crystal.
        solvent: which solvent is removed.
        found_in: where it comes from.
        decided: what was decided when it was read.
        situation: what is known.
        answers: what was found.
    """

    atoms: ConceptualAtoms
    solvent: SolventChoice
    found_in: str
    decided: tuple[str, ...] = ()
    situation: ProcessSituation = ProcessSituation()
    answers: tuple[Answer[TakenApart], ...] = ()

    @property
    def recorded(self) -> Sequence[str]:
        """What was found."""
        return [answer.recorded for answer in self.answers]

    @property
    def product(self) -> GraphModel | None:
        """The cleaned crystal."""
        return self.answers[-1].result.framework.atoms if self.answers else None


class TakeApart(Node[ProcessState]):
    """Find nodes, linkers and net."""

    only_calculates = True

    def precondition(self, situation: ProcessSituation) -> str | None:
        return "it is taken apart" if situation.apart else None

    def effect(self, situation: ProcessSituation) -> ProcessSituation:
        return replace(situation, apart=True)

    async def work(self, state: ProcessState, executor: Executor) -> Done[ProcessState]:
        answer = await executor.run(
            take_apart.bind(state.atoms, state.solvent, state.found_in, state.decided)
        )
        found = replace(state, situation=self.effect(state.situation), answers=(answer,))
        return Done(found, answer)

    async def run(self, ctx: GraphRunContext[Journey[ProcessState], None]) -> End[Finish]:
        return await self.proceed(ctx)


MOF_PROCESS: Graph[ProcessState] = Graph("mof-process", TakeApart)


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
    goal = Goal("nodes, linkers and net", lambda known: known.apart)
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
