"""Which numbers in the answer of a query the store holds, and which the query itself made.

Whoever writes a query can have it answer with any number: a constant, a piece of a text, the time.
So a number counts as stored only where the store holds that literal on an object whose numbers are
sources (see `ontologies.origins`), and one that the query has computed counts as derived only
where nothing but stored numbers can have entered it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ogm.terms import BASE, PREFIXES, XSD, with_prefixes
from ontologies.derived import DerivedQuantity
from ontologies.origins import REMARKS, origins, sources
from triplestore import Store, Table
from triplestore.guard.lexer import Token, tokens

from .inspection import shorten, text

if TYPE_CHECKING:
    from ogm.fields import FieldPlan

How: TypeAlias = Literal["stored", "setting", "count", "derived"]

REAL = frozenset(XSD + name for name in ("double", "float", "decimal"))
WHOLE = frozenset(
    XSD + name for name in ("integer", "int", "long", "nonNegativeInteger", "positiveInteger")
)
STRING = XSD + "string"

MOST = 5_000
"""Literals of one answer that are looked for; those beyond have no source."""

AT_ONCE = 40
"""Literals that are looked for by one query."""

BESIDE = 20
"""Objects in its rows that are asked whether they hold it."""

_FRACTION = re.compile(r"\d[.,]\d")
_INSTANCE = BASE + "id/"

MAKERS = frozenset({
    "DAY", "HOURS", "MINUTES", "MONTH", "NOW", "RAND", "SECONDS", "STRDT", "STRLEN", "TIMEZONE",
    "YEAR",
})  # fmt: skip
"""Functions that make numbers of what is no number."""


@dataclass(frozen=True)
class ValueOrigin:
    """Where a term of an answer comes from.

    Attributes:
        how: `stored`, `setting` and `count` are held by an object, `derived` the query computed.
        unit: the QUDT code of a stored number, `1` for none; empty where it is not known.
        of: the object that holds it; empty for one that was computed.
    """

    how: How
    unit: str = ""
    of: str = ""


def origins_of(
    store: Store, sparql: str, rows: Sequence[Sequence[Any]]
) -> list[list[ValueOrigin | None]]:
    """Return where each term of an answer comes from; None for what is no source of a number.

    Args:
        store: that was asked.
        sparql: the query.
        rows: terms of its answer.
    """
    whole = computes_alone(sparql)
    places = _places(store, rows)
    found: list[list[ValueOrigin | None]] = []
    for row in rows:
        here = {text(term) for term in row}
        found.append([_origin(term, here, places, whole) for term in row])
    return found


def _origin(
    term: Any, row: set[str], places: dict[Any, list[ValueOrigin]], whole: bool
) -> ValueOrigin | None:
    kind = _datatype(term)
    held = places.get(term, [])
    if held:
        return next((one for one in held if one.of in row), held[0])
    if whole and kind in WHOLE:
        return ValueOrigin("count")
    return ValueOrigin("derived") if whole and kind in REAL else None


def _datatype(term: Any) -> str:
    return getattr(getattr(term, "datatype", None), "value", "")


def _sought(rows: Sequence[Sequence[Any]]) -> dict[Any, dict[str, None]]:
    """Return the literals that may be numbers or remarks of objects, with the IRIs beside them."""
    found: dict[Any, dict[str, None]] = {}
    for row in rows:
        iris = [text(term) for term in row if text(term).startswith(_INSTANCE)]
        for term in row:
            kind = _datatype(term)
            if kind not in REAL and not (kind == STRING and _FRACTION.search(term.value)):
                continue
            if term in found or len(found) < MOST:
                beside = found.setdefault(term, {})
                beside |= dict.fromkeys(iris[: BESIDE - len(beside)])
    return found


def _places(store: Store, rows: Sequence[Sequence[Any]]) -> dict[Any, list[ValueOrigin]]:
    """Return for each literal objects that hold it, those named beside it among them."""
    plans, sought = _plans(), _sought(rows)
    terms, by_value = [*sought], dict[Any, list[ValueOrigin]]()
    for start in range(0, len(terms), AT_ONCE):
        some = terms[start : start + AT_ONCE]
        groups = " UNION ".join(_group(at, term, [*sought[term]]) for at, term in enumerate(some))
        answer = store.query(with_prefixes(f"SELECT ?at ?s ?p ?c ?u {{ {groups} }}"))
        assert isinstance(answer, Table)
        for at, subject, predicate, cls, unit in answer.rows:
            if (plan := plans.get((text(cls), text(predicate)))) is None:
                continue
            field, how = plan
            code = text(unit) if unit is not None else field.unit.code if field.unit else ""
            one = ValueOrigin(how, "1" if code in ("", "UNITLESS") else code, text(subject))
            by_value.setdefault(some[int(text(at))], []).append(one)
    return by_value


def _group(at: int, term: Any, iris: Sequence[str]) -> str:
    """Return the pattern that finds who holds a literal."""
    classes = ", ".join(f"<{cls.term()}>" for cls in sources())
    holds = (
        f"?s ?p {term} ; a ?c . OPTIONAL {{ ?s a <{DerivedQuantity.term()}> ; g:unit ?u }} "
        f"FILTER(?c IN ({classes})) FILTER(?c != <{DerivedQuantity.term()}> || "
        "EXISTS { ?s g:derivation/prov:used ?any })"
    )
    some = [f"{{ SELECT ({at} AS ?at) ?s ?p ?c ?u {{ {holds} }} LIMIT 3 }}"]
    if iris:
        those = " ".join(f"<{iri}>" for iri in iris)
        some.append(f"{{ SELECT ({at} AS ?at) ?s ?p ?c ?u {{ VALUES ?s {{ {those} }} {holds} }} }}")
    return " UNION ".join(some)


def _plans() -> dict[tuple[str, str], tuple[FieldPlan, How]]:
    """Return the fields that are sources, and how, by class and predicate."""
    found: dict[tuple[str, str], tuple[FieldPlan, How]] = {}
    for cls in sources():
        known = origins(cls)
        for plan in cls.fields():
            if plan.name in known:
                found[cls.term(), plan.predicate] = plan, known[plan.name]
            elif plan.name == REMARKS:
                found[cls.term(), plan.predicate] = plan, "stored"
    return found


# --- what a query computes -----------------------------------------------------------------------


def computes_alone(sparql: str) -> bool:
    """Tell whether whatever number a query computes can only be made of numbers that are sources.

    So it is of a query without constants (but in LIMIT, OFFSET and the conditions of FILTER),
    without functions and casts that make numbers of texts, times or chance, and whose properties
    are named and hold either no numbers or such as are sources.
    """
    try:
        every = [*tokens(sparql, PREFIXES)]
    except Exception:  # it was answered, so another reader understood it: no promise is made
        return False
    bad = _bad_properties()
    before, depth, conditions = Token("", "", 0), 0, list[int]()
    for at, token in enumerate(every):
        kind, said, _ = token
        after = every[at + 1].text if at + 1 < len(every) else ""
        if said == "(":
            depth += 1
        elif said == ")":
            depth -= 1
            if conditions and conditions[-1] == depth:
                conditions.pop()
        elif kind == "word" and said == "FILTER" and after == "(":
            conditions.append(depth)
        inside = bool(conditions) and depth > conditions[-1]
        match kind:
            case "number" if not inside and before.text not in ("LIMIT", "OFFSET"):
                return False
            case "word" if said in MAKERS:
                return False
            case "iri" | "name" if after == "(" or _full(token) in bad:
                return False  # a cast, or a property that anybody can set
            case "mark" if said == "^^" or (said == "!" and not inside):
                return False  # a typed constant; a path along anything but
            case "var" if before.kind == "var" and not depth and not _heads(every[:at]):
                return False  # a property that is not named
            case _:
                pass
        before = token
    return True


def _heads(before: Sequence[Token]) -> bool:
    """Tell whether what stands last is a list of variables, not a pattern."""
    for token in reversed(before):
        if token.kind == "word":
            return token.text in ("SELECT", "DISTINCT", "REDUCED", "BY", "ASC", "DESC", "AS")
        if token.kind != "var" and token.text != ")":
            return False
    return False


def _full(token: Token) -> str:
    if token.kind == "iri":
        return token.text[1:-1]
    prefix, _, local = token.text.partition(":")
    return PREFIXES.get(prefix, "") + local


def _bad_properties() -> frozenset[str]:
    """Return the properties that hold numbers which are no sources, or not always."""
    from ogm import GraphModel
    from ogm.model import storable

    return frozenset(
        plan.predicate
        for cls in storable(GraphModel)
        for plan in cls.fields()
        if plan.kind in ("int", "float")
        and (origins(cls).get(plan.name) not in ("stored", "count") or cls is DerivedQuantity)
    )


def origins_by_column(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    found: Sequence[Sequence[ValueOrigin | None]],
) -> dict[str, Any]:
    """Return by column where its numbers come from, once where all rows agree."""
    said: dict[str, Any] = {}
    for at, name in enumerate(columns):
        cells = [_cell(origin[at], row) for origin, row in zip(found, rows, strict=True)]
        if any(cells):
            same = all(cell == cells[0] for cell in cells)
            said[name] = cells[0] if same else cells
    return said


def _cell(origin: ValueOrigin | None, row: Sequence[Any]) -> dict[str, Any] | None:
    if origin is None:
        return None
    iri = shorten(origin.of)
    place: Any = row.index(iri) if iri and iri in row else iri
    parts = {"how": origin.how, "unit": origin.unit, "of": place}
    return {name: value for name, value in parts.items() if value != ""}
