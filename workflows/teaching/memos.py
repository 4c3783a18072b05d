"""Memos: corrections that are recalled by rank, whether they are rules or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from ogm import KnowledgeGraph, Link
from ogm.terms import shorten
from ontologies.consent import Consent
from ontologies.teaching import TaughtMemo, TaughtRule
from triplestore.errors import InputError
from workflows.engine import Executor, StepGraph, step
from workflows.engine.devices.taught import by, rule_of, rules_in_force
from workflows.engine.graph.yeses import agreed_here
from workflows.engine.request.agreed import Shown, agreed, shown
from workflows.engine.request.form import Form
from workflows.text.minilm import archive, required
from workflows.text.ranking import WORD, by_meaning, by_words

from .reading import LONGEST

ALIKE = 0.85
"""Cosine from which two memos say the same. Opposites may come near it, so that all wordings of
what is recalled as one are shown."""


@step("memo", effects=frozenset({"memo"}), target=shown, done="is stored")
async def remember(
    state: Shown, executor: Executor, device_graph: str, memo: str, repeats: str
) -> Shown:
    """Store a memo that a person teaches."""
    consent, _ = agreed_here(executor.kg)
    made = TaughtMemo(
        device_graph=device_graph,
        memo=memo,
        repeats=Link[TaughtMemo](repeats) if repeats else None,
        consent=Link[Consent](consent),
        taught=consent.agreed,
        taught_by=consent.agreed_by,
    )
    executor.record(made)
    return replace(state, found=(made,))


REMEMBERING = StepGraph("memo", remember)


class Remembered(Form):
    """The fields of the step that stores a memo."""

    device_graph: str
    memo: str
    repeats: str


@dataclass(frozen=True)
class Memo:
    """What a person has taught, as it is recalled.

    Attributes:
        words: theirs; the latest first of those that say the same.
        by: who has taught each, and when.
        device_graph: of what; empty for what is about no device.
        rule: what it comes to, in words; empty where it is no rule.
        iri: of the first that said it.
        runs: which, withdrawn, take back each of the words.
    """

    words: tuple[str, ...]
    by: tuple[str, ...]
    device_graph: str
    rule: str
    iri: str
    runs: tuple[str, ...]

    def __str__(self) -> str:
        told = [f"“{one}”, taught by {who}" for one, who in zip(self.words, self.by, strict=True)]
        rule = f"; every plan of {self.device_graph} keeps it: {self.rule}" if self.rule else ""
        return f"{'; likewise '.join(told)}{rule}"


def checked(words: str, asked: str) -> None:
    """Check that words can be kept as a memo.

    Raises:
        InputError: they are none, too many, or not printable.
    """
    if not words.isprintable() or not 1 <= len(words) <= LONGEST:
        raise InputError(asked, f"a memo has 1 to {LONGEST} printable letters", "say it so")


def memos(kg: KnowledgeGraph, device_graph: str = "") -> list[Memo]:
    """Return what this person has taught and nobody has withdrawn, the oldest first.

    Args:
        kg: where it is stored.
        device_graph: of this device, and what is about none; all if empty.
    """
    step, fields = (REMEMBERING.name, "Remember"), tuple(Remembered.model_fields)
    held = {
        one.iri: (one, yes)
        for one in sorted(kg.find(TaughtMemo), key=attrgetter("taught", "iri"))
        if (yes := agreed(kg, one, step, fields))
    }
    groups = dict[str, list[tuple[TaughtMemo, Consent]]]()
    for one, yes in held.values():
        first = one.repeats.iri if one.repeats and one.repeats.iri in held else one.iri
        groups.setdefault(first, []).insert(0, (one, yes))
    found = [
        Memo(
            tuple(one.memo for one, _ in each),
            tuple(f"{one.taught_by} on {one.taught:%Y-%m-%d}" for one, _ in each),
            each[-1][0].device_graph,
            "",
            first,
            tuple(shorten(yes.run.iri) for _, yes in each),
        )
        for first, each in groups.items()
    ]
    for graph in sorted({one.device_graph for one in kg.find(TaughtRule)}):
        for one, yes in rules_in_force(kg, graph):
            run = (shorten(yes.run.iri),)
            found.append(Memo((one.memo,), (by(one),), graph, str(rule_of(one)), one.iri, run))
    return [one for one in found if not device_graph or one.device_graph in ("", device_graph)]


def recalled(asked: str, there: Sequence[Memo]) -> list[tuple[Memo, float]]:
    """Return memos, the nearest to a request first, each with its cosine.

    By meaning, where that is installed: all of them, as right ones lie at cosines from 0.27 up.
    Otherwise by words: those that have any of the request's, with the score.
    """
    said = [(one, words) for one in there for words in one.words]
    texts = [words for _, words in said]
    if not there or archive() is None:
        ranked = by_words(asked, texts)
    else:
        encoder = required("what was taught was asked for")
        ranked = by_meaning(encoder.vectors([asked])[0], encoder.vectors(texts))
    best = dict[str, tuple[Memo, float]]()  # each by the nearest of its wordings
    for at, score in ranked:
        best.setdefault(said[at][0].iri, (said[at][0], score))
    return [*best.values()]


def same(words: str, there: Sequence[Memo], device_graph: str) -> tuple[Memo, str] | None:
    """Return a memo of the same device that says the same, and how that is known."""
    own = [one for one in there if one.device_graph == device_graph and not one.rule]
    if archive() is None:
        spelt = WORD.findall(words.casefold())
        equal = (one for one in own for said in one.words if WORD.findall(said.casefold()) == spelt)
        found = next(equal, None)
        return found and (found, "in the same words")
    every = [(one, said) for one in own for said in one.words]
    if not every:
        return None
    encoder = required("a memo was to be kept")
    vectors = encoder.vectors([said for _, said in every])
    at, cosine = by_meaning(encoder.vectors([words])[0], vectors)[0]
    return (every[at][0], f"cosine {cosine:.2f}") if cosine >= ALIKE else None


def reminders(kg: KnowledgeGraph, device_graph: str, asked: str, most: int = 3) -> Iterator[str]:
    """Iterate over memos that are no rules, the nearest to a request first, in words.

    They are told beside a plan and change nothing of it.
    """
    there = [one for one in memos(kg, device_graph) if not one.rule]
    for one, _ in recalled(asked, there)[:most]:
        yield f"memo: {one}"
