"""Which passages a question is nearest to; vectors of documents are kept by their digests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workflows.text.kept import Kept
from workflows.text.minilm import DIGESTS, LONGEST, SIZE, Encoder, Vectors, required
from workflows.text.ranking import By, by_meaning, by_words, default, fused
from workflows.text.words import count

from .finding import Document
from .passages import Passage, passages

KEPT = Kept("meanings")

LAYOUT = 1
"""Changes with what a passage is, so that what was kept is computed again."""

MOST_NEW = 500
"""Passages whose vectors are computed where nobody has asked for it: half a minute of one core."""


@dataclass(frozen=True)
class Recalled:
    """Passages that a question is nearest to.

    Attributes:
        there: all passages.
        best: places of the nearest among them, in order.
        scores: of each place by words (BM25).
        cosines: of each place by meaning.
        remarks: how they were ranked, in words.
    """

    there: Sequence[Passage]
    best: Sequence[int]
    scores: dict[int, float]
    cosines: dict[int, float]
    remarks: tuple[str, ...]


def recalled(asked: str, read: Sequence[Document], by: By | None, most: int, what: str) -> Recalled:
    """Return the passages that a question is nearest to, with how they were ranked.

    Args:
        asked: the question, or words.
        read: documents with text.
        by: how they are ranked; None for by both, where that is installed and soon done.
        most: passages, at most.
        what: what was asked, as one clause.

    Raises:
        ComponentError: the weights are not installed.
    """
    each = [[*passages(one.name, one.text.pages)] for one in read]
    there = [passage for one in each for passage in one]
    texts = [one.text for one in there]
    way = by or default()
    remarks = list[str]()
    vectors: list[Vectors | None] = []
    if way != "words":
        vectors = [_kept(one, len(own)) for one, own in zip(read, each, strict=True)]
        new = sum(len(own) for own, had in zip(each, vectors, strict=True) if had is None)
        if by is None and new > MOST_NEW:
            way = "words"
            told = f"the meaning of {new} passages would take about {new // 15} s once"
            remarks.append(f"{told}: say `by`")
    worded = by_words(asked, texts) if way != "meaning" else []
    if way == "words":
        remarks.append("ranked by words (BM25)")
        return Recalled(there, [at for at, _ in worded[:most]], dict(worded), {}, tuple(remarks))
    encoder = required(what)
    found = [
        _computed(one, own, encoder) if had is None else had
        for one, own, had in zip(read, each, vectors, strict=True)
    ]
    every = np.concatenate([*found, np.zeros((0, SIZE), np.float32)])
    meant = by_meaning(encoder.vectors([asked])[0], every)
    ranked = fused(worded, meant) if way == "both" else meant
    names = "words (BM25) and meaning" if way == "both" else "meaning"
    remarks.append(f"ranked by {names} (all-MiniLM-L6-v2): the nearest need not be an answer")
    if way == "both" and not worded:
        remarks.append("no passage has any of these words")
    best = [at for at, _ in ranked[:most]]
    if cut := sum(len(encoder.pieces(texts[at])) == LONGEST for at in best):
        remarks.append(f"of {count(cut, 'long passage')} only the beginning was compared so")
    return Recalled(there, best, dict(worded), dict(meant), tuple(remarks))


def _key(one: Document) -> str:
    ending = Path(one.name).suffix.lower()
    return f"{one.digest}{ending}.{DIGESTS['model.safetensors'][:8]}.{LAYOUT}.float32"


def _kept(one: Document, many: int) -> Vectors | None:
    """Return the vectors of a document that are kept; None where they are not what was kept."""
    content = KEPT.read(_key(one))
    if content is None or len(content) != many * SIZE * 4:
        return None
    found = np.frombuffer(content, np.float32).reshape(many, SIZE)
    return found if np.isfinite(found).all() else None


def _computed(one: Document, own: Sequence[Passage], encoder: Encoder) -> Vectors:
    found = encoder.vectors([each.text for each in own])
    KEPT.write({_key(one): found.tobytes()})
    return found
