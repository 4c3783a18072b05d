"""What simulations of syntheses came to."""

from datetime import UTC, datetime

from ogm import GraphModel, Link
from ontologies.permits import MakingPermission
from ontologies.provenance import Run
from ontologies.syntheses import SimulatedSynthesis

PERMISSION: Link[MakingPermission] = Link("https://w3id.org/grafico/id/MakingPermission/1")
RUN: Link[Run] = Link("https://w3id.org/grafico/id/Run/1")
MADE = SimulatedSynthesis(
    permission=PERMISSION,
    run=RUN,
    instrument="flask robot",
    operations=1,
    repairs=("at the end: collect",),
    steps_done=("take_flask (flask 100 mL)",),
    ended=datetime(2026, 11, 29, 12, tzinfo=UTC),
)

EVERYTHING: list[GraphModel] = [MADE]
