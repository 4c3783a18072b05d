"""What workflows and actions are made of: subject, forms, what preparing a request comes to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar

from pydantic import BaseModel

from ogm import GraphModel, KnowledgeGraph
from ogm.terms import full_iri
from ontologies.provenance import Outcome, Run
from triplestore.errors import InputError, NotFoundError
from workflows.text.names import called

from ..graph.graph import Graph, StateT
from ..graph.planner import Goal, Plans
from .cost import Priced
from .form import Form, fill, said_by_models
from .library import Library
from .refusals import field_text
from .rules import Short, other_names
from .unsaid import Unsaid

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from ..execution.executor import Executor
    from .workflow import Finished

Elsewhere: TypeAlias = str | Callable[[object, Mapping[str, object]], Mapping[str, object]]
"""What an argument of another system means: a field here, or a function of it and all that is said.

The function returns fields with their values, and raises an `InputError` for what there is not.
"""

SubjectT = TypeVar("SubjectT", bound=GraphModel)
SubjectT_co = TypeVar("SubjectT_co", bound=GraphModel, covariant=True)


@dataclass(frozen=True)
class Given(Generic[SubjectT_co]):
    """What a person has asked about, found.

    Attributes:
        model: the object.
        text: what the person called it; empty for an object.
        remarks: what was assumed about it, in words.
        detail: what its kind of subject knows besides, for `prepare`.
        beside: what is stored of it beside the run, such as who told its spin.
        built: what it was built from, as `built from a name`; empty where it was given itself.
        said: of an action the fields that were said, of all its forms: others have their defaults.
    """

    model: SubjectT_co
    text: str = ""
    remarks: tuple[str, ...] = ()
    detail: Any = None
    beside: tuple[GraphModel, ...] = ()
    built: str = ""
    said: tuple[str, ...] = ()

    def without_said(self, said: Collection[str]) -> Self:
        """Return it without remarks on fields that are said."""
        told = (one.beside(said) if isinstance(one, Unsaid) else one for one in self.remarks)
        return replace(self, remarks=tuple(filter(None, told)))


@dataclass(frozen=True)
class Pasted:
    """Lines of a text that are a file.

    Attributes:
        start: index of the first line.
        end: index after the last.
        suffix: of the file that they would be.
        text: that file.
    """

    start: int
    end: int
    suffix: str
    text: str


class Subject(ABC, Generic[SubjectT]):
    """What workflows can be about: how it is named, read and told.

    Attributes:
        name: in words: `molecule`.
        metavar: of the command line's argument; empty where it is chosen by options alone.
        model: the class of its objects, of which a run is about exactly one.
        members: classes of other objects that are taken as they are, such as parts of its own.
        form: what can be said about it besides: charge, how to read it, ….
        help: what can be given, for the help of the command line and for a model.
        words: whether it is named by several words, which a command line needs no quotes around.
        apart: what stands between several of them; empty where there is one.
        several: whether a list of objects is one such subject, instead of several.
        stored: whether its objects are found in a store alone, so that there must be one.
        field: by which results name their object; if empty, the first field of its class.
        search: what can be said to find what is stored of an object.
        search_help: what can be given for that, if it is more than `help`.
        columns: patterns in SPARQL of what is told of `?subject` where it was found, by variable;
            `formula` is what it is called, its `label` if there is none.
        standing: a pattern in SPARQL of what made `?subject`: `?word` says what that makes of it,
            such as `relaxed`, and `?made_at` is the level; empty where nothing is to be said.
        unmade: what is said of what nothing has made so.
        library: how many of them are read from one source; None where none can be.
        given_as: other names by which it is given, with what is said by each.
        typed: the form in which a program, or a model, gives one; None where there is none.
    """

    name: ClassVar[str]
    metavar: ClassVar[str] = ""
    words: ClassVar[bool] = False
    apart: ClassVar[str] = ""
    several: ClassVar[bool] = False
    stored: ClassVar[bool] = False
    field: ClassVar[str] = ""
    search: ClassVar[type[Form]] = Form
    search_help: ClassVar[str] = ""
    columns: ClassVar[Mapping[str, str]] = {}
    standing: ClassVar[str] = ""
    unmade: ClassVar[str] = ""
    library: ClassVar[Library | None] = None
    given_as: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    typed: ClassVar[type[BaseModel] | None] = None
    members: ClassVar[tuple[type, ...]] = ()
    model: type[SubjectT]
    form: type[Form]
    help: ClassVar[str] = ""

    @abstractmethod
    async def read(self, given: object, said: Form, executor: Executor) -> Given[SubjectT]:
        """Return the object that is meant.

        A file is opened by `opened` of `caller`, so that whoever asks gets those alone that are
        read for them.

        Args:
            given: text, a path, or an object of its class.
            said: what was said about it besides.
            executor: what finding it out may use: memory, and calculations of seconds.

        Raises:
            GraficoError: it cannot be found or read.
        """

    async def matching(self, given: object, said: Form, executor: Executor) -> str:
        """Return patterns in SPARQL which say that `?subject` is meant; `?result` is what is found.

        Args:
            given: as in `read`.
            said: the form `search`, filled in.
            executor: whose store is searched.

        Raises:
            GraficoError: it cannot be found or read.
        """
        subject = await self.read(given, fill(self.form, {}), executor)
        return f"VALUES ?subject {{ <{subject.model.iri}> }}"

    def stored_object(self, kg: KnowledgeGraph, iri: str) -> SubjectT:
        """Return the object of that IRI, or of the result or run of that IRI.

        Raises:
            NotFoundError: nothing of that IRI is stored, or it has no such object.
        """
        model = kg.pull(GraphModel, full_iri(iri))
        if isinstance(model, Run):
            outcomes = kg.find(Outcome, run=model)
            if outcomes and outcomes[0].geometry is not None:
                model = kg.pull(GraphModel, outcomes[0].geometry.iri)
        held = [getattr(model, self.field, None)] if self.field else vars(model).values()
        for found in (model, *held):
            if isinstance(found, self.model):
                return found
        raise NotFoundError(
            f"a {self.name} was asked for by {iri}",
            f"that is a {type(model).__name__}",
            f"give the IRI of a {self.model.__name__}, of a result or of a run",
        )

    def remark_on(self, name: str, told: Mapping[str, str]) -> str:
        """Return what is to be known of a quantity of a subject, by its `columns`; else empty."""
        del name, told
        return ""

    def joined(self, given: object) -> object:
        """Return as one subject what a program has in pieces; None where it is no such thing."""
        return None

    def label(self, model: SubjectT) -> str:
        """Return the object in a few words."""
        return called(model) or model.iri

    def argument(self, given: Given[SubjectT]) -> str:
        """Return how the object is named in a command, so that exactly this one is meant."""
        return given.text

    def pasted(self, lines: Sequence[str]) -> Iterator[Pasted]:
        """Iterate over the objects among the lines of a text."""
        return iter(())

    def path_of(self, text: str) -> Path:
        """Return the path of a file, without what chooses one of its objects."""
        return Path(text)

    async def take(self, path: Path) -> tuple[SubjectT, dict[str, object]]:
        """Return the object of a file, and what is told of it besides; None is left out.

        Raises:
            GraficoError: the file cannot be read.
        """
        raise InputError(f"cannot read {path}", f"no {self.name} is read from files", "name it")

    def written(self, model: SubjectT) -> str:
        """Return an object as text, for programs."""
        return model.model_dump_json()

    async def settle(self, executor: Executor) -> None:
        """Do what follows a request, such as saying what new structures are."""


@dataclass(frozen=True)
class Piece:
    """What of a request is computed by one job, where several share it.

    Attributes:
        keys: of its parts, as `Policy.share` has them.
        seconds: that it is thought to take on one core.
    """

    keys: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Prepared(Generic[StateT]):
    """What a request means, found out before anything of it runs.

    Attributes:
        state: where the run starts.
        goal: what is to be reached; None where nothing is asked but how things are, for which
            there is no run.
        about: the objects that the run starts from, the subject among them.
        label: what it is, such as `H2O at B3LYP/def2-SVP`.
        costs: what it consists of, as far as that can be estimated.
        remarks: what was assumed, and what to know of the request, in words.
        request: the first form as it is recorded, where preparing has filled something in.
        begin: brings about the first state when the run begins, where that does something; a run
            that goes on from another begins with it too, and repeats no step of that one.
        plans: returns the plans to the goal, where the state alone does not say them.
        pieces: returns what it can be shared out into, as it stands now; None where it cannot.
        after: finds out what is to be known besides when the goal is reached, in words.
        level: the form of the level, the second, as it is recorded, where nobody named one and it
            is that of what was given.
    """

    state: StateT
    goal: Goal | None
    about: tuple[GraphModel, ...]
    label: str = ""
    costs: tuple[Priced, ...] = ()
    remarks: tuple[str, ...] = ()
    request: Form | None = None
    begin: Callable[[], Awaitable[StateT]] | None = None
    plans: Callable[[], Plans] | None = None
    pieces: Callable[[], Sequence[Piece]] | None = None
    after: Callable[[StateT], Awaitable[Sequence[str]]] | None = None
    level: Form | None = None


class Fields:
    """The fields of what can be asked.

    Attributes:
        forms: what is asked.
        subject: what it is about.
        elsewhere: what arguments of other systems mean, by their names; they are taken, not listed.
    """

    forms: tuple[type[Form], ...]
    subject: Subject[Any]
    elsewhere: Mapping[str, Elsewhere] = MappingProxyType({})

    @property
    def fields(self) -> dict[str, type[Form]]:
        """All that can be said, with the form that takes it."""
        return {name: form for form in reversed(self.all_forms) for name in form.offered()}

    @property
    def arguments(self) -> dict[str, FieldInfo]:
        """What a model can say: the fields but those that a person alone fills in."""
        each = [form.offered() for form in reversed(self.all_forms)]
        return said_by_models({name: field for fields in each for name, field in fields.items()})

    @property
    def shorts(self) -> dict[str, Short]:
        """Several fields said as one, by their names."""
        return {name: one for form in self.all_forms for name, one in form.shorts.items()}

    @property
    def sayable(self) -> list[str]:
        """The names of all that can be said: several fields as one, then each field by itself."""
        listed = (name for name, one in self.shorts.items() if one.description)
        return [*dict.fromkeys((*listed, *self.fields))]

    @property
    def other_names(self) -> dict[str, str]:
        """What people call fields otherwise, with the names that they have here."""
        each = {n: one for form in reversed(self.all_forms) for n, one in form.offered().items()}
        return {n: one for n, one in other_names(each).items() if n not in self.shorts}

    def translated(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was said, by the names of the fields here.

        Arguments of other systems come under their names here, and several fields said as one,
        such as a level in a word, each by itself.

        Raises:
            InputError: something is said twice, in two ways, or there is no such thing here.
        """
        every = self.shorts
        shorts = {n: one for n, one in every.items() if one.text(said.get(n)) is not None}
        foreign = {**self.other_names, **self.elsewhere, **shorts}
        found = {name: value for name, value in said.items() if name not in foreign}
        order = list[str]()
        for name, value in said.items():
            if value is None or name not in foreign:
                order += [name] if name in found else []
                continue
            means = foreign[name]
            if isinstance(means, Short):
                each = means.means(means.text(value) or "")
            else:
                each = means(value, said) if callable(means) else {means: value}
            order += each
            for one, meant in each.items():
                if found.setdefault(one, meant) != meant:
                    raise InputError(
                        f"{field_text(name, value)} was asked for",
                        f"{field_text(one, found[one])} was asked for too",
                        f"give `{one}` alone",
                    )
        return {name: found[name] for name in order}

    @property
    def all_forms(self) -> tuple[type[Form], ...]:
        """Its forms and that of its subject."""
        return (*self.forms, self.subject.form)


