"""What is wrong in the store is told; what is asked for is found, whatever it looks like."""

import base64
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ogm import GraphModel, KnowledgeGraph, Link
from ogm.terms import ORDER_DATATYPE, RDF_TYPE, SCHEMA_VERSION, XSD
from tests.ogm import samples
from tests.ogm.samples import VOCAB, Arrays, Chain, Colour, Leaf, Level, Measured
from triplestore import NotFoundError, RecordError, Store, open_store


class Row(GraphModel, vocab=VOCAB):
    name: str
    number: int = 0
    real: float = 0.0
    flag: bool = False
    at: datetime | None = None
    colour: Colour = Colour.RED
    level: Level = Level.LOW
    tags: tuple[str, ...] = ()
    bag: frozenset[int] = frozenset()
    leaf: Leaf | None = None
    link: Link[Leaf] | None = None


P = VOCAB.iri


def insert(kg: KnowledgeGraph, *lines: str, iri: str = "urn:bad", cls: str = "Row") -> None:
    head = f"<{iri}> <{RDF_TYPE}> <{P}{cls}> .\n"
    kg.store.insert((head + "".join(f"<{iri}> {line} .\n" for line in lines)).encode())


NAME = f'<{P}name> "n"'


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ([f'<{P}number> "1.5"^^<{XSD}decimal>'], ["number", "1.5"]),
        ([f'<{P}real> "abc"^^<{XSD}double>'], ["real", "abc"]),
        ([f'<{P}flag> "banana"^^<{XSD}boolean>'], ["flag", "banana"]),
        ([f'<{P}at> "yesterday"^^<{XSD}dateTime>'], ["at", "yesterday"]),
        ([f'<{P}colour> "mauve"'], ["colour", "mauve"]),
        ([f'<{P}level> "3"'], ["level", "3"]),
        ([f'<{P}tags> "a"@en'], ["tags", '"a"@en']),
        ([f"<{P}number> <urn:x>"], ["number", "urn:x"]),
        ([f'<{P}leaf> "text"'], ["leaf", "text"]),
        ([f"<{P}link> _:b"], ["link", "_:b"]),
        ([f'<{P}number> "1"', f'<{P}number> "2"'], ["number", '"1"', '"2"']),
        ([f'<{P}tags> "a"', f'<{P}tags> "b"'], ["tags", "no order", '"a"']),
        ([f'<{P}tags> "a"', f'<{P}tags> "5"^^<{ORDER_DATATYPE}>'], ["tags"]),
        ([f'<{P}tags> "a"', f'<{P}tags> "[["^^<{ORDER_DATATYPE}>'], ["tags"]),
        ([f'<{P}tags> "a"', f'<{P}tags> "[]"^^<{ORDER_DATATYPE}>'], ["tags", '"a"']),
        (
            [f'<{P}bag> "[]"^^<{ORDER_DATATYPE}>', f'<{P}bag> "[1]"^^<{ORDER_DATATYPE}>'],
            ["bag", "orders"],
        ),
    ],
)
def test_a_bad_value_is_named(kg: KnowledgeGraph, lines: list[str], shown: list[str]) -> None:
    insert(kg, NAME, *lines)
    good = Row(name="good")
    kg.push(good)
    fresh = KnowledgeGraph(kg.store)
    with pytest.raises(RecordError) as caught:
        fresh.pull(Row, "urn:bad")
    for text in ("urn:bad", P + shown[0], *shown):
        assert text in str(caught.value)
    assert fresh.pull(Row, good.iri) == good


def test_what_is_missing_and_what_a_class_refuses(kg: KnowledgeGraph) -> None:
    insert(kg)
    with pytest.raises(RecordError, match=rf"urn:bad.*<{P}name>.*nothing is stored"):
        kg.pull(Row, "urn:bad")
    insert(kg, f'<{P}f8> "not an array"', iri="urn:array", cls="Arrays")
    with pytest.raises(RecordError, match=rf"urn:array.*<{P}f8>.*not an array"):
        kg.pull(samples.Arrays, "urn:array")
    insert(kg, f'<{P}f8> "<f8 1 sha256:../../etc/passwd"', iri="urn:path", cls="Arrays")
    with pytest.raises(RecordError, match="urn:path"):
        kg.pull(samples.Arrays, "urn:path")
    insert(kg, NAME, f"<{P}leaf> <urn:gone>", iri="urn:dangling")
    with pytest.raises(NotFoundError, match="urn:gone"):
        kg.pull(Row, "urn:dangling")


