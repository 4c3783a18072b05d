"""`Request`: what is asked, read once, whichever door it came through."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from ogm import GraphModel
from ogm.validation_errors import readable
from triplestore.errors import InputError
from workflows.registry.catalogue import Workflow, workflows

from .definition import Fields, Given, SubjectT
from .form import Form, fill, said_by_models
from .refusals import refuse_unknown
from .unsaid import Unsaid

LONGEST = 1_000_000
"""Characters of a request in JSON."""


class Placement(BaseModel):
    """Where and when a request is computed; here and now, if nothing is said.

    Attributes:
        on: a section `[clusters.NAME]` of the settings, or `here`, as a job.
        begin: not before this time, as a person writes it.
        after: names of jobs of the same cluster that must have ended before.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    on: str = ""
    begin: str = ""
    after: tuple[str, ...] = ()

    @property
    def said(self) -> dict[str, Any]:
        """What was said of it, as a session takes it."""
        return self.model_dump(exclude_defaults=True)


class _Whole(BaseModel):
    """A request as JSON; what is in it is looked at when the forms are filled in."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    request: Literal[1]
    workflow: str
    subjects: tuple[str, ...] = ()
    arguments: dict[str, Any] = {}
    place: Placement = Placement()
    recompute: bool = False


@dataclass(frozen=True)
class Request:
    """What is asked: made by every door, taken by `prepare`.

    Attributes:
        workflow: what is asked for.
        subjects: what it is about: texts, paths or objects, one run each; none where nothing is
            named.
        forms: what is asked, filled in; that of its subject is the last.
        place: where and when it is computed.
        recompute: whether what is remembered is computed too.
        said: the fields that were said; the others are of the settings, or have their defaults.
    """

    workflow: Workflow
    subjects: tuple[object, ...]
    forms: tuple[Form, ...]
    place: Placement = field(default_factory=Placement)
    recompute: bool = False
    said: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def of(
        cls,
        workflow: Workflow,
        subjects: Sequence[object],
        asked: Mapping[str, Any],
        defaults: Mapping[str, Any] | None = None,
        *,
        place: Placement | None = None,
        recompute: bool = False,
    ) -> Request:
        """Read what is asked: the one place where forms are filled in.

        Args:
            workflow: what is asked for.
            subjects: what it is about; one may stand among what is asked instead, by its name.
            asked: fields of its forms and of its subject's form; None is as good as not said.
            defaults: of the settings; they fill in only what a form takes.
            place: where and when it is computed.
            recompute: whether what is remembered is computed too.

        Raises:
            InputError: a field that there is not, a value that cannot be, or one without an effect.
        """
        about, forms, said = understood(workflow.whole, subjects, asked, defaults)
        return cls(workflow, about, forms, place or Placement(), recompute, said)

    @property
    def arguments(self) -> dict[str, Any]:
        """The fields that were said, as the forms took them."""
        every = {name: value for form in self.forms for name, value in form}
        return {name: every[name] for name in self.said if name in every}

    def each(self) -> Iterator[Request]:
        """Iterate over the requests of one subject each."""
        for subject in self.subjects:
            yield replace(self, subjects=(subject,))

    def as_json(self) -> str:
        """Return it as JSON: what was said and what the settings filled in; so it means the same.

        Objects stand in it by their IRIs; what only settings can say is left out.
        """
        return json.dumps(
            {
                "request": 1,
                "workflow": self.workflow.name,
                "subjects": [n.iri if isinstance(n, GraphModel) else str(n) for n in self.subjects],
                "arguments": {n: one for form in self.forms for n, one in _written(form).items()},
                "place": self.place.model_dump(mode="json"),
                "recompute": self.recompute,
            }
        )

    @classmethod
    def read(
        cls, text: str, defaults: Mapping[str, Any] | None = None, *, personal: bool = False
    ) -> Request:
        """Return a request that was written as JSON, by anybody: nothing of it is opened or run.

        Args:
            text: what `as_json` has written.
            defaults: of the settings, for what only settings can say.
            personal: whether the person who asks has written it, who may say all; of others what a
                person alone may say is refused, such as that it may take any time.

        Raises:
            InputError: it is none, of another version, or asks for what there is not.
            NotFoundError: there is no such workflow.
        """
        asked = "a request was to be read"
        if len(text) > LONGEST:
            raise InputError(asked, f"it has {len(text):,} characters", f"{LONGEST:,} are allowed")
        try:
            written = _Whole.model_validate_json(text)
        except ValidationError as error:
            raise InputError(asked, "; ".join(readable(error)), "see `Request.as_json`") from error
        workflow = workflows().named(written.workflow)
        whole = workflow.whole
        if not personal:
            refuse_unknown(list(whole.arguments), written.arguments)
        own = {n: value for n, value in (defaults or {}).items() if n not in whole.fields}
        return cls.of(
            workflow,
            written.subjects,
            written.arguments,
            own,
            place=written.place,
            recompute=written.recompute,
        )


def _written(form: Form) -> dict[str, Any]:
    """Return what a form says, as JSON; of what a person alone says, what is not as ever."""
    fields = type(form).offered()
    many = said_by_models(fields)
    return {
        name: value
        for name, value in form.model_dump(mode="json", exclude_unset=True).items()
        if name in many or (name in fields and value != fields[name].default)
    }


def understood(
    whole: Fields,
    subjects: Sequence[object],
    asked: Mapping[str, Any],
    defaults: Mapping[str, Any] | None = None,
) -> tuple[tuple[object, ...], tuple[Form, ...], tuple[str, ...]]:
    """Return the subjects, the forms filled in, and the names of the fields that were said.

    Raises:
        InputError: a field that there is not, a value that cannot be, or one without an effect.
    """
    said = whole.translated({name: one for name, one in asked.items() if one is not None})
    about = tuple(subjects)
    noun = whole.subject.name
    if not about and noun not in whole.fields and noun in said:  # it may be named
        about = (said.pop(noun),)
    called = [n for n in whole.subject.given_as if n in said and n not in whole.fields]
    if not about and len(called) == 1:
        about = (said.pop(called[0]),)
        said.update(whole.subject.given_as[called[0]])
    refuse_unknown(whole.sayable, said)
    forms = tuple(
        fill(
            form, {name: value for name, value in said.items() if name in form.offered()}, defaults
        )
        for form in whole.all_forms
    )
    return about, forms, tuple(said)


def _refuse_unfollowed(whole: Fields, given: Given[SubjectT], said: Collection[str]) -> None:
    """Refuse what a subject asks for and cannot have: another answer would be taken for that one.

    Only where all that it says could be said here: for other requests it is a geometry.
    """
    for one in given.remarks:
        if not isinstance(one, Unsaid) or one.fields or one.needed in said:
            continue
        if one.needed and {one.needed, *one.ways} <= {*whole.fields}:
            ways = " and ".join(filter(None, one.ways.values())) or f"`{one.needed}`"
            raise InputError(
                f"{given.text[:80]} was asked for", one.text, f"say what is meant, by {ways}"
            )


def following(
    whole: Fields, given: Given[SubjectT], forms: Sequence[Form], said: Collection[str]
) -> tuple[Given[SubjectT], tuple[Form, ...]]:
    """Return the forms with what the subject itself asks for, and what is told of that.

    It is followed whole, where nobody says anything of it: a level that is named in part is
    another level, and a task that is named another request.

    Args:
        whole: what is asked for.
        given: the subject, whose remarks may ask for something (`Unsaid`).
        forms: as they were filled in, without that of the subject.
        said: the fields that were said.

    Raises:
        InputError: it asks for what cannot be followed, and nobody has said what is meant instead.
    """
    _refuse_unfollowed(whole, given, said)
    asks = next((one for one in given.remarks if isinstance(one, Unsaid) and one.fields), None)
    if asks is None:
        return given, tuple(forms)
    fields = whole.translated(asks.fields)
    beside = {n for one in whole.forms[1:] if one.offered().keys() & fields for n in one.offered()}
    if not fields.keys() <= {*whole.fields} or {*said} & (beside | {*fields}):
        return given, tuple(forms)
    filled = list[Form]()
    for kind, form in zip(whole.forms, forms, strict=True):
        own = {name: value for name, value in fields.items() if name in kind.offered()}
        first = kind is whole.forms[0]
        kept = {name: getattr(form, name) for name in form.model_fields_set} if first else {}
        try:
            filled.append(fill(type(form) if first else kind, kept | own) if own else form)
        except InputError:  # this workflow has it otherwise: it is told, as of any other
            return given, tuple(forms)
    told = tuple(asks.followed if one is asks else one for one in given.remarks)
    return replace(given, remarks=told), tuple(filled)