@dataclass(frozen=True)
class Definition(Fields, Generic[StateT, SubjectT]):
    """The rest of a `Workflow`.

    Attributes:
        graph: its steps.
        forms: what is asked; the first fills in the fields of the steps.
        subject: what it is about.
        prepare: `await prepare(given, *forms, executor)` returns a `Prepared`. It may run what
            takes seconds, such as finding out what a level of theory means.
        result: makes of a `Finished` what Python is handed; itself if None.
        help: what a person should know of it besides its title.
        makes: the classes of its results, for its page of the documentation.
        elsewhere: see `Fields`.
    """

    graph: Graph[StateT]
    forms: tuple[type[Form], ...]
    subject: Subject[SubjectT]
    prepare: Callable[..., Awaitable[Prepared[StateT]]]
    result: Callable[[Finished], Any] | None = None
    help: str = ""
    makes: tuple[type[GraphModel], ...] = ()
    elsewhere: Mapping[str, Elsewhere] = field(default_factory=dict[str, Elsewhere], hash=False)


@dataclass(frozen=True)
class Product:
    """What an action has made.

    Attributes:
        text: of the file; in UTF-8, with all newlines. Bytes of what is no text, such as a picture.
        value: what Python is handed.
        facts: what is told of it in JSON.
        remarks: what to know of it, in words.
        headline: what is said of a file that was written, besides its name.
        reused: whether it was remembered.
        failed: whether nothing came of it but reasons: a command ends with status 1.
    """

    text: str | bytes
    value: Any
    facts: Mapping[str, Any]
    remarks: tuple[str, ...] = ()
    headline: str = ""
    reused: bool = False
    failed: bool = False


