"""A multiplicity as people say it: a number, a word, or how many electrons are unpaired."""

from __future__ import annotations

import re

from triplestore.errors import InputError
from workflows.text.names import plain

WORDS = ("singlet", "doublet", "triplet", "quartet", "quintet", "sextet", "septet", "octet")


def multiplicity_of(said: object) -> object:
    """Return the number that a word such as `triplet` stands for; anything else as it is."""
    word = plain(said) if isinstance(said, str) else ""
    return 1 + WORDS.index(word) if word in WORDS else said


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
