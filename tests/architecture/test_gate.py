"""What a request names is opened by one gate: no domain opens files by itself but its own.

`workflows.trust.caller` opens what somebody has named, for those alone who may read it.
What a domain opens besides is counted here, and is its own: tables beside the code, data of
packages, folders of programs that it has just run, what a person's settings name.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2] / "workflows"

OUTSIDE = {
    *(
        "__main__.py",
        "trust/caller.py",
        "registry/packages.py",
        "registry/spoken.py",
        "programs/installed.py",
    ),
}
"""The gate; what writes the documentation; what finds packages and words; what runs programs."""

METHODS = {"open", "read_text", "read_bytes", "is_file", "exists", "expanduser", "is_symlink"}
FUNCTIONS = {
    ("os", "open"), ("os", "stat"), ("os", "listdir"), ("os", "scandir"), ("os", "walk"),
    ("gzip", "open"), ("io", "open"), ("np", "load"), ("np", "loadtxt"), ("np", "genfromtxt"),
    ("shutil", "copy"), ("shutil", "copyfile"), ("path", "isfile"), ("path", "exists"),
    ("path", "isdir"), ("path", "expanduser"), ("path", "getsize"), ("codecs", "open"),
}  # fmt: skip

OWN = {
    "analogues/changing.py": 1,  # tables beside the code
    "analogues/finding.py": 1,
    "batch/sources.py": 2,  # standard input of a person; folders whose files the gate opens
    "controlled/lists.py": 1,  # tables beside the code
    "documents/finding.py": 1,  # a folder that the gate has found
    "dft/properties/electronic_levels.py": 1,  # a table beside the code
    "geometry/band.py": 1,  # nowhere
    "geometry/scaling.py": 1,  # a table beside the code
    "mace/files.py": 2,  # links to files that the gate has opened
    "mof/entries.py": 5,  # the folder and the cache of crystals that the settings name
    "mof/fingerprints.py": 3,  # tables beside the code, nets of PORMAKE
    "mof/known_blocks.py": 2,
    "mof/library.py": 2,
    "mof/pores.py": 2,
    "mof/zeo.py": 3,  # in the folder of its process
    "molecule/async_files.py": 1,  # where the gate has found it
    "molecule/turns.py": 1,  # when requests were made, in the runtime folder
    "molecule/cas.py": 1,
    "molecule/chemicals_names.py": 2,  # tables of the package chemicals
    "molecule/names_index.py": 1,  # the same tables, which it makes an index of in the cache
    "molecule/formulas.py": 1,
    "molecule/table.py": 1,
    "molecule/crystal_names.py": 2,  # tables beside the code, and of the package pymatgen
    "molecule/recognition.py": 2,
    "molecule/spin/ground_states.py": 1,  # tables beside the code
    "batch/reading.py": 1,
    "potentials/learned.py": 1,  # weights in the package of a learned potential
    "potentials/levels.py": 1,
    "sevennet/levels.py": 2,
    "registry/references.py": 1,  # tables beside the code
    "registry/skills.py": 7,  # beside the code, and in the folder that the settings name
    "safety/chart.py": 1,  # tables beside the code
    "safety/tables.py": 2,  # tables of the package chemicals
    "synthesis/disconnecting.py": 1,  # rules of the package synspace
    "synthesis/filters.py": 1,  # the filter of the package molbloom
    "liquids/script.py": 1,  # the beginning of programs for PyLabRobot, beside the code
    "drivers/worker.py": 1,  # nothing, in the place of standard input
    "trust/book.py": 1,  # records of what a person trusts, in the state folder
    "text/kept.py": 3,  # the user's cache
    "text/minilm.py": 1,  # weights in their package
    "outputs/bring.py": 1,  # a folder that the gate has found, whose files it opens
}
"""Calls of each file that open, or look for, what nobody who asks has named."""


def opens(source: str) -> list[int]:
    """Lines that open files, or look whether there are some."""
    found: list[int] = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Name(id="open")):
                found.append(node.lineno)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name)) if (
                owner,
                name,
            ) in FUNCTIONS:
                found.append(node.lineno)
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=owner), attr=name)) if (
                owner,
                name,
            ) in FUNCTIONS:
                found.append(node.lineno)
            case ast.Call(func=ast.Attribute(attr=name)) if name in METHODS:
                found.append(node.lineno)
            case _:
                pass
    return found


def counted() -> dict[str, int]:
    found = Counter[str]()
    for path in sorted(ROOT.rglob("*.py")):
        inside = path.relative_to(ROOT)
        if inside.parts[0] != "engine" and str(inside) not in OUTSIDE:
            found[str(inside)] += len(opens(path.read_text(encoding="utf-8")))
    return {name: times for name, times in found.items() if times}


def test_no_domain_opens_what_a_request_names_by_itself() -> None:
    more = {name: times for name, times in counted().items() if times > OWN.get(name, 0)}
    assert not more, f"workflows.trust.caller.opened and located look who asks: {more}"


@pytest.mark.parametrize(
    "source",
    [
        "open(x)",
        "Path(x).read_text()",
        "x.open()",
        "os.path.isfile(x)",
        "os.open(x, 0)",
        "gzip.open(x)",
        "def f():\n  return path.exists()",
        "np.loadtxt(x)",
        "x.expanduser()",
    ],
)
def test_what_opens_by_itself_is_caught(source: str) -> None:
    assert opens(source)


def test_what_the_gate_opens_is_not() -> None:
    assert not opens("located(x)\nopened(x)\nfrom workflows.trust.caller import opened")
