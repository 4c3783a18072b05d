"""What of admitted objects is new to a store, unless that would change what is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from pyoxigraph import Literal, NamedNode, Quad
from pyoxigraph import Store as Quads

from ogm.terms import BASE, CONTENT, RDF_TYPE, SCHEMA_VERSION, XSD
from triplestore import Store
from triplestore.errors import ConflictError, InputError

from .admission import Admitted, known_classes, says_only_whose
from .closure import GENERATED, OF_RUN, OUTCOME, Pairs, describe, sources
from .container import Tell, quiet
from .origin import Made, without_origin

BATCH = 1 << 20
"""Bytes of N-Quads that are inserted in one transaction."""

PAGE = 500
"""Keys that one query asks about."""

KEY = BASE + "key"
"""From an activity to the key of its calculation."""

FIRST = (SCHEMA_VERSION, f'"1"^^<{XSD}integer>')
"""What was once said of objects of the first schema version."""


@dataclass(frozen=True)
class Owner:
    """What may be said of more than new objects, for those who are known to say it.

    Attributes:
        runs: returns those of some stored runs of which more may be told.
        upgraded: tells whether a stored object, in the present form of its class, is the one that
            is given.
    """

    runs: Callable[[Collection[str]], Collection[str]]
    upgraded: Callable[[str], bool]


def newcomers(
    store: Store, admitted: Admitted, asked: str, owner: Owner | None = None
) -> tuple[set[str], list[str]]:
    """Return the objects that are not stored yet, and warnings.

    Whose something is that is stored without a name is left out: it is no other object, and no file
    of anybody names somebody for what is here.

    Refused is what would change the meaning of something stored: another value, or one more, for
    an object; another activity for a result; more steps or another outcome for a run that ended,
    and where there is an owner for any run that is not theirs.

    Args:
        store: where they are to go.
        admitted: the objects.
        asked: what is to be done with them, for errors.
        owner: of what they tell; None where nobody knows whose it is.

    Raises:
        InputError: it has a result of which nothing says how it was made.
        ConflictError: something is refused; it says what.
    """
    objects = admitted.objects
    stored = describe(store, objects)
    nameless = sum(
        _compare(iri, pairs, objects[iri], asked, owner) for iri, pairs in stored.items()
    )
    new = {*objects} - {*stored}
    if owner is None:
        new -= (told := _who_of_stored(store, objects, new))
        nameless += len(told)
    _check_origins(store, admitted, new, asked, owner)
    _check_story(store, admitted, new, asked, owner)
    warnings = _computed_twice(store, objects, new)
    if nameless:
        warnings.append(f"it says of {nameless:,} stored without a name whose they are: left out")
    return new, warnings


def _check_origins(
    store: Store, admitted: Admitted, new: set[str], asked: str, owner: Owner | None
) -> None:
    """Refuse results of which nothing says how they came about, in it or here.

    Which run came to a value is said when that run ends, so that an owner may say it later.
    """
    made: dict[str, Made] = {
        iri: kind
        for iri, kind in admitted.made.items()
        if iri in new and (kind == "result" or owner is None)
    }
    lacking = sorted(without_origin(admitted.objects, made, store))
    if lacking:
        more = f", and so for {len(lacking) - 1} more" if len(lacking) > 1 else ""
        raise InputError(
            asked,
            f"<{lacking[0]}> was computed, and neither in it nor here is an activity that made it "
            f"or a run that came to it{more}",
            "nothing was stored; export it anew where it was computed",
        )


def _compare(iri: str, stored: Pairs, given: Pairs, asked: str, owner: Owner | None) -> bool:
    """Refuse another value of a stored object; tell whether more is said of it: whose it is."""
    here, there = _canonical(stored), _canonical(given)
    more = there - here
    if not any(predicate == SCHEMA_VERSION for predicate, _ in here):
        more.discard(FIRST)  # which it is without a word
    newer = any(predicate == SCHEMA_VERSION for predicate, _ in more)
    if newer and owner is not None and owner.upgraded(iri):
        return False
    whose = _whose(here)
    if more and {name for name, _ in more} <= whose and not whose & {name for name, _ in here}:
        return True
    for predicate, value in sorted(more):
        ours = sorted(text for name, text in here if name == predicate)
        raise ConflictError(
            asked,
            f"<{iri}> is stored with <{predicate}> {_listed(ours)}, in it with {value[:200]}",
            "nothing was stored; "
            + ("run `grafico migrate` here first" if newer else "find out which one is right"),
        )
    return False


def _whose(said: Collection[tuple[str, str]]) -> set[str]:
    """Return the predicates of an object that an export without names leaves out."""
    classes = known_classes()
    kinds = [classes.get(text[1:-1]) for predicate, text in said if predicate == RDF_TYPE]
    plans = (plan for cls in kinds if cls is not None for plan in cls.fields())
    found = {plan.predicate for plan in plans if plan.whose}
    return found | {CONTENT} if found else found


def _who_of_stored(store: Store, objects: Mapping[str, Pairs], new: set[str]) -> set[str]:
    """Return the new objects that say nothing but who a person is, of what is stored."""
    kinds = {
        term: {plan.predicate for plan in cls.fields() if plan.part_of is not None}
        for term, cls in known_classes().items()
        if says_only_whose(cls)
    }
    told = {
        iri: [_value(term) for name, term in objects[iri] if name in owners]
        for iri in new
        for kind, term in objects[iri]
        if kind == RDF_TYPE and (owners := kinds.get(_value(term)))
    }
    there = describe(store, {one for each in told.values() for one in each})
    return {iri for iri, owners in told.items() if there.keys() & {*owners}}


def _canonical(pairs: Pairs) -> set[tuple[str, str]]:
    # A store may write a term in another way ("1.10"^^xsd:decimal becomes 1.1).
    quads, subject = Quads(), NamedNode(BASE)
    quads.extend(Quad(subject, NamedNode(name), term) for name, term in pairs)
    return {(quad.predicate.value, str(quad.object)) for quad in quads}


def _listed(values: Iterable[str]) -> str:
    return " and ".join(text[:200] for text in values) or "nothing"


def _check_story(
    store: Store, admitted: Admitted, new: set[str], asked: str, owner: Owner | None
) -> None:
    """Refuse new activities for stored results, and new chapters for runs that ended."""
    objects = admitted.objects
    made = _targets(objects, new, GENERATED)
    for maker, result in sources(store, GENERATED, made):
        if result in admitted.results or result not in objects:
            _refuse_story(asked, result, maker, made[result], "was made by")
    told = _targets(objects, new, OF_RUN)
    if owner is not None:
        others = told.keys() - new
        for run in sorted(others - {*owner.runs(others)} if others else ()):
            found = f"<{told[run]}> in it tells of <{run}>, a run of somebody else"
            raise ConflictError(asked, found, "nothing was stored; find out which one is right")
        return
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


def insert(store: Store, admitted: Admitted, new: Iterable[str], tell: Tell = quiet) -> None:
    """Insert whole objects, what tells about others after them.

    Each is settled: where another process has stored it meanwhile it must say the same.

    Raises:
        ConflictError: it does not.
        ResourceError: the store could not write.
    """

    def last(iri: str) -> bool:
        return any(name in (GENERATED, OF_RUN) for name, _ in admitted.objects[iri])

    ordered = sorted(new, key=lambda iri: (last(iri), iri))
    lines: list[str] = []
    subjects: list[str] = []
    size = 0
    for number, iri in enumerate(ordered, 1):
        subjects.append(iri)
        for predicate, term in admitted.objects[iri]:
            lines.append(f"<{iri}> <{predicate}> {term} .\n")
            size += len(lines[-1])
        if size >= BATCH or number == len(ordered):
            store.insert("".join(lines).encode(), durable=False, settled=subjects)
            tell(f"{number:,} of {len(ordered):,} objects")
            lines, subjects, size = [], [], 0
    store.flush()
