"""`Workflow` and `Action`: what can be asked, declared once; how all that are installed are found.

A folder of `workflows`, or a package that names itself at the entry point `grafico.workflows`,
declares them in its `__init__`. Nothing else of it is imported until somebody asks for one.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from workflows.registry.packages import GROUP, declaring
from workflows.text.names import plain

if TYPE_CHECKING:
    from workflows.engine.request.definition import ActionDefinition, Definition, Subject
    from workflows.engine.request.wrapping import Offering, WrapperDefinition

T = TypeVar("T", bound="Offering")


@dataclass(frozen=True)
class SubjectKind:
    """A kind of subject, as far as those need to know who look for one in a text or a folder.

    Attributes:
        name: of its `Subject`: `molecule`; empty where it is chosen by options alone.
        suffixes: of the names of files that hold such objects.
        sources: suffixes of files of many of which such an object is read; each also as .gz.
        pasted: whether its `Subject` finds such objects among the lines of a text.
        sign: what no other subject has in its text, as a regular expression; empty for nothing.
    """

    name: str = ""
    suffixes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    pasted: bool = False
    sign: str = ""

    @classmethod
    def of(cls, subject: Subject[Any]) -> SubjectKind:
        """Return what is to be known of a subject whose package does not say it."""
        return cls(subject.name if subject.metavar else "", pasted=True)

    def is_source(self, path: Path) -> bool:
        """Tell whether many subjects are read from such a file, by its name."""
        return path.name.lower().removesuffix(".gz").endswith(self.sources or ("/",))


@dataclass(frozen=True)
class Declared:
    """What can be asked, as far as lists and help need to know.

    Attributes:
        name: never changes; that of a workflow is stored with every run: the name of its graph.
        title: one sentence that says what it does.
        definition: where the rest of it is, as `module:attribute`; imported when first needed.
        verb: what the command line calls it, one word or two; its name if empty.
        synonyms: other names that it answers to.
        section: under which head lists of what there is have it; by its kind if empty.
    """

    name: str
    title: str
    definition: str
    verb: str = ""
    synonyms: tuple[str, ...] = ()
    section: str = ""

    @property
    def command(self) -> str:
        """What the command line calls it."""
        return self.verb or self.name

    @property
    def method(self) -> str:
        """What Python calls it."""
        return self.command.replace("-", "_").replace(" ", "_")

    @functools.cached_property
    def names(self) -> frozenset[str]:
        """All that it answers to, in plain spelling."""
        return frozenset(map(plain, (self.name, self.command, *self.synonyms)))

    def _loaded(self, kind: type[T], what: str, holds: Callable[[T], bool] = bool) -> T:
        """Return the rest of it, which is to be of a kind for which something holds.

        Raises:
            ComponentError: it cannot be imported, or is something else.
        """
        from triplestore.errors import ComponentError

        asked, found = f"the {type(self).__name__.lower()} {self.name} was asked for", None
        module, _, attribute = self.definition.partition(":")
        try:
            found = getattr(importlib.import_module(module), attribute)
        except Exception as error:
            raise ComponentError(
                asked,
                f"{self.definition} cannot be used: {type(error).__name__}: {error}",
                "mend or reinstall the package that brings it",
            ) from error
        wrong = ""
        if isinstance(found, kind) and holds(found):
            fields = [name for form in found.all_forms for name in form.offered()]
            twice = next((name for name in fields if fields.count(name) > 1), "")
            if not twice:
                return found
            wrong = f"two forms of {self.definition} have the field {twice}"
        wrong = wrong or f"{self.definition} is no {what}"
        raise ComponentError(asked, wrong, "mend the package that brings it")


@dataclass(frozen=True)
class Workflow(Declared):
    """A graph of calculations that can be run; see `Declared`.

    Attributes:
        usual: whether it is meant where nobody names one.
        subject: what it is about; None where that is found out by importing it.
        call: how a model is told to ask for it, without importing it: its subject and, in brackets,
            the first arguments of its own, as `MOLECULE(window, weights=energy|Gibbs energy)`.
        wish: a request in plain words that takes a moment, for people who do not know what to ask;
            empty for none.
    """

    usual: bool = False
    subject: SubjectKind | None = None
    call: str = ""
    wish: str = ""

    @property
    def about(self) -> SubjectKind:
        """What it is about.

        Raises:
            ComponentError: nothing is declared, and it cannot be imported.
        """
        return SubjectKind.of(self.whole.subject) if self.subject is None else self.subject

    @functools.cached_property
    def whole(self) -> Definition[Any, Any]:
        """The rest of it.

        Raises:
            ComponentError: it cannot be imported, or is no definition.
        """
        from workflows.engine.request.definition import Definition

        def of_that_name(found: Definition[Any, Any]) -> bool:
            return found.graph.name == self.name

        kind = cast("type[Definition[Any, Any]]", Definition)
        found = self._loaded(kind, "definition of a graph of that name", of_that_name)
        said, meant = self.subject, SubjectKind.of(found.subject).name
        if said is not None and said.name != meant:
            from triplestore.errors import ComponentError

            raise ComponentError(
                f"the workflow {self.name} was asked for",
                f"it is declared to be about {said.name or 'nothing'!r}, and is about {meant!r}",
                "mend the package that brings it",
            )
        return found


@dataclass(frozen=True)
class Action(Declared):
    """What makes a text or a file of something, without a run; see `Declared`.

    Attributes:
        computes: whether it may take a while, so that progress is shown.
        of_results: whether it takes whatever a run came to, so that a verb can write it at once.
        personal: whether a person alone asks for it: no model is told of it, or can use it.
        graphs: names of the graphs by which it does what it does, where it leaves runs; others may
            run them, too, but each is of one action.
    """

    computes: bool = False
    of_results: bool = False
    personal: bool = False
    graphs: tuple[str, ...] = ()

    @functools.cached_property
    def whole(self) -> ActionDefinition[Any]:
        """The rest of it.

        Raises:
            ComponentError: it cannot be imported, or is no definition.
        """
        from workflows.engine.request.definition import ActionDefinition

        kind = cast("type[ActionDefinition[Any]]", ActionDefinition)
        return self._loaded(kind, "definition of an action")


@dataclass(frozen=True)
class Wrapper(Declared):
    """A verb that asks another verb several times, and makes one answer of it; see `Declared`.

    It takes what the other takes, and a list where several values are meant.

    Attributes:
        at_once: whether all of it is one request, so that it can be planned, and computed elsewhere
            or later; otherwise what it asks next depends on what came before.
    """

    at_once: bool = False

    @functools.cached_property
    def whole(self) -> WrapperDefinition:
        """The rest of it.

        Raises:
            ComponentError: it cannot be imported, or is no definition.
        """
        from workflows.engine.request.wrapping import WrapperDefinition

        return self._loaded(WrapperDefinition, "definition of a verb that asks another")


@dataclass(frozen=True)
class Workflows(Mapping[str, Workflow]):
    """The workflows that are installed, by name.

    Attributes:
        found: those that can be used.
        broken: places that were left out, each with the reason.
        actions: what can be asked besides.
        wrappers: verbs that ask others of these.
    """

    found: Mapping[str, Workflow]
    broken: Mapping[str, str] = field(default_factory=dict[str, str])
    actions: tuple[Action, ...] = ()
    wrappers: tuple[Wrapper, ...] = ()

    def __getitem__(self, name: str) -> Workflow:
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    @property
    def usual(self) -> Workflow:
        """The one that is meant where nobody names one.

        Raises:
            NotFoundError: there is none.
        """
        for one in self.values():
            if one.usual:
                return one
        return self.named("")

    @property
    def verbs(self) -> tuple[Workflow | Action, ...]:
        """All that can be asked by itself."""
        return (*self.values(), *self.actions)

    def verb(self, name: str) -> Workflow | Action | None:
        """Return what answers to a name; None if nothing does."""
        key = plain(name)
        return next((one for one in self.verbs if key in one.names), None)

    def meant_by(self, text: str) -> Workflow:
        """Return the workflow of a text in which none is named: by its sign, else the usual one."""
        signs = ((one, one.subject.sign) for one in self.values() if one.subject)
        found = (one for one, sign in signs if sign and re.search(sign, text))
        return next(found, self.usual)

    def action_of(self, graph: str) -> Action | None:
        """Return the action that leaves runs of a graph; None if none does."""
        return next((one for one in self.actions if graph in one.graphs), None)

    def wrapper(self, name: str) -> Wrapper | None:
        """Return the verb about other verbs that answers to a name; None if none does."""
        key = plain(name)
        return next((one for one in self.wrappers if key in one.names), None)

    def named(self, name: str) -> Workflow:
        """Return the workflow that a person means.

        Raises:
            NotFoundError: there is none of that name.
        """
        key = plain(name)
        for one in self.values():
            if key in one.names:
                return one
        import difflib

        from triplestore.errors import NotFoundError

        known = [one.command for one in self.values()]
        close = difflib.get_close_matches(name.lower(), known, 1)
        raise NotFoundError(
            f"the workflow {name!r} was asked for",
            "there is none of that name"
            + "".join(f"; {place} was left out: {why}" for place, why in self.broken.items()),
            (f"did you mean {close[0]}? " if close else "")
            + f"choose one of: {', '.join(sorted(known))}",
        )


@functools.cache
def workflows() -> Workflows:
    """Return the workflows of the folders of `workflows` and of installed packages.

    A declaration that cannot be read, or that takes the name of another, is left out.
    """
    found: list[Workflow | Action | Wrapper] = []
    taken: dict[str, str] = {}
    broken: dict[str, str] = {}
    for place, module in declaring(GROUP):
        if isinstance(module, Exception):
            broken[place] = f"{type(module).__name__}: {module}"
            continue
        for name, kind in (("WORKFLOWS", Workflow), ("ACTIONS", Action), ("WRAPPERS", Wrapper)):
            for one in getattr(module, name, ()):
                if not isinstance(one, kind):
                    broken[place] = f"{one!r} in {name} is no {kind.__name__}"
                elif clash := one.names & taken.keys():
                    first = sorted(clash)[0]
                    broken[f"{place}: {one.name}"] = f"the name {first} is taken by {taken[first]}"
                else:
                    found.append(one)
                    taken |= dict.fromkeys(one.names, one.name)
    known = {one.name: one for one in found if isinstance(one, Workflow)}
    actions = tuple(one for one in found if isinstance(one, Action))
    wrappers = tuple(one for one in found if isinstance(one, Wrapper))
    return Workflows(known, broken, actions, wrappers)


def subject_kinds() -> dict[SubjectKind, list[Workflow]]:
    """Return the kinds of what is named by those who ask, the usual one first, and who is about it.

    Nothing is imported for those that are declared.
    """
    from triplestore.errors import ComponentError

    found: dict[SubjectKind, list[Workflow]] = {}
    for one in sorted(workflows().values(), key=lambda one: not one.usual):
        with suppress(ComponentError):  # it is told where it is asked for
            if one.about.name:
                found.setdefault(one.about, []).append(one)
    return found


def subjects(wanted: Callable[[SubjectKind], object] = bool) -> dict[str, Subject[Any]]:
    """Return what is named by those who ask, by the name of its kind, the usual one first.

    Args:
        wanted: whether a kind is; one that is not is not imported.
    """
    from triplestore.errors import ComponentError

    found: dict[str, Subject[Any]] = {}
    for kind, about in subject_kinds().items():
        for one in about if wanted(kind) else ():
            with suppress(ComponentError):
                found.setdefault(kind.name, one.whole.subject)
            if kind.name in found:
                break
    return found


def subject_of(kind: str = "") -> Subject[Any] | None:
    """Return the subject of a kind, the usual one where none is named; None if there is none.

    Nothing is imported for the others.
    """
    for name in dict.fromkeys(one.name for one in subject_kinds() if kind in ("", one.name)):
        if found := subjects(lambda one, name=name: one.name == name):
            return found[name]
    return None
