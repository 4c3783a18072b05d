"""A station that makes polymer films: an arm with tools, racks, a clamp and a blade coater.

Its commands stand on a card, `station.toml`, with when each is refused and what it makes. A driver
of a real one stands where a `SimulatedDevice` does; records of the two are never mixed up.
"""

from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "films",
        "Command a station that makes polymer films.",
        "workflows.films.graph:DEFINITION",
        section="Laboratory",
        verb="film-station",
        subject=SubjectKind(),
        call="(film, vial)",
    ),
)
