"""Stations that make polymer films; what they were told is among the operations."""

from __future__ import annotations

from ogm import GraphModel


class FilmStation(GraphModel, key=("name", "simulated")):
    """A station that coats films.

    Attributes:
        name: what it is called.
        simulated: whether nothing moves; simulated and real stations of a name are different.
    """

    name: str
    simulated: bool
