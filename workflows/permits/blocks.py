"""What is shown of what a person was asked, has agreed to, and what was then sent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from ontologies.consent import Consent, Deed, DeedSent
from workflows.show.blocks import Block, Fact
from workflows.show.object_blocks import Around, shows
from workflows.text.words import count


@shows(Deed)
def _(deed: Deed, around: Around) -> Iterator[Block]:
    del around
    what = f"{deed.node} of {deed.graph}" + (f" on {deed.target}" if deed.target else "")
    yield Fact("operation", what, name="node", fields=("node", "graph", "target"), headline=True)


@shows(Consent)
def _(consent: Consent, around: Around) -> Iterator[Block]:
    del around
    what = f"{count(len(consent.deeds), 'operation')}, each once, until {_time(consent.until)}"
    by = f"by {consent.agreed_by} at " if consent.agreed_by else "at "
    yield Fact("agreed to", what, name="deeds", fields=("deeds", "until"), headline=True)
    when = f"{_time(consent.agreed)}, {by}{consent.door}"
    fields = ("agreed", "agreed_by", "door")
    yield Fact("agreed", when, name="agreed", fields=fields, headline=True)


@shows(DeedSent)
def _(sent: DeedSent, around: Around) -> Iterator[Block]:
    del around
    by = "by a person's yes" if sent.consent else "as the settings allow"
    fields = ("sent", "consent")
    yield Fact("sent", f"{_time(sent.sent)}, {by}", name="sent", fields=fields, headline=True)
    if sent.cents:
        yield Fact("may cost", sent.cents / 100, "$", "cents", digits=".2f", headline=True)


def _time(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M} UTC"
