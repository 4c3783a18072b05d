"""Literals have one spelling: in each store, in queries and in answers."""

import struct

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.triplestore.helpers import XSD
from triplestore import InputError, Store, Table
from triplestore.quads import parse_quads
from triplestore.remote.canonical import canonical, canonical_forms, for_blazegraph, spelt

floats32 = st.floats(width=32)


def stored(term: ox.Literal) -> ox.Literal:
    """The literal as a folder keeps it."""
    return canonical_forms([term]).get(term, term)


def literal(text: str, kind: str) -> ox.Literal:
    return ox.Literal(text, datatype=ox.NamedNode(XSD + kind))


@given(st.floats(), st.sampled_from([repr, "{:.17E}".format, "{:.0f}".format]))
def test_a_number_of_an_answer_is_spelt_as_a_folder_spells_it(number: float, write):
    text = write(number).replace("inf", "Infinity").replace("INF", "INF").replace("nan", "NaN")
    text = text.replace("NAN", "NaN").replace("-NaN", "NaN")
    own = literal(text, "double")
    given_ = literal(text.replace("Infinity", "INF"), "double")
    assert canonical(own) == stored(given_)


@given(floats32)
@example(131072.625)
def test_so_is_one_of_32_bits(number: float):
    text = repr(number).replace("inf", "INF").replace("nan", "NaN")
    found = canonical(literal(text, "float"))
    assert found == stored(literal(text, "float"))
    assert isinstance(found, ox.Literal)
    back = float(found.value)
    assert struct.pack("<f", back) == struct.pack("<f", number) or number != number


@given(
    st.decimals(
        allow_nan=False, allow_infinity=False, places=6, min_value=-(10**9), max_value=10**9
    )
)
def test_so_is_a_decimal(number):
    text = f"{number:f}"
    assert canonical(literal(text, "decimal")) == stored(literal(text, "decimal"))


@pytest.mark.parametrize("text", [" 7 ", "abc", "", "1e5x", "0x10", "nan"])
def test_what_is_no_number_stays_as_it_is(text: str):
    for kind in ("double", "float", "decimal", "integer"):
        assert canonical(literal(text, kind)) == literal(text, kind)


P = f"PREFIX xsd: <{XSD}> "


@pytest.mark.parametrize(
    ("given_", "java", "folder"),
    [
        ('"300.0"^^xsd:double', '"300"^^D', '"300"^^D'),
        (
            "'1E21' ^^ # why\n xsd:double",
            '"1000000000000000000000"^^D',
            '"1000000000000000000000"^^D',
        ),
        (f'"INF"^^<{XSD}double>', '"Infinity"^^D', '"INF"^^D'),
        ('"-INF"^^xsd:float', '"-Infinity"^^F', '"-INF"^^F'),
        ('"INF"^^xsd:string', '"INF"', '"INF"'),
        ('"INF"', '"INF"', '"INF"'),
        ('"""1"""^^xsd:boolean', '"true"^^B', '"true"^^B'),
        ('"x"@EN', '"x"@en', '"x"@en'),
        ('"INF"^^<http://x/double>', '"INF"^^<http://x/double>', '"INF"^^<http://x/double>'),
    ],
)
def test_a_query_is_spelt_as_is_stored(given_: str, java: str, folder: str):
    def whole(text: str) -> str:
        for short, name in (("^^D", "double"), ("^^F", "float"), ("^^B", "boolean")):
            text = text.replace(short, f"^^<{XSD}{name}>")
        return P + f"SELECT * {{ ?s ?p {text} . FILTER(?p != {text}) }} # end"

    assert spelt(whole(given_), java=True) == whole(java)
    assert spelt(whole(given_), java=False) == whole(folder)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("abc", "integer"),
        ("1.5", "integer"),
        ("5d", "double"),
        ("0x1p3", "double"),
        (" 7 ", "double"),
        ("300", "byte"),
        ("18446744073709551616", "unsignedLong"),
        ("-1", "nonNegativeInteger"),
        ("TRUE", "boolean"),
        ("1e5", "decimal"),
        ("9" * 40, "long"),
        ("-" + "9" * 40, "nonNegativeInteger"),
    ],
)
def test_blazegraph_is_given_no_literal_of_which_it_would_make_another(text: str, kind: str):
    quads = parse_quads(f'<urn:a> <urn:b> "{text}"^^<{XSD}{kind}> .\n'.encode())
    with pytest.raises(InputError, match="no value of that type"):
        for_blazegraph(quads)
    good = parse_quads(f'<urn:a> <urn:b> "{"9" * 5000}"^^<{XSD}integer> .\n'.encode())
    assert for_blazegraph(good) == good


NUMBERS = [
    ("300", "double"),
    ("1E21", "double"),
    ("INF", "double"),
    ("-INF", "float"),
    ("0.1", "float"),
    ("1.10", "decimal"),
    ("007", "integer"),
    ("1", "boolean"),
    ("255", "unsignedByte"),
    ("2026-01-01T00:00:00.10Z", "dateTime"),
]


def test_numbers_and_times_are_found_by_whichever_spelling_and_by_what_is_computed(store: Store):
    store.insert(
        "".join(
            f'<urn:{n}> <urn:p> "{t}"^^<{XSD}{k}> .\n' for n, (t, k) in enumerate(NUMBERS)
        ).encode()
    )

    def subjects(pattern: str) -> list[str]:
        table = store.query(P + f"SELECT ?s {{ {pattern} }} ORDER BY ?s")
        assert isinstance(table, Table)
        return [str(row[0]) for row in table.rows]

    for n, (text, kind) in enumerate(NUMBERS):
        assert subjects(f'?s <urn:p> "{text}"^^xsd:{kind}') == [f"<urn:{n}>"]
    for computed in ("150e0 * 2", "COALESCE(?nothing, 300e0)", "IF(true, 3e2, 0)"):
        assert subjects(f"BIND({computed} AS ?v) ?s <urn:p> ?v") == ["<urn:0>"]
    assert subjects("VALUES ?v { 3.0e2 8 } ?s <urn:p> ?v") == ["<urn:0>"]
    assert subjects("?s <urn:p> ?v MINUS { ?s <urn:p> 300.0e0 } FILTER(?v = 300)") == []
    assert "<urn:2>" in subjects("?s <urn:p> ?v FILTER(?v > 100)")
    answer = store.query("CONSTRUCT { ?s <urn:q> ?o } { ?s <urn:p> ?o }")
    table = store.query("SELECT ?o { ?s <urn:p> ?o }")
    assert isinstance(answer, list)
    assert isinstance(table, Table)
    wanted = {stored(literal(text, kind)) for text, kind in NUMBERS}
    assert {triple.object for triple in answer} == wanted
    assert {row[0] for row in table.rows} == wanted
