"""What Blazegraph answers wrongly without a word, and is therefore not asked.

It takes a variable that is unbound on one side of a MINUS for one that agrees, and so removes
solutions that share nothing with what is to be removed; it lets variables from outside into a
MINUS; it does not compare a predicate with an object of the same variable, nor the ends of a path
that repeats; and it forgets some EXISTS in a BIND. All were found by comparing some thousand
generated queries with Oxigraph. Where a variable is sure to be bound on both sides, and the others
of a MINUS are its own, it is right.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from triplestore.errors import QueryError
from triplestore.guard.lexer import Token, tokens

_OPEN, _CLOSE = {"(", "[", "{"}, {")", "]", "}"}


@dataclass
class _Group:
    """The variables of a group: all that it may bind, and those that it binds for sure."""

    seen: set[str] = field(default_factory=set[str])
    sure: set[str] = field(default_factory=set[str])

    def join(self, other: _Group) -> None:
        self.seen |= other.seen
        self.sure |= other.sure


def check_answerable(sparql: str) -> None:
    """Refuse a query that Blazegraph would answer wrongly.

    Raises:
        QueryError: it would; the message says how to ask instead.
    """
    try:
        words = list(tokens(sparql, {}, own=True))
    except QueryError:
        if "minus" in sparql.lower():
            raise
        return  # whoever parses it says better what is wrong
    _Reader(words).query()


class _Pattern:
    """Which place of a triple pattern comes next, as the tokens of a group go by."""

    def __init__(self) -> None:
        self._place, self._subject, self._verb, self._repeats = 0, "", "", False

    def read(self, kind: str, text: str) -> None:
        """Take the next token that stands in the group itself.

        Raises:
            QueryError: predicate and object are one variable, or both ends of a path that repeats.
        """
        name = text[1:] if kind == "var" else ""
        if text in (".", "{", ")") or (kind == "word" and text not in ("A", "TRUE", "FALSE")):
            self._place = 0
        elif text == ";":
            self._place = 1
        elif kind != "mark":
            if self._place == 0:
                self._subject = name
            elif self._place == 1:
                self._verb, self._repeats = name, False
            elif name and name == self._verb:
                raise _wrong(
                    f"predicate and object are ?{name}",
                    f"write another object, and FILTER(sameTerm(?{name}, ?other))",
                )
            elif name and name == self._subject and self._repeats:
                raise _wrong(
                    f"both ends of a path with +, * or ? are ?{name}",
                    f"write another object, and FILTER(sameTerm(?{name}, ?other))",
                )
            self._place += 1
        elif text in ("+", "*", "?"):
            self._repeats = True
        elif text in ("(", "["):
            self._place += self._place > 0  # a list; in the first place it may be a condition's


class _Reader:
    """Goes through the tokens of a query once, group by group."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens, self._at = found, 0

    def query(self) -> None:
        while self._at < len(self._tokens):
            if self._take() == "{":
                self._group()

    def _peek(self) -> str:
        return self._tokens[self._at].text if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        text = self._peek()
        self._at += 1
        return text

    def _group(self) -> _Group:
        """Read a group whose brace is open, with its end."""
        here, pattern = _Group(), _Pattern()
        if self._peek() == "SELECT":
            return self._selected()
        while (text := self._peek()) not in ("", "}"):
            kind = self._tokens[self._at].kind
            self._at += 1
            pattern.read(kind, text)
            if kind == "var":
                here.seen.add(text[1:])
                here.sure.add(text[1:])
            elif text == "{":
                here.join(self._branches())
            elif text in ("OPTIONAL", "MINUS", "EXISTS"):
                self._until("{")
                start = self._at
                inner = self._group()
                if text == "OPTIONAL":
                    here.seen |= inner.seen
                elif text == "MINUS":
                    _check_shared(here, inner)
                    self._check_own(inner.seen - here.seen, start)
            elif text == "VALUES":
                here.join(self._values())
            elif text == "BIND":
                here.seen |= self._bound()
            elif text in ("(", "["):
                self._at -= 1
                self._bracketed()
        self._at += 1
        return here

    def _branches(self) -> _Group:
        """Read a group and those that UNION puts beside it."""
        whole = self._group()
        while self._peek() == "UNION":
            self._until("{")
            other = self._group()
            whole = _Group(whole.seen | other.seen, whole.sure & other.sure)
        return whole

    def _selected(self) -> _Group:
        """Read a query inside a query, with the end of its group."""
        named, perhaps, every = set[str](), set[str](), False
        while (text := self._peek()) not in ("", "{"):
            if text == "(":
                perhaps |= self._bracketed()
                continue
            every = every or text == "*"
            if self._tokens[self._at].kind == "var":
                named.add(text[1:])
            self._at += 1
        self._at += 1
        inner = self._group()
        while (text := self._peek()) not in ("", "}"):
            if text in _OPEN:
                self._bracketed()
            else:
                self._at += 1
        self._at += 1
        return inner if every else _Group(named | perhaps, inner.sure & named)

    def _values(self) -> _Group:
        names = set[str]()
        while (text := self._peek()) not in ("", "{"):
            if self._tokens[self._at].kind == "var":
                names.add(text[1:])
            self._at += 1
        start = self._at
        self._bracketed()
        full = all(token.text != "UNDEF" for token in self._tokens[start : self._at])
        return _Group(names, set(names) if full else set())

    def _bracketed(self) -> set[str]:
        """Skip brackets but for the groups of EXISTS in them; return what AS names."""
        depth, names = 0, set[str]()
        while self._at < len(self._tokens):
            text = self._take()
            if text == "EXISTS":
                self._until("{")
                self._group()
            elif text == "AS":
                names.add(self._peek()[1:])
            depth += (text in _OPEN) - (text in _CLOSE)
            if depth == 0:
                break
        return names

    def _check_own(self, names: set[str], start: int) -> None:
        """Refuse variables of a MINUS, read from `start` on, that stand elsewhere too."""
        outside = self._tokens[:start] + self._tokens[self._at :]
        for token in outside:
            if token.kind == "var" and (name := token.text[1:]) in names:
                raise _wrong(
                    f"?{name} of a MINUS is not in the group before it, but elsewhere in the query",
                    "give it a name of its own there, or use FILTER NOT EXISTS",
                )

    def _bound(self) -> set[str]:
        """Read what BIND names."""
        start = self._at
        names = self._bracketed()
        if any(token.text == "EXISTS" for token in self._tokens[start : self._at]):
            raise _wrong("EXISTS stands in a BIND", "use it in a FILTER, or OPTIONAL and BOUND")
        return names

    def _until(self, text: str) -> None:
        while self._take() not in ("", text):
            pass


def _check_shared(here: _Group, inner: _Group) -> None:
    shared = here.seen & inner.seen
    if shared and not here.sure & inner.sure:
        names = " and ".join(f"?{name}" for name in sorted(shared))
        raise _wrong(
            f"{names} of a MINUS need not be bound on both sides",
            "bind one of them in a plain pattern on both sides, or use FILTER NOT EXISTS",
        )


def _wrong(found: str, advice: str) -> QueryError:
    return QueryError("query Blazegraph", f"it would answer wrongly where {found}", advice)
