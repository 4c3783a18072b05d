"""Every kind of store keeps the same values and answers the same searches, as Python would."""

import itertools
import math
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime

from ogm import GraphModel, KnowledgeGraph, above, below, between, containing, one_of
from ogm.terms import RDF_TYPE, XSD
from tests.ogm import samples
from tests.ogm.samples import VOCAB
from triplestore import ConflictError, Store

HERE = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
INF, NAN = math.inf, math.nan
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

# What looks alike, or has no width: one letter to a collation, and different texts.
ALIKE = [
    "é", "e\u0301", "Ω", "\u2126", "Å", "A\u030a", "\u212b", "ﬁ", "fi", "ﬃ", "①", "1", "²", "2",
    "a", "a\u200b", "a\u200d", "\ufeffa", "a\u00ad", "a\u2060", "a\x00", "\x00", "", "A", "ａ", "ß",
    "ss", "\u00a0", " ", "\u3000", "가", "\u1100\u1161", "ｶﾞ", "ガ", "カ\u3099", "\U0001d538", "ñ",
    "n\u0303", "\ud7a3\u11a8", "I", "ı", "İ", "i\u0307", "ς", "σ", "'", '"', "\\", "\r", "\n",
    "\r\n",
]  # fmt: skip
REALS = [0.0, -0.0, 1.0, 300.0, 1e21, 1e-7, 0.1, 2.0**-44, 5e-324, sys.float_info.max, INF, -INF,
         NAN, 2.0**53, 123456789.0, -76.4123]  # fmt: skip

texts = st.sampled_from(ALIKE) | samples.texts
reals = st.sampled_from(REALS) | st.floats()
whole = st.integers(-5, 5) | st.integers() | st.sampled_from([2**63 - 1, 2**63, -(2**63) - 1])
numbers = whole | st.integers(-(10**60), 10**60)


class Plain(GraphModel, vocab=VOCAB):
    batch: int
    text: str
    real: float
    number: int
    flag: bool
    moment: AwareDatetime


class Preset(GraphModel, vocab=VOCAB):
    batch: int
    text: str = "Ångström"
    real: float = 300.0
    number: int = 7
    flag: bool = True
    moment: AwareDatetime = NOON
    reals: tuple[float, ...] = (1.0, INF)


filled: dict[str, st.SearchStrategy[Any]] = {
    "text": texts,
    "real": reals,
    "number": numbers,
    "flag": st.booleans(),
    "moment": samples.moments,
}
_batches = itertools.count(1)


def same(one: Any, other: Any) -> bool:
    return one == other or (one != one and other != other)


def by_units(text: str) -> bytes:
    """A text as Java compares it: a letter beyond U+FFFF is two units, before those of U+E000."""
    return text.encode("utf-16-be", "surrogatepass")


class Case:
    """A condition as it is asked, and what Python says of a value.

    Args:
        name: of the field.
        asked: the condition.
        holds: what Python says of a value.
        bounds: texts with which texts are compared by order.
    """

    def __init__(
        self, name: str, asked: Any, holds: Callable[[Any], bool], bounds: tuple[str, ...] = ()
    ) -> None:
        self.name, self.asked, self.holds, self.bounds = name, asked, holds, bounds

    def __repr__(self) -> str:
        return f"{self.name}: {self.asked}"

    def decided(self, store: Store, value: Any) -> bool:
        """Whether the order in which the store has two texts is that of Python (docs/stores.md)."""
        return "blazegraph" not in repr(store) or all(
            (value < one) == (by_units(value) < by_units(one)) for one in self.bounds
        )


