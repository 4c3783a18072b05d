"""Corrections in words, read as rules: "stage vacuum on before gripper vacuum off"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from triplestore.errors import InputError
from workflows.engine.devices.rules import Relation, Rule
from workflows.text.words import listed

LONGEST = 400
"""Letters of a correction."""

WRITTEN = "say it as “A before B”, “first A, then B” or “never A while B”"
"""How a rule is written."""

_NOT = r"(?:never|not) (?!(?:always|be|must|should|have|has)\b)"
_MUST = r"(?:you |we |it |must |should |has to |have to |is to |always |be |done |comes? )*"
_LEAD = re.compile(
    rf"(?i)^(?:please |remember(?: that)?:? |note(?: that)?:? |make sure (?:that |to )?|{_MUST})*"
)
_SHAPES: tuple[tuple[Relation, str], ...] = (
    ("never while", rf"(?:{_MUST}|do ){_NOT}(?P<a>.+?),? while (?P<b>.+)"),
    ("never while", rf"(?P<a>.+?) {_MUST}never {_MUST}while (?P<b>.+)"),
    ("before", rf"before (?P<b>.+?), {_MUST}(?P<a>.+)"),
    ("before", rf"(?P<a>.+?),? {_MUST}before (?P<b>.+)"),
    ("before", rf"(?P<b>.+?),? {_MUST}(?:only )?{_MUST}after (?P<a>.+)"),
    ("before", r"(?P<b>.+?) (?:needs|requires) (?P<a>.+)"),
    ("then", rf"first,? {_MUST}(?P<a>.+?)(?:,| and|, and)? (?:only )?then {_MUST}(?P<b>.+)"),
    ("then", rf"(?P<a>.+?) first,?(?: and)? then {_MUST}(?P<b>.+)"),
)
SHAPES: tuple[tuple[Relation, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(f"(?i){text}")) for kind, text in _SHAPES
)

OTHERWISE = re.compile(
    r"(?i)\b(?:before|after|while|then|first|never|not|no|don't|unless|except|if|when|without|until|"
    r"or|and|only|but|again|twice|than|instead)\b"
)
"""What makes a phrase more than one command."""
SWITCHED = (
    (re.compile(r"(?i)\b(?:de-?activat\w*|disabl\w*|(?:turn|switch)\w* off)\b"), " off "),
    (re.compile(r"(?i)\b(?:activat\w*|enabl\w*|(?:turn|switch)\w* on)\b"), " on "),
)
SMALL = frozenset(re.findall(r"\w+", "the a an of to in into at its it your you with for by"))
"""Words that names of commands are compared without."""
FILLERS = SMALL | frozenset(
    re.findall(
        r"\w+",
        "please always must should has have be been is are was we done turn switch command s",
    )
)
"""Words that may stand beside a command and leave a correction as it is."""
BESIDE = re.compile(
    r"(?i) (?:in order )?to (?:hold|keep|release|free) (?:(?:the|its|a) )?(?P<held>\w+)$"
    r"|\bof the (?P<whole>\w+)(?= \w)"
    r"|\bmov(?:e|ed|ing) (?:the )?(?P<moved>\w+(?: \w+)?)(?= to )"
)
"""What names parts of a device beside the command: `the coating stage to hold the substrate`."""
TOKEN = re.compile(r"[^\W_]+|[^\w\s,'\"“”‘’`-]")
"""Words, and signs that could mean something."""


def read_rule(text: str, commands: Sequence[str]) -> Rule:
    """Return the rule that a correction says.

    Args:
        text: the correction; all of it has to be one rule.
        commands: what the device can do, such as `stage_vacuum_on`.

    Raises:
        InputError: it is too long, not understood, more than one rule, or has words that are no
            part of one; says what of it.
    """
    said = " ".join(text.split())
    asked = f"“{said[:80]}{'…' * (len(said) > 80)}” was to be taught"
    if not said.isprintable() or not 1 <= len(said) <= LONGEST:
        raise InputError(asked, f"a correction has 1 to {LONGEST} printable letters", "say it so")
    parts = [one.strip(" ,") for one in re.split(r"[.;!]+(?=\s|$)", said) if one.strip(" ,")]
    found = [(one, shape) for one in parts if (shape := _shape(one))]
    rest = [one for one in parts if not _shape(one)]
    if rest or len(found) != 1:
        if len(found) > 1:
            raise InputError(asked, f"these are {len(found)} rules", "teach one after the other")
        told = listed([f"“{one[:80]}”" for one in rest[:3]]) or "it"
        raise InputError(asked, f"{told} is no rule of order", f"{WRITTEN}, and nothing else")
    relation, *phrases = found[0][1]
    one, other = (_command(phrase, commands, asked) for phrase in phrases)
    known = frozenset(word for each in commands for word in _words(each))
    left = [*_left(phrases[0], one, known), *_left(phrases[1], other, known)]
    if left:
        told = listed([f"“{word}”" for word in left[:5]])
        why = f"{told} {'is' if len(left) == 1 else 'are'} no part of “{one} {relation} {other}”"
        raise InputError(asked, why, f"{WRITTEN}, and nothing else")
    return Rule(one, relation, other)


def _shape(text: str) -> tuple[Relation, str, str] | None:
    bare = _LEAD.sub("", re.sub(r"(?i)\bdon't\b", "do not", text))
    for relation, shape in SHAPES:
        if found := shape.fullmatch(bare):
            return relation, str(found["a"]), str(found["b"])
    return None


def _command(phrase: str, commands: Sequence[str], asked: str) -> str:
    """Return the command that a phrase names.

    Raises:
        InputError: it names none, or several.
    """
    if found := OTHERWISE.search(phrase):
        why = f"“{phrase}” is more than one command: it says “{found[0]}”"
        raise InputError(asked, why, "say one rule of two commands")
    stems = {_stem(one) for one in _words(phrase)}
    named = {one: {_stem(word) for word in _words(one)} for one in commands}
    fits = [one for one, own in named.items() if own <= stems]
    most = max((len(named[one]) for one in fits), default=0)
    best = [one for one in fits if len(named[one]) == most]
    if len(best) != 1:
        near = sorted(commands, key=lambda one: -len(named[one] & stems))[:4]
        near = best or [one for one in near if named[one] & stems] or list(commands)
        found = f"“{phrase}” names {'several commands' if best else 'no command'} of the device"
        raise InputError(asked, found, f"name one of: {', '.join(near)}")
    return best[0]


def _left(phrase: str, command: str, known: frozenset[str]) -> list[str]:
    """Return the words of a phrase that do not name its command, and may change what it says.

    Args:
        phrase: it.
        command: that it names.
        known: words of all commands of the device.
    """

    def understood(found: re.Match[str]) -> str:
        words = str(found[found.lastgroup or 0]).lower().split()
        return " " if known.issuperset(words) else found[0]

    own = {_stem(word) for word in (*_words(command), *FILLERS)}
    return [word for word in _words(BESIDE.sub(understood, phrase)) if _stem(word) not in own]


def _words(text: str) -> list[str]:
    text = text.replace("_", " ")
    for pattern, word in SWITCHED:
        text = pattern.sub(word, text)
    return [one for one in TOKEN.findall(text.lower()) if one not in SMALL]


def _stem(word: str) -> str:
    short = re.sub(r"(?<=\w{3})(?:ing|ed|es|s|e)$", "", word)
    return re.sub(r"(\w)\1$", r"\1", short)
