"""Entries that are data: the tables in ``numbers/``, each row a value and who found it.

A table is a mapping; its `rows` are entries, with all else that the table says of each of them:

- `ours`: a method of `At`, then fields, indices and words of `WAYS`, as in `point.dipole.2`; two of
  these with ` - ` in between are a difference;
- `of`: the structure (see `structures.read_words`, or a name of the file's own `structures`) or
  what else the method takes; a mapping of such to numbers is a sum;
- `times`: a unit, where ours is in Eh;
- `value`: what others found; or `beside`, the arguments of a program that is run (`by`), and
  `theirs`, the way into what it finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE

from . import psi4, psi4_correlated, sources, xtb
from .entries import Entry, Value
from .laboratory import At
from .level import Level
from .structures import read_words

TABLES = Path(__file__).parent / "numbers"

PROGRAMS: Mapping[str, Callable[..., Any]] = {
    "psi4": psi4.Job, "psi4 correlated": psi4_correlated.CorrelatedJob, "xtb": xtb.Job
}  # fmt: skip
PER: Mapping[str, float] = {
    **HARTREE,
    "": 1.0,
    "cal/mol/K": HARTREE["kcal/mol"] * 1000,
    "J/mol/K": HARTREE["kJ/mol"] * 1000,
}
WAYS: Mapping[str, Callable[[Any], Any]] = {
    "norm": np.linalg.norm,
    "size": lambda found: np.abs(found).max(),
    "least": np.min,
    "count": len,
    "first bond": lambda places: np.linalg.norm(np.subtract(places[0], places[1])),
    "in eV": lambda found: found * HARTREE["eV"],
}
STEP = re.compile(r"([^.()]+)(?:\(([^()]*)\))?(?:\.|$)")
TEXTS = ("whole", "made", "broken")
"""What takes no structure but a SMILES or an equation."""


class Row(BaseModel):
    """An entry as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str
    molecule: str
    quantity: str
    unit: str = ""
    level: str
    options: dict[str, Any] = {}
    geometry: str = ""
    ours: str
    of: str | dict[str, float]
    times: str = ""
    value: float | str = ""
    beside: dict[str, Any] = {}
    theirs: str = "energy"
    within: float = 0.0
    why: str
    source: str

    def entry(self, known: Mapping[str, str]) -> Entry:
        """Return what it comes to, with the structures of its file."""
        of = {self.of: 1.0} if isinstance(self.of, str) else self.of
        text = self.ours.startswith(TEXTS)
        parts = [(one if text else _structure(one, known), n) for one, n in of.items()]

        def ours(at: At) -> Value:
            found = [(_ours(at, self.ours, one), n) for one, n in parts]
            if isinstance(found[0][0], str):
                return found[0][0]
            return float(sum(value * n for value, n in found) * PER[self.times])

        def theirs() -> Value:
            given = {name: value for name, value in self.beside.items() if name != "by"}
            program = PROGRAMS[self.beside["by"]]
            found = [(program(one, **given).run(), n) for one, n in parts]
            return float(sum(_along(value, self.theirs.split("/")) * n for value, n in found))

        method, _, basis = self.level.partition("/")
        return Entry(
            self.kind, self.molecule, self.quantity, self.unit,
            Level(method, basis, self.options, self.geometry),
            ours, theirs if self.beside else self.value, self.within,
            _words(self.why), _words(self.source),
        )  # fmt: skip


def entries() -> Iterator[Entry]:
    """Return the entries of all tables."""
    for file in sorted(TABLES.glob("*.yaml")):
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
        for table in found["tables"]:
            for row in table["rows"]:
                shared = {name: value for name, value in table.items() if name != "rows"}
                yield Row(**{**shared, **row}).entry(found.get("structures", {}))


def _structure(text: str, known: Mapping[str, str]) -> ConceptualAtoms:
    return read_words(known.get(text, text))


def _words(text: str) -> str:
    """Return a text in which names of `sources` stand for what they are."""
    head, mark, rest = text.partition(";")
    return getattr(sources, head, head) + mark + rest


def _ours(at: At, ways: str, subject: Any) -> Any:
    """Return what is asked for of a subject, or a difference of two such."""
    found: list[Any] = []
    for way in ways.split(" - "):
        (method, given), *rest = STEP.findall(way)
        words = [one.strip().rpartition("=") for one in given.split(",") if one]
        plain = [_number(value) for name, _, value in words if not name]
        named = {name: _number(value) for name, _, value in words if name}
        result = getattr(at, method)(subject, *plain, **named)
        found.append(_along(result, [step for step, _ in rest]))
    return found[0] - found[1] if len(found) == 2 else found[0]


def _along(found: Any, steps: list[str]) -> Any:
    for step in steps:
        if step in WAYS:
            found = WAYS[step](found)
        elif step.isdigit():
            found = found[int(step)]
        else:
            found = cast(Any, found)[step] if isinstance(found, dict) else getattr(found, step)
    return found


def _number(text: str) -> Any:
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text
