"""What Blazegraph answers wrongly without a word, and is therefore not asked.

It evaluates from the outside to the inside, where SPARQL says from the inside to the outside. The
two agree wherever a variable that two parts of a group share is sure to be bound in both, and what
a condition or a BIND is of is bound where it stands. Elsewhere it joins what is unbound in one
part with anything or with nothing, takes what OPTIONAL left open for what VALUES says, and lets
variables from outside into a MINUS or a nested condition. Besides, it does not compare a predicate
with an object of the same variable, nor the ends of a path that repeats; it forgets some EXISTS in
a BIND, the fractions of seconds, and in named graphs some of what OPTIONAL, a query inside or a
path of no step is about. All was found by comparing some thousand generated queries, and the W3C's
tests (`tests/triplestore/sparql_suite.py`), with Oxigraph.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from triplestore.errors import QueryError
from triplestore.guard.lexer import Token, tokens

_OPEN, _CLOSE = {"(", "[", "{"}, {")", "]", "}"}
_OPENS_NO_PATTERN = ("}", "OPTIONAL", "VALUES", "BIND", "FILTER")
_NEVER = {
    "SECONDS": (
        "SECONDS leaves out their fraction",
        "take them from the text: SUBSTR(STR(?time), 18)",
    ),
}


@dataclass
class _Group:
    """The variables of a group.

    Args:
        seen: all that it may bind.
        sure: those that it binds for sure.
        made: those of an expression, or of a table with gaps: they join well with what is sure.
        asked: those that its conditions are on and that it does not bind.
    """

    seen: set[str] = field(default_factory=set[str])
    sure: set[str] = field(default_factory=set[str])
    made: set[str] = field(default_factory=set[str])
    asked: set[str] = field(default_factory=set[str])

    def join(self, other: _Group, what: str) -> None:
        """Take in another part; `what` it is, for the message.

        Raises:
            QueryError: both have a variable that one of them need not bind.
        """
        _check_shared(self, other, what)
        self.seen |= other.seen
        self.sure |= other.sure
        self.made |= other.made
        self.asked |= other.asked


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
    for word in words:
        if word.kind == "word" and word.text in _NEVER:
            raise _wrong(*_NEVER[word.text])
    _Reader(words).query()


class _Pattern:
    """Which place of a triple pattern comes next, as the tokens of a group go by."""

    def __init__(self, in_graph: bool) -> None:
        self._place, self._subject, self._verb, self._repeats = 0, "", "", ""
        self._in_graph = in_graph

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
                self._verb, self._repeats = name, ""
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
            elif name and self._subject and self._in_graph and self._repeats.strip("+"):
                raise _wrong(
                    f"a path with * or ? leads from ?{self._subject} to ?{name} in a named graph",
                    "name one of its ends, or use + and a UNION with the ends themselves",
                )
            self._place += 1
        elif text in ("+", "*", "?"):
            self._repeats += text
        elif text in ("(", "["):
            self._place += self._place > 0  # a list; in the first place it may be a condition's


class _Reader:
    """Goes through the tokens of a query once, group by group."""

    def __init__(self, found: list[Token]) -> None:
        self._tokens, self._at = found, 0
        self._graphs: list[str] = []  # the variables of the GRAPHs that are open
        self._optionals = 0  # that are open
        self._inside = 0  # where the innermost EXISTS begins, whose groups see what is around it

    def query(self) -> None:
        whole = _Group()
        while self._at < len(self._tokens):
            text = self._take()
            if text == "{":
                if self._peek(-2) != "CONSTRUCT":  # a template binds nothing
                    start = self._at
                    whole = self._group()
                    self._check_asked(whole.asked, start)
                else:
                    self._at -= 1
                    self._bracketed()
            elif text == "VALUES":
                whole.join(self._values(), "VALUES")
            elif text == "HAVING":
                self._having()

    def _peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._tokens[at].text if 0 <= at < len(self._tokens) else ""

    def _take(self) -> str:
        text = self._peek()
        self._at += 1
        return text

    def _group(self) -> _Group:
        """Read a group whose brace is open, with its end."""
        here, pattern = _Group(), _Pattern(bool(self._graphs))
        conditions, valued, filtering = set[str](), set[str](), False
        if self._peek() == "SELECT":
            return self._selected()
        while (text := self._peek()) not in ("", "}"):
            kind = self._tokens[self._at].kind
            self._at += 1
            pattern.read(kind, text)
            if kind == "var":
                here.join(_Group({text[1:]}, {text[1:]}), "a pattern")
            elif text == "{":
                here.join(self._branches(), "a group")
            elif text == "GRAPH":
                self._graph(here)
            elif text == "OPTIONAL":
                self._optional(here)
            elif text == "MINUS":
                self._until("{")
                start = self._at
                inner = self._group()
                _check_shared(here, inner, "a MINUS")
                self._check_own(inner.seen - here.seen, start)
                self._check_asked(inner.asked, start)
            elif text == "EXISTS":
                self._exists()
                filtering = False
            elif text == "VALUES":
                valued = self._values_again(here, valued)
            elif text == "BIND":
                made = self._bound(here)
                here.join(_Group(made, made=made), "a BIND")
            elif text == "FILTER":
                filtering = True
            elif text in ("(", "["):
                self._at -= 1
                _, names = self._bracketed()
                if filtering:
                    conditions |= names
                else:  # a list, a path, or what has no name
                    here.join(_Group(names, set(names)), "a pattern")
                filtering = False
        self._at += 1
        here.asked |= conditions - here.seen
        return here

    def _graph(self, here: _Group) -> None:
        """Read a GRAPH, with its name and the end of its group."""
        name = self._take()
        if self._take() == "{" and self._peek() in _OPENS_NO_PATTERN:
            raise _wrong(
                "a GRAPH begins with no pattern", f"write one first: GRAPH {name} {{ ?s ?p ?o … }}"
            )
        start = self._at
        if not name.startswith(("?", "$")):
            inner = self._group()
        elif self._optionals:
            raise _wrong(
                f"GRAPH {name} stands in an OPTIONAL", "name the graph, or ask in two queries"
            )
        else:
            here.join(_Group({name[1:]}, {name[1:]}), "a pattern")
            self._graphs.append(name[1:])
            inner = self._group()
            self._graphs.pop()
        self._check_asked(inner.asked - {name[1:]}, start)
        inner.asked.clear()
        here.join(inner, "a group")

    def _optional(self, here: _Group) -> None:
        self._until("{")
        start = self._at
        self._optionals += 1
        inner = self._group()
        self._optionals -= 1
        # What is left open before is not wrong: it is looked for in the same way.
        _check_shared(_Group(here.seen, here.seen), inner, "an OPTIONAL")
        self._check_asked(inner.asked - here.sure, start)
        here.seen |= inner.seen

    def _exists(self) -> None:
        self._until("{")
        outer, self._inside = self._inside, self._at
        self._group()
        self._inside = outer

    def _branches(self) -> _Group:
        """Read a group and those that UNION puts beside it."""
        start = self._at
        whole = self._group()
        self._check_asked(whole.asked, start)
        while self._peek() == "UNION":
            self._until("{")
            start = self._at
            other = self._group()
            self._check_asked(other.asked, start)
            sure, both = (
                whole.sure & other.sure,
                (whole.sure | whole.made) & (other.sure | other.made),
            )
            whole = _Group(whole.seen | other.seen, sure, both - sure)
        return _Group(whole.seen, whole.sure, whole.made)

    def _selected(self) -> _Group:
        """Read a query inside a query, with the end of its group."""
        named, perhaps, every = set[str](), set[str](), False
        begin = self._at
        while (text := self._peek()) not in ("", "{"):
            if text == "(":
                perhaps |= self._bracketed()[0]
                continue
            every = every or text == "*"
            if self._tokens[self._at].kind == "var":
                named.add(text[1:])
            self._at += 1
        self._at += 1
        start, outer, graphs = self._at, self._inside, self._graphs
        self._inside, self._graphs = begin, []
        inner = self._group()
        self._check_asked(inner.asked, start)
        while (text := self._peek()) not in ("", "}"):
            if text == "VALUES":
                self._at += 1
                inner.join(self._values(), "VALUES")
            elif text == "HAVING":
                self._at += 1
                self._having()
            elif text in _OPEN:
                self._bracketed()
            else:
                self._at += 1
        self._inside, self._graphs = outer, graphs
        for token in self._tokens[begin : self._at]:
            if token.kind == "var" and token.text[1:] in graphs:
                raise _wrong(
                    f"a query inside GRAPH {token.text} has {token.text} in it",
                    f"give it another name there, and FILTER(sameTerm({token.text}, ?other))",
                )
        self._at += 1
        if every:
            return inner
        made = perhaps | (inner.made & named)
        return _Group(named & inner.seen | perhaps, inner.sure & named, made)

    def _having(self) -> None:
        """Read the conditions of HAVING, of which Blazegraph's grammar knows one."""
        while self._peek() not in ("(", ""):
            self._at += 1
        self._bracketed()
        if self._peek() == "(":
            raise _wrong("HAVING has several conditions", "write one, with && between its parts")

    def _values(self) -> _Group:
        names = set[str]()
        while (text := self._peek()) not in ("", "{"):
            if self._tokens[self._at].kind == "var":
                names.add(text[1:])
            self._at += 1
        start = self._at
        self._bracketed()
        full = all(token.text != "UNDEF" for token in self._tokens[start : self._at])
        return _Group(names, *((set(names), set[str]()) if full else (set[str](), set(names))))

    def _values_again(self, here: _Group, before: set[str]) -> set[str]:
        """Read a VALUES of a group, and return the variables of all that it has."""
        found = self._values()
        if twice := before & found.seen:
            raise _wrong(
                f"?{min(twice)} stands in two VALUES", "write one, with what stands in both"
            )
        here.join(found, "VALUES")
        return before | found.seen

    def _bracketed(self) -> tuple[set[str], set[str]]:
        """Skip brackets but for the groups of EXISTS in them.

        Returns:
            What AS names, and the variables that are asked for.
        """
        depth, names, asked = 0, set[str](), set[str]()
        while self._at < len(self._tokens):
            kind = self._tokens[self._at].kind
            text = self._take()
            if text == "EXISTS":
                self._exists()
            elif text == "AS":
                names.add(self._take()[1:])
            elif kind == "var":
                asked.add(text[1:])
            depth += (text in _OPEN) - (text in _CLOSE)
            if depth == 0:
                break
        return names, asked

    def _check_own(self, names: set[str], start: int) -> None:
        """Refuse variables of a MINUS, read from `start` on, that stand elsewhere too."""
        if name := self._elsewhere(names, start):
            raise _wrong(
                f"?{name} of a MINUS is not in the group before it, but elsewhere in the query",
                "give it a name of its own there, or use FILTER NOT EXISTS",
            )

    def _check_asked(self, names: set[str], start: int) -> None:
        """Refuse conditions of a group, read from `start` on, on variables bound outside of it."""
        if name := self._elsewhere(names, start):
            raise _wrong(
                f"a condition inside braces is on ?{name}, which they do not bind",
                "write the condition outside of them, or the pattern that binds it inside, too",
            )

    def _elsewhere(self, names: set[str], start: int) -> str:
        """Return one of the names that stands in the query before `start` or from here on."""
        if names:
            for token in self._tokens[self._inside : start] + self._tokens[self._at :]:
                if token.kind == "var" and token.text[1:] in names:
                    return token.text[1:]
        return ""

    def _bound(self, here: _Group) -> set[str]:
        """Read what BIND names."""
        start = self._at
        names, asked = self._bracketed()
        if name := self._elsewhere(asked - here.seen, start):
            raise _wrong(
                f"a BIND is of ?{name}, which nothing before it in its braces binds",
                "write the BIND behind the pattern that binds it",
            )
        if any(token.text == "EXISTS" for token in self._tokens[start : self._at]):
            raise _wrong("EXISTS stands in a BIND", "use it in a FILTER, or OPTIONAL and BOUND")
        return names

    def _until(self, text: str) -> None:
        while self._take() not in ("", text):
            pass


def _check_shared(here: _Group, other: _Group, what: str) -> None:
    shared, sure = here.seen & other.seen, here.sure & other.sure
    if what == "a MINUS":
        unsure = set[str]() if sure else shared
    else:
        unsure = shared - sure - (here.made & other.sure) - (here.sure & other.made)
    if unsure:
        names = " and ".join(f"?{name}" for name in sorted(unsure))
        raise _wrong(
            f"{names} of {what} need not be bound on both sides",
            "bind one of them in a plain pattern on both sides, or use FILTER NOT EXISTS"
            if what == "a MINUS"
            else "bind it in a plain pattern before, or compare with another name: "
            "FILTER(sameTerm(?it, ?other))",
        )


def _wrong(found: str, advice: str) -> QueryError:
    return QueryError("query Blazegraph", f"it would answer wrongly where {found}", advice)
