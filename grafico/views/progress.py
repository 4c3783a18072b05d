"""What a person sees while a run goes on: a line a step, and signs of life in between."""

from __future__ import annotations

import sys
import time
from typing import Any, Self

from workflows.engine import Event
from workflows.engine.execution.calculation import title_of
from workflows.words import count

from ..say import say

EVERY = 1.0
"""Seconds between two lines on SCF cycles."""


class Progress:
    """Writes what happens to standard error.

    Args:
        quiet: write nothing.
    """

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self._started = time.monotonic()
        self._told = 0.0
        self._stage = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        sys.stderr.flush()

    def __call__(self, event: Event) -> None:
        """Tell about an event, if it is worth a line."""
        line = None if self.quiet else self._line(event.kind, event.subject, event.data)
        if line:
            elapsed = time.monotonic() - self._started
            say(f"{elapsed:7.1f} s  {line}", err=True)
            self._told = time.monotonic()

    def _line(self, kind: str, subject: str, data: Any) -> str | None:
        title = title_of(subject)
        match kind:
            case "subject" if data["given"] == subject and not data.get("remarks"):
                return None
            case "subject":
                remarks = "".join(f"\n           note: {text}" for text in data.get("remarks", ()))
                return f"{data['given']} → {subject}{remarks}"
            case "estimate":
                return f"{subject}: estimated {data['text']}"
            case "started":
                self._stage = ""
                return f"{title}: computing with {count(data['threads'], 'thread')}"
            case "waiting" if data.get("reason"):
                return f"{title}: waiting, {data['reason']}"
            case "frame":
                return self._frame(title, data)
            case "alive":
                return f"{title}: {self._stage or 'at work'}, {data['elapsed']:.0f} s so far"
            case "warning":
                return f"warning: {data.get('reason') or subject}"
            case "result" if data["reused"] and "deviation" in data:
                within = f"{max(data['deviation'], 1e-9):.0e}"
                return f"{title}: remembered of a copy, whose atoms lie within {within} Å"
            case "result" if data["reused"]:
                return f"{title}: remembered"
            case "transition" if data["failure"]:
                return f"{subject} failed"
            case "transition" if data["said"]:
                return data["said"]
            case _:
                return None

    def _frame(self, title: str, data: Any) -> str | None:
        if "text" in data:
            return data["text"]
        stage = data["stage"]
        self._stage = {"scf": "SCF", "hessian": "second derivatives"}.get(stage, stage)
        if stage == "optimise":
            return (
                f"{title}: step {data['step']:3d}  energy {data['energy']:16.8f} Eh  "
                f"largest gradient {data['max_gradient']:.2e} Eh/bohr"
            )
        if stage == "scf":
            if time.monotonic() - self._told < EVERY:
                return None
            return f"{title}: SCF cycle {data['cycle']:2d}  energy {data['energy']:16.8f} Eh"
        if stage == "hessian":
            return (
                f"{title}: second derivatives  energy {data['energy']:16.8f} Eh  "
                f"largest gradient {data['max_gradient']:.2e} Eh/bohr"
            )
        return None
