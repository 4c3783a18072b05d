"""What a person says afterwards of what is stored: tags, and that a run is withdrawn."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from ogm import GraphModel, Link
from ogm.keeping.closure import Pairs
from ogm.terms import BASE, RDF_TYPE, shorten
from ontologies.marks import Tag, Undone, Withdrawal
from ontologies.provenance import Activity, Run
from triplestore.errors import InputError, NotFoundError
from workflows.engine.execution.withdrawn import activities_of, resting_on, withdrawals
from workflows.engine.graph.stored_runs import runs_that_made
from workflows.text.safe_text import on_one_line
from workflows.trust.account import own_account

from .handles import Handle
from .latest import RunLine, lines_of
from .memory import Memory
from .naming import LAST, START, is_short
from .narrowed import RUNNING

MARKS = {Tag: "tagged", Withdrawal: "withdrawn", Undone: "undoes"}
"""The classes of marks, each with the field that points to its object."""

SHOWN = 5
"""Runs that are named to somebody who named what came of them."""

WORD = re.compile(r"[^\W\d][\w.+-]{0,63}")


@dataclass(frozen=True)
class Withdrawn:
    """What was withdrawn, or taken back into use.

    Attributes:
        marked: IRIs of the runs and activities.
        runs: IRIs of other runs that rest on them and were left as they are.
        activities: the same of activities.
        told: what the runs among all of these are: molecule, goal, level, how they ended.
    """

    marked: list[str]
    runs: list[str]
    activities: list[str]
    told: list[RunLine]


class Marks(Memory):
    """A session in which a person marks what is stored."""

    def tag(self, run: Handle, *words: str, remove: bool = False) -> list[str]:
        """Give a run or another object words by which it is found again; return all that it has.

        Args:
            run: what it is called, see `iri`.
            words: letters, digits, `.`, `+`, `-` and `_`; a letter first; case does not matter.
            remove: take these words away again.

        Raises:
            InputError: a word cannot be one, or means something else.
            NotFoundError: nothing is called so.
        """
        iri = self._stored(run).iri
        given = [word.strip().lower() for word in words]
        for word in given:
            if not WORD.fullmatch(word) or is_short(word) or START.fullmatch(word):
                raise InputError(
                    f"the tag {word!r} was asked for",
                    "it is no word, or would be taken for a number or the beginning of an IRI",
                    "give a word that begins with a letter, such as paper-2",
                )
        held: dict[str, list[Tag]] = {}
        for tag in self.kg.find(Tag, tagged=Link[Any](iri)):
            if not self.kg.find(Undone, undoes=Link[Any](tag.iri)):
                held.setdefault(tag.word, []).append(tag)
        if remove:
            self.kg.push(
                *(_undone(tag.iri) for word in given for tag in held.pop(word, ())),
            )
        else:
            new = [word for word in dict.fromkeys(given) if word not in held]
            self.kg.push(*(Tag(tagged=Link[Any](iri), word=word, **_noted()) for word in new))
            held |= {word: [] for word in new}
        return sorted(held)

    def withdraw(
        self, run: Handle, *, why: str = "", with_dependents: bool = False, undo: bool = False
    ) -> Withdrawn:
        """Say that a run or an activity is not to be relied upon, or that it is again.

        With a run the activities that it did are withdrawn; if all of it was remembered, those
        that its results came from. They are not remembered any more: who asks the same again has
        it computed anew. Values stay, and nothing is deleted.

        Args:
            run: what it is called, see `iri`; `last` is the last one that has ended and stands.
            why: the reason, in words; not needed to undo.
            with_dependents: withdraw all that rests on it, too.
            undo: take it, and its activities, back into use.

        Raises:
            InputError: it is no run and no activity, or no reason is given.
            NotFoundError: nothing is called so; or it is not withdrawn, and that is to be undone.
        """
        model = self._stored(run if undo else self.ended(run))
        asked = f"{model.iri} was to be {'taken back into use' if undo else 'withdrawn'}"
        if not isinstance(model, Run | Activity):
            made = runs_that_made(self.kg, model.iri)
            of = made or [one.iri for one in self.kg.find(Run, about=Link[GraphModel](model.iri))]
            which = f": {', '.join(map(shorten, of[:SHOWN]))}" if of else ""
            raise InputError(
                asked,
                f"it is neither a run nor an activity, but {type(model).__name__}",
                f"name a run{which}, or the activity that made it",
            )
        if not undo and not why.strip():
            raise InputError(asked, "no reason is given", "say why it is withdrawn (`why`)")
        marked = [model.iri]
        if isinstance(model, Run):
            marked += activities_of(self.kg, model.iri)
        runs, activities = resting_on(self.kg, marked)
        if with_dependents:
            marked, runs, activities = [*marked, *runs, *activities], [], []
        held = withdrawals(self.kg, marked)
        if undo and not held:
            raise NotFoundError(asked, "it is not withdrawn", "see `grafico runs --withdrawn`")
        if undo:
            self.kg.push(*(_undone(iri) for iris in held.values() for iri in iris))
            marked = [iri for iri in marked if iri in held]
        else:
            marked = [iri for iri in marked if iri not in held]
            self.kg.push(
                *(
                    Withdrawal(withdrawn=Link[Any](iri), why=why.strip(), **_noted())
                    for iri in marked
                )
            )
        self.executor.memory.forget()
        told = self._whole(lines_of(self.kg.store, [*marked, *runs]))
        return Withdrawn(marked, runs, activities, told)

    def ended(self, name: Handle) -> Handle:
        """Return the IRI that `last` means among runs that have ended, whatever began meanwhile."""
        found = LAST.fullmatch(name.strip()) if isinstance(name, str) else None
        if found is None:
            return name
        before, limit = int(found[1] or 0), 50
        while True:
            lines = self.runs(limit)
            ended = [line.run for line in lines if line.status != RUNNING]
            if len(ended) > before:
                return ended[before]
            if len(lines) < limit:
                there = f"{len(ended)} of them have ended" if ended else "none of them has ended"
                raise NotFoundError(
                    f"the run {name} was asked for",
                    f"of the runs that are not withdrawn {there}",
                    "see the list of runs (`runs`)",
                )
            limit *= 2

    def _stored(self, name: Handle) -> GraphModel:
        return self.kg.pull(GraphModel, self.iri(name))


class MarksOfOthers:
    """Finds what a file says of what was here before: tags, withdrawals, and that they are undone.

    What it says of objects that it brings along is the word of who made them, and counts.

    Attributes:
        told: what it says, a line each.
    """

    def __init__(self) -> None:
        self.told: list[str] = []

    def __call__(self, objects: Mapping[str, Pairs], new: Collection[str]) -> set[str]:
        """Return the marks among new objects whose object was here before; see `Hold`."""
        kinds = {cls.term(): BASE + field for cls, field in MARKS.items()}
        about: dict[str, str] = {}
        for iri in new:
            said = {name: term.value for name, term in objects[iri]}
            target = said.get(kinds.get(said.get(RDF_TYPE, ""), ""))
            if target:
                about[iri] = target
        held = {iri for iri, on in about.items() if on not in new}
        held |= {iri for iri, on in about.items() if on in held}  # undone before it came
        for iri in sorted(held):
            self.told.append(_mark_told({shorten(n): t.value for n, t in objects[iri]}))
        return held


def _mark_told(said: Mapping[str, str]) -> str:
    who, when = said.get("g:notedBy", "somebody"), said.get("g:noted", "")[:10]
    on = shorten(said.get("g:tagged") or said.get("g:withdrawn") or said.get("g:undoes", ""))
    what = (
        f"the tag {said['g:word']} on {on}"
        if "g:word" in said
        else f"the withdrawal of {on} ({said['g:why']})"
        if "g:why" in said
        else f"that {on} does not hold"
    )
    return on_one_line(f"{what}, by {who}, {when}")


def _noted() -> dict[str, Any]:
    return {"noted": datetime.now(UTC), "noted_by": own_account().text}


def _undone(iri: str) -> Undone:
    return Undone(undoes=Link[Any](iri), **_noted())
