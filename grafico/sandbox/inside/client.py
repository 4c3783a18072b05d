"""Values of the knowledge graph by IRI; a snippet has this module as `grafico_values`.

::

    import grafico_values as g

    point = g.value("g:id/SinglePoint/…")     # what it holds, read only
    point.energy, g.unit(point, "energy")     # -76.0267…, 'E_h'
    point.atoms.positions                     # NumPy array; what a field holds is read on touch
    g.query("SELECT ?r ?e { ?r g:energy ?e }")  # pandas DataFrame
    g.table("g:id/Run/…")                     # the rows of a batch, likewise
    g.keep("gap", point.lumo - point.homo, "Eh", of=point)  # stored with this code
    proton = g.cite(-265.9, "kcal/mol", "Tissandier et al. 1998")  # a number of the literature

Every request goes through a socket to the process that owns the store.
"""

from __future__ import annotations

import contextlib
import difflib
import socket
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from .frames import FrameError, pack, receive

if TYPE_CHECKING:
    import pandas

__all__ = ["LimitError", "NotFoundError", "QueryError", "Value", "ValuesError"]
__all__ += ["cite", "keep", "query", "table", "unit", "value"]

MOST_HEAD, MOST_BODY = 64 << 20, 256 << 20
SHOWN = 60
"""Characters of a field in the text of a value."""

_channel: socket.socket | None = None


class ValuesError(Exception):
    """A request for values that could not be answered."""


class NotFoundError(ValuesError):
    """Nothing of that name is stored."""


class QueryError(ValuesError):
    """Not a query, not read-only, or beyond the limits."""


class LimitError(ValuesError):
    """Too many requests, too large an answer, or it took too long."""


ERRORS = {cls.__name__: cls for cls in (NotFoundError, QueryError, LimitError)}


def connect(fd: int) -> None:
    """Ask through this socket from now on."""
    global _channel
    _channel = socket.socket(fileno=fd)


def _ask(**request: Any) -> tuple[dict[str, Any], bytes]:
    if _channel is None:
        raise ValuesError("there is no connection to the knowledge graph here")
    try:
        _channel.sendall(pack(request))
        head, body = receive(_channel, MOST_HEAD, MOST_BODY)
    except (OSError, EOFError, FrameError) as error:
        raise ValuesError(f"the connection to the knowledge graph has ended: {error}") from None
    if "error" in head:
        raise ERRORS.get(str(head["error"]), ValuesError)(head["message"])
    return head, body


class Value:
    """An object of the graph; its fields are attributes and are read when first touched.

    Attributes:
        iri: its IRI.
    """

    iri: str

    def __init__(self, iri: str) -> None:
        self.__dict__.update(iri=iri, _head=None, _read={})

    def _load(self) -> Mapping[str, Any]:
        if self.__dict__["_head"] is None:
            head, _ = _ask(op="value", iri=self.iri)
            self.__dict__.update(_head=head, iri=head["iri"])
        return cast("Mapping[str, Any]", self.__dict__["_head"])

    @property
    def fields(self) -> dict[str, str]:
        """The units of all fields by name; empty where there is none."""
        head = self._load()
        return {name: head["units"].get(name, "") for name in head["fields"]}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # what Python's own protocols look for is never a field
            raise AttributeError(name)
        head, read = self._load(), cast("dict[str, Any]", self.__dict__["_read"])
        name = head["told"].get(name, name)  # as results are told of, with the unit
        if name not in head["fields"]:
            near = " or ".join(difflib.get_close_matches(name, list(self.fields)))
            raise AttributeError(
                f"{head['class']} has no {name!r}; {f'did you mean {near}? ' if near else ''}"
                f"it has {', '.join(head['fields'])}"
            )
        if name not in read:
            read[name] = self._decoded(name, head["fields"][name])
        return read[name]

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"{name}: what is stored is never changed")

    def _decoded(self, name: str, tagged: Any) -> Any:
        tag, item = tagged
        if tag == "array":
            import numpy as np

            head, body = _ask(op="array", iri=self.iri, field=name)
            return np.frombuffer(body, head["dtype"]).reshape(head["shape"])
        if tag == "object":
            return Value(item)
        if tag == "time":
            return datetime.fromisoformat(item)
        if tag == "items":
            return tuple(self._decoded(name, one) for one in item)
        return item

    def __dir__(self) -> Iterator[str]:
        yield from ("iri", "fields", *self._load()["fields"])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Value) and self.iri == other.iri

    def __hash__(self) -> int:
        return hash(self.iri)

    def __repr__(self) -> str:
        head = self._load()
        lines = [f"{head['class']} {self.iri}"]
        for name, (tag, item) in head["fields"].items():
            if tag == "array":
                text = f"array of shape {tuple(item)}"
            elif tag == "items":
                text = (
                    f"{len(item)} × {item[0][1]}, …" if len(item) > 3 else str([i[1] for i in item])
                )
            else:
                text = str(item)
            text = text if len(text) <= SHOWN or tag == "object" else text[:SHOWN] + "…"
            lines.append(f"  {name} = {text} {head['units'].get(name, '')}".rstrip())
        return "\n".join(lines)


