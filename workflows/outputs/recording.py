"""What an output says, as objects of the graph: a run for each job, results and readings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ogm import GraphModel, Link
from ogm.terms import class_iri
from ogm.validation_errors import readable
from ontologies.atoms import ConceptualAtoms, make_atoms
from ontologies.outputs import (
    ImportedEnergy,
    ImportedExcitations,
    ImportedLevel,
    ImportedOptimisation,
    ImportedResult,
    ImportedScan,
    ImportedThermochemistry,
    ImportedVibrations,
    OutputFile,
)
from ontologies.provenance import Device, FileReading, Outcome, Run, Software, Transition
from triplestore.errors import InputError
from workflows.engine.graph.run import grafico_software, requester
from workflows.engine.local.devices import processor
from workflows.registry import Taken
from workflows.text.safe_text import on_one_line

from .values import Output, OutputJob

GRAPH, VERSION = "imported", "6"
"""The graph of the runs, and the version of the reader: raise it when it reads otherwise."""

CALCULATION = "imported.read"


def records(found: Output) -> Iterator[tuple[Taken, list[GraphModel]]]:
    """Iterate over the jobs of a file: what came of each, and the objects that are stored of it."""
    name = on_one_line(Path(found.place).name)[:200]
    file = OutputFile(
        name=name,
        digest=found.digest,
        bytes=found.bytes,
        line_count=found.lines,
        encoding=found.encoding,
    )
    for job in found.jobs:
        if job.refused:
            yield Taken(found.place, job.number, "refused", on_one_line(job.refused)), []
            continue
        try:
            yield _recorded(found, job, file)
        except (InputError, ValidationError) as error:
            problem = "; ".join(readable(error)) if isinstance(error, ValidationError) else error
            why = problem.found if isinstance(problem, InputError) else problem
            yield Taken(found.place, job.number, "refused", on_one_line(str(why))), []


def _recorded(found: Output, job: OutputJob, file: OutputFile) -> tuple[Taken, list[GraphModel]]:
    atoms = _atoms(job, job.place, file.name) if job.numbers else None
    level = ImportedLevel(**{name: on_one_line(text) for name, text in job.level.items()})
    ended = datetime.now(UTC)
    started = ended - timedelta(seconds=found.seconds)
    subject = file.name if len(found.jobs) == 1 else f"{file.name}, job {job.number}"
    run = Run(
        graph=GRAPH,
        goal="read what another program computed",
        subject=subject,
        request="{}",
        about=frozenset(Link[GraphModel](one) for one in filter(None, (atoms, level, file))),
        started=started,
        software=grafico_software(),
    )
    results = [] if job.failed or atoms is None else list(_results(job, atoms, level, file))
    made: list[GraphModel] = [file, level, run, requester(run), *([atoms] if atoms else [])]
    for index, result in enumerate(results or [None]):
        steps = _step(run, index, result, found, job, file, (started, ended))
        made += steps
    reason = on_one_line(job.failed)
    lines = f"{file.name}, lines {job.first_line}–{job.last_line}"
    told = f"a failed run of {level.program}, read from {lines}: {reason}"
    outcome = Outcome(
        run=Link[Run](run),
        status="failed" if reason else "finished",
        message=told if reason else f"read from {lines}: computed by {level.program}, not here",
        ended=ended,
        results=tuple(Link[GraphModel](one) for one in results),
        geometry=Link[GraphModel](atoms) if atoms else None,
        node="Read",
    )
    taken = Taken(
        found.place,
        job.number,
        "failed run" if reason else "new",
        reason or "; ".join(map(on_one_line, job.remarks)),
        run.iri,
        level.label,
        atoms.formula if atoms else "",
        None if reason else job.energies[job.place],
        tuple(one.iri for one in results),
    )
    return taken, [*made, *results, outcome]


def _atoms(job: OutputJob, step: int, name: str) -> ConceptualAtoms:
    return make_atoms(
        name,
        numbers=job.numbers,
        positions=job.geometries[step],
        charge=job.charge,
        multiplicity=job.multiplicity,
    )


def _results(
    job: OutputJob, atoms: ConceptualAtoms, level: ImportedLevel, file: OutputFile
) -> Iterator[ImportedResult | ImportedThermochemistry]:
    """Iterate over what a job came to."""
    said: dict[str, Any] = {
        "atoms": atoms,
        "level": level,
        "energy": job.energies[job.place],
        "remarks": tuple(map(on_one_line, job.remarks)),
        "source": file,
        "file_job": job.number,
        "first_line": job.first_line,
        "last_line": job.last_line,
        "energy_line": job.energy_line,
        **job.fields,
    }

    def named(result: GraphModel) -> Any:
        kind = type(result).__name__
        return result.identified(class_iri(kind, _name(file, job, kind)))

    if job.scan:
        yield named(
            ImportedScan(
                **said,
                **job.scan,
                energies=np.array(job.energies),
                trajectory=np.array(job.geometries),
                points_file=_points_file(job),
            )
        )
        return
    if job.relaxed:
        whole = job.paired
        yield named(
            ImportedOptimisation(
                **said,
                initial=_atoms(job, 0, file.name) if whole else None,
                energies=np.array(job.energies),
                trajectory=np.array(job.geometries) if whole else None,
                steps=len(job.energies),
            )
        )
    if job.vibrations:
        vibrations = named(ImportedVibrations(**said, **job.vibrations))
        yield vibrations
        if job.thermochemistry:
            yield named(ImportedThermochemistry(frequencies=vibrations, **job.thermochemistry))
    if job.excitations:
        yield named(ImportedExcitations(**said, **job.excitations))
    if not (job.relaxed or job.vibrations or job.excitations):
        yield named(ImportedEnergy(**said))


def _points_file(job: OutputJob) -> OutputFile | None:
    """Return the file beside an output that has the points of a scan."""
    beside = job.beside
    if beside is None:
        return None
    lines = len(beside.text.splitlines())
    return OutputFile(name=beside.name, digest=beside.digest, bytes=beside.bytes, line_count=lines)


def _name(file: OutputFile, job: OutputJob, kind: str) -> str:
    """Return what stands for a place in a file, whatever the file is called."""
    place = f"{CALCULATION}\0{VERSION}\0{file.digest}\0{job.number}\0{kind}"
    return hashlib.sha256(place.encode()).hexdigest()[:32]


def _step(
    run: Run,
    index: int,
    result: GraphModel | None,
    found: Output,
    job: OutputJob,
    file: OutputFile,
    when: tuple[datetime, datetime],
) -> list[GraphModel]:
    """Return the step of a run that reads a result, and the reading; of a failed one the step."""
    started, ended = when
    if result is None:
        step = _transition(run, index, started, ended, None, on_one_line(job.failed))
        return [step]
    key = _name(file, job, type(result).__name__)
    package, _, version = found.reader.partition(" ")
    reading = FileReading(
        calculation=CALCULATION,
        version=VERSION,
        epoch=found.reader,
        key=key,
        family=key,
        signature=0.0,
        used=frozenset(Link[GraphModel](one) for one in (file, _points_file(job)) if one),
        generated=Link[GraphModel](result),
        started=started,
        ended=ended,
        wall_time=found.seconds,
        threads=1,
        device=Device(kind="cpu", name=processor()),
        software=frozenset([Software(name=package, version=version)]),
    ).identified(class_iri(FileReading.__name__, key))
    return [reading, _transition(run, index, started, ended, reading, "")]


def _transition(
    run: Run,
    index: int,
    started: datetime,
    ended: datetime,
    reading: FileReading | None,
    failure: str,
) -> Transition:
    return Transition(
        run=Link[Run](run),
        index=index,
        node="Read",
        inputs="{}",
        chosen_by="caller",
        reason="the file says so",
        menu=("Read",),
        started=started,
        ended=ended,
        activity=None if reading is None else Link(reading),
        failure=failure,
    )
