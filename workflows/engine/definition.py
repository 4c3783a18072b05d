"""What a workflow is made of: its subject, its forms, and what preparing a request comes to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from ogm import GraphModel
from workflows.names import called

from .cost import Priced
from .form import Form, Personal
from .graph import Graph, StateT
from .planner import Goal, Plans

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from .executor import Executor
    from .workflow import Finished

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
    """

    model: SubjectT_co
    text: str = ""
    remarks: tuple[str, ...] = ()
    detail: Any = None


class Subject(ABC, Generic[SubjectT]):
    """What workflows can be about: how it is named, read and told.

    Attributes:
        name: in words: `molecule`.
        metavar: of the command line's argument; empty where it is chosen by options alone.
        model: the class of its objects, of which a run is about exactly one.
        form: what can be said about it besides: charge, how to read it, ….
        help: what can be given, for the help of the command line and for a model.
    """

    name: ClassVar[str]
    metavar: ClassVar[str] = ""
    model: type[SubjectT]
    form: type[Form]
    help: ClassVar[str] = ""

    @abstractmethod
    async def read(self, given: object, said: Form, executor: Executor) -> Given[SubjectT]:
        """Return the object that is meant.

        Args:
            given: text, a path, or an object of its class.
            said: what was said about it besides.
            executor: what finding it out may use: memory, and calculations of seconds.

        Raises:
            GraficoError: it cannot be found or read.
        """

    def label(self, model: SubjectT) -> str:
        """Return the object in a few words."""
        return called(model) or model.iri

    def argument(self, given: Given[SubjectT]) -> str:
        """Return how the object is named in a command, so that exactly this one is meant."""
        return given.text

    async def settle(self, executor: Executor) -> None:
        """Do what follows a request, such as saying what new structures are."""

    def is_file(self, text: str) -> bool:
        """Return whether a text is read as the name of a file of this machine."""
        return False


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
        begin: brings about the first state when the run begins, where that does something.
        plans: returns the plans to the goal, where the state alone does not say them.
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


@dataclass(frozen=True)
class Definition(Generic[StateT, SubjectT]):
    """The rest of a `Workflow`.

    Attributes:
        graph: its steps.
        forms: what is asked; the first fills in the fields of the steps.
        subject: what it is about.
        prepare: `await prepare(given, *forms, executor)` returns a `Prepared`. It may run what
            takes seconds, such as finding out what a level of theory means.
        result: makes of a `Finished` what Python is handed; itself if None.
        help: what a person should know of it besides its title.
        confirm: why a person has to agree to each use, such as `it commands a device`.
        makes: the classes of its results, for its page of the documentation.
    """

    graph: Graph[StateT]
    forms: tuple[type[Form], ...]
    subject: Subject[SubjectT]
    prepare: Callable[..., Awaitable[Prepared[StateT]]]
    result: Callable[[Finished], Any] | None = None
    help: str = ""
    confirm: str = ""
    makes: tuple[type[GraphModel], ...] = ()

    @property
    def fields(self) -> dict[str, type[Form]]:
        """All that can be said, with the form that takes it."""
        return {name: form for form in reversed(self.all_forms) for name in form.offered()}

    @property
    def arguments(self) -> dict[str, FieldInfo]:
        """What a model can say: the fields but those that a person alone fills in."""
        fields = {name: form.offered()[name] for name, form in self.fields.items()}
        return {
            name: field
            for name, field in fields.items()
            if not any(isinstance(rule, Personal) for rule in field.metadata)
        }

    @property
    def all_forms(self) -> tuple[type[Form], ...]:
        """Its forms and that of its subject."""
        return (*self.forms, self.subject.form)
