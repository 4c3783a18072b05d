"""The object that mappers are measured with: a type, five scalars and a link."""

from __future__ import annotations

from ogm import GraphModel, Link, Vocabulary

VOCAB = Vocabulary("https://example.org/bench#")
OBJECTS = 1000


class Sample(GraphModel, vocab=VOCAB):
    """What a mapper's users store: a few words and numbers, and a reference."""

    label: str
    index: int
    energy: float
    converged: bool
    method: str
    parent: Link[Sample] | None = None


def star(batch: int, objects: int = OBJECTS) -> list[Sample]:
    """Return one object and the others that refer to it; each batch has content of its own."""
    first = batch * objects
    hub = Sample(label=f"sample {first}", index=first, energy=-1.5, converged=True, method="HF")
    parent = Link[Sample](hub)
    return [hub] + [
        Sample(
            label=f"sample {index}",
            index=index,
            energy=-76.0 - index / 7,
            converged=index % 2 == 0,
            method="B3LYP",
            parent=parent,
        )
        for index in range(first + 1, first + objects)
    ]
