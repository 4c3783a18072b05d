"""Objects of the classes of `ontologies.spectra`."""

import numpy as np

from ogm import GraphModel, Link
from ontologies.quantum import EnergyResult
from ontologies.spectra import (
    ConformerSpectrum,
    ConformerStates,
    ConformerVibrations,
    ElectronicSpectrum,
    EnsembleSpectrum,
    InfraredSpectrum,
    SpectrumComparison,
    SpectrumMaximum,
    SpectrumSample,
    SpectrumSamples,
    SpectrumShift,
)
from tests.ontologies.instances import BRIGHT, LEVEL, WATER
from tests.ontologies.instances_conformers import SAMPLED

RESULT = Link[EnergyResult](BRIGHT.iri)
SAMPLE = SpectrumSample(name="water", ensemble=SAMPLED, solvent="heptane")
MOLECULE = SpectrumSample(name="water as it is", atoms=WATER)
SAMPLES = SpectrumSamples(samples=(SAMPLE, MOLECULE))
LINES = ConformerSpectrum(number=1, weight=0.75, atoms=WATER, result=RESULT)
STATES = ConformerStates(
    number=1,
    weight=0.75,
    atoms=WATER,
    result=RESULT,
    excitation_energies=np.array([7.5, 9.25]),
    oscillator_strengths=np.array([0.125, 0.25]),
)
VIBRATIONS = ConformerVibrations(
    number=2,
    weight=0.25,
    atoms=WATER,
    result=RESULT,
    wavenumbers=np.array([1650.0]),
    infrared=np.array([70.0]),
    imaginary=1,
)
MAXIMUM = SpectrumMaximum(
    photon_energy=9.25,
    wavelength=134.0,
    wavenumber=74600.0,
    peak_absorption=9000.0,
    energy_error=0.125,
)
WHOLE = EnsembleSpectrum(
    name="water",
    sample=SAMPLE,
    level=LEVEL,
    temperature=298.15,
    conformers=(LINES,),
    absorption=np.arange(10.0),
    maxima=(MAXIMUM,),
    weight_error=4.0,
    left_out=("conformer 2 (3.0 %): weight",),
    failures=("conformer 3: no SCF",),
    remarks=("one",),
)
ELECTRONIC = ElectronicSpectrum(
    name="water",
    sample=MOLECULE,
    level=LEVEL,
    conformers=(STATES,),
    absorption=np.arange(10.0),
    maxima=(MAXIMUM,),
    photon_energies=np.linspace(7, 8, 10),
    band_width=0.4,
    up_to=8.0,
    response="TDA",
    surroundings="non-equilibrium",
    dielectric=1.92,
)
INFRARED = InfraredSpectrum(
    name="water",
    sample=SAMPLE,
    level=LEVEL,
    temperature=298.15,
    conformers=(VIBRATIONS,),
    absorption=np.arange(10.0),
    maxima=(),
    wavenumbers=np.linspace(1600, 1700, 10),
    line_width=20.0,
    scale=0.96,
    scale_source="a paper",
)
SHIFT = SpectrumShift(
    first="water",
    name="water in heptane",
    method="HF",
    energy_shift=-0.5,
    wavelength_shift=7.0,
    wavenumber_shift=-4000.0,
    energy_error=0.125,
    wavelength_error=2.0,
    other_method="PBE",
    other_energy_shift=-0.25,
    other_wavelength_shift=4.0,
)
COMPARISON = SpectrumComparison(
    samples=SAMPLES, spectra=(ELECTRONIC,), shifts=(SHIFT,), failures=("water: no state",)
)
EVERYTHING: list[GraphModel] = [
    SAMPLE,
    MOLECULE,
    SAMPLES,
    LINES,
    STATES,
    VIBRATIONS,
    MAXIMUM,
    WHOLE,
    ELECTRONIC,
    INFRARED,
    SHIFT,
    COMPARISON,
]
