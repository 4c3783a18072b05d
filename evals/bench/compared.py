"""Push and pull of 1,000 objects beside twa and owlready2, each in a process of its own.

The time of a push has the making of the objects in it, because owlready2 stores as it makes them.
All keep what they are given on a disk: ours in a folder, owlready2 in a file of SQLite, twa on a
local Oxigraph server, for it needs one. Ours is measured on that server too.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from . import peers
from .figures import Figure, say, shown, speed
from .peers import HOME, Peer, UnavailableError
from .programs import ROOT
from .sample import OBJECTS

FRESH, WARM = 3, 5
"""How often each is measured in a new process, and again in one that has worked already."""


def measure(folder: Path) -> Iterator[Figure]:
    """Compare with the peers that can run here; what cannot is left out with a word."""
    say("mapper: beside its peers, about a minute…")
    try:
        peers.environment()
    except UnavailableError as error:
        say(f"  left out: twa and owlready2: {error}")
        return
    with ExitStack() as stack:
        tools: dict[str, Callable[[], Peer]] = {
            "folder": lambda: _ours(folder, str(folder / "mapper")),
            "owlready2": lambda: _peer(folder, "owlready2_peer.py", str(folder)),
        }
        try:
            url = stack.enter_context(peers.oxigraph(folder / "oxigraph"))
            twa = lambda: _peer(folder, "twa_peer.py", url)  # noqa: E731
            with twa():
                pass
            tools |= {"server": lambda: _ours(folder, f"{url}/query"), "twa": twa}
        except UnavailableError as error:
            say(f"  left out: twa: {error}")
        yield from _compare(tools)


def _peer(folder: Path, script: str, place: str) -> Peer:
    program = [str(HOME / "bin" / "python"), str(ROOT / "evals" / "peers" / script), place]
    return Peer(program, folder / "peer.log")


def _ours(folder: Path, url: str) -> Peer:
    return Peer([sys.executable, "-m", "evals.bench.child", url], folder / "peer.log")


ROWS = (
    ("push", "folder", "owlready2", "push", 1.0),
    ("push", "folder", "twa", "push", 50.0),
    ("push", "server", "twa", "push", 50.0),
    ("push", "server", "twa", "push diffed", None),
    ("push", "server", "twa", "push all", None),
    ("pull", "folder", "owlready2", "pull", None),
    ("pull", "folder", "twa", "pull", 10.0),
    ("pull", "server", "twa", "pull", 10.0),
)
"""What is compared: what ours does and where, the peer and what it does, the aim."""

SAID = {
    ("twa", "push"): ", one by one as documented",
    ("twa", "push diffed"): ", one by one, each pulled first",
    ("twa", "push all"): ", all in one update",
    ("twa", "pull"): ", depth 0",
}

Times = dict[tuple[str, str], list[float]]
"""Milliseconds by tool and by what it did."""


def _compare(tools: dict[str, Callable[[], Peer]]) -> Iterator[Figure]:
    fresh: Times = {}
    for round_ in range(FRESH):
        for tool, start in tools.items():
            for what, batch in (("push", round_), ("push diffed", FRESH + round_), ("pull", 0)):
                if what != "push diffed" or tool == "twa":
                    with start() as peer:
                        _take(fresh, tool, what, peer, batch)
    yield from _figures(fresh, "first in its process", True)
    warm: Times = {}
    with ExitStack() as stack:
        at_work = {tool: stack.enter_context(start()) for tool, start in tools.items()}
        for round_ in range(1 + WARM):
            for tool, peer in at_work.items():
                found = warm if round_ else {}
                batch = 100 + 2 * round_
                _take(found, tool, "push", peer, batch)
                _take(found, tool, "pull", peer, batch)
                if tool == "twa":
                    _take(found, tool, "push all", peer, batch + 1)
    yield from _figures(warm, "warm", False)


def _take(times: Times, tool: str, what: str, peer: Peer, batch: int) -> None:
    times.setdefault((tool, what), []).append(peer.ask(what, batch, OBJECTS))


def _figures(times: Times, when: str, aimed: bool) -> Iterator[Figure]:
    """Yield a figure a comparison.

    The aims hold for what a script does that stores or loads 1,000 objects: the first time in its
    process. A Java machine that has warmed up is several times quicker; that is shown without one.
    """
    for what, mine, tool, theirs, least in ROWS:
        if (tool, theirs) not in times:
            continue
        ours = OBJECTS / statistics.median(times[mine, what]) * 1e3
        other = OBJECTS / statistics.median(times[tool, theirs]) * 1e3
        name = f"{what}, {mine}, {when}"
        against = f"{tool}{SAID.get((tool, theirs), '')}"
        if least is None or not (aimed or tool == "owlready2"):
            yield shown(name, ours, other, "objects/s", against)
        else:
            yield speed(name, ours, other, against, least)
