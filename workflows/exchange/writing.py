"""A result in a file for another program, or a structure in its input, see `FORMATS`."""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Annotated, Any, ClassVar, Literal, cast, get_args

from pydantic import Field

from ogm import GraphModel
from ogm.terms import full_iri
from ontologies.atoms import ConceptualAtoms
from ontologies.provenance import Run
from ontologies.quantum import EnergyResult
from ontologies.vibrations import VibrationalAnalysis
from triplestore.errors import InputError, NotFoundError
from workflows.dft.properties.molden import molden, orbitals_of
from workflows.dft.request.forms import IN_WORDS
from workflows.engine import Call, Executor
from workflows.engine.request.definition import (
    ActionDefinition,
    Given,
    PreparedAction,
    Product,
    Subject,
)
from workflows.engine.request.form import Form
from workflows.engine.request.rules import OtherNames
from workflows.engine.request.stored import stored_or_last
from workflows.molecule.electrons import check_electrons
from workflows.molecule.recognition import recognise
from workflows.molecule.subject import MOLECULE, ReadingWithSpin
from workflows.registry.levels import LevelForm
from workflows.show.frames import frames_of, has_frames
from workflows.text.names import plain as spelt_plainly

from .besides import Besides, megabytes, words_of
from .frames import alone, bonded, extended, plain
from .inputs import INPUTS, Asked, Task, Wanted, Written, composite
from .keywords import ALONE, COMPOSITES
from .schema import qcschema
from .swing import swing

FormatName = Literal[
    "extxyz", "xyz", "sdf", "cif", "pdb", "qcschema", "psi4", "orca", "gaussian", "xtb", "molden"
]


@dataclass(frozen=True)
class Format:
    """How a result is written.

    Attributes:
        endings: of the names of files that mean it.
        holds: what stands in it.
        write: returns the text, and what a person should know of it.
        many: whether `write` takes `Frames`, and not the result.
        rests_on: the calculation of what `write` is given besides the result; None for nothing.
        is_input: whether it is the input of a program: `write` takes a `Wanted` too, and a task.
    """

    endings: tuple[str, ...]
    holds: str
    write: Callable[..., tuple[str, tuple[str, ...]]]
    many: bool = False
    rests_on: Callable[[Any], Call[Any] | None] | None = None
    is_input: bool = False


FORMATS: Mapping[FormatName, Format] = {
    "extxyz": Format((".extxyz",), "geometries with energies", extended, many=True),
    "xyz": Format((".xyz",), "geometries with energies", plain, many=True),
    "sdf": Format((".sdf",), "geometries with energies and bonds", bonded, many=True),
    "cif": Format((".cif",), "the geometry and its cell", functools.partial(alone, form="cif")),
    "pdb": Format((".pdb",), "the geometry", functools.partial(alone, form="pdb")),
    "qcschema": Format((".json",), "structure, level and energy", qcschema),
    "psi4": Format((".dat", ".psi4"), "an input of Psi4", INPUTS["psi4"], is_input=True),
    "orca": Format((".inp",), "an input of ORCA", INPUTS["orca"], is_input=True),
    "gaussian": Format((".gjf", ".com"), "an input of Gaussian", INPUTS["gaussian"], is_input=True),
    "xtb": Format((".coord",), "an input of xtb", INPUTS["xtb"], is_input=True),
    "molden": Format(
        (".molden",), "geometry, basis set and orbitals", molden, rests_on=orbitals_of
    ),
}
ROWS = tuple(name for name, form in FORMATS.items() if form.many)
"""Formats that hold several geometries."""

ENDINGS: dict[str, FormatName] = {
    ending: name for name, form in FORMATS.items() for ending in form.endings
}


