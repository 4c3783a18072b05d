"""The guard for queries written by others: read-only, local, bounded, and safe to parse.

The parser and the planner behind a store are recursive, and the planner takes time with the fourth
power of the number of joined patterns: a few kilobytes of braces, of `||` or of `;` end the
process or keep it busy for an hour (measured). So an own lexer counts before any parser sees the
text. It takes time linear in the text, and it errs on the side of refusing: bare words come from a
closed list, and the counts are never below those of the query's algebra (a test holds them to it).

Nothing is parsed, planned or evaluated here, for pyoxigraph can do none of them without the next:
what else is wrong with a query is said by the store that is asked it, see `Store.query_guarded`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field

from triplestore.errors import QueryError
from triplestore.guard.lexer import Token, fail, tokens


@dataclass(frozen=True)
class QueryLimits:
    """How large a query may be.

    Args:
        size: bytes of UTF-8.
        triples: triple patterns of the query, and triples of its template; a step of a property
            path is one, and so is each half of a member of a list.
        groups: pairs of braces. 50 triples and 30 groups are planned in half a second, 200 in all
            in 20 s.
        optional_depth: OPTIONAL inside OPTIONAL.
        union_branches: branches of all UNIONs together.
        nesting: braces, brackets and parentheses open at once.
        operators: keywords, operators and parentheses outside VALUES, and projected terms.
        setting: how to raise a limit, for the message; `{}` is its name.
    """

    size: int = 64_000
    triples: int = 50
    groups: int = 30
    optional_depth: int = 5
    union_branches: int = 10
    nesting: int = 32
    operators: int = 256
    setting: str = "the limit {}"

    def advice(self, name: str) -> str:
        """Return what to do where a query is beyond a limit."""
        return "ask in several queries, or raise " + self.setting.format(name)


DEFAULT_LIMITS = QueryLimits()

_COUNTED = {
    "nesting": "levels of nesting",
    "triples": "triple patterns",
    "optional_depth": "levels of OPTIONAL",
    "union_branches": "branches of UNION",
    "groups": "groups in braces",
    "operators": "keywords and operators",
}
_REFUSED = {
    "SERVICE": "it would call another server",
    "FROM": "it names another dataset, which some servers fetch from the network; "
    "named graphs of this store are reached by GRAPH",
} | dict.fromkeys(
    re.findall(r"\w+", "LOAD INSERT DELETE CLEAR DROP CREATE ADD MOVE COPY INTO USING WITH DATA"),
    "queries only read, from this store",
)
_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    A ABS AS ASC ASK AVG BASE BIND BNODE BOUND BY CEIL COALESCE CONCAT CONSTRUCT CONTAINS COUNT
    DATATYPE DAY DESC DESCRIBE DISTINCT ENCODE_FOR_URI EXISTS FALSE FILTER FLOOR GRAPH GROUP
    GROUP_CONCAT HAVING HOURS IF IN IRI ISBLANK ISIRI ISLITERAL ISNUMERIC ISURI LANG LANGMATCHES
    LCASE LIMIT MAX MD5 MIN MINUS MINUTES MONTH NOT NOW OFFSET OPTIONAL ORDER PREFIX RAND REDUCED
    REGEX REPLACE ROUND SAMETERM SAMPLE SECONDS SELECT SEPARATOR SHA1 SHA256 SHA384 SHA512 STR
    STRAFTER STRBEFORE STRDT STRENDS STRLANG STRLEN STRSTARTS STRUUID SUBSTR SUM TIMEZONE TRUE TZ
    UCASE UNDEF UNION URI UUID VALUES WHERE YEAR
        """,
    )
)
_DIFFERENT = re.compile(r"\$[0-9]\w+|\$[^\W0-9]|\$\{|\$(?![0-9])|\\\\")
r"""What engines read differently in a replacement: in XPath `$1x` is group 1 and an x, `$10` may be
group 1 and a 0, `\$` a `$`, and any other `$` that no digit follows is an error; to some the first
two and `$x` are a group of that name, which is replaced by nothing, `$$` is a `$`, and so is one
alone, and a `\` stands for itself."""
_CODE_POINT = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_FORMS = frozenset({"SELECT", "ASK", "CONSTRUCT", "DESCRIBE"})
_TERMS = frozenset({"iri", "string", "var", "blank", "name", "number"})


