"""``grafico slots``: what this machine is busy with."""

from __future__ import annotations

import json
from typing import Any

import click

from workflows.text.words import count

from ..say import say
from .options import options, session


@click.command()
@options()
def slots(store: str | None, as_json: bool, debug: bool) -> None:
    """Show who computes on this machine, who waits, and what is in flight in the store.

    All commands of this user on this machine are seen, whatever their store.
    """
    from workflows.engine.execution.task import in_flight

    from ..session.opened import machine_slots

    with session(store) as grafico:
        machine = machine_slots(grafico.settings)
        home = grafico.kg.store.home
        tasks = in_flight(home / "tasks") if home is not None else []
    assert machine.tokens is not None
    said = {
        "cores": machine.total_cores,
        "memory_MB": machine.memory,
        "gpus": [{**vars(gpu), "slots": machine.per_card} for gpu in machine.gpus],
        "held": machine.tokens.holders(),
        "queue": machine.tokens.queue(),
        "tasks": tasks,
    }
    say(json.dumps(said, indent=2) if as_json else "\n".join(lines(said)))


def lines(said: dict[str, Any]) -> list[str]:
    """Return the answer in words."""
    cards = [f"{g['name']} ({g['memory']:,} MB, {count(g['slots'], 'slot')})" for g in said["gpus"]]
    text = [
        f"{count(said['cores'], 'core')}, {said['memory_MB']:,} MB"
        + "".join(f"; {card}" for card in cards)
    ]
    for who, tokens in by_holder(said["held"]).items():
        text.append(f"  {who}: {', '.join(tokens)}")
    if not said["held"]:
        text.append("  nothing is computed")
    text += [
        f"  waiting: {wish.get('what') or '?'}, {count(wish.get('threads', 0), 'thread')}, "
        f"process {wish.get('pid')} since {wish.get('since')}"
        + (" (stopped: it is passed over until it goes on)" if wish.get("silent") else "")
        for wish in said["queue"]
    ]
    text += [
        f"  task {task['key'][:12]}: {task['calculation']}, {task['state']}"
        for task in said["tasks"]
    ]
    return text


def by_holder(held: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the tokens of each holder."""
    holders: dict[str, list[str]] = {}
    for one in held:
        name = f"{one.get('what') or '?'}, process {one.get('pid')} since {one.get('since')}"
        holders.setdefault(name, []).append(one["token"])
    return holders
