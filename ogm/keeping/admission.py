"""Whether quads that somebody else wrote may enter a store: checked before the first of them does.

They may add objects. They may not change what is stored, make one thing look like another, or say
anything about the words themselves.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, RdfFormat, parse
from pyoxigraph import Store as Quads

from ogm.array_storage import ARRAY_DATATYPE, ArrayFiles, digest, from_text
from ogm.arrays import AnyArray, locked
from ogm.collecting import Described
from ogm.model import GraphModel, found_more, subclasses
from ogm.naming import DERIVED, content_digest
from ogm.reading import decode
from ogm.terms import BASE, CONTENT, PREFIXES, RDF_TYPE, SCHEMA_VERSION, XSD
from triplestore import Store
from triplestore.errors import ConflictError, InputError, NotFoundError, RecordError

from .closure import GENERATED, OF_RUN, OUTCOME, Pairs, describe, sources
from .container import ContainerReader, Tell, quiet
from .origin import Made, is_made, without_origin

PAGE = 50
"""Objects that are built at once, with the arrays that their classes look into."""

KEY = BASE + "key"
"""From an activity to the key of its calculation."""

FIRST = (SCHEMA_VERSION, f'"1"^^<{XSD}integer>')
"""What was once said of objects of the first schema version."""

_OWN = re.compile(re.escape(BASE) + r"id/([^/]+)/[^/]+")


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
    return {cls.term(): cls for cls in reversed([*subclasses(GraphModel)]) if cls is not GraphModel}


def admit(
    reader: ContainerReader, part: str, view: str, *, trust: bool = False, tell: Tell = quiet
) -> Admitted:
    """Check the objects of a container, each on its own.

    Refused are: blank nodes; other graphs than the default and `view`, which is not read; subjects
    that are words of a vocabulary; IRIs of one class for things of another; what its class
    refuses; values whose IRI is not the digest of their content; arrays that are not there, not
    what their literal says, or named by nothing. Things of classes that are not installed here pass
    with a warning.

    Args:
        reader: the container, whose checksums have been compared.
        part: the text in TriG.
        view: the graph that is not read.
        trust: let values of earlier schema versions pass.
        tell: is told how far it is.

    Raises:
        InputError: something is refused; it says what and why.
    """
    check = _Check(reader, part, view)
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
    """The checks of one container; each raises the same error with its own words."""

    def __init__(self, reader: ContainerReader, part: str, view: str) -> None:
        self.reader, self.part, self.view = reader, part, view

    def refuse(self, found: str, advice: str = "do not use this file") -> NoReturn:
        raise InputError(
            f"cannot import {self.reader.path}", found, f"nothing was stored; {advice}"
        )

    def read(self, tell: Tell) -> dict[str, Pairs]:
        """Parse the objects."""
        text = b"".join(self.reader.pieces(self.part))
        objects: dict[str, Pairs] = {}
        view = NamedNode(self.view)
        try:
            for number, quad in enumerate(parse(text, format=RdfFormat.TRIG)):
                if number % 10_000 == 0:
                    tell(f"reading quad {number:,}")
                self._take(quad, view, objects)
        except SyntaxError as error:
            self.refuse(f"{self.part} is not valid TriG: {error.msg}")
        return objects

    def _take(self, quad: Quad, view: NamedNode, objects: dict[str, Pairs]) -> None:
        if quad.graph_name == view:
            return
        if not isinstance(quad.graph_name, DefaultGraph):
            self.refuse(f"it has a graph {quad.graph_name}")
        subject, term = quad.subject, quad.object
        if not isinstance(subject, NamedNode) or not isinstance(term, NamedNode | Literal):
            self.refuse(f"{str(quad)[:200]} has something without an IRI")
        pair = quad.predicate.value, term
        pairs = objects.setdefault(subject.value, [])
        pairs.append(pair)

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
                self.refuse(f"<{iri}> is named like a {own[1]}, but is "
                            f"{' and '.join(types) or 'of no class'}")  # fmt: skip
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
                if name not in self.reader.arrays:
                    self.refuse(f"{where} names array {name[:80]}, which is not in it")
                named.add(name)
                if name not in heads:
                    heads[name] = self.reader.array_head(name)
                if head != heads[name]:
                    self.refuse(f"{where} says {head[:80]!r}, but the array is {heads[name]!r}")
        for name in sorted({*self.reader.arrays} - named)[:1]:
            self.refuse(f"nothing in it names array {name}")

    def build(self, known: Sequence[str], objects: Mapping[str, Pairs], tell: Tell) -> None:
        """Build every object of a known class, and compare names with content."""
        files = _Packed(self.reader)

        def pairs_of(iris: Sequence[str]) -> Described:
            return {iri: objects[iri] for iri in iris if iri in objects}

        for start in range(0, len(known), PAGE):
            tell(f"checking object {start:,} of {len(known):,}")
            page = known[start : start + PAGE]
            try:
                models = decode(GraphModel, page, pairs_of, files)
                for iri in reversed(page):  # let go one by one: names touch all arrays
                    self._name(iri, models.pop(), objects[iri])
            except InputError as error:
                if isinstance(error, NotFoundError):
                    self.refuse(f"{error.asked}; {error.found}")
                raise
            except RecordError as error:
                self.refuse(f"{error.asked}; {error.found}", error.advice or "do not use this file")
            except Exception as error:  # whatever odd values make a class raise
                self.refuse(f"an object cannot be built: {type(error).__name__}: {error}")

    def _name(self, iri: str, model: GraphModel, pairs: Pairs) -> None:
        if model.identity() not in DERIVED:
            said = next((_value(term) for predicate, term in pairs if predicate == CONTENT), None)
            if said is not None and said != content_digest(model):
                self.refuse(f"<{iri}> is not what it says of itself: the digest of its content "
                            f"is {content_digest(model)}, not {said}")  # fmt: skip
            return
        if model.iri != iri:
            self.refuse(f"<{iri}> is not what its name says: the name of its content is "
                        f"<{model.iri}>")  # fmt: skip
        self._nothing_else(iri, model, pairs)

    def _nothing_else(self, iri: str, model: GraphModel, pairs: Pairs) -> None:
        """Check that a value says nothing that its name does not cover."""
        covered = {RDF_TYPE, SCHEMA_VERSION, *(plan.predicate for plan in type(model).fields())}
        for predicate, _ in pairs:
            if predicate not in covered:
                self.refuse(f"<{iri}> has <{predicate}>, which no {type(model).__name__} has",
                            "perhaps a newer Grafico knows it: update")  # fmt: skip


class _Packed(ArrayFiles):
    """The arrays of a container, as if they lay in a folder."""

    def __init__(self, reader: ContainerReader) -> None:
        super().__init__(reader.path)
        self._reader = reader

    def get(self, name: str) -> AnyArray:
        """Read an array and check it against its digest."""
        import numpy as np

        with self._reader.array(name) as file:
            array = locked(np.lib.format.read_array(file, allow_pickle=False))
        if digest(array) != name:
            raise RecordError(f"array {name} cannot be read", "it has negative zeros or odd NaNs")
        return array


# --- beside what is stored -----------------------------------------------------------------


def newcomers(store: Store, admitted: Admitted, asked: str) -> tuple[set[str], list[str]]:
    """Return the objects that are not stored yet, and warnings.

    Refused is what would change the meaning of something stored: another value, or one more, for
    an object; another activity for a result; more steps or another outcome for a run that ended.

    Raises:
        InputError: it has a result of which nothing says how it was made.
        ConflictError: something is refused; it says what.
    """
    objects = admitted.objects
    stored = describe(store, objects)
    for iri, pairs in stored.items():
        _compare(iri, pairs, objects[iri], asked)
    new = {*objects} - {*stored}
    _check_origins(store, admitted, new, asked)
    _check_story(store, admitted, new, asked)
    return new, _computed_twice(store, objects, new)


def _check_origins(store: Store, admitted: Admitted, new: set[str], asked: str) -> None:
    """Refuse results of which nothing says how they came about, in it or here."""
    made = {iri: kind for iri, kind in admitted.made.items() if iri in new}
    lacking = sorted(without_origin(admitted.objects, made, store))
    if lacking:
        more = f", and so for {len(lacking) - 1} more" if len(lacking) > 1 else ""
        raise InputError(
            asked,
            f"<{lacking[0]}> was computed, and neither in it nor here is an activity that made it "
            f"or a run that came to it{more}",
            "nothing was stored; export it anew where it was computed",
        )


def _compare(iri: str, stored: Pairs, given: Pairs, asked: str) -> None:
    here, there = _canonical(stored), _canonical(given)
    more = there - here
    if not any(predicate == SCHEMA_VERSION for predicate, _ in here):
        more.discard(FIRST)  # which it is without a word
    newer = any(predicate == SCHEMA_VERSION for predicate, _ in more)
    for predicate, value in sorted(more):
        ours = sorted(text for name, text in here if name == predicate)
        raise ConflictError(
            asked,
            f"<{iri}> is stored with <{predicate}> {_listed(ours)}, in it with {value[:200]}",
            "nothing was stored; "
            + ("run `grafico migrate` here first" if newer else "find out which one is right"),
        )


def _canonical(pairs: Pairs) -> set[tuple[str, str]]:
    # A store may write a term in another way ("1.10"^^xsd:decimal becomes 1.1).
    quads, subject = Quads(), NamedNode(BASE)
    quads.extend(Quad(subject, NamedNode(name), term) for name, term in pairs)
    return {(quad.predicate.value, str(quad.object)) for quad in quads}


def _listed(values: Iterable[str]) -> str:
    return " and ".join(text[:200] for text in values) or "nothing"


def _check_story(store: Store, admitted: Admitted, new: set[str], asked: str) -> None:
    """Refuse new activities for stored results, and new chapters for runs that ended."""
    objects = admitted.objects
    made = _targets(objects, new, GENERATED)
    for maker, result in sources(store, GENERATED, made):
        if result in admitted.results or result not in objects:
            _refuse_story(asked, result, maker, made[result], "was made by")
    told = _targets(objects, new, OF_RUN)
    outcome = (RDF_TYPE, NamedNode(OUTCOME))
    ends = [(end, run) for end, run in sources(store, OF_RUN, told)]
    said = describe(store, (end for end, _ in ends))
    for end, run in ends:
        if outcome in said.get(end, []):
            _refuse_story(asked, run, end, told[run], "ended with")


def _refuse_story(asked: str, iri: str, stored: str, given: str, verb: str) -> NoReturn:
    raise ConflictError(
        asked,
        f"<{iri}> is stored and {verb} <{stored}>; in it <{given}> tells something else",
        "nothing was stored; find out which one is right",
    )


def _targets(objects: Mapping[str, Pairs], new: set[str], predicate: str) -> dict[str, str]:
    """Return what new objects point to by a predicate, each with the object that does."""
    return {
        _value(term): iri for iri in sorted(new) for name, term in objects[iri] if name == predicate
    }


def _computed_twice(store: Store, objects: Mapping[str, Pairs], new: set[str]) -> list[str]:
    """Warn of new activities for what was computed here too."""
    keys = {_value(term): iri for iri in sorted(new) for name, term in objects[iri] if name == KEY}
    both = sum(1 for _ in _same_key(store, list(keys)))
    if not both:
        return []
    return [f"{both} calculations in it were done here too: both results are kept"]


def _same_key(store: Store, keys: Sequence[str]) -> Iterator[str]:
    from triplestore import Table

    for start in range(0, len(keys), PAGE * 10):
        page = " ".join(str(Literal(key)) for key in keys[start : start + PAGE * 10])
        answer = store.query(f"SELECT DISTINCT ?k {{ VALUES ?k {{ {page} }} ?a <{KEY}> ?k }}")
        assert isinstance(answer, Table)
        for row in answer.rows:
            yield str(row[0])


def _value(term: NamedNode | Literal) -> str:
    return term.value
