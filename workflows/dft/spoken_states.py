"""What people write of excited states: how many, of which spin, S1, T1."""

from __future__ import annotations

import re

from workflows.molecule.table import index, key
from workflows.registry.spoken import Sentence, words

EXCITED_ONES = re.compile(
    r"(?i)excited[- ]state (?:dipole|charge|geometr|polari|structure|gap)|"
    r"(?:dipoles?|charges?|polari\w+|frequenc\w+)(?: moments?)? (?:of|in|for) "
    r"(?:the )?(?:first |lowest )?(?:[ST]\d|(?:singlet |triplet )?excited state)"
)
TRIPLET = re.compile(r"(?<!singlet )(?<!and )\b[Tt]riplet energ(?:y|ies)(?= of)")

ITS_STATES = re.compile(r"(?i) (?:\w+ ){0,3}(?:excit|excited state|transition|root)")
STATE = re.compile(r"[ST]\d+")
COUNT = "one two three four five six seven eight nine ten".split()  # noqa: SIM905
STATES = words(
    rf"(?:the |vertical )?(?:(?P<which>first|lowest) )?(?:(?P<count>\d{{1,4}}|{'|'.join(COUNT)}) )?"
    r"(?:lowest )?"
    r"(?P<spin>singlet|triplet)?(?: and (?P<other>triplet))?(?: ?electronic)? ?(?:excited states?|"
    r"excitations?(?: energ(?:y|ies))?|roots|transitions)(?! (?:geom|struct|optim))"
    rf"|(?:lowest )?(?P<many>\d{{1,4}}|{'|'.join(COUNT)}) (?:lowest )?"
    r"(?P<only>singlet|triplet)(?: (?:states|roots)|s)"
)
BARE = words(
    r"(?:(?:with|for|using) )?(?:the )?(?:(?:first|lowest) )?"
    rf"(?P<count>\d{{1,4}}|{'|'.join(COUNT)}) (?:lowest )?(?:states|roots)"
)
FIRST = re.compile(
    r"(?i)^(?:please )?(?:optimi[sz]e|relax)(?! (?:the )?(?:excited|[ST]\d))[^;]{0,80}\bthen\b"
    r"|\b(?:optimi[sz]ed|relaxed) first\b"
    r"|\b(?:of|for|on|from) (?:the |an? )?(?:optimi[sz]ed|relaxed) "
    r"(?!excited|singlet|triplet|[ST]\d)"
)
"""That the molecule in its ground state is relaxed before its excited states are looked at."""

EXCITED = re.compile(r"(?i)\buv\b|absor|excit|td-?a?\b|td-?dft|spectrum")
LABEL = re.compile(
    r"(?:(?<![\w<-])|(?<=S\d(-)))(?:S0 ?(?:-|→|->) ?)?([ST])([1-9]\d?)"
    r"(?: (?:state|gap|energy))?(?![\w>])"
)


def counted(text: str) -> list[int]:
    """Return how many states are asked for in so many words."""
    if not EXCITED.search(text):
        return []
    found = (one.groupdict() for way in (STATES, BARE) for one in way.finditer(text))
    said = [one["count"] or one.get("many") for one in found]
    return [_figure(one) for one in said if one]


def _figure(word: str) -> int:
    word = word.lower()
    return COUNT.index(word) + 1 if word in COUNT else int(word)


def take_states(at: Sentence) -> None:
    """Take out what is said of excited states."""
    for one in at.take(STATES):
        count, spin = one["count"] or one["many"], one["spin"] or one["only"]
        single = one["which"] and not count and not one[0].lower().endswith("s")
        if count or single:
            at.ask("states", _figure(count or "1"))
        for named in filter(None, (spin, one["other"])):
            at.ask("spin", named.lower())
        single = single and f"{(spin or 's')[0].upper()}1"
        at.reads.append((one.start(), single or "states"))
    before = at.before is not None and "states" in at.before.asked
    for one in at.take(BARE) if before or EXCITED.search(at.text) else ():
        at.ask("states", _figure(one["count"]))
        at.reads.append((one.start(), "states"))
    for one in LABEL.finditer(at.rest):
        if key(one[0]) in index() and not re.match(r" (?:of|for|and T)", at.rest[one.end() :]):
            continue  # S8 is a molecule
        at.blank(*one.span())
        at.reads.append((one.start(), one[2] + one[3]))
        at.reads += [(one.start(), "compare")] if one[1] else []  # S1-T1
        at.ask("states", int(one[3]))
        at.ask("spin", "singlet" if one[2] == "S" else "triplet")


def settle_spins(at: Sentence) -> None:
    """Let triplets beside excited states be those states, not the molecule."""
    before = at.before is not None and "states" in at.before.asked and not at.reads
    if not before and "states" not in {*at.asked, *(name for _, name in at.reads)}:
        return
    spins = [n for n in at.mentions if n[2] == "multiplicity"]
    both = len({one[3] for one in spins}) > 1
    for one in spins:
        said = at.text[one[0] : one[1]].lower()
        if (
            said in ("singlet", "triplet")
            and (both or ITS_STATES.match(at.text[one[1] :]))
            and not any(0 < n.start - one[1] < 2 for n in at.subjects)
        ):
            at.ask("spin", said)
            at.mentions.remove(one)
            continue
        if re.match(
            r"(?: ground| excited)?(?: state)?(?: energ(?:y|ies))?(?: is| are)? ?\(?[ST]\d",
            at.text[one[1] :],
        ):  # the triplet (T1)
            at.mentions.remove(one)
            continue
        touches = any(
            (n.start > one[1] and not at.text[one[1] : n.start].strip())
            or (n.end < one[0] and at.text[n.end : one[0]] in (" ", " (", " as a ", " in the "))
            for n in at.subjects
        ) or re.search(r"(?i)\b(?:of|for) (?:the |an? )?$", at.text[: one[0]])
        if said in ("singlet", "triplet") and not touches and not before:
            at.refuse(f"“{said}” may be excited states or the molecule", "say “triplet states”")
        if said in ("singlets", "triplets"):
            at.ask("spin", said[:-1])
            at.mentions.remove(one)
        elif before:
            at.refuse(f"“{said}” may be excited states or the molecule", "say “triplet states”")
