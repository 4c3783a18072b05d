"""A multiplicity as people say it: a number, a word, or how many electrons are unpaired."""

from __future__ import annotations

import re

from triplestore.errors import InputError

WORDS = ("singlet", "doublet", "triplet", "quartet", "quintet", "sextet", "septet", "octet")


SPIN_STATES = {word: number for number, word in enumerate(WORDS, 1)}
"""Multiplicities by their names."""


def unpaired(text: str) -> dict[str, object]:
    """Return the multiplicity of so many unpaired electrons.

    Raises:
        InputError: it is no number of electrons.
    """
    if not re.fullmatch(r"\d{1,3}(\.0)?", text.strip()):
        raise InputError(
            f"{text[:40]} unpaired electrons were asked for",
            "that is no number of electrons",
            "give 0 or more, or the multiplicity, which is larger by one",
        )
    return {"multiplicity": 1 + int(float(text))}