@dataclass(frozen=True)
class PreparedAction:
    """What an action was asked for, found out before anything long happens.

    Attributes:
        make: does it.
        file: the name of the file that is written where nobody names one; empty where the text is
            shown instead.
    """

    make: Callable[[], Awaitable[Product]]
    file: str = ""


@dataclass(frozen=True)
class ActionDefinition(Fields, Generic[SubjectT]):
    """The rest of an `Action`.

    Attributes:
        forms: what is asked.
        subject: what it is about.
        prepare: `await prepare(given, *forms, executor, file)` returns a `PreparedAction`; `file`
            is the name of the file that is asked for, or empty.
        help: what a person should know of it besides its title.
        endings: of the names of files that it writes; any other name is refused.
        unwritten: endings that people ask for, each with why there is none and what to do.
        format_field: the field that says what is written, whatever the file is called; empty for
            none.
        of_many: whether a table may be its subject, of which each entry is asked about.
        joined: formats, and endings of files, in which several stand one behind the other: a file
            of several may be its subject, too, of which each is asked about.
    """

    forms: tuple[type[Form], ...]
    subject: Subject[SubjectT]
    prepare: Callable[..., Awaitable[PreparedAction]]
    help: str = ""
    endings: tuple[str, ...] = ()
    unwritten: Mapping[str, tuple[str, str]] = field(
        default_factory=dict[str, tuple[str, str]], hash=False
    )
    format_field: str = ""
    of_many: bool = False
    joined: tuple[str, ...] = ()
