"""Numbers that nobody lists and a person asks for in words, such as `distance C-F`.

What a result stores has a name. What follows from it for whichever atoms somebody has in mind has
none: a domain reads the words, in a module `asked` of its folder:

    @reads_words("distance C-F")
    def _(words: str, around: Around) -> Iterator[Fact]:
        yield Fact("C–F distance", 1.385, "Å", "distance C-F", digits=".4f")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from workflows.show.blocks import Fact
from workflows.show.object_blocks import Around, load_hooks
from workflows.text.names import named, plain

Reader: TypeAlias = Callable[[str, Around], Iterable[Fact]]

_READERS: list[Reader] = []
_EXAMPLES: list[str] = []


def reads_words(*examples: str) -> Callable[[Reader], Reader]:
    """Have a function answer words with facts; nothing where they are not for it.

    It is given the words and what a run came to, with the last geometry as what that is about.

    Args:
        examples: what may be asked for so.
    """

    def keep(reader: Reader) -> Reader:
        _READERS.append(reader)
        _EXAMPLES.extend(examples)
        return reader

    return keep


def examples() -> list[str]:
    """Return what may be asked for so, an example of each kind."""
    load_hooks(("asked",))
    return [*_EXAMPLES]


def asked_facts(around: Around, words: Sequence[str]) -> dict[str, Fact]:
    """Return what answers words, by name; see `Fact.asked`."""
    load_hooks(("asked",))
    found: dict[str, Fact] = {}
    for said in words:
        for reader in _READERS:
            answers = [replace(one, asked=said) for one in reader(said, around)]
            found |= {one.name: one for one in answers}
            if answers:
                break
    return found


GENERAL = ("moment", "total", "electronic", "value")
"""Words that people add to the name of a number, or leave out of it."""


def meant_among(said: str, facts: Mapping[str, Fact]) -> str:
    """Return the name of the fact that words mean, as `dipole moment` does; empty for none.

    Name, label and either with its unit are taken, however they are spelt; then what differs from
    one alone by a word such as `moment`. Of several that answer these very words it is the first.
    """
    key = _key(re.sub(r" in (?=\S+$)", " ", said))  # gap in eV
    each = {
        name: {
            _key(text)
            for text in (name, one.label, *(named(n, one.unit) for n in (name, one.label)))
        }
        for name, one in facts.items()
    }
    found = [name for name, keys in each.items() if key in keys or facts[name].asked == said]
    if not found:
        bare = _bare(said)
        found = [name for name in facts if _bare(name) == bare]
    asked = bool(found) and all(facts[name].asked == said for name in found)
    if said in found:
        return said
    return found[0] if len(found) == 1 or asked else ""


def _key(text: str) -> str:
    return "".join(letter for letter in plain(text) if letter.isalnum())


def _bare(text: str) -> str:
    words = [one for one in text.lower().replace("_", " ").split() if one not in GENERAL]
    several = [one for one in words if one != "energy"]
    return _key(" ".join(several or words)) or _key(text)
