"""Outputs into the graph: many files a process that reads them, a transaction for what it read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from ogm import GraphModel, KnowledgeGraph
from ogm.literals import literal
from ogm.terms import with_prefixes
from ontologies.outputs import OutputFile
from triplestore import Table
from triplestore.errors import GraficoError
from workflows.programs.isolated import in_subprocess_now
from workflows.registry import Taken
from workflows.trust.caller import located

from .reading import outputs, sniffed
from .recording import VERSION, records
from .values import Output

MOST_FILES = 250
MOST_BYTES = 16 << 20
"""What one process reads; a file that is larger is read by a process of its own."""

SECONDS, SECONDS_PER_MB = 60, 2
"""Of processor time, of such a process."""


def bring_in(
    kg: KnowledgeGraph, places: Sequence[str], tell: Callable[[str], None]
) -> Iterator[Taken]:
    """Read outputs, and those in folders, and store what they say; see `Reads`.

    A file that was read before is `there`. Files of a folder that are no outputs are passed by.
    """
    waiting: list[Output] = []
    done = 0
    for place, named in _files(places):
        one = sniffed(place)
        if one.problem:
            if named or one.known:
                yield Taken(place, 0, "refused" if one.known else "not known", one.problem)
            continue
        waiting.append(one)
        if len(waiting) >= MOST_FILES or sum(each.bytes for each in waiting) >= MOST_BYTES:
            done += len(waiting)
            yield from _taken(kg, waiting)
            tell(f"{done} files read")
            waiting = []
    if waiting:
        yield from _taken(kg, waiting)


def _files(places: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Iterate over files, and whether each was named itself rather than found in a folder."""
    for place in places:
        found = located(place)
        is_folder = False
        for top, folders, names in os.walk(found or os.devnull):
            is_folder = True
            folders[:] = sorted(one for one in folders if not one.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    yield os.path.join(top, name), False
        if not is_folder:  # a file, or nothing
            yield place, True


def _taken(kg: KnowledgeGraph, waiting: list[Output]) -> Iterator[Taken]:
    """Read files that are not read yet, and store what they say."""
    there = _there(kg, [one.digest for one in waiting])
    new: dict[str, Output] = {}
    again: list[Output] = []
    for one in waiting:
        known = one.digest in there or any(other.digest == one.digest for other in new.values())
        (again.append(one) if known else new.setdefault(one.place, one))
    models: list[GraphModel] = []
    told: list[Taken] = []
    for found in _read([*new.values()]):
        if found.problem:
            told.append(Taken(found.place, 0, "refused", found.problem))
            continue
        for taken, made in records(found):
            told.append(taken)
            models += made
    if models:
        kg.push(*models)
    yield from told
    for one in again:
        message = "it was read before, and is there"
        run = there.get(one.digest, "")
        yield Taken(one.place, 0, "there", message, run=run)


def _there(kg: KnowledgeGraph, digests: Sequence[str]) -> dict[str, str]:
    """Return the runs of those files that this version of the reader has read, by digest."""
    wanted = " ".join(map(literal, digests))
    answer = kg.store.query(
        with_prefixes(
            f"""SELECT ?digest (SAMPLE(?run) AS ?one) {{
            VALUES ?digest {{ {wanted} }}
            ?file g:digest ?digest ; a <{OutputFile.term()}> . ?run g:about ?file .
            ?step g:run ?run ; g:activity ?reading . ?reading g:version {literal(VERSION)} .
            }} GROUP BY ?digest"""
        )
    )
    assert isinstance(answer, Table)
    return {str(digest.value): str(run.value) for digest, run in answer.rows if digest and run}


def _read(waiting: list[Output]) -> Iterator[Output]:
    """Read files in a process of their own; where that ends badly, each in one of its own."""
    if not waiting:
        return
    seconds = SECONDS + SECONDS_PER_MB * (sum(one.bytes for one in waiting) >> 20)
    places = [one.place for one in waiting]
    try:
        yield from in_subprocess_now(
            "outputs were to be imported", outputs, places, seconds=seconds
        )
    except GraficoError as error:
        if len(waiting) == 1:
            waiting[0].problem = error.found or error.asked
            yield waiting[0]
            return
        for one in waiting:
            yield from _read([one])
