"""`Grafico`: the whole of it from Python, also inside a running event loop."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Protocol, Self, TypeVar

from pydantic import BaseModel

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import BASE
from ontologies.atoms import ConceptualAtoms
from ontologies.provenance import Outcome, Run
from ontologies.quantum import Embedding as _Embedding
from ontologies.quantum import EnergyResult
from triplestore import Answer as QueryAnswer
from triplestore import open_store
from triplestore.errors import InputError, NotFoundError
from triplestore.spans import note, span
from triplestore.traced import TracedStore
from workflows.blocks import Section, Sections
from workflows.dft.bases import relativity_remark
from workflows.dft.counterpoise import InteractionRequest
from workflows.dft.fitting import fitting_remark
from workflows.dft.graph import run_dft
from workflows.dft.request import DFTRequest, LevelRequest
from workflows.dft.resume import resume_dft
from workflows.dft.situation import DFTState
from workflows.dft.spin_states import SpinStatesRequest
from workflows.display import render_with
from workflows.engine import Executor, Listener, Router, Slots
from workflows.engine.board import Board, board_folder
from workflows.engine.form import fill
from workflows.engine.outdated import outdated_runs
from workflows.molecule import Kind, Written

from . import inspection, latest
from .comparing import Interaction, SpinStates, compare_spin_states, compute_interaction
from .finding import Hit, find_results
from .loop import Loop
from .result import Result
from .routing import make_router
from .settings import Settings, read_settings
from .structures import convert_structure, find_structure
from .substances import By, identify_new
from .tracing import open_tracing

P = ParamSpec("P")
T = TypeVar("T")
FormT = TypeVar("FormT", bound=BaseModel)


class _Finished(Protocol):
    """What a request comes to: a run, and the structure at its end."""

    @property
    def run(self) -> str: ...
    @property
    def status(self) -> str: ...
    @property
    def atoms(self) -> ConceptualAtoms: ...


FinishedT = TypeVar("FinishedT", bound=_Finished)


def _in_own_loop(
    function: Callable[Concatenate[Grafico, P], Awaitable[T]], name: str
) -> Callable[Concatenate[Grafico, P], T]:
    """Return a method that does the same in the session's own loop: one signature for both."""

    @functools.wraps(function)
    def call(self: Grafico, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.wait_for(lambda: function(self, *args, **kwargs))

    call.__name__, call.__qualname__ = name, f"Grafico.{name}"
    return call


def _as_request(
    function: Callable[Concatenate[Grafico, P], Awaitable[FinishedT]],
) -> Callable[Concatenate[Grafico, P], Awaitable[FinishedT]]:
    """Return a method that does the same within one span, so that all of it is one trace."""

    @functools.wraps(function)
    async def call(self: Grafico, /, *args: P.args, **kwargs: P.kwargs) -> FinishedT:
        with span(self.executor.tracer, "request") as here:
            result = await function(self, *args, **kwargs)
            note(here, run=result.run, status=result.status, atoms=result.atoms.iri)
            await identify_new(self)
        return result

    return call


def _shown(sections: Sequence[Section]) -> dict[str, Any]:
    """Render sections for a notebook; what renders them is loaded when one asks."""
    from .views.notebook import bundle

    return bundle(sections)


class Grafico:
    """A session: a store, the slots of this machine, and what can be asked of them.

    Args:
        store: folder of the store or `memory:`; None for the settings'.
        threads_per_calculation: None for the settings'.
        cores: its old name, for one release.
        listener: is told what happens while something runs.
        trace: where spans go, see `tracing.open_tracing`; None for the settings'.

    Raises:
        InputError: the settings or the store cannot be used, or the file for spans.
        ComponentError: spans were asked for and logfire is not installed.
    """

    def __init__(
        self,
        store: str | Path | None = None,
        *,
        threads_per_calculation: int | None = None,
        cores: int | None = None,
        listener: Listener | None = None,
        trace: str | Path | None = None,
    ) -> None:
        render_with(_shown)
        self.settings = read_settings(
            store=None if store is None else str(store),
            threads_per_calculation=threads_per_calculation,
            cores=cores,
            trace=None if trace is None else str(trace),
        )
        self._tracing = open_tracing(self.settings.trace)
        blobs = self.settings.blobs
        try:
            opened = open_store(self.settings.store, self.settings.home)
        except BaseException:
            self._tracing.close()
            raise
        self.kg = KnowledgeGraph(
            TracedStore(opened, self._tracing.tracer),
            None if blobs is None else blobs.expanduser(),
        )
        self._executor: Executor | None = None
        self._listener = listener
        self._loop: Loop | None = None

    # --- asking for calculations -------------------------------------------------------------

    @_as_request
    async def run_async(
        self,
        molecule: str | Path | ConceptualAtoms,
        *,
        kind: Kind | None = None,
        charge: int | None = None,
        multiplicity: int | None = None,
        recompute: bool = False,
        online: bool | None = None,
        router: str | Router = "goal",
        **asked: Any,
    ) -> Result:
        """Compute, or remember, what is asked of a molecule.

        `run` is the same without `await`; one session belongs to one loop.

        Args:
            molecule: a file, an IRI, a SMILES or a name; or a structure.
            kind: how to read the molecule, if not by its looks.
            charge: total charge in e; None for what the molecule says.
            multiplicity: 2S+1; None for what the molecule says, else the lowest possible.
            recompute: compute what is remembered too; the result says what `differences` there are.
            online: whether PubChem may be asked for names; None for what the settings say.
            router: who chooses the steps: `goal`, `ask` (at the terminal) or `model:NAME`; or a
                router.
            asked: fields of `LevelRequest` (`method`, `basis`, `solvent`, …) and of `DFTRequest`
                (`task`, `analysis`, `states`, …), see `workflows.dft.request`.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        wanted, request = self._forms(asked, DFTRequest)
        chooser = make_router(router)
        executor = self.executor
        chosen = executor.recomputing() if recompute else executor
        atoms, remarks = await self.structure(molecule, kind, charge, multiplicity, online)
        subject = molecule if isinstance(molecule, str) else getattr(molecule, "name", "")
        executor.emit(
            "subject", atoms.formula, iri=atoms.iri, given=str(subject), remarks=list(remarks)
        )
        resolved = (await executor.run(wanted.resolution(atoms))).result
        level = resolved.level
        numbers = atoms.numbers.tolist()
        more = relativity_remark(numbers, level), fitting_remark(numbers, level)
        known = (*remarks, *resolved.remarks, *filter(None, more))
        finish = await run_dft(
            atoms, level, request, chosen, subject=str(subject) or atoms.formula, router=chooser,
            hours=self.settings.hours,
        )  # fmt: skip
        state: DFTState = finish.state
        return Result(
            finish.run, finish.status, finish.message, state.atoms, state.level, state.answers,
            state.heat, known, state.situation.geometry,
        )  # fmt: skip

    run = _in_own_loop(run_async, "run")

    @_as_request
    async def resume_async(self, run: str, *, router: str | Router = "goal") -> Result:
        """Go on with a run that was cut off or ended early; `resume` is the same without `await`.

        What it has computed is remembered; a calculation that was under way goes on from its
        checkpoint, if it left one.

        Args:
            run: IRI of the run.
            router: see `run`.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        finish = await resume_dft(full_iri(run), self.executor, router=make_router(router))
        state: DFTState = finish.state
        return Result(
            finish.run, finish.status, finish.message, state.atoms, state.level, state.answers,
            state.heat, (), state.situation.geometry,
        )  # fmt: skip

    resume = _in_own_loop(resume_async, "resume")

    @_as_request
    async def spin_states_async(
        self,
        molecule: str | Path | ConceptualAtoms,
        *,
        kind: Kind | None = None,
        charge: int | None = None,
        recompute: bool = False,
        online: bool | None = None,
        **asked: Any,
    ) -> SpinStates:
        """Compare the multiplicities of a molecule; `spin_states` is the same without `await`.

        Args:
            molecule: as for `run`; its multiplicity does not matter.
            kind: how to read the molecule, if not by its looks.
            charge: total charge in e; None for what the molecule says.
            recompute: compute what is remembered too.
            online: whether PubChem may be asked for names; None for what the settings say.
            asked: fields of `LevelRequest` (`method`, `basis`, …) and of `SpinStatesRequest`
                (`multiplicities`, `task`, …), see `workflows.dft.spin_states`.

        Raises:
            GraficoError: see `triplestore.errors`; if some multiplicities fail only, the result
                says which and why.
        """
        wanted, request = self._forms(asked, SpinStatesRequest)
        return await compare_spin_states(
            self, molecule, wanted, request,
            kind=kind, charge=charge, recompute=recompute, online=online,
        )  # fmt: skip

    spin_states = _in_own_loop(spin_states_async, "spin_states")

    @_as_request
    async def interaction_async(
        self,
        molecule: str | Path | ConceptualAtoms,
        *,
        kind: Kind | None = None,
        charge: int | None = None,
        multiplicity: int | None = None,
        recompute: bool = False,
        online: bool | None = None,
        **asked: Any,
    ) -> Interaction:
        """Find how strongly fragments hold together; `interaction` is the same without `await`.

        Args:
            molecule: as for `run`.
            kind: how to read the molecule, if not by its looks.
            charge: total charge in e; None for what the molecule says.
            multiplicity: 2S+1; None for what the molecule says, else the lowest possible.
            recompute: compute what is remembered too.
            online: whether PubChem may be asked for names; None for what the settings say.
            asked: fields of `LevelRequest` (`method`, `basis`, …) and of `InteractionRequest`
                (`fragments`, `fragment_charges`, …), see `workflows.dft.counterpoise`.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        wanted, request = self._forms(asked, InteractionRequest)
        return await compute_interaction(
            self, molecule, wanted, request, kind=kind, charge=charge,
            multiplicity=multiplicity, recompute=recompute, online=online,
        )  # fmt: skip

    interaction = _in_own_loop(interaction_async, "interaction")

    async def structure(
        self,
        molecule: str | Path | ConceptualAtoms,
        kind: Kind | None = None,
        charge: int | None = None,
        multiplicity: int | None = None,
        online: bool | None = None,
    ) -> tuple[ConceptualAtoms, tuple[str, ...]]:
        """Return the structure that is meant, and what was assumed about it."""
        given = await find_structure(self, molecule, kind, charge, multiplicity, online)
        return given.atoms, given.remarks

    async def convert_async(
        self,
        molecule: str | Path | ConceptualAtoms,
        to: str,
        *,
        kind: Kind | None = None,
        charge: int | None = None,
        multiplicity: int | None = None,
        online: bool | None = None,
    ) -> Written:
        """Return a molecule as text in another format; `convert` is the same without `await`.

        Args:
            molecule: a file, an IRI, a notation or a name; or a structure.
            to: `xyz`, `extxyz`, `mol`, `sdf`, `cif`, `smiles`, `inchi` or `selfies`.
            kind: how to read the molecule, if not by its looks.
            charge: total charge in e; None for what the molecule says.
            multiplicity: 2S+1; None for what the molecule says, else the lowest possible.
            online: whether PubChem may be asked for names; None for what the settings say.

        Returns:
            The text, and notes on what was assumed and on what the format cannot hold.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        return await convert_structure(
            self, molecule, to, kind, charge, multiplicity, online
        )  # fmt: skip

    convert = _in_own_loop(convert_async, "convert")

    def atoms(self, iri: str) -> ConceptualAtoms:
        """Return the structure of that IRI, or of the result or run of that IRI.

        Raises:
            NotFoundError: nothing of that IRI is stored, or it has no structure.
        """
        model = self.kg.pull(GraphModel, full_iri(iri))
        if isinstance(model, Run):
            outcomes = self.kg.find(Outcome, run=model)
            if outcomes and outcomes[0].geometry is not None:
                model = self.kg.pull(GraphModel, outcomes[0].geometry.iri)
        if isinstance(model, ConceptualAtoms):
            return model
        if isinstance(model, EnergyResult | _Embedding):
            return model.atoms
        raise NotFoundError(
            f"a structure was asked for by {iri}",
            f"that is a {type(model).__name__}",
            "give the IRI of a ConceptualAtoms, of a result or of a run",
        )

    # --- asking the memory -------------------------------------------------------------------

    def query(self, sparql: str) -> QueryAnswer:
        """Answer a read-only SPARQL query; the prefixes g, prov, rdf, rdfs, xsd, unit are known.

        Returns:
            A table, a truth value, or triples.

        Raises:
            QueryError: not a query, not read-only, or beyond the limits.
        """
        return inspection.query(self.kg.store, sparql, settings=self.settings)

    async def find_async(
        self,
        molecule: str | Path | ConceptualAtoms = "",
        *,
        by: By = "substance",
        kind: Kind | None = None,
        method: str = "",
        basis: str = "",
        name: str = "",
        limit: int = 50,
        online: bool | None = None,
    ) -> list[Hit]:
        """Return stored results, newest first; `find` is the same without `await`.

        Args:
            molecule: a SMILES, a name, an InChI, an InChIKey, a formula, a file or an IRI; empty
                for any. A formula is only compared.
            by: what must agree: `substance` (any stereochemistry where none is said),
                `connectivity` or `substructure` (then it may be SMARTS).
            kind: how to read it, if not by its looks.
            method: part of the method's name, dispersion included; empty for any.
            basis: part of the basis set's name; empty for any.
            name: the property, such as `gibbs_energy` or `dipole_moment`, or what code has derived;
                empty for the energy.
            limit: how many at most.
            online: whether PubChem may be asked for names; None for what the settings say.

        Raises:
            GraficoError: the molecule cannot be read or not be identified.
        """
        return await find_results(
            self, molecule, by=by, kind=kind, method=method, basis=basis, name=name, most=limit,
            online=online,
        )  # fmt: skip

    find = _in_own_loop(find_async, "find")

    def runs(self, limit: int = 50) -> list[latest.RunLine]:
        """Return the latest runs, newest first."""
        lines = latest.runs(self.kg.store, limit)
        old = outdated_runs(self.kg, [line.run for line in lines])
        return [replace(line, outdated=line.run in old) for line in lines]

    def show(self, iri: str) -> inspection.Portrait:
        """Return one object and its neighbours."""
        return inspection.show(self.kg.store, full_iri(iri))

    def blocks(self, iri: str) -> Sections:
        """Return what is shown of a run, or of any other object, as blocks."""
        from workflows.run_blocks import read_run, run_blocks
        from workflows.showing import blocks_of

        model = self.kg.pull(GraphModel, full_iri(iri))
        if isinstance(model, Run):
            return Sections(run_blocks(read_run(self.kg, model.iri)))
        return Sections((blocks_of(model),))

    def report(self, *runs: str) -> str:
        """Return an HTML report on runs, by their IRIs."""
        from .report import report

        return report(self.kg, [full_iri(run) for run in runs])

    def _forms(self, asked: Mapping[str, Any], form: type[FormT]) -> tuple[LevelRequest, FormT]:
        """Return what is asked, as the level of theory and another form.

        Raises:
            InputError: a field that there is not, or a value that cannot be.
        """
        usual = {"method": self.settings.method, "basis": self.settings.basis}
        values = {**usual, **{name: value for name, value in asked.items() if value is not None}}
        known = [*LevelRequest.model_fields, *form.model_fields]
        for name in values:
            if name not in known:
                close = difflib.get_close_matches(name, known, 1) or ["method"]
                raise InputError(
                    f"{name}={values[name]!r} was asked for",
                    "there is no such field",
                    f"did you mean {close[0]}? There are: {', '.join(known)}",
                )
        level = {name: values[name] for name in values if name in LevelRequest.model_fields}
        rest = {name: values[name] for name in values if name not in level}
        return fill(LevelRequest, level), fill(form, rest)

    # --- the session ---------------------------------------------------------------------------

    @property
    def executor(self) -> Executor:
        """The executor, made when first needed."""
        if self._executor is None:
            self._executor = Executor(
                self.kg,
                machine_slots(self.settings),
                threads_per_calculation=self.settings.threads_per_calculation,
                listener=self._listener,
                tracer=self._tracing.tracer,
            )
        return self._executor

    def wait_for(self, function: Callable[[], Awaitable[T]]) -> T:
        """Return what a coroutine comes to in this session's own loop, which lives in a thread."""
        if self._loop is None:
            self._loop = Loop()
        return self._loop.call(function)

    def close(self) -> None:
        """End the workers and hang up."""
        executor, self._executor = self._executor, None
        if executor is not None and self._loop is not None:
            self._loop.call(executor.aclose)
        elif executor is not None:
            executor.close()
        if self._loop is not None:
            self._loop.close()
            self._loop = None
        self.kg.store.close()
        self._tracing.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def machine_slots(settings: Settings) -> Slots:
    """Return the slots of this machine, shared with this user's other commands."""
    return Slots(
        total_cores=settings.total_cores,
        memory=settings.memory,
        slots=settings.slots,
        patience=settings.patience,
        board=Board(board_folder()),
    )


def full_iri(iri: str) -> str:
    """Return an IRI from its full or short form (`g:id/…`, `id/…`)."""
    short = iri.removeprefix("g:")
    return BASE + short if short.startswith("id/") else iri
