"""Single values to RDF terms and back: one writer and one reader for each kind of field."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, TypeAlias, cast

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from triplestore.errors import RecordError

from .terms import XSD

Term: TypeAlias = NamedNode | Literal | BlankNode | Triple
Writer: TypeAlias = Callable[[Any], str]
"""Writes a value in N-Triples, which is also SPARQL."""
Reader: TypeAlias = Callable[[Literal], Any]
"""Reads a literal; raises `ValueError`."""

_SPECIAL = re.compile(r'["\\\n\r\t\b\f]')
_ESCAPES = (
    ("\\", "\\\\"),
    ('"', '\\"'),
    ("\n", "\\n"),
    ("\r", "\\r"),
    ("\t", "\\t"),
    ("\b", "\\b"),
    ("\f", "\\f"),
)
"""The backslash first: the others bring their own."""
_INTEGER = f'"^^<{XSD}integer>'
_DOUBLE = f'"^^<{XSD}double>'
_BOOLEAN = {True: f'"true"^^<{XSD}boolean>', False: f'"false"^^<{XSD}boolean>'}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}


def literal(value: str, datatype: str | None = None) -> str:
    """Write a literal in N-Triples.

    Raises:
        RecordError: lone surrogates.
    """
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise RecordError(
                "a text cannot be stored", f"it is not valid Unicode: {error}"
            ) from error
    if _SPECIAL.search(value):
        for character, written in _ESCAPES:  # ten times quicker than str.translate
            value = value.replace(character, written)
    return f'"{value}"' if datatype is None else f'"{value}"^^<{datatype}>'


def double(value: float) -> str:
    """Write a float so that it reads back to the same bits (−0.0 as 0.0)."""
    value = float(value) + 0.0
    if value - value == 0.0:
        return f'"{value!r}{_DOUBLE}'
    return f'"{"NaN" if value != value else "INF" if value > 0 else "-INF"}{_DOUBLE}'


def integer(value: int) -> str:
    """Write an integer.

    Raises:
        RecordError: beyond 4,300 digits.
    """
    try:
        return f'"{int(value)}{_INTEGER}'
    except ValueError as error:
        raise RecordError("an integer cannot be stored", str(error)) from error


def moment(value: datetime) -> str:
    """Write a time in UTC: the instant is kept to the microsecond, its offset is not.

    Raises:
        RecordError: it has no offset, or its instant in UTC is no date.
    """
    try:
        if value.utcoffset() is None:
            raise ValueError("it has no offset from UTC")
        text = value.astimezone(UTC).replace(tzinfo=None).isoformat()
    except (ValueError, OverflowError) as error:
        raise RecordError(f"the time {value} cannot be stored", str(error)) from error
    canonical = (text.rstrip("0") if "." in text else text) + "Z"  # as XSD writes it
    return literal(canonical, XSD + "dateTime")


def named(value: Any) -> str:
    """Write the IRI of an object or a link."""
    return f"<{value.iri}>"


def writer(kind: str, target: type[Any]) -> Writer:
    """Return what writes the values of a field."""
    if kind == "enum":
        members = cast("type[enum.Enum]", target)
        written = {member: literal(str(member.value)) for member in members}
        return written.__getitem__
    return _WRITERS[kind]


def reader(kind: str, target: type[Any]) -> Reader:
    """Return what reads the literals of a field."""
    if kind == "enum":
        members = {str(m.value): m for m in cast("type[enum.Enum]", target)}

        def member(term: Literal) -> Any:
            if term.value not in members:
                raise ValueError(f"{term} is no {target.__name__}")
            return members[term.value]

        return member
    return _READERS[kind]


def _truth(term: Literal) -> bool:
    if term.value not in _TRUTH:
        raise ValueError(f"{term} is neither true nor false")
    return _TRUTH[term.value]


def _text(term: Literal) -> str:
    if term.datatype.value != XSD + "string":
        raise ValueError(f"{term} is no plain text")
    return term.value


def _unwritten(value: Any) -> str:
    raise AssertionError(f"arrays are written by their own branch, not {value!r}")


_WRITERS: dict[str, Writer] = {
    "str": literal,
    "int": integer,
    "float": double,
    "bool": lambda value: _BOOLEAN[bool(value)],
    "datetime": moment,
    "link": named,
    "model": named,
    "array": _unwritten,
}
_READERS: dict[str, Reader] = {
    "str": _text,
    "int": lambda term: int(term.value),
    "float": lambda term: float(term.value),
    "bool": _truth,
    "datetime": lambda term: datetime.fromisoformat(term.value),
    "link": _text,
    "model": _text,
    "array": _text,
}
