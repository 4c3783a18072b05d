"""Objects of what a person lets be made."""

from datetime import UTC, datetime, timedelta

from ogm import GraphModel, Link
from ontologies.consent import Consent
from ontologies.permits import MakingPermission, MakingPlan, MaterialStatement, PlanVerdict

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
YES: Link[Consent] = Link("https://w3id.org/grafico/id/Consent/1")

SILICA = MaterialStatement(
    material="silica gel",
    matched_by="name silicagel",
    called="silica gel 60",
    registry_number="7631-86-9",
    supplier="Merck",
    nothing_listed=True,
    consent=YES,
    stated=NOW,
    stated_by="me",
)
PLAN = MakingPlan(
    title="a column", notations=("CCO",), names=("silica gel",), details="{}", done_by="microwave"
)
VERDICT = PlanVerdict(
    plan=Link(PLAN),
    tier="unreadable",
    findings=("none",),
    unread=("silica gel",),
    statements=(Link(SILICA),),
    lists="00",
)
PERMISSION = MakingPermission(
    plan=Link(PLAN),
    verdict=Link(VERDICT),
    consent=YES,
    given=NOW,
    until=NOW + timedelta(hours=24),
    given_by="me",
)

EVERYTHING: list[GraphModel] = [SILICA, PLAN, VERDICT, PERMISSION]
