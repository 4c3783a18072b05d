"""What works here and what does not, each with what to do: for `grafico doctor`."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import platformdirs

from ogm.terms import with_prefixes
from triplestore import Table
from triplestore.errors import GraficoError
from triplestore.release import PACKAGE, release
from workflows.registry.needs import Need, needs
from workflows.text.words import count

from .client import Grafico
from .opened import machine_slots

State = Literal["fine", "missing", "wrong"]

SCARCE = 2.0
"""GB on a disk below which calculations may soon fail."""
PATIENCE = 3.0
"""Seconds that a server has to answer."""

CONFINED = Need("bwrap", "Python that a model writes", "apt-get install bubblewrap")
WORD = Need("pandoc", "Word files of a supporting information", "apt-get install pandoc")
LOGIN = Need("ssh", "clusters at another host", "apt-get install openssh-client")


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: it is.
        state: `fine`; `missing`, where something else goes on without it; or `wrong`.
        found: what there is.
        advice: what to do; empty if nothing.
    """

    what: str
    state: State
    found: str
    advice: str = ""


def findings(grafico: Grafico, *, ask: bool = False) -> Iterator[Finding]:
    """Look at all that calculations and questions rest on.

    Args:
        grafico: an open session.
        ask: whether the model's server is asked whether it is there; else nothing uses a network.
    """
    yield Finding("Grafico", "fine", f"{release()}, Python {sys.version.split()[0]}")
    yield _machine(grafico)
    yield from _store(grafico)
    yield from _extras()
    for need in (*needs(), CONFINED, LOGIN, WORD):
        place = need.place
        if place:
            yield Finding(need.command, "fine", place)
        else:
            yield Finding(need.command, "missing", f"needed for {need.purpose}", need.advice)
    yield from _clusters(grafico)
    yield _model(grafico, ask)


def _machine(grafico: Grafico) -> Finding:
    slots = machine_slots(grafico.settings)
    cards = ", ".join(card.name for card in slots.gpus) or "no graphics card"
    return Finding(
        "machine", "fine", f"{count(slots.total_cores, 'core')}, {slots.memory:,} MB, {cards}"
    )


def _store(grafico: Grafico) -> Iterator[Finding]:
    place = grafico.settings.store
    try:
        answer = grafico.kg.store.query(with_prefixes("SELECT ?run { ?run a g:Run }"))
        runs = len(answer.rows) if isinstance(answer, Table) else 0
    except GraficoError as error:
        yield Finding("store", "wrong", f"{place}: {error.found}", error.advice)
    else:
        yield Finding("store", "fine", f"{place}: {count(runs, 'run')}")
    home = grafico.kg.store.home
    for name, folder in (("disk of the store", home), ("disk of temporary files", Path("/tmp"))):
        if folder is None:
            continue
        there = next(one for one in (folder, *folder.parents) if one.exists())
        free = shutil.disk_usage(there).free / 1e9
        if free < SCARCE:
            yield Finding(name, "wrong", f"{free:.1f} GB are free", "make room: see `grafico du`")
        else:
            yield Finding(name, "fine", f"{free:.0f} GB are free")


def _extras() -> Iterator[Finding]:
    """Say of each extra whether all that it adds is installed."""
    lacking: dict[str, list[str]] = {}
    for line in metadata.requires(PACKAGE) or ():
        found = re.match(r"([\w.-]+)(?:\[[^]]*\])?[^;]*;.*extra == ['\"]([\w-]+)['\"]", line)
        if not found or found[2] == "dev":
            continue
        missing = lacking.setdefault(found[2], [])
        try:
            metadata.version(found[1])
        except metadata.PackageNotFoundError:
            missing.append(found[1])
    for extra, missing in sorted(lacking.items()):
        if missing:
            advice = f"if you want it: pip install '{PACKAGE}[{extra}]'"
            yield Finding(f"extra {extra}", "missing", f"without {', '.join(missing)}", advice)
        else:
            yield Finding(f"extra {extra}", "fine", "installed")


def _clusters(grafico: Grafico) -> Iterator[Finding]:
    settings = grafico.settings
    for name in settings.clusters:
        yield Finding(f"cluster {name}", "fine", "described", "try it by its name")
    for name, why in settings.withheld_clusters.items():
        yield Finding(f"cluster {name}", "wrong", f"may not be used: {why}", "see docs/trust.md")


def _model(grafico: Grafico, ask: bool) -> Finding:
    settings = grafico.settings
    with suppress(GraficoError):  # it may be withheld, as what pays may not stand just anywhere
        if not settings.agent_model:
            advice = "plain sentences are understood without one; name one as agent_model"
            return Finding("language model", "missing", "none is named", advice)
        url = settings.agent_base_url
        if not (ask and url):
            return Finding("language model", "fine", f"{settings.agent_model}, not tried")
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            socket.create_connection((parts.hostname or "", port), PATIENCE).close()
        except OSError as error:
            why = error.strerror or str(error)
            return Finding("language model", "wrong", f"{url}: {why}", "start it, or see its name")
        return Finding(
            "language model", "fine", f"{settings.agent_model}: {parts.hostname} answers"
        )
    return Finding("language model", "wrong", "its name is withheld", "see docs/trust.md")


@dataclass(frozen=True)
class Space:
    """What a part of a store, or of the cache, takes.

    Attributes:
        part: of it.
        size: bytes.
        files: how many.
        can_go: how it can go without losing a number; "no" where it cannot.
    """

    part: str
    size: int
    files: int
    can_go: str


PARTS = {
    "": ("the rest", "no"),
    "quads": ("results and runs", "no"),
    "arrays": ("large arrays", "no"),
    "jobs": ("jobs", "those that have ended and are taken in: delete their folders"),
    "tasks": (
        "tasks under way, and checkpoints",
        "`grafico fsck --prune`: what is left over",
    ),
    "memo": ("arrays that save the next calculation time", "delete it: it is made anew"),
}
"""Folders in that of a store."""


def spaces(home: Path) -> list[Space]:
    """Return what a store's folder and the user's cache hold, the largest first."""
    cache = platformdirs.user_cache_path("grafico")
    found = [
        *(Space(PARTS[part][0], *each, PARTS[part][1]) for part, each in _sizes(home, PARTS)),
        *(
            Space(f"cache: {part or 'the rest'}", *each, "delete it: it is made anew")
            for part, each in _sizes(cache)
        ),
    ]
    return sorted(found, key=lambda one: -one.size)


def _sizes(
    home: Path, parts: Mapping[str, object] | None = None
) -> list[tuple[str, tuple[int, int]]]:
    """Return bytes and number of the files in each of the folders, those named alone, of one."""
    found: dict[str, list[int]] = {}
    for folder, _, names in os.walk(home):
        inside = Path(folder).relative_to(home).parts
        part = inside[0] if inside and (parts is None or inside[0] in parts) else ""
        for name in names:
            with suppress(OSError):  # it has just gone
                found.setdefault(part, []).append(os.lstat(os.path.join(folder, name)).st_size)
    return [(part, (sum(sizes), len(sizes))) for part, sizes in found.items()]
