"""Whoever is killed and whenever: the same request goes on, and the end is the same."""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from ogm import KnowledgeGraph
from ontologies.provenance import Activity
from ontologies.quantum import Optimisation, SinglePoint
from tests.engine import enduring
from tests.engine.toys import Answer
from triplestore import open_store
from triplestore.broker.folder import read_holder

ROOT = Path(__file__).resolve().parents[2]

# a new parent takes a second to start: fewer of them
KILLS = Counter({"worker": 26, "server": 9, "broker": 8, "parent": 4, "all": 3})

PROGRAM = """
import asyncio, sys
from tests.engine.enduring import main
asyncio.run(main(*sys.argv[1:]))
"""


def start(store: Path, tally: Path, said: Any) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(store), str(tally)],
        cwd=ROOT,
        stdout=said,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def cast_of(parent: int, store: Path) -> dict[str, list[psutil.Process]]:
    """Everybody who takes part, by role."""
    found: dict[str, list[psutil.Process]] = {"parent": [], "server": [], "worker": []}
    with contextlib.suppress(psutil.Error):
        process = psutil.Process(parent)
        found["parent"] = [process]
        found["server"] = process.children()
        found["worker"] = [w for server in found["server"] for w in server.children()]
    found["broker"] = brokers(store)
    return {role: members for role, members in found.items() if members}


def brokers(store: Path) -> list[psutil.Process]:
    holder = read_holder(store)
    with contextlib.suppress(psutil.Error):
        return [psutil.Process(holder.pid)] if holder else []
    return []


def kill(victims: list[psutil.Process]) -> None:
    for process in victims:
        with contextlib.suppress(psutil.Error):
            process.kill()


def contents(store: Path) -> tuple[dict[str, list[Any]], Counter[str]]:
    """Every result by what was asked, and how often each key was recorded."""
    with open_store(str(store)) as opened:
        kg = KnowledgeGraph(opened)
        activities = kg.find(Activity)
        results: dict[str, list[Any]] = {}
        for activity in activities:
            results.setdefault(activity.key, []).append(activity.generated.load(kg))
        made = [one for kind in (Answer, SinglePoint, Optimisation) for one in kg.find(kind)]
        assert len(made) == len(activities), "a result of which no activity tells, or none"
    return results, Counter(activity.key for activity in activities)


@pytest.mark.xdist_group("durability")
def test_fifty_kills_at_random_moments_change_nothing_in_the_end(tmp_path: Path) -> None:
    store, tally, calm = tmp_path / "store", tmp_path / "tally", tmp_path / "calm"
    order = random.Random(11)
    deck = list(KILLS.elements())
    order.shuffle(deck)
    kills: Counter[str] = Counter()
    seen: set[psutil.Process] = set()
    said = tmp_path / "said"
    with open(said, "ab") as output:
        process = start(store, tally, output)
        deadline = time.monotonic() + 600
        while process.poll() is None or process.returncode != 0:
            assert time.monotonic() < deadline, said.read_text()[-2000:]
            if process.poll() is not None:
                assert process.returncode == -9, said.read_text()[-2000:]
                process = start(store, tally, output)
            time.sleep(order.uniform(0, 0.15))
            if not deck:
                continue
            roles = cast_of(process.pid, store)
            seen.update(member for members in roles.values() for member in members)
            role = deck[-1]
            if role != "all" and role not in roles:
                continue  # there is none just now
            kill([m for ms in roles.values() for m in ms] if role == "all" else roles[role])
            kills[deck.pop()] += 1
    assert kills == KILLS, "it was over too soon"

    # nobody and nothing stays but the store and its broker
    end = time.monotonic() + 5
    while left := [p for p in seen if p.is_running() and p not in brokers(store)]:
        left = [p for p in left if p.status() != psutil.STATUS_ZOMBIE]
        if not left:
            break
        assert time.monotonic() < end, left
        time.sleep(0.05)
    assert list((store / "tasks").iterdir()) == []
    assert [str(path) for path in store.rglob("*") if path.name.endswith(".part")] == []

    # the same as without a disturbance
    asyncio.run(enduring.main(str(calm), str(tally.with_name("calm-tally"))))
    results, recorded = contents(store)
    expected, _ = contents(calm)
    asked = [call.key for call in enduring.calls(str(tally))]
    undisturbed = [call.key for call in enduring.calls(str(tally.with_name("calm-tally")))]
    assert sorted(recorded) == sorted(asked)
    assert set(recorded.values()) == {1}, "nothing twice"
    for key, calm_key in zip(asked, undisturbed, strict=True):
        ours, theirs = results[key][0], expected[calm_key][0]
        match ours:
            case Answer():
                assert ours.value == theirs.value
            case Optimisation():
                assert ours.energy == pytest.approx(theirs.energy, abs=1e-6)
            case _:
                assert (ours.energy, ours.atoms) == (theirs.energy, theirs.atoms)

    # a kill costs at most the calculation that was under way
    began = Counter(tally.read_text().split())
    assert len(began) == enduring.TOYS_ASKED
    assert began.total() - enduring.TOYS_ASKED <= kills.total()
    kill(brokers(store) + brokers(calm))
