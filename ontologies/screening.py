"""What is compared with lists of controlled chemicals."""

from __future__ import annotations

from ogm import GraphModel


class Materials(GraphModel):
    """Chemicals as they were named.

    Attributes:
        texts: names, registry numbers or notations.
    """

    texts: tuple[str, ...]
