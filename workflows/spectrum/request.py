"""What can be asked of the spectra of ensembles, and how such a request is prepared."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, model_validator

from ogm import Unit
from ontologies.atoms import ConceptualAtoms
from ontologies.excitations import ResponseName, SolventResponse
from ontologies.level import Level
from ontologies.outputs import (
    ImportedExcitations,
    ImportedLevel,
    ImportedResult,
    ImportedVibrations,
)
from ontologies.spectra import EnsembleSpectrum, SpectrumComparison, SpectrumSample, SpectrumSamples
from triplestore.errors import GraficoError, InputError
from workflows.dft.request.forms import DFTRequest, Force, Steps
from workflows.dft.request.molecule_cost import MoleculeCost
from workflows.dft.request.states import RESPONSES
from workflows.engine import Executor
from workflows.engine.request.cost import Priced
from workflows.engine.request.definition import Definition, Given, Prepared
from workflows.engine.request.form import Form, fill
from workflows.engine.request.refusals import refusal
from workflows.engine.request.rules import For, Rare, Words
from workflows.geometry.spectra import LINE_WIDTH
from workflows.registry.levels import LevelForm, StoredLevel
from workflows.text.names import plain
from workflows.text.words import count

from .combine import AskedSpectrum, chosen
from .graph import SPECTRA, SpectraState
from .lines import STATES, AskedConformer, Window, ask, states_at_most, without_lines
from .subject import ENSEMBLES, KnownSamples, surroundings

Kind: TypeAlias = Literal["uv", "ir"]
Geometry: TypeAlias = Literal["as given", "relaxed"]
OF_UV, OF_IR = For("kind", ("uv",)), For("kind", ("ir",))
GAS = ("gas", "gasphase", "none", "vacuum")
SURROUNDINGS = ("solvent", "solvation", "dielectric")


class SpectrumRequest(Form):
    """What is asked of the spectra of ensembles."""

    kind: Annotated[
        Kind,
        Words({"uv": ("uvvis", "electronic"), "ir": ("infrared", "vibrational")}),
        Field(description="Electronic (TDDFT) or infrared absorption."),
    ] = "uv"
    up_to: Annotated[
        float,
        OF_UV,
        Unit("EV"),
        Field(
            gt=0,
            le=50,
            description="States up to here, eV; if not given, further where the first band that "
            "is seen lies above.",
        ),
    ] = 6.2
    width: Annotated[
        float, OF_UV, Unit("EV"), Field(ge=0.01, le=5, description="Of Gauss bands (FWHM), eV.")
    ] = 0.4
    response: Annotated[
        ResponseName, OF_UV, RESPONSES, Field(description="How states are found.")
    ] = "TDDFT"
    solvent_response: Annotated[
        SolventResponse, OF_UV, Rare(), Field(description="How the solvent follows an excitation.")
    ] = "non-equilibrium"
    line_width: Annotated[
        float,
        OF_IR,
        Unit("PER-CentiM"),
        Field(ge=0.5, le=500, description="Of Lorentz lines (FWHM), 1/cm."),
    ] = LINE_WIDTH
    scale: Annotated[float, OF_IR, Field(ge=0.5, le=1.5, description="Factor on wavenumbers.")] = (
        1.0
    )
    scale_source: Annotated[
        str, OF_IR, Field(max_length=200, description="Where `scale` comes from.")
    ] = ""
    imaginary: Annotated[
        Literal["drop", "keep"],
        OF_IR,
        Rare(),
        Field(description="Conformers with imaginary modes: left out, or kept without these."),
    ] = "drop"
    geometry: Annotated[
        Geometry | None,
        Field(description="As given, or relaxed at the level: IR and lone molecules are."),
    ] = None
    own_level: Annotated[
        bool, Field(description="At the level of each ensemble, not method and basis.")
    ] = False
    against: Annotated[
        str, Field(max_length=80, description="Another method, to see what depends on it.")
    ] = ""
    cumulative: Annotated[
        float,
        Field(gt=0, le=1, description="Conformers are taken until their weights add up to this."),
    ] = 0.95
    weight_error: Annotated[
        float,
        Rare(),
        Unit("KiloJ-PER-MOL"),
        Field(ge=0, le=100, description="Of energies of conformers, for errors of maxima, kJ/mol."),
    ] = 4.0
    max_steps: Annotated[Steps, Rare(), Field(description="Steps of each optimisation.")] = 100
    force: Force = False

    @model_validator(mode="after")
    def _sourced(self) -> SpectrumRequest:
        if self.scale == 1.0 and self.scale_source:
            raise refusal(
                f"scale_source={self.scale_source!r} was asked for",
                "there is no factor that it is the source of",
                "give `scale`, too",
            )
        return self

    @property
    def source_of_scale(self) -> str:
        """Where the factor on wavenumbers comes from; empty for none."""
        return self.scale_source or ("as given" if self.scale != 1.0 else "")

    @property
    def window(self) -> Window | None:
        """Which states are looked for; None for vibrations."""
        if self.kind != "uv":
            return None
        return Window(self.up_to, self.width, "up_to" not in self.model_fields_set)

    def relaxes(self, sample: SpectrumSample) -> bool:
        """Return whether the geometries of a sample are relaxed first."""
        if self.geometry is not None:
            return self.geometry == "relaxed"
        return self.kind == "ir" or sample.ensemble is None

    def of_each(self, sample: SpectrumSample, states: int | None) -> DFTRequest:
        """Return what is asked of each conformer first."""
        words: dict[str, Any] = {"task": "optimise" if self.relaxes(sample) else "energy"}
        if self.relaxes(sample):
            words["max_steps"] = self.max_steps
        if states is not None:
            words |= {
                "states": states,
                "response": self.response,
                "solvent_response": self.solvent_response,
            }
        return fill(DFTRequest, words)


def level_of(
    sample: SpectrumSample, request: SpectrumRequest, wanted: LevelForm, method: str = ""
) -> LevelForm:
    """Return the level that is meant for a sample.

    In the solvent that stands behind the sample, else in the one that is asked for, else in that
    of its ensemble.

    Args:
        sample: which.
        request: says whether it is that of the ensemble.
        wanted: what is asked for.
        method: in place of the one that is asked for.

    Raises:
        InputError: there is no ensemble whose level it could be, or no such level.
    """
    if request.own_level and not method:
        if sample.ensemble is None or sample.solvent:
            raise InputError(
                f"a spectrum of {sample.name} at the level of its ensemble was asked for",
                "it has no ensemble" if sample.ensemble is None else "that has its own solvent",
                "leave `own_level` out, and name method and basis",
            )
        level = sample.ensemble.level
        return StoredLevel(method=level.method, level=level.iri)
    words = wanted.in_words() | ({"method": method} if method else {})
    own = surroundings(sample.ensemble) if sample.ensemble is not None else ""
    if plain(sample.solvent) in GAS:
        words = {n: value for n, value in words.items() if n not in SURROUNDINGS}
    elif sample.solvent:
        words["solvent"] = sample.solvent
    elif not words.get("solvent") and not words.get("dielectric"):
        words["solvent"] = own
    if not words.get("solvent"):
        words.pop("solvent", None)
    return fill(LevelForm, words)


async def prepare_spectra(
    given: Given[SpectrumSamples], request: SpectrumRequest, wanted: LevelForm, executor: Executor
) -> Prepared[SpectraState]:
    """Find out what is asked of ensembles.

    Raises:
        InputError: what is asked does not fit a sample or the level.
    """
    if request.own_level and request.against:
        raise InputError(
            "the level of each ensemble and another method were asked for",
            "of the ensemble's basis set nobody knows if it suits the other",
            "name `method` and `basis` in place of `own_level`",
        )
    samples = given.model.samples
    methods = ["", *filter(None, [request.against])]
    read = await _all_read(given, request, wanted, executor)
    asked = [_ask_read(one, request, read[one.name]) for one in samples if read]
    asked += await asyncio.gather(
        *(
            _ask_sample(one, request, wanted, method, executor)
            for method in methods
            for one in samples
            if not read
        )
    )
    conformers = [(one, part) for one in asked for part in one.conformers]
    levels = {part.level.iri: part.level for _, part in conformers}
    state = SpectraState(given.model, {one.name: one for one in asked})

    async def begin() -> SpectraState:  # what the conformers came to before is remembered
        return state

    many = count(len(samples), "molecule")
    what = samples[0].name if len(samples) == 1 else many
    kind = {"uv": "UV-Vis", "ir": "IR"}[request.kind]
    costs = tuple(cost for _, part in conformers for cost in _costs(part, request))
    remarks = [*_levels_left(_known(given).levels, asked)]
    remarks += [
        remark for _, part in conformers if part.ready for remark in part.ready.prepared.remarks
    ]
    own = next(iter(levels.values()))
    stored = StoredLevel(method=own.method, level=own.iri) if read else None
    remarks += _of_geometries(given, read)
    return Prepared(
        state,
        SPECTRA.goal(f"the {kind} spectrum of {what}", whole=True),
        (given.model, *levels.values()),
        f"{kind} spectrum of {what} at {next(iter(levels.values())).label}",
        costs,
        tuple(dict.fromkeys(remarks)),
        begin=begin,
        level=stored,
    )


def _known(given: Given[SpectrumSamples]) -> KnownSamples:
    """Return what is stored of samples besides; nothing where a run is gone on with."""
    return given.detail if isinstance(given.detail, KnownSamples) else KnownSamples({}, {})


async def _all_read(
    given: Given[SpectrumSamples], request: SpectrumRequest, wanted: LevelForm, executor: Executor
) -> dict[str, ImportedExcitations | ImportedVibrations]:
    """Return the lines of samples that were read from files, where nobody named a level.

    Raises:
        InputError: a file has none, or only some samples were read.
    """
    detail = _known(given).read
    kind = ImportedExcitations if request.kind == "uv" else ImportedVibrations
    found: dict[str, ImportedExcitations | ImportedVibrations] = {}
    if isinstance(wanted, StoredLevel):  # gone on with
        level = (await wanted.resolve(given.model.samples[0].structure, executor)).level
        if isinstance(level, ImportedLevel):
            for sample in given.model.samples:
                known = executor.kg.find(kind, atoms=sample.structure)
                if len({one.level.iri for one in known}) > 1 < len(given.model.samples):
                    raise InputError(
                        f"a spectrum of {sample.name} from a file was to go on",
                        "files of it at several levels were read, and which was meant is not kept",
                        "ask for the spectrum of those files again: nothing of it is computed",
                    )
                own = [one for one in known if one.level == level] or known
                found |= {sample.name: own[-1]} if own else {}
        return found
    if not detail or request.own_level or request.against or "method" not in wanted.left_open:
        return {}
    for name, results in detail.items():
        lines = [one for one in results if isinstance(one, kind)]
        if not lines:
            raise without_lines(results[-1])
        found[name] = lines[-1]
    if others := [one.name for one in given.model.samples if one.name not in found]:
        raise InputError(
            f"spectra of {'; '.join(one.name for one in given.model.samples)} were asked for",
            f"some were read from files, and {', '.join(others)} not: which level is meant is not "
            "said",
            "name a level (`level`), such as B3LYP/def2-SVP, to compute all of them",
        )
    return found


def _of_geometries(
    given: Given[SpectrumSamples], read: Mapping[str, ImportedResult]
) -> Iterator[str]:
    """Say of what was read whether its lines are taken, or its geometry alone."""
    detail = _known(given).read
    for name, results in detail.items():
        if name in read:
            yield f"{name}: the lines were read from {read[name].place}, and nothing is computed"
        else:
            yield (
                f"{name}: the geometry is that of {results[-1].place}; without method and basis "
                "set the lines of the file are taken"
            )


def _ask_read(
    sample: SpectrumSample,
    request: SpectrumRequest,
    found: ImportedExcitations | ImportedVibrations,
) -> AskedSpectrum:
    """Return what is asked of a sample whose lines were read; without `up_to` all states are."""
    window = None
    if isinstance(found, ImportedExcitations):
        up_to = request.up_to
        if "up_to" not in request.model_fields_set:
            up_to = math.ceil(float(found.excitation_energies.max()) + 2 * request.width)
        window = Window(up_to, request.width)
    return AskedSpectrum(
        sample.name,
        sample,
        found.level,
        (AskedConformer(1, 1.0, None, False, window, found),),
        (),
        request.width if window else request.line_width,
        window,
        request.scale,
        request.source_of_scale,
        request.imaginary == "keep",
    )


def _levels_left(ran: Mapping[str, Level], asked: Iterable[AskedSpectrum]) -> Iterator[str]:
    """Say of runs whose geometries are taken that their levels, which are others, are not."""
    for one in asked:
        level = None if one.other else ran.get(one.sample.name)
        if level is not None and level != one.level:
            yield (
                f"{one.sample.name}: the geometry is that of a run at {level.label}; its level is "
                "not taken over: name it (method, basis) for a spectrum at the same"
            )


def _costs(part: AskedConformer, request: SpectrumRequest) -> tuple[Priced, ...]:
    if part.ready is None:
        return ()
    if request.kind == "uv":
        return part.ready.prepared.costs
    return (MoleculeCost(part.ready.given.model, part.level, DFTRequest(task="frequencies")),)


async def _ask_sample(
    sample: SpectrumSample,
    request: SpectrumRequest,
    wanted: LevelForm,
    method: str,
    executor: Executor,
) -> AskedSpectrum:
    """Find out what is asked of one sample at one level."""
    try:
        form = level_of(sample, request, wanted, method)
        level = (await form.resolve(sample.structure, executor.unheard())).level
        window = request.window
        states = None
        if window is not None:
            states = min(STATES, states_at_most(sample.structure, level))
        words = request.of_each(sample, states)
        if window is None and words.task != "optimise":
            fill(DFTRequest, {"task": "frequencies"}).check(sample.structure, level)

        async def one(number: int, weight: float, atoms: ConceptualAtoms) -> AskedConformer:
            ready = await ask(atoms, words, form, executor.unheard())
            return AskedConformer(number, weight, ready, request.relaxes(sample), window)

        kept, left_out = chosen(sample, request.cumulative)
        parts = await asyncio.gather(*(one(*part) for part in kept))
    except GraficoError as error:
        if sample.name not in str(error):
            error.found = f"{sample.name}: {error.found}"
        raise
    name = f"{sample.name}, {level.method}" if method or request.against else sample.name
    return AskedSpectrum(
        name,
        sample,
        level,
        parts,
        left_out,
        request.width if window else request.line_width,
        window,
        request.scale,
        request.source_of_scale,
        request.imaginary == "keep",
        request.weight_error,
        other=bool(method),
    )


DEFINITION = Definition(
    SPECTRA,
    (SpectrumRequest, LevelForm),
    ENSEMBLES,
    prepare_spectra,
    help="Each conformer is computed as if it had been asked for alone, so that nothing is "
    "computed twice; the spectra are added up by Boltzmann weights. One that fails leaves the "
    "others.",
    makes=(EnsembleSpectrum, SpectrumComparison),
)
