r"""The guard for queries written by others: read-only, local, bounded, and safe to parse.

The parser and the planner behind a store are recursive, and the planner takes time with the fourth
power of the number of joined patterns: a few kilobytes of braces, of `||` or of `;` end the
process or keep it busy for an hour (measured). So an own lexer counts before any parser sees the
text. It takes time linear in the text, and it errs on the side of refusing:

* bare words come from a closed list, so a keyword glued to something else cannot slip through;
* `\u` escapes, which some engines decode before they look for strings and keywords, are refused
  outside strings, and inside them where they spell a quote, a backslash or a line end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

from triplestore.errors import QueryError


@dataclass(frozen=True)
class Limits:
    """How large a query may be.

    Args:
        size: bytes of UTF-8.
        nesting: braces, brackets, parentheses and quoted triples open at once.
        parts: joined parts (triple patterns, groups, steps of a path); 80 are planned in 0.4 s.
        operators: keywords, operators and parentheses, outside VALUES.
    """

    size: int = 64_000
    nesting: int = 32
    parts: int = 80
    operators: int = 256


DEFAULT_LIMITS = Limits()

_REFUSED = frozenset(
    re.findall(
        r"\w+",
        "SERVICE FROM LOAD INSERT DELETE CLEAR DROP CREATE ADD MOVE COPY INTO USING WITH DATA",
    )
)
_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    A ABS ADJUST AS ASC ASK AVG BASE BIND BNODE BOUND BY CEIL COALESCE CONCAT CONSTRUCT CONTAINS
    COUNT DATATYPE DAY DESC DESCRIBE DISTINCT ENCODE_FOR_URI EXISTS FALSE FILTER FLOOR GRAPH GROUP
    GROUP_CONCAT HASLANG HASLANGDIR HAVING HOURS IF IN IRI ISBLANK ISIRI ISLITERAL ISNUMERIC
    ISTRIPLE ISURI LANG LANGDIR LANGMATCHES LCASE LIMIT MAX MD5 MIN MINUS MINUTES MONTH NOT NOW
    OBJECT OFFSET OPTIONAL ORDER PREDICATE PREFIX RAND REDUCED REGEX REPLACE ROUND SAMETERM
    SAMEVALUE SAMPLE SECONDS SELECT SEPARATOR SHA1 SHA256 SHA384 SHA512 STR STRAFTER STRBEFORE
    STRDT STRENDS STRLANG STRLANGDIR STRLEN STRSTARTS STRUUID SUBJECT SUBSTR SUM TIMEZONE TRIPLE
    TRUE TZ UCASE UNDEF UNION URI UUID VALUES VERSION WHERE YEAR
        """,
    )
)

# The parts of each repeat begin with different characters, so that giving up is linear too
# (possessive repeats would say so, but Python before 3.11.5 gets some of them wrong); a prefix is
# bounded because a word is read again. Numbers come
# before words: in `1SERVICE` the grammar sees both.
_TOKEN = re.compile(
    r"""
      (?P<space>   [ \t\r\n]+ | \#[^\r\n]* )
    | (?P<iri>     <[^<>"{}|^`\\\x00-\x20]*> )
    | (?P<long>    \"\"\" | ''' )
    | (?P<string>  "(?:[^"\\\r\n]|\\.)*" | '(?:[^'\\\r\n]|\\.)*' )
    | (?P<var>     [?$]\w+ )
    | (?P<blank>   _:\w[\w.\-\u00b7]* )
    | (?P<tag>     @[A-Za-z]+(?:--?[A-Za-z0-9]+)* )
    | (?P<name>    (?:[^\W\d_][\w.\-\u00b7]{0,100})?:(?:[\w.\-:\u00b7]|%[0-9A-Fa-f]{2}
                   |\\[_~.\-!$&'()*+,;=/?\#@%])* )
    | (?P<number>  [0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)? )
    | (?P<word>    [^\W\d]\w* )
    | (?P<mark>    << | >> | \^\^ | && | \|\| | != | <= | >= | [{}()\[\].;,=<>!+\-*/|^?] )
    """,
    re.VERBOSE | re.DOTALL,
)
_LONG = {
    '"""': re.compile(r'(?:[^"\\]|\\.|""?(?!"))*"""(?!")', re.DOTALL),
    "'''": re.compile(r"(?:[^'\\]|\\.|''?(?!'))*'''(?!')", re.DOTALL),
}
# The code points that an engine that decodes early would take for the end of the string.
_HOSTILE = re.compile(r"\\u00(22|27|5c|0a|0d)|\\U000000(22|27|5c|0a|0d)", re.IGNORECASE)
_OPEN = {"{": "}", "(": ")", "[": "]", "<<": ">>"}
_TERMS = frozenset({"iri", "string", "var", "blank", "name", "number"})