class WriteRequest(Form):
    """What a result is written as, or a structure as an input."""

    to: Annotated[
        FormatName | None,
        OtherNames(("format", "program", "fmt", "type")),
        Field(description="The format.  [default: by the name of the output, else extxyz]"),
    ] = None
    task: Annotated[
        Task | None,
        IN_WORDS,
        Field(
            description="What an input asks for; frequencies are those of the geometry that is "
            "optimised before.  [default: that of the run, else energy]"
        ),
    ] = None
    mode: Annotated[
        int | None,
        OtherNames(("vibration", "normal_mode")),
        Field(ge=1, description="Of vibrations: one swing of this mode, as xyz, extxyz or sdf."),
    ] = None
    cores: Annotated[
        int | None,
        OtherNames(
            (
                "-t",
                "--threads-per-calculation",
                "threads",
                "nthreads",
                "ncores",
                "nproc",
                "nprocs",
                "cpus",
            )
        ),
        Field(
            ge=1,
            description="Cores that an input asks for, on whatever machine it will run; for "
            "orbitals, threads of the calculation.",
        ),
    ] = None
    memory: Annotated[
        str,
        OtherNames(("mem", "ram")),
        Field(description="Memory that an input asks for, all cores together, such as 16GB."),
    ] = ""
    keywords: Annotated[
        str,
        OtherNames(("keyword", "route", "extra", "words")),
        Field(
            description="Words of your own for the line of the method, such as "
            "'RIJCOSX TightSCF'; they are no part of the level, which the file says."
        ),
    ] = ""

    @property
    def besides(self) -> Besides:
        """What an input says besides."""
        return Besides(self.cores or 0, megabytes(self.memory), words_of(self.keywords))


@dataclass(frozen=True)
class Read:
    """What is known of a result besides, for `prepare`.

    Attributes:
        reading: what was said of the molecule, if another one is meant than that of the result.
        run: whose result it is; None where it was named by itself.
    """

    reading: ReadingWithSpin
    run: Run | None = None


class AnyResult(Subject[GraphModel]):
    """A result, an ensemble, a path or a scan; for an input a molecule, too."""

    name: ClassVar[str] = "result"
    metavar: ClassVar[str] = "IRI"
    model = GraphModel
    form = ReadingWithSpin
    help: ClassVar[str] = (
        "IRI is that of a result, or of a run, whose last result is meant. For the input of a "
        "program a molecule may stand there, as `grafico run` takes it: nothing is computed."
    )

    def label(self, model: GraphModel) -> str:
        return MOLECULE.label(model) if isinstance(model, ConceptualAtoms) else type(model).__name__

    async def read(self, given: object, said: Form, executor: Executor) -> Given[GraphModel]:
        """Return what is meant; of a result `detail` is a `Read`."""
        assert isinstance(said, ReadingWithSpin)
        run: Run | None = None
        if isinstance(given, str) and recognise(given, said.kind) == "iri":
            given = executor.kg.pull(GraphModel, full_iri(given.strip()))
        if isinstance(given, Run):
            run, given = given, stored_or_last(executor.kg, given.iri, has_frames)
            if given is None:
                asked = f"the result of the run {run.iri} was asked for"
                raise NotFoundError(asked, "it has none with an energy", "give a run that has")
        if not isinstance(given, GraphModel) or isinstance(given, ConceptualAtoms):
            return await MOLECULE.read(given, said, executor)
        return Given(given, detail=Read(said, run))


