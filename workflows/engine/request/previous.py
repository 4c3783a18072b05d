"""What a previous run was asked, and the same request with changes."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from ogm import GraphModel, KnowledgeGraph
from ontologies.provenance import Run
from triplestore.errors import ComponentError, InputError, RecordError
from workflows.registry.catalogue import Workflow, workflows
from workflows.registry.readers import readers
from workflows.text.words import count

from ..graph.stored_runs import stored_run
from .definition import Given
from .form import Form, fill
from .refusals import field_text, refuse_unknown


@dataclass(frozen=True)
class PreviousRun:
    """A stored run and what it was asked.

    Attributes:
        run: the run.
        workflow: of it.
        given: what it was about.
        forms: as they were filled in then.
    """

    run: Run
    workflow: Workflow
    given: Given[Any]
    forms: tuple[Form, ...]

    @property
    def said(self) -> dict[str, Any]:
        """What was asked then, but for what has its default."""
        fields = {name: one for form in self.forms for name, one in said_in(form).items()}
        return {name: value for name, value in fields.items() if name in self.workflow.whole.fields}

    def asked_otherwise(self, now: Mapping[str, Any]) -> tuple[Form, ...]:
        """Return the forms with what is asked otherwise now.

        Raises:
            InputError: no form takes it; it cannot be, or has no effect; or it is another variant
                of a form, such as the level of another program: nothing could be gone on with.
        """
        whole = self.workflow.whole
        now = whole.translated(now)
        refuse_unknown([name for form in whole.forms for name in form.offered()], now)
        return tuple(map(self._otherwise, whole.forms, self.forms, [dict(now)] * len(self.forms)))

    def _otherwise(self, form: type[Form], then: Form, now: dict[str, Any]) -> Form:
        changed = {name: value for name, value in now.items() if name in form.offered()}
        if not changed:
            return then
        values = then.model_dump(exclude_unset=True) | changed
        if form.variant(values) is type(then):
            return fill(form, values)
        other = form.variant(values).model_fields
        foreign = form.offered().keys() - other
        kept = {name: value for name, value in self.said.items() if name not in foreign}
        subject = self.workflow.whole.subject.argument(self.given)
        raise InputError(
            f"{', '.join(field_text(*one) for one in changed.items())} was asked for",
            f"nothing of the run {self.run.iri} could be gone on with: it was computed otherwise",
            f"ask for it anew: grafico {typed(self.workflow.command, subject, kept | now)}",
        )


def typed(command: str, subject: str, said: Mapping[str, Any]) -> str:
    """Return a request as it is typed."""
    words = [command, *filter(None, [subject])]
    for name, value in said.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            words += [flag] * value
            continue
        many = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        for one in many:
            words += [flag, str(one)]
    return shlex.join(words)


def read_previous(run: str, kg: KnowledgeGraph) -> PreviousRun:
    """Return a stored run and what it was asked.

    Runs of earlier versions recorded the first form alone; the others are made of what the run is
    about, see `Form.recovered`.

    Args:
        run: its IRI.
        kg: the graph to read from.

    Raises:
        NotFoundError: it is not stored.
        InputError: it is something else.
        ComponentError: its workflow is not installed.
        RecordError: what it started from is not stored, or does not say what was asked.
    """
    former = stored_run(kg, run)
    known = workflows()
    if former.graph in readers():
        raise InputError(
            f"cannot resume run {former.iri}",
            "it was not computed here: what it came to was read from a file",
            "compute it anew: its geometry can be named by its IRI",
        )
    if (action := known.action_of(former.graph)) is not None:
        raise InputError(
            f"cannot resume run {former.iri}",
            f"it is a part of what {action.command} does, by itself or within another verb: "
            f"{former.subject[:80]}",
            "ask for the same again: what is done is not done twice, and what a person has agreed "
            "to by then is taken",
        )
    if former.graph not in known:
        raise ComponentError(
            f"cannot resume run {former.iri}",
            f"it is of the workflow {former.graph}, which is not installed here"
            + "".join(f"; {place} was left out: {why}" for place, why in known.broken.items()),
            "install the package that brings it, or ask for the same again",
        )
    workflow = known[former.graph]
    about = kg.pull_all(GraphModel, sorted(link.iri for link in former.about))
    kind = workflow.whole.subject
    models = [one for one in about if isinstance(one, kind.model)]
    if len(models) != 1:
        raise RecordError(
            f"cannot resume run {former.iri}",
            f"it names {count(len(models), kind.name)}, not one",
            "ask for it anew; what is finished is kept",
        )
    stored: dict[str, Any] = json.loads(former.forms) if former.forms else {}
    first, *_ = workflow.whole.forms
    forms: list[Form] = []
    for form in workflow.whole.forms:
        one = form.recorded(stored)
        if one is None:
            one = form.stored(former.request) if form is first else form.recovered(about)
        if one is None:
            raise RecordError(
                f"cannot resume run {former.iri}",
                f"a version that did not record all of what is asked made it, and what it is about "
                f"leaves open which {form.__name__} that was",
                f"ask for it anew (grafico {workflow.command} … {former.subject!r}); what was "
                "finished is remembered",
            )
        forms.append(one)
    return PreviousRun(former, workflow, Given(models[0], former.subject), tuple(forms))


def said_in(form: Form) -> dict[str, Any]:
    """Return the fields of a form that have not their defaults."""
    fields = type(form).model_fields
    return {n: one for n, one in form if fields[n].is_required() or one != fields[n].default}
