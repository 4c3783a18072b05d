"""How often a request is read on its way from the command line to what is remembered of it."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from .figures import Figure, say, shown

VERB = ("run", "water", "--method", "HF", "--basis", "STO-3G", "--task", "energy")
SENTENCE = ("ask", "energy of water with HF/STO-3G")
MOST = {"forms filled in": 3, "sentence read": 1, "workflows imported": 2}
"""How often at most: a request has a form for what is computed, its level and its molecule each."""

COUNTED = {
    "forms filled in": ("workflows/engine/request/form.py", "fill"),
    "whose method it is": ("workflows/registry/levels.py", "program_of"),
    "sentence read": ("grafico/agent/rules/reader.py", "plan"),
    "settings read": ("grafico/session/settings.py", "read_settings"),
    "workflows imported": ("workflows/registry/catalogue.py", "Workflow.whole"),
    "fields of forms asked": ("workflows/engine/request/form.py", "Form.offered"),
}
"""What is counted, with the file and the function that does it."""


def counts(words: Sequence[str], store: Path) -> dict[str, int]:
    """Run a command in a process that counts, and return how often it did each thing.

    Args:
        words: of the command.
        store: its folder.
    """
    told = store.parent / "counted.json"
    line = [sys.executable, "-m", __name__, str(told), *words, "--store", str(store), "--quiet"]
    subprocess.run(line, check=True, capture_output=True, text=True)
    return json.loads(told.read_text())


def processor_time(words: Sequence[str], store: Path) -> float:
    """Return the seconds of processor time of a command, without what it starts and leaves."""
    line = [sys.executable, "-m", "grafico", *words, "--store", str(store), "--quiet"]
    before = os.times()
    subprocess.run(line, check=True, capture_output=True)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def measure(folder: Path, times: int = 7) -> Iterator[Figure]:
    """Ask for what is remembered by a verb and in a sentence, and count."""
    store = folder / "reading"
    say("reading: computing water once…")
    processor_time(VERB, store)
    say("reading: counting, and taking the time of the same…")
    verb, sentence = counts(VERB, store), counts(SENTENCE, store)
    for name, most in MOST.items():
        ours, least, target = sentence[name], verb[name], f"at most {most}"
        yield Figure(f"ask, {name}", ours, least, "times", "the verb", target, ours <= most)
    pairs = [[processor_time(words, store) for words in (SENTENCE, VERB)] for _ in range(times)]
    ours, other = (sorted(taken)[times // 2] for taken in zip(*pairs, strict=True))
    yield shown("ask, what is remembered", ours, other, "s", "the verb")


def _main(told: str, *words: str) -> None:
    """Run a command as `grafico` does, and write down how often each thing was done."""
    names = {place: name for name, place in COUNTED.items()}
    root = f"{Path(__file__).resolve().parents[2]}/"
    found: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            code = frame.f_code
            place = (code.co_filename.removeprefix(root), code.co_qualname)
            if name := names.get(place):
                found[name] += 1

    threading.setprofile(count)  # the session's own loop lives in a thread
    sys.setprofile(count)
    sys.argv = ["grafico", *words]
    try:
        runpy.run_module("grafico", run_name="__main__")
    finally:
        sys.setprofile(None)
        Path(told).write_text(json.dumps({name: found[name] for name in COUNTED}))


if __name__ == "__main__":
    _main(*sys.argv[1:])
