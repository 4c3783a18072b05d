r"""The tokens of a SPARQL 1.1 query, in time linear in its text.

Engines read the same text differently: some decode `\u` escapes before anything else, some look for
the longest token, and Oxigraph tries one rule of the grammar after the other, so that it may read
`FILTER(?x<((1>` as an IRI or as nested parentheses. What can be read in two ways is refused here,
so that whoever counts these tokens has seen what every engine will see.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, NoReturn

from triplestore.errors import QueryError


class Token(NamedTuple):
    """One token.

    Args:
        kind: `iri`, `string`, `var`, `blank`, `tag`, `name`, `number`, `word` or `mark`.
        text: as written; a word in upper case.
        start: position in the query.
    """

    kind: str
    text: str
    start: int


# The parts of each repeat begin with different characters, so that giving up is linear too
# (possessive repeats would say so, but Python before 3.11.5 gets some of them wrong); a prefix is
# bounded because a word is read again. Numbers come before words: in `1SERVICE` the grammar sees
# both. A full stop ends a sentence unless something of the name follows it.
_TOKEN = re.compile(
    r"""
      (?P<space>   [ \t\r\n]+ )
    | (?P<comment> \#[^\r\n]* )
    | (?P<iri>     <[^<>"{}|^`\\\x00-\x20]*> )
    | (?P<long>    \"\"\" | ''' )
    | (?P<string>  "(?:[^"\\\r\n]|\\.)*" | '(?:[^'\\\r\n]|\\.)*' )
    | (?P<var>     [?$]\w+ )
    | (?P<blank>   _:\w(?:[\w\-\u00b7]|\.+(?=[\w\-\u00b7]))* )
    | (?P<tag>     @[A-Za-z]+(?:-[A-Za-z0-9]+)* )
    | (?P<name>    (?:[^\W\d_][\w\-\u00b7]{0,100})?:
                   (?:(?:[\w:]|%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?\#@%])
                      (?:[\w\-:\u00b7]|\.+(?=[\w\-:\u00b7%\\])|%[0-9A-Fa-f]{2}
                       |\\[_~.\-!$&'()*+,;=/?\#@%])*)? )
    | (?P<number>  [0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)? )
    | (?P<word>    [^\W\d]\w* )
    | (?P<mark>    << | >> | \{\| | \^\^ | && | \|\| | != | <= | >=
                   | [{}()\[\].;,=<>!+\-*/|^?] )
    """,
    re.VERBOSE | re.DOTALL,
)
_LONG = {
    '"""': re.compile(r'(?:[^"\\]|\\.|""?(?!"))*"""(?!")', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]|\\.|''?(?!'))*'''(?!')", re.DOTALL),
}
_ESCAPE = re.compile(r"\\u", re.IGNORECASE)
# The code points that an engine that decodes early would take for the end of the string.
_HOSTILE = re.compile(r"\\u00(22|27|5c|0a|0d)|\\U000000(22|27|5c|0a|0d)", re.IGNORECASE)
# What follows a backslash in a string; `\uu0022`, as Java reads it, is a quote to some.
_AFTER_BACKSLASH = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)", re.DOTALL)
_PLAIN = frozenset("tbnrf\"'\\")
_ABSOLUTE = re.compile(r"<([A-Za-z][A-Za-z0-9]*):")
_RELATIVE = re.compile(r"<(?:[A-Za-z_/][\w./-]*)?>")
_PREFIX = re.compile(r"(?!true|false)(?:[^\W\d_][\w-]*)?", re.IGNORECASE)
_STOPS = re.compile(r"\.+")
_LOCAL_ESCAPE = re.compile(r"\\(.)")
# Terms by which servers other than ours change how a query runs, search, or load code.
_MAGIC = re.compile(r"www\.bigdata\.com/|^java:", re.IGNORECASE)


def tokens(text: str, prefixes: Mapping[str, str], *, own: bool = False) -> Iterator[Token]:
    """Iterate over the tokens of a query, without spaces and comments.

    Args:
        text: the query.
        prefixes: those that are known beside the declared ones.
        own: the query is our own; its strings may hold any escape.

    Raises:
        QueryError: a character without meaning, or something that can be read in two ways.
    """
    known, prologue = dict(prefixes), True
    earlier = before = ""  # the two tokens before this one
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            fail(text, position, _unknown(text, position))
        kind, value, start = str(match.lastgroup), match[0], position
        position = match.end()
        if kind == "space":
            continue
        if kind == "comment":
            if escape := _ESCAPE.search(value):
                fail(text, start + escape.start(), "\\u escapes are allowed inside strings only")
            continue
        if kind == "long":
            rest = _LONG[value].match(text, position)
            if rest is None:
                fail(text, start, "a string is not closed, or followed by another quote")
            value, position, kind = value + rest[0], rest.end(), "string"
        if kind == "string" and not own:
            _check_string(text, start, value)
        if kind == "word":
            value = value.upper()
            prologue = prologue and value in ("PREFIX", "BASE")
            if value == "PREFIX" and not prologue:
                fail(text, start, "PREFIX stands only at the start of a query")
        elif kind == "mark":
            prologue = False
            if value in ("<<", ">>", "{|"):
                fail(text, start, f"{value} (a triple as a term) is not part of SPARQL 1.1")
        elif kind == "iri":
            if earlier == "PREFIX":
                known[before.removesuffix(":")] = value[1:-1]
            _check_iri(text, start, value, known)
        elif kind == "name" and before == "PREFIX":
            _check_prefix(text, start, value)
        elif kind == "name":
            _check_name(text, start, value, known)
        earlier, before = before, value
        yield Token(kind, value, start)


def fail(text: str, position: int, why: str, advice: str = "") -> NoReturn:
    """Raise a `QueryError` that names a place in a query."""
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    raise QueryError(
        f"cannot run the query: line {line}, column {column}",
        why,
        advice or "write one SELECT, ASK, CONSTRUCT or DESCRIBE query",
    )


def _check_string(text: str, start: int, value: str) -> None:
    """Refuse an escape that could end the string, or that is none."""
    if escape := _HOSTILE.search(value):
        fail(text, start + escape.start(), f"write {escape[0]} as a plain escape")
    for escape in _AFTER_BACKSLASH.finditer(value):
        if len(escape[1]) == 1 and escape[1] not in _PLAIN:
            fail(text, start + escape.start(), f"{escape[0]} is no escape in a string")


def _check_iri(text: str, start: int, iri: str, known: Mapping[str, str]) -> None:
    """Refuse an IRI that could also be read as `<`, an expression, and `>`."""
    if scheme := _ABSOLUTE.match(iri):
        if scheme[1] in known:
            fail(
                text,
                start,
                f"{_short(iri)} is an IRI of the scheme {scheme[1]!r}",
                f"write {_short(iri[1:-1])} without the angle brackets",
            )
    elif not _RELATIVE.fullmatch(iri):
        advice = "write the IRI from its scheme on; for a comparison, put spaces around < and >"
        fail(text, start, f"{_short(iri)} is no whole IRI", advice)
    _check_magic(text, start, iri[1:-1])


def _check_prefix(text: str, start: int, name: str) -> None:
    if not name.endswith(":") or not _PREFIX.fullmatch(name[:-1]):
        fail(
            text,
            start,
            f"{_short(name)} cannot be a prefix here",
            "letters, digits, - and _, but not true or false at the start",
        )


def _check_name(text: str, start: int, name: str, known: Mapping[str, str]) -> None:
    prefix, _, local = name.partition(":")
    if prefix not in known:
        fail(
            text,
            start,
            f"the prefix {_short(prefix + ':')} is not declared",
            f"put PREFIX {_short(prefix)}: <…> in front of the query",
        )
    if len(_STOPS.findall(_LOCAL_ESCAPE.sub("", local))) > 1:
        # Oxigraph ends such a name at the second of them and reads the rest as a new sentence.
        fail(
            text,
            start,
            f"{_short(name)} has full stops in two places",
            "write it as a whole IRI, <https://…>",
        )
    _check_magic(text, start, known[prefix] + _LOCAL_ESCAPE.sub(r"\1", local))


def _check_magic(text: str, start: int, iri: str) -> None:
    if _MAGIC.search(iri):
        fail(text, start, f"{_short(iri)} is an instruction to some servers, not a plain term")


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:60] + "…"


def _unknown(text: str, position: int) -> str:
    character = text[position]
    if character in "\"'":
        return "a string is not closed"
    if _ESCAPE.match(text, position):
        return "\\u escapes are allowed inside strings only"
    return f"the character {character!r} has no meaning here"
