"""Spectra of ensembles of conformers: of each conformer, their weighted sum, and comparisons."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import model_validator

from ogm import ADDED, GraphModel, Link

from .atoms import ConceptualAtoms
from .conformers import ConformerEnsemble
from .level import Level
from .quantum import EnergyResult
from .units import (
    ElectronVolt,
    EnergyPlaces,
    ExcitationEnergies,
    Floats,
    InfraredIntensities,
    Kelvin,
    KilojoulePerMole,
    MolarAbsorption,
    MolarAbsorptions,
    Nanometre,
    Number,
    OscillatorStrengths,
    Wavenumber,
    WavenumberPlaces,
    Wavenumbers,
)


class SpectrumSample(GraphModel):
    """A molecule whose spectrum is asked for: its conformers, or one geometry of it.

    Attributes:
        name: what it is called.
        ensemble: its conformers; None for one geometry.
        atoms: that geometry; None for an ensemble.
        solvent: what it is in, where that was said of it alone: `gas` for none.
    """

    name: str
    ensemble: ConformerEnsemble | None = None
    atoms: ConceptualAtoms | None = None
    solvent: str = ""

    @model_validator(mode="after")
    def _one_of_both(self) -> SpectrumSample:
        if (self.ensemble is None) == (self.atoms is None):
            raise ValueError("a sample is an ensemble or one geometry")
        return self

    @property
    def structure(self) -> ConceptualAtoms:
        """A geometry of the molecule."""
        found = self.ensemble.lowest.atoms if self.ensemble is not None else self.atoms
        assert found is not None  # as validated
        return found


class SpectrumSamples(GraphModel):
    """Molecules whose spectra are asked for together.

    Attributes:
        samples: each once, by its own name.
    """

    samples: tuple[SpectrumSample, ...]


class ConformerSpectrum(GraphModel):
    """The lines of one conformer.

    Attributes:
        number: of the conformer in its ensemble.
        weight: the fraction of the molecules that is in it.
        atoms: the geometry at which the lines were computed.
        result: where they stand.
    """

    number: int
    weight: Number
    atoms: ConceptualAtoms
    result: Link[EnergyResult]

    @property
    def lines(self) -> tuple[Floats, Floats]:
        """Places and strengths of the lines, in the units of its class: here none."""
        return np.zeros(0), np.zeros(0)


class ConformerStates(ConformerSpectrum, schema=2, upgrades={1: ADDED}):
    """The electronic transitions of one conformer.

    Attributes:
        excitation_energies: ascending, shape (states,).
        oscillator_strengths: in the length gauge, shape (states,).
        characters: for each state what it is, such as `n → π*`; empty where that is not known.
    """

    excitation_energies: ExcitationEnergies
    oscillator_strengths: OscillatorStrengths
    characters: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[Floats, Floats]:
        return self.excitation_energies, self.oscillator_strengths


class ConformerVibrations(ConformerSpectrum, schema=2, upgrades={1: ADDED}):
    """The fundamental vibrations of one conformer in the double harmonic approximation.

    Attributes:
        wavenumbers: of real modes, unscaled, shape (modes,).
        infrared: intensities, shape (modes,).
        imaginary: how many modes are imaginary, which have no place in the spectrum.
        motions: for each real mode what moves in it, such as `C=O stretch 92 %`; empty where that
            is not known.
    """

    wavenumbers: Wavenumbers
    infrared: InfraredIntensities
    imaginary: int = 0
    motions: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[Floats, Floats]:
        return self.wavenumbers, self.infrared


class SpectrumMaximum(GraphModel):
    """A place where a spectrum is highest within its surroundings.

    Its place is the same on every scale: ε is a number at a place, no density along a scale.

    Attributes:
        photon_energy: where it is.
        wavelength: the same.
        wavenumber: the same.
        peak_absorption: the molar decadic absorption coefficient there.
        energy_error: how uncertain the place is by the weights of the conformers.
    """

    photon_energy: ElectronVolt
    wavelength: Nanometre
    wavenumber: Wavenumber
    peak_absorption: MolarAbsorption
    energy_error: ElectronVolt = 0.0


class EnsembleSpectrum(GraphModel):
    """The spectrum of a molecule: the sum over its conformers by their weights.

    Attributes:
        name: what the molecule is called.
        sample: the molecule.
        level: of the lines.
        temperature: of the weights; None for one geometry.
        conformers: the lines of each that is in the sum. Their weights, divided by the sum of
            these weights, are their shares in it.
        absorption: the molar decadic absorption coefficient at the places of the class.
        maxima: by ascending energy.
        weight_error: how far energies of conformers are taken to be off, for `energy_error` of
            the maxima.
        left_out: conformers that are not in the sum, each with the reason.
        failures: conformers that should be in it, each with what went wrong.
        remarks: what a reader must know.
    """

    name: str
    sample: SpectrumSample
    level: Level
    temperature: Kelvin | None = None
    conformers: tuple[ConformerSpectrum, ...]
    absorption: MolarAbsorptions
    maxima: tuple[SpectrumMaximum, ...]
    weight_error: KilojoulePerMole = 0.0
    left_out: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def weights(self) -> Floats:
        """Weights of the conformers in the sum, shape (conformers,)."""
        return np.array([one.weight for one in self.conformers])

    @property
    def places(self) -> Floats:
        """Where the absorption is known, in the unit of its class: here nowhere."""
        return np.zeros(0)

    @property
    def highest(self) -> SpectrumMaximum | None:
        """The maximum of the largest absorption; None where nothing absorbs."""
        return max(self.maxima, key=lambda one: one.peak_absorption, default=None)


class ElectronicSpectrum(EnsembleSpectrum):
    """Absorption of visible and ultraviolet light by an ensemble: vertical excitations.

    Attributes:
        photon_energies: where the absorption is known, shape (places,).
        band_width: full width at half height of the Gauss curve of each line.
        up_to: up to where all states were looked for.
        response: how they were found; `not said` of states that were read from a file.
        surroundings: how a continuum follows the excitation; likewise.
        dielectric: relative permittivity of the continuum for the excitation; None without one.
    """

    photon_energies: EnergyPlaces
    band_width: ElectronVolt
    up_to: ElectronVolt
    response: Literal["TDA", "TDDFT", "not said"]
    surroundings: Literal["gas phase", "non-equilibrium", "equilibrium", "not said"] = "gas phase"
    dielectric: Number | None = None

    @property
    def places(self) -> Floats:
        return self.photon_energies


class InfraredSpectrum(EnsembleSpectrum):
    """Absorption of infrared light by an ensemble: harmonic fundamentals.

    Attributes:
        wavenumbers: where the absorption is known, shape (places,).
        line_width: full width at half height of the Lorentz curve of each line.
        scale: factor on all wavenumbers of the conformers.
        scale_source: where that comes from; empty for 1.
    """

    wavenumbers: WavenumberPlaces
    line_width: Wavenumber
    scale: Number = 1.0
    scale_source: str = ""

    @property
    def places(self) -> Floats:
        return self.wavenumbers


class SpectrumShift(GraphModel):
    """How far the highest maximum of a spectrum lies from that of the first of a comparison.

    Attributes:
        first: what is compared with.
        name: what is compared.
        method: of both spectra.
        energy_shift: its place less that of the first.
        wavelength_shift: likewise.
        wavenumber_shift: likewise.
        energy_error: what the weights of the conformers leave open.
        wavelength_error: the same.
        other_method: another with which both were computed; empty for none.
        other_energy_shift: the shift there.
        other_wavelength_shift: the shift there.
    """

    first: str
    name: str
    method: str
    energy_shift: ElectronVolt
    wavelength_shift: Nanometre
    wavenumber_shift: Wavenumber
    energy_error: ElectronVolt = 0.0
    wavelength_error: Nanometre = 0.0
    other_method: str = ""
    other_energy_shift: ElectronVolt | None = None
    other_wavelength_shift: Nanometre | None = None


class SpectrumComparison(GraphModel):
    """Spectra of several molecules, or at several levels, beside each other.

    Attributes:
        samples: the molecules.
        spectra: of each molecule and level that came to one.
        shifts: of the highest maxima against that of the first molecule.
        failures: spectra that are missing, each with the reason.
    """

    samples: SpectrumSamples
    spectra: tuple[EnsembleSpectrum, ...]
    shifts: tuple[SpectrumShift, ...] = ()
    failures: tuple[str, ...] = ()