def test_missing_and_wrong_class_poison_nothing(kg: KnowledgeGraph) -> None:
    for _ in range(2):
        with pytest.raises(NotFoundError, match="urn:later"):
            kg.pull(Measured, "urn:later")
    result = Measured(value=1.0).identified("urn:later")
    KnowledgeGraph(kg.store).push(result)
    with pytest.raises(RecordError, match=r"urn:later.*a Leaf.*Measured"):
        kg.pull(Leaf, "urn:later")
    assert kg.pull(Measured, "urn:later") == result
    with pytest.raises(RecordError, match=r"a Leaf.*Measured"):
        kg.pull(Leaf, "urn:later")


def test_circles_and_newer_schemas(kg: KnowledgeGraph) -> None:
    one = f'<{P}index> "1"^^<{XSD}integer>'
    insert(kg, one, f"<{P}next> <urn:b>", iri="urn:a", cls="Chain")
    insert(kg, one, f"<{P}next> <urn:a>", iri="urn:b", cls="Chain")
    insert(kg, one, f"<{P}next> <urn:self>", iri="urn:self", cls="Chain")
    for iri in ("urn:a", "urn:self"):
        with pytest.raises(RecordError, match="holds itself"):
            kg.pull(Chain, iri)
    for version in ("2", "new"):
        iri = f"urn:{version}"
        insert(kg, NAME, f'<{SCHEMA_VERSION}> "{version}"', iri=iri)
        with pytest.raises(RecordError, match=f"{iri}.*schema {version} of Row.*knows 1.*update"):
            kg.pull(Row, iri)


@pytest.mark.parametrize(
    "iri", ["urn:x> ?p ?o } #", "a b", "urn:{x}", "", "x", "urn:\n", "urn:\\u003e", 'urn:"']
)
def test_hostile_iris_are_no_queries(kg: KnowledgeGraph, iri: str) -> None:
    kg.push(Leaf(name="there"))
    with pytest.raises(NotFoundError, match="not an IRI"):
        kg.pull(Leaf, iri)


