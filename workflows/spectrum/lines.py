"""The lines of one conformer: its states up to an energy, or its vibrations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ogm import Link
from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import ExcitedStates
from ontologies.level import Level, LevelOfTheory
from ontologies.outputs import ImportedExcitations, ImportedResult, ImportedVibrations
from ontologies.quantum import EnergyResult
from ontologies.spectra import ConformerSpectrum, ConformerStates, ConformerVibrations
from ontologies.units import Floats
from ontologies.vibrations import VibrationalAnalysis
from triplestore.errors import InputError, RecipeError
from workflows.dft.request.forms import DFTRequest
from workflows.dft.request.size import single_excitations
from workflows.engine import Answer, Executor
from workflows.engine.request.definition import Given
from workflows.engine.request.workflow import Ready, completed
from workflows.geometry.motions import motions
from workflows.geometry.spectra import DARK
from workflows.registry import workflows
from workflows.registry.levels import LevelForm, offered
from workflows.text.words import count

from .curves import Sticks, electronic, last_place, peaks

BRIGHT = 1e-3
"""Oscillator strength of a state that is seen."""

STATES = 10
"""Asked for first; twice as many again until the window is covered."""

MOST_STATES = 160
"""Asked for at most."""


@dataclass(frozen=True)
class Window:
    """Which states are looked for.

    Attributes:
        up_to: eV; all up to here and a band's width above, whose bands reach into it.
        band_width: eV.
        grows: whether nobody said up to where: then the first band that is seen is within.
    """

    up_to: float
    band_width: float
    grows: bool = False

    def end(self, sticks: Sequence[Sticks], weights: Floats) -> float:
        """Return up to where a spectrum is looked at, in eV: past the first maximum that is seen.

        Args:
            sticks: states that are known, of each conformer.
            weights: of each.
        """
        shares = weights / weights.sum()
        bright = [
            float(place)
            for share, (places, strengths) in zip(shares, sticks, strict=True)
            for place in places[strengths * share >= BRIGHT]
        ]
        if not self.grows or not bright:
            return self.up_to
        shape, low = electronic(self.band_width), min(bright) - self.band_width / 2
        tops = peaks(sticks, weights, low, last_place(sticks) + self.band_width, shape)
        first = next((place for place, height in tops if height >= DARK), min(bright))
        return self.up_to if first <= self.up_to else float(math.ceil(first + self.band_width))

    def covered(self, found: Floats, end: float) -> bool:
        """Return whether states reach as far as their bands are seen below an end, in eV."""
        return float(found.max()) >= end + self.band_width


@dataclass(frozen=True)
class AskedConformer:
    """What is asked of a conformer.

    Attributes:
        number: of it in its ensemble.
        weight: the fraction of the molecules that is in it.
        ready: its geometry, and its first states where states are asked for; None where its lines
            were read from a file.
        relaxes: whether the geometry is relaxed.
        window: of the states; None for vibrations.
        read: its lines, where they were read.
    """

    number: int
    weight: float
    ready: Ready | None
    relaxes: bool
    window: Window | None = None
    read: ImportedExcitations | ImportedVibrations | None = None

    @property
    def level(self) -> Level:
        """The level of theory."""
        if self.read is not None:
            return self.read.level
        assert self.ready is not None
        return next(one for one in self.ready.prepared.about if isinstance(one, Level))


@dataclass(frozen=True)
class Lines:
    """What a conformer came to.

    Attributes:
        spectrum: its lines.
        result: where they stand.
        remarks: what to know of them.
        remembered: whether nothing was computed.
    """

    spectrum: ConformerSpectrum
    result: EnergyResult
    remarks: tuple[str, ...]
    remembered: bool


def read_of(asked: AskedConformer) -> Lines:
    """Return the lines of a conformer that were read from a file.

    Raises:
        InputError: it has no strengths, or no lines.
    """
    found = asked.read
    assert found is not None
    common: dict[str, Any] = {
        "number": asked.number,
        "weight": asked.weight,
        "atoms": found.atoms,
        "result": Link[EnergyResult](found.iri),
    }
    told = [f"the lines were read from {found.place}, not computed here: {found.level.label}"]
    if isinstance(found, ImportedExcitations):
        places, strengths = found.excitation_energies, found.oscillator_strengths
    else:
        real = found.wavenumbers > 0
        places = found.wavenumbers[real]
        strengths = None if found.infrared is None else found.infrared[real]
    if strengths is None or not places.size:
        raise without_lines(found)
    if isinstance(found, ImportedVibrations):
        spectrum: ConformerSpectrum = ConformerVibrations(
            **common, wavenumbers=places, infrared=strengths, imaginary=found.imaginary
        )
        return Lines(spectrum, found, tuple(told), True)
    top = float(places.max())
    if asked.window is not None and top < asked.window.up_to:
        states = count(len(places), "state")
        told.append(f"the file has {states}, up to {top:.2f} eV: what lies above is missing")
    order = np.argsort(places, kind="stable")
    spectrum = ConformerStates(
        **common, excitation_energies=places[order], oscillator_strengths=strengths[order]
    )
    return Lines(spectrum, found, tuple(told), True)


def without_lines(found: ImportedResult) -> InputError:
    """Return the error of what was read and has no strengths of lines, or no lines."""
    return InputError(
        f"a spectrum of {found.atoms.formula} as it was read was asked for",
        f"{found.place} has no such lines with intensities",
        "name a level (`level`), such as B3LYP/def2-SVP, to compute them here; the report of the "
        "run draws what was read",
    )


async def ask(
    atoms: ConceptualAtoms, request: DFTRequest, level: LevelForm, executor: Executor
) -> Ready:
    """Find out what is asked of a geometry, as it is when it is asked for alone.

    Raises:
        InputError: there is no such level, or it has no such calculation.
    """
    workflow, given = workflows().named("dft"), Given(atoms)
    prepared = await workflow.whole.prepare(given, request, level, executor)
    return Ready(workflow, given, (request, level), prepared, executor, math.inf, estimated=True)


def states_at_most(atoms: ConceptualAtoms, level: Level) -> int:
    """Return how many states may be asked for."""
    if not isinstance(level, LevelOfTheory):
        return MOST_STATES
    return min(MOST_STATES, single_excitations(atoms, level))


async def states_of(asked: AskedConformer, executor: Executor) -> Lines:
    """Compute states of a conformer until its window is covered.

    Raises:
        GraficoError: a calculation failed.
    """
    assert asked.ready is not None
    assert asked.window is not None  # what states are asked for has
    done = await completed(asked.ready, executor)
    request, level = cast("tuple[DFTRequest, LevelForm]", asked.ready.forms)
    remembered, answer = done.reused, _last(done.state.answers, ExcitedStates)
    told: list[str] = []
    most = states_at_most(answer.result.atoms, answer.result.level)
    while True:
        found = answer.result
        sticks = [(found.excitation_energies, found.oscillator_strengths)]
        end = asked.window.end(sticks, np.ones(1))
        if asked.window.covered(found.excitation_energies, end):
            break
        known = len(found.excitation_energies)
        if known >= most:
            whole = "all that the basis set allows" if most < MOST_STATES else "the most"
            top = found.excitation_energies.max()
            told.append(f"{count(known, 'state')}, {whole}, reach up to {top:.2f} eV only")
            break
        more = request.model_copy(update={"task": "energy", "states": min(2 * known, most)})
        done = await completed(await ask(done.state.atoms, more, level, executor))
        remembered, answer = remembered and done.reused, _last(done.state.answers, ExcitedStates)
    spectrum = ConformerStates(
        number=asked.number,
        weight=asked.weight,
        atoms=found.atoms,
        result=Link[EnergyResult](answer.recorded),
        excitation_energies=found.excitation_energies,
        oscillator_strengths=found.oscillator_strengths,
        characters=found.characters,
    )
    return Lines(spectrum, found, (*found.remarks, *told), remembered)


async def vibrations_of(asked: AskedConformer, executor: Executor) -> Lines:
    """Compute the vibrations of a conformer, at its relaxed geometry or as it is.

    Raises:
        RecipeError: the level has no intensities, or it is an atom.
        GraficoError: a calculation failed.
    """
    assert asked.ready is not None
    atoms, remembered = asked.ready.given.model, True
    if asked.relaxes:
        done = await completed(asked.ready, executor)
        atoms, remembered = done.state.atoms, done.reused
    answer = await executor.run(offered(asked.level).frequencies(atoms, asked.level))
    found = answer.result
    real = found.wavenumbers > 0
    if found.infrared is None or not real.any():
        raise RecipeError(
            f"infrared lines of {found.atoms.formula} at {found.level.label} were asked for",
            "it has no vibrations" if not real.any() else "there are no intensities",
            "ask for another molecule or another method",
        )
    told: list[str] = []
    if found.stationarity == "not stationary":
        told.append(
            f"not at a stationary geometry (gradient {found.max_gradient:.1e} Eh/bohr): its "
            "harmonic wavenumbers are no more than a guide; ask for relaxed geometries (geometry)"
        )
    spectrum = ConformerVibrations(
        number=asked.number,
        weight=asked.weight,
        atoms=found.atoms,
        result=Link[EnergyResult](answer.recorded),
        wavenumbers=found.wavenumbers[real],
        infrared=found.infrared[real],
        imaginary=found.imaginary,
        motions=motions(found.atoms, found.modes[real]),
    )
    return Lines(spectrum, found, (*found.remarks, *told), remembered and answer.reused)


def imaginary_text(found: VibrationalAnalysis | ImportedVibrations) -> str:
    """Say which modes of a conformer are imaginary."""
    low = ", ".join(f"{-one:.0f}i" for one in found.wavenumbers[found.wavenumbers < 0])
    return f"imaginary at {low} cm⁻¹: no minimum at {found.level.label}"


def _last(answers: tuple[Answer[Any], ...], kind: type[Any]) -> Answer[Any]:
    found = [one for one in answers if isinstance(one.result, kind)]
    if not found:
        raise InputError("lines of a conformer were asked for", "there are none", "ask again")
    return found[-1]
