"""What is stored of objects and of all that they hold, and of which class each is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from typing import TypeAlias

from pyoxigraph import NamedNode

from triplestore.errors import NotFoundError, RecordError

from .forms import form
from .literals import Term
from .model import GraphModel, found_more, subclasses
from .terms import RDF_TYPE, SCHEMA_VERSION
from .upgrades import Upgrade, upgrades

Described: TypeAlias = Mapping[str, Seq[tuple[str, Term]]]
"""What is known of each subject: pairs of predicate and object."""
Describe: TypeAlias = Callable[[Seq[str]], Described]
Classes: TypeAlias = dict[type[GraphModel], dict[str, type[GraphModel]]]
"""For each class asked for, those that an object may be of, by term."""


class ForeignError(RecordError):
    """An object is of a class that is not installed here."""


@dataclass
class Fetched:
    """What is known of an object before it is built."""

    pairs: Seq[tuple[str, Term]]
    cls: type[GraphModel]
    version: int
    steps: list[Upgrade]
    parts: list[str]

    named_now: bool
    """Whether its name was made by the present schema: later ones leave names as they are."""

    @property
    def stored_class(self) -> type[GraphModel]:
        """The class that describes how the object is stored: its own or a former one."""
        return self.steps[0].former or self.cls if self.steps else self.cls


def collect(
    cls: type[GraphModel],
    iris: Seq[str],
    describe: Describe,
    built: dict[str, GraphModel],
    at_hand: Mapping[str, GraphModel] | None,
    classes: Classes,
) -> dict[str, Fetched]:
    """Return what is known of objects and their parts; parts at hand go to `built`."""
    found: dict[str, Fetched] = {}
    wanted: dict[str, type[GraphModel]] = dict.fromkeys(iris, cls)
    owners: dict[str, str] = {}
    while wanted:
        level = describe(list(wanted))
        deeper: dict[str, type[GraphModel]] = {}
        for iri, expected in wanted.items():
            pairs = level.get(iri)
            if not pairs:
                asked = owners.get(iri, f"{iri} was asked for")
                raise NotFoundError(
                    asked, f"nothing is stored of {iri}", "check the IRI, and which store is read"
                )
            if expected not in classes:
                classes[expected] = _known(expected)
            if not _is_known(pairs, classes[expected]) and found_more():
                classes[expected] = _known(expected)
            this = _recognise(iri, pairs, expected, classes[expected])
            found[iri] = this
            held = form(this.stored_class).parts
            if not held:
                continue
            targets = {plan.predicate: plan.target for plan in held}
            for predicate, term in pairs:
                if predicate in targets and isinstance(term, NamedNode):
                    part, target = term.value, targets[predicate]
                    ready = at_hand.get(part) if at_hand is not None else None
                    if ready is not None and isinstance(ready, target):
                        built[part] = ready
                    else:
                        this.parts.append(part)
                        deeper[part] = target
                        owners.setdefault(part, f"{iri} cannot be read: its <{predicate}>")
        wanted = {iri: expected for iri, expected in deeper.items() if iri not in found}
    return found


def _known(expected: type[GraphModel]) -> dict[str, type[GraphModel]]:
    # of classes defined twice, as in a notebook, the last counts; or the one asked for
    classes_by_name = {sub.term(): sub for sub in subclasses(expected)}
    return {**classes_by_name, expected.term(): expected}


def _is_known(pairs: Seq[tuple[str, Term]], classes: Mapping[str, type[GraphModel]]) -> bool:
    return any(
        predicate == RDF_TYPE and str(getattr(term, "value", term)) in classes
        for predicate, term in pairs
    )


def _recognise(
    iri: str,
    pairs: Seq[tuple[str, Term]],
    expected: type[GraphModel],
    classes: Mapping[str, type[GraphModel]],
) -> Fetched:
    """Find the class and the schema version of an object.

    An object that was migrated has several versions; the highest counts.
    """
    cls, others, versions = None, list[str](), list[str]()
    for predicate, term in pairs:
        if predicate == RDF_TYPE:
            name = str(getattr(term, "value", term))
            cls = classes.get(name, cls)
            others.append(name)
        elif predicate == SCHEMA_VERSION:
            versions.append(str(getattr(term, "value", term)))
    if cls is None:
        wanted = "an object" if expected is GraphModel else f"a {expected.__name__}"
        known = {sub.term() for sub in subclasses(GraphModel)}
        foreign = bool(others) and not known.intersection(others)
        raise (ForeignError if foreign else RecordError)(
            f"{iri} was asked for as {wanted}",
            f"it is {' and '.join(others) or 'of no class'}"
            + (", a class that is not installed here" if foreign else ""),
            "install the package that brings it, or import the module that defines it"
            if foreign
            else "ask for it by its own class",
        )
    for version in versions:
        if not version.isdecimal() or int(version) > cls.schema_version():
            raise RecordError(
                f"{iri} cannot be read",
                f"it was written with schema {version} of {cls.__name__}; this Grafico "
                f"knows {cls.schema_version()}",
                "update Grafico",
            )
    version = max(map(int, versions), default=1)
    first = min(map(int, versions), default=1)
    return Fetched(pairs, cls, version, upgrades(cls, version), [], first == cls.schema_version())
