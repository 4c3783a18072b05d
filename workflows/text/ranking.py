"""Which of several texts a question is nearest to: by its words, by its meaning, or by both.

Ranks are told and no threshold is set: right answers lie at cosines from 0.27 up, wrong ones too.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal, TypeAlias

from .minilm import Vectors, archive

By: TypeAlias = Literal["both", "meaning", "words"]

K1, B = 1.5, 0.75
"""How soon more of a word says no more, and how much longer texts count less.

Source: S. Robertson, H. Zaragoza, Found. Trends Inf. Retr. 3, 333 (2009), doi:10.1561/1500000019.
"""

SOON = 10
"""How soon a rank counts less where two are made one: the share of each is 1/(SOON + rank).

Source: G. V. Cormack et al., SIGIR 2009, 758, doi:10.1145/1571941.1572114, which has 60. With 10
the right one of 400 docstrings, 365 sections and 24 questions is among the first five at least as
often as by words or by meaning alone, see docs/why.md.
"""

WORD = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
EVERYWHERE = re.compile(
    "an?|and|are|as|at|be|been|by|can|do|does|for|from|has|have|how|if|in|into|is|it|its|may|must|"
    "not|of|on|or|shall|should|such|than|that|the|their|then|there|these|this|to|was|were|what|"
    "when|where|which|while|will|with|would|you|your"
)
"""Words that say nothing of what a text is about."""


def default() -> By:
    """Return how texts are ranked here where nobody says how."""
    return "both" if archive() else "words"


def words_of(text: str) -> list[str]:
    """Return the words of a text that say what it is about, without case and plural."""
    found = (word.casefold() for word in WORD.findall(text))
    return [_singular(word) for word in found if not EVERYWHERE.fullmatch(word)]


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def by_words(asked: str, there: Sequence[str]) -> list[tuple[int, float]]:
    """Return the places of the texts that have words of a question, best first (BM25).

    Of equal ones the earlier comes first.

    Returns:
        Each with its score.
    """
    wanted = {*words_of(asked)}
    counted = [Counter(words_of(one)) for one in there]
    lengths = [sum(one.values()) for one in counted]
    usual = sum(lengths) / max(len(lengths), 1)
    having = Counter(word for one in counted for word in wanted & one.keys())
    rarity = {
        word: math.log(1 + (len(there) - times + 0.5) / (times + 0.5))
        for word, times in having.items()
    }
    scores = list[tuple[int, float]]()
    for at, (words, length) in enumerate(zip(counted, lengths, strict=True)):
        score = 0.0
        for word in wanted & words.keys():
            times = words[word]
            score += rarity[word] * times * (K1 + 1) / (times + K1 * (1 - B + B * length / usual))
        if score:
            scores.append((at, score))
    return sorted(scores, key=lambda one: (-one[1], one[0]))


def by_meaning(asked: Vectors, there: Vectors) -> list[tuple[int, float]]:
    """Return the places of all texts, the nearest in meaning first, each with the cosine.

    Args:
        asked: the vector of a question.
        there: those of the texts, of the shape (texts, 384).
    """
    cosines = (there @ asked).tolist()
    found = [(at, float(one)) for at, one in enumerate(cosines)]
    return sorted(found, key=lambda one: (-one[1], one[0]))


def fused(*ranked: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """Return places that several ranks name as one rank (reciprocal rank fusion).

    Returns:
        Each with its score, of which that of the first is no measure of anything.
    """
    scores = dict[int, float]()
    for each in ranked:
        for rank, (at, _) in enumerate(each, 1):
            scores[at] = scores.get(at, 0.0) + 1 / (SOON + rank)
    return sorted(scores.items(), key=lambda one: (-one[1], one[0]))
