"""The nets and building blocks that PORMAKE brings, read from its files without importing it.

Source: S. Lee, B. Kim, H. Cho, H. Lee, S. Y. Lee, E. S. Cho, J. Kim, ACS Appl. Mater. Interfaces
13, 23647 (2021).
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import difflib
import functools
import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ontologies.atoms import make_atoms
from ontologies.elements import SYMBOLS
from ontologies.mofs import BlockGeometry
from triplestore.errors import ComponentError, NotFoundError

from .codes import block_geometry

EXTRA = "pip install 'grafico-chem[mof]'"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.*+-]{0,30}")
"""What a net or a block may be called: no path."""


@functools.cache
def database() -> Path:
    """Return the folder of PORMAKE's files.

    Raises:
        ComponentError: it is not installed.
    """
    found = importlib.util.find_spec("pormake")
    if found is None or found.origin is None:
        asked = "nets and building blocks were asked for"
        raise ComponentError(asked, "the package pormake is not installed", EXTRA)
    return Path(found.origin).parent / "database"


def is_installed() -> bool:
    """Return whether PORMAKE is there."""
    return importlib.util.find_spec("pormake") is not None


@functools.cache
def net_names() -> tuple[str, ...]:
    """Return the symbols of all nets, in order."""
    return tuple(sorted(path.stem for path in (database() / "topologies").glob("*.cgd")))


@functools.cache
def block_names() -> tuple[str, ...]:
    """Return the names of all blocks: N and a number for nodes, E for linkers."""
    names = (path.stem for path in (database() / "bbs").glob("*.xyz"))
    return tuple(sorted(names, key=lambda name: (name[0], int(re.sub(r"\D", "", name) or 0), name)))


def net_text(name: str) -> str:
    """Return the file of a net, in the format CGD.

    Raises:
        NotFoundError: there is none of that name.
    """
    return _text("net", name, "topologies", ".cgd", net_names())


@functools.lru_cache(maxsize=256)
def block_named(name: str) -> BlockGeometry:
    """Return a block.

    Raises:
        NotFoundError: there is none of that name.
    """
    text = _text("building block", name, "bbs", ".xyz", block_names())
    lines = text.splitlines()
    rows = [line.split() for line in lines[2 : int(lines[0]) + 2]]
    real = [number for number, row in enumerate(rows) if row[0] != "X"]
    ends = [number for number, row in enumerate(rows) if row[0] == "X"]
    places = np.array([[float(x) for x in row[1:4]] for row in rows])
    atoms = make_atoms(
        f"the building block {name}",
        numbers=[SYMBOLS.index(rows[at][0]) for at in real],
        positions=places[real],
    )
    apart = np.linalg.norm(places[ends][:, None] - places[real][None], axis=2)
    return block_geometry(
        atoms, places[ends], [int(at) for at in apart.argmin(axis=1)], f"PORMAKE {name}"
    )


@functools.cache
def connections_of(name: str) -> int:
    """Return how many connections a block has, without reading all of it."""
    lines = (database() / "bbs" / f"{name}.xyz").read_text("utf-8").splitlines()
    return sum(line.split()[:1] == ["X"] for line in lines[2 : int(lines[0]) + 2])


def nodes_with(connections: int) -> list[str]:
    """Return the names of blocks that have so many connections."""
    return [name for name in block_names() if connections_of(name) == connections]


def _text(what: str, name: str, folder: str, suffix: str, names: Sequence[str]) -> str:
    by_name = {one.lower(): one for one in names}
    known = name if name in names else by_name.get(name.lower())
    if known is None or not NAME.fullmatch(known):
        close = difflib.get_close_matches(name.lower(), list(by_name), 5, 0.5)
        near = f"near names: {', '.join(by_name[one] for one in close)}; " if close else ""
        raise NotFoundError(
            f"the {what} {name[:60]!r} was asked for",
            f"there is none of that name among {len(names)} of PORMAKE",
            f"{near}give a name of PORMAKE, or the IRI of a stored {what}",
        )
    return (database() / folder / f"{known}{suffix}").read_text("utf-8")