async def prepare(
    given: Given[GraphModel],
    asked: WriteRequest,
    wanted: LevelForm,
    executor: Executor,
    file: str,
) -> PreparedAction:
    """Find out the format; Python is handed the text."""
    name: FormatName = asked.to or ENDINGS.get(PurePath(file).suffix.lower(), "extxyz")
    form = FORMATS[name]
    if form.is_input:
        return await _input(given, asked, wanted, name, executor)
    result = given.model
    what = f"{form.holds} of {AnyResult().label(result)} was asked for"
    if isinstance(result, ConceptualAtoms):
        advice = "compute it first, and give the run; `grafico convert` writes structures"
        raise InputError(what, "that is a structure, not a result", advice)
    idle = [*_said_of(given, LevelForm), *_said_of(given, ReadingWithSpin)]
    idle += [one for one in ("task", "memory", "keywords") if getattr(asked, one)]
    idle += ["cores"] if asked.cores and not form.rests_on else []
    if idle:
        raise InputError(
            f"{what} with {', '.join(idle)}",
            "that is for inputs of programs: a result is what it is",
            f"leave it out, or choose {', '.join(INPUTS)}",
        )
    if asked.mode and not form.many:
        problem, rows = "a mode is written as geometries in a row", ", ".join(ROWS)
        raise InputError(f"mode {asked.mode} as {name} was asked for", problem, f"choose {rows}")
    if asked.mode:
        result = _vibrations(given, executor)
    if not form.many and not isinstance(result, EnergyResult):
        raise InputError(what, "it is no result of one geometry", "give one, or choose xyz")

    call = form.rests_on(result) if form.rests_on else None
    if asked.cores:
        executor = executor.under(replace(executor.policy, threads_per_calculation=asked.cores))

    mode = asked.mode

    async def make() -> Product:
        given: list[Any] = [result]
        if mode:
            given = [swing(cast("VibrationalAnalysis", result), mode)]
        elif form.many:
            given = [frames_of(result, executor.kg)]
        reused = False
        facts: dict[str, Any] = {"format": name, "result": result.iri}
        if call is not None:
            answer = await executor.run(call)
            given.append(answer.result)
            reused, facts["iri"] = answer.reused, answer.recorded
        text, notes = await asyncio.to_thread(form.write, *given)
        facts["notes"] = list(notes)
        headline = f"one swing of mode {mode}" if mode else form.holds
        return Product(text, text, facts, notes, headline=headline, reused=reused)

    return PreparedAction(make)


def _vibrations(given: Given[GraphModel], executor: Executor) -> VibrationalAnalysis:
    """Return the vibrations that are named, or those of the run that is.

    Raises:
        InputError: there are none.
    """
    kind, read = VibrationalAnalysis, given.detail
    found: GraphModel | None = given.model
    if not isinstance(found, kind) and isinstance(read, Read) and read.run:
        found = stored_or_last(executor.kg, read.run.iri, lambda one: isinstance(one, kind))
    if not isinstance(found, kind):
        raise InputError(
            "a mode of vibration was asked for",
            "that result has no vibrations that say how atoms move",
            "compute them (task frequencies), and write the mode of that run",
        )
    return found


async def _input(
    given: Given[GraphModel],
    request: WriteRequest,
    wanted: LevelForm,
    name: FormatName,
    executor: Executor,
) -> PreparedAction:
    """Find out what an input is for: a result anew, its geometry otherwise, or a molecule.

    Raises:
        InputError: the level cannot be, or the result is none of one geometry.
    """
    form, model, remarks = FORMATS[name], given.model, list(given.remarks)
    task, besides = request.task, request.besides
    read = given.detail
    if isinstance(read, Read):
        if not isinstance(model, EnergyResult):
            what = f"{form.holds} for a {type(model).__name__} was asked for"
            raise InputError(what, "it is no result of one geometry", "give one of its members")
        task = _task_of(read.run, task)
        otherwise = _said_of(given, ReadingWithSpin)
        if _said_of(given, LevelForm):
            model = (await MOLECULE.read(model.atoms, read.reading, executor)).model
        elif otherwise:
            raise InputError(
                f"{form.holds} for {model.atoms.formula} with {', '.join(otherwise)} was asked for",
                f"what is named is a result at {model.level.label}, which has its own",
                "say the level, too (`level`), and its geometry alone is taken",
            )
    asked: Asked
    if isinstance(model, EnergyResult):
        asked = model
    else:
        assert isinstance(model, ConceptualAtoms)
        check_electrons(model)
        if keyword := _composite(given, wanted, name, model):
            text = composite(model, keyword, task or "energy", besides)
            return _as_product(form, model, keyword, task, remarks, text)
        _check_computed(wanted, name, model)
        resolved = await wanted.resolve(model, executor)
        remarks += resolved.remarks
        asked = Wanted(model, resolved.level)
    written = await asyncio.to_thread(form.write, asked, task or "energy", besides)
    return _as_product(form, model, asked.level.label, task, remarks, written)


