"""What a person sees while runs go on: a line a step, and signs of life in between.

Where several go on at once, each line says of which it is; on a terminal each has one line, which
is rewritten.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import Any, Self

from workflows.engine import Event
from workflows.engine.execution.calculation import title_of
from workflows.text.names import spelt_out
from workflows.text.words import count, duration

from ..say import say, take_back

EVERY = 1.0
"""Seconds between two lines on SCF cycles."""

THINNED, SHARE = 10.0, 0.05
"""Seconds from which on a file or pipe gets fewer signs of life, and of the time so far the least
that lies between two: some ninety in ten minutes, and fourteen more for each doubling."""

PACE = 2.0
"""Seconds between two lines on how far many entries are."""

LONGEST = 40
"""Letters of what was asked for, beyond which a line names its formula or the like instead."""

MANY = 10
"""Entries from which on it is said how far they are."""

PASSING = ("started", "waiting", "frame", "alive", "result")
"""Kinds of news of a run of several that the next one takes the place of, on a terminal."""


class Progress:
    """Writes what happens to standard error.

    Args:
        quiet: write nothing.
    """

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self._started = time.monotonic()
        self._latest = ""
        self._sign = 0.0
        self._told: dict[str, float] = {}
        self._stage: dict[str, str] = {}
        self._waits: dict[str, str] = {}
        self._names: dict[str, str] = {}
        self._labels: dict[str, str] = {}
        self._open: set[str] = set()
        self._live: dict[str, str] = {}
        self._paced: dict[str, tuple[float, int, float]] = {}
        self._rewrites = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        sys.stderr.flush()

    def __call__(self, event: Event) -> None:
        """Tell about an event, if it is worth a line."""
        line = None if self.quiet else self.line(event)
        if not line or (not event.where.run and line == self._latest):
            return  # what is prepared side by side tells the same many times over
        self._latest = line
        if not self._rewrites and event.kind in PASSING and not self._due():
            return
        run, line = event.where.run, f"{time.monotonic() - self._started:7.1f} s  {line}"
        passing = event.kind in PASSING and run in self._open and self._several
        if self._rewrites and (passing or event.kind == "progress"):
            self._write("", **{run: line})
        else:
            self._write(line, **({run: ""} if event.kind == "finished" else {}))

    def _due(self) -> bool:
        """Whether it is time for a sign of life, where each stays to be read."""
        now = time.monotonic()
        if (spent := now - self._started) > THINNED and now - self._sign < SHARE * spent:
            return False
        self._sign = now
        return True

    def _write(self, line: str, **live: str) -> None:
        """Write a line that stays above the lines of the runs under way, which are rewritten."""
        if self._live:
            take_back(len(self._live))
        self._live = {run: text for run, text in {**self._live, **live}.items() if text}
        width = shutil.get_terminal_size().columns - 1
        for text in (line, *(one[:width] for one in self._live.values())):
            if text:
                say(text, err=True)

    @property
    def _several(self) -> bool:
        """Whether runs on more than one subject go on."""
        return len({*self._labels.values()}) > 1

    def line(self, event: Event) -> str | None:
        """Return a line about an event, if it is worth one; with its subject where several run."""
        run = event.where.run
        if event.kind == "subject":
            self._names[event.data["given"]] = event.subject
        if event.kind == "run":
            given = event.data.get("about") or event.subject
            long = len(given) > LONGEST  # an IRI or a SMILES
            self._labels[event.subject] = self._names.get(given, given) if long else given
            self._open.add(event.subject)
        line = self._line(event.kind, event.subject, event.data, run)
        several = self._several
        if event.kind == "finished":
            line = event.data["status"] if several else None
            self._open.discard(event.subject)
        if line:
            self._told[run] = time.monotonic()
            line = f"{self._labels[run]}: {line}" if several and run in self._labels else line
        if not self._open:
            self._labels.clear()
        return line

    def _line(self, kind: str, subject: str, data: Any, run: str) -> str | None:
        title = title_of(subject)
        match kind:
            case "subject" if data["given"] == subject and not data.get("remarks"):
                return None
            case "subject":
                remarks = "".join(f"\n           note: {text}" for text in data.get("remarks", ()))
                return f"{data['given']} → {subject}{remarks}"
            case "estimate":
                less = f"; {advice}" if (advice := data.get("advice")) else ""
                return f"{subject}: estimated {data['text']}{less}"
            case "started":
                self._stage[run] = ""
                return f"{title}: computing with {count(data['threads'], 'thread')}"
            case "waiting" if data.get("reason"):
                if self._waits.get(run) == data["reason"]:
                    return None  # of many steps side by side each says so
                self._waits[run] = data["reason"]
                return f"{title}: waiting, {data['reason']}"
            case "frame":
                return self._frame(title, data, run)
            case "progress":
                return self._progress(data, run)
            case "alive":
                stage = data.get("stage") or self._stage.get(run) or "at work"
                return f"{title}: {stage}, {data['elapsed']:.0f} s so far"
            case "warning":
                return f"warning: {data.get('reason') or subject}"
            case "result" if data["reused"] and "deviation" in data:
                within = f"{max(data['deviation'], 1e-9):.0e}"
                return f"{title}: remembered of a copy, whose atoms lie within {within} Å"
            case "result" if data["reused"]:
                return f"{title}: remembered"
            case "transition" if data.get("stopped"):
                return None  # the command says so itself
            case "transition" if data["failure"]:
                return f"the step “{spelt_out(subject)}” failed"
            case "transition" if data["said"]:
                return data["said"]
            case _:
                return None

    def _progress(self, data: Any, run: str) -> str | None:
        """Return how far many entries are, and when they will have ended."""
        done, total, now = data["done"], data["total"], time.monotonic()
        if (total or done) < MANY:
            return None
        share = data.get("share", done / total if total else 0.0)  # the largest come first
        since, first, begun = self._paced.setdefault(run, (now, done, share))
        if done != total and now - max(self._told.get(run, 0.0), since) < PACE:
            return None
        if not total:
            return f"{count(done, 'entry', 'entries')} read"
        failed = f", {data['failed']:,} failed" if data["failed"] else ""
        rate = (done - first) / (now - since) if now > since else 0.0
        if not rate or done == total:
            return f"{done:,} of {total:,} done{failed}"
        pace = f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute"
        left = duration((now - since) * max(0.0, 1 - share) / max(share - begun, 1e-9))
        return f"{done:,} of {total:,} done{failed}, {pace}, {left} left"

    def _frame(self, title: str, data: Any, run: str) -> str | None:
        if "text" in data:
            return data["text"]
        stage: str = data["stage"]
        self._stage[run] = {"scf": "SCF", "hessian": "second derivatives"}.get(stage, stage)
        if stage == "optimise":
            return (
                f"{title}: step {data['step']:3d}  energy {data['energy']:16.8f} Eh  "
                f"largest gradient {data['max_gradient']:.2e} Eh/bohr"
            )
        if stage == "scf":
            if time.monotonic() - self._told.get(run, 0.0) < EVERY:
                return None
            return f"{title}: SCF cycle {data['cycle']:2d}  energy {data['energy']:16.8f} Eh"
        if stage == "hessian":
            return (
                f"{title}: second derivatives  energy {data['energy']:16.8f} Eh  "
                f"largest gradient {data['max_gradient']:.2e} Eh/bohr"
            )
        return None
