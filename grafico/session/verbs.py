"""What a session can be asked: `run`, and the verbs that workflows and actions bring.

Type checkers and editors see `verbs.pyi` in its place, which says of each verb what it takes and
gives; `python -m grafico.session.stub` makes that of what the tree brings.
"""

from __future__ import annotations

import asyncio
import difflib
import functools
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, cast

from ogm.terms import shorten
from triplestore.errors import ComponentError, InputError, NotFoundError
from workflows.engine import Router
from workflows.engine.request.by_position import by_position, choice_of, each_by_position, nameless
from workflows.engine.request.definition import PreparedAction
from workflows.engine.request.form import Form, fill
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import (
    Ready,
    prepare,
    prepare_action,
)
from workflows.engine.request.wrapping import Asking, Rounds, WrapperAnswer
from workflows.registry import Action, Workflow, Wrapper, workflows
from workflows.trust.caller import Caller, asked_by, caller
from workflows.trust.writer import Writer

from .handles import Handle, arguments, as_named, name_of
from .jobs import JobSession, as_request
from .naming import IRI, by_name, is_name, named_runs, numbered
from .opened import in_own_loop
from .routing import make_router
from .search import only_run_about
from .written_files import file_among, told, write_file

T = TypeVar("T")

FIRST = "run, result, read, find, show, runs, query, compare, report, resume; dir() of it lists all"
"""What is told of the methods of a session where none is near."""