def check_query(
    sparql: str, limits: QueryLimits = DEFAULT_LIMITS, prefixes: Mapping[str, str] | None = None
) -> None:
    """Refuse a query that is not read-only, leaves this store or is too large.

    Of what is malformed it refuses what could mean something to one server and not to another.

    Args:
        sparql: the query.
        limits: how large it may be.
        prefixes: those that need no declaration, with their IRIs.

    Raises:
        QueryError: names the place, or the limit, what was counted and the setting.
    """
    size = len(sparql)
    if size <= limits.size:
        try:
            size = len(sparql.encode())
        except UnicodeEncodeError as error:
            raise QueryError("cannot run the query", str(error), "give Unicode text") from None
    if size > limits.size:
        problem = f"{size} bytes, and the limit is {limits.size}"
        raise QueryError("cannot run the query", problem, limits.advice("size"))
    counter, form, replacements = _Counter(limits), None, _Replacements(sparql)
    for token in tokens(sparql, prefixes or {}):
        if token.kind == "word":
            _check_word(sparql, token)
        replacements.take(token)
        if len(counter.open) == 1 and token.text in _FORMS:
            if form is not None:
                fail(sparql, token.start, f"a second query begins with {token.text}")
            form = token
        elif form is None and not counter.in_prologue(token):
            fail(sparql, token.start, f"{token.text[:40]!r} begins no query")
        counter.take(token)
    if form is None:
        raise QueryError(
            "cannot run the query", "it is empty", "write one, such as SELECT * { ?s ?p ?o }"
        )
    for name, (start, count) in counter.exceeded.items():
        problem = f"{count} {_COUNTED[name]}, and the limit is {getattr(limits, name)}"
        fail(sparql, start, problem, limits.advice(name))
    if counter.misplaced is not None:
        fail(sparql, counter.misplaced, f"{sparql[counter.misplaced]!r} closes nothing")
    if counter.strayed is not None:
        _, text, start = counter.strayed
        fail(
            sparql,
            start,
            f"{text[:40]!r} cannot stand here: a triple is not closed",
            "write subject, verb and object, and a full stop before what comes next",
        )
    if len(counter.open) > 1:
        fail(sparql, counter.open[-1].start, f"{sparql[counter.open[-1].start]!r} is not closed")


@dataclass
class _Call:
    """A REPLACE: how deep its arguments stand, which of them it is at, and what the third is."""

    depth: int
    argument: int = 1
    third: list[Token] = field(default_factory=list[Token])


class _Replacements:
    """Refuses a replacement that engines read differently, or that is known only when it runs."""

    def __init__(self, sparql: str) -> None:
        self._sparql = sparql
        self._calls: list[_Call] = []
        self._depth, self._named = 0, False

    def take(self, token: Token) -> None:
        """Take the next token."""
        mark = token.text if token.kind == "mark" else ""
        call = self._calls[-1] if self._calls else None
        if call and call.depth == self._depth and mark in (",", ")"):
            if call.argument == 3:
                self._check(call.third)
            call.argument += 1
        elif call and call.argument == 3:
            call.third.append(token)
        if mark in _CLOSE:
            self._depth += 1
            if self._named:
                self._calls.append(_Call(self._depth))
        elif mark in ("}", "]", ")"):
            if call and call.depth == self._depth:
                self._calls.pop()
            self._depth -= 1
        self._named = token.kind == "word" and token.text == "REPLACE"

    def _check(self, third: list[Token]) -> None:
        if [token.kind for token in third] != ["string"]:
            fail(
                self._sparql,
                third[0].start if third else len(self._sparql),
                "what REPLACE puts in is not a text in quotation marks and nothing else, neither"
                " brackets nor a language or a type: engines read a $ or \\ that may come of it"
                " differently",
                "write it so, or join the parts by CONCAT, STRBEFORE and STRAFTER",
            )
        text = _CODE_POINT.sub(lambda code: _character(code[1] or code[2]), third[0].text)
        if not (name := _DIFFERENT.search(text)):
            return
        fail(
            self._sparql,
            third[0].start,
            "a \\ is one to some engines, and to others makes a $ of what follows"
            if name[0].startswith("\\")
            else "a $ that no digit follows is an error to some engines, and to others a $"
            if name[0] == "$"
            else f"{name[0]} is a group of that name to some engines, and replaced by nothing",
            "refer to groups by one digit, $1, with no letter, digit or _ behind it; texts with $"
            " or \\ are joined by CONCAT",
        )


