"""Names of stored quantities: how people spell them, and which are near."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from ogm import GraphModel
from ogm.fields import FieldPlan
from ogm.model import storable

from .differences import Difference
from .origins import origins
from .units import symbol


def spelt(name: str) -> str:
    """Return the field that a name means, such as `gibbs_energy` for `g:gibbsEnergy`.

    Case, spaces, hyphens and a unit at the end do not matter (`gibbs_energy_Eh`, `..._E_h`).

    Returns:
        The name itself if no class has such a number.
    """
    key, known = _key(name.removeprefix("g:")), _known()
    if key in known:
        return known[key]
    units = _units(_classes())
    ends = sorted(
        (one for one in known if key.startswith(one) and key[len(one) :] in units[known[one]]),
        key=len,
    )
    return known[ends[-1]] if ends else name


def is_known(name: str) -> bool:
    """Return whether a class has such a number, however it is spelt."""
    return spelt(name) in _known().values()


def difference(name: str) -> Difference | None:
    """Return the number of two that are stored which a name means; None for none."""
    key = _key(name)
    for cls in _classes():
        for one in getattr(cls, "differences", ()):
            if key in map(_key, (one.name, *one.otherwise)):
                return one
    return None


def nearest(name: str, others: Iterable[str] = (), count: int = 6) -> list[str]:
    """Return the names of stored quantities that are nearest to one, the likeliest first.

    Args:
        name: what was asked for.
        others: names beside those of fields.
        count: how many at most.
    """
    import difflib

    key = _key(name)
    names = {**_known(), **{_key(one): one for one in others}}
    words = {_key(word) for word in name.replace("_", " ").split() if len(word) > 2}
    parts = [one for one in names if key in one or any(word in one for word in words)]
    close = difflib.get_close_matches(key, names, count, 0.6)
    return list(dict.fromkeys(names[one] for one in (*close, *sorted(parts, key=len))))[:count]


def _key(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


def _classes() -> tuple[type[GraphModel], ...]:
    """Return the classes there are now: those of other packages come when they are met."""
    import ontologies  # its classes are found through GraphModel

    assert ontologies.__all__
    return tuple(storable(GraphModel))


@functools.lru_cache(4)
def _plans(classes: tuple[type[GraphModel], ...]) -> tuple[FieldPlan, ...]:
    return tuple(plan for cls in classes for plan in cls.fields() if plan.name in origins(cls))


def _known() -> Mapping[str, str]:
    """Return the fields with numbers, by their plain spellings."""
    return _spellings(_classes())


@functools.lru_cache(4)
def _spellings(classes: tuple[type[GraphModel], ...]) -> Mapping[str, str]:
    return {_key(plan.name): plan.name for plan in _plans(classes)}


@functools.lru_cache(4)
def _units(classes: tuple[type[GraphModel], ...]) -> Mapping[str, frozenset[str]]:
    """Return how the units of a field are written, plainly."""
    found: dict[str, set[str]] = {}
    for plan in _plans(classes):
        written = {_key(plan.unit.code), _key(symbol(plan.unit))} if plan.unit else set[str]()
        found.setdefault(plan.name, set()).update(written - {""})
    return {name: frozenset(units) for name, units in found.items()}
