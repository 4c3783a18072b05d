"""Collections: the many subjects of one request, as they were read from one source."""

from __future__ import annotations

from typing import Annotated

from ogm import GraphModel, Link, PartOf

from .provenance import Requested


class Collection(GraphModel):
    """Many subjects that were read from one source; it is stored when all of it has been read.

    Attributes:
        source_name: what the person called it, such as the name of a file.
        digest: SHA-256 of what was read.
        kind: what kind of subject its entries are: `molecule`.
        reading: how it was read, as JSON.
    """

    source_name: str
    digest: str
    kind: str
    reading: str


class Entry(GraphModel, key=("collection", "index")):
    """One subject of a collection.

    Attributes:
        collection: where it belongs.
        index: its position there, from 0.
        name: what it is called there; its place if it has no name.
        place: where it stands in the source, such as `line 17`.
        text: what says what it is; empty where `structure` does, or nothing can.
        structure: what it is, where the source says all of it.
        columns: what the source says of it besides: texts by name, as JSON.
        arguments: with which it is computed whatever is asked, such as its charge; as JSON.
        size: how large it is in a measure of its kind, so that the longest can be computed first.
        canonical: a text that is the same for the same subject, however it is given; empty where
            none is known.
        notes: what was made of it that a person should know.
        problem: why it cannot be read; empty where it can.
    """

    collection: Annotated[Link[Collection], PartOf()]
    index: int
    name: str
    place: str
    text: str = ""
    structure: Link[GraphModel] | None = None
    columns: str = ""
    arguments: str = ""
    size: int = 0
    canonical: str = ""
    notes: tuple[str, ...] = ()
    problem: str = ""


class Batch(GraphModel, Requested):
    """The same asked of each entry of a collection: who asks again goes on with it.

    Attributes:
        collection: of what.
        workflow: what is asked of each, by name.
        settings: what it is asked with, as JSON; several where one entry is computed several times.
    """

    collection: Link[Collection]
    workflow: str
    settings: tuple[str, ...]