class Verbs(JobSession):
    """A session that does what it is asked."""

    async def prepare_async(
        self,
        subject: object = None,
        *forms: object,
        workflow: str = "",
        recompute: bool = False,
        **asked: Any,
    ) -> Ready:
        """Find out what a request means and what it will take, before anything of it runs.

        Args:
            subject: see `run`; or a whole `Request`, of one subject, beside which nothing is said.
            forms: see `run`.
            workflow: see `run`.
            recompute: see `run`.
            asked: see `run`.

        Returns:
            What `perform_async` takes; its `estimate()` says what it will take.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        if not isinstance(subject, Request):
            subject = self.request(subject, *forms, workflow=workflow, recompute=recompute, **asked)
        executor = self.executor.recomputing() if subject.recompute else self.executor
        request = subject

        def ready(about: object) -> Awaitable[Ready]:
            asked = request if about is None else replace(request, subjects=(about,))
            return prepare(asked, executor, hours=self.settings.hours)

        [word] = request.subjects if len(request.subjects) == 1 else (None,)
        return await self._called(word, ready)

    async def _called(
        self, word: object, ready: Callable[[Any], Awaitable[T]], *, stored: bool = False
    ) -> T:
        """Prepare something about a word, or where it cannot be read about what is called so.

        Where only what is stored can be meant, that may be the only run about a molecule.

        What a word says by itself, such as the name of a molecule, comes before tags and numbers.
        """
        try:
            return await ready(word)
        except (InputError, NotFoundError):
            ended = self.ended(word) if stored and isinstance(word, str) else word
            iri = by_name(self.kg.store, ended)
            if not iri and stored and isinstance(word, str) and not IRI.match(word.strip()):
                asked = NotFoundError(f"{word} was asked for", "no run is about it", "see `runs`")
                with suppress(NotFoundError):
                    iri = await only_run_about(self, word, asked)
            if not iri:
                raise
            return await ready(iri)

    def request(
        self,
        subject: object = None,
        *forms: object,
        workflow: str = "",
        recompute: bool = False,
        **asked: Any,
    ) -> Request:
        """Return what is asked, its forms filled in with these settings; nothing is looked up.

        Args:
            subject: see `run`.
            forms: see `run`.
            workflow: see `run`.
            recompute: see `run`.
            asked: see `run`.

        Raises:
            InputError: a field that there is not, a value that cannot be, or one without an effect.
        """
        if is_name(subject):
            subject = self.iri(cast("str", subject))
        filled = [one for one in forms if isinstance(one, Form)]
        chosen = workflows().named(workflow) if workflow else workflow_of(filled)
        kind = chosen.whole.subject
        subject = as_named(subject, kind.model, *kind.members)
        said = {name: value for form in filled for name, value in form if _is_set(form, name)}
        said |= by_position(chosen.whole, [n for n in forms if not isinstance(n, Form)], [*asked])
        about = () if subject is None else (subject,)
        if isinstance(subject, list | tuple) and not chosen.whole.subject.several:
            about = tuple(cast("Sequence[object]", subject))
        defaults = self.settings.defaults
        asked = arguments({**said, **asked})
        return Request.of(chosen, about, asked, defaults, recompute=recompute)

    async def run_async(
        self,
        subject: object = None,
        *forms: object,
        workflow: str = "",
        recompute: bool = False,
        router: str | Router = "goal",
        on: str | None = None,
        begin: str | datetime | None = None,
        after: Sequence[str] = (),
        **asked: Any,
    ) -> Any:
        """Compute, or remember, what is asked of a molecule or another subject.

        `run` is the same without `await`; one session belongs to one loop.

        Args:
            subject: what it is about: for a molecule a file, an IRI, a SMILES or a name, a
                structure, `Atoms` of ASE, `Mol` of RDKit, symbols and places in Å
                (`(["H", "H"], array)`); a list of these for each of them, or a column of pandas; or
                a whole `Request`, beside which no more is said than where it is computed.
            forms: what is asked, filled in; or in texts, such as `"B3LYP/def2-SVP"`, `"optimise"`;
                or its fields by name, in `asked`.
            workflow: by its name, see `grafico graph`; if empty, that of the first form, or else
                the calculation on one molecule.
            recompute: compute what is remembered too; the result says what `differences` there are.
            router: who chooses the steps: `goal`, `ask` (at the terminal) or `model:NAME`; or a
                router.
            on: have it computed there as a job: a section `[clusters.NAME]` of the settings, or
                `here` for a process of its own on this machine.
            begin: have it computed then: a time of day such as `22:00`, a date such as
                `2027-01-31T08:00`.
            after: names of jobs of the same cluster that must have ended before.
            asked: fields of the workflow's forms (`method`, `task`, …) and of its subject's
                (`charge`, `multiplicity`, `kind`, `online`); None is as good as not said.

        Returns:
            What the workflow makes of it, such as a `Result`; its `Job`, where it is computed
            elsewhere or later and is not remembered. Of a list a list of these.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        chooser = make_router(router)  # refused before anything is read
        subject, forms = _one_or_many(subject, forms, workflow)
        request = subject
        if not isinstance(request, Request):
            request = self.request(subject, *forms, workflow=workflow, recompute=recompute, **asked)
        said = (("on", on), ("begin", begin), ("after", after))
        place = request.place.said | {name: value for name, value in said if value}
        whole = not isinstance(subject, list | tuple) or request.subjects == (subject,)
        if whole and len(request.subjects) < 2:
            return await self._run(request, chooser, place)
        each = (self._run(one, chooser, place) for one in request.each())
        found = await asyncio.gather(*each, return_exceptions=True)
        for one in found:  # when all have ended: what the others came to is remembered
            if isinstance(one, BaseException):
                raise one
        return found

    @as_request
    async def _run(self, request: Request, router: Router, place: Mapping[str, Any]) -> Any:
        return await self._performed(await self.prepare_async(request), router, **place)

    run = in_own_loop(run_async, "run")

    async def prepare_action_async(
        self, action: Action, subject: object = None, *, file: str = "", **asked: Any
    ) -> PreparedAction:
        """Find out what is asked of an action, before anything long happens.

        Args:
            action: what is asked for.
            subject: what it is about.
            file: the name of the file that is to be written, if there is one.
            asked: fields of its forms and of its subject's; None is as good as not said.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        from workflows.batch.actions import each, entries, told_of
        from workflows.engine.request.library import Raw

        kind = action.whole.subject
        subject = as_named(subject, kind.model, *kind.members)
        if is_name(subject):
            subject = self.iri(cast("str", subject))
        executor, defaults = self.executor, self.settings.defaults
        form = str(asked.get(action.whole.format_field) or "")
        if (found := entries(subject, action.whole, form, file)) is not None:

            async def listed(raw: Raw, about: object) -> PreparedAction:
                said = {**asked, **told_of(raw, action.whole)}
                return await prepare_action(
                    action, about, said, executor, defaults=defaults, file=file, listed=True
                )

            return each(found, listed, action.whole)

        def ready(about: object) -> Awaitable[PreparedAction]:
            return prepare_action(action, about, asked, executor, defaults=defaults, file=file)

        with asked_by(self._with_writer(action)):
            return await self._called(subject, ready, stored=action.whole.subject.stored)

    def _with_writer(self, action: Action) -> Caller:
        """Return who asks; for a person the model of the settings reads what is asked in words."""
        here = caller()
        if not here.is_person or here.writer or action.whole.subject.typed is None:
            return here

        def writer() -> Writer | None:
            model = self.settings.agent_model  # a project's may not count: only words need it
            if not model:
                return None
            from .writing import ModelWriter

            return ModelWriter(model, self.settings)

        return replace(here, writer=writer)

    def rounds(self, wrapper: Wrapper, *, workflow: str = "", **asked: Any) -> Rounds:
        """Return what a verb about other verbs asks, one after the other, as arguments of `run`.

        Args:
            wrapper: what is asked for.
            workflow: what it asks, by name; the usual one if empty.
            asked: fields of its form, and of the workflow's; a list where several are meant.

        Raises:
            InputError: a value that cannot be.
        """
        whole, defaults = wrapper.whole, self.settings.defaults
        own = whole.form.offered()
        form = fill(whole.form, {n: v for n, v in asked.items() if n in own and v is not None})
        said = {name: value for name, value in asked.items() if name not in own}
        return whole.rounds(Asking(workflow, said, defaults), form)

    def on_stored(
        self, wrapper: Wrapper, subject: object, asked: Mapping[str, Any]
    ) -> WrapperAnswer | None:
        """Return what a verb about other verbs says of stored runs; None if it is not asked that.

        Args:
            wrapper: what is asked for.
            subject: several names of runs, or one text with these.
            asked: what else is said: fields of its form alone where stored runs are meant.

        Raises:
            GraficoError: see `WrapperDefinition.stored`.
        """
        whole = wrapper.whole
        words = subject.split() if isinstance(subject, str) else subject
        if whole.stored is None or not isinstance(words, list | tuple):
            return None
        names = [name_of(cast("Handle", one)) for one in cast("Sequence[object]", words)]
        if len(names) < 2:
            return None
        said = {name: value for name, value in asked.items() if value is not None}
        if said.keys() - whole.form.offered().keys():
            return None
        runs = named_runs(self.kg.store, names)
        if len(runs) < 2:
            return None
        numbers = numbered(self.kg.store, runs)
        called = {run: f"#{numbers[run]}" if run in numbers else shorten(run) for run in runs}
        return whole.stored(self.kg, called, fill(whole.form, said))

    async def ask_async(
        self, wrapper: Wrapper, subject: object = None, *, recompute: bool = False, **asked: Any
    ) -> WrapperAnswer:
        """Ask what a verb about other verbs asks, and return its answer.

        Args:
            wrapper: what is asked for, such as a comparison.
            subject: what it is about; see `run`. Several names of stored runs, beside which nothing
                is said of a workflow, are these runs, where it has an answer on such.
            recompute: see `run`.
            asked: see `rounds`.

        Raises:
            GraficoError: see `triplestore.errors`.
        """
        if (answer := self.on_stored(wrapper, subject, asked)) is not None:
            return answer
        subject, _ = _one_or_many(subject, (), asked.get("workflow", ""))
        if isinstance(subject, list | tuple):
            raise InputError(
                f"{wrapper.command} of several was asked for",
                "it is about one at a time, at several settings",
                "ask one by one, or `batch` with a grid of settings: batch(list, grid={…})",
            )
        rounds = self.rounds(wrapper, **asked)
        result: Any = None
        while True:
            try:
                words = rounds.send(result)
            except StopIteration as end:
                return end.value
            result = await self.run_async(subject, recompute=recompute, **words)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return a verb of the command line that a domain brings, such as `spin_states`.

        Of a workflow it is `run` with that workflow. Of an action it takes the subject, then the
        fields of its forms, by name or in order, and returns what the action says; a path, or a
        text that ends as its files do, is the file that is written. A verb about
        other verbs, such as `compare`, takes which (`workflow`), its arguments, and lists of these.
        A task of the usual calculation, such as `optimise`, is `run` with that task. With `_async`
        behind the name it is to be awaited.
        """
        known, asked = workflows(), name.removesuffix("_async")
        usual = known.usual
        verb = None if name.startswith("_") else known.verb(asked) or known.wrapper(asked)
        if verb is None and (task := {} if name.startswith("_") else choice_of(usual.whole, asked)):
            run = self.run_async if name.endswith("_async") else self.run
            return functools.partial(run, **task)
        if verb is None:
            told = f"a session has no {name!r}"
            if not name.startswith("_"):
                verbs = [one.name.replace("-", "_") for one in (*known.verbs, *known.wrappers)]
                there = [one for one in {*dir(type(self)), *verbs} if not one.startswith("_")]
                near = difflib.get_close_matches(name, sorted(there), 3)
                told += f"; near it are: {', '.join(near)}" if near else f"; it has {FIRST}"
            raise AttributeError(told, name=name, obj=self)

        async def later(*given: Any, **asked: Any) -> Any:
            if isinstance(verb, Wrapper):
                subject, *rest = given or (None,)
                asked |= self._asked_of_each(asked, rest) if rest else {}
                return await self.ask_async(verb, subject, **asked)
            return await self._do(verb, *given, **asked)

        def now(*given: Any, **asked: Any) -> Any:
            return self.wait_for(lambda: later(*given, **asked))

        method = later if name.endswith("_async") else now
        method.__name__, method.__doc__ = name, verb.title
        return method

    def _asked_of_each(self, asked: Mapping[str, Any], given: Sequence[object]) -> dict[str, Any]:
        """Return what texts and lists of texts mean that stand behind what is asked of another."""
        name = asked.get("workflow", "")
        chosen = workflows().named(name) if name else workflows().usual
        return each_by_position(chosen.whole, given, [*asked])

    def __dir__(self) -> list[str]:
        """Name the verbs, too."""
        known = workflows()
        names = [one.method for one in (*known.verbs, *known.wrappers)]
        return [*super().__dir__(), *names, *(f"{name}_async" for name in names)]

    async def _do(
        self, verb: Workflow | Action, subject: object = None, *said: Any, **asked: Any
    ) -> Any:
        whole = verb.whole
        if subject is None:  # it may be named
            subject = asked.pop(whole.subject.name, None)
        if isinstance(verb, Workflow):
            return await self.run_async(subject, *said, workflow=verb.name, **asked)
        place, given = file_among(verb, said, asked)
        fields = [name for form in whole.forms for name in form.offered()]
        if len(given) > len(fields):
            raise nameless(whole, given[len(fields)])
        named = dict(zip(fields, given, strict=False)) | asked
        name = place.name if place else ""
        ready = await self.prepare_action_async(verb, subject, file=name, **arguments(named))
        made = await ready.make()
        if place:
            write_file(place, made.text)
        return told(made.value, made.text)