def value(iri: str | Value) -> Value:
    """Return the object of an IRI, full or short (`g:id/…`).

    Raises:
        NotFoundError: nothing of that IRI is stored.
    """
    loaded = iri if isinstance(iri, Value) else Value(str(iri))
    loaded._load()  # pyright: ignore[reportPrivateUsage]
    return loaded


def unit(of: str | Value, field: str) -> str:
    """Return the unit of a field by its QUDT code (`E_h`, `ANGSTROM`, …); empty if it has none."""
    fields = value(of).fields
    if field not in fields:
        raise AttributeError(f"there is no {field!r}; there are {', '.join(fields)}")
    return fields[field]


def keep(
    name: str, value: float, unit: str = "", of: str | Value | Iterable[str | Value] = ()
) -> None:
    """Keep a number that was derived, with this code, once the snippet has run to its end.

    Args:
        name: what it is, and by which it is found again, such as `pKa`.
        value: in its unit.
        unit: such as `kcal/mol`; empty for none.
        of: the objects that it is a quantity of, or their IRIs.

    Raises:
        NotFoundError: no such object is stored.
        ValuesError: the name or the unit is too long, or the value is no finite number.
        LimitError: too many are kept.
    """
    those = [of] if isinstance(of, str | Value) else list(of)
    iris = [one.iri if isinstance(one, Value) else str(one) for one in those]
    _ask(op="keep", name=str(name), value=float(value), unit=str(unit), of=iris)


def cite(value: float, unit: str, reference: str) -> float:
    """Return a number of the literature, which is shown with its reference wherever it counts.

    Args:
        value: in its unit.
        unit: such as `kcal/mol`; empty for none.
        reference: where it is found, such as `CRC Handbook, 97th edition`.

    Raises:
        ValuesError: there is no reference, a text is too long, or the value is no finite number.
        LimitError: too many are cited.
    """
    _ask(op="cite", value=float(value), unit=str(unit), reference=str(reference))
    return float(value)


def query(sparql: str) -> pandas.DataFrame | bool:
    """Answer a read-only SPARQL query; the usual prefixes are known. ASK gives a truth value.

    Raises:
        QueryError: not a query, not read-only, or beyond the limits.
    """
    import pandas as pd

    head, _ = _ask(op="query", sparql=str(sparql))
    if "truth" in head:
        return bool(head["truth"])
    table = pd.DataFrame(head["rows"], columns=head["columns"])
    table.attrs["cut"] = head["cut"]
    if head["cut"]:
        print(f"this is not the whole answer: {head['cut']}", file=sys.stderr)
    for line in head["unknown"]:
        print(line, file=sys.stderr)
    return table


def table(iri: str | Value) -> pandas.DataFrame:
    """Return the rows of a batch, by the IRI of it or of a run of it; units are in the names.

    What was given with an entry, such as a measured value, is a number where its whole column is.

    Raises:
        NotFoundError: there is no such batch.
        LimitError: it has too many rows.
    """
    import pandas as pd

    head, _ = _ask(op="table", iri=iri.iri if isinstance(iri, Value) else str(iri))
    found: Any = pd.DataFrame(head["rows"], columns=head["columns"])
    for name in found.columns:
        with contextlib.suppress(ValueError, TypeError):
            found[name] = cast("Any", pd).to_numeric(found[name])
    return found