HOSTILE = [
    "",
    '"',
    "'''",
    '" . ?s ?p ?o } #',
    "a\nb\r",
    "\\",
    "\\u0022",
    "\x00",
    "é\U0001f600",
    "?s",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_find_by_text(store: Store, text: str) -> None:
    kg = KnowledgeGraph(store)
    wanted = Row(name=text, tags=("first", text))
    kg.push(wanted, *[Row(name=other, number=1) for other in HOSTILE if other != text])
    assert kg.find(Row, name=text) == [wanted]
    assert kg.find(Row, tags=text) == [wanted]
    assert kg.find(Row, name=text, number=1) == []


def test_find_by_every_kind(store: Store) -> None:
    kg = KnowledgeGraph(store)
    moment = datetime(2026, 1, 2, 3, 4, 5, 600_000, timezone(timedelta(hours=5.5)))
    leaf, other = Leaf(name="leaf"), Leaf(name="other")
    row = Row(
        name="it",
        number=2**80,
        real=0.1,
        flag=True,
        at=moment,
        colour=Colour.ODD,
        level=Level.HIGH,
        bag=frozenset({1, 2}),
        leaf=leaf,
        link=Link(other),
    )
    kg.push(row, Row(name="else", at=moment + timedelta(microseconds=1), leaf=other))
    queries: list[dict[str, Any]] = [
        {"number": 2**80},
        {"real": 0.1},
        {"flag": True},
        {"at": moment},
        {"at": moment.astimezone(UTC)},
        {"colour": Colour.ODD},
        {"level": Level.HIGH},
        {"bag": 2},
        {"leaf": leaf},
        {"leaf": Link[Leaf](leaf)},
        {"link": other},
        {"link": Link[Leaf](other)},
        {"name": "it", "number": 2**80, "real": 0.1},
    ]
    for query in queries:
        assert KnowledgeGraph(store).find(Row, **query) == [row], query


@pytest.mark.parametrize(
    "query",
    [
        {"nothing": 1},
        {"number": "1"},
        {"number": 1.5},
        {"real": "x"},
        {"leaf": "urn:x> "},
        {"at": "2026"},
        {"name": None},
        {"colour": "red"},
    ],
)
def test_find_refuses_what_cannot_be_meant(kg: KnowledgeGraph, query: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        kg.find(Row, **query)


def test_find_by_conditions_on_a_part(kg: KnowledgeGraph) -> None:
    three = Chain(index=3, next=Chain(index=2, next=Chain(index=1)))
    other = Chain(index=3, next=Chain(index=7, next=Chain(index=1)))
    kg.push(three, other)
    assert kg.find(Chain, next={"index": 2}) == [three]
    assert kg.find(Chain, index=3, next={"index": 7, "next": {"index": 1}}) == [other]
    assert kg.find(Chain, next={"index": 3}) == []
    with pytest.raises(TypeError, match="no field 'colour'"):
        kg.find(Chain, next={"colour": 1})


def test_find_by_array_or_nameless_result(kg: KnowledgeGraph) -> None:
    with pytest.raises(TypeError, match="f8"):
        kg.find(samples.Arrays, f8=[1.0])
    with pytest.raises(RecordError, match="no IRI"):
        kg.find(Row, link=Measured(value=1.0))


@settings(max_examples=80)
@given(samples.texts, samples.numbers, samples.reals, samples.moments, st.booleans())
def test_whatever_was_pushed_is_found(
    name: str, number: int, real: float, at: datetime, flag: bool
) -> None:
    kg = KnowledgeGraph(open_store("memory:"))
    row = Row(name=name, number=number, real=real, at=at, flag=flag)
    kg.push(row, Row(name=name + "x", number=number + 1))
    queries: list[dict[str, Any]] = [
        {"name": name},
        {"number": number},
        {"real": real, "name": name},
        {"at": at},
    ]
    for query in queries:
        assert kg.find(Row, **query) == [row], query


def test_an_answer_that_was_cut_is_asked_in_parts(
    kg: KnowledgeGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [Row(name=str(n)) for n in range(20)]
    kg.push(*rows)
    whole = kg.store.query
    monkeypatch.setattr(
        kg.store, "query", lambda q, **options: whole(q, max_rows=40 if "VALUES ?s" in q else None)
    )
    found = KnowledgeGraph(kg.store).pull_all(Row, [row.iri for row in rows])
    assert found == rows


def tampered(store: Store, model: Any, old: str, new: str) -> str:
    """Store an object as somebody would who has edited a dump."""
    with open_store("memory:") as memory:
        KnowledgeGraph(memory).push(model)
        text = b"".join(memory.dump()).decode()
    assert old in text
    store.insert(text.replace(old, new).encode())
    return model.iri


def test_a_value_of_another_content_than_its_name_says_is_told_on_reading(store: Store) -> None:
    leaf, arrays = Leaf(name="altered", size=3), Arrays(f8=[1.0, 2.0])
    whole = samples.Everything(
        text="t",
        number=1,
        real=1.0,
        flag=True,
        moment=datetime.now(UTC),
        colour=Colour.RED,
        level=Level.LOW,
        word="one",
        leaf=leaf,
        link=Link(leaf),
    )
    tampered(store, whole, '"altered"', '"changed"')
    other = base64.b64encode(np.array([1.0, 3.0]).tobytes()).decode()
    mine = base64.b64encode(np.array([1.0, 2.0]).tobytes()).decode()
    tampered(store, arrays, mine, other)
    kg = KnowledgeGraph(store)
    for ask in (
        lambda: kg.pull(Leaf, leaf.iri),
        lambda: kg.pull_all(Leaf, [leaf.iri]),
        lambda: kg.find(Leaf, name="changed"),
        lambda: list(kg.stream(Leaf)),
        lambda: kg.pull(samples.Everything, whole.iri),
        lambda: kg.pull(samples.Everything, whole.iri, depth=-1),
        lambda: Link[Leaf](leaf.iri).load(kg),
    ):
        with pytest.raises(RecordError, match="altered") as caught:
            ask()
        assert leaf.iri in str(caught.value)
        assert Leaf(name="changed", size=3).iri in str(caught.value)
        assert kg.known(leaf.iri) is None
    with pytest.raises(RecordError, match=Arrays(f8=[1.0, 3.0]).iri):
        kg.pull(Arrays, arrays.iri)


@given(samples.everything)
def test_what_was_pushed_is_read_under_its_own_name(model: Any) -> None:
    with open_store("memory:") as memory:
        KnowledgeGraph(memory).push(model)
        assert KnowledgeGraph(memory).pull(type(model), model.iri) == model
