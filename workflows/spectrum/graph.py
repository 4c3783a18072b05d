"""The graph that computes the lines of conformers and adds them up to spectra."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ontologies.spectra import EnsembleSpectrum, SpectrumSamples
from triplestore.errors import GraficoError, RecipeError
from workflows.engine import Executor, Findings, StepGraph, fan_out, step

from .combine import AskedSpectrum, compared, spectrum_of
from .lines import AskedConformer, Lines, read_of, states_of, vibrations_of


@dataclass(frozen=True)
class SpectraState(Findings):
    """Where a run stands.

    Attributes:
        samples: which molecules.
        asked: the spectra, by name.
        lines: of each conformer, by `key_of`.
        errors: why others have none.
    """

    samples: SpectrumSamples
    asked: Mapping[str, AskedSpectrum]
    lines: Mapping[str, Lines] = field(default_factory=dict[str, Lines])
    errors: Mapping[str, GraficoError] = field(default_factory=dict[str, GraficoError])

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


@step("lines", cost=10.0, parts=True)
async def compute_lines(state: SpectraState, executor: Executor) -> SpectraState:
    """Compute each conformer, in parallel: its states, or its vibrations."""

    async def compute(part: AskedConformer) -> Lines:
        if part.read is not None:
            return read_of(part)
        assert part.ready is not None
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
    remembered = known and not parts.errors
    return replace(state, lines=parts.results, errors=parts.errors, remembered=remembered)


@step("spectra", needs="lines", leads="lines", done="are recorded")
async def add_up(state: SpectraState, executor: Executor) -> SpectraState:
    """Add up the conformers by their weights, compare the spectra, and say what is missing."""
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
    return replace(state, found=(found,), missing=missing)


SPECTRA = StepGraph("spectra", compute_lines, add_up)
