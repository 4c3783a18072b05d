"""What scripts read: the keys of what commands print with ``--json``, and the types of values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from tests.agreeing import agreeing
from tests.golden.requests import QUESTION
from tests.typed import typed

HF = ("--method", "HF", "--basis", "STO-3G")
GRID_TWO = ("--method", "B3LYP", "--basis", "STO-3G", "--grid", "2")

RUN, RESULT, GRID = "RUN", "RESULT", "GRID"
"""Stand for the run of the first command, its first result, and one whose orbital is stored."""

COMMANDS: dict[str, tuple[str, ...]] = {
    "run: energy": ("run", "O", *HF),
    "run: energy, a moved copy": ("run", "MOVED", *HF),
    "run: energy on a grid": ("run", "[HH]", *GRID_TWO, "--recompute"),
    "run: energy, again": ("run", "[HH]", *GRID_TWO, "--recompute"),
    "run: energy with dispersion": (
        "run", "O", "--method", "B3LYP", "--basis", "STO-3G", "--dispersion", "d4",
    ),
    "run: energy in a solvent": ("run", "O", *HF, "--solvent", "water"),
    "run: energy of an open shell": ("run", "[OH]", *HF),
    "run: analysis": ("run", "O", *HF, "--analysis"),
    "run: states": ("run", "O", *HF, "--states", "2"),
    "run: stability": ("run", "O", *HF, "--stability"),
    "run: frequencies": ("run", "O", *HF, "--task", "frequencies"),
    "run: optimise": (
        "run", "BENT", *HF, "--task", "optimise", "--constraints", "angle 2 1 3 120",
    ),
    "spin-states": ("spin-states", "[CH2]", *HF, "--multiplicities", "1,3"),
    "interaction": ("interaction", "[Li+].[H-]", *HF),
    "microwave": (
        "microwave", "--vial", "4", "--temperature", "100", "--duration", "50", "--pressure", "3",
        "--heat", "--conversion", "--speed", "100000",
    ),
    "microwave: plan": ("microwave", "--device", "other", "--vial", "3", "--plan"),
    "microwave: status": ("microwave", "--status"),
    "resume": ("resume", RUN),
    "runs": ("runs", "--limit", "100"),
    "show: run": ("show", RUN),
    "show: result": ("show", RESULT),
    "find": ("find", "O"),
    "find: property": ("find", "O", "--property", "dipole_moment"),
    "query": ("query", "SELECT ?run ?goal { ?run g:goal ?goal } LIMIT 3"),
    "graph": ("graph", "dft"),
    "graph: run": ("graph", "--run", RUN),
    "report": ("report", RUN, "-o", "report.html"),
    "convert": ("convert", RESULT, "--to", "xyz"),
    "cube": ("cube", GRID, "--orbital", "homo", "--spacing", "0.25", "-o", "homo.cube"),
    "slots": ("slots",),
    "ask": ("ask", QUESTION),
    "chats": ("chats",),
    "ontology": ("ontology", "SinglePoint"),
    "fsck": ("fsck",),
    "backup": ("backup", "all.zip"),
    "restore": ("restore", "all.zip"),
    "export": ("export", RUN, "-o", "run.zip"),
    "import": ("import", "run.zip"),
    "migrate": ("migrate",),
    "runs: narrowed": ("runs", "--since", "last year", "--method", "HF", "--formula", "OH2"),
    "find: narrowed": ("find", "O", "--since", "last year", "--method", "HF", "--workflow", "run"),
    "compare": ("compare", "O", "--method", "HF", "--basis", "STO-3G,3-21G"),
    "converge": (
        "converge", "O", "--method", "HF", "--basis", "STO-3G,3-21G", "--tolerance", "1e6",
    ),
    "si": ("si", RUN, "-o", "si.md"),
    "tag": ("tag", RUN, "golden"),
    "withdraw": ("withdraw", "last", "--why", "a trial"),
    "withdraw: undo": ("withdraw", "last", "--undo"),
    "du": ("du",),
    "doctor": ("doctor",),
    "jobs": ("jobs",),
}  # fmt: skip
FILES = {
    "MOVED": "3\nwater\nO 0.39774806 0 1.0072948\nH -0.18487376 0 0.23301245\n"
    "H -0.2128743 0 1.75969276\n",
    "BENT": "3\nwater\nO 0 0 0\nH 0.9 0.3 0\nH -0.9 0.3 0\n",
}


def answers(store: Path) -> dict[str, Any]:
    """Return the shapes of what the commands print, called in the folder that this is in."""
    names = {name: f"{name}.xyz" for name in FILES}
    for name, text in FILES.items():
        Path(names[name]).write_text(text)
    [names[GRID]] = [
        hit["result"]
        for hit in call(store, "find", "[HH]", "--method", "PBE")
        if hit["class"] == "SinglePoint"
    ]
    found: dict[str, Any] = {}
    for name, words in COMMANDS.items():
        said = call(store, *(names.get(word, word) for word in words))
        if RUN not in names:
            names |= {RUN: said["run"], RESULT: said["results"][0]["iri"]}
        found[name] = shape(said)
    return found


def call(store: Path, *words: str) -> Any:
    """Return what a command prints."""
    with agreeing():
        done = typed(*words, "--store", str(store), "--json")
    return json.loads(done.stdout)


def shape(value: Any) -> Any:
    """Return the keys of JSON and the types of its values; items of a list are taken together."""
    match value:
        case dict():
            return {key: shape(one) for key, one in cast("dict[str, Any]", value).items()}
        case list():
            return joined([shape(one) for one in cast("list[Any]", value)])
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case None:
            return "null"
        case _:
            return "string"


def joined(shapes: list[Any]) -> list[Any]:
    """Return what items are like: one object with the keys of all, one list, scalars."""
    objects = [one for one in shapes if isinstance(one, dict)]
    lists = [one for one in shapes if isinstance(one, list)]
    scalars = sorted({one for one in shapes if isinstance(one, str)})
    keys = dict.fromkeys(key for one in objects for key in one)
    whole = {key: either([one[key] for one in objects if key in one]) for key in keys}
    inner = [joined([item for one in lists for item in one])] if lists else []
    return [*([whole] if objects else []), *inner, *scalars]


def either(shapes: list[Any]) -> Any:
    """Return the one shape that a key has in several objects; with null, the other."""
    found = [one for one in joined(shapes) if one != "null"]
    return "null" if not found else found[0] if len(found) == 1 else found


def lost(before: Any, now: Any, place: str = "") -> Iterator[str]:
    """Yield the keys that are gone, and those whose values are of another type."""
    if before in ("null", [], {}):
        return
    if isinstance(before, dict) and isinstance(now, dict):
        for key, value in cast("dict[str, Any]", before).items():
            if key in now:
                yield from lost(value, now[key], f"{place}/{key}")
            else:
                yield f"{place}/{key}: is gone"
    elif isinstance(before, list) and isinstance(now, list):
        for item in cast("list[Any]", before):
            alike = [one for one in cast("list[Any]", now) if type(one) is type(item)]
            if isinstance(item, str) or not alike:
                if item not in now:
                    yield f"{place}: holds no {named(item)} any more"
            else:
                yield from lost(item, alike[0], f"{place}[]")
    elif before != now:
        yield f"{place}: was a {named(before)}, is a {named(now)}"


def named(one: Any) -> str:
    """Return what a shape is called."""
    return one if isinstance(one, str) else "list" if isinstance(one, list) else "object"