def check_query(sparql: str, limits: Limits = DEFAULT_LIMITS) -> None:
    """Refuse a query that is not read-only, leaves this store, is too large or is malformed.

    Raises:
        QueryError: with the line and column where there is one.
    """
    if len(sparql) > limits.size or len(sparql.encode("utf-8", "replace")) > limits.size:
        raise QueryError(
            "check a query",
            f"it is longer than {limits.size} bytes",
            "shorten it; long lists of values can be asked in several queries",
        )
    _Walk(sparql, limits).run()
    _check_syntax(sparql)


def check_local(sparql: str) -> None:
    """Refuse SERVICE in a query of our own: a store never opens a connection by itself.

    It costs nothing for a query without the word. Raises `QueryError`.
    """
    if "service" in sparql.lower() or "\\u" in sparql.lower():
        _Walk(sparql, None).run()


@dataclass
class _Walk:
    """One pass over the tokens of a query; `limits` None looks for SERVICE alone."""

    text: str
    limits: Limits | None
    open: list[str] = field(default_factory=list[str])
    parts: int = 0
    operators: int = 0

    def run(self) -> None:
        position, before, pending, inside = 0, "", False, 0
        while position < len(self.text):
            token = _TOKEN.match(self.text, position)
            if token is None:
                self.fail(position, self.unknown(position))
            kind, value, start = str(token.lastgroup), token[0], position
            position = token.end()
            if kind == "space":
                continue
            if kind == "long":
                rest = _LONG[value].match(self.text, position)
                if rest is None:
                    self.fail(start, "a string is not closed, or followed by another quote")
                value, position, kind = value + rest[0], rest.end(), "string"
            if kind == "string" and self.limits and (found := _HOSTILE.search(value)):
                self.fail(start + found.start(), f"write {found[0]} as a plain escape")
            if kind == "word":
                word = value.upper()
                self.check_word(word, start)
                pending = word == "VALUES" or pending
                self.operators += not inside
            elif kind == "mark":
                if value in _OPEN:
                    self.open.append(_OPEN[value])
                    self.parts += value in "{["
                    self.operators += value == "(" and not inside
                    if value == "{" and pending:
                        pending, inside = False, len(self.open)
                elif self.open and value == self.open[-1]:
                    inside = 0 if inside == len(self.open) else inside
                    self.open.pop()
                elif value in ".;/" or (value == "," and ")" not in self.open[-1:]):
                    self.parts += 1
                elif value != ",":
                    self.operators += 1
            elif kind in _TERMS and before in _TERMS and ")" in self.open[-1:] and not inside:
                self.parts += 2  # a member of an RDF list: two triples
            before = kind
            self.check_counts(start)

    def check_word(self, word: str, start: int) -> None:
        if self.limits is None:
            # Our own query: only what reaches out is refused, and the parser does the rest.
            if "SERVICE" in word:
                self.fail(start, "SERVICE would call another server")
        elif word in _REFUSED:
            self.fail(start, f"{word} is not allowed: queries only read, from this store")
        elif word not in _WORDS:
            self.fail(start, f"{word[:40]!r} is no word of a SPARQL query")

    def check_counts(self, start: int) -> None:
        if self.limits is None:
            return
        for name, count, limit in (
            ("levels of nesting", len(self.open), self.limits.nesting),
            ("joined parts", self.parts, self.limits.parts),
            ("keywords and operators", self.operators, self.limits.operators),
        ):
            if count > limit:
                self.fail(start, f"more than {limit} {name}")

    def unknown(self, position: int) -> str:
        character = self.text[position]
        if character in "\"'":
            return "a string is not closed"
        if self.text[position : position + 2] in ("\\u", "\\U"):
            return "\\u escapes are allowed inside strings only"
        return f"the character {character!r} has no meaning here"

    def fail(self, position: int, why: str) -> NoReturn:
        line = self.text.count("\n", 0, position) + 1
        column = position - self.text.rfind("\n", 0, position)
        raise QueryError(f"check a query: line {line}, column {column}", why,
                         "write one SELECT, ASK, CONSTRUCT or DESCRIBE query")  # fmt: skip


def _check_syntax(sparql: str) -> None:
    from pyoxigraph import Store

    try:
        Store().query(sparql)
    except SyntaxError as error:
        raise QueryError("parse a query", str(error.msg or error), "mend it there") from None
    except (OSError, ValueError, RuntimeError) as error:
        raise QueryError("parse a query", str(error), "") from None
