"""A run as Python is handed it: shown as its blocks, its numbers and arrays by their names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ogm import GraphModel, KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from triplestore.errors import NotFoundError
from workflows.engine import Answer
from workflows.text.names import named, plain

from .blocks import Displayed, Section, Table
from .object_blocks import ModelT
from .run_blocks import RunSummary, answering, read_run, run_blocks
from .shown_numbers import near_numbers, numbers_of

if TYPE_CHECKING:
    import pandas as pd

NEAR = 0.6
"""How like each other two names are, from 0 to 1, of which one may be meant for the other."""


class DisplayedRun(Displayed):
    """What a run came to, as Python is handed it: a notebook shows the run's blocks.

    What its results hold beside single numbers is an attribute of it, too (`wavenumbers`,
    `mulliken_charges`), where one result has it, or several of one geometry: then the last. So is
    what its last geometry has (`positions`, `to_ase`), and a number with its unit (`dipole_D`).

    Attributes:
        run: IRI of the run; empty for none.
        status: `finished`, or how else it ended.
        message: in words.
    """

    run: str
    status: str
    message: str

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        raise NotImplementedError

    @property
    def values(self) -> dict[str, float]:
        """The single numbers that are shown of it, with their units in the names: `dipole_D`."""
        return numbers_of(self.shown_sections())

    def frame(self, name: str = "") -> pd.DataFrame:
        """Return a table of it as one of pandas; units are in the names of columns.

        Args:
            name: of which table, such as `charges`; if empty the main one, or, where there is
                none, `values` in one row.

        Raises:
            NotFoundError: there is no table of that name; it says which there are.
        """
        import pandas as pd

        tables = {one.name or plain(one.title): one for one in self._tables()}
        shown = [one for one in tables.values() if not one.minor and not one.digest]
        main = next((o for kind in ("", "rows") for o in shown if o.lines == kind), None)
        table = next((one for key, one in tables.items() if plain(key) == plain(name)), None)
        if name and table is None:
            raise NotFoundError(
                f"a table {name!r} was asked for",
                "it has none of that name",
                f"there are: {', '.join(tables)}" if tables else "its numbers are in .values",
            )
        table = table or main
        if table is None:
            return pd.DataFrame([self.values])
        heads = [named(one.name or one.label, one.unit) for one in table.columns]
        return pd.DataFrame([list(row) for row in table.rows], columns=heads)

    def to_pandas(self) -> pd.DataFrame:
        """Return the same as `frame`, by the name that other libraries have for it."""
        return self.frame()

    def _tables(self) -> Iterator[Table]:
        sections = (*answering(self.ran), *self.shown_sections())
        return (one for each in sections for one in each.blocks if isinstance(one, Table))

    def _held(self) -> dict[str, Any]:
        """Return what its results hold beside single numbers with units, by name."""
        ran, held, at = self.ran, dict[str, Any](), dict[str, set[str]]()
        results: list[GraphModel] = [
            one.result for one in ran.answers if one.recorded not in ran.stages
        ]
        for result in [*results, *ran.made]:
            place = getattr(result, "atoms", None)
            for plan in type(result).fields():
                value = getattr(result, plan.name)
                single = plan.kind == "float" and plan.container == "one"
                if value is None or single or plan.kind in ("model", "link"):
                    continue
                at.setdefault(plan.name, set()).add(getattr(place, "iri", ""))
                held[plan.name] = value
        return {name: value for name, value in held.items() if len(at[name]) == 1}

    def _of_atoms(self) -> dict[str, Any]:
        """Return its last geometry, and what that has, by name."""
        for name in ("atoms", "product"):
            there = name in vars(self) or hasattr(type(self), name)
            atoms = getattr(self, name) if there else None
            if isinstance(atoms, ConceptualAtoms):
                kind = type(atoms)
                names = (*kind.model_fields, *vars(kind))
                public = (one for one in names if not one.startswith(("_", "from_", "model_")))
                return {"atoms": atoms, **{one: getattr(atoms, one) for one in public}}
        return {}

    if not TYPE_CHECKING:  # a slip is still seen where types are checked

        def __getattr__(self, name: str) -> Any:
            told = f"a {type(self).__name__} has no attribute {name!r}"
            if name.startswith("_"):  # such as those that notebooks and pickle look for
                raise AttributeError(told)
            numbers, held, of_atoms = self.values, self._held(), self._of_atoms()
            for there in (numbers, held, of_atoms):
                if name in there:
                    return there[name]
            tables = [one.name for one in self._tables() if one.name]
            near = [
                *filter(None, [near_numbers(name, numbers)]),
                *(f".{one}" for one in _near(name, {**held, **of_atoms})),
                *(f".frame({one!r})" for one in _near(name, tables)),
            ]
            if near:
                raise AttributeError(f"{told}; near it: {', '.join(near)}")
            every = [f"its numbers are in .values: {', '.join(list(numbers)[:12])}"]
            arrays = [f".{name}" for name, one in held.items() if isinstance(one, np.ndarray)]
            frames = [f".frame({one!r})" for one in dict.fromkeys(tables)]
            if others := (*arrays, *(f".{one}" for one in list(of_atoms)[:1]), *frames):
                every.append(f"it has also {', '.join(others)}")
            raise AttributeError("; ".join([told, *every]))

    def __dir__(self) -> list[str]:
        """Name what its results hold, too."""
        numbers = (one for one in self.values if one.isidentifier())
        return [*super().__dir__(), *numbers, *self._held(), *self._of_atoms()]

    def charted_sections(self) -> Sequence[Section]:
        """Return where charts of it are looked for, what was asked first."""
        return (*answering(self.ran), *self.shown_sections())

    def last_of(self, answers: Sequence[Answer[ModelT]]) -> ModelT:
        """Return the last result.

        Raises:
            NotFoundError: the run ended before it had one.
        """
        if not answers:
            raise NotFoundError(
                f"the result of run {self.run} was asked for",
                f"it has none: {self.message}",
                "mend what it says, or resume the run",
            )
        return answers[-1].result

    def shown_sections(self) -> tuple[Section, ...]:
        """Return the sections of the run."""
        return run_blocks(self.ran)


@dataclass(frozen=True)
class StoredRun(DisplayedRun):
    """A run as it is stored, whoever made it and whenever: nothing is computed.

    Attributes:
        run: its IRI.
        status: how it ended; empty where that was never recorded.
        message: in words.
        summary: what is known of it.
    """

    run: str
    status: str
    message: str
    summary: RunSummary

    @classmethod
    def of(cls, kg: KnowledgeGraph, iri: str) -> StoredRun:
        """Return a run of a store.

        Raises:
            NotFoundError: there is none of that IRI.
        """
        ran = read_run(kg, iri)
        return cls(iri, ran.status, ran.message, ran)

    @property
    def ran(self) -> RunSummary:
        """The run as views see it."""
        return self.summary

    @property
    def answers(self) -> tuple[Answer[Any], ...]:
        """What was computed or remembered, in order."""
        return self.ran.answers

    @property
    def last(self) -> GraphModel:
        """The last result.

        Raises:
            NotFoundError: the run ended before it had one.
        """
        return self.ran.made[-1] if self.ran.made else self.last_of(self.answers)

    @property
    def atoms(self) -> ConceptualAtoms | None:
        """The last geometry; None where it has none."""
        each = [getattr(one, "atoms", None) for one in (*self.ran.results,)]
        there = [one for one in (*self.ran.about, *each) if isinstance(one, ConceptualAtoms)]
        named = (one for one in there if one.iri == self.ran.geometry)
        return next(named, there[-1] if there else None)

    @property
    def energy(self) -> float | None:
        """Total energy of the last result that has one, in Eh; None where none has."""
        each = [getattr(one, "energy", None) for one in self.ran.results]
        return next((one for one in reversed(each) if isinstance(one, float)), None)


def _near(name: str, there: Iterable[str]) -> list[str]:
    """Return which names are called nearly so: those that hold a name, then those like it."""
    names = dict.fromkeys(there)
    within = [one for one in names if plain(name) in plain(one)]
    return within[:3] or difflib.get_close_matches(name, names, 3, NEAR)
