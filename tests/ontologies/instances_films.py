"""Objects of a station, and of what people teach of devices."""

from datetime import UTC, datetime

from ogm import GraphModel, Link
from ontologies.consent import Consent
from ontologies.films import FilmStation
from ontologies.teaching import TaughtMemo, TaughtRule

YES: Link[Consent] = Link("https://w3id.org/grafico/id/Consent/1")

FIRST = TaughtRule(
    device_graph="films",
    memo="the clamp first",
    first_command="close_clamp",
    relation="before",
    second_command="open_gripper",
    consent=YES,
    taught=datetime(2026, 11, 29, 12, tzinfo=UTC),
    taught_by="me",
).identified("https://w3id.org/grafico/id/TaughtRule/1")
NEXT = FIRST.model_copy(update={"rule_version": 2, "replaces": Link(FIRST)})
MEMO = TaughtMemo(
    device_graph="films",
    memo="shake it before you aspirate",
    consent=YES,
    taught=datetime(2026, 11, 29, 12, tzinfo=UTC),
    taught_by="me",
).identified("https://w3id.org/grafico/id/TaughtMemo/1")
AGAIN = MEMO.model_copy(update={"memo": "aspirate once it was shaken", "repeats": Link(MEMO)})

STATION = FilmStation(name="film station", simulated=True)
EVERYTHING: list[GraphModel] = [STATION, FIRST, NEXT, MEMO, AGAIN]
