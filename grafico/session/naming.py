"""What people call a run: `last`, `#17`, the beginning of its IRI, a tag; each means one IRI.

Running numbers belong to the folder of a store and to nobody else: they are no part of the graph,
are never exported, and never given twice. They stand in a file to which is only ever added.
"""

from __future__ import annotations

import fcntl
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from ogm.literals import literal
from ogm.terms import BASE, checked_iri, full_iri, shorten, with_prefixes
from triplestore import Store, Table
from triplestore.errors import InputError, NotFoundError

from .inspection import text
from .latest import ordered

NUMBERS = "numbers"
"""Name of the file in the folder of a store: an IRI a line, the first has the number 1."""

IRI = re.compile(r"[A-Za-z][\w+.-]*:\S|id/")
LAST = re.compile(r"(?:last|latest)(?:~(\d{1,6}))?", re.IGNORECASE)
NUMBER = re.compile(r"(?:#|r|run)?(\d{1,9})", re.IGNORECASE)
START = re.compile(r"(?:\w+/)?[0-9a-f][0-9a-f-]{3,35}", re.IGNORECASE)
NAMES = (
    "`last`, `last~1`, a number of the list of runs such as #17, the beginning of an "
    "IRI's last part (4 letters or more), a tag, or an IRI"
)


def is_name(word: object) -> bool:
    """Tell whether a word can mean a run and nothing else, such as `last` or `#17`."""
    return isinstance(word, str) and bool(
        LAST.fullmatch(word) or (word[:1] == "#" and NUMBER.fullmatch(word))
    )


def is_short(word: str) -> bool:
    """Tell whether a word is `last` or a number, with or without its sign."""
    return bool(LAST.fullmatch(word) or NUMBER.fullmatch(word))


def meant(store: Store, name: str) -> str:
    """Return the IRI that a name means.

    Raises:
        NotFoundError: nothing is called so; an IRI is taken as it is.
        InputError: several things are.
    """
    word = name.strip()
    if IRI.match(word):
        return full_iri(word)
    if found := LAST.fullmatch(word):
        return _last(store, int(found[1] or 0), word)
    if found := NUMBER.fullmatch(word):
        known = _read(_file(store))
        if len(known) < int(found[1]):  # of a run that no list has shown yet
            numbered(store, [run for _, run in ordered(store, 1)])
            known = _read(_file(store))
        if 0 < int(found[1]) <= len(known):
            return known[int(found[1]) - 1]
        if not START.fullmatch(word):
            there = f"the numbers go to {len(known)}" if known else "no run has a number yet"
            raise NotFoundError(f"{word} was asked for", there, "see the list of runs (`runs`)")
    either = {*_begun(store, word), *_tagged(store, word)}
    if len(either) == 1:
        return either.pop()
    if either:
        few = ", ".join(map(shorten, sorted(either)[:5])) + ", …" * (len(either) > 5)
        raise InputError(f"{word} was asked for", f"that means several: {few}", "write more of it")
    raise NotFoundError(f"{word} was asked for", "nothing is called so", f"give {NAMES}")


def by_name(store: Store, word: object) -> str:
    """Return the IRI that a word means, or nothing where it is none, or no name at all.

    Raises:
        InputError: several things are called so.
    """
    if not isinstance(word, str) or IRI.match(word.strip()):
        return ""
    try:
        return meant(store, word)
    except NotFoundError:
        return ""


def all_meant(store: Store, names: Sequence[str]) -> list[str]:
    """Return the IRIs that names mean; `last 3` are the latest three runs.

    Raises:
        NotFoundError: nothing is called so.
        InputError: several things are.
    """
    words = [word for name in names for word in (name.split() if " " in name else [name])]
    found: list[str] = []
    while words:
        word = words.pop(0)
        if LAST.fullmatch(word) and "~" not in word and words and words[0].isdecimal():
            latest = [run for _, run in ordered(store, int(words[0]))]
            found += latest or [meant(store, word)]
            words.pop(0)
        else:
            found.append(meant(store, word))
    return list(dict.fromkeys(found))


def named_runs(store: Store, words: Sequence[str]) -> list[str]:
    """Return the IRIs of runs that names mean, if all of them mean runs; else nothing.

    Raises:
        NotFoundError: what can mean nothing but a run means none.
        InputError: several things are called so.
    """
    try:
        found = all_meant(store, words)
    except NotFoundError:
        if any(map(is_name, words)):
            raise
        return []
    kinds = (store.query(with_prefixes(f"ASK {{ <{checked_iri(one)}> a g:Run }}")) for one in found)
    return found if all(kinds) else []


def numbered(store: Store, runs: Iterable[str]) -> dict[str, int]:
    """Return the numbers of runs; those that have none are given the next ones, the oldest first.

    Runs that no list has shown yet get theirs along the way, so that numbers follow age.
    """
    wanted, path = list(runs), _file(store)
    if path is None or not wanted:
        return {}
    known = {iri: place for place, iri in enumerate(_read(path), 1)}
    if not known.keys() >= set(wanted):
        path.parent.mkdir(parents=True, exist_ok=True)
        limit, rows = max(2 * len(wanted), 100), list[tuple[str, str]]()
        while True:
            rows = ordered(store, limit)
            if len(rows) < limit or any(run in known for _, run in rows):
                break
            limit *= 4
        with path.open("a+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # another command may have numbered them meanwhile
            known = {iri: place for place, iri in enumerate(_read(path), 1)}
            for run in dict.fromkeys([*(run for _, run in reversed(rows)), *reversed(wanted)]):
                if run not in known:
                    known[run] = len(known) + 1
                    file.write(f"{run}\n")
    return {run: known[run] for run in wanted}


def _file(store: Store) -> Path | None:
    return None if store.home is None else store.home / NUMBERS


def _read(path: Path | None) -> list[str]:
    if path is None or not path.exists():
        return []
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line]


def _last(store: Store, before: int, word: str) -> str:
    runs = ordered(store, before + 1)
    if len(runs) <= before:
        there = f"the store has {len(runs)}" if runs else "the store has no runs"
        raise NotFoundError(f"the run {word} was asked for", there, "see the list of runs (`runs`)")
    return runs[before][1]


def _begun(store: Store, word: str) -> list[str]:
    """Return what has an IRI whose last part begins so: runs, or else anything."""
    if not START.fullmatch(word):
        return []
    kind, _, start = word.rpartition("/")
    runs = f"?one a g:Run FILTER(STRSTARTS(STR(?one), {literal(f'{BASE}id/Run/{start}')}))"
    what = "id" if kind else "id/[^/]*"
    begins = f"STRSTARTS(REPLACE(STR(?one), '^{BASE}{what}/', ''), {literal(word)})"
    anything = f"?one a ?kind FILTER(STRSTARTS(STR(?one), '{BASE}id/') && {begins})"
    return (_iris(store, runs) if kind in ("", "Run") else []) or _iris(store, anything)


def _tagged(store: Store, word: str) -> list[str]:
    return _iris(
        store,
        f"?tag a g:Tag ; g:word {literal(word.lower())} ; g:tagged ?one "
        "FILTER NOT EXISTS { ?undone g:undoes ?tag }",
    )


def _iris(store: Store, pattern: str) -> list[str]:
    answer: Any = store.query(with_prefixes(f"SELECT DISTINCT ?one {{ {pattern} }} LIMIT 6"))
    assert isinstance(answer, Table)
    return [text(row[0]) for row in answer.rows]
