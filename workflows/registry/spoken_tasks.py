"""What people type as a task that is none: their words are those that sentences are read with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ontologies.properties import is_known
from workflows.registry import workflows
from workflows.registry.spoken import Phrase, absent, domains, words
from workflows.text.words import listed


def otherwise_asked(word: str) -> tuple[str, str] | None:
    """Return what is to be known of a word that is no task, and how to ask for what it means.

    It is looked up among the phrases and the names of workflows that plain sentences are read with,
    as it stands and with `spectrum` or `simulation` behind it; hyphens are as good as spaces.

    Returns:
        None where nobody knows what is meant.
    """
    plain = re.sub(r"[\s_=-]+", " ", word.strip())[:80]
    rows = sorted(_rows(), key=lambda row: not row.beside)  # what is said of some words comes first
    for text in (plain, f"{plain} spectrum"):
        for row in rows:
            if (
                (row.asks or is_known(row.reads))
                and re.search(row.beside, text, re.IGNORECASE)
                and _is_said(row, text)
            ):
                return _told(plain, row)
    if missing := absent(plain) or absent(f"{plain} simulation"):
        return missing.problem, f"near it: {missing.line}"
    return None


def _rows() -> Iterator[Phrase]:
    """Iterate over phrases of the folders of workflows, then over names of workflows."""
    for _, rows in domains():
        yield from rows
    for one in workflows().verbs:
        if not getattr(one, "usual", False):
            called = ", ".join((one.name, one.command, *one.synonyms)).replace("-", " ")
            yield Phrase(called, asks=f"workflow={one.command}")


def _is_said(row: Phrase, text: str) -> bool:
    phrases = ", ".join(one for one in row.phrases.split(", ") if "{" not in one)
    beside = re.search(row.beside, text, re.IGNORECASE)
    return bool(beside and phrases and words(phrases).fullmatch(text))


def _told(word: str, row: Phrase) -> tuple[str, str]:
    each = list(row.asked)
    asked = {name: value for name, value, _ in each}
    if len(asked) < len(each):  # such as the charges before and after an ionisation
        return "that is a difference of several", f'ask in words: grafico ask "{word} of MOLECULE"'
    if verb := asked.pop("workflow", ""):
        known = workflows().named(verb)
        title = known.title[:1].lower() + known.title[1:].rstrip(".")
        return (
            f"that is a request of its own, not a task: {title}",
            f"ask for it by itself: grafico {known.command}",
        )
    read = listed([one.replace("_", " ") for one in (row.shows or row.reads).split(", ") if one])
    if not asked:
        return "that is no task", f"leave `task` out: {read or word} is told with every energy"
    flags = listed([f"`{n}`" if v is True else f"`{n}` {_spelt(v)}" for n, v in asked.items()])
    also = "" if "task" in asked else ", with any task"
    return "that is no task", f"give {flags}{also}{f': it tells {read}' if read else ''}"


def _spelt(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)
