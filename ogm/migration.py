"""Bringing what is stored to the present schema of its classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from triplestore import Table

from .forms import form
from .graph import BATCH, PAGE, KnowledgeGraph
from .model import GraphModel, found_more, subclasses
from .search import older


def migrate(kg: KnowledgeGraph, told: Callable[[str, int], None] | None = None) -> dict[str, int]:
    """Write the present form of every object of an earlier schema version beside the old one.

    Nothing is removed, and every object keeps its IRI: what was said stays said, in the terms of
    its time, so a property that changes its meaning must get a new name. Reading never needs a
    migration; queries in SPARQL, which know only what is written, do. Interrupted, it is done
    again from where it was.

    Args:
        kg: the session.
        told: is called with the name of a class and the number of its objects done so far.

    Returns:
        How many objects of each class were brought up to date.

    Raises:
        ConflictError: an upgrade gives a property another value under its old name.
        GraficoError: an object cannot be read, or the store cannot write.
    """
    done: Counter[str] = Counter()
    found_more()
    for cls in {cls.term(): cls for cls in subclasses(GraphModel)}.values():
        if not _storable(cls):
            continue
        while iris := _older(kg, cls):
            for start in range(0, len(iris), BATCH):
                models = kg.pull_all(cls, iris[start : start + BATCH])
                kg.push_again(models)
                done[cls.__name__] += len(models)
                if told is not None:
                    told(cls.__name__, done[cls.__name__])
    return dict(done)


def _storable(cls: type[GraphModel]) -> bool:
    try:
        form(cls)
    except TypeError:
        return False
    return True


def _older(kg: KnowledgeGraph, cls: type[GraphModel]) -> list[str]:
    """Return objects of which no form of the present schema version is stored."""
    if cls.schema_version() == 1:
        return []
    answer = kg.store.query(older(cls, PAGE))
    assert isinstance(answer, Table)
    return [str(getattr(row[0], "value", "")) for row in answer.rows]
