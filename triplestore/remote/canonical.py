"""How literals are spelt: by one form of each value, whichever store keeps it.

A folder writes `300.0` as a double as `300`, and that form is the one that is stored and compared.
A server that compares terms by their text must be given it in queries too. Blazegraph, which keeps
numbers in binary, gives them back as Java writes them, knows infinity by Java's name alone, and
makes another number of a text that is none.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import Any

import pyoxigraph as ox

from triplestore.errors import InputError, QueryError
from triplestore.guard.lexer import tokens
from triplestore.store import Term

XSD = "http://www.w3.org/2001/XMLSchema#"
DOUBLE, FLOAT, DECIMAL = XSD + "double", XSD + "float", XSD + "decimal"
_FLOATING = (DOUBLE, FLOAT)
_READ_AGAIN = {*_FLOATING, DECIMAL}
_JAVA = {"INF": "Infinity", "-INF": "-Infinity", "-0": "0"}  # which knows no sign of zero

_REAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")
_EXPONENT = re.compile(_REAL.pattern + r"([eE][+-]?[0-9]+)?|-?INF|NaN")
_INTEGER = re.compile(r"[+-]?[0-9]+")
_TRUTH = re.compile(r"true|false|0|1")
_FORMS: dict[str, re.Pattern[str]] = {
    DOUBLE: _EXPONENT,
    FLOAT: _EXPONENT,
    DECIMAL: _REAL,
    XSD + "boolean": _TRUTH,
}
_RANGES: dict[str, tuple[float, float]] = {
    XSD + "integer": (-float("inf"), float("inf")),
    XSD + "nonNegativeInteger": (0, float("inf")),
    XSD + "positiveInteger": (1, float("inf")),
    XSD + "nonPositiveInteger": (-float("inf"), 0),
    XSD + "negativeInteger": (-float("inf"), -1),
}
for _name, _bits in {"byte": 8, "short": 16, "int": 32, "long": 64}.items():
    _RANGES[XSD + _name] = (-(2 ** (_bits - 1)), 2 ** (_bits - 1) - 1)
    _RANGES[XSD + "unsigned" + _name.capitalize()] = (0, 2**_bits - 1)


def canonical_quads(quads: list[ox.Quad]) -> list[ox.Quad]:
    """Return quads with their terms as a folder keeps them: `1.0` as a double is `1`.

    A server that keeps what it is given would otherwise hold one number in two spellings, its own
    and that of a backup from another store.
    """
    return _respelt(quads, canonical_forms(_literals(quads)))


def canonical_forms(literals: Iterable[ox.Literal]) -> dict[ox.Literal, ox.Literal]:
    """Return the form in which a folder keeps each literal, of those that it writes otherwise."""
    scratch, predicate = ox.Store(), ox.NamedNode("urn:p")
    names = {ox.NamedNode(f"urn:{number}"): term for number, term in enumerate(literals)}
    scratch.extend(ox.Quad(name, predicate, term) for name, term in names.items())
    found: dict[ox.Literal, ox.Literal] = {}
    for quad in scratch:
        assert isinstance(quad.subject, ox.NamedNode)
        assert isinstance(quad.object, ox.Literal)
        term = names[quad.subject]
        if quad.object != term:
            found[term] = quad.object
    return found


def for_blazegraph(quads: list[ox.Quad]) -> list[ox.Quad]:
    """Return canonical quads with infinity by its name in Java, and zero without a sign.

    Raises:
        InputError: a literal is no value of its datatype; Blazegraph would make one of it.
    """
    forms: dict[ox.Literal, ox.Literal] = {}
    for term in _literals(quads):
        datatype, text = term.datatype.value, term.value
        if not _is_valid(text, datatype):
            raise InputError(
                f"store {str(term)[:200]} in Blazegraph",
                f"{text[:80]!r} is no value of that type",
                "give it another datatype, or mend it",
            )
        if datatype in _FLOATING and text in _JAVA:
            forms[term] = ox.Literal(_JAVA[text], datatype=term.datatype)
    return _respelt(quads, forms)


def spelt(sparql: str, *, java: bool) -> str:
    """Return a query whose literals have the forms in which they are stored.

    Args:
        sparql: the query.
        java: infinity is stored by its name in Java.
    """
    if "^^" not in sparql and "@" not in sparql:
        return sparql
    try:
        words = list(tokens(sparql, {}, own=True))
    except QueryError:
        return sparql  # whoever parses it says better what is wrong
    prefixes: dict[str, str] = {}
    pieces: list[str] = []
    end = 0
    for number, token in enumerate(words):
        before = words[number - 2 : number] if number > 1 else []
        start, text = token.start, ""
        match (
            token.kind,
            [one.text if one.kind in ("word", "mark") else one.kind for one in before],
        ):
            case "iri", ["PREFIX", "name"]:
                prefixes[before[1].text.removesuffix(":")] = token.text[1:-1]
            case (("iri" | "name"), ["string", "^^"]):
                datatype = _named(token.text, prefixes)
                start, text = before[0].start, _spelt(before[0].text, datatype, java)
            case "tag", [*_, "string"]:
                text = token.text.lower()
            case _:
                pass
        if text:
            pieces += sparql[end:start], text
            end = token.start + len(token.text)
    return "".join(pieces) + sparql[end:]


def canonical(term: Any) -> Term | None:
    """Return a term of an answer as a folder writes it."""
    if isinstance(term, ox.Literal) and (datatype := term.datatype.value) in _READ_AGAIN:
        text = _plain(term.value, datatype)
        if text != term.value:
            return ox.Literal(text, datatype=term.datatype)
    return term


def _plain(text: str, datatype: str) -> str:
    """Write a number, as Java or anyone else writes it, in digits without an exponent."""
    if datatype in _FLOATING and text.endswith("Infinity"):
        return text.replace("Infinity", "INF")
    if not (_EXPONENT if datatype in _FLOATING else _REAL).fullmatch(text) or text[-1] in "FN":
        return text
    digits = text
    if datatype == DOUBLE:
        digits = repr(float(text))  # not every Java finds the shortest digits
    elif datatype == FLOAT:
        digits = _shortest(float(text))
    if "inf" in digits:
        return digits.replace("inf", "INF")
    digits = format(Decimal(digits), "f")
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return "0" if digits == "-0" and datatype == DECIMAL else digits


def _shortest(value: float) -> str:
    """Return the fewest digits that name a number of 32 bits."""
    try:
        packed = struct.pack("<f", value)
    except OverflowError:
        return repr(float("inf") if value > 0 else float("-inf"))
    exact = Decimal(value)
    # Halves go up, as Oxigraph rounds: 131072.625 is written 131072.63.
    shorter = (Context(prec=count, rounding=ROUND_HALF_UP) for count in range(1, 10))
    digits = (str(context.create_decimal(exact)) for context in shorter)
    return next(d for d in digits if struct.pack("<f", float(d)) == packed)


def _literals(quads: Iterable[ox.Quad]) -> set[ox.Literal]:
    return {quad.object for quad in quads if isinstance(quad.object, ox.Literal)}


def _respelt(quads: list[ox.Quad], forms: Mapping[ox.Literal, ox.Literal]) -> list[ox.Quad]:
    if not forms:
        return quads
    changed: list[ox.Quad] = []
    for quad in quads:
        form = forms.get(quad.object) if isinstance(quad.object, ox.Literal) else None
        changed.append(
            quad if form is None else ox.Quad(quad.subject, quad.predicate, form, quad.graph_name)
        )
    return changed


def _is_valid(text: str, datatype: str) -> bool:
    if form := _FORMS.get(datatype):
        return form.fullmatch(text) is not None
    if bounds := _RANGES.get(datatype):
        if _INTEGER.fullmatch(text) is None:
            return False
        # Its length before its value: Python reads at most 4,300 digits.
        if len(text) > 30:
            return (-float("inf") if text.startswith("-") else float("inf")) in bounds
        return bounds[0] <= int(text) <= bounds[1]
    return True


def _named(text: str, prefixes: Mapping[str, str]) -> str:
    if text.startswith("<"):
        return text[1:-1]
    prefix, _, local = text.partition(":")
    return prefixes.get(prefix, "") + local


@lru_cache(2048)
def _spelt(quoted: str, datatype: str, java: bool) -> str:
    """Return a typed literal of a query in the form in which it is stored; empty: as it is."""
    quote = quoted[:3] if quoted[:3] in ('"""', "'''") else quoted[:1]
    text = quoted[len(quote) : -len(quote)]
    if "\\" in text or not datatype.startswith(XSD):
        return ""
    term = ox.Literal(text, datatype=ox.NamedNode(datatype))
    term = canonical_forms([term]).get(term, term)
    if java and datatype in _FLOATING and term.value in _JAVA:
        term = ox.Literal(_JAVA[term.value], datatype=term.datatype)
    return str(term)
