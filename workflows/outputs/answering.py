"""What was read from files as answers to requests, where somebody accepts that.

Structure and level must agree as far as a file can say it. What it leaves open is told with the
answer where it moves the numbers little (grid, thresholds), and speaks against it where it may move
them much: what a program calls B3LYP, or whether a dispersion correction is in it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ogm import GraphModel, KnowledgeGraph, Motion
from ogm.literals import literal
from ogm.terms import full_iri, with_prefixes
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level, LevelOfTheory
from ontologies.outputs import (
    NOT_SAID,
    ImportedLevel,
    ImportedResult,
    ImportedThermochemistry,
    ImportedVibrations,
)
from ontologies.provenance import FileReading, Outcome, Run
from ontologies.tightbinding import TightBinding
from triplestore import Table
from triplestore.errors import GraficoError
from workflows.engine import Answer, Call
from workflows.engine.execution.policy import Accepted
from workflows.engine.execution.withdrawn import standing
from workflows.registry.levels import offered
from workflows.text.names import plain
from workflows.text.words import count

MOST = 200
"""Results of one formula that are looked at, the latest first."""


@dataclass(frozen=True)
class Agreement:
    """How a level of a file stands to one that is asked for.

    Attributes:
        against: why it is not the same, or cannot be shown to be.
        notes: what else a reader must know: what the file leaves open, and who has computed.
    """

    against: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def agreement(asked: Level, read: ImportedLevel, multiplicity: int) -> Agreement:
    """Compare a level that is asked for with one that was read from a file.

    Args:
        asked: the level of a request.
        read: as far as the file says it.
        multiplicity: of the molecule, 2S+1.
    """
    version = "" if read.program_version == NOT_SAID else f" {read.program_version}"
    notes = [f"{read.program}{version} computed it, not {asked.program}"]
    against: list[str] = []
    if plain(asked.method) != plain(read.method):
        against.append(f"the file has {read.method}, not {asked.method}")
    elif isinstance(asked, TightBinding):
        against += _solvent(asked.solvation, read)
        usual = type(asked).model_fields["electronic_temperature"].default
        if asked.electronic_temperature != usual:
            against.append(f"electrons at {asked.electronic_temperature:g} K were asked for")
        notes.append("the thresholds of self-consistency are the program's own")
    elif isinstance(asked, LevelOfTheory) and not asked.functional and not asked.dispersion:
        if plain(asked.basis) != plain(read.basis) or asked.own_basis is not None:
            against.append(f"the file has the basis set {read.basis}, not {asked.basis}")
        against += _solvent(asked.solvation, read)
        if asked.density_fitting or asked.follow_instabilities or not asked.spherical:
            against.append("density fitting, Cartesian functions or stability are not said there")
        if multiplicity != 1 or asked.reference != "restricted":
            against.append("whether its orbitals are restricted is not said")
        notes.append(
            "the file does not say: whether integrals were approximated, d functions, thresholds"
        )
    else:
        against.append(
            f"what {read.program} means by {read.method} is not known from the file: its variant, "
            "a correction for dispersion, frozen core"
        )
    return Agreement(tuple(against), tuple(notes))


def _solvent(asked: object, read: ImportedLevel) -> list[str]:
    if read.solvent == NOT_SAID:
        return ["what is around the molecule the file does not say"]
    around = f"{getattr(asked, 'model', '')} {getattr(asked, 'solvent', '')}" if asked else ""
    if plain(around) == plain(read.solvent):
        return []
    return [f"the file has {read.solvent or 'no solvent'}, not {around.strip() or 'the gas phase'}"]


def accepted(kg: KnowledgeGraph, call: Call[Any]) -> Accepted:
    """Return an energy that was read from a file as the answer to a call, or why there is none.

    Withdrawn readings are passed by. Only energies at a geometry are answered.
    """
    objects = [*call.objects.values()]
    atoms = next((one for one in objects if isinstance(one, ConceptualAtoms)), None)
    level = next((one for one in objects if isinstance(one, Level)), None)
    if atoms is None or level is None or len(objects) != 2:
        return Accepted()
    with suppress(GraficoError, NotImplementedError):
        if offered(level).energy(atoms, level).key == call.key:
            return _found(kg, atoms, level)
    return Accepted()


@dataclass(frozen=True)
class ReadVibrations:
    """Vibrations that were read from a file, and that somebody wants as the answer.

    Attributes:
        answer: they, in the frame of the caller; None for none.
        notes: what to know of them, or why none is taken, in words.
    """

    answer: Answer[ImportedVibrations] | None = None
    notes: tuple[str, ...] = ()


def accepted_vibrations(kg: KnowledgeGraph, atoms: ConceptualAtoms, level: Level) -> ReadVibrations:
    """Return the vibrations of a structure that were read from a file, at a level or its own.

    Args:
        kg: the graph to read from.
        atoms: the structure.
        level: that is asked for; an `ImportedLevel` stands for itself.
    """
    refused: list[str] = []
    for reading, result in _candidates(kg, atoms.formula, ImportedVibrations):
        found = kg.pull(ImportedVibrations, result)
        motion = Motion() if found.atoms == atoms else atoms.motion_from(found.atoms)
        if motion is None:
            continue
        own = isinstance(level, ImportedLevel)
        if own and level != found.level:
            continue
        agreed = Agreement() if own else agreement(level, found.level, atoms.multiplicity)
        why = [*agreed.against]
        if found.imaginary:
            why.append(f"it has {count(found.imaginary, 'imaginary mode')}, and is no minimum")
        if not why:
            activity = kg.pull(FileReading, reading)
            moved = found.transformed(motion)
            return ReadVibrations(Answer(moved, activity, result, True, motion), agreed.notes)
        refused.append(f"{found.place} is not accepted: {'; '.join(why)}")
    return ReadVibrations(None, tuple(dict.fromkeys(refused)))


def read_results(kg: KnowledgeGraph, given: str) -> list[ImportedResult]:
    """Return what was read from a file, as far as a person has named it by an IRI.

    Args:
        kg: the graph to read from.
        given: the IRI of a result, or of the run that read it; anything else means nothing.
    """
    iri = full_iri(given.strip())
    if "/Run/" not in iri and "/Imported" not in iri:
        return []
    with suppress(GraficoError, ValueError):
        model = kg.pull(GraphModel, iri)
        links = [model.iri]
        if isinstance(model, Run):
            ends = kg.find(Outcome, run=model)
            links = [link.iri for end in ends for link in end.results]
        elif isinstance(model, ImportedThermochemistry):
            links = [model.frequencies.iri]
        found = kg.pull_all(GraphModel, links)
        return [one for one in found if isinstance(one, ImportedResult)]
    return []


def _found(kg: KnowledgeGraph, atoms: ConceptualAtoms, level: Level) -> Accepted:
    refused: list[str] = []
    for reading, result in _candidates(kg, atoms.formula):
        found = kg.pull(ImportedResult, result)
        motion = Motion() if found.atoms == atoms else atoms.motion_from(found.atoms)
        if motion is None:
            continue
        agreed = agreement(level, found.level, atoms.multiplicity)
        if not agreed.against:
            activity = kg.pull(FileReading, reading)
            return Accepted(Answer(found.transformed(motion), activity, result, True, motion))
        refused.append(f"{found.place} is not accepted: {'; '.join(agreed.against)}")
    return Accepted(None, tuple(dict.fromkeys(refused)))


def _candidates(
    kg: KnowledgeGraph, formula: str, kind: type[ImportedResult] | None = None
) -> list[tuple[str, str]]:
    of = f"; a <{kind.term()}>" if kind else ""
    answer = kg.store.query(
        with_prefixes(
            f"""SELECT ?reading ?result {{
            ?atoms g:formula {literal(formula)} . ?result g:atoms ?atoms ; g:energyLine ?line {of} .
            ?reading prov:generated ?result ; a <{FileReading.term()}> {standing("?reading")}
            }} ORDER BY DESC(?reading) LIMIT {MOST}"""
        )
    )
    assert isinstance(answer, Table)
    return [(str(one.value), str(two.value)) for one, two in answer.rows if one and two]
