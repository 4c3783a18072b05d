"""The packages that bring workflows, levels and classes: the folders of `workflows`, and others.

Of each no more is imported than its `__init__`, until somebody asks for what it declares.
"""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from workflows.text.names import plain

if TYPE_CHECKING:
    from ogm import GraphModel

GROUP = "grafico.workflows"
"""The entry point where other packages name themselves."""

LEVELS = "grafico.levels"
"""Likewise those that bring levels of theory, see `workflows.registry.levels`."""

PROPERTIES = "grafico.properties"
"""Likewise those that bring what levels can compute besides, see `properties` beside this."""

GROUPS = (GROUP, LEVELS, PROPERTIES)

ROOMS = frozenset({"engine", "programs", "registry", "show", "text", "trust"})
"""Folders of `workflows` that are no domain: what all domains use."""


def declaring(group: str) -> Iterator[tuple[str, ModuleType | Exception]]:
    """Iterate over the packages that may declare something: our folders, then other packages.

    Args:
        group: the entry point where other packages name themselves.

    Returns:
        The name of each, with the package itself or why it cannot be imported.
    """
    import workflows as home

    folders = (one.parent.name for at in home.__path__ for one in Path(at).glob("*/__init__.py"))
    for place in sorted(f"workflows.{name}" for name in {*folders} - ROOMS):
        yield place, _imported(place)
    for place in entries(group):
        yield place, _imported(_module(place))


def entries(group: str) -> list[str]:
    """Return what installed packages name at an entry point: modules, as a rule."""
    found: set[str] = set()
    for text in _entry_points(tuple(sys.path)):
        section = ""
        for line in map(str.strip, text.splitlines() if group in text else ()):
            if line.startswith("["):
                section = line[1:].partition("]")[0].strip()
            elif section == group and "=" in line and not line.startswith(("#", ";")):
                found.add(line.partition("=")[2].strip())
    return sorted(found)


@functools.cache
def _entry_points(path: tuple[str, ...]) -> list[str]:
    """Return the entry points of each package in some folders, read once: there are hundreds.

    That is what `importlib.metadata` says of folders on the path, whose import takes longer than
    all the rest of `grafico --help`.
    """
    packages: dict[str, str] = {}
    for folder in path:
        with suppress(OSError):  # an archive, or nothing at all
            for about in sorted(os.listdir(folder or ".")):
                if about.endswith((".dist-info", ".egg-info")):
                    with (
                        suppress(OSError),  # most name nothing
                        open(f"{folder or '.'}/{about}/entry_points.txt", "rb", 0) as file,
                    ):
                        text = file.read().decode("utf-8", "replace")
                        packages.setdefault(plain(about.partition("-")[0]), text)
    return list(packages.values())


def homes() -> tuple[str, ...]:
    """Return the folders on the path where packages stand that declare something."""
    declares = (
        folder
        for folder in sys.path
        if any(group in text for text in _entry_points((folder,)) for group in GROUPS)
    )
    return tuple(dict.fromkeys(map(os.path.abspath, declares)))


def _module(place: str) -> str:
    """Return the module of what stands at an entry point: `module:attribute [extra]`."""
    return re.split(r"[:\[\s]", place, maxsplit=1)[0]


def _imported(place: str) -> ModuleType | Exception:
    try:
        return importlib.import_module(place)
    except Exception as error:
        return error


def others() -> set[str]:
    """Return the packages beside Grafico that declare something."""
    places = [place for group in GROUPS for place in entries(group)]
    return {_module(place).partition(".")[0] for place in places}


def classes_of_others() -> list[type[GraphModel]]:
    """Return the classes that packages beside Grafico bring, parents first."""
    from ogm import GraphModel
    from ogm.model import subclasses

    packages = others()
    if packages:
        import_classes()
    classes_by_name = dict.fromkeys(subclasses(GraphModel))
    return [cls for cls in classes_by_name if cls.__module__.partition(".")[0] in packages]


def import_classes() -> None:
    """Import the classes of all that is installed: some object in a store is of one of them."""
    for group in GROUPS:
        for _, module in declaring(group):
            places = list(getattr(module, "LEVELS", {}).values())
            places += [getattr(one, "definition", "") for one in getattr(module, "WORKFLOWS", ())]
            places += [getattr(one, "result", "") for one in getattr(module, "PROPERTIES", ())]
            for place in places:
                with suppress(Exception):  # it is told where it is asked for
                    importlib.import_module(_module(place))
