"""A station that makes polymer films: an arm with tools, racks, a clamp and a blade coater.

Its commands stand in `station.json`, with what each needs and makes. A driver of a real one stands
where `SimulatedStation` does; the records of the two are never taken for each other.
"""

from workflows.registry import SubjectKind, Workflow

WORKFLOWS = (
    Workflow(
        "films",
        "Command a station that makes polymer films.",
        "workflows.films.graph:DEFINITION",
        verb="film-station",
        subject=SubjectKind(),
        call="(film, vial)",
    ),
)
