"""Stations that make polymer films; what they were told is among the operations."""

from __future__ import annotations

from ogm import GraphModel


class FilmStation(GraphModel, key=("name",)):
    """A robotic station that coats substrates with polymer films.

    Attributes:
        name: what it is called.
    """

    name: str