def _composite(
    given: Given[GraphModel], wanted: LevelForm, name: FormatName, atoms: ConceptualAtoms
) -> str:
    """Return the keyword of a method that the program has and nothing here; empty for others.

    Raises:
        InputError: something is said of the level besides, which the method brings along.
    """
    names = {spelt_plainly(one): one for one in COMPOSITES.get(name, ())}
    keyword = names.get(spelt_plainly(wanted.method), "")
    more = [one for one in _said_of(given, LevelForm) if one not in ("method", "level")]
    if keyword and more:
        raise InputError(
            f"an input for {atoms.formula} at {keyword} with {', '.join(more)} was asked for",
            f"{keyword} has its own basis set and corrections",
            "leave it out, and add to the file what it is to have besides",
        )
    return keyword


def _check_computed(wanted: LevelForm, name: FormatName, atoms: ConceptualAtoms) -> None:
    """Refuse methods that the program has, and nothing here.

    Raises:
        InputError: it is one; says what the program calls it.
    """
    for (program, method), (word, nearest) in ALONE.items():
        if program.lower() == name and spelt_plainly(wanted.method) == spelt_plainly(method):
            raise InputError(
                f"an input of {program} for {atoms.formula} at {method} was asked for",
                f"its {word} has the correction D2, which nothing here computes: there is no level "
                "that means the same",
                f"nearest of what both have: {nearest}; or write it for that, and put {word} in "
                "its place in the file",
            )


def _as_product(
    form: Format,
    model: GraphModel,
    level: str,
    task: Task | None,
    remarks: Sequence[str],
    written: Written,
) -> PreparedAction:
    """Return what is made of an input."""
    text, notes = written
    notes = (*dict.fromkeys((*remarks, *notes)),)
    result = isinstance(model, EnergyResult)
    atoms = model.atoms if result else model
    assert isinstance(atoms, ConceptualAtoms)
    name = next(one for one, each in FORMATS.items() if each is form)
    headline = f"{form.holds}: {task or 'energy'} of {atoms.formula} at {level}"
    facts: dict[str, Any] = {"format": name, "task": task or "energy", "level": level}
    facts |= {"result" if result else "structure": model.iri}
    product = Product(text, text, facts | {"notes": list(notes)}, notes, headline=headline)

    async def make() -> Product:
        return product

    return PreparedAction(make)


def _said_of(given: Given[GraphModel], form: type[Form]) -> list[str]:
    """Return what was said that a form takes."""
    return [name for name in given.said if name in form.offered()]


def _task_of(run: Run | None, task: Task | None) -> Task | None:
    """Return what an input of a result asks for: by default what its run did; None if that is open.

    Raises:
        InputError: the run held a part of the geometry, which no input does.
    """
    said: dict[str, Any] = json.loads(run.request) if run and task is None else {}
    if said.get("task") not in get_args(Task):
        return task
    if said.get("constraints"):
        raise InputError(
            f"an input for the run {run.iri if run else ''} was asked for",
            f"its optimisation held {', '.join(said['constraints'])}, which is not translated",
            "choose the task (`task`) energy, or optimise for all of the geometry",
        )
    return said["task"]


WRITE = ActionDefinition(
    (WriteRequest, LevelForm),
    AnyResult(),
    prepare,
    help="What of a level another program does not have under the same meaning is refused by name.",
    endings=tuple(ENDINGS),
    unwritten={
        ".in": (
            "inputs of several programs end so",
            "say which: add --to psi4 (or name NAME.dat), or for Quantum ESPRESSO: grafico convert "
            "CRYSTAL -o NAME.pwi",
        ),
    },
    format_field="to",
)