def _character(code: str) -> str:
    number = int(code, 16)
    return chr(number) if number <= sys.maxunicode else ""


def check_local(sparql: str) -> None:
    """Refuse SERVICE in a query of our own: a store never opens a connection by itself.

    It costs nothing for a query without the word. Raises `QueryError`.
    """
    if "service" in sparql.lower() or "\\u" in sparql.lower():
        for token in tokens(sparql, {}, own=True):
            if token.kind == "word" and "SERVICE" in token.text:
                fail(sparql, token.start, "SERVICE would call another server")


def _check_word(sparql: str, token: Token) -> None:
    if why := _REFUSED.get(token.text):
        fail(sparql, token.start, f"{token.text} is not allowed: {why}")
    if token.text not in _WORDS:
        fail(sparql, token.start, f"{token.text[:40]!r} is no word of a SPARQL 1.1 query")


# What a bracket holds.
_HEAD = "projection and modifiers, at the top or in a subquery"
_GROUP = "patterns"
_NODE = "a property list in brackets"
_LIST = "an RDF list"
_PATH = "part of a property path"
_EXPRESSION = "an expression or arguments"
_DATA = "values"
_PATTERNS = (_GROUP, _NODE)
# How far a sentence of triples has come; in `_VERB` its path may go on, or its object come.
_NONE, _SUBJECT, _VERB_NEXT, _VERB, _OBJECT, _KEYWORD = range(6)
_PATH_GOES_ON = ("/", "|", "^", "!")
_CLOSE = {"{": "}", "(": ")", "[": "]"}


@dataclass
class _Frame:
    """An open bracket: what it holds, and how far the sentence in it has come."""

    close: str
    holds: str
    start: int
    optional: int = 0
    state: int = _NONE
    steps: int = 1  # of the path of the present verb, which each further object repeats
    values: bool = False  # VALUES was said, its data are still to come
    union: bool = False  # what was closed last is a branch of a UNION
    template: bool = False