def workflow_of(forms: Sequence[Form]) -> Workflow:
    """Return the workflow that forms are filled in for; for none the one that is usual.

    Raises:
        InputError: no workflow takes them.
    """
    if not forms:
        return workflows().usual
    for one in workflows().values():
        with suppress(ComponentError):
            if isinstance(forms[0], one.whole.forms[0]):
                return one
    raise InputError(
        f"{type(forms[0]).__name__} was asked for",
        "no workflow has it as its first form",
        "name the workflow",
    )


def _one_or_many(
    subject: object, given: tuple[object, ...], workflow: str
) -> tuple[object, tuple[object, ...]]:
    """Return a subject, and what stands behind it, as `run` takes them.

    What a program has in pieces is one subject; a column of pandas or an array is a list of many.
    """
    chosen = workflows().named(workflow) if workflow else workflows().usual
    pieces = [one for one in given if not isinstance(one, Form | str)]
    whole = chosen.whole.subject.joined((subject, *pieces) if pieces else subject)
    if whole is not None:
        return whole, tuple(one for one in given if isinstance(one, Form | str))
    if not isinstance(subject, str) and hasattr(subject, "tolist"):
        subject = cast("Any", subject).tolist()
    return subject, given


def _is_set(form: Form, name: str) -> bool:
    return name in form.model_fields_set
