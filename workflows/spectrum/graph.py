"""The graph that computes the lines of conformers and adds them up to spectra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pydantic_graph import End, GraphRunContext

from ogm import GraphModel
from ontologies.spectra import EnsembleSpectrum, SpectrumComparison, SpectrumSamples
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import Done, Executor, Finish, Graph, Node, fan_out
from workflows.engine.graph.run import Journey

from .combine import AskedSpectrum, compared, spectrum_of
from .lines import AskedConformer, Lines, states_of, vibrations_of


@dataclass(frozen=True)
class SpectraSituation:
    """What the planner knows.

    Attributes:
        computed: whether the lines of all conformers are known.
        summed: whether these are added up.
        missing: conformers and spectra that are missing.
    """

    computed: bool = False
    summed: bool = False
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class SpectraState:
    """Where a run stands.

    Attributes:
        samples: which molecules.
        asked: the spectra, by name.
        situation: what is known.
        lines: of each conformer, by `key_of`.
        errors: why others have none.
        remembered: whether nothing of it was computed.
        found: the spectrum, or several compared.
    """

    samples: SpectrumSamples
    asked: Mapping[str, AskedSpectrum]
    situation: SpectraSituation = SpectraSituation()
    lines: Mapping[str, Lines] = field(default_factory=dict[str, Lines])
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])
    remembered: bool | None = None
    found: EnsembleSpectrum | SpectrumComparison | None = None

    @property
    def recorded(self) -> Sequence[str]:
        """The spectrum, or the comparison."""
        return [self.found.iri] if self.found else []

    @property
    def product(self) -> GraphModel | None:
        """None: nothing is made of the molecules themselves."""
        return None

    def parts(self) -> dict[str, AskedConformer]:
        """Return the conformers of all spectra, each by its key."""
        return {key_of(one, part): part for one in self.asked.values() for part in one.conformers}

    def of(self, asked: AskedSpectrum) -> tuple[list[Lines], dict[int, GraficoError]]:
        """Return what the conformers of a spectrum came to, and why others have nothing."""
        keys = {part.number: key_of(asked, part) for part in asked.conformers}
        lines = [self.lines[key] for key in keys.values() if key in self.lines]
        return lines, {n: self.errors[key] for n, key in keys.items() if key in self.errors}


def key_of(asked: AskedSpectrum, part: AskedConformer) -> str:
    """Return what a conformer is called within a run."""
    return f"{asked.name}, conformer {part.number}"


class ComputeLines(Node[SpectraState]):
    """Compute each conformer, in parallel: its states, or its vibrations."""

    def precondition(self, situation: SpectraSituation) -> str | None:
        if situation.missing:
            return f"it has missed {', '.join(situation.missing)}; resume the run for these"
        return "the lines are known" if situation.computed else None

    def effect(self, situation: SpectraSituation) -> SpectraSituation:
        return replace(situation, computed=True)

    def cost(self, situation: SpectraSituation) -> float:
        return 10.0

    async def work(self, state: SpectraState, executor: Executor) -> Done[SpectraState]:
        async def compute(part: AskedConformer) -> Lines:
            heard = replace(part, ready=replace(part.ready, executor=executor))
            return await (states_of if part.window else vibrations_of)(heard, executor)

        parts = await fan_out(executor, state.parts(), compute)
        if not parts.results:
            key, error = next(iter(parts.errors.items()))
            raise RecipeError(
                f"spectra of {'; '.join(state.asked)} were asked for",
                f"none of {len(parts.errors)} conformers came to a result; {key}: {error}",
                "change what is asked, and resume the run",
            )
        known = all(one.remembered for one in parts.results.values())
        return Done(
            replace(
                state,
                lines=parts.results,
                errors=parts.errors,
                remembered=known and not parts.errors,
                situation=self.effect(state.situation),
            )
        )

    async def run(self, ctx: GraphRunContext[Journey[SpectraState], None]) -> AddUp | End[Finish]:
        return await self.proceed(ctx)


class AddUp(Node[SpectraState]):
    """Add up the conformers by their weights, compare the spectra, and say what is missing."""

    def precondition(self, situation: SpectraSituation) -> str | None:
        if not situation.computed:
            return "the lines are not known"
        return "the spectra are recorded" if situation.summed else None

    def effect(self, situation: SpectraSituation) -> SpectraSituation:
        return replace(situation, summed=True)

    async def work(self, state: SpectraState, executor: Executor) -> Done[SpectraState]:
        spectra: dict[str, EnsembleSpectrum] = {}
        failures: dict[str, GraficoError] = {}
        for name, asked in state.asked.items():
            try:
                spectra[name] = spectrum_of(asked, *state.of(asked))
            except GraficoError as error:
                failures[name] = error
        if not spectra:
            raise next(iter(failures.values()))
        [found, *others] = spectra.values()
        if others or failures:
            found = compared(state.samples, state.asked, spectra, failures)
        executor.record(found)
        missing = tuple(dict.fromkeys([*state.errors, *failures]))
        situation = replace(self.effect(state.situation), missing=missing)
        return Done(replace(state, found=found, situation=situation))

    async def run(
        self, ctx: GraphRunContext[Journey[SpectraState], None]
    ) -> ComputeLines | End[Finish]:
        return await self.proceed(ctx)


SPECTRA: Graph[SpectraState] = Graph("spectra", ComputeLines, AddUp)