class _Counter:
    """Counts of a query that are never below those of its algebra, from its tokens alone.

    A triple is counted with its verb, so a sentence that has not got so far costs nothing.
    """

    def __init__(self, limits: QueryLimits) -> None:
        self._limits = limits
        self.counts = dict.fromkeys(_COUNTED, 0)
        self._before = Token("", "", 0)
        self.open = [_Frame("", _HEAD, 0)]
        self.exceeded: dict[str, tuple[int, int]] = {}
        self.misplaced: int | None = None
        self.strayed: Token | None = None

    def take(self, token: Token) -> None:
        """Count one token more."""
        frame, (kind, text, _) = self.open[-1], token
        if frame.union and text not in ("UNION", "{", "}"):
            frame.union = False
        if kind == "word":
            self._word(frame, token)
        elif kind == "mark":
            if text in _CLOSE:
                self._opened(frame, token)
            elif text in "}])":
                self._closed(frame, token)
            else:
                self._mark(frame, token)
        elif kind in _TERMS and self._before.text != "^^":
            self._element(frame, token)
            if kind == "iri" and ":" not in text:  # it might be read as an expression
                self._add("operators", text.count("-") + text.count("/"), token)
        self._before = token

    def in_prologue(self, token: Token) -> bool:
        """Whether a token may stand before the form of a query."""
        if token.text in ("PREFIX", "BASE"):
            return True
        return token.kind in ("name", "iri") and self._before.kind in ("word", "name")

    def _strayed(self, token: Token) -> None:
        self.strayed = self.strayed or token

    def _add(self, name: str, number: int, token: Token) -> None:
        self._reach(name, self.counts[name] + number, token)

    def _reach(self, name: str, count: int, token: Token) -> None:
        self.counts[name] = max(self.counts[name], count)
        if count > getattr(self._limits, name):
            start, highest = self.exceeded.get(name, (token.start, 0))
            self.exceeded[name] = start, max(highest, count)

    def _word(self, frame: _Frame, token: Token) -> None:
        word = token.text
        if frame.holds is not _DATA:
            self._add("operators", 1, token)
        if word in ("A", "TRUE", "FALSE") and frame.holds is not _HEAD:
            self._element(frame, token)
        elif word == "SELECT" and frame.holds is _GROUP:
            frame.holds = _HEAD
        elif word == "UNION":
            self._add("union_branches", 1 if frame.union else 2, token)
            frame.union, frame.state = True, _KEYWORD
        elif frame.holds in (_GROUP, _HEAD):
            frame.state, frame.values = _KEYWORD, frame.values or word == "VALUES"

    def _element(self, frame: _Frame, token: Token) -> None:
        """Count a term, or a bracket that stands for one."""
        if frame.holds is _LIST:
            self._add("triples", 2, token)
        elif frame.holds is _HEAD:
            self._add("operators", 1, token)
        elif frame.holds in _PATTERNS:
            if frame.state == _NONE:
                frame.state = _SUBJECT
            elif frame.state in (_SUBJECT, _VERB_NEXT):
                frame.state, frame.steps = _VERB, 1
                self._add("triples", 1, token)
            elif frame.state == _VERB:
                if self._before.text not in _PATH_GOES_ON:
                    frame.state = _OBJECT
            elif frame.state == _OBJECT:
                self._strayed(token)

    def _mark(self, frame: _Frame, token: Token) -> None:
        mark, pattern = token.text, frame.holds in _PATTERNS
        if mark == "." and pattern:
            frame.state = _NONE
        elif mark == ";" and pattern:
            frame.state = _VERB_NEXT
        elif mark == ",":
            if pattern:
                frame.state = _VERB if frame.state == _OBJECT else frame.state
                self._add("triples", frame.steps, token)
        elif mark in "/|" and (pattern or frame.holds is _PATH):
            frame.steps += 1
            self._add("triples", 1, token)
        elif frame.holds is not _DATA:
            self._add("operators", 1, token)
            if mark in "^!" and pattern:
                self._element(frame, token)

    def _opened(self, frame: _Frame, token: Token) -> None:
        mark, before = token.text, self._before.text
        inner = _Frame(_CLOSE[mark], _NODE, token.start, frame.optional)
        if mark == "{":
            self._check_place(frame, token)
            inner.holds = _DATA if frame.values else _GROUP
            inner.optional += before == "OPTIONAL"
            inner.template = before == "CONSTRUCT" and len(self.open) == 1
            frame.union = frame.union and before == "UNION"
            self._add("groups", 1, token)
            self._reach("optional_depth", inner.optional, token)
        elif mark == "[":
            self._element(frame, token)
            inner.state = _VERB_NEXT
        else:
            inner.holds = _parenthesis(frame, before)
            if inner.holds is not _DATA:
                self._add("operators", 1, token)
            if inner.holds in (_LIST, _PATH):
                self._element(frame, token)
        self.open.append(inner)
        self._reach("nesting", len(self.open) - 1, token)

    def _check_place(self, frame: _Frame, token: Token) -> None:
        """Refuse a brace inside a triple: `?s <p>{1,9} ?o` is a path to some servers."""
        begun = frame.state == _SUBJECT and self._before.text not in ("]", ")")
        exists = frame.holds is _EXPRESSION and self._before.text.upper() == "EXISTS"
        if (
            (frame.holds is _GROUP and (begun or frame.state == _VERB))
            or frame.holds in (_NODE, _LIST, _PATH, _DATA)
            or (frame.holds is _EXPRESSION and not exists)
        ):
            self._strayed(token)

    def _closed(self, frame: _Frame, token: Token) -> None:
        if token.text != frame.close:
            self.misplaced = token.start if self.misplaced is None else self.misplaced
            return
        self.open.pop()
        outer = self.open[-1]
        if frame.holds is _PATH:
            outer.steps += frame.steps - 1
        if token.text == "}":
            outer.values, outer.state = False, _NONE
            if frame.template:  # it joins nothing, so it has the limit for itself
                self.counts["triples"] = 0
        elif token.text == ")" and outer.state == _KEYWORD and not outer.values:
            outer.state = _NONE


def _parenthesis(frame: _Frame, before: str) -> str:
    """Return what a parenthesis in this frame, after that token, holds."""
    if frame.values or frame.holds is _DATA:
        return _DATA
    if frame.holds in (_LIST, _PATH):
        return frame.holds
    if frame.holds in _PATTERNS and frame.state != _KEYWORD:
        verb = frame.state in (_SUBJECT, _VERB_NEXT) or before in _PATH_GOES_ON
        return _PATH if verb else _LIST
    return _EXPRESSION