def cases(name: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[Case]:
    """Conditions of every kind on a field."""

    def make(one: Any, two: Any) -> st.SearchStrategy[Case]:
        found = [
            Case(name, one, lambda v: same(v, one)),
            Case(name, one_of(one, two), lambda v: same(v, one) or same(v, two)),
            Case(name, one_of(), lambda v: False),
        ]
        if name == "flag" or (name == "number" and max(abs(one), abs(two)) >= 2**63):
            pass  # refused
        else:
            bounds = (one, two) if name == "text" else ()
            found += [
                Case(name, above(one), lambda v: v > one, bounds),
                Case(name, below(one), lambda v: v < one, bounds),
                Case(name, between(one, two), lambda v: one <= v <= two, bounds),
            ]
        if name == "text":
            found.append(Case(name, containing(one), lambda v: one.lower() in v.lower()))
        return st.sampled_from(found)

    return st.tuples(values, values).flatmap(lambda pair: make(*pair))


searches = st.sampled_from(sorted(filled)).flatmap(lambda name: cases(name, filled[name]))


EVERY_ROW = [
    {"text": text, "real": real, "number": 1, "flag": True, "moment": NOON}
    for text, real in zip(ALIKE, REALS * 4, strict=False)
]
EQUAL = [Case("real", r, lambda v, r=r: same(v, r)) for r in REALS] + [
    Case("text", t, lambda v, t=t: v == t) for t in ALIKE
]
COMPARED = [
    case
    for r in REALS
    for case in (
        Case("real", above(r), lambda v, r=r: v > r),
        Case("real", below(r), lambda v, r=r: v < r),
        Case("real", between(r, INF), lambda v, r=r: r <= v <= INF),
    )
]
BESIDE_A_DEFAULT = [
    Case("real", 300.0, lambda v: v == 300),
    Case("real", above(4.0), lambda v: v > 4),
    Case("real", between(299, 301), lambda v: 299 <= v <= 301),
    Case("real", below(INF), lambda v: v < INF),
    Case("real", one_of(300.0, INF), lambda v: v in (300, INF)),
    Case("text", containing("ÅNG"), lambda v: "ång" in v.lower()),
]


@HERE
@given(st.lists(texts, unique=True, max_size=30), st.lists(reals, max_size=20), st.lists(numbers))
@example(ALIKE, REALS, [])
def test_texts_and_numbers_come_back_to_the_letter_and_bit(
    store: Store, words: list[str], values: list[float], integers: list[int]
):
    length = max(len(words), len(values), len(integers))
    objects = [
        Plain(
            batch=next(_batches),
            text=words[n] if n < len(words) else "",
            real=values[n] if n < len(values) else 0.0,
            number=integers[n] if n < len(integers) else 0,
            flag=n % 2 == 0,
            moment=NOON,
        )
        for n in range(length)
    ]
    KnowledgeGraph(store).push(*objects)
    back = KnowledgeGraph(store).pull_all(Plain, [one.iri for one in objects])
    assert back == objects
    assert [one.text for one in back] == [one.text for one in objects]


@HERE
@given(samples.everything)
def test_every_kind_of_field_comes_back(store: Store, model: samples.Everything):
    KnowledgeGraph(store).push(model)
    twin = KnowledgeGraph(store).pull(samples.Everything, model.iri)
    assert twin == model
    assert twin.iri == model.iri


@HERE
@given(
    st.lists(st.fixed_dictionaries(filled), max_size=6), st.lists(searches, min_size=1, max_size=5)
)
@example(EVERY_ROW, [*EQUAL, *COMPARED])
def test_a_search_finds_what_python_finds(
    store: Store, rows: list[dict[str, Any]], asked: list[Case]
):
    batch = next(_batches)
    objects = {one.iri: one for one in (Plain(batch=batch, **row) for row in rows)}
    kg = KnowledgeGraph(store)
    kg.push(*objects.values())
    for case in asked:
        found = {one.iri for one in kg.find(Plain, batch=batch, **{case.name: case.asked})}
        values = {iri: getattr(one, case.name) for iri, one in objects.items()}
        sure = {iri for iri, value in values.items() if case.decided(store, value)}
        wanted = {iri for iri, value in values.items() if case.holds(value)}
        assert found & sure == wanted & sure, case
        assert found <= objects.keys()


@HERE
@given(
    st.lists(st.fixed_dictionaries({}, optional=filled), max_size=6),
    st.lists(searches, min_size=1, max_size=5),
)
@example(
    [{"text": "\U00010000"}], [Case("text", above("\ue000"), lambda v: v > "\ue000", ("\ue000",))]
)
@example([{}, {"real": 300.5}, {"real": INF}, {"real": NAN}], BESIDE_A_DEFAULT)
def test_a_default_is_searched_as_if_it_were_written(
    store: Store, rows: list[dict[str, Any]], asked: list[Case]
):
    batch = next(_batches)
    objects = {one.iri: one for one in (Preset(batch=batch, **row) for row in rows)}
    kg = KnowledgeGraph(store)
    kg.push(*objects.values())
    bare = Preset(batch=-batch)  # as it was stored before the fields were there
    said = f'<{bare.iri}> <{VOCAB.iri}batch> "{bare.batch}"^^<{XSD}integer> .\n'
    store.insert(f"<{bare.iri}> <{RDF_TYPE}> <{Preset.term()}> .\n{said}".encode())
    objects[bare.iri] = bare
    for case in asked:
        condition: dict[str, Any] = {case.name: case.asked, "batch": one_of(batch, -batch)}
        found = {one.iri for one in kg.find(Preset, **condition)}
        values = {iri: getattr(one, case.name) for iri, one in objects.items()}
        sure = {iri for iri, value in values.items() if case.decided(store, value)}
        wanted = {iri for iri, value in values.items() if case.holds(value)}
        assert found & sure == wanted & sure, case
        assert found <= objects.keys()
    for least in (0.0, 2.0, INF):
        found = kg.find(Preset, reals=above(least), batch=-batch)
        assert [one.iri for one in found] == ([bare.iri] if least < INF else [])


@pytest.mark.parametrize(("one", "two"), [("é", "e\u0301"), ("Ω", "\u2126"), ("a", "a\u200b")])
def test_an_object_that_says_another_text_of_the_same_look_is_refused(
    store: Store, one: str, two: str
):
    class Titled(GraphModel, vocab=VOCAB, key=("name",)):
        name: str
        text: str

    KnowledgeGraph(store).push(Titled(name="n", text=one))
    with pytest.raises(ConflictError, match="text"):
        KnowledgeGraph(store).push(Titled(name="n", text=two))
    KnowledgeGraph(store).push(Titled(name="n", text=one))
    assert [named.text for named in KnowledgeGraph(store).find(Titled)] == [one]


def test_bounds_that_cannot_be_compared_are_refused(kg: KnowledgeGraph):
    refused: list[dict[str, Any]] = [
        {"number": above(2**63)},
        {"real": above(2**60)},
        {"real": 2**60 + 1},
        {"flag": above(False)},
    ]
    for bad in refused:
        with pytest.raises(TypeError):
            kg.find(Plain, **bad)
