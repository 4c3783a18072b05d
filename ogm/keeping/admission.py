"""Whether quads that somebody else wrote may enter a store: checked before the first of them does.

They may add objects. They may not change what is stored, make one thing look like another, or say
anything about the words themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad

from ogm.array_storage import ARRAY_DATATYPE, ArrayFiles, from_text
from ogm.collecting import Classes, Described
from ogm.forms import form
from ogm.model import GraphModel, found_more, storable
from ogm.naming import DERIVED, content_digest
from ogm.reading import decode
from ogm.terms import BASE, CONTENT, PREFIXES, RDF_TYPE, SCHEMA_VERSION
from triplestore.errors import InputError, NotFoundError, RecordError

from .closure import Pairs, Value
from .container import Tell, quiet
from .origin import Made, is_made

PAGE = 50
"""Objects of a file that are built at once, with the arrays that their classes look into."""

_OWN = re.compile(re.escape(BASE) + r"id/([^/]+)/[^/]+")


class NotAdmittedError(InputError):
    """What somebody else wrote may not enter a store; it says what and why."""


class Foreign(Protocol):
    """What somebody else wrote: quads, and the arrays that they name.

    Attributes:
        asked: what is to be done with it, for errors.
        malformed: what is said of it where it cannot be parsed.
        advice: what to do where it is refused.
        page: objects that are built at once.
        files: its arrays, as if they lay in a folder.
    """

    asked: str
    malformed: str
    advice: str
    page: int
    files: ArrayFiles

    @property
    def arrays(self) -> Collection[str]:
        """Digests of the arrays that are in it."""
        ...

    def quads(self) -> Iterator[Quad]:
        """Iterate over its quads.

        Raises:
            SyntaxError: they cannot be parsed.
        """
        ...

    def array_head(self, name: str) -> str:
        """Return type and shape of an array, whose content was compared with its digest.

        Raises:
            GraficoError: it is damaged.
        """
        ...

    def beside(self, iris: Sequence[str]) -> Described:
        """Return what is known of objects that are not in it, and may be held by those that are."""
        ...


@dataclass(frozen=True)
class Admitted:
    """Objects that have passed.

    Attributes:
        objects: their triples, by subject.
        results: those that are named by what made them: results and things of unknown classes.
        made: results, and values made of results: something must say where they come from.
        warnings: what could not be checked.
    """

    objects: dict[str, Pairs]
    results: set[str] = field(default_factory=set[str])
    made: dict[str, Made] = field(default_factory=dict[str, Made])
    warnings: tuple[str, ...] = ()


def known_classes() -> dict[str, type[GraphModel]]:
    """Return the classes that are installed or have been imported, by their terms."""
    found_more()
    return {cls.term(): cls for cls in reversed([*storable(GraphModel)]) if cls is not GraphModel}


def says_only_whose(cls: type[GraphModel]) -> bool:
    """Tell whether objects of a class say nothing but who a person is, of what they are parts."""
    own = [plan for plan in cls.fields() if plan.part_of is None]
    return bool(own) and all(plan.whose for plan in own)


def admit(source: Foreign, *, trust: bool = False, tell: Tell = quiet) -> Admitted:
    """Check the objects that somebody else wrote, each on its own.

    Refused are: blank nodes; other graphs than the default; subjects that are words of a
    vocabulary; IRIs of one class for things of another; what its class refuses; values whose IRI is
    not the digest of their content; arrays that are not there, not what their literal says, or
    named by nothing. Things of classes that are not installed here pass with a warning.

    Args:
        source: the objects.
        trust: let values of earlier schema versions pass.
        tell: is told how far it is.

    Raises:
        NotAdmittedError: something is refused; it says what and why.
    """
    check = _Check(source)
    objects = check.read(tell)
    classes = known_classes()
    words = {*classes, *(plan.predicate for cls in classes.values() for plan in cls.fields())}
    named = {cls.__name__ for cls in classes.values()}
    known: list[str] = []
    strangers: dict[str, int] = {}
    results: set[str] = set()
    made: dict[str, Made] = {}
    for iri, pairs in objects.items():
        types = [_value(term) for name, term in pairs if name == RDF_TYPE]
        cls = classes.get(types[0]) if len(types) == 1 else None
        check.subject(iri, types, cls, words, named)
        if cls is None:
            said = " and ".join(types) or "no class"
            strangers[said] = strangers.get(said, 0) + 1
        else:
            check.version(iri, pairs, cls, trust)
            known.append(iri)
            if kind := is_made(cls):
                made[iri] = kind
        if cls is None or cls.identity() == "result":
            results.add(iri)
    check.arrays(objects)
    check.build(known, objects, tell)
    warnings = [
        f"{count} of {said[:200]}, which is not known here: not checked"
        for said, count in sorted(strangers.items())
    ]
    return Admitted(objects, results, made, tuple(warnings))


class _Check:
    """The checks of one source; each raises the same error with its own words."""

    def __init__(self, source: Foreign) -> None:
        self.source = source

    def refuse(self, found: str, advice: str = "") -> NoReturn:
        advice = advice or self.source.advice
        raise NotAdmittedError(self.source.asked, found, f"nothing was stored; {advice}")

    def read(self, tell: Tell) -> dict[str, Pairs]:
        """Parse the objects; what is said twice is said once."""
        objects: dict[str, dict[tuple[str, Value], None]] = {}
        try:
            for number, quad in enumerate(self.source.quads()):
                if number % 10_000 == 0:
                    tell(f"reading quad {number:,}")
                self._take(quad, objects)
        except SyntaxError as error:
            self.refuse(f"{self.source.malformed}: {error.msg}")
        return {iri: list(pairs) for iri, pairs in objects.items()}

    def _take(self, quad: Quad, objects: dict[str, dict[tuple[str, Value], None]]) -> None:
        if not isinstance(quad.graph_name, DefaultGraph):
            self.refuse(f"it has a graph {quad.graph_name}")
        subject, term = quad.subject, quad.object
        if not isinstance(subject, NamedNode) or not isinstance(term, NamedNode | Literal):
            self.refuse(f"{str(quad)[:200]} has something without an IRI")
        objects.setdefault(subject.value, {})[quad.predicate.value, term] = None

    def subject(
        self,
        iri: str,
        types: Sequence[str],
        cls: type[GraphModel] | None,
        words: Collection[str],
        named: Collection[str],
    ) -> None:
        """Check the name of a subject against its class."""
        own = _OWN.fullmatch(iri)
        if iri in words or (own is None and iri.startswith(tuple(PREFIXES.values()))):
            self.refuse(f"it says something about <{iri}>, a word of a vocabulary")
        if len(types) > 1 and any(name in words for name in types):
            self.refuse(f"<{iri}> is {' and '.join(types)} at once")
        if own is not None:
            expected = cls.__name__ if cls is not None else None
            if own[1] != expected and (expected is not None or own[1] in named):
                self.refuse(
                    f"<{iri}> is named like a {own[1]}, but is "
                    f"{' and '.join(types) or 'of no class'}"
                )
        elif cls is not None and cls.identity() in DERIVED:
            self.refuse(f"<{iri}> is no name of a {cls.__name__}")

    def version(self, iri: str, pairs: Pairs, cls: type[GraphModel], trust: bool) -> None:
        """Check the schema version of an object; a newer one is refused when it is built."""
        # of the first version nothing need be said
        versions = [_value(term) for name, term in pairs if name == SCHEMA_VERSION] or ["1"]
        if not all(re.fullmatch(r"[1-9]\d{0,5}", text) for text in versions):
            self.refuse(f"<{iri}> has the schema version {' and '.join(versions)}")
        older = min(map(int, versions)) < cls.schema_version()
        if older and cls.identity() in DERIVED and not trust:
            self.refuse(
                f"<{iri}> was written with schema {min(map(int, versions))} of {cls.__name__} "
                f"(now {cls.schema_version()}), so it cannot be checked whether it was altered",
                "if you trust where it comes from, import it with --trust",
            )

    def arrays(self, objects: Mapping[str, Pairs]) -> None:
        """Check all array literals, and that there are no arrays besides."""
        named: set[str] = set()
        heads: dict[str, str] = {}
        for iri, pairs in objects.items():
            for predicate, term in pairs:
                if not isinstance(term, Literal) or term.datatype.value != ARRAY_DATATYPE:
                    continue
                where = f"<{predicate}> of <{iri}>"
                head, _, body = term.value.rpartition(" ")
                name = body.removeprefix("sha256:")
                if name == body:
                    try:
                        from_text(term.value, None)
                    except RecordError as error:
                        self.refuse(f"{where}: {error.asked}; {error.found}")
                    continue
                if name not in self.source.arrays:
                    self.refuse(f"{where} names array {name[:80]}, which is not in it")
                named.add(name)
                if name not in heads:
                    heads[name] = self.source.array_head(name)
                if head != heads[name]:
                    self.refuse(f"{where} says {head[:80]!r}, but the array is {heads[name]!r}")
        for name in sorted({*self.source.arrays} - named)[:1]:
            self.refuse(f"nothing in it names array {name}")

    def build(self, known: Sequence[str], objects: Mapping[str, Pairs], tell: Tell) -> None:
        """Build every object of a known class, and compare names with content."""
        source, kept, classes = self.source, dict[str, GraphModel](), Classes()

        def pairs_of(iris: Sequence[str]) -> Described:
            found = {iri: objects[iri] for iri in iris if iri in objects}
            rest = [iri for iri in iris if iri not in found]
            return {**source.beside(rest), **found} if rest else found

        for start in range(0, len(known), source.page):
            tell(f"checking object {start:,} of {len(known):,}")
            page = known[start : start + source.page]
            try:
                built = dict(kept)
                models = decode(GraphModel, page, pairs_of, source.files, built, classes)
                kept |= {iri: one for iri, one in built.items() if _is_small(one)}
                built.clear()
                for iri in reversed(page):  # let go one by one: names touch all arrays
                    self._name(iri, models.pop(), objects[iri])
            except InputError as error:
                if isinstance(error, NotFoundError):
                    self.refuse(f"{error.asked}; {error.found}")
                raise
            except RecordError as error:
                self.refuse(f"{error.asked}; {error.found}", error.advice)
            except Exception as error:  # whatever odd values make a class raise
                self.refuse(f"an object cannot be built: {type(error).__name__}: {error}")

    def _name(self, iri: str, model: GraphModel, pairs: Pairs) -> None:
        if model.identity() not in DERIVED:
            said = next((_value(term) for predicate, term in pairs if predicate == CONTENT), None)
            if said is not None and said != content_digest(model):
                self.refuse(
                    f"<{iri}> is not what it says of itself: the digest of its content "
                    f"is {content_digest(model)}, not {said}"
                )
            return
        if model.iri != iri:
            self.refuse(
                f"<{iri}> is not what its name says: the name of its content is <{model.iri}>"
            )
        self._nothing_else(iri, model, pairs)

    def _nothing_else(self, iri: str, model: GraphModel, pairs: Pairs) -> None:
        """Check that a value says nothing that its name does not cover."""
        covered = {RDF_TYPE, SCHEMA_VERSION, *(plan.predicate for plan in type(model).fields())}
        for predicate, _ in pairs:
            if predicate not in covered:
                self.refuse(
                    f"<{iri}> has <{predicate}>, which no {type(model).__name__} has",
                    "perhaps a newer Grafico knows it: update",
                )


def _is_small(model: GraphModel) -> bool:
    """Tell whether an object, such as a level of theory, may be kept for others that hold it."""
    shape = form(type(model))
    return model.identity() == "value" and not shape.has_arrays and not shape.parts


def _value(term: NamedNode | Literal) -> str:
    return term.value
