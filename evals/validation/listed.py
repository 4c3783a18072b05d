"""Entries that are data: the tables in ``numbers/``, each row a value and who found it.

A table is a mapping; its `rows` are entries, with all else that the table says of each of them:

- `ours`: a method of `At`, then fields, indices and words of `WAYS`, as in `point.dipole.2`; two of
  these with ` - ` in between are a difference;
- `of`: the structure (see `structures.read_words`, or a name of the file's own `structures`) or
  what else the method takes; a mapping of such to numbers is a sum;
- `more`: what else the method takes, by name;
- `times`: a unit, where ours is in Eh; `given`: the same where what others found is in another
  unit than the table's;
- `value`: what others found, or a sum of the file's own `values`; or `beside`, the arguments of a
  program that is run (`by`), and `theirs`, the way into what it finds. In `parts` each `of` has its
  own arguments and is counted `n` times.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import yaml
from pydantic import BaseModel, ConfigDict

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import DEBYE, HARTREE

from . import psi4, slopes, xtb
from .entries import Entry, Value
from .laboratory import At
from .level import Level
from .structures import read_words

TABLES = Path(__file__).parent / "numbers"

PROGRAMS: Mapping[str, Callable[..., Any]] = {
    "psi4": psi4.Job, "psi4 correlated": psi4.CorrelatedJob, "xtb": xtb.Job,
    "psi4 stretch": slopes.Stretch, "differences": slopes.Differences,
}  # fmt: skip
SOURCES: Mapping[str, str] = yaml.safe_load(
    Path(__file__).with_name("sources.yaml").read_text(encoding="utf-8")
)
PER: Mapping[str, float] = {
    **HARTREE,
    "": 1.0,
    "cal/mol/K": HARTREE["kcal/mol"] * 1000,
    "J/mol/K": HARTREE["kJ/mol"] * 1000,
}
GIVEN = {"e·bohr": DEBYE, "cm⁻¹": 29.9792458}
"""What published values are multiplied by, where they are no energies: D, and GHz."""
WAYS: Mapping[str, Callable[[Any], Any]] = {
    "norm": np.linalg.norm,
    "size": lambda found: np.abs(found).max(),
    "least": np.min,
    "most": np.max,
    "count": len,
    "first bond": lambda places: np.linalg.norm(np.subtract(places[0], places[1])),
    "in eV": lambda found: found * HARTREE["eV"],
}
STEP = re.compile(r"([^.()]+)(?:\(([^()]*)\))?(?:\.|$)")
TEXTS = ("whole", "made", "broken", "deviation")
"""What takes no structure but a SMILES, an equation, or the name of a collection."""


class Row(BaseModel):
    """An entry as it is written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str
    molecule: str = ""
    quantity: str
    unit: str = ""
    level: str = ""
    options: dict[str, Any] = {}
    geometry: str = ""
    ours: str
    of: str | dict[str, float]
    more: dict[str, Any] = {}
    times: str = ""
    given: str = ""
    value: float | str | dict[str, float] = ""
    beside: dict[str, Any] = {}
    theirs: str = "energy"
    within: float = 0.0
    why: str
    source: str

    def entry(self, known: Mapping[str, str], values: Mapping[str, float]) -> Entry:
        """Return what it comes to, with the structures and values of its file."""
        of = {self.of: 1.0} if isinstance(self.of, str) else self.of
        text = self.ours.startswith(TEXTS)
        parts = [(one if text else _structure(one, known), n) for one, n in of.items()]
        method, _, basis = self.level.partition("/")
        level = Level(method, basis, self.options, self.geometry) if method else None
        per = GIVEN.get(self.given) or PER[self.unit] / PER[self.given] if self.given else 1.0

        def ours(at: At) -> Value:
            found = [(_ours(at, self.ours, one, self.more), n) for one, n in parts]
            if isinstance(found[0][0], str):
                return found[0][0]
            return float(sum(value * n for value, n in found) * PER[self.times])

        def theirs() -> Value:
            given: dict[str, Any] = dict(self.beside)
            if self.beside["by"] == "differences":
                given["level"] = level
            program, each = PROGRAMS[given.pop("by")], given.pop("parts", None)
            found, whole = 0.0, [{"of": one, "n": n} for one, n in of.items()]
            for part in each or whole:
                words: dict[str, Any] = {"n": 1.0, "theirs": self.theirs, **given, **part}
                atoms, n = _structure(words.pop("of"), known), words.pop("n")
                way: list[str] = words.pop("theirs").split("/")
                found += n * _along(program(atoms, **words).run(), way)
            return float(found * per)

        value = self.value
        if isinstance(value, dict):
            value = math.fsum(n * values[name] for name, n in value.items())
        if not isinstance(value, str):
            value *= per
        return Entry(
            self.kind, self.molecule or str(self.of), self.quantity, self.unit, level, ours,
            theirs if self.beside else value, self.within, _words(self.why), _words(self.source),
        )  # fmt: skip


def entries() -> Iterator[Entry]:
    """Return the entries of all tables."""
    for file in sorted(TABLES.glob("*.yaml")):
        found = yaml.safe_load(file.read_text(encoding="utf-8"))
        for table in found["tables"]:
            for row in table["rows"]:
                shared = {name: value for name, value in table.items() if name != "rows"}
                one = Row(**{**shared, **row})
                yield one.entry(found.get("structures", {}), found.get("values", {}))


def _structure(text: str, known: Mapping[str, str]) -> ConceptualAtoms:
    return read_words(known.get(text, text))


def _words(text: str) -> str:
    """Return a text in which names of `sources.yaml` stand for what they are."""
    head, mark, rest = text.partition(";")
    return SOURCES.get(head, head) + mark + rest


def _ours(at: At, ways: str, subject: Any, more: Mapping[str, Any]) -> Any:
    """Return what is asked for of a subject, or a difference of two such."""
    found: list[Any] = []
    for way in ways.split(" - "):
        (method, given), *rest = STEP.findall(way)
        words = [one.strip().rpartition("=") for one in given.split(",") if one]
        plain = [_number(value) for name, _, value in words if not name]
        named = {name: _number(value) for name, _, value in words if name}
        result = getattr(at, method)(subject, *plain, **named, **more)
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
