"""`Paths`: the geometries through which calculations went, as they were shown while they did.

A result does not hold them. They are lines of a file for each run, in the folder of the
conversation, so that they are there after the end, and after a server that was killed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

FOLDER = ".paths"
"""In the folder of a conversation, where no tool comes."""

LARGEST = 20_000_000
"""Bytes of a file; what comes after that is not kept."""

MOST_FRAMES = 400
"""Geometries of a stage that a page gets: of more every second, every third and so on."""


def keep(folder: Path, run: str, frame: Mapping[str, Any]) -> None:
    """Add a geometry to those of a run.

    Args:
        folder: of the conversation.
        run: its IRI.
        frame: stage, step, energy, max_gradient, symbols, positions.
    """
    path = _path(folder, run)
    with suppress(OSError):  # a full disk ends no calculation
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            if file.tell() < LARGEST:
                file.write(json.dumps(frame, separators=(",", ":")) + "\n")


def kept(folder: Path, run: str) -> list[dict[str, Any]]:
    """Return the stages of a run, each with its geometries in order, as pages read them.

    Args:
        folder: in which those of conversations lie.
        run: its IRI.
    """
    stages: dict[str, dict[int, Any]] = {}
    found = (_path(one, run) for one in (folder.iterdir() if folder.is_dir() else ()))
    for path in found:
        if not path.is_file():
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            with suppress(ValueError):  # cut off in its middle
                frame = json.loads(line)
                stages.setdefault(frame["stage"], {})[frame["step"]] = frame
    return [_stage(name, list(frames.values())) for name, frames in stages.items()]


def _stage(name: str, frames: list[dict[str, Any]]) -> dict[str, Any]:
    every = -(-len(frames) // MOST_FRAMES)
    shown = frames[:-1:every] + frames[-1:]
    symbols = shown[0]["symbols"]
    return {
        "stage": name,
        "symbols": symbols,
        "frames": [
            {n: one[n] for n in ("step", "energy", "max_gradient", "positions") if n in one}
            for one in shown
            if one["symbols"] == symbols
        ],
    }


def _path(folder: Path, run: str) -> Path:
    return folder / FOLDER / f"{run.rpartition('/')[2]}.jsonl"
