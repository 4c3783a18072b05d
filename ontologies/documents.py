"""Documents that people wrote: notebooks, protocols, manuals, papers."""

from __future__ import annotations

from ogm import GraphModel


class DocumentSet(GraphModel, key=("digest",)):
    """Documents as they were when they were read; they are not kept themselves.

    Attributes:
        name: of the file or the folder.
        digest: SHA-256 of the SHA-256 of each file, in the order of their names.
    """

    name: str
    digest: str
