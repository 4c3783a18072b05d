"""Ensembles and molecules whose spectra are asked for together, each as a person gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, cast

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.conformers import ConformerEnsemble
from ontologies.level import Level
from ontologies.outputs import ImportedResult
from ontologies.provenance import Run
from ontologies.spectra import SpectrumSample, SpectrumSamples
from triplestore.errors import GraficoError, InputError, NotFoundError
from workflows.conformer.subject import ENSEMBLE
from workflows.engine import Executor
from workflows.engine.request.definition import Given, Subject
from workflows.engine.request.form import Form, fill
from workflows.excitation.subject import ReadingSeveral, parts_of, unlike
from workflows.molecule.objects import as_subject
from workflows.molecule.recognition import recognise
from workflows.molecule.subject import MOLECULE
from workflows.outputs.answering import read_results

MOST = 20
"""Spectra of one request: more cannot be told apart in one chart."""

BRACES = re.compile(r"\s*\{([^{}]*)\}$")
CHARGE = re.compile(r"[+-]?\d{1,2}")

EXAMPLE = (
    "give IRIs of ensembles, or molecules, with semicolons between them; behind one, in braces, "
    "its solvent or its charge: 'IRI {water}; IRI {heptane}'"
)
ADVICE = "give the IRI of an ensemble or a cluster, of the run that made it, or a molecule"


@dataclass(frozen=True)
class GivenSample:
    """One of several samples as a person gives it.

    Attributes:
        given: text, a path, a structure or an ensemble.
        solvent: where that is said of it alone.
        charge: likewise, in e.
    """

    given: str | Path | ConceptualAtoms | ConformerEnsemble
    solvent: str = ""
    charge: int | None = None

    @property
    def name(self) -> str:
        """What it is called."""
        match self.given:
            case ConceptualAtoms():
                return self.given.formula
            case ConformerEnsemble():
                return self.given.smiles or self.given.molecule.formula
            case Path():
                return self.given.name
            case _:
                return self.given


@dataclass(frozen=True)
class KnownSamples:
    """What is stored of samples besides their structures.

    Attributes:
        levels: of runs whose geometries are taken, by the name of the sample.
        read: what was read from the files that samples are named by, likewise.
    """

    levels: Mapping[str, Level]
    read: Mapping[str, Sequence[ImportedResult]]


class EnsembleSets(Subject[SpectrumSamples]):
    """Ensembles of conformers, and molecules at one geometry."""

    name: ClassVar[str] = "ensemble set"
    metavar: ClassVar[str] = "ENSEMBLES"
    several: ClassVar[bool] = True
    members: ClassVar[tuple[type, ...]] = (ConceptualAtoms, ConformerEnsemble)
    model = SpectrumSamples
    form = ReadingSeveral
    help: ClassVar[str] = (
        "ENSEMBLES are one or several, with semicolons between them: IRIs of ensembles of "
        "conformers, of clusters, or of the runs that made them, or molecules at one geometry "
        "(SMILES, names, files, IRIs). In braces behind one: its solvent, such as {water}, {gas}, "
        "or its charge."
    )

    def label(self, model: SpectrumSamples) -> str:
        return "; ".join(one.name for one in model.samples)

    async def read(self, given: object, said: Form, executor: Executor) -> Given[SpectrumSamples]:
        """Return the samples that are meant, each once; `detail` has levels of runs by their names.

        Raises:
            InputError: there is none, there are too many, or one is a crystal.
            NotFoundError: an IRI is that of something else.
            GraficoError: one cannot be read.
        """
        assert isinstance(said, ReadingSeveral)
        if isinstance(given, SpectrumSamples):
            return Given(given, self.label(given))
        text = str(given).strip()
        if ";" not in text and "SpectrumSamples/" in text:
            known = self.stored_object(executor.kg, text)
            return Given(known, self.label(known))
        wanted = _listed(given)
        if not 0 < len(wanted) <= MOST:
            raise InputError(
                "spectra were asked for",
                f"there are {len(wanted)}; 1 to {MOST} are allowed",
                EXAMPLE,
            )
        samples: dict[tuple[str, str], SpectrumSample] = {}
        remarks: list[str] = []
        read: dict[str, Sequence[ImportedResult]] = {}
        ran: dict[str, Level] = {}
        for one in wanted:
            found, told, level = await _sample(one, said, executor)
            known = read_results(executor.kg, one.given) if isinstance(one.given, str) else []
            held = found.ensemble or found.structure
            key = held.iri, found.solvent
            if key not in samples:
                name = unlike(found.name, [other.name for other in samples.values()])
                samples[key] = found.model_copy(update={"name": name})
                if known and not one.solvent and one.charge is None:
                    read[name] = known
                remarks += [f"{name}: {remark}" for remark in told]
                ran |= {name: level} if level and not known else {}
        whole = SpectrumSamples(samples=tuple(samples.values()))
        name = text if isinstance(given, str) else self.label(whole)
        return Given(whole, name, tuple(remarks), KnownSamples(ran, read))


def _listed(given: object) -> list[GivenSample]:
    """Return what was given, one by one."""
    given = as_subject(given)
    if isinstance(given, str):
        return [_asked(part) for part in parts_of(given)]
    if isinstance(given, Path | ConceptualAtoms | ConformerEnsemble):
        return [GivenSample(given)]
    if isinstance(given, Sequence):
        each = cast("Sequence[object]", given)
        return [
            found
            for one in each
            for found in ([_asked(one.strip())] if isinstance(one, str) else _listed(one))
        ]
    raise InputError("spectra were asked for", f"a {type(given).__name__} is none", EXAMPLE)


def _asked(part: str) -> GivenSample:
    braces = BRACES.search(part)
    if braces is None:
        return GivenSample(part)
    text, said = part[: braces.start()].strip(), braces[1].strip()
    if not text or not said:
        raise InputError(f"a spectrum of {part[:80]!r} was asked for", "it says nothing", EXAMPLE)
    if CHARGE.fullmatch(said):
        return GivenSample(text, charge=int(said))
    return GivenSample(text, said)


async def _sample(
    one: GivenSample, said: ReadingSeveral, executor: Executor
) -> tuple[SpectrumSample, tuple[str, ...], Level | None]:
    """Return a sample, what was assumed of it, and the level of the run that it is of."""
    ensemble = one.given if isinstance(one.given, ConformerEnsemble) else None
    if isinstance(one.given, str) and recognise(one.given) == "iri":
        ensemble = _ensemble(executor.kg, one.given)
    if ensemble is not None:
        if one.charge is not None:
            raise InputError(
                f"a spectrum of {one.name[:80]} with the charge {one.charge:+d} was asked for",
                "an ensemble has its own",
                "make one of the other ion",
            )
        around = one.solvent or surroundings(ensemble)
        name = GivenSample(ensemble).name + (f" in {around}" if around else "")
        return SpectrumSample(name=name, ensemble=ensemble, solvent=one.solvent), (), None
    given = await _molecule(one, said, executor)
    is_iri = isinstance(one.given, str) and recognise(one.given) == "iri"
    name = given.model.formula if is_iri else one.name
    name += f" in {one.solvent}" if one.solvent else ""
    sample = SpectrumSample(name=name, atoms=given.model, solvent=one.solvent)
    return sample, given.remarks, _level_of(executor.kg, str(one.given)) if is_iri else None


def _level_of(kg: KnowledgeGraph, iri: str) -> Level | None:
    """Return the level of a run whose geometry is taken; None where it is of something else."""
    with suppress(NotFoundError):
        about = [one.load(kg) for one in kg.pull(Run, iri.strip()).about]
        return next((one for one in about if isinstance(one, Level)), None)
    return None


def surroundings(ensemble: ConformerEnsemble) -> str:
    """Return the name of the solvent in which an ensemble was computed; empty for none."""
    around = getattr(ensemble.level, "solvation", None)
    return around.solvent if around is not None else ""


def _ensemble(kg: KnowledgeGraph, iri: str) -> ConformerEnsemble | None:
    """Return the ensemble that an IRI means; None if it is that of something else."""
    try:
        return ENSEMBLE.stored_object(kg, iri.strip())
    except NotFoundError:  # such as a structure, or a run of one geometry
        return None


async def _molecule(
    one: GivenSample, said: ReadingSeveral, executor: Executor
) -> Given[ConceptualAtoms]:
    form = fill(MOLECULE.form, {"charge": one.charge}, said.handed_on())
    try:
        given = await MOLECULE.read(one.given, form, executor)
    except NotFoundError as error:
        if isinstance(one.given, str) and recognise(one.given) == "iri":
            error.advice = ADVICE
        raise
    except GraficoError as error:
        if one.name not in str(error):
            error.found = f"{one.name}: {error.found}"
        raise
    if given.model.is_periodic:
        raise InputError(
            f"a spectrum of {one.name[:80]} was asked for", "it is a crystal", "give a molecule"
        )
    return given


ENSEMBLES = EnsembleSets()
